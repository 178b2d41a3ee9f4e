"""Searching a whole tree for many words with few ``git grep`` processes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gitmem.git import parsing
from gitmem.git.failures import failure
from gitmem.git.runner import Runner

_NO_MATCH = 1


def grep(runner: Runner, tree: str, words: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Files that have each word; see `interface.Repository.grep`."""
    found: dict[str, set[str]] = {}
    for batch in batches(words):
        for path, word in _matches(runner, tree, batch):
            found.setdefault(word, set()).add(path)
    return {word: tuple(sorted(paths)) for word, paths in found.items()}


def batches(words: Iterable[str]) -> list[list[str]]:
    """Words in groups of which no two can match at overlapping places, since only one of those would be told.

    Whole words of ``[A-Za-z0-9_]`` never overlap; any other word shares a group only with words that it neither
    holds nor is held by.
    """
    plain: list[str] = []
    grouped: list[list[str]] = [plain]
    for word in dict.fromkeys(words):
        if not word or "\n" in word or "\0" in word:
            continue
        if _is_plain(word):
            plain.append(word)
            continue
        group = next((one for one in grouped[1:] if not _overlaps(word, one)), None)
        if group is None:
            grouped.append([word])
        else:
            group.append(word)
    return [group for group in grouped if group]


def _is_plain(word: str) -> bool:
    return word.isascii() and word.replace("_", "a").isalnum()


def _overlaps(word: str, group: Sequence[str]) -> bool:
    return any(_share_an_end(word, other) for other in group)


def _share_an_end(one: str, other: str) -> bool:
    if one in other or other in one:
        return True
    shorter = min(len(one), len(other))
    return any(one.endswith(other[:size]) or other.endswith(one[:size]) for size in range(1, shorter))


def _matches(runner: Runner, tree: str, words: Sequence[str]) -> Iterable[tuple[str, str]]:
    # Time for fixed strings grows with the square of their number (256: 60 times that of one alternation). A run of word
    # characters that is one of the words is the longest of them to match where it begins, so both find the same.
    kind, between = ("-E", "|") if len(words) > 1 and all(map(_is_plain, words)) else ("-F", "\n")
    patterns = between.join(words).encode("utf-8", "surrogateescape") + b"\n"
    options = ("-z", "-o", "-w", kind, "-I", "--full-name", "--no-color", "--no-textconv")
    status, out, err = runner.run("grep", *options, "-f", "-", tree, "--", stdin=patterns)
    if status > _NO_MATCH:
        raise failure("grep", status, err)
    for row in out.split(b"\n"):
        name, sep, word = row.rpartition(b"\0")
        if sep:
            yield parsing.text(name).removeprefix(f"{tree}:"), parsing.text(word)
