"""Which tokens of a statement are looked up, in which order, and how much a name says by its form alone."""

from __future__ import annotations

import builtins
import re
from collections.abc import Collection, Iterable, Sequence

from gitmem.drift.vocabulary import FOREIGN_NAMES
from gitmem.drift.words import Token, TokenKind, is_compound


def searched(tokens: Iterable[Token]) -> set[str]:
    named = {TokenKind.DOTTED, TokenKind.IDENTIFIER, TokenKind.WORD, TokenKind.PATH_SYMBOL}
    return {
        part
        for token in tokens
        if token.kind in named
        for part in token.text.split(".")
        if part.isidentifier() or "$" in part
    }


def folded_tokens(tokens: Sequence[Token], banned: Collection[Token]) -> list[Token]:
    """Each name once, where it says most; definitions and commands before the names that lean on them."""
    best: dict[tuple[str, int | None], Token] = {}
    for token in tokens:
        key = (f"{token.path}:{token.text}", token.start if token in banned else None)
        have = best.get(key)
        if have is None or _tells(token) > _tells(have):
            best[key] = token
    prohibited_names = {token.text for token in banned}
    order = [
        token
        for token in best.values()
        if token in banned or prohibited_names.isdisjoint({token.text, token.last}) or _is_strong(token)
    ]
    return sorted(order, key=lambda token: (token.kind is not TokenKind.PATH_SYMBOL, token.start))


def _tells(token: Token) -> tuple[bool, bool]:
    """How much a token says beside its name: a version first, then that it is code."""
    return bool(token.version), token.ticked or token.called


def _is_strong(token: Token) -> bool:
    return token.kind in {TokenKind.PATH, TokenKind.PATH_SYMBOL, TokenKind.COMMAND}


def is_name(token: Token) -> bool:
    """Whether a word is a name beyond doubt, so that finding it outside the scope means something."""
    return token.called or is_compound(token.last) or (token.ticked and not token.text.islower())


def is_plain_code(word: str) -> bool:
    """Whether an open word is code even where nothing defines it: ``TooManyRedirects`` is, ``OpenAPI`` is a product."""
    return (
        word[0].islower()
        or "_" in word
        or word.endswith(("Error", "Exception"))
        or len(re.findall(r"[A-Z][a-z]+", word)) > 2
    )


_NO_DEPENDENCIES = re.compile(
    r"(?i)\b(?:zero|no|without(?:\s+any)?)[- ](?:(?:runtime|external|third-party|production)[- ])*dependenc(?:y|ies)\b(?!\s+(?:from|on|between|of|to)\b)"
    r"|\bdependency-free\b|의존성(?:이|은|을)?\s?(?:전혀\s)?(?:없|0)|依存(?:関係)?(?:が|は)?(?:ない|なし|ゼロ)|(?:无|無|零|没有|沒有)(?:任何)?(?:运行时)?(?:依赖|依賴)"
)


def says_no_dependencies(text: str) -> bool:
    """Whether the words say that the project depends on nothing."""
    return _NO_DEPENDENCIES.search(text) is not None


def claims_existence(token: Token) -> bool:
    if not is_name(token) or hasattr(builtins, token.last) or token.last in FOREIGN_NAMES:
        return False
    return not re.match(r"(?i)(?:my|your|some|example|foo|bar|baz|new)(?![a-z])", token.last)
