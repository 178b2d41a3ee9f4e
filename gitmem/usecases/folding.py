"""Commits listed in ``.git-blame-ignore-revs`` that lie between a baseline and the judged state."""

from __future__ import annotations

from gitmem.drift.view import TreeView
from gitmem.git.interface import Repository
from gitmem.model.ids import is_object_id
from gitmem.usecases.contents import Contents
from gitmem.usecases.views import CommitView

IGNORE_FILE = ".git-blame-ignore-revs"
FOLDED_COMMITS = 20


def ignored_revisions(view: TreeView) -> tuple[str, ...]:
    """Whole commit ids that the judged state lists, in file order; other lines are comments."""
    data = view.read(IGNORE_FILE)
    if data is None:
        return ()
    lines = (line.partition("#")[0].strip().lower() for line in data.decode("utf-8", "replace").splitlines())
    return tuple(dict.fromkeys(line for line in lines if is_object_id(line)))


def folds_between(
    repository: Repository, ignored: tuple[str, ...], baseline: str, until: str, contents: Contents
) -> tuple[tuple[CommitView, CommitView], ...]:
    """Views before and after each ignored commit of ``baseline..until``, oldest first.

    A listed commit that is not reachable here (a squashed or grafted history) is folded all the same when its objects
    are in the clone: its two trees are compared by content, so a commit that lies elsewhere changes no verdict.
    """
    known = [commit for oid in ignored if (commit := repository.commit(oid)) is not None and commit.parents]
    if not known:
        return ()
    order = {commit.oid: place for place, commit in enumerate(repository.log(since=baseline, until=until))}
    inside = [commit for commit in known if commit.oid in order] or (known if len(known) == 1 else [])
    inside.sort(key=lambda commit: -order.get(commit.oid, 0))
    return tuple(
        (CommitView(repository, commit.parents[0], contents), CommitView(repository, commit.oid, contents))
        for commit in inside[-FOLDED_COMMITS:]
        if repository.has(commit.parents[0])
    )
