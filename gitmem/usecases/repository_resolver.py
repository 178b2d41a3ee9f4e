"""What untagged evidence means in a repository: a path of HEAD, a commit."""

from __future__ import annotations

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository


class RepositoryResolver:
    """Looks evidence up in HEAD and among the commits of this clone (`gitmem.store.evidence.Resolver`)."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._head = repository.head()

    def exists(self, path: str) -> bool:
        if self._head is None or not path or path.startswith("/") or "\0" in path:
            return False
        try:
            return self._repository.entry(self._head, path.rstrip("/")) is not None
        except GitmemError:  # a tree that cannot be read holds nothing that could be cited
            return False

    def commit(self, prefix: str) -> str | None:
        try:
            return self._repository.resolve(prefix)
        except GitmemError:
            return None
