"""Finding the test reports in JUnit XML that a command wrote."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from gitmem.errors import InvalidDataError
from gitmem.results.junit_xml import LARGEST, read_junit
from gitmem.results.outcome import Outcome
from gitmem.results.reading import merge

_OPTION = re.compile(r"--(?:junit-?xml|junit-report|junitfile|outputFile(?:\.junit)?)(?:=(.*))?")
_USUAL = (
    "junit.xml",
    "report.xml",
    "test-results.xml",
    "target/surefire-reports/TEST-*.xml",
    "target/failsafe-reports/TEST-*.xml",
    "*/target/surefire-reports/TEST-*.xml",
    "build/test-results/*/TEST-*.xml",
    "*/build/test-results/*/TEST-*.xml",
    "target/nextest/*/junit.xml",
    "test-results/*.xml",
    "reports/junit/*.xml",
)
_MOST_FILES = 1000
_MOST_BYTES = 4 * LARGEST


def read_reports(
    command: Sequence[str], named: Iterable[str], *, since: float, folder: Path
) -> tuple[Outcome, list[str]]:
    """What the reports of a command say, and what was wrong with those that could not be read.

    Args:
        command: Its arguments may name a report (``--junitxml=FILE``).
        named: Reports that the caller names.
        since: Only what was written at or after this time (seconds since the epoch) counts.
        folder: Where the command ran; the usual places below it are looked at.
    """
    outcomes: list[Outcome] = []
    problems: list[str] = []
    left = _MOST_BYTES
    asked = [folder / name for name in (*named, *_named_by(command))]
    for path in list(dict.fromkeys([*asked, *_usual(folder)]))[:_MOST_FILES]:
        try:
            data = _fresh(path, since, left)
            if data is not None:
                left -= len(data)
                outcomes.append(read_junit(data, str(path)))
        except OSError as error:
            if path in asked:
                problems.append(f"{path}: {error.strerror}")
        except InvalidDataError as error:
            if path in asked:
                problems.append(error.message)
    return merge(outcomes), problems


def _named_by(command: Sequence[str]) -> Iterator[str]:
    for word, following in zip(command, (*command[1:], ""), strict=True):
        found = _OPTION.fullmatch(word)
        name = (found[1] if found[1] is not None else following) if found else ""
        if name.endswith(".xml"):
            yield name


def _usual(folder: Path) -> Iterator[Path]:
    for pattern in _USUAL:
        yield from sorted(folder.glob(pattern))


def _fresh(path: Path, since: float, limit: int) -> bytes | None:
    """Content of a regular file written since then; None for any other, or one that is too large."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    with open(descriptor, "rb") as file:  # noqa: PTH123 - opened above without waiting for a writer
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode) or facts.st_mtime < since:
            return None
        if facts.st_size > min(limit, LARGEST):
            raise InvalidDataError(f"{path}: {facts.st_size:,} bytes are too many for a test report")
        return file.read(LARGEST)
