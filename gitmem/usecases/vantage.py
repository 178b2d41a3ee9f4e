"""From where a check looks: the judged commit, the trusted tip, and the ids of their ``.ai`` folders.

Four calls of git tell them, whatever the number of memories. What lies below two equal ids is equal, so all that was
kept from an earlier check is found by them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from gitmem.git.interface import Repository
from gitmem.usecases.trusted import ASKED, trusted_branch

if TYPE_CHECKING:
    from gitmem.trust.branch import Trusted


class Vantage(NamedTuple):
    """One place to look from.

    Args:
        head: The judged commit.
        tree: Its root tree.
        trusted: The trusted tip; None when no branch can be trusted here.
        known: Names all that decides which memories and validations there are and what they say.
        history: Names what else the answer on a shallow clone depends on; empty in a whole one.
    """

    head: str
    tree: str
    trusted: str | None
    known: str
    history: str


def read_vantage(
    repo: Repository, revision: str | None = None, trusted: Trusted | None = None
) -> Vantage | None:
    """Look where the repository stands.

    Args:
        repo: The repository.
        revision: What is judged; HEAD when None.
        trusted: The trusted branch when it is known already.

    Returns:
        None where it takes more than object ids to tell: unborn, without ``.ai``, a partial clone, something damaged.
    """
    if repo.layout.shallow and not where_cut(repo):
        return None
    tip = (trusted or trusted_branch(repo)).commit
    head = "HEAD" if revision is None else repo.resolve(revision)
    names = [f"{head}^{{commit}}", f"{head}^{{tree}}", f"{head}:.ai"]
    told = repo.find_objects([*names, f"{tip}:.ai"] if tip else names)
    if any(one is None or one.kind != kind for one, kind in zip(told, _KINDS, strict=False)):
        return None
    commit, tree, own, *merged = [one.oid for one in told if one is not None]
    known = _known(repo, commit, own, tip, merged[0] if merged else None)
    return Vantage(commit, tree, tip, known, where_cut(repo)) if known else None


_KINDS = ("commit", "tree", "tree", "tree")


class Outlook:
    """The trusted branch and the vantage at HEAD, each looked up once for all that one answer asks.

    Args:
        repo: The repository.
    """

    def __init__(self, repo: Repository) -> None:
        self._repo = repo

    @cached_property
    def settings(self) -> Mapping[str, str]:
        """Those that tell the trusted branch, and of the provider of vectors: most have none, and pay nothing for asking."""
        return self._repo.settings(rf"{ASKED}|^gitmem\.embed\.")

    @cached_property
    def trusted(self) -> Trusted:
        return trusted_branch(self._repo, self.settings)

    @cached_property
    def vantage(self) -> Vantage | None:
        return read_vantage(self._repo, trusted=self.trusted)


def _known(repo: Repository, head: str, own: str, trusted: str | None, merged: str | None) -> str:
    """Folders and how the branches parted: `gitmem.usecases.ai_files.own_files` asks for no more."""
    if trusted is None or own == merged:
        return f"{merged} {own}"
    base = repo.merge_base(trusted, head)
    if base is None or base in (trusted, head):
        parted = "none" if base is None else "ahead" if base == trusted else "behind"
        return f"{merged} {own} {parted}"
    then = repo.find_objects([f"{base}:.ai"])[0]
    return f"{merged} {own} {then.oid}" if then is not None else ""


def where_cut(repo: Repository) -> str:
    """Where history is cut; empty when it is whole."""
    if not repo.layout.shallow:
        return ""
    try:
        return (repo.layout.common_dir / "shallow").read_text("ascii")
    except (OSError, ValueError):
        return ""
