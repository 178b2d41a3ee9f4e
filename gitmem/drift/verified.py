"""What a statement says that could be verified in a value, and whether it still can.

**Verified facts decide where there are any; the digest decides where there are none.** "`make longtest` runs the tests 15
times, shuffled" is verified by ``go test -count=15 -shuffle=on``: a version, a prefix or another order in front of that
makes it no less true, and ``-count=10`` does.

A fact is a word of the statement that the value has, too: whole or as a part of a name (``type check`` and
``typecheck``, ``shuffling`` and ``-shuffle``), a number, or a code span as it stands. The words that only name the
script or target are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gitmem.drift.speaking import with_english
from gitmem.drift.vocabulary import PROSE_COMPOUNDS, UNTELLING
from gitmem.drift.words import code_spans, is_compound

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*|\d+(?:\.\d+)*")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ENDINGS = ("ing", "ed", "es", "s")
_SHORTEST = 3
_SHORTEST_SPAN = 4
_NO_FACTS = UNTELLING | {
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "bun",
    "bunx",
    "make",
    "just",
    "node",
    "python",
    "bash",
    "script",
    "target",
    "task",
    "command",
}
"""Words that stand in many a command line, whatever it runs."""
_DOUBLED = re.compile(r"([b-df-hj-np-tv-z])\1$")


class Verified(NamedTuple):
    """The facts of a statement that a value had.

    Args:
        kept: Those that it still has, as the statement writes them.
        lost: Those that it no longer has.
    """

    kept: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


def verified(statement: str, old: str, new: str, name: str = "") -> Verified:
    """The facts of a statement that could be verified in an old value, by whether a new one has them.

    Args:
        statement: Title, summary and body.
        old: The value at the baseline.
        new: The value now.
        name: The script or target whose value it is; where the words only name it they tell nothing of its value, and a
            value without the words of its name is as true as one with them.
    """
    plain = _without_name(statement, name)
    before, after = _Written(old), _Written(new)
    facts = {fact: shown for fact, shown in _facts(plain) if before.place(fact) is not None}
    kept = [fact for fact in facts if after.place(fact) is not None]
    own = {_root(word) for word in _WORD.findall(name)}
    lost = [facts[fact] for fact in facts if fact not in kept and fact not in own]
    if _TELLS_ORDER.search(plain) and before.order(kept) != after.order(kept):
        lost.append("their order")
    return Verified(_once(facts[fact] for fact in kept), _once(lost))


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


_TELLS_ORDER = re.compile(
    r"(?i)\b(?:then|first|before|after|followed\s+by|finally)\b|먼저|다음|이후|[은한]\s뒤|전에|先に|その後|してから|然后|之前|之后|再"
)


def has_strangers(statement: str, name: str, file: str) -> bool:
    """Whether a statement tells a number, a compound name or code that its file never had: what it means is not known then.

    Args:
        statement: Title, summary and body.
        name: The script or target that it speaks of.
        file: The file that holds it, as text.
    """
    plain, written = _without_name(statement, name), _Written(file)
    spans = [
        " ".join(plain[first + width : last - width].split()) for first, last, width in code_spans(plain)
    ]
    words = [
        one for one in _WORD.findall(re.sub(r"`[^`]*`", " ", plain)) if one[0].isdigit() or is_compound(one)
    ]
    code = [one for one in spans if len(one) >= _SHORTEST_SPAN and not _PLACE.search(one)]
    strange = [*(f"`{one}" for one in code), *(_root(one) for one in words if one not in PROSE_COMPOUNDS)]
    return any(written.place(one) is None for one in strange)


_PLACE = re.compile(r"/|\.\w{1,5}$|[<>{}$*…]")
"""What is looked for elsewhere, and placeholders."""


class _Written:
    """A value, as it is asked for words and code."""

    def __init__(self, value: str) -> None:
        self._folded = " ".join(value.split())
        self._words: dict[str, int] = {}
        for word, place in _words_of_code(self._folded):
            self._words.setdefault(word, place)

    def place(self, fact: str) -> int | None:
        """Where a fact stands first; None when it does not."""
        if not fact.startswith("`"):
            return self._words.get(fact)
        found = re.search(rf"(?<![\w-]){re.escape(fact[1:])}(?![\w-])", self._folded)
        return found.start() if found is not None else None

    def order(self, facts: Iterable[str]) -> list[str]:
        return sorted(facts, key=lambda fact: (self.place(fact) or 0, fact))


def _words_of_code(value: str) -> Iterator[tuple[str, int]]:
    """Words with their places, the parts of camelCase, and neighbours that a sign joins: ``type-check`` is ``typecheck``, too."""
    last, end = "", -1
    for match in _WORD.finditer(value):
        word = match.group()
        yield _root(word), match.start()
        yield from ((_root(part), match.start()) for part in _CAMEL.findall(word))
        if end >= 0 and match.start() - end == 1 and value[end] in "-_:.":
            yield _root(last + word), match.start()
        last, end = word, match.end()


def _root(word: str) -> str:
    plain = word.lower()
    if plain[0].isdigit():
        return plain
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= _SHORTEST:
            plain = plain.removesuffix(ending)
            break
    return _DOUBLED.sub(r"\1", plain.removesuffix("e"))


def _facts(statement: str) -> Iterator[tuple[str, str]]:
    """What may be verified, with how the statement writes it."""
    for first, last, width in code_spans(statement):
        span = " ".join(statement[first + width : last - width].split())
        if len(span) >= _SHORTEST_SPAN:
            yield f"`{span}", span
    last_word, end = "", -1
    for match in _WORD.finditer(with_english(statement)):
        word = match.group()
        if word[0].isdigit() or (len(word) >= _SHORTEST and word.lower() not in _NO_FACTS):
            yield _root(word), word
        if end >= 0 and match.start() - end == 1 and not word[0].isdigit():
            yield _root(last_word + word), f"{last_word} {word}"
        last_word, end = word, match.end()


def _without_name(statement: str, name: str) -> str:
    """The statement without the commands and labels that name a script, its arguments included: `` `make NAME -- x` ``, ``**NAME**:``."""
    if not name:
        return statement
    named = rf"(?:[\w.@/:=-]+\s+){{0,4}}?{re.escape(name)}"
    label = rf"\A\W*{re.escape(name)}\W*\s"
    return re.sub(rf"`{named}(?:\s[^`]*)?`|\*\*`?{named}`?\*\*|{label}", " ", statement)


def told(names: Iterable[str]) -> str:
    """Facts in words, a few of them."""
    some = list(names)
    return ", ".join(some[:_SHOWN]) + (f" and {len(some) - _SHOWN} more" if len(some) > _SHOWN else "")


_SHOWN = 4
