"""Run the git program: hardened environment, no shell, no deadlock, no child left behind.

Input and output go through anonymous files, not pipes. So neither side ever waits for the other, and a helper that
git leaves in the background (``gc --auto``) cannot hold us back by keeping a pipe open: what ends the call is the end
of git itself.

Nothing that a repository configures is executed by what is started here: no hook, file system monitor, pager or
remote helper ``ext::``. External diff, textconv, signature programs and filters are switched off where they could
arise, by the arguments that `gitmem.git` passes.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time

DROPPED = frozenset(
    (
        # git rev-parse --local-env-vars: a hook's GIT_DIR would mislead a child about which repository is meant
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
        # the author of the commit that runs a hook is not the author of an event
        "GIT_AUTHOR_DATE",
        "GIT_AUTHOR_EMAIL",
        "GIT_AUTHOR_NAME",
        # these change what plumbing answers
        "GIT_ATTR_SOURCE",
        "GIT_DIFF_OPTS",
        "GIT_EXTERNAL_DIFF",
        "GIT_GLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
        "GIT_LITERAL_PATHSPECS",
        "GIT_NAMESPACE",
        "GIT_NOGLOB_PATHSPECS",
    )
)
FIXED = {
    "GIT_GRAFT_FILE": "/dev/null",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
SETTINGS = (
    "--no-pager",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.quotePath=false",
    "-c",
    "i18n.commitEncoding=UTF-8",
    "-c",
    "protocol.ext.allow=never",
    "-c",
    "safe.bareRepository=explicit",
)
DURABLE = ("-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync")
"""Options with which git syncs what it writes."""

_SIGKILL = 9
_SIGPIPE = 13
_SIGTERM = 15
_GRACE_SECONDS = 0.5
_found_programs: dict[str, str] = {}


def run_git(
    arguments: list[str] | tuple[str, ...],
    *,
    cwd: str | os.PathLike[str],
    stdin: bytes | None = None,
    env: dict[str, str] | None = None,
    deadline: float | None = None,
    settings: tuple[str, ...] = SETTINGS,
) -> tuple[int, bytes, bytes]:
    """Run git to its end.

    Args:
        arguments: Command word and its arguments; surrogate escapes stand for bytes that are not UTF-8.
        cwd: Where git runs (``git -C``).
        stdin: What git reads; nothing when None.
        env: Variables set over the hardened environment.
        deadline: A `time.monotonic` value; git is ended (TERM, then KILL) when it passes.
        settings: Options before the command word; only reading the configuration itself passes others.

    Returns:
        Exit status (negative: ended by that signal), standard output, standard error.

    Raises:
        TimeoutError: When the deadline passed; git is gone by then.
        FileNotFoundError: When no git program is on the path.
    """
    opened: list[int] = []
    try:
        actions = [_input_action(stdin, opened)]
        for target in (1, 2):
            opened.append(_anonymous_file())
            actions.append((os.POSIX_SPAWN_DUP2, opened[-1], target))
        pid = _spawn(arguments, cwd, env, settings, actions)
        status = _wait(pid, deadline)
        return status, _content(opened[-2]), _content(opened[-1])
    finally:
        for descriptor in opened:
            os.close(descriptor)


def start_git(
    arguments: list[str] | tuple[str, ...],
    *,
    cwd: str | os.PathLike[str],
    env: dict[str, str] | None = None,
    settings: tuple[str, ...] = SETTINGS,
) -> tuple[int, int, int]:
    """Start a git that answers requests, such as ``cat-file --batch``.

    Returns:
        Process id, descriptor to write requests to, descriptor to read answers from. End it with `stop_git`.
    """
    requests_read, requests_write = (_above_standard(one) for one in os.pipe())
    answers_read, answers_write = (_above_standard(one) for one in os.pipe())
    actions: list[tuple[object, ...]] = [
        (os.POSIX_SPAWN_DUP2, requests_read, 0),
        (os.POSIX_SPAWN_DUP2, answers_write, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        pid = _spawn(arguments, cwd, env, settings, actions)
    except BaseException:
        os.close(requests_write)
        os.close(answers_read)
        raise
    finally:
        os.close(requests_read)
        os.close(answers_write)
    return pid, requests_write, answers_read


def stop_git(pid: int, *descriptors: int) -> None:
    """Close what `start_git` opened and wait for the process, which ends on its own when its input does."""
    for descriptor in descriptors:
        os.close(descriptor)
    _end(pid)


def environment(extra: dict[str, str] | None = None) -> dict[str, str]:
    """The environment that a git child gets: ours without what misleads it, hardened, then `extra`."""
    kept = {name: value for name, value in os.environ.items() if name not in DROPPED}
    return {**kept, **FIXED, **(extra or {})}


def git_program() -> str:
    """Absolute path of git; relative entries of the path are passed over, they could lie in a repository.

    Raises:
        FileNotFoundError: When there is none.
    """
    path = os.environ.get("PATH", os.defpath)
    if path not in _found_programs:
        _found_programs[path] = _search(path)
    return _found_programs[path]


def _search(path: str) -> str:
    for directory in path.split(os.pathsep):
        candidate = f"{directory}/git"
        if directory.startswith("/") and os.access(candidate, os.X_OK) and not os.path.isdir(candidate):
            return candidate
    raise FileNotFoundError("no git program on PATH")


def _spawn(
    arguments: list[str] | tuple[str, ...],
    cwd: str | os.PathLike[str],
    env: dict[str, str] | None,
    settings: tuple[str, ...],
    actions: list[tuple[object, ...]],
) -> int:
    # Bytes, because the locale of the caller must not decide how a path is spelled.
    words = [b"git", b"-C", os.fsencode(cwd)]
    words += [word.encode("utf-8", "surrogateescape") for word in (*settings, *arguments)]
    # Python ignores SIGPIPE; git expects to die of it.
    return os.posix_spawn(git_program(), words, environment(env), file_actions=actions, setsigdef=(_SIGPIPE,))


def _input_action(data: bytes | None, opened: list[int]) -> tuple[object, ...]:
    if data is None:
        return (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
    descriptor = _anonymous_file()
    opened.append(descriptor)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    return (os.POSIX_SPAWN_DUP2, descriptor, 0)


def _anonymous_file() -> int:
    if sys.platform == "linux":
        try:
            return _above_standard(os.memfd_create("gitmem"))
        except OSError:  # forbidden in some sandboxes
            pass
    path = f"{os.environ.get('TMPDIR', '/tmp')}/gitmem-{os.getpid()}-{time.monotonic_ns()}"  # noqa: S108 - O_EXCL
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    os.unlink(path)
    return _above_standard(descriptor)


def _above_standard(descriptor: int) -> int:
    """The same file under a number over 2, so that placing it on 0, 1 or 2 overwrites none of the others."""
    if descriptor > 2:
        return descriptor
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(descriptor)
    return moved


def _content(descriptor: int) -> bytes:
    size = os.lseek(descriptor, 0, os.SEEK_END)
    os.lseek(descriptor, 0, os.SEEK_SET)
    chunks = []
    while size > 0:
        chunk = os.read(descriptor, size)
        if not chunk:
            break
        chunks.append(chunk)
        size -= len(chunk)
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def _wait(pid: int, deadline: float | None) -> int:
    try:
        status = _waited(pid, deadline)
    except BaseException:
        _end(pid, grace=0.0)
        raise
    if status is None:
        _kill(pid, _SIGTERM)
        _end(pid)
        raise TimeoutError("git did not end in time")
    return os.waitstatus_to_exitcode(status)


def _waited(pid: int, deadline: float | None) -> int | None:
    """Wait status; None when the deadline came first."""
    if deadline is None:
        return os.waitpid(pid, 0)[1]
    pause = 0.0005
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        left = deadline - time.monotonic()
        if left <= 0:
            return None
        time.sleep(min(pause, left))
        pause = min(pause * 1.5, 0.01)


def _end(pid: int, *, grace: float = _GRACE_SECONDS) -> None:
    """Reap a child: wait a moment, then ask, then kill, so that git can remove its lock files."""
    try:
        for signal in (_SIGTERM, _SIGKILL):
            if _waited(pid, time.monotonic() + grace) is not None:
                return
            _kill(pid, signal)
            grace = _GRACE_SECONDS
        os.waitpid(pid, 0)
    except ChildProcessError:  # reaped elsewhere
        return


def _kill(pid: int, signal: int) -> None:
    try:
        os.kill(pid, signal)
    except ProcessLookupError:
        return
