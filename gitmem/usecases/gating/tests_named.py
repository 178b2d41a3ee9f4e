"""Whether a tree has the test that a lesson names: its file, and its name in that file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from gitmem.git.interface import Repository
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE
from gitmem.results.classes import is_code, is_test_file
from gitmem.results.test_names import TestName, parse_test_name

_READ_LIMIT: Final = 1 << 20
_MOST_FILES: Final = 200
_LONGEST_NAME: Final = 400
_DECLARED: Final = (
    r"\b(?:def|func|fn|fun|function|void|class|struct|interface|object|sub|proc|let|const|var|val|public|private|protected|internal|static|async|suspend|open|override|Task)\b[^\n;={{}}]{{0,120}}?(?<!\w)`?{name}(?!\w)"
    r"|[-+]\s*\(\w[\w\s*]{{0,40}}\)\s*{name}(?!\w)"
    r"|\b(?:TEST|TEST_F|TEST_P|TEST_CASE|BOOST_AUTO_TEST_CASE|SCENARIO)\s*\([^)\n]{{0,120}}(?<!\w){name}(?!\w)"
    r"|^\s*@test\s+[\"'][^\"'\n]{{0,120}}{name}"
)
_TITLED: Final = (
    r"\b(?:it|test|describe|context|specify|scenario|suite|Run|should|given|when|then|DisplayName|Test|displayName)\b"
    r"[^\n\"'`]{{0,120}}[\"'`]{name}[\"'`]|\bfun\s+`{name}`"
)
_COMMENT: Final = re.compile(r"^[ \t]*(?://|#(?!\[)|\*|--).*$", re.MULTILINE)


class TestFinder:
    """Finds tests in one tree; each file is read once.

    Args:
        repository: Where.
        tree: Commit or tree.
    """

    __test__ = False

    def __init__(self, repository: Repository, tree: str) -> None:
        self._repository = repository
        self._tree = tree
        self._files: Mapping[str, str] | None = None
        self._texts: dict[str, str] = {}

    def find(self, reference: str) -> str:
        """Path of the file that has the test; empty when none does."""
        if re.search(r"\w", reference) is None or len(reference) > _LONGEST_NAME or "\n" in reference:
            return ""
        told = parse_test_name(reference)
        named = list(self._named_files(told))
        if told.file and not named:
            return ""
        if not told.name:
            return named[0] if named else ""
        found = self._first(told, named)
        if not found and "/" in reference and told.holders and told.holders[-1].startswith("Test"):
            # A Go subtest has its name at run time only; the function around it is declared.
            return self._first(TestName(told.file, told.holders[:-1], told.holders[-1]), named)
        return found

    def _first(self, told: TestName, named: Sequence[str]) -> str:
        return next((path for path in named or self._with_name(told) if self._holds(path, told)), "")

    @property
    def _paths(self) -> Mapping[str, str]:
        if self._files is None:
            self._files = {
                one.path: one.oid
                for one in self._repository.list_tree(self._tree)
                if one.mode in {MODE_FILE, MODE_EXECUTABLE}
            }
        return self._files

    def _named_files(self, told: TestName) -> Iterator[str]:
        """The files that a name may mean: as written from the root, or from the folder where the tool ran."""
        if told.file:
            path = told.file.removeprefix("./")
            if path in self._paths:
                yield path
            elif path:
                yield from (one for one in self._paths if one.endswith(f"/{path}"))
        elif told.holders:
            # `tests.test_api.TestOrders.test_once` names a module
            for size in range(len(told.holders), 0, -1):
                path = "/".join(told.holders[:size]) + ".py"
                if path in self._paths:
                    yield path
                    return

    def _with_name(self, told: TestName) -> Sequence[str]:
        found = self._repository.grep(self._tree, [told.name])
        files = [path for path in found.get(told.name, ()) if path in self._paths and is_code(path)]
        return sorted(files, key=lambda path: (not is_test_file(path), path))[:_MOST_FILES]

    def _holds(self, path: str, told: TestName) -> bool:
        text = self._text(path)
        form = _TITLED if told.is_title else f"{_DECLARED}|{_TITLED}"
        if not re.search(form.format(name=re.escape(told.name)), text, re.MULTILINE):
            return False
        return all(_is_holder(one, path, text) for one in _telling(told))

    def _text(self, path: str) -> str:
        if path not in self._texts:
            data = self._repository.read_blob(self._paths[path], limit=_READ_LIMIT).data
            self._texts[path] = _COMMENT.sub("", (data or b"").decode("utf-8", "replace"))
        return self._texts[path]


def _telling(told: TestName) -> Iterable[str]:
    """The innermost holder must be found; modules and packages further out are told by the file's place."""
    return told.holders[-1:]


def _is_holder(holder: str, path: str, text: str) -> bool:
    stem = path.rpartition("/")[2].partition(".")[0]
    if holder == stem or holder in path.split("/"):
        return True
    return re.search(rf"(?<!\w){re.escape(holder)}(?!\w)", text) is not None
