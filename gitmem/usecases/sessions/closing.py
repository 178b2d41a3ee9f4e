"""End an agent's session: which memories it used, by its own words, and the handoff to the next one."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from gitmem.errors import GitmemError
from gitmem.recall.citing import cited_ids
from gitmem.store.ledger import Run, RunLedger
from gitmem.store.session_files import SessionState
from gitmem.usecases.runs.handing_off import write_handoff
from gitmem.usecases.runs.inbox import inbox
from gitmem.usecases.runs.listing import ENDED

_LARGEST_TRANSCRIPT: Final = 64 << 20
_SPEAKERS: Final = frozenset({"assistant", "gemini", "model", "assistant.message", "agent_message"})
_INNER: Final = ("message", "payload", "data", "content", "parts", "messages")
_DEEPEST: Final = 8
_LONGEST_WAIT: Final = 1.0
_BETWEEN: Final = 0.02
"""Seconds; an agent waits for the hook that tells it of its end."""
_TAIL: Final = 1 << 16


def hand_off(ledger: RunLedger, state: SessionState) -> None:
    """Write the handoff of the session's run, unless the run has ended."""
    run = _run(ledger, state)
    if run is not None and run.snapshot().phase not in ENDED:
        write_handoff(ledger, run, actor=state.agent, session=state.session)


def close_session(
    ledger: RunLedger, state: SessionState, *, said: str = "", reason: str = "", record_end: bytes = b""
) -> None:
    """Tell the end of a session with the memories that it cited, then hand off.

    A session that told its end itself is not ended again; what it cited since is told.

    Args:
        ledger: Where.
        state: The session; closed by this.
        said: Its last words, where they are told.
        reason: Why it ended.
        record_end: What its record holds once all is in it, of an agent that writes it while its hooks run; else empty.
    """
    if record_end:
        _await(state.transcript, record_end)
    cited = known_among(ledger, state, cited_ids([*said_in(state.transcript), said]))
    run = _run(ledger, state)
    held = (
        {one.session: one for one in run.snapshot().sessions}.get(state.session) if run is not None else None
    )
    new = [one for one in cited if held is None or one not in held.used_memories]
    is_over = held is not None and held.ended_seq is not None
    if new or (run is not None and state.is_open and not is_over):
        payload = {"session": state.session, "used_memories": new, **({"reason": reason} if reason else {})}
        (run or inbox(ledger)).append(
            event_type="session_ended", actor=state.agent, session=state.session, payload=payload
        )
    if state.is_open:
        hand_off(ledger, state)
    state.is_open = False


def _await(transcript: str, end: bytes) -> None:
    """Give a record the time to be whole; what is not in it by then is not known."""
    until = time.monotonic() + _LONGEST_WAIT
    while (tail := _tail(transcript)) is not None and end not in tail and time.monotonic() < until:
        time.sleep(_BETWEEN)


def _tail(transcript: str) -> bytes | None:
    """The end of a record; None for what is no file, which would keep a reader for ever."""
    try:
        if not transcript or not Path(transcript).is_file():
            return None
        with Path(transcript).open("rb") as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - _TAIL))
            return stream.read(2 * _TAIL)
    except (OSError, ValueError):
        return None


def known_among(ledger: RunLedger, state: SessionState, cited: tuple[str, ...]) -> list[str]:
    """Those that are memories: the session was given them, or they are approved or proposed here."""
    given = set(state.given)
    if given.issuperset(cited):
        return list(cited)
    from gitmem.usecases.knowledge import load_knowledge

    try:
        known = load_knowledge(ledger.repository)
    except GitmemError:
        return [one for one in cited if one in given]
    names = given | {one.id for one in (*known.approved, *known.proposed)}
    return [one for one in cited if one in names]


def said_in(transcript: str) -> Iterator[str]:
    """What the agent said that may be a citation, from the record that it keeps; nothing where it cannot be read.

    A record is one JSON value in each line, or one in the whole file. Only words under the agent's own name count: the same
    file holds what gitmem told it.
    """
    file = Path(transcript)
    try:
        if not transcript or not file.is_file() or file.stat().st_size > _LARGEST_TRANSCRIPT:
            return
        data = file.read_bytes()
    except (OSError, ValueError):
        return
    lines = [line for line in data.splitlines() if b"emor" in line] if data.count(b"\n{") else [data]
    for line in lines:
        try:
            yield from _said(json.loads(line), is_agent=False, depth=0)
        except (ValueError, RecursionError):
            continue


def _said(value: Any, *, is_agent: bool, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for one in value:
            yield from _said(one, is_agent=is_agent, depth=depth + 1)
    elif isinstance(value, dict):
        speaker = value.get("role", value.get("type"))
        named = isinstance(speaker, str) and speaker in _SPEAKERS
        is_agent = named or (is_agent and "role" not in value and _is_text(value))
        for name, inner in value.items():
            if isinstance(inner, str) and is_agent and name in {"text", "content", "message"}:
                yield inner
            elif name in _INNER:
                yield from _said(inner, is_agent=is_agent, depth=depth + 1)


def _is_text(value: dict[str, Any]) -> bool:
    """Whether a part of what an agent said is text, and no call of a tool nor the result of one."""
    kind = value.get("type", "text")
    return isinstance(kind, str) and kind in {"text", "output_text", "message"}


def _run(ledger: RunLedger, state: SessionState) -> Run | None:
    run = ledger.run(state.run) if state.run else None
    return run if run is not None and run.exists() else None
