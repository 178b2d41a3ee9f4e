"""The entry point: looks at the arguments before it imports anything slow.

`_dispatch` is the one place where a command word may leave the ordinary command line and so never load click
(targets.md "Speed": hooks, the warm brief). A branch there imports its own module and returns an exit code.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what signal wraps, without its import of enum; typeshed has no stub
import gc
import os
import sys

_INTERRUPTED = 130


def _end_interrupted(*_: object) -> None:
    """End at once where nothing has begun yet."""
    os.write(2, b"gitmem: interrupted\n")
    os._exit(_INTERRUPTED)


def _is_own_process() -> bool:
    """Whether this is the command itself, not a program that imports this module."""
    program = (sys.argv or [""])[0]
    return program.rpartition("/")[2] in {"gitmem", "git-mem"} or program.endswith("gitmem/__main__.py")


if _is_own_process() and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _end_interrupted)

from gitmem import __version__  # noqa: E402 - an interrupt must find the handler above

_BROKEN_PIPE = 141  # what a shell reports of a program that SIGPIPE ended, git's own included
_CANNOT_SERVE = 3
_GARBAGE_THRESHOLD = 50_000  # imports alone allocate past Python's default of 700 many times


def main() -> int:
    """Run the command line of this process and return its exit code (cli.md, table of exit codes)."""
    try:
        _hear_interrupts()
        gc.set_threshold(_GARBAGE_THRESHOLD)
        _make_streams_total()
        code = _dispatch(sys.argv[1:])
        sys.stdout.flush()
        sys.stderr.flush()
    except KeyboardInterrupt:
        sys.stderr.write("gitmem: interrupted\n")
        return _INTERRUPTED
    except BrokenPipeError:
        _discard(sys.stdout)
        return _BROKEN_PIPE
    except OSError as error:
        # Only the flush above gets here: a command's own OSError is mapped where it ran.
        _discard(sys.stdout)
        sys.stderr.write(f"gitmem: error: cannot write the output: {error.strerror or error}\n")
        sys.stderr.write("hint: make room where it goes, or send it elsewhere\n")
        return _CANNOT_SERVE
    if _is_own_process() and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)  # it is done: a late Ctrl-C changes nothing
    gc.freeze()  # nothing is left to collect when the process ends: a tenth of a short command's time
    if sys.argv[1:2] in (["recall"], ["brief"]) and _is_own_process():
        os._exit(code)  # nothing is open any more, and taking the interpreter down costs as much as ranking
    return code


def _hear_interrupts() -> None:
    """From here on an interrupt is an exception, which each command may answer in its own way."""
    if _signal.getsignal(_signal.SIGINT) is _end_interrupted:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)


def _dispatch(arguments: list[str]) -> int:
    if arguments in (["--version"], ["-V"]):
        sys.stdout.write(f"gitmem {__version__}\n")
        return 0
    if arguments[:2] == ["hook", "git"] and arguments[2:3] and not arguments[2].startswith("-"):
        from gitmem.githooks import main as record

        return record(arguments[2:])
    if arguments[:2] == ["hook", "agent"] and arguments[2:3] and not arguments[2].startswith("-"):
        from gitmem.agents.hook import main as answer

        return answer(arguments[2:])
    if arguments[:1] == ["brief"]:
        from gitmem.cli.quick_brief import quick_brief

        code = quick_brief(arguments[1:])
        if code is not None:
            return code
    if arguments[:1] == ["recall"]:
        from gitmem.cli.quick_recall import quick_recall

        code = quick_recall(arguments[1:])
        if code is not None:
            return code
    from gitmem.cli.app import run

    return run(arguments)


def _make_streams_total() -> None:
    """Let no text crash a stream: what its encoding lacks, and lone surrogates, come out as escapes."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller, as in `gitmem list >&-`
            setattr(sys, name, open("/dev/null", "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - lives as long as the process; pathlib is slow to import
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _discard(stream: object) -> None:
    """Point the stream at nothing, so that the interpreter's last flush stays silent."""
    import os

    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, stream.fileno())  # type: ignore[attr-defined]  # a real stream in every process that gets here
    finally:
        os.close(nothing)
