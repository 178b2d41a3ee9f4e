"""Which language a file is written in, told by its name, else by its first line."""

from __future__ import annotations

import re

_BY_EXTENSION = {
    "python": "py pyi pyw",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "javascript": "js mjs cjs jsx",
    "go": "go",
    "rust": "rs",
    "java": "java",
    "swift": "swift",
    "c": "c h",
    "cpp": "cc cpp cxx c++ hh hpp hxx h++ ipp inl cu cuh",
    "csharp": "cs csx",
    "ruby": "rb rake gemspec ru podspec",
    "php": "php phtml",
    "kotlin": "kt kts",
    "shell": "sh bash zsh ksh bats",
    "json": "json jsonc json5 webmanifest code-workspace har geojson ipynb",
    "toml": "toml",
    "yaml": "yaml yml",
    "ini": "ini cfg conf editorconfig service desktop",
    "properties": "properties",
    "dotenv": "env",
    "make": "mk mak",
    "docker": "dockerfile",
    "css": "css scss less",
    "scala": "scala sc sbt",
    "dart": "dart",
    "groovy": "groovy gradle",
    "proto": "proto",
    "zig": "zig",
    "objc": "m mm",
    "sql": "sql",
    "lua": "lua",
    "graphql": "graphql gql",
    "terraform": "tf tfvars hcl",
    "prisma": "prisma",
    "html": "html htm xml vue svelte astro xhtml xsl xsd plist csproj props targets svg",
    "perl": "pl pm",
    "r": "r",
    "elixir": "ex exs",
    "haskell": "hs",
    "prose": "md mdc mdx markdown rst txt adoc asciidoc org tex pod",
}
_BY_NAME = {
    "python": "sconstruct sconscript wscript",
    "make": "makefile gnumakefile bsdmakefile",
    "just": "justfile .justfile",
    "docker": "dockerfile containerfile",
    "ruby": "gemfile rakefile podfile vagrantfile brewfile fastfile guardfile capfile dangerfile",
    "json": ".babelrc .eslintrc .prettierrc .swcrc .jshintrc .stylelintrc .nycrc .jscsrc",
    "ini": ".editorconfig .npmrc .flake8 .coveragerc .pylintrc .gitconfig .gitmodules procfile",
    "dotenv": ".env",
    "yaml": ".clang-format .clang-tidy .clangd",
    "groovy": "jenkinsfile",
    "shell": ".bashrc .zshrc .profile .bash_profile .envrc pkgbuild",
    "requirements": "",
    "starlark": "build workspace build.bazel workspace.bazel",
    "gomod": "go.mod go.work",
    "prose": "license licence copying notice authors contributors changelog changes history readme todo news codeowners",
    "cmake": "cmakelists.txt",
    "ignore": ".gitignore .dockerignore .npmignore .eslintignore .prettierignore .helmignore .gcloudignore .gitattributes"
    " .tool-versions .bazelrc robots.txt",
    "nginx": "nginx.conf caddyfile",
    "toml": "pipfile",
}
_LOCKS = frozenset(
    [
        "package-lock.json",
        "npm-shrinkwrap.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "bun.lock",
        "bun.lockb",
        "poetry.lock",
        "uv.lock",
        "pdm.lock",
        "pipfile.lock",
        "cargo.lock",
        "gemfile.lock",
        "composer.lock",
        "go.sum",
        "go.work.sum",
        "flake.lock",
        "mix.lock",
        "pubspec.lock",
        "podfile.lock",
        "package.resolved",
        "deno.lock",
        "packages.lock.json",
        "gradle.lockfile",
    ]
)
LOCKS_OF = {
    "npm": ("package-lock.json", "npm-shrinkwrap.json"),
    "pnpm": ("pnpm-lock.yaml",),
    "yarn": ("yarn.lock",),
    "bun": ("bun.lock", "bun.lockb"),
    "uv": ("uv.lock",),
    "poetry": ("poetry.lock",),
    "pdm": ("pdm.lock",),
    "pipenv": ("Pipfile.lock",),
    "bundler": ("Gemfile.lock",),
    "composer": ("composer.lock",),
}
"""The lock files that tell which package manager a project uses."""
_SHEBANG = re.compile(rb"#![^\n]*?\b(python|bash|zsh|ksh|dash|sh|node|deno|ruby|php|perl)[\d.]*\b")
_CPP = re.compile(
    rb"^[^\S\n]*(?:class\s+\w+|namespace\b|template\s*<|public:|private:|using\s+\w)", re.MULTILINE
)
_BLOCKS = re.compile(rb"[{;][ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_SECTION = re.compile(rb"^[ \t]*\[[^\]\n]+\][ \t]*$", re.MULTILINE)
"""A ``.conf`` of blocks and statements is no INI file, which would keep one of several equal names."""
_SHEBANG_LANGUAGE = {
    "python": "python",
    "node": "javascript",
    "deno": "typescript",
    "ruby": "ruby",
    "php": "php",
    "perl": "perl",
}

EXTENSIONS = {ext: language for language, exts in _BY_EXTENSION.items() for ext in exts.split()}
NAMES = {name: language for language, names in _BY_NAME.items() for name in names.split()}
TITLES = {
    "typescript": "TypeScript",
    "tsx": "TypeScript",
    "javascript": "JavaScript",
    "csharp": "C#",
    "cpp": "C++",
    "php": "PHP",
    "sql": "SQL",
    "css": "CSS",
    "html": "HTML",
    "graphql": "GraphQL",
    "json": "JSON",
    "yaml": "YAML",
    "toml": "TOML",
    "docker": "Dockerfile",
    "ini": "INI",
    "dotenv": "dotenv",
    "properties": "properties",
    "make": "Makefile",
    "just": "justfile",
    "gomod": "go.mod",
}


def basename(path: str) -> str:
    return path.rpartition("/")[2].lower()


def is_lock(path: str) -> bool:
    """Whether the file is a package manager's lock: it repeats a manifest and keeps no name alive."""
    return basename(path) in _LOCKS


def language_of(path: str, data: bytes = b"") -> str:
    """``python``, ``typescript`` …, or ``text`` when nothing tells."""
    name = basename(path)
    if name in NAMES:
        return NAMES[name]
    stem, dot, extension = name.rpartition(".")
    if extension == "txt" and stem.startswith(("requirements", "constraints")):
        return "requirements"
    if stem in {"dockerfile", "containerfile"} or name.startswith(".env."):
        return "docker" if stem in {"dockerfile", "containerfile"} else "dotenv"
    if stem in {"makefile", "gnumakefile"} and extension in {"am", "in", "inc"}:
        return "make"
    if extension == "h" and _CPP.search(data):
        return "cpp"
    if dot and extension in EXTENSIONS:
        blocks = extension == "conf" and _BLOCKS.search(data) and not _SECTION.search(data)
        return "nginx" if blocks else EXTENSIONS[extension]
    shebang = _SHEBANG.match(data) if data[:2] == b"#!" else None
    if shebang:
        return _SHEBANG_LANGUAGE.get(shebang[1].decode(), "shell")
    return "text"


def title(language: str) -> str:
    """The language's name as people write it."""
    return TITLES.get(language, language.capitalize())
