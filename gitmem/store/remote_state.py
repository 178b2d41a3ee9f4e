"""What each remote was last seen to hold of the ledger: ``<common git dir>/gitmem/remotes/<digest of its URL>.json``.

``{"seen": {ref: commit}, "refused": {ref: reason}, "kept": {ref: [commit here, commit there]}}``; the URL itself, which may hold a password, is not written. It lets a ref that was rewritten or deleted on a server be noticed – a
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
        refused: Why the last exchange could not send it, by full ref name.
        kept: What a ref holds here and there, where the two differ for good and nothing of this clone is missing there.
    """

    url: str
    seen: Mapping[str, str] = field(default_factory=dict)
    is_new: bool = False
    refused: Mapping[str, str] = field(default_factory=dict)
    kept: Mapping[str, tuple[str, str]] = field(default_factory=dict)


def load_remote_state(layout: Layout, url: str) -> RemoteState:
    """What was seen of the remote with this URL; nothing when there is no file that can be read."""
    try:
        held = json.loads(_file(layout, url).read_text("utf-8"))
        seen = {str(ref): oid for ref, oid in held.get("seen", {}).items() if is_object_id(str(oid))}
        refused = {str(ref): str(reason) for ref, reason in held.get("refused", {}).items()}
        kept = {str(ref): (str(ours), str(theirs)) for ref, (ours, theirs) in held.get("kept", {}).items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return RemoteState(url, is_new=True)
    return RemoteState(url, seen, refused=refused, kept=kept)


def save_remote_state(layout: Layout, state: RemoteState) -> None:
    """Remember what was seen, in one step.

    Raises:
        OSError: When it cannot be written.
    """
    file = _file(layout, state.url)
    file.parent.mkdir(parents=True, exist_ok=True)
    told = {"seen": state.seen, "refused": state.refused, "kept": state.kept}
    text = json.dumps({name: dict(sorted(value.items())) for name, value in told.items() if value}, indent=1)
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
