from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from types import FrameType
from typing import Any, Self

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gitmem.model.glob import MAX_ALTERNATIVES, MAX_LENGTH, parse_glob, translate_imported
from gitmem.model.glob_pattern import Automaton, Pattern
from tests.support.repo import Repo

NAMES = (
    *(
        "a",
        "b",
        "c",
        "ab",
        "abc",
        "A",
        "1",
        "_",
        "-",
        "a-b",
        ".a",
        "a.b",
        "x.ts",
        "b.x.ts",
        "a b",
        "!",
        "]",
        "a]",
    ),
    *("[a]", "[ab]", "[...b]", "{a}", "{a,b}", "^", "가", "나가", "가.ts", "a가b", "\udcff", "a\udcffb"),
)
ASCII = str.maketrans({"가": "%", "나": "~", "\udcff": "="})


def odd_paths(count: int = 500) -> list[str]:
    """Paths of up to four odd names, none of which is both a file and a folder; the same ones each time."""
    draw = random.Random(7)
    files = {"a/가"}
    folders = {"a"}
    while len(files) < count:
        parts = draw.choices(NAMES, k=draw.choice((1, 2, 2, 3, 3, 4)))
        path = "/".join(parts)
        above = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
        if path not in folders and not above & files and not (len(parts) == 1 and draw.random() < 0.7):
            files.add(path)
            folders |= above
    return sorted(files)


