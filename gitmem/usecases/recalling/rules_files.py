"""Which memories only repeat what the rules files of HEAD say that the asking agent loads, kept by the ids of those files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitmem.git.interface import Repository
from gitmem.recall.loading import ANY, BY_HOST, GEMINI_SETTINGS, MOST_HOPS, Loaded, context_files, imported
from gitmem.store.shelf import Shelf
from gitmem.store.term_index import TermIndex
from gitmem.usecases.recalling.cards import card_of

_LARGEST = 256 * 1024
_MOST_IMPORTS = 50


def repeating(repo: Repository, index: TermIndex, head: str, host: str = "") -> frozenset[str]:
    """Ids of the memories to leave out.

    Args:
        repo: The repository.
        index: Of the memories.
        head: Commit whose rules files count.
        host: Agent that asks; while it is unknown every rules file counts.
    """
    loaded = _loaded(repo, head, host)
    told = repo.find_objects([f"{head}:{path}" for path in (*loaded.files, *loaded.folders)])
    files = [one.oid for one in told[: len(loaded.files)] if one is not None and one.kind == "blob"]
    folders = [
        folder
        for folder, one in zip(loaded.folders, told[len(loaded.files) :], strict=True)
        if one is not None and one.kind == "tree"
    ]
    if not files and not folders:
        return frozenset()
    from gitmem.recall.repeating import is_always_loaded, repeated

    ids = " ".join(one.oid for one in told if one is not None)
    shelf, key = Shelf(repo.layout.common_dir), f"{index.state} {ids}"
    held = shelf.get("repeats", key) if index.state else None
    if held is not None:
        return frozenset(held)
    parts = [entry for folder in folders for entry in repo.list_tree(head, under=folder)]
    names = [*("" for _ in files), *(entry.path for entry in parts)]
    texts = zip(names, _texts(repo, [*files, *(entry.oid for entry in parts)]), strict=True)
    cards = (card_of(plain) for _, plain in index.cards())
    found = repeated(
        {card.id: card.summary for card in cards},
        (text for name, text in texts if is_always_loaded(name, text)),
    )
    if index.state:
        shelf.put("repeats", key, tuple(sorted(found)))
    return found


def rules_reach(repo: Repository, head: str) -> tuple[str, ...]:
    """Every path that may change what is left out, for whichever agent.

    Args:
        repo: The repository.
        head: Commit whose rules files count.
    """
    loaded = [path for host in BY_HOST for path in _loaded(repo, head, host).files]
    return tuple(dict.fromkeys((*ANY.files, *ANY.folders, GEMINI_SETTINGS, *loaded)))


def _loaded(repo: Repository, head: str, host: str) -> Loaded:
    """What the agent loads at that commit, with what its files import or, as symbolic links, lead to."""
    loaded = BY_HOST.get(host)
    if loaded is None:
        return ANY
    if host == "gemini":
        (settings,) = _found(repo, head, (GEMINI_SETTINGS,))
        named = context_files(_texts(repo, [settings])[0]) if settings else ()
        loaded = loaded._replace(files=named or loaded.files)
    return loaded._replace(files=_with_imports(repo, head, loaded))


def _with_imports(repo: Repository, head: str, loaded: Loaded) -> tuple[str, ...]:
    files = loaded.files
    shelf, first = Shelf(repo.layout.common_dir), _found(repo, head, files)
    if not any(first):
        return files
    key = " ".join((str(loaded.imports), *files, *first))
    held: tuple[tuple[str, ...], tuple[str, ...]] | None = shelf.get("imports", key)
    if held is not None and held[1] == _found(repo, head, held[0]):
        return (*files, *held[0])
    here = dict(zip(files, first, strict=True))
    more = tuple(_imports(repo, head, here, imports=loaded.imports))[:_MOST_IMPORTS]
    shelf.put("imports", key, (more, _found(repo, head, more)))
    return (*files, *more)


def _imports(repo: Repository, head: str, files: dict[str, str], *, imports: bool) -> Iterator[str]:
    """Paths that the files import, and what these import, whether they are there or not."""
    known, here = set(files), {path: oid for path, oid in files.items() if oid}
    for _ in range(MOST_HOPS):
        texts = zip(here, _texts(repo, list(here.values())), strict=True)
        led = (one for path, text in texts for one in imported(path, text, imports=imports))
        named = dict.fromkeys(one for one in led if one not in known)
        if not named or len(known) > _MOST_IMPORTS:
            return
        yield from named
        known.update(named)
        found = zip(named, _found(repo, head, tuple(named)), strict=True)
        here = {path: oid for path, oid in found if oid}


def _found(repo: Repository, head: str, paths: Sequence[str]) -> tuple[str, ...]:
    """Ids of the files; empty where none is."""
    told = repo.find_objects([f"{head}:{path}" for path in paths]) if paths else ()
    return tuple(one.oid if one is not None and one.kind == "blob" else "" for one in told)


def _texts(repo: Repository, oids: Sequence[str]) -> list[str]:
    blobs = repo.read_blobs(list(oids), limit=_LARGEST) if oids else ()
    return [(one.data or b"").decode("utf-8", "replace") for one in blobs]
