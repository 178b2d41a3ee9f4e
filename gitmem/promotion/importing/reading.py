"""One rules file: what it says, and where that holds."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from gitmem.model.glob import translate_imported
from gitmem.model.memory import Scope
from gitmem.promotion.importing.decisions import read_decision_record
from gitmem.promotion.importing.fact import Extracted, Fact, Skipped
from gitmem.promotion.importing.facts import facts_of
from gitmem.promotion.importing.front_matter import Head, read_head
from gitmem.promotion.importing.markdown import blocks
from gitmem.promotion.importing.rule_words import is_about_agents, is_general
from gitmem.promotion.importing.sources import SourceKind, base_of, escaped, named_kind, scope_of

MOST_FACTS: Final = 150
"""Of one file; a file that says more is a book, and somebody should choose."""
_GENERAL: Final = "general advice: it names nothing of this project"
_EVERYWHERE: Final = frozenset({"**", "**/*", "*", "*.*", "**/*.*", "/**", "./**"})


def read_rules(path: str, text: str) -> Extracted:
    """The facts of a file.

    Args:
        path: Its repository path, which says what it is.
        text: Its content.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    head = read_head(lines)
    rest = lines[head.lines :]
    found = blocks(rest, head.lines + 1)
    kind = named_kind(path) or SourceKind.NOTES
    if kind is SourceKind.DECISION:
        return read_decision_record(rest, head, found, path, scope_of(base_of(path)))
    scope, skipped = _scope(path, kind, head)
    scoped = not scope.project
    short: list[Skipped] = []
    told = facts_of(found, path, scope, "module_constraint" if scoped else "team_workflow_rule", short)
    facts = [_narrowed(one) for one in told if not is_about_agents(one.summary)]
    skipped = (*skipped, *(Skipped(path, one.line, _GENERAL) for one in facts if is_general(one.summary)))
    facts = [one for one in facts if not is_general(one.summary)]
    if len(facts) > MOST_FACTS:
        skipped = (
            *skipped,
            Skipped(
                path,
                facts[MOST_FACTS].line,
                f"more than {MOST_FACTS} facts in one file; what follows is left out",
            ),
        )
    return Extracted(tuple(facts[:MOST_FACTS]), skipped, tuple(short))


def _scope(path: str, kind: SourceKind, head: Head) -> tuple[Scope, tuple[Skipped, ...]]:
    base = base_of(path)
    written = head.text("globs" if kind is SourceKind.CURSOR else "applyTo")
    if kind not in {SourceKind.CURSOR, SourceKind.INSTRUCTIONS} or not written or head.is_true("alwaysApply"):
        return scope_of(base), ()
    try:
        globs = translate_imported(written)
    except ValueError as error:
        return scope_of(base), (Skipped(path, 1, f"{error}; taken for the whole folder"),)
    if not globs or any(one in _EVERYWHERE for one in globs):
        return scope_of(base), ()
    return Scope(paths=tuple(f"{escaped(base)}/{one}" if base else one for one in globs)), ()


_FOLDER: Final = re.compile(r"`?(?P<folder>(?:[\w.@-]+/)+(?:[\w.@-]+/?)?)`?")


def _narrowed(fact: Fact) -> Fact:
    """A fact under a heading that is a folder's path holds for that folder; whether it exists is looked up later."""
    for heading in reversed(fact.headings):
        found = _FOLDER.fullmatch(heading.strip())
        if found and fact.scope.project:
            folder = found["folder"].rstrip("/")
            return replace(fact, scope=scope_of(folder), type="module_constraint", under_folder=folder)
    return fact
