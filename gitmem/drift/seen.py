"""What became of one watch, and the few ways to say it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gitmem.model.change import MODE_GITLINK, Change
from gitmem.model.validation import Mark
from gitmem.model.verdict import Finding, Verdict, percentage
from gitmem.model.watch import Watch, WatchKind


@dataclass(frozen=True, slots=True)
class Seen:
    """What became of one watch.

    Args:
        findings: At least one; the first decides, others are soft notes beside it.
        moved: The watch as it would be written now; None when it did not move.
    """

    findings: tuple[Finding, ...]
    moved: Watch | None = None

    @property
    def verdict(self) -> Verdict:
        return max((one.verdict for one in self.findings), key=lambda one: one.severity)


def finding(
    mark: Mark, verdict: Verdict, reason: str, *, new_path: str | None = None, share: float | None = None
) -> Finding:
    path = mark.watch.path or (mark.sample[0][0] if mark.sample else None)
    path = path.partition("#")[0] if path is not None and mark.watch.kind is WatchKind.VERIFIER else path
    return Finding(verdict, reason, watch=str(mark.watch), path=path, new_path=new_path, share=share)


def told(mark: Mark, verdict: Verdict, reason: str, *, share: float | None = None) -> Seen:
    return Seen((finding(mark, verdict, reason, share=share),))


def moved(mark: Mark, target: Watch, reason: str) -> Seen:
    found = finding(mark, Verdict.RELOCATED, reason, new_path=target.path)
    return Seen((replace(found, moved=str(target)),), moved=target)


def submodule_words(row: Change) -> str | None:
    """What became of a submodule, its commits abbreviated as git does; None of a row that is about none."""
    was, now = row.old_mode == MODE_GITLINK, row.new_mode == MODE_GITLINK
    old, new = (row.old_oid or "")[:_SHORT], (row.new_oid or "")[:_SHORT]
    path = row.old_path or row.new_path or ""
    if was and now:
        return f"{path}: submodule {old} → {new}"
    if was:
        return f"{path} was {'replaced' if new else 'deleted'}, a submodule at {old}"
    return f"{path} is new, a submodule at {new}" if now else None


_SHORT = 7


def percent(share: float | None) -> str:
    said = percentage(share)
    return f" {said}" if said else ""
