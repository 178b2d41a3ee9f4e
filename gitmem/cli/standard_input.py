"""Reading what is handed over on standard input, or in the word itself."""

from __future__ import annotations

import sys

from gitmem.errors import InvalidDataError, NotFoundError, UsageError


def read_stdin(largest: int) -> bytes:
    """All of standard input.

    Raises:
        InvalidDataError: When it is over `largest` bytes; no more than that is read.
    """
    data = sys.stdin.buffer.read(largest + 1)
    if len(data) > largest:
        raise InvalidDataError(
            f"standard input: over the limit of {largest} bytes", hint="save it with --artifact FILE"
        )
    return data


def read_named(path: str, largest: int) -> bytes:
    """A file that the caller named; links are followed, since it is theirs to say.

    Raises:
        NotFoundError: When it is not there.
        InvalidDataError: When it is over `largest` bytes; no more than that is read.
    """
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - pathlib reads the whole of it
            data = stream.read(largest + 1)
    except FileNotFoundError:
        raise NotFoundError(
            f"no such file: {path}", hint="paths are taken from the folder that you are in", path=path
        ) from None
    if len(data) > largest:
        raise InvalidDataError(
            f"{path}: over the limit of {largest} bytes", hint="save it with --artifact FILE", path=path
        )
    return data


def said(text: str) -> str:
    """The text of a word on the command line; ``-`` stands for standard input.

    Raises:
        UsageError: When it says nothing.
        InvalidDataError: When it is not UTF-8 or over 1 MiB.
    """
    if text == "-":
        try:
            text = read_stdin(1 << 20).decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise InvalidDataError(
                f"standard input: not UTF-8 at byte {error.start}", hint="iconv -t UTF-8 converts it"
            ) from None
    if not text.strip():
        raise UsageError("nothing is said: the text is empty", hint="- reads it from standard input")
    return text
