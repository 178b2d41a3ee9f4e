"""Watches, marks and baselines in YAML: the part that memory files and validations share (drift.md).

A watch is a mapping with one kind and its target, ``symbol: src/a.py#Api.call``; or one text, ``symbol src/a.py#Api.call``,
which is how marks hold it and how reports print it. Beside the kind may stand ``quote: {exact, prefix, suffix}`` for lines;
for an identifier or import ``polarity: prohibits`` and, instead of the memory's scope, ``in`` and ``outside``, each one glob
or a list: ``{import: app/ui/, in: app/core/, polarity: prohibits}``. As one text the same is ``import app/ui/ in app/core/
(prohibited)``. What is imported is a folder with its trailing ``/``, a file, or a package. A target that the text form
cannot carry back (a ``#`` in a path) is written as ``{kind, path, name, lines}``.

A baseline is a mapping: ``commit``, ``tree``, ``algo``, ``scope``, ``marks``, and ``unparsed: [TypeScript …]``, the languages
of the memory's code that had no parser here then, so that their definitions could not be watched.

A mark is a mapping: ``watch`` (and its ``polarity`` and ``quote``), ``blob``, ``sig``, ``core``, ``body``,
``at: [first, last]``, ``counts: [n …]``, ``sample: ["<object id> <path>" …]``, ``uses: ["<object id> <digest> <path>#<name>"
…]``, ``sketch``: hashes of some lines of a file (`gitmem.drift.sketch`). Paths stand as git quotes them (`gitmem.store.path_quoting`).
"""

from __future__ import annotations

from dataclasses import replace

from gitmem.model.validation import ALGO, Baseline, Mark
from gitmem.model.watch import NAMED, Polarity, Quote, Watch, WatchKind, parse_watch
from gitmem.store.field_reading import (
    Findings,
    did_you_mean,
    is_absent,
    read_mapping,
    read_number,
    read_text,
    read_texts,
    shown,
)
from gitmem.store.path_quoting import quote_path, unquote_path
from gitmem.store.yaml_reading import Entry, Fields, Items, Node, Text
from gitmem.store.yaml_writing import Plain, scalar, write_flow

_BESIDE = ("quote", "polarity", "in", "outside")
_WATCH_FIELDS = (*WatchKind, *_BESIDE)
_MARK_FIELDS = (
    "watch",
    "quote",
    "polarity",
    "blob",
    "sig",
    "core",
    "body",
    "at",
    "counts",
    "sample",
    "uses",
    "sketch",
)
_BASELINE_FIELDS = ("commit", "tree", "algo", "scope", "marks", "unparsed")


def read_watches(node: Node, findings: Findings, field: str) -> tuple[Watch, ...] | None:
    """The list of watches; None when it is not written, so that they are derived."""
    if is_absent(node):
        return None
    items = node.items if isinstance(node, Items) else (node,)
    watches = (read_watch(item, findings, field) for item in items if not is_absent(item))
    return tuple(watch for watch in watches if watch)


def read_watch(node: Node, findings: Findings, field: str) -> Watch | None:
    """One watch, as a mapping or as text."""
    if isinstance(node, Text):
        kind, _, target = (node.value or "").strip().partition(" ")
        return _watch(node, findings, field, (kind, target.strip()))
    fields = read_mapping(node, findings, field)
    if fields is None:
        return None
    if "kind" in fields.entries:
        return _spelled_out(fields, findings, field)
    kinds = [key for key in fields.entries if key in set(WatchKind)]
    _note_unknown(fields, _WATCH_FIELDS, findings, field)
    if len(kinds) != 1:
        findings.error(
            node, field, f"a watch names one kind, this one {len(kinds)}", f"one of {', '.join(WatchKind)}"
        )
        return None
    target = read_text(fields.entries[kinds[0]].value, findings, field) or ""
    return _watch(node, findings, field, (kinds[0], target), fields)


