"""What git's hooks call: ``gitmem hook git NAME``. Silent, and 0 whatever happens: a hook never fails a commit.

The way of an ordinary commit loads `gitmem.wire` and nothing else; only a hit of a secret's trigger loads the
redactor. What went wrong is a line in ``<common git dir>/gitmem/hook.log``.
"""

from __future__ import annotations

import os
import sys

from gitmem.wire.append import CURRENT, ID_LENGTH, append_event, pseudo_ref
from gitmem.wire.canonical import canonical_json
from gitmem.wire.later import leave
from gitmem.wire.locks import acquire_lock, release_lock
from gitmem.wire.recording import (
    commit_event,
    is_rebasing,
    merged_event,
    now,
    place,
    rewritten_event,
)
from gitmem.wire.spawn import DROPPED
from gitmem.wire.triggers import may_hold_secret, secret_values
from gitmem.wire.writer import random_name

LOG = "gitmem/hook.log"
SYNC_LOCK = "gitmem/sync.lock"
_LARGEST_LOG = 64 * 1024
_LARGEST_INPUT = 4 * 1024 * 1024
_RUNS = "refs/ai/runs/"
_RUN_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


def main(arguments: list[str]) -> int:
    """Record what a hook tells; always 0.

    Args:
        arguments: The hook's name and git's own arguments.
    """
    found = None
    try:
        found = place(dict(os.environ), os.getcwd())
        if found is not None and arguments[:1] == ["pre-push"]:
            _leave_to_background()
        elif found is not None and arguments:
            _record(arguments[0], arguments[1:], *found)
    except Exception as error:  # noqa: BLE001 - whatever it is, the commit that called must not suffer
        log_failure(found[1] if found else "", arguments, error)
    return 0


def _leave_to_background() -> None:
    """Let a process of its own sync: it outlives the push, which neither waits for it nor fails with it."""
    null = os.open(os.devnull, os.O_RDWR)
    actions: list[tuple[object, ...]] = [(os.POSIX_SPAWN_DUP2, null, one) for one in range(3)]
    # Whoever reads what the push prints would wait for every copy of a pipe to be closed.
    held = (int(name) for name in os.listdir("/dev/fd"))
    actions += [(os.POSIX_SPAWN_CLOSE, one) for one in held if one > 2 and _is_open(one)]
    code = (
        "import sys; sys.path[:0] = sys.argv[1].split(chr(0o12)); "
        "from gitmem.githooks import sync_beside_push; sync_beside_push()"
    )
    command = [sys.executable, "-I", "-S", "-c", code, "\n".join(one for one in sys.path if one)]
    environment = {name: value for name, value in os.environ.items() if name not in DROPPED}
    environment |= {"GIT_TERMINAL_PROMPT": "0", "SSH_ASKPASS_REQUIRE": "never"}
    try:
        os.posix_spawn(sys.executable, command, environment, file_actions=actions, setsid=True)
    except NotImplementedError:
        os.posix_spawn(sys.executable, command, environment, file_actions=actions)
    finally:
        os.close(null)


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def sync_beside_push() -> None:
    """Sync if that is still what is configured, unless another one is at it; what goes wrong is a line in the log."""
    found = place(dict(os.environ), os.getcwd())
    if found is None:
        return
    common_dir = found[1]
    try:
        descriptor = acquire_lock(f"{common_dir}/{SYNC_LOCK}", timeout=0.0)
    except TimeoutError:
        return
    try:
        from gitmem.store.ledger import RunLedger
        from gitmem.usecases.runs.auto_syncing import auto_sync

        with RunLedger.open() as ledger:
            done = auto_sync(ledger, "pre-push")
        wrong = [done.failed, *(one.reason for one in done.synced.rejected)] if done.synced else [done.failed]
        for reason in filter(None, wrong):
            log_failure(common_dir, ["pre-push"], RuntimeError(reason))
    except Exception as error:  # noqa: BLE001 - nobody is there to be told
        log_failure(common_dir, ["pre-push"], error)
    finally:
        release_lock(descriptor)


def _record(name: str, arguments: list[str], git_dir: str, common_dir: str) -> None:
    run = _run(git_dir)
    event = _event(name, arguments, git_dir) if run else None
    if event is None:
        return
    session = os.environ.get("GITMEM_SESSION")
    if session:
        event["session"] = session
    event["id"] = random_name(ID_LENGTH)
    event = _without_secrets(event)
    try:
        append_event(
            git_dir=git_dir, common_dir=common_dir, run=run, event=event, masked=True, into_ended=False
        )
    except TimeoutError:
        leave(common_dir, run, event)


def _run(git_dir: str) -> str:
    """The run that is meant: the environment's, else the current one of this work tree; empty for none."""
    held = pseudo_ref(git_dir, CURRENT).removeprefix("ref: ")
    current = held.removeprefix(_RUNS).partition("/")[0] if held.startswith(_RUNS) else ""
    run = os.environ.get("GITMEM_RUN") or current
    return run if run[:1] != "-" and len(run) < 64 and _RUN_CHARACTERS.issuperset(run) else ""


def _event(name: str, arguments: list[str], git_dir: str) -> dict[str, object] | None:
    if name == "post-commit":
        return None if is_rebasing(git_dir) else commit_event(git_dir)
    if name == "post-rewrite":
        how = arguments[0] if arguments else ""
        # A rebase amends commits on its way, and tells of all of them when it is done.
        if how == "amend" and is_rebasing(git_dir):
            return None
        return rewritten_event(how, sys.stdin.buffer.read(_LARGEST_INPUT))
    if name == "post-merge":
        is_squash = arguments[:1] == ["1"]  # nothing was merged: what is staged waits for a commit
        return None if is_squash else merged_event(git_dir)
    return None


def _without_secrets(event: dict[str, object]) -> dict[str, object]:
    values = tuple(value.encode("utf-8", "surrogateescape") for value in secret_values(dict(os.environ)))
    told = {name: event[name] for name in ("payload", "session") if name in event}
    if not may_hold_secret(canonical_json(told), values):
        return event
    from gitmem.redaction.masking import masker_of

    masked, kinds = masker_of(os.environ).mask_value(told)
    return {**event, **masked, **({"masked": dict(kinds)} if kinds else {})}


def log_failure(common_dir: str, arguments: list[str], error: Exception) -> None:
    """A line on what went wrong, best effort; the log begins anew when it is full."""
    if not common_dir:
        return
    file = f"{common_dir}/{LOG}"
    try:
        os.makedirs(f"{common_dir}/gitmem", exist_ok=True)
        full = os.path.exists(file) and os.stat(file).st_size > _LARGEST_LOG
        with open(file, "w" if full else "a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(f"{now()} {' '.join(arguments[:1])}: {type(error).__name__}: {error}\n"[:2000])
    except OSError:
        return
