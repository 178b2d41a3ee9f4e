"""Definitions in files that no parser here reads: what a name means is then watched by the whole file.

A name goes on occurring while what it does changes, so that it alone would keep silent.
"""

from __future__ import annotations

import re

from gitmem.drift.content.coarse import missing_parser
from gitmem.drift.content.grammar import LANGUAGES
from gitmem.drift.content.language import language_of
from gitmem.drift.content.leaves import COMMENTED, FREE_FORM, decode, with_blank_comments
from gitmem.drift.names import Names
from gitmem.drift.places import is_test
from gitmem.drift.view import TreeView
from gitmem.model.watch import Watch, WatchKind

MOST_FILES = 2
_KEYWORDS = (
    r"(?:function|func|fun|fn|def|defp|defmacro|sub|proc|procedure|class|struct|enum|interface|trait|type|module|object|local"
    r"|const|let|var|val|static|message|service|resource|model|protocol|impl|record|data)"
)


def unparsed_definitions(name: str, names: Names, view: TreeView) -> list[Watch]:
    """Whole files of the scope that no parser here reads and that define a name; none when more than two do.

    Args:
        name: The bare name.
        names: What the scope defines, as far as parsers tell: where they find it nothing is left to do.
        view: The tree.
    """
    paths = [path for path in names.in_code(name, scope=True) if is_unparsed(path)]
    if not paths or names.definitions(name, scope=True):
        return []
    form = re.compile(
        rf"(?m)^[^\S\n]*(?:[\w<>,*&:\[\]]+\s+){{0,4}}?{_KEYWORDS}\s+(?:[\w.:]+[.:])?{re.escape(name)}(?![\w$])"
        rf"|^[^\S\n]*(?:[\w.]+[.:])?{re.escape(name)}\s*(?::=|=)\s*(?:async\s+)?(?:function\b|\(|\\)"
    )
    found = [path for path in paths if form.search(_code(path, view))]
    own = [path for path in found if not is_test(path)] or found
    return [Watch(WatchKind.FILE, path=path) for path in own] if len(own) <= MOST_FILES else []


def is_unparsed(path: str) -> bool:
    """Whether a file holds code whose definitions are not found, for want of a parser here or anywhere."""
    language = language_of(path)
    known = (language in FREE_FORM or language in COMMENTED) and language not in _NO_CODE
    return missing_parser(path) is not None or (known and language not in LANGUAGES and language != "python")


_NO_CODE = frozenset({"nginx", "ignore", "cmake", "html", "css", "sql", "terraform"})


def _code(path: str, view: TreeView) -> str:
    return with_blank_comments(language_of(path), decode(view.read(path) or b""))
