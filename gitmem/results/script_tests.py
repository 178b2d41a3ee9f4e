"""Output of jest and vitest, and the Test Anything Protocol (node:test, bats, prove)."""

from __future__ import annotations

import re

from gitmem.results.outcome import FailingTest, Outcome, outcome

_TOTALS = re.compile(r"^ *Tests:? +((?:\d+ \w+(?:, | \| )?)+)(?: \(\d+\))?(?:, \d+ total)?$", re.MULTILINE)
_SUITES = re.compile(r"^(?:Test Suites:| *Test Files ) +\d", re.MULTILINE)
_COUNT = re.compile(r"(\d+) (failed|passed|skipped|todo)")
_SUITE = re.compile(r"^ *(?:FAIL|PASS) +(?:\|?[\w-]+\|? +)??(?P<file>\S+\.[cm]?[jt]sx?)(?: \([\d.]+ m?s\))?$")
_VITEST = re.compile(r"^ *FAIL +(?:\|[\w-]+\| +)?(?P<file>\S+\.[cm]?[jt]sx?)(?: > (?P<name>.+)| \[ .+ \])$")
_BULLET = re.compile(r"^  ● (?P<name>.+)$")
_PASSED = re.compile(r"^ +[✓√] (?P<name>.+?)(?: \(?[\d.]+ ?m?s\)?)?$")
_GROUP = re.compile(r"^(?P<indent> +)(?![✓√✕×○●❯✎])(?P<name>\S.*)$")
_ERROR = re.compile(r"^ *(?:(?:\w+)?Error|Cannot find|expect\(|Expected|AssertionError|Timeout|thrown:)\b.*")
_CRASH = re.compile(
    r"^(?:● (?:Validation Error|Unrecognized CLI Parameter|Multiple configurations found).*|.*\bJest: Failed to parse .*|Error: Jest: .*|No tests? (?:files )?found, exiting with code 1"
    r"|.*Startup Error.*|.*Could not resolve a config file.*|.*Preset .* not found.*"
    r"|⎯+ Unhandled Errors? ⎯+|.*failed to load config from .*|.*JavaScript heap out of memory.*)$",
    re.MULTILINE,
)
_NOT_RUN = "Test suite failed to run"
_TAP_PLAN = re.compile(r"^(?:TAP version 1[34]|1\.\.\d+)$", re.MULTILINE)
_TAP = re.compile(
    r"^ *(not )?ok \d+(?: -)? (?P<name>.*?)(?P<skip> # (?:SKIP|TODO).*)?$", re.MULTILINE | re.IGNORECASE
)


def read_jest(text: str) -> Outcome | None:
    """What jest or vitest said; None when it is not their output."""
    totals = _TOTALS.findall(text)
    crash = _CRASH.search(text)
    if not totals and crash is None and _SUITES.search(text) is None:
        return None
    failing: list[FailingTest] = []
    passing: list[str] = []
    file = ""
    groups = _Groups()
    for line in text.splitlines():
        if test := _VITEST.match(line):
            name = f"{test['file']} > {test['name']}" if test["name"] else test["file"]
            failing.append(FailingTest(name, "", test["file"]))
        elif suite := _SUITE.match(line):
            file = suite["file"]
            groups.open()
        elif bullet := _BULLET.match(line):
            is_suite = bullet["name"] == _NOT_RUN
            failing.append(FailingTest(file if is_suite else f"{file} › {bullet['name']}", "", file))
        elif passed := _PASSED.match(line):
            passing.append(" › ".join(part for part in (file, *groups.above(line), passed["name"]) if part))
        elif failing and not failing[-1].reason and _ERROR.match(line):
            failing[-1] = failing[-1]._replace(reason=line.strip())
        groups.take(line)
    failing = [one for one in failing if one.name and not one.name.startswith(" ›")]
    counts = {"passed": 0, "failed": 0}
    for number, word in _COUNT.findall(totals[-1]) if totals else ():
        counts["skipped" if word == "todo" else word] = int(number)
    return outcome("jest", failing, passing, counts, crash[0] if crash else "")


class _Groups:
    """The ``describe`` blocks that a line of jest's verbose listing stands in, by its indent; the listing ends with a blank."""

    def __init__(self) -> None:
        self._stack: list[tuple[int, str]] = []
        self._is_open = False

    def open(self) -> None:
        self._stack, self._is_open = [], True

    def take(self, line: str) -> None:
        self._is_open = self._is_open and bool(line.strip())
        group = _GROUP.match(line) if self._is_open else None
        if group:
            indent = len(group["indent"])
            self._stack = [*(one for one in self._stack if one[0] < indent), (indent, group["name"])]

    def above(self, line: str) -> list[str]:
        indent = len(line) - len(line.lstrip())
        return [name for above, name in self._stack if above < indent] if self._is_open else []


def read_tap(text: str) -> Outcome | None:
    """What a program that speaks the Test Anything Protocol said; None when it is not that."""
    if _TAP_PLAN.search(text) is None:
        return None
    rows = list(_TAP.finditer(text))
    if not rows:
        return None
    failing = [FailingTest(m["name"]) for m in rows if m[1] and not m["skip"]]
    passing = [m["name"] for m in rows if not m[1] and not m["skip"]]
    skipped = sum(1 for m in rows if m["skip"])
    counts = {"passed": len(passing), "failed": len(failing), "skipped": skipped}
    crash = re.search(r"^Bail out!.*$", text, re.MULTILINE)
    return outcome("tap", failing, passing, counts, crash[0] if crash else "")
