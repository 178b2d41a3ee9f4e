"""JUnit XML as pytest, surefire, gradle, jest-junit, go-junit-report and nextest write it.

A document type declaration is refused as soon as it begins, in whatever encoding, so there are no entities to expand.
Nothing is kept but names, counts and the first line of each reason.
"""

from __future__ import annotations

from itertools import takewhile
from xml.etree.ElementTree import ParseError, XMLParser

from gitmem.errors import InvalidDataError
from gitmem.results.outcome import LONGEST_REASON, FailingTest, Outcome, outcome

LARGEST = 32 * 1024 * 1024
_BAD = {"failure": "failed", "error": "errors"}


def read_junit(data: bytes, name: str = "report") -> Outcome:
    """What a report says.

    Args:
        data: The file.
        name: What it is called in an error.

    Raises:
        InvalidDataError: Too large, with a document type declaration, or no XML.
    """
    if len(data) > LARGEST:
        raise InvalidDataError(f"{name}: {len(data):,} bytes are too many for a test report")
    cases = _Cases(name)
    parser = XMLParser(target=cases)  # noqa: S314 - `_Cases.doctype` refuses what could be expanded
    try:
        parser.feed(data)
        parser.close()
    except (ParseError, ValueError, LookupError) as error:
        raise InvalidDataError(f"{name}: no XML: {error}") from None
    return outcome("junit", cases.failing, cases.passing, cases.counts)


class _Cases:
    """Receives the parts of a report as they are read."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.failing: list[FailingTest] = []
        self.passing: list[str] = []
        self.counts = {"passed": 0, "failed": 0, "errors": 0, "skipped": 0}
        self._is_pytest = False
        self._case: dict[str, str] | None = None
        self._state = "passed"
        self._reason = ""
        self._in_reason = False

    def doctype(self, *_: str) -> None:
        raise InvalidDataError(f"{self._name}: a document type declaration is not read")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition("}")[2]
        if tag == "testcase":
            self._case, self._state, self._reason = attributes, "passed", ""
        elif tag == "testsuite":
            self._is_pytest = attributes.get("name") == "pytest"
        elif self._case is None:
            return
        elif tag in _BAD and self._state not in _BAD.values():
            self._state = _BAD[tag]
            self._reason = attributes.get("message") or attributes.get("type") or ""
            self._in_reason = not self._reason.strip()
        elif tag == "skipped":
            self._state = "skipped"

    def data(self, text: str) -> None:
        if self._in_reason and len(self._reason) < LONGEST_REASON:
            self._reason += text

    def end(self, tag: str) -> None:
        tag = tag.rpartition("}")[2]
        if tag in _BAD:
            self._in_reason = False
        elif tag == "testcase" and self._case is not None:
            self._take(self._case)
            self._case = None

    def close(self) -> None:
        return

    def _take(self, case: dict[str, str]) -> None:
        self.counts[self._state] += 1
        if self._is_pytest and not case.get("file"):
            case = {**case, "file": _pytest_file(case.get("classname", ""))}
        name = _name(case)
        if self._state == "passed":
            self.passing.append(name)
        elif self._state in _BAD.values():
            reason = next((line for line in self._reason.splitlines() if line.strip()), "")
            self.failing.append(FailingTest(name, reason, case.get("file", "")))


def _name(case: dict[str, str]) -> str:
    """``file::name`` where the file is told, as pytest's ids are; else ``class.name``."""
    name, group, file = case.get("name", ""), case.get("classname", ""), case.get("file", "")
    if file.endswith(".py"):
        module = file.removesuffix(".py").replace("/", ".")
        inner = group[len(module) + 1 :].replace(".", "::") if group.startswith(f"{module}.") else ""
        return "::".join(part for part in (file, inner, name) if part)
    return f"{group}.{name}" if group and group != name else name or group or "?"


def _pytest_file(group: str) -> str:
    """The file behind a dotted name, up to the first class: ``tests.test_a.TestB`` is in ``tests/test_a.py``."""
    modules = list(takewhile(lambda part: not part[:1].isupper(), group.split(".")))
    return f"{'/'.join(modules)}.py" if modules and modules[0] else ""
