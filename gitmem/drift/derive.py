"""Watches derived from the words of a memory and the tree (drift.md, "Two kinds of scope").

A statement rests on what it names. Each name is looked up, narrowest meaning first: a cited definition, a script or
key, a definition in scope, a path, a use. What is found becomes a watch; what is not is *born false?*, told with the
nearest name. Only the statement, the scope and the tree decide; the same three give the same watches in the same
order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gitmem.drift.bare_names import is_type_word
from gitmem.drift.claims import claim_beside
from gitmem.drift.placement import says_placement
from gitmem.drift.places import Places
from gitmem.drift.prohibitions import prohibitions, statement_tokens
from gitmem.drift.resolution import Resolution
from gitmem.drift.this_module import bans_of_scope
from gitmem.drift.unresolved import Unresolved
from gitmem.drift.view import TreeView
from gitmem.model.memory import Claim, Scope
from gitmem.model.watch import Watch, WatchKind


@dataclass(frozen=True, slots=True)
class Derivation:
    """What a memory rests on by its own words.

    Args:
        watches: Most specific first, at most `MOST_WATCHES`.
        unresolved: Names that were not found, in text order.
        claim: The claim of the words, given the watches: a prohibition whose names are watched is carried by them.
        pinned: Whether the watches can tell by themselves that the statement still holds; without that a narrow scope
            is watched by its whole files.
        loose: Watches that tell less than that, so that they do not stand in for whole files.
    """

    watches: tuple[Watch, ...]
    unresolved: tuple[Unresolved, ...]
    claim: Claim
    pinned: bool
    loose: frozenset[Watch] = frozenset()


def derive(
    text_parts: Iterable[str | None],
    scope: Scope,
    view: TreeView,
    *,
    files: Sequence[str],
    document: str | None = None,
) -> Derivation:
    """Derive watches from a memory's words.

    Args:
        text_parts: Title, summary and body, in any number; None is left out. What follows their first 4,000 characters is
            not looked at: a fact is shorter, and a hostile text must not hold up a check.
        scope: The memory's scope; its globs say where shortened paths start.
        view: The tree at capture.
        files: The paths of that tree that the scope matches.
        document: Path of the document that the statement was taken from; relative paths start there.
    """
    text = "\n\n".join(part for part in text_parts if part)[:_LONGEST]
    banned = prohibitions(text)
    known = frozenset(one.thing for one in banned)
    tokens = [one for one in statement_tokens(text) if one in known or not is_type_word(one.text)]
    places = Places(view, scope.paths, files, document)
    found = Resolution(text, tokens, prohibitions=banned, places=places, view=view, files=files)
    bans = bans_of_scope(text, places, view, files)
    claim = claim_beside(text, (token.start for token in found.prohibits))
    watches = (*bans, *found.watches())
    if not watches and claim is Claim.PRESENCE:
        watches = tuple(_folders_said(text, places, view))
    return Derivation(
        watches=watches,
        unresolved=tuple(found.unresolved),
        claim=claim,
        pinned=found.is_pinned or bool(bans) or _rests_on_paths(text, found.watches()),
        loose=found.loose,
    )


def _folders_said(text: str, places: Places, view: TreeView) -> Iterator[Watch]:
    """The folders of the scope of which the words have a part: "the runtime lives in shared" of ``packages/shared/runtime/``."""
    said = {word.lower() for word in re.findall(r"[A-Za-z][\w-]+", text)}
    for folder in places.folders:
        parts = {part.lower() for part in folder.split("/") if len(part) > 3}
        if not said.isdisjoint(parts) and view.is_folder(folder):
            yield Watch(WatchKind.PATH, path=f"{folder}/")


_LONGEST = 4_000
_EDIT_BAN = re.compile(
    r"(?i)\b(?:do\s+not|don['’]t|never|must\s+not|should\s+not)\s+(?:manually\s+|hand-?)?(?:edit|modify|touch|change)\b"
    r"|(?:수정|편집|변경)(?:을|를)?\s?(?:하지\s?(?:않|마|말)|금지)|(?:編集|変更|修正)(?:し(?:ない|ません)|禁止)|(?:不要|禁止|请勿|勿)(?:手动)?(?:修改|编辑)"
)


def _rests_on_paths(text: str, watches: Sequence[Watch]) -> bool:
    """Whether the words say of a path that it is there, what it is for or that it must stay, not what is in it."""
    cited = any(watch.kind is WatchKind.PATH for watch in watches)
    return _is_map_row(text) or _bans_editing(text, watches) or (cited and says_placement(text))


def _bans_editing(text: str, watches: Iterable[Watch]) -> bool:
    """Whether all that is said is that a file of the tree, or a part of it, must not be edited: edits of it say nothing."""
    return (
        _EDIT_BAN.search(text) is not None
        and len(_SENTENCE_ENDS.findall(text.strip())) < 2
        and any(watch.kind is WatchKind.PATH for watch in watches)
    )


_SENTENCE_ENDS = re.compile(r"[.!?。](?=\s|$)|\n")
_PLACE = r"(?:`(?:(?=[^`\n./]*+[./])[^`\n]*+|[A-Z]\w*file)`|\[`?[^`\]\n]{0,200}`?\]\([^)\s:]{1,200}\))"
_MAP_ROW = re.compile(
    rf"\W*?(?:\*\*[^*\n]+\*\*\s*:?\s*)?{_PLACE}(?:\s*(?:,|/|&|\+|and|와|과|및|と|和)\s*{_PLACE})*\s*(?:\||:|[-–—]\s)"
)
_NAMED_ROW = re.compile(rf"\W*?\*\*[^*\n]{{1,60}}?\(?{_PLACE}\)?\*\*\s*[:：–—-]\s")
_TREE_ROW = re.compile(r"[\s│├└─|+`-]*(?:[\w.@-]+/)+(?:[\w.@-]+\.\w+)?\s+#\s+\S.*")
_LABEL_ROW = re.compile(
    r"\W*[^\W\d_][\w/&+()'. -]{1,60}?(?:\*\*)?[:：](?:\*\*)?\s*`[^`\s]*[./][^`\s]*`(?:\s*(?:,|and|와|과|및|と|和)\s*`[^`\s]*[./][^`\s]*`)*\W*"
)


_LONGEST_ROW = 200


def _is_map_row(text: str) -> bool:
    """A line of a map, ``| `path` | what it is |``, ``What: `path``` or ``folder/ # what it holds``: it claims that the path
    holds this, not how the code behaves.
    """
    if len(text) >= _LONGEST_ROW:
        return False
    row = (
        _MAP_ROW.match(text)
        or _NAMED_ROW.match(text)
        or _LABEL_ROW.fullmatch(text)
        or _TREE_ROW.fullmatch(text)
    )
    return row is not None and "\n\n" not in text.strip()
