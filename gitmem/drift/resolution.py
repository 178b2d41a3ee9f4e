"""Looking up the names of one statement in one tree, one after the other; what is found becomes watches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gitmem.drift.binding import bind, listed
from gitmem.drift.choosing import chosen
from gitmem.drift.declared import folded
from gitmem.drift.forbidding import Forbidding
from gitmem.drift.grounding import Ground, ground
from gitmem.drift.manifests import is_manifest
from gitmem.drift.missing_path import missing_path
from gitmem.drift.names import Definition, Names, closest, is_callable, is_type, is_whole, without_values
from gitmem.drift.naming import is_named_only, is_said_code, lines_watch, set_in_cited
from gitmem.drift.places import Places, called_alike, cited_folders
from gitmem.drift.plain_words import is_said_to_act, is_said_value
from gitmem.drift.prohibitions import Prohibition
from gitmem.drift.ranking import RANKS, Ranked
from gitmem.drift.said_matrix import matrix_keys
from gitmem.drift.said_steps import said_steps
from gitmem.drift.said_toolchains import said_toolchains
from gitmem.drift.said_versions import held_instead
from gitmem.drift.selection import (
    claims_existence,
    folded_tokens,
    is_name,
    is_plain_code,
    says_no_dependencies,
    searched,
)
from gitmem.drift.tools import Tools
from gitmem.drift.unparsed import unparsed_definitions
from gitmem.drift.unresolved import Severity, Unresolved
from gitmem.drift.view import TreeView
from gitmem.drift.vocabulary import PROSE_COMPOUNDS
from gitmem.drift.words import Token, TokenKind, is_compound, versions_behind
from gitmem.model.watch import Watch, WatchKind

_PROSE = frozenset(name.lower() for name in PROSE_COMPOUNDS)
AMBIGUOUS = 2
"""A name with more definitions than this in scope means none of them in particular."""


class Resolution:
    """The tokens of one statement looked up one after the other."""

    def __init__(
        self,
        text: str,
        tokens: Sequence[Token],
        *,
        prohibitions: Sequence[Prohibition],
        places: Places,
        view: TreeView,
        files: Sequence[str],
    ) -> None:
        self._text, self._view, self._places = text, view, places
        self._scope, self._literal = frozenset(files), frozenset(files) & places.literal
        self._tools = Tools(view, files, places)
        self._names = Names(view, files, searched(tokens))
        forbidding = Forbidding(text, files, tools=self._tools, names=self._names, places=places, view=view)
        self._forbidden = {one.thing: forbidding.of(one) for one in prohibitions}
        self._kept_places = {token: path for one in self._forbidden.values() for token, path in one.places}
        self._ranked, self._said = Ranked(), [token.last for token in tokens]
        self._cited: list[str] = []
        self.unresolved: list[Unresolved] = []
        self.prohibits: set[Token] = set()
        for token in tokens:
            if token.kind is TokenKind.PATH and (path := places.find(token.text)):
                self._cited.append(path)
        self._steps = {
            (first, last): watches
            for (first, last), watches in said_steps(text, view, files, places.literal).items()
            if not any(first <= token.start < last for token in self._forbidden)
        }
        self._toolchains = said_toolchains(text, view, files)
        for watches in (*self._steps.values(), *self._toolchains.values(), self._tools.labelled(text)):
            self._add_all(watches)
        self._add_all(Watch(WatchKind.PATH, path=one) for one in cited_folders(text, view, files))
        self._bound, self._grounded = bind(text, view, files, self._steps), frozenset[Watch]()
        self._add_all(self._bound.watches)
        if says_no_dependencies(text) and (none := self._tools.no_dependencies()):
            self._add(none)
        left = [one for one in folded_tokens(tokens, self._forbidden) if one.start not in self._toolchains]
        pending = [token for token in left if not self._resolve(token)]
        for token in pending:
            self._resolve_use(token)
        self._grounded = ground(text, self._ranked, Ground(view, files, places, self._tools, self._forbidden))

    # what came out
    @property
    def is_pinned(self) -> bool:
        return self._ranked.holds_content_beside(self.loose)

    @property
    def loose(self) -> frozenset[Watch]:
        """Watches that do not tell by themselves whether the statement holds."""
        return self._grounded.union(self._bound.watches if self._bound.open else self._bound.loose)

    def watches(self) -> tuple[Watch, ...]:
        return self._ranked.ordered(self._view)

    def _add(self, watch: Watch, rank: int | None = None) -> bool:
        return self._ranked.add(watch, rank)

    def _add_all(self, watches: Iterable[Watch]) -> bool:
        for watch in watches:
            self._add(watch)
        return True

    def _is_step(self, token: Token) -> bool:
        return any(first <= token.start < last for first, last in self._steps)

    def _ident(self, name: str) -> bool:
        return self._add(Watch(WatchKind.IDENT, name=name))

    def _missing(self, token: Token, nearest: str | None, severity: Severity) -> bool:
        plain = f"{token.path}:{token.text}" if token.path else token.text
        written = self._text[token.start : token.end] if token.owned else plain
        if all(one.token != written for one in self.unresolved):
            self.unresolved.append(Unresolved(written, nearest, severity))
        return True

    # one kind of token each; True when nothing is left to do
    def _resolve(self, token: Token) -> bool:
        held = held_instead(self._text, token, self._tools, self._view)
        if held is not None or token in self._forbidden:
            return self._add(held) if held is not None else self._forbid(token)
        if token in self._kept_places:
            return self._keep_place(token)
        match token.kind:
            case TokenKind.PATH:
                return self._path(token)
            case TokenKind.PATH_SYMBOL:
                return self._path_symbol(token)
            case TokenKind.COMMAND:
                return self._command(token)
            case TokenKind.MODULE:
                return self._module(token)
            case TokenKind.PRODUCT:
                return self._product(token)
            case _:
                return self._name(token)

    def _forbid(self, token: Token) -> bool:
        """The watches of a prohibition; a path that must not be written, say, is watched as a path."""
        found = self._forbidden[token]
        if found.watches:
            self.prohibits.add(token)
        self._add_all(found.watches)
        return self._path(token) if token.kind is TokenKind.PATH and not found.watches else True

    def _keep_place(self, token: Token) -> bool:
        """A folder where a prohibition holds is watched as a path; a file or definition may be edited at will."""
        place = self._kept_places[token]
        return self._add(Watch(WatchKind.PATH, path=place)) if place.endswith("/") else True

    def _path(self, token: Token) -> bool:
        if (library := self._library(token)) is not None:
            return self._ident(library)
        path = self._places.find(token.text)
        if path is None:
            return self._missing_path(token)
        self._add_all(listed(self._text, token.end, path, self._view))
        if (
            token.lines
            and not path.endswith("/")
            and (lines := lines_watch(path, self._view.read(path), token.lines))
        ):
            return self._add(lines)
        return self._add(Watch(WatchKind.PATH, path=path))

    def _library(self, token: Token) -> str | None:
        """The library that ``owner/name`` in a sentence means, where no file of the scope is called so."""
        named = token.ticked or token.text.count("/") != 1 or any(token.text in path for path in self._scope)
        return None if named else self._tools.dependency(token.text)

    def _missing_path(self, token: Token) -> bool:
        dependency = self._tools.dependency(token.text)
        if dependency:
            return self._ident(dependency)
        lost = None if token in self._forbidden else missing_path(self._text, token, self._places)
        return self._missing(token, lost.nearest, lost.severity) if lost is not None else True

    def _path_symbol(self, token: Token) -> bool:
        path = self._places.find(token.path)
        if path is None:
            moved = self._names.qualified(token.text, scope=False)
            nearest = f"{moved[0][0]}:{token.text}" if len(moved) == 1 else self._places.nearest(token.path)
            return self._missing(token, nearest, "born_false")
        self._cited.append(path)
        outline = self._view.outline(path)
        symbol = outline.symbol(token.text) if outline else None
        if symbol is not None:
            return self._add(Watch(WatchKind.SYMBOL, path=path, name=symbol.name), rank=0)
        self._add(Watch(WatchKind.PATH, path=path))
        last = token.text.rpartition(".")[2]
        if last in self._view.code_words(path):
            return self._ident(last)
        if key := self._tools.key(path, token.text):
            return self._add(key)
        names = sorted({one.name for one in outline.symbols}) if outline else []
        return self._missing(token, closest(token.text, names) or self._names.nearest(last), "born_false")

    def _command(self, token: Token) -> bool:
        if self._is_step(token) and not any(map(is_manifest, self._scope)):
            return True  # that it runs there is said; what it does is written outside the scope
        watches, nearest = self._tools.command(token.runner, token.text)
        self._add_all(watches)
        if not watches and nearest is not None and token.ticked:
            self._missing(token, nearest.name, nearest.severity)
        return True

    def _module(self, token: Token) -> bool:
        path = self._places.module(token.text)
        if path is not None:
            return self._add(Watch(WatchKind.PATH, path=path))
        self._tool(token)
        return True

    def _tool(self, token: Token) -> bool:
        """A dependency, script, key, or a file of the scope, by a name that code need not have; whether there is one."""
        before = len(self._ranked)
        dependency = self._tools.dependency(token.text)
        if dependency:
            self._ident(dependency)
        for path in self._scope_places(token):
            self._add(Watch(WatchKind.PATH, path=path))
            dependency = dependency or path
        if not dependency and (manager := self._tools.package_manager(token.text)):
            self._add(manager)
        elif not dependency and token.ticked:
            self._add_all(self._tools.named(token.text, self._text))
        return len(self._ranked) > before

    def _product(self, token: Token) -> bool:
        told = versions_behind(self._text, token.end) or (token.version,)
        stated = matrix_keys(self._text, token, told, self._view)
        stated = stated or [key for one in told if one and (key := self._tools.stated(token.text, one))]
        if stated:
            return self._add_all(stated)
        self._tool(token)
        return True

    def _scope_places(self, token: Token) -> list[str]:
        """Files and folders of the scope that are called as a product is; none when several are and mean little.

        A plain word counts only for a file that the scope names literally: ``Lerna`` for ``lerna.json``.
        """
        plain = not (token.ticked or (is_compound(token.text) and token.text.lower() not in _PROSE))
        several = called_alike(folded(token.text), self._scope, self._literal if plain else None)
        return several if len(several) <= AMBIGUOUS else []

    # names of code
    def _name(self, token: Token) -> bool:
        if (variable := set_in_cited(token.text, self._cited, self._view)) is not None:
            return self._add(variable)
        if files := unparsed_definitions(token.last, self._names, self._view):
            return self._add_all(files)
        if token.kind is TokenKind.DOTTED and self._dotted(token):
            return True
        if token.kind is TokenKind.WORD and token.text.islower() and not token.called:
            return self._lower_word(token)
        if token.kind is TokenKind.DOTTED and self._is_foreign(token):
            return False
        found = self._names.definitions(token.last, scope=True)
        return self._defined(token, without_values(found) if token.called else found)

    def _dotted(self, token: Token) -> bool:
        """``Session.request`` by its whole name, as a module, as a key, or as an inherited member of its class."""
        whole = self._names.qualified(token.text, scope=True)
        if self._defined(token, whole or (self._names.owned(token.text) if token.owned else [])):
            return True
        head, _, last = token.text.rpartition(".")
        if module := self._places.module(token.text):
            self._add(Watch(WatchKind.PATH, path=module))
        if module or (module := self._places.module(head)):
            outline = self._view.outline(module)
            symbol = outline.symbol(last) if outline else None
            if symbol is not None:
                return self._defined(token, [(module, symbol)])
            return self._add(Watch(WatchKind.PATH, path=module))
        if watches := self._tools.named(token.text, self._text):
            return self._add_all(watches)
        return len(elsewhere := self._names.qualified(token.text, scope=False)) == 1 and self._out_of_scope(
            elsewhere[0]
        )

    def _is_foreign(self, token: Token) -> bool:
        """``tea.Cmd`` or ``Vec::new`` where nothing here is called ``tea`` or ``Vec``: a library's, not the one here of that name."""
        if token.owned:
            return not self._names.is_owner(token.text.split(".")[-2])
        owner, last = token.text.split(".")[-2:]
        if not (owner.islower() and last[:1].isupper()) or self._names.definitions(owner, scope=False):
            return False
        return not any(
            owner == part.partition(".")[0] for path in self._view.paths() for part in path.lower().split("/")
        )

    def _lower_word(self, token: Token) -> bool:
        """A plain word in backticks: a definition in scope, a script, key or dependency; never a mere use."""
        defined = chosen(self._text, token, self._names.definitions(token.text, scope=True), self._said)
        acts, callables = is_said_to_act(self._text, token), [one for one in defined if is_callable(one[1])]
        found = [one for one in defined if "." not in one[1].name or one[0] in self._cited]
        if acts and len(callables) == 1 and not any(is_callable(one[1]) for one in found):
            found = callables
            self._tool(token)
        if len(found) == 1:
            return self._defined(token, found)
        folder = f"{token.text}/"
        if self._scope and all(path.startswith(folder) for path in self._scope):
            return self._add(Watch(WatchKind.PATH, path=folder))
        if self._tool(token) or len(callables) != 1 or len(defined) > 1 or is_said_value(self._text, token):
            return True
        return self._defined(token, callables)

    def _defined(self, token: Token, found: list[Definition]) -> bool:
        cited = [one for one in found if one[0] in self._cited]
        meant = chosen(self._text, token, cited or found, self._said)
        if not meant or len(meant) > AMBIGUOUS:
            return bool(meant) and self._ident(token.last)
        for path, symbol in meant:
            if owner := symbol.name.rpartition(".")[0]:
                self._ranked.members.add((path, owner))
            if is_whole(symbol, self._view.outline(path)) or is_named_only(
                self._text, token, symbol, self._view.read(path)
            ):
                self._ident(symbol.name.rpartition(".")[2])
            else:
                self._add(Watch(WatchKind.SYMBOL, path=path, name=symbol.name))
        return True

    def _out_of_scope(self, one: Definition) -> bool:
        """Code that the statement mentions and its scope leaves out: rested on by name while something else is pinned."""
        path, symbol = one
        if self.is_pinned or is_whole(symbol, self._view.outline(path)):
            return self._ident(symbol.name.rpartition(".")[2])
        return self._add(Watch(WatchKind.SYMBOL, path=path, name=symbol.name))

    def _resolve_use(self, token: Token) -> None:
        """A name that the scope does not define: used there, defined elsewhere, declared, or nowhere."""
        word = token.last
        if is_name(token) and (settings := self._tools.settings_about(token.text, self._text)):
            self._add_all(settings)
            return
        if token.owned and self._is_foreign(token) and self._names.in_code(word, scope=True):
            self._ident(word)
            return
        elsewhere = self._names.definitions(word, scope=False)
        open_word = not (elsewhere or token.ticked or token.called)
        if open_word and (self._tool(token) or not is_plain_code(word)):
            return
        if self._names.in_code(word, scope=True):
            self._used(word, elsewhere)
        elif len(elsewhere) == 1 and is_name(token):
            self._out_of_scope(elsewhere[0])
        elif (
            is_name(token)
            and token.kind is not TokenKind.WORD
            and (elsewhere or self._names.in_code(word, scope=False))
        ):
            self._ident(word)
        elif not self._names.is_common(word):
            self._nowhere(token)

    def _used(self, word: str, elsewhere: list[Definition]) -> None:
        """Beside the name itself the one or two functions that use it, when the statement names nothing narrower.

        A type that is defined elsewhere (an exception that is raised) is watched by name alone: what is said is that
        it occurs here, not how.
        """
        pinned = self._ranked.is_narrow_in(self._scope)
        self._ident(word)
        if pinned or any(is_type(symbol) for _, symbol in elsewhere):
            return
        sites = self._names.use_sites(word)
        if len(sites) <= AMBIGUOUS:
            for path, symbol in sites:
                self._add(Watch(WatchKind.SYMBOL, path=path, name=symbol.name), rank=RANKS[WatchKind.IDENT])

    def _nowhere(self, token: Token) -> None:
        if self._tool(token) or not claims_existence(token):
            return
        nearest = self._names.nearest(token.last)
        owner = token.text.rpartition(".")[0].rpartition(".")[2]
        foreign = bool(owner) and not self._names.definitions(owner, scope=False)
        plain = (token.ticked or token.called) and token.kind is not TokenKind.WORD
        certain = (
            plain
            and not foreign
            and not token.last.isupper()
            and (nearest or token.called or token.owned or is_said_code(self._text, token))
        )
        if certain or nearest or plain:
            self._missing(token, nearest, "born_false" if certain else "weak")
