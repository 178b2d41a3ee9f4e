"""One real statement, its code rebuilt in small: what it said, where, and how the code went on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gitmem.model.verdict import Verdict

Tree = Mapping[str, str]

KEPT = frozenset({Verdict.FRESH, Verdict.COSMETIC, Verdict.RELOCATED, Verdict.TOUCHED})
CHALLENGED = frozenset({Verdict.CHANGED, Verdict.REWRITTEN, Verdict.GONE})


@dataclass(frozen=True)
class Case:
    """One case.

    Args:
        id: As in the shared collection of cases.
        statement: Exactly as it stood in the public repository.
        scope: Exactly as the collection gives it.
        before: The tree where the statement was validated.
        after: The tree that is judged.
        verdicts: Any of these is right.
        watches: Watches, as text, that must be among the derived ones.
        between: Trees of commits on the way, oldest first.
        ignored: Which commits ``.git-blame-ignore-revs`` lists: 1 makes the first tree after `before`.
        born_false: The name that capture must report, with the nearest one.
        authored: Author date of the last commit when it is older than the validation (a branch that lay waiting).
    """

    id: str
    statement: str
    scope: tuple[str, ...]
    before: Tree
    after: Tree
    verdicts: frozenset[Verdict]
    watches: tuple[str, ...] = ()
    between: tuple[Tree, ...] = ()
    ignored: tuple[int, ...] = ()
    born_false: tuple[str, str | None] | None = None
    authored: str | None = None

    @property
    def challenged(self) -> bool | None:
        """Whether the verdict must challenge; None when either is right."""
        if self.verdicts <= CHALLENGED:
            return True
        return None if self.verdicts & CHALLENGED else False


def without(tree: Tree, *paths: str) -> dict[str, str]:
    """The tree without files, or without everything under folders that end in ``/``."""
    return {
        path: text
        for path, text in tree.items()
        if not any(path == one or (one.endswith("/") and path.startswith(one)) for one in paths)
    }


def moved(tree: Tree, old: str, new: str) -> dict[str, str]:
    """The tree with every path that starts with `old` starting with `new` instead."""
    return {
        new + path.removeprefix(old) if path.startswith(old) else path: text for path, text in tree.items()
    }
