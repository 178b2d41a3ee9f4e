"""Generated values of the store: any text that YAML can hold, any path that git can."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

from hypothesis import strategies as st

from gitmem.model.memory import Claim, Evidence, Kind, Memory, Origin, Scope, Status, Verification
from gitmem.model.validation import Baseline, Mark, Validation
from gitmem.model.watch import NAMED, Polarity, Quote, Watch, WatchKind

TRICKY = (
    "null", "~", "true", "yes", "no", "1e5", "0x1f", "012", "1_000", "12:30:45", "2026-07-13", "2026-07-13T10:00:00Z",
    ".inf", "=", "<<", "- a", "? a", "a: b", "a #b", "#a", "a:", ":a", "'", '"', "\\", "&a", "*a", "!a", "%a", "@a", "`a",
    "|", ">", "{a", "[a", "a,b", "a]", "a}", " a", "a ", "a\tb", "a\nb", "a\n", "\n", "---", "...", "\u0085", "\u2028",
    "\u202e", "\ufeff", "\x00", "\x1b[31m", "\x7f", "결제 중복", "ＡＢ", "日本語", "🙂", "é", "e\u0301", "0123456",
)  # fmt: skip
texts = st.one_of(
    st.sampled_from(TRICKY), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
)
words = st.from_regex(r"[a-z][a-z0-9_-]{0,12}", fullmatch=True)
ids = st.from_regex(r"[a-z0-9][a-z0-9_-]{2,20}", fullmatch=True)
oids = st.from_regex(r"[0-9a-f]{40}", fullmatch=True)
paths = st.one_of(
    st.from_regex(r"src/[a-z]{1,8}\.py", fullmatch=True),
    st.binary(min_size=1, max_size=20)
    .filter(lambda octets: b"\0" not in octets)
    .map(lambda octets: octets.decode("utf-8", "surrogateescape")),
)
offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
_FIRST, _LAST = datetime(1990, 1, 1), datetime(2090, 1, 1)  # noqa: DTZ001 - hypothesis asks for bounds without a zone
times = st.datetimes(_FIRST, _LAST, timezones=st.one_of(offsets, st.just(UTC)))
days = st.dates(date(1990, 1, 1), date(2090, 1, 1))
moments = st.one_of(times, days)
spans = st.tuples(st.integers(1, 9999), st.integers(1, 9999))


def few(strategy: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=most).map(tuple)


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), strategy)


quotes = st.builds(
    Quote, st.one_of(st.just(""), texts), st.one_of(st.just(""), texts), st.one_of(st.just(""), texts)
)
watches = st.one_of(
    st.builds(
        Watch,
        st.sampled_from(WatchKind),
        path=maybe(paths),
        name=maybe(texts),
        lines=maybe(spans),
        quote=maybe(quotes),
        polarity=st.sampled_from(Polarity),
    ),
    st.builds(
        Watch,
        st.sampled_from(sorted(NAMED)),
        name=st.one_of(texts, paths),
        polarity=st.sampled_from(Polarity),
        inside=few(paths),
        outside=few(paths),
    ),
)
marks = st.builds(
    Mark,
    watches,
    blob=maybe(oids),
    sig=maybe(oids),
    core=maybe(oids),
    body=maybe(oids),
    at=maybe(spans),
    counts=few(st.integers(0, 10**9)),
    sample=few(st.tuples(paths, oids)),
    uses=few(st.tuples(paths, oids, oids)),
    sketch=maybe(oids),
)
baselines = st.builds(
    Baseline,
    commit=maybe(oids),
    tree=maybe(oids),
    algo=st.integers(0, 9),
    scope=maybe(oids),
    marks=few(marks),
    unparsed=few(texts),
)
validations = st.builds(
    Validation,
    memory=ids,
    at=moments,
    by=texts,
    how=st.sampled_from(["looked", "replay"]),
    text=maybe(oids),
    baseline=maybe(baselines),
)
plain_values = st.recursive(
    maybe(texts),
    lambda held: st.one_of(st.lists(held, max_size=3), st.dictionaries(words, held, max_size=3)),
    max_leaves=6,
)
memories = st.builds(
    Memory,
    id=ids,
    file=paths,
    kind=st.sampled_from(Kind),
    type=maybe(words),
    status=st.sampled_from(Status),
    summary=texts,
    title=maybe(texts),
    aliases=few(texts),
    body=maybe(texts),
    scope=st.builds(Scope, few(texts), few(texts), few(texts), few(words), few(words), st.booleans()),
    watch=maybe(few(watches)),
    claim=maybe(st.sampled_from(Claim)),
    evidence=st.builds(Evidence, few(texts), few(texts), few(oids), few(paths), few(texts)),
    verification=st.builds(Verification, maybe(texts), maybe(texts)),
    origin=st.builds(Origin, *([maybe(texts)] * 2), few(texts), *([maybe(texts)] * 5)),
    created_at=maybe(moments),
    created_by=maybe(texts),
    approved_at=maybe(moments),
    approved_by=maybe(texts),
    validated_by=maybe(st.sampled_from(["human", "replay"])),
    last_validated_at=maybe(moments),
    baseline=maybe(baselines),
    review_after=maybe(days),
    expires_at=maybe(days),
    challenged_at=maybe(moments),
    challenged_because=maybe(texts),
    drift=maybe(st.sampled_from(["strict", "graded"])),
    supersedes=few(ids),
    superseded_by=few(ids),
    extra=st.dictionaries(words, plain_values, max_size=3),
)
