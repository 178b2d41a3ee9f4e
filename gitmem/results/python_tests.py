"""Output of pytest (whole, ``-q``, ``-v``, ``-rN``, with xdist) and of unittest."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitmem.results.outcome import FailingTest, Outcome, outcome

_SESSION = re.compile(r"^=+ test session starts =+$", re.MULTILINE)
_COUNTS = re.compile(
    r"^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$|^(?:=+ )?no tests ran in [\d.]+s",
    re.MULTILINE,
)
_COUNT = re.compile(r"(\d+) ([a-z]+)")
_WORDS = {
    "failed": "failed",
    "passed": "passed",
    "skipped": "skipped",
    "error": "errors",
    "errors": "errors",
}
_SUMMARY = re.compile(r"^(?:FAILED|ERROR) (?=\S*(?:::|\.py\b))(.+)$", re.MULTILINE)
_LIVE = re.compile(
    r"^(?:\[gw\d+\] \[ *\d+%\] (?P<early>PASSED|FAILED|ERROR) (?P<by_worker>\S.*?)"
    r"|(?P<alone>\S+\.py::\S.*?) (?P<late>PASSED|FAILED|ERROR))(?: +\[ *\d+%\])? *$",
    re.MULTILINE,
)
_HEADING = re.compile(
    r"^_{3,} (?:ERROR at (?:setup|teardown) of |ERROR collecting )?(\S.*?) _{3,}$", re.MULTILINE
)
_PLACE = re.compile(r"^(?P<file>[^\s:]+\.py):\d+: (?P<reason>\w.*)$", re.MULTILINE)
_RAISED = re.compile(r"^E +(\S.*)$", re.MULTILINE)
_CRASH = re.compile(
    r"^(?:INTERNALERROR> +(?P<internal>\w+(?:\.\w+)*(?:Error|Exception|Exit)\b.*)"
    r"|(?P<usage>(?:ERROR: usage: .*|(?:ERROR|[\w./ -]*pytest[\w./-]*|__main__\.py): error: .*|ERROR: (?:file or directory"
    r" )?not found: .*|ImportError while loading conftest .*|pytest: reading .*))"
    r"|(?:=+ )?(?P<none>no tests ran) in [\d.]+s.*)$",
    re.MULTILINE,
)
_UNITTEST = re.compile(r"^Ran (\d+) tests? in [\d.]+s$", re.MULTILINE)
_UNITTEST_FAILING = re.compile(r"^(?:FAIL|ERROR): (\S+) \(([\w.<>]+)\)", re.MULTILINE)
_UNITTEST_END = re.compile(r"^FAILED \((.+)\)$", re.MULTILINE)


def read_pytest(text: str) -> Outcome | None:
    """What pytest said; None when it is not pytest's output."""
    told = list(_COUNTS.finditer(text))
    crash = _crash(text)
    if not told and not crash and _SESSION.search(text) is None:
        return None
    live = [(m["early"] or m["late"], (m["by_worker"] or m["alone"]).strip()) for m in _LIVE.finditer(text)]
    failing = [_split(m[1]) for m in _SUMMARY.finditer(text)]
    failing += [_split(name) for word, name in live if word != "PASSED"]
    counts = _counted(told[-1][1] or "") if told else {}
    if not failing:
        failing = list(_sections(text))
    failing = _with_reasons(text, failing)
    return outcome("pytest", failing, (name for word, name in live if word == "PASSED"), counts, crash)


def _crash(text: str) -> str:
    internal = "INTERNALERROR>" in text
    found = [m for m in _CRASH.finditer(text) if m["internal"] or not internal]
    if not found:
        return "INTERNALERROR" if internal else ""
    last = found[-1]
    return last["internal"] or last["usage"] or last["none"]


def _counted(line: str) -> dict[str, int]:
    counts = {"passed": 0, "failed": 0}
    for number, word in _COUNT.findall(line):
        if word in _WORDS:
            counts[_WORDS[word]] = int(number)
    return counts


def _split(told: str) -> FailingTest:
    """An id with its reason; `` - `` inside the brackets of a parameter belongs to the id."""
    name, reason = told, ""
    for found in re.finditer(r" - ", told):
        before = told[: found.start()]
        if before.count("[") <= before.count("]"):
            name, reason = before, told[found.end() :]
            break
    return FailingTest(name.strip(), reason, name.partition("::")[0].strip())


def _sections(text: str) -> Iterator[FailingTest]:
    """Failures as their long reports tell them, for output without the short summary."""
    headings = list(_HEADING.finditer(text))
    for number, heading in enumerate(headings):
        end = headings[number + 1].start() if number + 1 < len(headings) else len(text)
        body = text[heading.end() : end]
        places = list(_PLACE.finditer(body))
        place = places[-1] if places else None  # where it was raised
        raised = _RAISED.search(body)
        name = heading[1].replace(".", "::") if place and not heading[1].endswith(".py") else heading[1]
        file = place["file"] if place else (name if name.endswith(".py") else "")
        yield FailingTest(
            f"{file}::{name}" if file and file != name else name, raised[1] if raised else "", file
        )


def _with_reasons(text: str, failing: list[FailingTest]) -> list[FailingTest]:
    """Reasons from the long reports for tests of which the summary tells nothing, or no more than that an import failed."""
    vague = "ImportError while importing"
    if all(one.reason and not one.reason.startswith(vague) for one in failing):
        return failing
    raised = _raised(text)
    told = []
    for one in failing:
        found = raised.get(one.name.rpartition("::")[2]) or raised.get(one.name) or one.reason
        told.append(one._replace(reason=found) if not one.reason or one.reason.startswith(vague) else one)
    return told


def _raised(text: str) -> dict[str, str]:
    """The first raised line of each long report, by the test's own name."""
    found: dict[str, str] = {}
    headings = list(_HEADING.finditer(text))
    ends = [*(heading.start() for heading in headings[1:]), len(text)]
    for heading, end in zip(headings, ends, strict=False):
        raised = _RAISED.search(text, heading.end(), end)
        if raised:
            plain, bracket, parameters = heading[1].partition("[")
            short = plain if plain.endswith(".py") else plain.rpartition(".")[2]
            found.setdefault(f"{short}{bracket}{parameters}", raised[1])
    return found


def read_unittest(text: str) -> Outcome | None:
    """What unittest said; None when it is not its output."""
    ran = _UNITTEST.search(text)
    if ran is None:
        return None
    found = list(_UNITTEST_FAILING.finditer(text))
    ends = [*(one.start() for one in found[1:]), ran.start()]
    failing = [
        FailingTest(_unittest_name(one[1], one[2]), _last_raised(text[one.end() : end]))
        for one, end in zip(found, ends, strict=False)
    ]
    ended = _UNITTEST_END.search(text)
    told = dict(re.findall(r"(\w+)=(\d+)", ended[1])) if ended else {}
    failed, errors, skipped = (int(told.get(word, 0)) for word in ("failures", "errors", "skipped"))
    passed = max(0, int(ran[1]) - failed - errors - skipped)
    counts = {"passed": passed, "failed": failed, "errors": errors, "skipped": skipped}
    return outcome("unittest", failing, (), counts)


def _last_raised(section: str) -> str:
    raised = re.findall(r"^([A-Za-z_][\w.]*(?:: .*)?)$", section, re.MULTILINE)
    return raised[-1] if raised else ""


def _unittest_name(test: str, where: str) -> str:
    return where if where.endswith(f".{test}") else f"{where}.{test}"
