"""Identifiers and the shapes they must have (domain rules: ids are ASCII slugs, object ids are whole)."""

from __future__ import annotations

import re

CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
MEMORY_ID = re.compile(r"[a-z0-9][a-z0-9._-]{2,99}")
RUN_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
TASK = re.compile(r"\w[\w./+#@-]{0,99}")
OBJECT_ID = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})")


def is_memory_id(text: str) -> bool:
    """Whether the text may be a memory's id, and so its file's stem."""
    return MEMORY_ID.fullmatch(text) is not None and ".." not in text and not text.endswith((".", ".lock"))


def is_run_id(text: str) -> bool:
    """Whether the text may be a run's id, and so a part of a ref name."""
    return RUN_ID.fullmatch(text) is not None


def is_task(text: str) -> bool:
    """Whether the text may name a run's task: a slug in any script, or a branch's name; never a way out of a folder."""
    return (
        TASK.fullmatch(text) is not None
        and ".." not in text
        and "//" not in text
        and not text.endswith(("/", "."))
    )


def is_object_id(text: str) -> bool:
    """Whether the text is a whole object id, SHA-1 or SHA-256."""
    return OBJECT_ID.fullmatch(text) is not None


def random_suffix(length: int = 5) -> str:
    """Crockford base-32 characters at random, so that two offline machines do not collide."""
    import secrets  # slow to import

    return "".join(secrets.choice(CROCKFORD) for _ in range(length))
