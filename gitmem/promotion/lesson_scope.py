"""Where a lesson from a run holds: the files that changed with it, few and narrow. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

from gitmem.model.literal_glob import as_glob
from gitmem.results.classes import is_code, is_test_file

MOST: Final = 6
"""Globs of one scope; a change of more is not about all of them."""
SHARE_A_FOLDER: Final = 3
FEW: Final = 3
_LEAST: Final = 4
_RARE: Final = 3
_STEM: Final = 6
_PATH: Final = re.compile(
    r"(?<![\w./@-])(?:[\w.@-]++/)++[\w.@-]*\w|(?<![\w./-])[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,7}(?![\w/(])"
)
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[가-힣]+")
_GENERATED: Final = re.compile(
    r"(?:^|/)(?:[\w.-]+\.lock|package-lock\.json|pnpm-lock\.yaml|go\.sum|CHANGELOG[\w.]*)$"
)


def scope_of(
    files: Iterable[str], words: str, exists: Callable[[str], bool] = lambda _: True
) -> tuple[str, ...]:
    """Globs for what changed: the code, else the tests, else the rest.

    Three files of one folder stand for it. Where too much changed for one lesson, those files are kept whose names the
    words speak of; none when they speak of none.

    Args:
        files: Paths that changed with it.
        words: What the lesson and the events behind it say.
        exists: Whether a path is still there.
    """
    present = [one for one in dict.fromkeys(files) if exists(one)]
    kept = _most_telling(present)
    globs = _folded(kept)
    return globs if len(globs) <= MOST else _folded(spoken_of(kept, words))[:MOST]


def spoken_scope(files: Iterable[str], words: str, exists: Callable[[str], bool]) -> tuple[str, ...]:
    """Globs for those of the changed files that a text speaks of; for all of them where they are `FEW` and it names none."""
    kept = _most_telling([one for one in dict.fromkeys(files) if exists(one)])
    spoken = tuple(as_glob(one) for one in spoken_of(kept, words)[:FEW])
    everything = _folded(kept)
    return spoken or (everything if len(everything) <= FEW else ())


def mentioned(words: str, exists: Callable[[str], bool]) -> tuple[str, ...]:
    """Paths that a text names and that exist, as globs."""
    found = dict.fromkeys(match[0] for match in _PATH.finditer(words))
    return tuple(as_glob(one) for one in found if exists(one))[:MOST]


def spoken_of(files: Sequence[str], words: str) -> list[str]:
    """Files whose names share a rare word with a text; where some share rarer ones by far, those alone, best first."""
    said = stems(words)
    names = {one: _name_stems(one) for one in files}
    common = Counter(word for held in names.values() for word in held)
    worth = {
        one: sum(1 / common[word] for word in held & said if common[word] <= _RARE)
        for one, held in names.items()
    }
    best = max(worth.values(), default=0)
    return sorted((one for one in files if worth[one] > best / 2), key=lambda one: -worth[one])


@lru_cache(maxsize=4096)
def _name_stems(path: str) -> frozenset[str]:
    return frozenset(stems(_name(path)))


def stems(text: str) -> set[str]:
    """The beginnings of a text's words, by which two texts are seen to speak of one thing."""
    return {word[:_STEM] for word in _words(text)}


def _most_telling(files: Sequence[str]) -> list[str]:
    own = [one for one in files if not one.startswith(".ai/") and not _GENERATED.search(one)]
    code = [one for one in own if is_code(one) and not is_test_file(one)]
    tests = [one for one in own if is_test_file(one)]
    return code or tests or list(own)


def _folded(files: Sequence[str]) -> tuple[str, ...]:
    """Files as globs; a folder that three of them share stands for them."""
    shared = Counter(one.rpartition("/")[0] for one in files)
    globs = dict.fromkeys(
        f"{as_glob(folder)}/*" if folder and shared[folder] >= SHARE_A_FOLDER else as_glob(one)
        for one in files
        for folder in [one.rpartition("/")[0]]
    )
    return tuple(globs)


def _name(path: str) -> str:
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return f"{folder.rpartition('/')[2]} {stem}" if stem in {"__init__", "index", "mod", "main"} else stem


def _words(text: str) -> list[str]:
    return [one.lower() for one in _WORD.findall(text) if len(one) >= _LEAST or not one.isascii()]
