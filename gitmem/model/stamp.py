"""As of when a run's state was told, and what makes it doubtful since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from gitmem.model.course import short
from gitmem.model.snapshot import Snapshot
from gitmem.model.visible_text import code, sentence

MOST_COUNTED: Final = 500
"""How many commits are counted before it is only said that there are many."""
_FOLDER: Final = "artifacts/"
_STAMPED: Final = 200
"""Characters of a task, branch or time; they come from events and may be anything."""


class Stamp(NamedTuple):
    """As of when a handoff was told.

    Args:
        at: RFC 3339 with offset.
        commit: What HEAD named then.
        branch: Its branch; None when detached or not known.
        dirty: Whether the work tree differed from that commit, as far as is known.
        stale: What to say when HEAD has moved on since (`stale_sentence`); empty when it has not.
        doubt: What to say when a part of the record cannot be read (`doubt_sentence`); empty when all can.
        ref: Where plain git finds the run.
        is_clean: Whether the work tree at hand has no changes; None when nobody looked.
        places: Where each saved file lies, a ref by path from the root of its tree; None when nobody looked, and all
            of them are taken to lie at `ref`.
    """

    at: str | None = None
    commit: str | None = None
    branch: str | None = None
    dirty: bool = False
    stale: str = ""
    doubt: str = ""
    ref: str = "AI_RUN"
    is_clean: bool | None = None
    places: Mapping[str, str] | None = None

    def show_artifact(self, name: str) -> str | None:
        """The command that shows an artifact, named with or without its folder; None when it was not saved."""
        plain = name.removeprefix(_FOLDER)
        return self._show(f"{_FOLDER}{plain}", plain)

    def show_file(self, path: str) -> str | None:
        """The command that shows a file of the run's tree; None when it was not saved."""
        return self._show(path)

    def _show(self, *paths: str) -> str | None:
        if self.places is None:
            return _git_show(self.ref, paths[0])
        found = next((path for path in paths if path in self.places), None)
        return None if found is None else _git_show(self.places[found], found)


def _git_show(ref: str, path: str) -> str:
    """Quoted, since an agent may paste it: names of files come from others."""
    from shlex import quote

    return f"git show {quote(f'{ref}:{path}')}"


def stamp_of(snapshot: Snapshot) -> Stamp:
    """The stamp of the newest event in which somebody said how the work stands."""
    told = snapshot.told
    return Stamp(told.at, told.code, told.branch, told.dirty is True) if told else Stamp(commit=snapshot.code)


def stamp_lines(snapshot: Snapshot, stamp: Stamp) -> list[str]:
    """Run, task, commit, branch and time, as far as they are known; then what makes the rest doubtful."""
    lines = [_stamp_line(snapshot, stamp)]
    for label, said in (("STALE", stamp.stale), ("DAMAGED", stamp.doubt)):
        if said:
            lines += ["", f"> {label}: {sentence(said)}"]
    return lines


def doubt_sentence(run: str, problems: int) -> str:
    """What to say of a state of which a part could not be read; empty for no problems."""
    if not problems:
        return ""
    noun = "problem" if problems == 1 else "problems"
    return f"the record of this run has {problems} {noun}, so something may be missing here: gitmem run verify {run}"


def _stamp_line(snapshot: Snapshot, stamp: Stamp) -> str:
    parts = [
        f"run {code(snapshot.run_id)}" if snapshot.run_id else None,
        f"task {code(snapshot.task[:_STAMPED])}" if snapshot.task else None,
        f"commit {code(short(stamp.commit))}" if stamp.commit else None,
        "with changes that were not committed" if stamp.dirty else None,
        f"branch {code(stamp.branch[:_STAMPED])}" if stamp.branch else None,
        sentence(stamp.at[:_STAMPED]) if stamp.at else None,
    ]
    return " · ".join(part for part in parts if part)


def stale_sentence(commit: str | None, head: str | None, since: int | None, *, is_here: bool = True) -> str:
    """What to say of a handoff told at one commit when HEAD is at another; empty when it still holds.

    Args:
        commit: What HEAD named when it was told; None says nothing.
        head: What HEAD names now; None says nothing.
        since: Commits since then, counted up to `MOST_COUNTED`; None when HEAD does not descend from that commit, or that cannot be told here.
        is_here: Whether this clone has that commit.
    """
    if not commit or not head or commit == head:
        return ""
    if not is_here:
        return (
            f"commit {short(commit)}, which this was told at, is not in this clone: it was not pushed, or not fetched; "
            f"HEAD is {short(head)}, so check before relying on it"
        )
    if since is None:
        return f"HEAD is now {short(head)}, which does not follow the commit that this was told at: check before relying on it"
    noun = "commit" if since == 1 else "commits"
    number = f"{since} or more" if since >= MOST_COUNTED else since
    return (
        f"HEAD moved on by {number} {noun} to {short(head)} since this was told: check before relying on it"
    )
