"""What every agent reads of gitmem in AGENTS.md. Short on purpose: hooks and tools carry the content."""

from __future__ import annotations

from typing import Final

from gitmem.agents.parts import Block

FILE: Final = "AGENTS.md"
BODY: Final = """\
## Project memory

This repository remembers in git, with gitmem. If a brief was not shown to you at the start, run `gitmem brief`.

- Before you change something: `gitmem recall "what you are about to do" --path PATH`. A memory marked VERIFY may be out of
  date: check the code before you rely on it.
- Pass your session where a tool takes one, and cite each memory that helped you by its id: `(memory: ID)`.
- Leave what the next session needs: `gitmem run note|reject|decide|next "…"`. A lesson that holds beyond this task:
  `gitmem remember "…" --path GLOB`. It is a proposal until a person merges it.
"""

_OLDER: Final = """\
- Pass your session where a tool takes one, and cite the ids of the memories that helped: `(memory: m-021)`.
"""
"""Lines that earlier versions wrote: whoever changes one of `BODY` puts the old one here."""

AGENTS_BLOCK: Final = Block(FILE, BODY, _OLDER)
