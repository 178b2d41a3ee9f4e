"""Where memories that a merge brought first stood on the side that was merged.

What came with its code in a merge was written at some commit of that side; the side may have changed the code after it, and
nobody looked since. A squash leaves nothing of this to read, and what it brought is taken as it came (drift.md, fallback 4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from gitmem.git.interface import Repository
from gitmem.model.memory import Memory
from gitmem.usecases.inference import Inferred


class MergedSides:
    """Baselines on the merged sides, from one walk for each of those that is asked for.

    Args:
        repository: The repository.
        infer: Infers the baselines of memories from the first-parent history of a commit, by memory id.
    """

    def __init__(
        self,
        repository: Repository,
        infer: Callable[[Sequence[Memory], str], Mapping[str, Inferred]],
    ) -> None:
        self._repository = repository
        self._infer = infer
        self._brought: dict[str, dict[str, Memory]] = {}
        self._known: dict[str, Mapping[str, Inferred]] = {}

    def expect(self, memories: Iterable[Memory], inferred: Mapping[str, Inferred]) -> None:
        """Note what each commit brought, so that one walk answers for all of it."""
        for memory in memories:
            one = inferred.get(memory.id)
            while one is not None:
                if one.first is not None:
                    self._brought.setdefault(one.first, {})[memory.id] = memory
                one = one.earlier

    def baseline(self, commit: str, memory_id: str) -> Inferred | None:
        """From where a memory is judged on the side that a commit merged; None when it merged none that has it."""
        if commit not in self._known:
            self._known[commit] = self._walk(commit)
        return self._known[commit].get(memory_id)

    def _walk(self, commit: str) -> Mapping[str, Inferred]:
        known = self._repository.commit(commit)
        found: dict[str, Inferred] = {}
        for side in known.parents[1:] if known is not None else ():
            brought = self._brought.get(commit, {})
            wanted = [memory for name, memory in brought.items() if name not in found]
            if wanted and self._repository.has(side):
                told = self._infer(wanted, side)
                found |= {name: one for name, one in told.items() if one.commit or one.is_cut}
                self.expect(wanted, found)
        return found
