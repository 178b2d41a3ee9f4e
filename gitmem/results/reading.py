"""Which tool an output comes from, and what it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from gitmem.results.compiled_tests import read_cargo, read_go, read_go_json
from gitmem.results.outcome import COUNTS, FailingTest, Outcome, outcome
from gitmem.results.python_tests import read_pytest, read_unittest
from gitmem.results.script_tests import read_jest, read_tap

# Each with words of which one must be there, so that most outputs are not gone through line by line for nothing.
_READERS: tuple[tuple[Callable[[str], Outcome | None], tuple[str, ...]], ...] = (
    (read_pytest, ("",)),
    (read_go_json, ('"Action"',)),
    (read_go, ("FAIL\t", "ok  \t")),
    (read_cargo, ("test result: ", "Summary [")),
    (read_jest, ("",)),
    (read_unittest, ("Ran ",)),
    (read_tap, ("ok ",)),
)
_ERROR = re.compile(
    r"(?i)(?:^|[\s\[(])(?:error|errors|fatal|fail(?:ed|ure)?|panic|undefined reference|오류|에러|エラー|错误)\b[\s\[\]:!)]"
    r"|^\S[^\s:]*:\d+(?::\d+)?: |^\S[^\s(]*\(\d+,\d+\): |^\*\*\* "
)
_MOST_LINES = 20
_MOST_READ = 4 * 1024 * 1024
_LONGEST_LINE = 300


def read_output(text: str) -> Outcome:
    """What the output of a test command says; several tools in one output are added up."""
    text = text[-_MOST_READ:]  # tools sum up in the end
    readers = (read for read, words in _READERS if any(word in text for word in words))
    found = [one for read in readers if (one := read(text)) is not None]
    return merge(found)


def merge(outcomes: Iterable[Outcome]) -> Outcome:
    """Several outcomes as one; an empty one for none."""
    told = list(outcomes)
    if len(told) < 2:
        return told[0] if told else Outcome()
    counts = {
        name: sum(one.counts.get(name, 0) for one in told)
        for name in COUNTS
        if any(name in one.counts for one in told)
    }
    return outcome(
        told[0].tool,
        (test for one in told for test in one.failing),
        (name for one in told for name in one.passing),
        counts,
        next((one.crash for one in told if one.crash), ""),
    )


def with_report(printed: Outcome, report: Outcome) -> Outcome:
    """What was printed, made exact by a report in JUnit XML; the printed names stay where both tell the same number.

    A tool that crashed after its report keeps its crash.
    """
    if not report.ran:
        return printed
    same = printed.failing and len(printed.failing) == len(report.failing)
    failing = printed.failing if same else report.failing
    passing = report.passing or printed.passing
    return outcome(printed.tool or report.tool, failing, passing, report.counts, printed.crash)


def error_lines(text: str) -> tuple[str, ...]:
    """The last lines of a build's or a linter's output that tell an error."""
    text = text[-_MOST_READ:]
    lines = [line.rstrip()[:_LONGEST_LINE] for line in text.splitlines() if _ERROR.search(line)]
    return tuple(dict.fromkeys(lines[-_MOST_LINES:]))


def names(failing: Iterable[FailingTest]) -> list[str]:
    return [one.name for one in failing]
