"""Whether a memory and what it speaks of came to the code together."""

from __future__ import annotations

from gitmem.drift.capturing import capture_memory
from gitmem.drift.marks import capture_mark
from gitmem.model.validation import is_resolved
from gitmem.usecases.subjects import Subject
from gitmem.usecases.views import CommitView


def came_together(subject: Subject, then: CommitView, now: CommitView) -> bool:
    """Whether nothing was there before that the memory could have been true of.

    Only then may the state that a memory came with be taken for what it was true of: beside an edit of code that was
    there before, nobody can tell which of the two the words are about (drift.md, fallback 4).

    Args:
        subject: The memory as its file first says it, and its scope.
        then: The code before.
        now: The code that it came with.
    """
    old, new = then.matched_paths(subject.spec), now.matched_paths(subject.spec)
    if new and not old:
        return True
    marks = capture_memory(subject.memory, now, new, subject.spec.include).marks
    held = [mark for mark in marks if is_resolved(mark)]
    return bool(held) and not any(is_resolved(capture_mark(one.watch, then, old)) for one in held)
