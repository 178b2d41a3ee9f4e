"""Clones of one bare remote that exchange their ledgers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.exchange import Synced
from gitmem.usecases.runs.syncing import sync
from tests.support.repo import Repo


def bare_remote(folder: Path) -> Repo:
    """A bare repository with one commit on main."""
    seed = Repo(folder / "seed")
    seed.commit("first", {"a": "1"})
    bare = Repo(folder / "remote.git", bare=True)
    seed.git("push", "-q", str(bare.path), "main")
    return bare


def clone(remote: Repo, name: str, *options: str) -> Repo:
    made = Repo(remote.path.parent / name, init=False)
    remote.git("clone", "-q", *options, remote.path.as_uri(), str(made.path))
    return made


def synced(repo: Repo, name: str | None = None, **given: Any) -> Synced:
    with RunLedger.open(repo.path) as ledger:
        return sync(ledger, name, **given)


def refs(repo: Repo) -> Mapping[str, str]:
    """What stands below refs/ai, by name."""
    rows = repo.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/ai").splitlines()
    return dict(row.split() for row in rows)


def writer(repo: Repo) -> str:
    with RunLedger.open(repo.path) as ledger:
        return ledger.writer() or ""
