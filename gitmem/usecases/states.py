"""The state of the code that is judged: a commit, the index, or the work tree."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial

from gitmem.drift.listing import Listing, parse_ls_tree
from gitmem.errors import NotServedError
from gitmem.git.interface import Repository
from gitmem.model.change import Change, TreeEntry
from gitmem.usecases.contents import Contents
from gitmem.usecases.request import Target
from gitmem.usecases.views import LISTING, CommitView, EntriesView, WorkView


class State:
    """One judged state with what it takes to compare it."""

    def __init__(self, repository: Repository, target: Target, contents: Contents) -> None:
        self.repository = repository
        self.target = target
        self.contents = contents
        self.head = repository.head()
        self.commit = _commit(repository, target, self.head)

    @property
    def label(self) -> str:
        """What was judged: a commit id, ``worktree`` or ``staged``."""
        return self.commit or self.target.kind

    @property
    def history(self) -> str | None:
        """The commit whose history tells who changed what: the judged commit, else HEAD."""
        return self.commit or self.head

    @cached_property
    def listing(self) -> Listing:
        """Every leaf of the judged state, read in one go."""
        if self.commit is not None:
            raw = partial(self.repository.raw_tree, self.commit)
            return self.repository.kept(LISTING, self.commit, lambda: parse_ls_tree(raw()))
        return self.view.listing

    @cached_property
    def view(self) -> CommitView | WorkView:
        if self.commit is not None:
            return CommitView(self.repository, self.commit, self.contents)
        head = CommitView(self.repository, self.head, self.contents) if self.head is not None else None
        return WorkView(self.repository, self.contents, head, staged=self.target.kind == "staged")

    @cached_property
    def entries(self) -> tuple[TreeEntry, ...]:
        if self.commit is not None:
            return self.repository.list_tree(self.commit)
        return self.repository.worktree_entries(staged=self.target.kind == "staged")

    def changes_since(self, tree: str, then: EntriesView) -> Sequence[Change]:
        """Whole-tree rows from a tree to this state, renames paired."""
        if self.commit is not None:
            return self.repository.diff_trees(tree, self.commit)
        from gitmem.drift.pairing import pair_listings

        return pair_listings(self.repository.list_tree(tree), self.entries, then.read, self.view.read)


def _commit(repository: Repository, target: Target, head: str | None) -> str | None:
    if target.kind != "commit":
        return None
    if target.revision is not None:
        return repository.resolve(target.revision)
    if head is None:
        raise NotServedError(
            "this repository has no commits yet, so there is nothing to judge",
            hint="commit something, or use --worktree to judge what would be committed",
        )
    return head
