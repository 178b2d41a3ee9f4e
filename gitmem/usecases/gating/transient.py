"""Files that a lesson names and that git ignores, so that others may not have them."""

from __future__ import annotations

from gitmem.drift.words import TokenKind, code_tokens
from gitmem.git.ignoring import ignored_paths
from gitmem.git.interface import Repository


def transient_paths(repository: Repository, text: str) -> tuple[str, ...]:
    """The files named in a text that git ignores, in order; a folder may well be named as what is generated."""
    named = [
        token.path or token.text
        for token in code_tokens(text)
        if token.kind in {TokenKind.PATH, TokenKind.PATH_SYMBOL}
    ]
    files = [path.removeprefix("./") for path in named if not path.endswith("/")]
    ignored = ignored_paths(repository.layout, files)
    return tuple(dict.fromkeys(path for path in files if path in ignored))