def _watch(
    at: Node, findings: Findings, field: str, named: tuple[str, str], beside: Fields | None = None
) -> Watch | None:
    kind, target = named
    quote = _quote(beside, findings, field) if beside else None
    polarity = _polarity(beside, findings, field) if beside else Polarity.ASSERTS
    try:
        watch = parse_watch(kind, unquote_path(target), quote=quote, polarity=polarity)
        return _placed(watch, beside, findings, field) if beside else watch
    except ValueError as error:
        hint = did_you_mean(kind, WatchKind) if kind not in set(WatchKind) else ""
        findings.error(at, field, str(error), hint)
        return None


def _placed(watch: Watch, fields: Fields, findings: Findings, field: str) -> Watch:
    """The watch with the places that stand beside it."""
    if watch.kind not in NAMED:
        return watch
    places = {
        key: tuple(unquote_path(one) for one in read_texts(entry.value, findings, f"{field}.{key}"))
        for key in ("in", "outside")
        if (entry := fields.entries.get(key)) is not None
    }
    return replace(watch, inside=places.get("in", watch.inside), outside=places.get("outside", watch.outside))


def _polarity(fields: Fields, findings: Findings, field: str) -> Polarity:
    entry = fields.entries.get("polarity")
    word = read_text(entry.value, findings, field) if entry else None
    if word is None or word in set(Polarity):
        return Polarity(word or Polarity.ASSERTS)
    assert entry is not None
    findings.error(entry.value, field, f"unknown polarity {shown(word)}", f"one of {', '.join(Polarity)}")
    return Polarity.ASSERTS


def _quote(fields: Fields, findings: Findings, field: str) -> Quote | None:
    entry = fields.entries.get("quote")
    if entry is None or is_absent(entry.value):
        return None
    if isinstance(entry.value, Text):
        return Quote(entry.value.value or "")
    parts = read_mapping(entry.value, findings, field)
    if parts is None:
        return None
    _note_unknown(parts, ("exact", "prefix", "suffix"), findings, f"{field}.quote")
    texts = {
        key: read_text(one.value, findings, field) or ""
        for key, one in parts.entries.items()
        if key in {"exact", "prefix", "suffix"}
    }
    return Quote(**{"exact": "", **texts})


def _spelled_out(fields: Fields, findings: Findings, field: str) -> Watch | None:
    """The form for targets that the text form cannot carry."""
    _note_unknown(fields, ("kind", "path", "name", "lines", *_BESIDE), findings, field)
    texts = {
        key: read_text(fields.entries[key].value, findings, field)
        for key in ("kind", "path", "name")
        if key in fields.entries
    }
    try:
        kind = WatchKind(texts.get("kind") or "")
        path, name = _unquoted(texts.get("path")), _unquoted(texts.get("name"))
    except ValueError as error:
        findings.error(fields, field, str(error))
        return None
    lines = _pair(fields.entries.get("lines"), findings, field)
    quote = _quote(fields, findings, field)
    watch = Watch(
        kind, path=path, name=name, lines=lines, quote=quote, polarity=_polarity(fields, findings, field)
    )
    try:
        return _placed(watch, fields, findings, field)
    except ValueError as error:
        findings.error(fields, field, str(error))
        return None


def read_baseline(node: Node, findings: Findings, field: str) -> Baseline | None:
    """A baseline block; a text alone is its commit; None when absent or (noted) unreadable."""
    if is_absent(node):
        return None
    if isinstance(node, Text):
        return Baseline(commit=node.value)
    fields = read_mapping(node, findings, field)
    if fields is None:
        return None
    _note_unknown(fields, _BASELINE_FIELDS, findings, field)
    texts = {key: _text_of(fields, key, findings, f"{field}.{key}") for key in ("commit", "tree", "scope")}
    algo = fields.entries.get("algo")
    number = read_number(algo.value, findings, f"{field}.algo") if algo else None
    unparsed = fields.entries.get("unparsed")
    return Baseline(
        **texts,
        algo=ALGO if number is None else number,
        marks=_marks(fields, findings, f"{field}.marks"),
        unparsed=read_texts(unparsed.value, findings, f"{field}.unparsed") if unparsed else (),
    )