PATHS = odd_paths()


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository whose index holds the odd paths, and those with the other letters spelled in ASCII."""
    repo = Repo(tmp_path_factory.mktemp("odd") / "repo")
    blob = repo.git("hash-object", "-w", "--stdin", stdin=b"")
    listed = dict.fromkeys([*PATHS, *(f"ascii/{path.translate(ASCII)}" for path in PATHS)])
    lines = (f"100644 {blob} 0\t{path}\0".encode("utf-8", "surrogateescape") for path in listed)
    repo.git("update-index", "-z", "--index-info", stdin=b"".join(lines))
    return repo


def git_matches(repo: Repo, specs: list[str], folder: str = "") -> set[str]:
    done = subprocess.run(
        [
            "git",
            "-C",
            repo.path / folder,
            "ls-files",
            "-z",
            "--",
            *(s.encode("utf-8", "surrogateescape") for s in specs),
        ],
        env=repo.environment,
        capture_output=True,
        check=True,
    )
    return set(done.stdout.decode("utf-8", "surrogateescape").split("\0")) - {""}


def our_matches(text: str, paths: list[str] = PATHS) -> set[str]:
    glob = parse_glob(text)
    return {path for path in paths if glob.matches(path.encode("utf-8", "surrogateescape"))}


Alternative = tuple[str, ...]
"""Atoms as git takes them."""
Piece = tuple[str, tuple[Alternative, ...]]
"""As written, and its alternatives."""
LITERALS = (
    "a",
    "b",
    "ab",
    "c",
    ".",
    "-",
    "가",
    "나",
    "A",
    "1",
    "_",
    " ",
    ".ts",
    "x.ts",
    "]",
    "\\[",
    "\\]",
    "\\{a\\}",
    "^",
    "!",
)
SETS = (
    "[ab]",
    "[a-c]",
    "[!a]",
    "[^b-c]",
    "[]a]",
    "[!]]",
    "[a-]",
    "[-a]",
    "[\\]b]",
    "[a-b-c]",
    "[가a]",
    "[b-a]",
)
CLASSES = ("[[:alpha:]]", "[![:digit:]]", "[[:punct:]1]", "[[:space:]]", "[[:upper:][:lower:]]")
STARS = ("*", "**", "?")
git_text = {"\\{a\\}": "{a}"}


def one(atom: str) -> Piece:
    return (atom, ((git_text.get(atom, atom),),))


def braces(inner: list[list[Piece]]) -> Piece:
    text = "{" + ",".join("".join(atom for atom, _ in pieces) for pieces in inner) + "}"
    return text, tuple(alternative for pieces in inner for alternative in alternatives(pieces))


def alternatives(pieces: list[Piece]) -> tuple[Alternative, ...]:
    return tuple(
        tuple(a for part in parts for a in part) for parts in product(*(found for _, found in pieces))
    )


def globs(*atoms: str) -> st.SearchStrategy[list[Piece]]:
    atom = st.sampled_from(atoms).map(one)
    group = st.lists(st.lists(atom, min_size=1, max_size=2), min_size=2, max_size=3).map(braces)
    piece = st.one_of(
        atom, atom, atom, atom, st.just(one("/")), st.just(one("/")), st.just(one("/**/")), group
    )
    return st.lists(piece, min_size=1, max_size=7)


def pathspecs(alternative: Alternative) -> list[str]:
    """What git is asked for one alternative: as it is, and with its brackets escaped."""
    escaped = tuple(re.sub(r"[][\\*?]", r"\\\g<0>", a) if a.startswith("[") else a for a in alternative)
    specs = []
    for atoms in dict.fromkeys((alternative, escaped)):
        text = re.sub("/+", "/", "".join(atoms))
        # git crosses folders with a ** that stands right behind the glob's literal front, which its manual denies
        text = "/".join(
            part if part.strip("*") == "" else re.sub(r"\*+", "*", part) for part in text.split("/")
        )
        if text.endswith(("/", "/.")):
            specs.append(f":(glob){text}/**")
        elif not re.search(r"(?<!\\)[*?[]", text):
            specs.append(":(literal)" + text.replace("\\", ""))
        else:
            specs.append(f":(glob){text}")
    return specs


def readable(pieces: list[Piece]) -> str:
    text = "".join(atom for atom, _ in pieces)
    try:
        parse_glob(text)
    except ValueError:
        assume(False)
    return text


def spell(pieces: list[Piece]) -> list[Piece]:
    return [
        (a.translate(ASCII), tuple(tuple(x.translate(ASCII) for x in f) for f in found))
        for a, found in pieces
    ]


class TestAgainstGit:
    @settings(max_examples=150, deadline=None)
    @given(globs(*LITERALS, *STARS[:2], *STARS[:2], *STARS[:2]))
    def test_globs_of_stars_match_what_git_matches_whatever_the_letters(
        self, odd: Repo, pieces: list[Piece]
    ) -> None:
        text = readable(pieces)
        specs = [spec for found in alternatives(pieces) for spec in pathspecs(found)]
        paths = {path for path in git_matches(odd, specs) if path in set(PATHS)}
        assert our_matches(text) == paths

    @settings(max_examples=150, deadline=None)
    @given(globs(*LITERALS, *STARS, *STARS, *SETS, *CLASSES))
    def test_on_ascii_names_every_glob_matches_what_git_matches(self, odd: Repo, pieces: list[Piece]) -> None:
        pieces = spell(pieces)
        text = readable(pieces)
        specs = [
            f"{s[: s.index(')') + 1]}ascii/{s[s.index(')') + 1 :]}"
            for f in alternatives(pieces)
            for s in pathspecs(f)
        ]
        ours = {f"ascii/{path}" for path in our_matches(text, [path.translate(ASCII) for path in PATHS])}
        assert ours == git_matches(odd, specs)

    @settings(max_examples=150, deadline=None)
    @given(globs(*LITERALS, *STARS, *STARS, *SETS))
    def test_a_korean_letter_or_a_stray_byte_is_one_character_like_any_other(
        self, pieces: list[Piece]
    ) -> None:
        spelled = our_matches(readable(spell(pieces)), [path.translate(ASCII) for path in PATHS])
        assert {path.translate(ASCII) for path in our_matches(readable(pieces))} == spelled

    def test_git_itself_needs_three_question_marks_for_a_korean_letter(self, odd: Repo) -> None:
        korean = {path for path in PATHS if re.fullmatch(r"a/가", path)}
        assert korean
        assert korean <= our_matches("a/?")
        assert not korean & git_matches(odd, [":(glob)a/?"])
        assert korean <= git_matches(odd, [":(glob)a/???"])


@settings(max_examples=150, deadline=None)
@given(globs(*LITERALS, *STARS, *STARS, *SETS), st.sampled_from(PATHS))
def test_the_automaton_and_the_search_agree(pieces: list[Piece], path: str) -> None:
    encoded = path.encode("utf-8", "surrogateescape")
    for pattern in parse_glob(readable(pieces)).patterns:
        if pattern.rest:
            assert Automaton((*((pattern.lead,) if pattern.lead else ()), *pattern.rest)).matches(
                encoded
            ) == pattern.matches(encoded)


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("src", "src", True),
        ("src", "src/a/b.py", True),
        ("src", "srcs/a.py", False),
        ("src/", "src/a.py", True),
        ("src/", "src", False),
        ("./src//a.py", "src/a.py", True),
        ("*.py", "a.py", True),
        ("*.py", "src/a.py", False),
        ("src/*/", "src/a/b/c", True),
        ("src/*/", "src/a", False),
        ("src/*.{ts,tsx}", "src/a.tsx", True),
        ("{src,lib/{a,b}}/**", "lib/b/c/d", True),
        ("{src,lib/{a,b}}/**", "lib/c/d", False),
        ("{,src/}*.py", "a.py", True),
        ("a\\{b,c\\}", "a{b,c}", True),
        ("{{cookiecutter.name}}/**", "{{cookiecutter.name}}/setup.py", True),
        ("api/{id}.py", "api/{id}.py", True),
        ("app/[slug]/**", "app/[slug]/page.tsx", True),
        ("app/[slug]/**", "app/s/page.tsx", True),
        ("app/[...slug]", "app/[...slug]/page.tsx", True),
        ("app/[[...slug]]/*.tsx", "app/[[...slug]]/page.tsx", True),
        ("문서/?.md", "문서/글.md", True),
        ("문서/[가-힣].md", "문서/글.md", True),
        ("*/?", "a/b", True),
        ("*/?", "a/\udcff", True),
    ],
)
def test_a_glob_means(glob: str, path: str, matches: bool) -> None:
    assert parse_glob(glob).matches(path.encode("utf-8", "surrogateescape")) is matches


@pytest.mark.parametrize("glob", ["lib", "lib/", "lib/**", "*/", "lib/*"])
def test_a_submodule_is_a_folder_too(glob: str) -> None:
    assert parse_glob(glob).matches_gitlink(b"lib")


@pytest.mark.parametrize("glob", ["lib/", "lib/**", "lib/*", "lib2", "**/*.c", "lib/*.c"])
def test_a_submodule_is_not_what_lies_elsewhere(glob: str) -> None:
    assert not parse_glob(glob).matches_gitlink(b"other/lib")


@pytest.mark.parametrize(
    ("glob", "says"),
    [
        ("", "empty glob: write **"),
        (" ", "empty glob"),
        (".", "names nothing"),
        ("{a,}", "names nothing"),
        ("/src/**", "absolute"),
        ("{/src,a}", "absolute"),
        ("C:/src", "absolute"),
        ("C:\\src", "absolute"),
        ("src/../../x", "'..' leaves the repository"),
        ("a/{b,..}/c", "'..' leaves the repository"),
        ("a\0b", "NUL"),
        ("src\\api\\*.ts", "write / between folders"),
        ("문서\\글.md", "write / between folders"),
        ("a\\", "write / between folders"),
        ("src/[ab", r"not closed; write \["),
        ("src/[]", r"not closed; write \["),
        ("[a/b]", "holds a /"),
        ("[[:letter:]]", "unknown class [:letter:]"),
        ("src/{a,b", "the { at character 5 is not closed"),
        ("a}", "} without {"),
        ("{" * 9 + "a,b" + "}" * 9, "nested deeper"),
        ("{a,b}" * 100, f"more than {MAX_ALTERNATIVES} alternatives"),
        ("{" + "a," * 500 + "}", f"more than {MAX_ALTERNATIVES} alternatives"),
        ("{a,b}" * 7 + "x" * 1900, "characters"),
        ("x" * (MAX_LENGTH + 1), f"at most {MAX_LENGTH}"),
        ("a\ud800", "half a character"),
    ],
)
def test_what_is_no_glob_is_refused_with_its_cure(glob: str, says: str) -> None:
    with pytest.raises(ValueError) as refused:
        parse_glob(glob)
    assert says in str(refused.value)
    assert len(str(refused.value)) < 400


@given(st.text(alphabet="ab*?[]!^-{},\\/.:가 \0", max_size=40))
def test_any_text_is_read_or_refused_and_never_fails_otherwise(text: str) -> None:
    try:
        glob = parse_glob(text)
    except ValueError:
        return
    assert glob.matches(b"a/b") in (True, False)
    assert repr(text) in repr(glob)


Trace = Callable[[FrameType, str, Any], Any]


class Steps:
    """Counts the lines that run inside gitmem.model, a clock that no machine changes."""

    LIMIT = 100_000

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> Self:
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _call(self, frame: FrameType, event: str, _argument: object) -> Trace | None:
        return self._line if "/gitmem/model/" in frame.f_code.co_filename else None

    def _line(self, frame: FrameType, event: str, _argument: object) -> Trace:
        self.count += event == "line"
        assert self.count < self.LIMIT, "too many steps"
        return self._line


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("*a" * 30 + "b", b"a" * 4000),
        ("*a?" * 30 + "b", b"a" * 4000),
        ("a/**/" * 15 + "b", b"a/" * 2000 + b"c"),
        ("**/" * 500 + "x", b"a/" * 2000 + b"c"),
        ("**/*a*b*/" * 200 + "x", b"aaaaaaaa/" * 450 + b"c"),
        ("**/[a-c]?*/" * 150 + "x", b"aaaaaaaa/" * 450 + b"c"),
        ("**/a/a/a/a/b/" * 100 + "**", b"a/" * 2000 + b"c"),
    ],
)
def test_hostile_globs_take_steps_linear_in_the_path(glob: str, path: bytes) -> None:
    parsed = parse_glob(glob)
    with Steps():
        assert not parsed.matches(path)


@pytest.mark.parametrize(
    "glob", ["{a,b}" * 300, "{" * 1000, "{a," * 600, "{{a,b},{c,d}}" * 100, "[" * 1500, "{,}" * 600]
)
def test_brace_bombs_are_refused_in_few_steps(glob: str) -> None:
    with Steps(), pytest.raises(ValueError):
        parse_glob(glob)


@pytest.mark.parametrize(
    ("imported", "globs"),
    [
        ("*.ts", ("**/*.ts",)),
        ("**/*.ts,**/*.tsx", ("**/*.ts", "**/*.tsx")),
        ("src/**/*.{ts,tsx}, *.md", ("src/**/*.{ts,tsx}", "**/*.md")),
        ("*.{ts,tsx}", ("**/*.{ts,tsx}",)),
        ("package.json", ("**/package.json",)),
        ("/package.json", ("package.json",)),
        ("./src/*.js", ("src/*.js",)),
        ("docs/", ("docs/",)),
        ("**", ("**",)),
        ("*", ("**/*",)),
        ("src\\**\\*.cs", ("src/**/*.cs",)),
        ("*.ts,,*.ts,", ("**/*.ts",)),
        ("", ()),
    ],
)
def test_imported_globs_are_translated(imported: str, globs: tuple[str, ...]) -> None:
    assert translate_imported(imported) == globs


@pytest.mark.parametrize("imported", ["!*.ts", "src/[ab", "../x"])
def test_an_imported_glob_that_cannot_be_kept_is_refused(imported: str) -> None:
    with pytest.raises(ValueError):
        translate_imported(imported)


def test_equal_globs_are_equal_by_their_text() -> None:
    assert parse_glob("a/*") == parse_glob("a/*")
    assert len({parse_glob("a/*"), parse_glob("a/*"), parse_glob("b")}) == 2


@pytest.mark.parametrize(
    ("glob", "lead", "folder"),
    [
        ("a/b/**", b"a/b", True),
        ("**", b"", True),
        ("a/*", b"a", False),
        ("a/b", b"a/b", False),
        ("a/**/*.py", b"a", False),
        ("a/b/", b"a/b", True),
    ],
)
def test_the_literal_front_of_a_pattern_is_known(glob: str, lead: bytes, folder: bool) -> None:
    (pattern,) = parse_glob(glob).patterns
    assert isinstance(pattern, Pattern)
    assert (pattern.lead, pattern.is_folder) == (lead, folder)


def test_importing_globs_loads_nothing_else() -> None:
    code = "import sys; a = set(sys.modules); import gitmem.model.glob; print(sorted(set(sys.modules) - a))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert all(name == "__future__" or name.startswith("gitmem") for name in eval(done.stdout))
