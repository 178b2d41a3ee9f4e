"""A repository with a validated memory, judged and confirmed through the use cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from pathlib import Path

from gitmem.git.opening import open_repository
from gitmem.model.verdict import DriftReport, Judgement
from gitmem.usecases.checking import check
from gitmem.usecases.confirm import Asking, ConfirmRequest, ConfirmResult, confirm
from gitmem.usecases.request import HEAD, Request, Target
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

SEND = "def send(order):\n    log(order)\n    ship(order)\n    return order\n"
SHOP = SEND + "\n\ndef log(order):\n    print(order)\n"
CODE = {"src/shop.py": SHOP, "src/bank.py": "LIMIT = 4\n", "README.md": "# Shop\n"}
ABOUT_SEND = "'`send` ships before it answers'"
PROSE = "Orders are shipped once a day"
TODAY = date(2026, 7, 20)
WORKTREE, STAGED = Target("worktree"), Target("staged")


def remembered(
    repo: Repo, summary: str = ABOUT_SEND, files: Mapping[str, str | bytes] = CODE, **fields: str
) -> str:
    """Commit the files with a memory that nobody validated; give the commit."""
    return repo.commit("Start", {**files, path_of(): memory(summary=summary, **fields)})


def validated(
    repo: Repo, summary: str = ABOUT_SEND, files: Mapping[str, str | bytes] = CODE, **fields: str
) -> str:
    """Commit the files with a memory, confirm it, commit the validation; give the commit of the baseline."""
    baseline = remembered(repo, summary, files, **fields)
    confirmed(repo.path)
    repo.commit("Validate")
    return baseline


def confirmed(
    path: Path,
    *ids: str,
    at: str = "2026-07-14T10:00:00+09:00",
    seen: str | None = None,
    worktree: bool = False,
    ask: Callable[[Asking], bool] | None = None,
) -> ConfirmResult:
    with open_repository(path) as repository:
        when = datetime.fromisoformat(at)
        return confirm(repository, ConfirmRequest(ids or ("m-001",), "Ada", when, seen, worktree), ask)


def checked(
    path: Path, target: Target = HEAD, *, since: str | None = None, today: date = TODAY
) -> DriftReport:
    with open_repository(path) as repository:
        return check(repository, Request(target=target, since=since, today=today))


def judged(path: Path, target: Target = HEAD, *, since: str | None = None, today: date = TODAY) -> Judgement:
    """The judgement of the one memory."""
    (judgement,) = checked(path, target, since=since, today=today).judgements
    return judgement


def verdict(path: Path, target: Target = HEAD, *, since: str | None = None) -> tuple[str, str]:
    """Verdict and status of the one memory."""
    found = judged(path, target, since=since)
    return (str(found.verdict), found.status)


def shallow(repo: Repo, path: Path, *, depth: int = 1) -> Repo:
    """A clone with the last commits alone."""
    repo.git("clone", "-q", "--depth", str(depth), f"file://{repo.path}", str(path))
    return Repo(path, init=False)


def forget_history(repo: Repo) -> None:
    """Squash main to one commit and prune what it was."""
    repo.git("checkout", "-q", "--orphan", "squashed")
    repo.git("commit", "-q", "-m", "All of it")
    repo.git("branch", "-q", "-M", "squashed", "main")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
