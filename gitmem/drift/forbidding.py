"""From a parsed prohibition to its watches: what the name is in this tree, and where the rule holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gitmem.drift.area import area
from gitmem.drift.content.language import language_of
from gitmem.drift.declared import folded
from gitmem.drift.imported import PACKAGE_NAMES, occurrences
from gitmem.drift.names import Names
from gitmem.drift.places import Places, is_test
from gitmem.drift.prohibitions import Prohibition, Verb
from gitmem.drift.tools import Tools
from gitmem.drift.view import TreeView
from gitmem.drift.words import Token, TokenKind, is_compound
from gitmem.model.watch import Polarity, Watch, WatchKind

MOST_PLACES = 4
MOST_MANIFESTS = 2
EVERYWHERE = ("**",)
TESTS = ("**/tests/**",)
"""What lies outside is no test (`gitmem.drift.area`); other tests than those in such a folder are left out with them."""
_PACKAGE = re.compile(r"@?[A-Za-z][\w.-]*(?:/[\w.@-]+)*")
_NAMES_FOLDER = re.compile(
    r"`?\s?(?:package|module|layer|folder|directory|crate|패키지|모듈|폴더|디렉터리|레이어|계층)"
)


class Forbidden(NamedTuple):
    """What one prohibition rests on.

    Args:
        watches: None of them when the tree does not tell what is meant, or when the preferred is not kept to yet.
        places: Names that say where it holds, with the folder or file that each means.
    """

    watches: tuple[Watch, ...]
    places: tuple[tuple[Token, str], ...] = ()


class Forbidding:
    """Looks up what is prohibited, and where, in one tree for one memory."""

    def __init__(
        self, text: str, files: Sequence[str], *, tools: Tools, names: Names, places: Places, view: TreeView
    ) -> None:
        self._text, self._files = text, files
        self._tools, self._names, self._places, self._view = tools, names, places, view

    def of(self, one: Prohibition) -> Forbidden:
        """The watches of one prohibition."""
        named = dict.fromkeys(self._named(one))
        if not named:
            return Forbidden(())
        inside, outside, places = self._where(one, [watch.name or "" for watch in named])
        if one.exempt and not outside:
            return Forbidden(())
        watches = [
            Watch(
                kind,
                name=name,
                polarity=Polarity.PROHIBITS,
                inside=(place,) if place else (),
                outside=outside,
            )
            for kind, name in ((watch.kind, watch.name) for watch in named)
            for place in inside
        ]
        if (one.soft or one.verb is Verb.OTHER) and any(self._occurs(watch) for watch in watches):
            return Forbidden((), places)
        return Forbidden((*watches, *self._in_manifests(one, watches)), places)

    def _occurs(self, watch: Watch) -> bool:
        inside = area(watch, self._view.paths(), self._files)
        return bool(occurrences(watch, self._view, inside))

    # what
    def _named(self, one: Prohibition) -> Iterator[Watch]:
        """The name as an identifier or an import, wherever it may hold."""
        token, verb = one.thing, one.verb
        if token.kind is TokenKind.PATH:
            if verb in {Verb.IMPORT, Verb.USE} and (path := self._path(token)):
                yield _import(path)
        elif module := self._module(one):
            yield _import(module)
        elif dependency := self._tools.dependency(token.text):
            yield _import(dependency) if verb is Verb.IMPORT or "/" in dependency else _ident(dependency)
        elif token.kind is TokenKind.PRODUCT:
            if verb is not Verb.OTHER and self._is_product(token, verb):
                yield _import(_package(token.text))
        else:
            yield from self._named_in_code(token, verb)

    def _path(self, token: Token) -> str | None:
        """A folder or file of code; a path that is none here may be a package: ``next/router``."""
        path = self._places.find(token.text)
        if path is not None:
            return path if path.endswith("/") or language_of(path) != "prose" else None
        foreign = not self._places.is_plausible(token.text) and _PACKAGE.fullmatch(token.text)
        return self._tools.dependency(token.text) or (
            token.text if foreign and "." not in token.text else None
        )

    def _module(self, one: Prohibition) -> str | None:
        """The folder or file that a module's or package's name means; a folder's bare name only where that is said."""
        token = one.thing
        if one.verb not in {Verb.IMPORT, Verb.USE} or token.kind is TokenKind.PRODUCT:
            return None
        if token.kind in {TokenKind.MODULE, TokenKind.DOTTED} and (path := self._places.module(token.text)):
            return path if one.verb is Verb.IMPORT or token.kind is TokenKind.MODULE else None
        said = _NAMES_FOLDER.match(self._text, token.end) is not None
        bare = token.kind in {TokenKind.WORD, TokenKind.IDENTIFIER, TokenKind.MODULE} and not token.called
        if not bare or not (said or one.verb is Verb.IMPORT or one.exempt):
            return None
        if not said and (token.text[0].isupper() or self._names.definitions(token.text, scope=False)):
            return None
        return self._folder(token.text) or self._module_file(token.text)

    def _folder(self, name: str) -> str | None:
        """The only folder of that name, else the one that is a package, else the one that lies highest."""
        if path := self._places.find(f"{name}/"):
            return path if path.endswith("/") else None
        middle, paths = f"/{name}/", self._view.paths()
        heads = {f"/{path}".split(middle)[0] for path in paths if middle in f"/{path}"}
        found = [f"{head}{middle}".lstrip("/") for head in heads]
        packages = [one for one in found if any(f"{one}{manifest}" in paths for manifest in PACKAGE_NAMES)]
        ranked = sorted((one.count("/"), one) for one in packages or found)
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
            return None
        return ranked[0][1]

    def _module_file(self, name: str) -> str | None:
        """The only module of that name: ``db`` for ``app/db.py``."""
        found = [
            path
            for path in self._view.paths()
            if path.rpartition("/")[2].partition(".")[0] == name
            and language_of(path) not in {"prose", "text", "json", "yaml", "toml"}
            and not is_test(path)
        ]
        return found[0] if len(found) == 1 else None

    def _named_in_code(self, token: Token, verb: Verb) -> Iterator[Watch]:
        name = token.text
        known = self._names.definitions(token.last, scope=False)
        foreign = verb in {Verb.IMPORT, Verb.ADD} and not known and not token.called
        if foreign and (token.ticked or token.kind is not TokenKind.IDENTIFIER):
            yield _import(name) if name.islower() or "/" in name or "." in name else _ident(name)
            return
        if not known and not token.ticked and self._is_product(token, verb):
            yield _import(_package(name))
        # uses write ``datetime.now`` whole, of a member defined here its own name behind any instance
        member = "." in name and self._names.qualified(name, scope=False)
        whole = self._text[token.start : token.end].replace("#", ".") if token.owned else name
        yield _ident(token.last if member else whole)

    def _is_product(self, token: Token, verb: Verb) -> bool:
        """Whether an open word is a product that may come in as a package."""
        if (
            "-" in token.text
            or verb is Verb.OTHER
            or token.called
            or "_" in token.text
            or "." in token.text[:-3]
        ):
            return False
        if token.text[0].isupper():
            return True
        ends = re.match(
            r"\s*(?:[.,;!?]|$|(?:in|inside|within|under|from|anywhere|here)\b)",
            self._text[token.end : token.end + 12],
        )
        return verb in {Verb.IMPORT, Verb.ADD} and ends is not None and not is_compound(token.text)

    # where
    def _where(
        self, one: Prohibition, names: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[Token, str], ...]]:
        if one.exempt:
            outside = [(token, place) for token in one.exempt for place in self._exempt(token, one)]
            paths = tuple(dict.fromkeys(place for _, place in outside if place not in names))
            if len(paths) < len(dict.fromkeys(one.exempt)):
                return ("",), (), ()
            scoped = area(Watch(WatchKind.IDENT, name="x", outside=paths), self._view.paths(), self._files)
            return ("",) if scoped else EVERYWHERE, paths, tuple(outside)
        places = [pair for pair in self._subjects(one) if pair[1] not in names][:MOST_PLACES]
        narrower = tuple(dict.fromkeys(place for _, place in places if not self._holds_scope(place)))
        held = bool(places) and not any(self._holds_scope(place) for _, place in places)
        return narrower if held else ("",), TESTS if one.but_tests else (), tuple(places)

    def _holds_scope(self, place: str) -> bool:
        return bool(self._files) and all(path == place or path.startswith(place) for path in self._files)

    def _exempt(self, token: Token, one: Prohibition) -> Iterator[str]:
        """The place where alone a thing may be used: a folder, a file, or the file that defines a name."""
        place = self._place(token)
        if place is not None:
            if not (one.taken_from and one.thing.kind is not TokenKind.PATH and not self._module(one)):
                yield place
            return
        found = self._names.definitions(token.last, scope=False)
        if len(found) <= MOST_PLACES:
            yield from dict.fromkeys(path for path, _ in found)

    def _subjects(self, one: Prohibition) -> Iterator[tuple[Token, str]]:
        """The first name that means a place, and those that are joined to it."""
        last: Token | None = None
        for token in one.subjects:
            place = self._place(token)
            if last is not None and not self._are_joined(last, token):
                return
            if place is not None:
                last = token
                yield token, place

    def _are_joined(self, one: Token, other: Token) -> bool:
        first, second = sorted((one, other), key=lambda token: token.start)
        between = self._text[first.end : second.start]
        return (
            re.fullmatch(r"[`'\")]*\s*(?:,|and|or|nor|/|&|와|과|및|또는|、|と|和|\s)*\s*[`'\"(]*", between)
            is not None
        )

    def _place(self, token: Token) -> str | None:
        if token.kind is TokenKind.PATH:
            path = self._places.find(token.text)
        elif token.kind in {TokenKind.MODULE, TokenKind.DOTTED}:
            path = self._places.module(token.text) or self._folder(token.text)
        elif token.kind in {TokenKind.WORD, TokenKind.IDENTIFIER} and not token.called:
            path = self._folder(token.text)
        else:
            path = None
        return path if path and (path.endswith("/") or language_of(path) != "prose") else None

    def _in_manifests(self, one: Prohibition, watches: Iterable[Watch]) -> Iterator[Watch]:
        """What must not be added is looked for in the manifests that rule the scope, too, when none declares it."""
        if one.verb not in {Verb.ADD, Verb.USE} or one.exempt:
            return
        scope = frozenset(self._files)
        for watch in watches:
            if watch.kind is WatchKind.IMPORT and not watch.inside and not (watch.name or "").endswith("/"):
                for path in [path for path in self._tools.governing if path not in scope][:MOST_MANIFESTS]:
                    yield Watch(WatchKind.IMPORT, name=watch.name, polarity=watch.polarity, inside=(path,))


def _import(name: str) -> Watch:
    return Watch(WatchKind.IMPORT, name=name)


def _ident(name: str) -> Watch:
    return Watch(WatchKind.IDENT, name=name)


def _package(product: str) -> str:
    """A product's name as packages are called: ``moment`` for ``Moment.js``."""
    plain = re.sub(r"\.(?:js|io|ai|net)$", "", product.lower())
    return plain or folded(product)
