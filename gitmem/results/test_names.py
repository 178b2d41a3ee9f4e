"""Names of tests as the common tools write them, and whether two names mean one test. Pure.

``tests/test_api.py::TestOrders::test_once[2]``, ``tests.test_api.TestOrders.test_once``, ``CheckoutTests.testOnce``,
``com.example.OrderTest#sendsOnce``, ``checkout::tests::sends_once``, ``TestOnce/second_try``, ``src/a.test.ts > Orders > once``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 400
"""Characters of a name that are read."""
_PARAMETERS = re.compile(r"(?:\[[^\[\]]*\]|\([^()]*\))\s*$")
_OBJECTIVE = re.compile(r"^[-+]\[(?:[\w.]+\.)?(\w+) (\w+)\]$")
_REVERSED = re.compile(r"^(\w+) \(([\w.]+)\)$")
_FILE = re.compile(
    r"^(?P<file>[\w@+~.,()\[\]-]+(?:/[\w@+~.,()\[\]-]+)*\.[A-Za-z]{1,5})(?:\s*(?:::|[>›»#:]|\s)\s*(?P<rest>\S.*))?$"
)
_TITLES = re.compile(r"\s*[>›»]\s*")
_PARTS = re.compile(r"::|[.#/\\$]|(?<=\w)-(?=\w+Tests?\b)")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class TestName:
    """One test's name, taken apart.

    Args:
        file: Path of its file as the name says it; empty when it says none.
        holders: What holds it, outermost first: modules, classes, titles of groups.
        name: Its own name; empty when the name means a whole file.
    """

    __test__ = False

    file: str
    holders: tuple[str, ...]
    name: str

    @property
    def is_title(self) -> bool:
        """Whether it is a sentence, as JavaScript's tests are called, and no identifier."""
        return bool(self.name) and _IDENTIFIER.fullmatch(self.name) is None


def parse_test_name(text: str) -> TestName:
    """Take a name apart."""
    plain = text.strip()[:LONGEST]
    if found := _OBJECTIVE.match(plain):
        return TestName("", (found[1],), found[2])
    if found := _REVERSED.match(plain):
        path = tuple(found[2].split("."))
        return TestName("", path[:-1] if path[-1] == found[1] else path, found[1])
    file, rest = "", plain
    found = _FILE.match(plain)
    # `CheckoutTests.once` is no file, though it ends as one does: a folder or a known ending tells.
    if found and ("/" in found["file"] or _ends_as_file(found["file"])):
        file, rest = found["file"], found["rest"] or ""
    holders = _holders(rest)
    return TestName(file, tuple(holders[:-1]), holders[-1] if holders else "")


_ENDINGS = frozenset(
    [
        "bats",
        "c",
        "cc",
        "cjs",
        "cpp",
        "cs",
        "cts",
        "go",
        "java",
        "js",
        "jsx",
        "kt",
        "mjs",
        "mts",
        "php",
        "py",
        "rb",
        "rs",
        "sh",
        "swift",
        "ts",
        "tsx",
    ]
)


def _ends_as_file(text: str) -> bool:
    return text.rpartition(".")[2] in _ENDINGS


def _holders(text: str) -> list[str]:
    text = text.strip()
    if not text:
        return []
    if _TITLES.search(text):
        return [part for part in _TITLES.split(text) if part]
    bare = _PARAMETERS.sub("", text) or text
    crate, _, path = bare.partition(" ")
    if "::" in path and " " not in path:  # as nextest says it: the crate, then the path
        return [crate, *path.split("::")]
    if " " in bare:
        return [text]
    return [part for part in _PARTS.split(bare) if part]


def same_test(one: str, other: str) -> bool:
    """Whether two names mean one test: what one leaves out the other may add in front, never behind."""
    if one.strip() == other.strip():
        return True
    ours, theirs = _words(parse_test_name(one)), _words(parse_test_name(other))
    if not ours or not theirs:
        return False
    shorter, longer = sorted((ours, theirs), key=len)
    return longer[-len(shorter) :] == shorter


def is_of_file(test: str, file: str) -> bool:
    """Whether a test's name says that it lies in a file."""
    told = parse_test_name(test)
    stem = file.rpartition(".")[0]
    if told.file:
        return told.file == file or file.endswith(f"/{told.file}") or told.file.endswith(f"/{file}")
    dotted = ".".join(told.holders)
    module = stem.replace("/", ".")
    return bool(dotted) and (dotted == module or dotted.startswith(f"{module}."))


def _words(name: TestName) -> list[str]:
    """Everything that a name says, outermost first: ``tests/test_a.py`` is ``tests``, ``test_a``."""
    file = name.file
    if _ends_as_file(file):
        file = file.rpartition(".")[0]
    folders = [part for part in file.removeprefix("./").split("/") if part]
    return [*folders, *name.holders, *([name.name] if name.name else [])]
