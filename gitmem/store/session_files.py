"""What gitmem knows of an agent's session between two calls of its hook: ``<git dir>/gitmem/sessions/<digest>.json``.

Nothing rests on it: without the file the next event opens the session anew. It holds the run, whether the session's start
is told, which memories it was given, and which of the agent's events were answered already, since two agents run the hooks
of others beside their own. One process at a time handles the events of a session.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from gitmem.wire.locks import acquire_lock, release_lock

FOLDER: Final = "gitmem/sessions"
_LARGEST: Final = 1 << 20
_MOST_ANSWERED: Final = 50
_MOST_FILES: Final = 200
_OLD: Final = 30 * 24 * 3600


class SessionState:
    """One session. Change it; it is written when its block ends.

    Attributes:
        session: Its id in the ledger.
        agent: The agent, once known.
        run: Run of its events; empty before there is one.
        is_open: Whether its start is told there.
        given: Ids of every memory it was given.
        shown: Those that its context still holds.
        transcript: File with what was said in it, where an event named one.
        owes_brief: Whether its context was compacted and it has had no brief since.
    """

    def __init__(self, session: str, held: dict[str, Any]) -> None:
        self.session = session
        self.agent = _text(held, "agent")
        self.run = _text(held, "run")
        self.is_open = held.get("is_open") is True
        self.given = _texts(held, "given")
        self.shown = _texts(held, "shown")
        self.transcript = _text(held, "transcript")
        self.owes_brief = held.get("owes_brief") is True
        answered = held.get("answered")
        self._answered: dict[str, float] = {
            key: at
            for key, at in (answered.items() if isinstance(answered, dict) else ())
            if isinstance(at, (int, float))
        }

    def is_answered(self, kind: str, *key: str, within: float) -> bool:
        """Whether the same event was here within so many seconds; if not, it is from now on.

        An event that was here does not renew its time, or one that comes again and again would be told once for ever.
        """
        name = f"{kind}:{sha256(chr(0).join(key).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
        now, at = time.time(), self._answered.get(name, 0.0)
        if 0 <= now - at < within:
            return True
        self._answered.pop(name, None)
        self._answered[name] = now
        return False

    def forget(self, *kinds: str) -> None:
        """Take the next events of these kinds for new ones, however soon they come."""
        self._answered = {
            name: at for name, at in self._answered.items() if name.partition(":")[0] not in kinds
        }

    def give(self, memories: list[str]) -> None:
        """Take down that these are before the agent now."""
        self.given = list(dict.fromkeys([*self.given, *memories]))
        self.shown = list(dict.fromkeys([*self.shown, *memories]))

    def document(self) -> dict[str, Any]:
        last = dict(list(self._answered.items())[-_MOST_ANSWERED:])
        return {
            "agent": self.agent,
            "run": self.run,
            "is_open": self.is_open,
            "given": self.given,
            "shown": self.shown,
            "transcript": self.transcript,
            "owes_brief": self.owes_brief,
            "answered": last,
        }


@contextmanager
def session_state(git_dir: Path, session: str, *, wait: float = 3.0) -> Iterator[SessionState]:
    """The state of a session, locked against others meanwhile, and written in the end.

    Args:
        git_dir: Of the work tree.
        session: Its id.
        wait: Seconds to wait for another event of the session.

    Raises:
        TimeoutError: Another one took longer.
        OSError: It cannot be written.
    """
    folder = git_dir / FOLDER
    file = folder / f"{sha256(session.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}.json"
    lock = acquire_lock(folder / "lock" / file.stem, timeout=wait)
    try:
        state = SessionState(session, _read(file))
        before = state.document()
        yield state
        if state.document() != before:
            _write(file, state.document())
    finally:
        release_lock(lock)


def is_known_session(git_dir: str, session: str) -> bool:
    """Whether an event of the session was handled here."""
    name = sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return os.path.exists(f"{git_dir}/{FOLDER}/{name}.json")  # noqa: PTH110 - asked for events that mean nothing


def owes_brief(git_dir: str, session: str) -> bool:
    """Whether the session's context was compacted and it has had no brief since."""
    name = sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return _read(Path(git_dir) / FOLDER / f"{name}.json").get("owes_brief") is True


def forget_old_sessions(git_dir: Path) -> None:
    """Remove what nobody asks for any more; best effort."""
    try:
        files = sorted((one.stat().st_mtime, one) for one in (git_dir / FOLDER).glob("*.json"))
    except OSError:
        return
    for at, file in files:
        if time.time() - at > _OLD or len(files) > _MOST_FILES:
            file.unlink(missing_ok=True)
            (file.parent / "lock" / file.stem).unlink(missing_ok=True)
            files = files[1:]


def _read(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as stream:
            held = json.loads(stream.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}


def _write(file: Path, document: dict[str, Any]) -> None:
    beside = file.with_suffix(f".{os.getpid()}")
    try:
        beside.write_text(json.dumps(document), encoding="ascii")
        beside.replace(file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _text(held: dict[str, Any], name: str) -> str:
    value = held.get(name)
    return value if isinstance(value, str) else ""


def _texts(held: dict[str, Any], name: str) -> list[str]:
    value = held.get(name)
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
