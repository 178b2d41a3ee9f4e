"""Which line of a shell runs tests or a build, and whether the line's exit status is the status of that command. Pure.

Only what is plainly a test or a build is recognised: an agent runs hundreds of commands, and a result that was none is
worse than one that is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

TEST, BUILD = "test", "build"

_HINTS: Final = (
    "test", "spec", "check", "verify", "build", "compile", "make", "tox", "nox", "mocha", "jest", "ava", "phpunit", "bats",
    "package", "assemble", "ninja", "tsc", "webpack", "behave", "playwright", "cypress", "rake",
)  # fmt: skip
_TESTS: Final = frozenset(
    [
        "pytest",
        "py.test",
        "tox",
        "nox",
        "jest",
        "vitest",
        "mocha",
        "ava",
        "tap",
        "rspec",
        "phpunit",
        "pest",
        "bats",
        "ctest",
        "gotestsum",
        "behave",
        "busted",
        "prove",
    ]
)
_BUILDS: Final = frozenset(["ninja", "tsc", "webpack", "rollup", "esbuild", "msbuild", "xmake"])
_RUNNERS: Final = frozenset(
    [
        "uv",
        "poetry",
        "pdm",
        "pipenv",
        "rye",
        "hatch",
        "bundle",
        "npx",
        "bunx",
        "pnpx",
        "yarn",
        "pnpm",
        "dotenv",
        "xvfb-run",
    ]
)
_WRAPPERS: Final = frozenset(
    ["time", "nice", "env", "command", "exec", "sudo", "stdbuf", "timeout", "caffeinate", "nohup"]
)
_SCRIPTS: Final = frozenset(["npm", "pnpm", "yarn", "bun"])
_TASKS: Final = frozenset(
    ["make", "gmake", "just", "task", "rake", "gradle", "gradlew", "mvn", "mvnw", "sbt"]
)
_TOOLS: Final[dict[str, dict[str, str]]] = {
    "go": {"test": TEST, "build": BUILD},
    "cargo": {"test": TEST, "nextest": TEST, "t": TEST, "build": BUILD, "b": BUILD, "check": BUILD},
    "dotnet": {"test": TEST, "build": BUILD, "publish": BUILD},
    "swift": {"test": TEST, "build": BUILD},
    "flutter": {"test": TEST, "build": BUILD},
    "dart": {"test": TEST, "compile": BUILD},
    "mix": {"test": TEST, "compile": BUILD},
    "bazel": {"test": TEST, "build": BUILD},
    "deno": {"test": TEST, "compile": BUILD},
    "rails": {"test": TEST},
    "composer": {"test": TEST},
    "hatch": {"test": TEST, "build": BUILD},
    "uv": {"build": BUILD},
    "zig": {"test": TEST, "build": BUILD},
    "meson": {"test": TEST, "compile": BUILD},
    "playwright": {"test": TEST},
    "cypress": {"run": TEST},
    "vite": {"build": BUILD},
    "next": {"build": BUILD},
}
_TASK_KINDS: Final = {
    TEST: frozenset({"test", "tests", "check", "verify", "spec", "testunit"}),
    BUILD: frozenset({"build", "compile", "package", "assemble", "all", "jar"}),
}
_MODULES: Final = {"pytest": TEST, "unittest": TEST, "tox": TEST, "nox": TEST, "behave": TEST, "build": BUILD}
_HARMLESS: Final = frozenset({"cd", "export", "source", ".", "set", "pushd"})
"""What fails so seldom that the failure of a line is not put down to it."""
_BETWEEN: Final = frozenset({"&&", "||", ";", "|", "|&", "&", "\n"})


class RecognisedCommand(NamedTuple):
    """A command that runs tests or a build.

    Args:
        kind: ``test`` or ``build``.
        words: Program and arguments.
        tells_success: Whether the line succeeds only when this command does.
        tells_failure: Whether the line fails only when this command does.
    """

    kind: str
    words: tuple[str, ...]
    tells_success: bool
    tells_failure: bool


def may_tell_results(line: str) -> bool:
    """Whether it is worth to look closer; one substring tells most lines that are not."""
    return "gitmem" not in line and any(hint in line for hint in _HINTS)


def recognised(line: str) -> RecognisedCommand | None:
    """The test or build that a line runs, the last one where there are several; None for all other lines.

    Args:
        line: As given to a shell.
    """
    commands = _commands(line)
    for position in reversed(range(len(commands))):
        words = _without_assignments(commands[position].words)
        kind = _kind(words)
        if kind:
            before, behind = commands[:position], commands[position:]
            is_last = [one.then for one in behind] in ([""], [";"], ["\n"])
            joined = [one for one in before if one.then == "&&" and one.words[0] not in _HARMLESS]
            is_sure = is_last and all(one.then != "||" for one in before)
            return RecognisedCommand(kind, tuple(words), is_sure, is_sure and not joined)
    return None


class _Simple(NamedTuple):
    """A simple command, and what parts it from the next; empty behind the last."""

    words: list[str]
    then: str


def _commands(line: str) -> list[_Simple]:
    import shlex

    lexer = shlex.shlex(line, posix=True, punctuation_chars="&|;\n()<>")
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    try:
        tokens = list(lexer)
    except ValueError:  # a here-document or a quote that is open
        return []
    found: list[_Simple] = []
    words: list[str] = []
    waits_for_file = False
    for token in tokens:
        if token in _BETWEEN or (token and not token.strip("&|;\n")):
            found += [_Simple(words, token if token in _BETWEEN else ";")] if words else []
            words, waits_for_file = [], False
        elif "(" in token or ")" in token:
            return []  # a subshell, a function, a substitution: too clever to be judged
        elif not token.strip("<>&"):
            if words and words[-1].isdigit():
                words.pop()
            waits_for_file = True
        elif waits_for_file:
            waits_for_file = False
        else:
            words.append(token)
    return [*found, _Simple(words, "")] if words else found


def _kind(words: Sequence[str]) -> str:
    words = _bare(words)
    if not words or "$(" in " ".join(words):
        return ""
    program, rest = words[0].rpartition("/")[2].removesuffix(".exe"), words[1:]
    plain = [word for word in rest if not word.startswith("-")]
    first = plain[0] if plain else ""
    if {"--help", "-h", "--version", "--collect-only", "--watch", "--list"} & set(rest):
        return ""
    if program in _TESTS:
        return TEST if not (program in {"prove", "tap"} and not rest) else ""
    if program in _BUILDS:
        return "" if program == "tsc" and "--init" in rest else BUILD
    return (
        _of_python(program, rest)
        or _of_scripts(program, plain)
        or _of_tasks(program, plain)
        or _TOOLS.get(program, {}).get(first, "")
        or _of_others(program, rest)
    )


def _bare(words: Sequence[str]) -> list[str]:
    """Without assignments, wrappers and runners before it."""
    left = list(words)
    while left:
        name = left[0].rpartition("/")[2]
        if name in _WRAPPERS:
            left = _without_assignments(left[1:])
            while left and (left[0].startswith("-") or (name == "timeout" and left[0][:1].isdigit())):
                left = left[1:]
        elif name in _RUNNERS and (found := _behind_runner(name, left[1:])):
            left = found
        else:
            break
    return left


def _without_assignments(words: Sequence[str]) -> list[str]:
    left = list(words)
    while left and "=" in left[0] and left[0].partition("=")[0].replace("_", "a").isalnum():
        left = left[1:]
    return left


def _behind_runner(name: str, rest: list[str]) -> list[str]:
    """The command that a runner such as `uv run` or `npx` starts; empty when it starts none."""
    if name not in {"npx", "bunx", "pnpx", "dotenv", "xvfb-run"}:
        if (
            not rest
            or rest[0] not in {"run", "exec", "dlx"}
            or (name in {"yarn", "pnpm"} and rest[0] == "run")
        ):
            return []
        rest = rest[1:]
    while rest and rest[0].startswith("-"):
        takes_value = rest[0] in {"--with", "--extra", "--group", "-p", "--python", "--package"}
        rest = rest[2:] if takes_value else rest[1:]
    return rest


def _of_python(program: str, rest: Sequence[str]) -> str:
    if not program.startswith(("python", "py")):
        return ""
    if "-m" in rest:
        module = rest[rest.index("-m") + 1 :][:1]
        return _MODULES.get(module[0], "") if module else ""
    script = rest[0].rpartition("/")[2] if rest else ""
    if script == "manage.py":
        return TEST if rest[1:2] == ["test"] else ""
    return BUILD if script == "setup.py" and {"build", "bdist_wheel"} & set(rest) else ""


def _of_scripts(program: str, plain: Sequence[str]) -> str:
    """Of npm and its like, whose scripts are called ``test``, ``test:unit``, ``build`` …"""
    if program not in _SCRIPTS or not plain:
        return ""
    name = plain[1] if plain[0] in {"run", "run-script"} and len(plain) > 1 else plain[0]
    word = name.partition(":")[0].partition("-")[0]
    return (
        TEST if word in {"test", "tests", "t"} else BUILD if word == "build" and "watch" not in name else ""
    )


def _of_tasks(program: str, plain: Sequence[str]) -> str:
    if program not in _TASKS:
        return ""
    targets = [word.rpartition(":")[2].lower() for word in plain if "=" not in word]
    if program in {"make", "gmake"} and not targets:
        return BUILD
    words = {
        part for target in targets for part in (target, target.partition("-")[0], target.partition("_")[0])
    }
    if program.startswith("gradle"):  # `testDebugUnitTest`, `assembleRelease`
        words |= {
            name
            for names in _TASK_KINDS.values()
            for name in names
            for word in targets
            if word.startswith(name)
        }
    return next((kind for kind, names in _TASK_KINDS.items() if names & words), "")


def _of_others(program: str, rest: Sequence[str]) -> str:
    if program == "node" and "--test" in rest:
        return TEST
    if program == "cmake" and "--build" in rest:
        return BUILD
    if program == "xcodebuild":
        return TEST if "test" in rest else BUILD if "build" in rest or not rest else ""
    return ""
