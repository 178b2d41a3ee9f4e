"""Which paths may concern any of some memories at all: quick to ask, and never wrong where it says no.

A reach is a plain value: for each folder or path at which a glob begins either None, when everything there counts, or
what the paths that count end in (`gitmem.drift.scopes.bucket`). It is asked where nothing may be loaded, so what asks it
imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing is slow to import
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Reach = Mapping[bytes, tuple[bytes, ...] | None]


def reach_of(globs: Iterable[str], paths: Iterable[str]) -> dict[bytes, tuple[bytes, ...] | None]:
    """The reach of globs, and of paths that count with everything below them.

    Raises:
        ValueError: From `parse_glob`.
    """
    from gitmem.drift.scopes import bucket
    from gitmem.model.glob import parse_glob

    ends: dict[bytes, set[bytes]] = {}
    whole = {path.encode("utf-8", "surrogateescape") for path in paths}
    for text in dict.fromkeys(globs):
        for pattern in parse_glob(text).patterns:
            if pattern.is_folder or not pattern.rest:
                whole.add(pattern.lead)
            else:
                ends.setdefault(pattern.lead, set()).add(bucket(pattern))
    return {**{lead: tuple(sorted(some)) for lead, some in ends.items()}, **dict.fromkeys(whole)}


def is_reached(reach: Reach, path: bytes) -> bool:
    """Whether a path may count; what stands at the beginning of a glob may be a whole repository of its own."""
    if path in reach:
        return True
    name = path[path.rfind(b"/") + 1 :]
    dot = name.rfind(b".")
    ends = (name, name[dot:] if dot >= 0 else b"", b"")
    folder = path
    while folder:
        folder = folder[: max(folder.rfind(b"/"), 0)]
        held = reach.get(folder, ())
        if held is None or any(one in held for one in ends):
            return True
    return False
