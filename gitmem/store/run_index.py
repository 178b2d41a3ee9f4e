"""What is known of many runs at once, in one file, so that listing 3,000 of them opens one file and not 3,000.

``<common git dir>/gitmem/cache/runs.marshal`` (format: `gitmem.store.cache`) holds values of some kinds by run id, each
beside the tips it stands for; another tip means not known. Runs that are gone are dropped when the file is written.
Never a source of truth: damage, another version or no right to write is the same as nothing known.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from gitmem.git.interface import Layout
from gitmem.store.cache import read_content, write_content
from gitmem.store.run_cache import cache_folder

FORMAT = 1
"""Raise it whenever the shape or the meaning of a kept value changes."""


class RunIndex:
    """Plain marshal values by kind and run, read at once when the first is asked for."""

    def __init__(self, layout: Layout) -> None:
        self._file = str(cache_folder(layout) / "runs.marshal")
        held = read_content(self._file)
        self._kinds: dict[str, dict[str, Any]] = held.get("kinds", {}) if held.get("format") == FORMAT else {}
        self._is_new = False

    def get(self, kind: str, run: str, tips: Mapping[str, str]) -> Any:
        """The value that was kept for exactly these tips; None when there is none."""
        held = self._kinds.get(kind, {}).get(run)
        return held[1] if held is not None and held[0] == tips else None

    def put(self, kind: str, run: str, tips: Mapping[str, str], value: Any) -> None:
        """Keep a value for some tips; `save` writes it."""
        self._kinds.setdefault(kind, {})[run] = (dict(tips), value)
        self._is_new = True

    def save(self, runs: Collection[str]) -> None:
        """Write what is new, for the runs that there are; nothing happens where this clone cannot be written."""
        if not self._is_new:
            return
        kept = {
            kind: {run: value for run, value in held.items() if run in runs}
            for kind, held in self._kinds.items()
        }
        write_content(self._file, {"format": FORMAT, "kinds": kept})
        self._is_new = False
