from __future__ import annotations
from typing import Any

LANGUAGES: frozenset[str] = frozenset()


class MissingGrammarError(Exception):
    pass


def parse(language: str, data: bytes) -> Any:
    return None
