"""What the events of a run carry: files and commits of a change, the class and reason of a failure, where a lesson holds. Pure."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Final

from gitmem.model.event import Event, text_field, text_list
from gitmem.model.ids import is_object_id
from gitmem.model.literal_glob import as_glob
from gitmem.model.memory import Scope
from gitmem.model.payload import pairs_of
from gitmem.promotion.episodes import BY_ITSELF, Fix
from gitmem.promotion.lesson_scope import MOST, mentioned, scope_of, spoken_scope, stems
from gitmem.promotion.lesson_words import is_sure
from gitmem.results.classes import AGENT, is_test_file

_ENDS_A_TRY: Final = frozenset({"approach_adopted", "approach_rejected", "test_passed", "task_created"})
_BEGINS_ANOTHER: Final = frozenset({"test_failed", "build_failed", "lint_failed", "approach_rejected"})
_NODE: Final = re.compile(r"[^\s:-][^\s:]*\.py::\S.*")
_SPEAKS_OF_IT: Final = 2
_MOST_CHANGED: Final = 1000


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What lies around the events.

    Args:
        files: For commits whose events name no files, the paths that they changed.
        exists: Whether a path is still there.
    """

    files: Mapping[str, tuple[str, ...]]
    exists: Callable[[str], bool]


NOWHERE: Final = Surroundings({}, lambda _: True)


class RunFacts:
    """The events of one run with what lies around them."""

    def __init__(self, events: Sequence[Event], around: Surroundings) -> None:
        self._events = events
        self._around = around
        self._rewritten = dict(
            pair
            for one in events
            if one.type == "commits_rewritten"
            for pair in pairs_of(one.payload.get("pairs"))
        )

    def files(self, event: Event) -> list[str]:
        if event.type == "implementation_completed":
            return text_list(event.payload, "changed_files")
        if event.type not in {"commit_recorded", "branch_merged"}:
            return []
        commit = text_field(event.payload, "commit") or ""
        return text_list(event.payload, "files") or list(self._around.files.get(commit, ()))

    def commit(self, event: Event) -> str | None:
        """The commit that an event records, as it was rewritten last."""
        commit = text_field(event.payload, "commit") if event.type == "commit_recorded" else None
        seen: set[str] = set()
        while commit in self._rewritten and commit not in seen:
            seen.add(commit)
            commit = self._rewritten[commit]
        return commit if commit and is_object_id(commit) else None

    def scope(self, files: Sequence[str], words: str) -> Scope:
        """Those of the changed files that the words name; else the changed files; where nothing changed, what they name."""
        named = mentioned(words, self._around.exists)
        changed = [one for one in named if one in {as_glob(path) for path in files}]
        globs = tuple(changed) or scope_of(files, words, self._around.exists) or named
        return Scope(globs, does_not_apply_to=_anti_scope(globs))

    def scope_of_decision(self, words: str) -> Scope:
        """The paths that it names, else those of the commit that speaks of it, else changed files that it speaks of; all
        changed files only where they are few.
        """
        exists = self._around.exists
        about = self.commit_about(words)
        globs = mentioned(words, exists) or (scope_of(self.files(about), words, exists) if about else ())
        globs = globs or spoken_scope(self._changed, words, exists)
        return Scope(globs[:MOST], does_not_apply_to=_anti_scope(globs))

    def commit_after(self, event: Event) -> list[Event]:
        """The first commit after an event, unless something failed or was taken up in between."""
        for one in self._events[self._events.index(event) + 1 :]:
            if one.type == "commit_recorded":
                return [one]
            if one.type in _BEGINS_ANOTHER:
                break
        return []

    def commit_about(self, words: str) -> Event | None:
        """The newest commit whose subject speaks of the same thing: two words in common; None when there is none."""
        said = stems(words)
        return next((one for one, told in self._subjects if len(said & told) >= _SPEAKS_OF_IT), None)

    def changes_before(self, event: Event) -> list[Event]:
        """What changed since the approach was taken up, or since the test before it."""
        found: list[Event] = []
        for one in reversed(self._events[: self._events.index(event)]):
            if one.type in _ENDS_A_TRY:
                break
            if self.files(one):
                found.append(one)
        return found

    def author_of(self, source: Sequence[Event]) -> str:
        """Who tells what some events say: the last of them that no tool told by itself, else who did so before them."""
        last = self._events.index(source[-1])
        told = (*reversed(source), *(self._events[place] for place in range(last, -1, -1)))
        return next((one.actor for one in told if one.actor not in BY_ITSELF), source[-1].actor)

    @cached_property
    def _changed(self) -> tuple[str, ...]:
        newest = (path for one in reversed(self._events) for path in reversed(self.files(one)))
        return tuple(islice(dict.fromkeys(newest), _MOST_CHANGED))[::-1]

    @cached_property
    def _subjects(self) -> tuple[tuple[Event, frozenset[str]], ...]:
        """Commits with what their subjects speak of, newest first."""
        told = (
            (one, text_field(one.payload, "subject") or "")
            for one in reversed(self._events)
            if self.commit(one) is not None
        )
        return tuple((one, frozenset(stems(subject))) for one, subject in told)


def failure_class_of(failures: Sequence[Event]) -> str:
    """The class of the newest failure that has one; work that was wrong where nobody says otherwise."""
    told = [named for one in failures if (named := text_field(one.payload, "failure_class"))]
    return told[-1] if told else AGENT


def reason_of(fix: Fix) -> str:
    """The tests' own words for why they failed."""
    for failure in reversed(fix.failures):
        reasons = failure.payload.get("reasons")
        for name in fix.tests:
            said = reasons.get(name) if isinstance(reasons, Mapping) else None
            if isinstance(said, str) and is_sure(said):
                return " ".join(said.split())[:200]
    return ""


def dirty_files(event: Event) -> list[str]:
    held = event.payload.get("dirty_files")
    return [path for path in held if isinstance(path, str)] if isinstance(held, Mapping) else []


def probe_of(event: Event, tests: Sequence[str] = ()) -> str | None:
    """The command of a pass as another machine can run it; None when it names a place of this one.

    Args:
        event: The pass.
        tests: What it is to show; pytest runs them alone, so that nothing else can fail.
    """
    command = text_field(event.payload, "command") or ""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    if not words or "…" in command or "[masked:" in command or any(map(_is_own_place, words[1:])):
        return None
    words[0] = words[0].rpartition("/")[2] if words[0].startswith("/") else words[0]
    runner = next((at for at, word in enumerate(words) if word.rpartition("/")[2] == "pytest"), None)
    if runner is not None and tests and all(_NODE.fullmatch(one) for one in tests):
        words = [*words[: runner + 1], "-q", *tests]
    return shlex.join(words)


def moment_of(at: str) -> datetime | None:
    try:
        made = datetime.fromisoformat(at)
    except ValueError:
        return None
    return made if made.tzinfo else None


def _is_own_place(word: str) -> bool:
    return word.startswith(("/", "~")) or "=/" in word


def _anti_scope(globs: Sequence[str]) -> tuple[str, ...]:
    """Where it is proposed not to hold: work on nothing but prose, and on nothing but tests when it speaks of code."""
    if not globs:
        return ()
    speaks_of_tests = all(is_test_file(one) for one in globs)
    return (
        ("documentation_only_change",)
        if speaks_of_tests
        else (
            "test_only_change",
            "documentation_only_change",
        )
    )
