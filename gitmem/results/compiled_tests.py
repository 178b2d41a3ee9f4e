"""Output of ``go test`` (text and ``-json``) and of ``cargo test`` and ``cargo nextest``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from gitmem.results.outcome import FailingTest, Outcome, outcome

_GO_TEST = re.compile(r"^ *--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$")
_GO_PACKAGE = re.compile(r"^(ok|FAIL|---)\s+([\w./~@-]+)\s+(?:\(cached\)|[\d.]+s|\[(build|setup) failed\])")
_GO_PLACE = re.compile(r"^ +(\w[\w.-]*_test\.go):\d+: (.*)$")
_CARGO_TEST = re.compile(r"^test (.+?) \.\.\. (ok|FAILED|ignored)\b")
_CARGO_RUNNING = re.compile(r"^ *(?:Running (?:unittests \S+|(?P<file>\S+\.rs)) \(|Doc-tests )")
_CARGO_RESULT = re.compile(
    r"^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored", re.MULTILINE
)
_CARGO_PANIC = re.compile(
    r"^thread '(.+?)'(?: \(\d+\))? panicked at (?:'(.+)', )?(\S+?\.rs):\d+:\d+:?$\n?(.*)", re.MULTILINE
)
_NEXTEST = re.compile(r"^ +(PASS|FAIL|SIGABRT|SIGSEGV|TIMEOUT) \[ *[\d.]+s\](?: \( *\d+/\d+\))? (\S+) (\S+)$")


def read_go(text: str) -> Outcome | None:
    """What ``go test`` said as text; None when it is not its output."""
    failing: list[FailingTest] = []
    passing: list[str] = []
    waiting: list[tuple[str, str, str, str]] = []
    is_go = False
    for line in text.splitlines():
        if test := _GO_TEST.match(line):
            waiting.append((test[1], test[2], "", ""))
        elif (place := _GO_PLACE.match(line)) and waiting and not waiting[-1][2]:
            waiting[-1] = (*waiting[-1][:2], place[1], place[2])
        elif package := _GO_PACKAGE.match(line):
            is_go = True
            failed, passed = _of_package(package[2], waiting)
            failing += failed
            passing += passed
            if package[3]:
                failing.append(FailingTest(package[2], f"{package[3]} failed"))
            waiting = []
    if not is_go:
        return None
    return outcome("go", _leaves(failing), passing, _counts(failing, passing), _go_crash(text))


def _of_package(
    package: str, waiting: Iterable[tuple[str, str, str, str]]
) -> tuple[list[FailingTest], list[str]]:
    failing = [
        FailingTest(f"{package}.{name}", reason, file)
        for word, name, file, reason in waiting
        if word == "FAIL"
    ]
    return failing, [f"{package}.{name}" for word, name, _, _ in waiting if word == "PASS"]


def _leaves(failing: list[FailingTest]) -> list[FailingTest]:
    """Without the tests that failed only because a test below them did."""
    names = {one.name for one in failing}
    above = {name[:end] for name in names for end in range(len(name)) if name[end] == "/"}
    return [one for one in failing if one.name not in above or "." not in one.name.rpartition("/")[2]]


def _go_crash(text: str) -> str:
    found = re.search(
        r"^(panic: test timed out after .*|fatal error: .*out of memory.*)$", text, re.MULTILINE
    )
    return found[1] if found else ""


def _counts(failing: Iterable[FailingTest], passing: Iterable[str]) -> dict[str, int]:
    return {"passed": len(list(passing)), "failed": len(list(failing))}


def read_go_json(text: str) -> Outcome | None:
    """What ``go test -json`` said; None when it is not its output."""
    rows = [row for line in text.splitlines() if (row := _go_row(line)) is not None]
    if not rows:
        return None
    output = "".join(str(row.get("Output", "")) for row in rows)
    reasons: dict[str, tuple[str, str]] = {}
    for row in rows:
        place = _GO_PLACE.match(str(row.get("Output", "")).rstrip("\n"))
        if place:
            reasons.setdefault(_go_name(row), (place[1], place[2]))
    ended = [(row["Action"], _go_name(row)) for row in rows if row.get("Test")]
    failing = []
    for action, name in ended:
        if action == "fail":
            file, reason = reasons.get(name, ("", ""))
            failing.append(FailingTest(name, reason, file))
    failing = _leaves(failing)
    packages = {one.name.partition(".Test")[0] for one in failing}
    failing += [
        FailingTest(row["Package"])
        for row in rows
        if row["Action"] == "fail" and not row.get("Test") and row["Package"] not in packages
    ]
    passing = [name for action, name in ended if action == "pass"]
    return outcome("go", failing, passing, _counts(failing, passing), _go_crash(output))


def _go_row(line: str) -> dict[str, Any] | None:
    if not line.startswith('{"') or '"Action"' not in line:
        return None
    try:
        row = json.loads(line)
    except ValueError:
        return None
    is_row = isinstance(row, dict) and all(isinstance(row.get(name), str) for name in ("Action", "Package"))
    return row if is_row else None


def _go_name(row: dict[str, Any]) -> str:
    return f"{row['Package']}.{row.get('Test', '')}"


def read_cargo(text: str) -> Outcome | None:
    """What ``cargo test`` or ``cargo nextest`` said; None when it is not their output."""
    file = ""
    failing: list[FailingTest] = []
    passing: list[str] = []
    is_nextest = False
    for line in text.splitlines():
        if running := _CARGO_RUNNING.match(line):
            file = running["file"] or ""  # unit tests lie beside the code, in whichever file
        elif test := _CARGO_TEST.match(line):
            if test[2] == "FAILED":
                failing.append(FailingTest(test[1].removesuffix(" - should panic"), "", file))
            elif test[2] == "ok":
                passing.append(test[1])
        elif test := _NEXTEST.match(line):
            is_nextest = True
            name = f"{test[2]} {test[3]}"
            if test[1] == "PASS":
                passing.append(name)
            else:
                failing.append(FailingTest(name))
    results = [tuple(map(int, found.groups())) for found in _CARGO_RESULT.finditer(text)]
    if not results and not is_nextest:
        return None
    panics = {m[1]: (m[2] or m[4] or "", m[3]) for m in _CARGO_PANIC.finditer(text)}
    told = [_with_panic(one, panics) for one in failing]
    counts = _counts(failing, passing)
    if results:
        counts = dict(
            zip(
                ("passed", "failed", "skipped"),
                (sum(column) for column in zip(*results, strict=True)),
                strict=True,
            )
        )
    return outcome("cargo", told, passing, counts)


def _with_panic(one: FailingTest, panics: dict[str, tuple[str, str]]) -> FailingTest:
    reason, file = panics.get(one.name.rpartition(" ")[2], ("", ""))
    return one._replace(reason=reason, file=one.file or file)
