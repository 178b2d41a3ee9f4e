"""Memories whose scope matches nothing: why they cannot be confirmed, where that is written, and the cure."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.errors import NotServedError
from gitmem.model.verdict import Judgement
from gitmem.store.positions import memory_position
from gitmem.usecases.drift import Checked
from gitmem.usecases.subjects import Subject


def refuse_empty(pairs: Sequence[tuple[Subject, Judgement]], checked: Checked, *, apply: bool) -> None:
    """Refuse to validate a scope that holds nothing: the verdict would be unknown ever after.

    Args:
        pairs: The memories to confirm, judged.
        checked: The check that judged them.
        apply: Whether the scope patch of a relocation is going to be written.

    Raises:
        NotServedError: Names the memory's file and line, what matches nothing, and the cure.
    """
    for subject, judgement in pairs:
        memory, spec = subject.memory, subject.spec
        if memory.scope.is_empty or (not spec.include and not memory.scope.elements) or judgement.matched:
            continue
        if apply and _is_followed(subject, judgement):
            continue
        raise _empty(subject, judgement, checked)


def _is_followed(subject: Subject, judgement: Judgement) -> bool:
    """Whether the scope patch writes a glob that holds something into the memory's own file."""
    own = subject.memory.scope.paths
    return bool(own) and any(not old or old in own for old, _ in judgement.patch)


def _empty(subject: Subject, judgement: Judgement, checked: Checked) -> NotServedError:
    memory, where = subject.memory, checked.state.target.kind
    state = {"worktree": "the work tree", "staged": "the index"}.get(where, "HEAD")
    line, column = _written_at(checked, memory.file, "scope.paths" if memory.scope.paths else "scope")
    place = f"{memory.file}:{line}" if line else memory.file
    if not subject.spec.include:
        message = f"its elements ({', '.join(memory.scope.elements)}) have no paths in .ai/elements.yaml"
        hint = "give them paths there"
    else:
        message = f"its scope ({', '.join(subject.spec.include)}) matches nothing in {state}"
        wrong = f"scope.paths in {place}" if memory.scope.paths else ".ai/elements.yaml"
        hint = f"correct {wrong}"
    if _is_followed(subject, judgement):
        hint = f"gitmem confirm {memory.id} --apply writes where its files went into {memory.file}"
    elif where == "commit" and subject.spec.include:
        hint += ", or commit the code first, or use --worktree"
    return NotServedError(
        f"{place}: {memory.id} cannot be confirmed: {message}",
        hint=hint,
        path=memory.file,
        line=line or None,
        column=column or None,
    )


def _written_at(checked: Checked, file: str, field: str) -> tuple[int, int]:
    data = checked.state.view.read(file)
    return memory_position(file, data, field) if data is not None else (0, 0)
