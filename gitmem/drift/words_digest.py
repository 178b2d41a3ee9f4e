"""The digest of a memory's words, which tells whether they are those that somebody confirmed."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Sequence

from gitmem.model.watch import Watch


def text_digest(title: str | None, summary: str, body: str | None, watch: Sequence[Watch] | None) -> str:
    """Digest of a memory's words for its validation: other words now mean that nobody confirmed them.

    White space and Unicode composition are folded, so that a re-wrapped file is not other words.
    """
    words = [_canonical(part) for part in (title, summary, body)]
    watched = None if watch is None else sorted(_watch_text(one) for one in watch)
    form = json.dumps([*words, watched], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(form.encode("utf-8", "surrogateescape")).hexdigest()


def _canonical(text: str | None) -> str:
    return " ".join(unicodedata.normalize("NFC", text or "").split())


def _watch_text(watch: Watch) -> str:
    return f"{watch} {_canonical(watch.quote.exact)}" if watch.quote else str(watch)