def _marks(fields: Fields, findings: Findings, field: str) -> tuple[Mark, ...]:
    entry = fields.entries.get("marks")
    if entry is None or is_absent(entry.value):
        return ()
    if not isinstance(entry.value, Items):
        findings.error(entry.value, field, f"{field} must be a list")
        return ()
    marks = (_mark(item, findings, field) for item in entry.value.items)
    return tuple(mark for mark in marks if mark)


def _mark(node: Node, findings: Findings, field: str) -> Mark | None:
    fields = read_mapping(node, findings, field)
    if fields is None or "watch" not in fields.entries:
        findings.error(node, field, "a mark names its watch")
        return None
    _note_unknown(fields, _MARK_FIELDS, findings, field)
    held = fields.entries["watch"].value
    if isinstance(held, Text):
        kind, _, target = (held.value or "").partition(" ")
        watch = _watch(held, findings, field, (kind, target), fields)
    else:
        watch = read_watch(held, findings, field)
    if watch is None:
        return None
    return Mark(
        watch,
        blob=_text_of(fields, "blob", findings, field),
        sig=_text_of(fields, "sig", findings, field),
        core=_text_of(fields, "core", findings, field),
        body=_text_of(fields, "body", findings, field),
        at=_pair(fields.entries.get("at"), findings, f"{field}.at"),
        counts=_numbers(fields.entries.get("counts"), findings, f"{field}.counts"),
        sample=_sample(fields.entries.get("sample"), findings, f"{field}.sample"),
        uses=_uses(fields.entries.get("uses"), findings, f"{field}.uses"),
        sketch=_text_of(fields, "sketch", findings, field),
    )


def _text_of(fields: Fields, key: str, findings: Findings, field: str) -> str | None:
    entry = fields.entries.get(key)
    return read_text(entry.value, findings, field) if entry else None


def _numbers(entry: Entry | None, findings: Findings, field: str) -> tuple[int, ...]:
    if entry is None or is_absent(entry.value):
        return ()
    items = entry.value.items if isinstance(entry.value, Items) else (entry.value,)
    numbers = (read_number(item, findings, field) for item in items)
    return tuple(number for number in numbers if number is not None)


def _pair(entry: Entry | None, findings: Findings, field: str) -> tuple[int, int] | None:
    numbers = _numbers(entry, findings, field)
    if entry is None or not numbers:
        return None
    if len(numbers) != 2:
        findings.error(entry.value, field, f"{field} holds the first and the last line")
        return None
    return (numbers[0], numbers[1])


def _sample(entry: Entry | None, findings: Findings, field: str) -> tuple[tuple[str, str], ...]:
    pairs = []
    for text in read_texts(entry.value, findings, field) if entry else ():
        oid, _, path = text.partition(" ")
        try:
            pairs.append((unquote_path(path), oid))
        except ValueError as error:
            assert entry is not None
            findings.error(entry.value, field, str(error))
    return tuple(pairs)


def _uses(entry: Entry | None, findings: Findings, field: str) -> tuple[tuple[str, str, str], ...]:
    found = []
    for text in read_texts(entry.value, findings, field) if entry else ():
        blob, _, rest = text.partition(" ")
        sig, _, target = rest.partition(" ")
        try:
            found.append((unquote_path(target), blob, sig))
        except ValueError as error:
            assert entry is not None
            findings.error(entry.value, field, str(error))
    return tuple(found)


def _note_unknown(fields: Fields, known: tuple[str, ...], findings: Findings, field: str) -> None:
    for key, entry in fields.entries.items():
        if key not in known and not key.startswith("x-"):
            findings.warning(entry, field, f"unknown field {shown(key)} in {field}", did_you_mean(key, known))


