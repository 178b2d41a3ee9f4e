"""What each remote was last seen to hold of the ledger: ``<common git dir>/gitmem/remotes/<digest of its URL>.json``.

``{"seen": {ref: commit}}``; the URL itself, which may hold a password, is not written. It lets a ref that was rewritten or deleted on a server be noticed – a
server's own protections cover ``refs/heads`` alone – and says what was not sent yet. Never a source of truth: without
the file everything is new again.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gitmem.git.interface import Layout
from gitmem.model.ids import is_object_id

FOLDER = "gitmem/remotes"


@dataclass(frozen=True, slots=True)
class RemoteState:
    """What was seen of one remote.

    Args:
        url: Where it is.
        seen: Commit by full ref name, of `refs/ai/`.
        is_new: Whether nothing was ever exchanged with it.
    """

    url: str
    seen: Mapping[str, str] = field(default_factory=dict)
    is_new: bool = False


def load_remote_state(layout: Layout, url: str) -> RemoteState:
    """What was seen of the remote with this URL; nothing when there is no file that can be read."""
    try:
        held = json.loads(_file(layout, url).read_text("utf-8"))
        seen = {str(ref): oid for ref, oid in held["seen"].items() if is_object_id(str(oid))}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return RemoteState(url, is_new=True)
    return RemoteState(url, seen)


def save_remote_state(layout: Layout, state: RemoteState) -> None:
    """Remember what was seen, in one step.

    Raises:
        OSError: When it cannot be written.
    """
    file = _file(layout, state.url)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"seen": dict(sorted(state.seen.items()))}, indent=1)
    descriptor, name = tempfile.mkstemp(prefix=".", dir=file.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _file(layout: Layout, url: str) -> Path:
    digest = hashlib.blake2b(url.encode("utf-8", "surrogateescape"), digest_size=10).hexdigest()
    return layout.common_dir / FOLDER / f"{digest}.json"