def plain_baseline(baseline: Baseline) -> dict[str, Plain]:
    """The baseline as plain data for the writer; `read_baseline` is its inverse."""
    held: dict[str, Plain | None] = {
        "commit": baseline.commit,
        "tree": baseline.tree,
        "algo": baseline.algo,
        "scope": baseline.scope,
        "unparsed": list(baseline.unparsed) or None,
        "marks": [plain_mark(mark) for mark in baseline.marks] or None,
    }
    return _present(held)


def plain_mark(mark: Mark) -> dict[str, Plain]:
    """The mark as plain data for the writer."""
    sample: list[Plain] = [f"{oid} {quote_path(path)}" for path, oid in mark.sample]
    uses: list[Plain] = [f"{blob} {sig} {quote_path(target)}" for target, blob, sig in mark.uses]
    held: dict[str, Plain | None] = {
        **_plain_watch(mark.watch),
        "blob": mark.blob,
        "sig": mark.sig,
        "core": mark.core,
        "body": mark.body,
        "at": list(mark.at) if mark.at else None,
        "counts": list(mark.counts) or None,
        "sample": sample or None,
        "uses": uses or None,
        "sketch": mark.sketch,
    }
    return _present(held)


def plain_watch(watch: Watch) -> dict[str, Plain]:
    """The watch as an item of a memory's ``watch``; `read_watch` is its inverse."""
    bare = replace(watch, inside=(), outside=())
    held = _plain_watch(bare if _text_form_holds(bare) else watch)
    form = held.pop("watch")
    if isinstance(form, dict):
        return form
    kind, _, target = str(form).partition(" ")
    return {kind: target, **_present({**_places(watch), **held})}


def format_watch(watch: Watch) -> str:
    """One line that stands for the watch under ``watch:`` of a memory, but for the quote of lines."""
    bare = replace(watch, quote=None)
    if _text_form_holds(bare) and quote_path(watch.target) == watch.target:
        return scalar(str(bare))
    return write_flow(dict(plain_watch(bare)))


def _places(watch: Watch) -> dict[str, Plain | None]:
    def of(globs: tuple[str, ...]) -> Plain | None:
        quoted: list[Plain] = [quote_path(one) for one in globs]
        return quoted[0] if len(quoted) == 1 else quoted or None

    return {"in": of(watch.inside), "outside": of(watch.outside)}


def _plain_watch(watch: Watch) -> dict[str, Plain | None]:
    beside: dict[str, Plain | None] = {
        "polarity": watch.polarity if watch.polarity is not Polarity.ASSERTS else None,
        "quote": _plain_quote(watch.quote) if watch.quote else None,
    }
    if _text_form_holds(watch):
        return {"watch": f"{watch.kind} {quote_path(watch.target)}", **beside}
    spelled: dict[str, Plain | None] = {
        "kind": str(watch.kind),
        "path": _quoted(watch.path),
        "name": _quoted(watch.name),
        "lines": list(watch.lines) if watch.lines else None,
        **_places(watch),
        **beside,
    }
    return {"watch": _present(spelled)}


def _text_form_holds(watch: Watch) -> bool:
    try:
        return parse_watch(watch.kind, watch.target, quote=watch.quote, polarity=watch.polarity) == watch
    except ValueError:
        return False


def _unquoted(text: str | None) -> str | None:
    return None if text is None else unquote_path(text)


def _quoted(text: str | None) -> str | None:
    return None if text is None else quote_path(text)


def _plain_quote(quote: Quote) -> Plain:
    parts = {"exact": quote.exact, "prefix": quote.prefix, "suffix": quote.suffix}
    return {key: text for key, text in parts.items() if text or key == "exact"}


def _present(held: dict[str, Plain | None]) -> dict[str, Plain]:
    return {key: value for key, value in held.items() if value is not None}
