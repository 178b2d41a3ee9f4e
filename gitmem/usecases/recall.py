"""What is known about a task: approved memories and what came of sessions, ranked, with the doubts that go with them.

Reads alone, and what it keeps lies under the git directory. Only what the trusted branch holds is delivered; what the
code has moved under comes further down, with its warning. Only status, approval, domain and anti-scope exclude, and
what every agent reads anyway (domain.md section 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from gitmem.recall.ranking import Score, estimated_tokens, within_budget
from gitmem.store.term_index import DAMAGE, TermIndex, load_index
from gitmem.usecases.recalling.cards import Card, Heads
from gitmem.usecases.recalling.kept_documents import Source, index_file, load_documents
from gitmem.usecases.recalling.masking import masked_by_rules, masked_here, masked_text, secret_here
from gitmem.usecases.recalling.question import Asked, Ground
from gitmem.usecases.recalling.search import Found, search
from gitmem.usecases.recalling.standing import Standing, standing
from gitmem.usecases.vantage import Outlook

if TYPE_CHECKING:
    from gitmem.git.program import ProgramRepository
    from gitmem.recall.testified import Testimony
    from gitmem.trust.branch import Trusted

__all__ = ["Asked", "Item", "Recalled", "recall"]


class Item(NamedTuple):
    """One thing that an answer says.

    Args:
        card: The memory, the outcome of a session, or what a link led to.
        score: With all its parts.
        status: ``active``, ``challenged``, ``outcome``, or ``linked`` for what is no memory.
        warning: What must be read with it, in words; empty when nothing is against it.
        validated_at: When it was last known true; empty when nothing says so.
        age_days: Days since then; None when nothing says so.
        confirmations: How often somebody looked, or said the same again.
        via: Id of the memory that links to it; None when none does.
        is_pulled: Whether it is told for that link alone.
        is_held: Whether its scope holds what is asked for by path or element.
    """

    card: Card
    score: Score
    status: str
    warning: str
    validated_at: str
    age_days: int | None
    confirmations: int
    via: str | None
    is_pulled: bool = False
    is_held: bool = False


class Recalled(NamedTuple):
    """An answer.

    Args:
        query: As it was asked.
        profile: Name of the constants that ranked it.
        vectors: Whether vectors took part.
        items: Best first.
        remark: One sentence when there is nothing to say, or when a question could not be taken as it was.
        problems: What could not be read or judged on the way.
        paused: Why the provider of vectors was not asked, told to whom asks how the answer came about; else empty.
    """

    query: str
    profile: str
    vectors: bool
    items: tuple[Item, ...]
    remark: str = ""
    problems: tuple[str, ...] = ()
    paused: str = ""


class _Known(NamedTuple):
    """What an answer is made from besides the index."""

    trusted: Trusted
    head: str | None
    now: datetime
    standing: Standing
    testimony: Testimony | None
    is_past: bool = False
    embeds: bool = False
    may_load: bool = True
    secret: tuple[str, ...] = ()


_EMBEDS = "gitmem.embed."


def recall(
    repo: ProgramRepository,
    asked: Asked,
    now: datetime,
    *,
    semantic: Mapping[str, float] | None = None,
    may_load: bool = True,
    outlook: Outlook | None = None,
) -> Recalled:
    """Recall what is known.

    Args:
        repo: The repository.
        asked: What for.
        now: The present moment, with offset.
        semantic: Cosine of each document that has a vector, by id; asked of the configured provider when None.
        may_load: Whether the offline model may be loaded for it, which takes more than a second: not in a hook.
        outlook: Of the repository, where it was looked up already.

    Raises:
        NotFoundError: When the revision to look back from does not exist.
    """
    outlook = outlook or Outlook(repo)
    trusted = outlook.trusted
    if trusted.commit is None:
        return Recalled(asked.query, "default", False, (), f"Nothing is approved here: {trusted.why}.")
    known = _past(repo, trusted, asked.as_of) if asked.as_of else _present(repo, outlook, now)
    embeds = any(name.startswith(_EMBEDS) for name in outlook.settings)
    known = known._replace(embeds=embeds, may_load=may_load, secret=secret_here())
    source = _source(repo, known)
    index = load_documents(source)
    try:
        if index is not None:
            return _answer(repo, asked, index, known, semantic)
    except DAMAGE:
        index = None  # the file is damaged: it is made anew
    made = _made(repo, source)
    return _answer(repo, asked, made, known, semantic)


def _made(repo: ProgramRepository, source: Source) -> TermIndex:
    from gitmem.usecases.recalling.documents import make_documents

    old = load_index(source.file) if source.file else None
    try:
        return make_documents(repo, source, old=old)
    finally:
        if old is not None:
            old.close()


def _present(repo: ProgramRepository, outlook: Outlook, now: datetime) -> _Known:
    from gitmem.usecases.recalling.testimony import load_testimony

    vantage = outlook.vantage
    head = vantage.head if vantage is not None else repo.head()
    against = standing(repo, outlook, now.date())
    return _Known(outlook.trusted, head, now, against, load_testimony(repo))


def _past(repo: ProgramRepository, trusted: Trusted, revision: str) -> _Known:
    """As that commit knew it: what was approved where it left the trusted branch, judged by its code and its day.

    What sessions said since is left out, and what they said before too: the ledger's events are not a commit's.
    """
    from gitmem.usecases.drift import examine
    from gitmem.usecases.request import Request, Target

    commit = repo.resolve(revision)
    base = repo.merge_base(trusted.commit, commit) if trusted.commit else None
    then = trusted._replace(commit=base)
    told = repo.commit(commit)
    now = datetime.fromisoformat(told.committed_at) if told is not None else datetime.now(UTC)
    request = Request(target=Target("commit", commit), today=now.date(), trusted=then)
    report = examine(repo, request).report
    against = {one.id: one.warning for one in report.challenged if not one.proposed}
    return _Known(then, commit, now, Standing(against), None, is_past=True)


def _source(repo: ProgramRepository, known: _Known) -> Source:
    if known.is_past or known.testimony is None:
        return Source(known.trusted, "", today=known.now.date())
    tip = known.trusted.commit or ""
    (found,) = repo.find_objects([f"{tip}:.ai"])
    ai = found.oid if found is not None else ""
    if not ai:  # a partial clone answers no such question
        entry = repo.entry(tip, ".ai")
        ai = entry.oid if entry is not None else "none"
    return Source(known.trusted, ai, known.testimony.outcomes, index_file(repo), known.now.date())


# the answer
def _answer(
    repo: ProgramRepository,
    asked: Asked,
    index: TermIndex,
    known: _Known,
    semantic: Mapping[str, float] | None,
) -> Recalled:
    try:
        heads = Heads._make(index.heads)
        semantic, unasked, paused = (
            (semantic, "", "") if semantic is not None else _alike(repo, asked, index, heads, known)
        )
        ground = Ground(
            index,
            heads,
            known.head,
            known.now.date(),
            known.standing.warnings,
            known.testimony.usage if known.testimony is not None else {},
        )
        found = search(repo, asked, ground, semantic)
        items = [_item(one, heads, known) for one in found.places]
    finally:
        index.close()
    count = within_budget(map(_cost, items), asked.budget or heads.budget)
    problems = [one for one in (known.standing.problem, unasked, *heads.problems) if one]
    remark = found.remark or ("" if items else _nothing(asked, heads))
    told = tuple(items[:count])
    return Recalled(asked.query, heads.profile, bool(semantic), told, remark, tuple(problems), paused)


def _alike(
    repo: ProgramRepository, asked: Asked, index: TermIndex, heads: Heads, known: _Known
) -> tuple[Mapping[str, float] | None, str, str]:
    """How alike documents are to the question, by id, what must be said of the provider, and why it is paused."""
    if not known.embeds or not asked.query.strip():
        return None, "", ""
    from gitmem.usecases.embedding.asking import alike_to_question
    from gitmem.usecases.embedding.texts import document_key

    ids = {document_key(key): heads.ids[number] for key, number in index.keys.items()}
    alike = alike_to_question(repo, asked.query, ids, may_load=known.may_load)
    if alike.cosines is None:
        return None, alike.problem, alike.paused
    return {ids[key]: cosine for key, cosine in alike.cosines.items()}, alike.problem, ""


def _nothing(asked: Asked, heads: Heads) -> str:
    if not any(heads.ids):
        return "No memory is approved here yet."
    return f"Nothing that is known here speaks of {'this domain' if asked.domain and not asked.query else 'this'}."


def _item(found: Found, heads: Heads, known: _Known) -> Item:
    name = found.card.id
    warning = known.standing.warnings.get(name, "")
    status = found.status or ("challenged" if name in known.standing.warnings else "active")
    day = heads.days[found.number] if found.number is not None else 0
    repeated = known.testimony.repeated.get(name, 0) if known.testimony is not None else 0
    # What a link leads to was not indexed.
    card = found.card if found.number is not None else masked_by_rules([found.card])[0]
    return Item(
        masked_here(card, known.secret),
        found.score,
        status,
        masked_text(warning),
        heads.validated[found.number] if found.number is not None else "",
        max(0, known.now.date().toordinal() - day) if day else None,
        heads.confirmations.get(name, 0) + repeated,
        found.via,
        found.is_pulled,
        found.is_held,
    )


def _cost(item: Item) -> int:
    card = item.card
    words: Iterable[str] = (card.label, card.summary, item.warning, card.probe or "", *card.applies_to)
    return estimated_tokens(" ".join((*words, *card.does_not_apply_to))) + _LINE_COST


_LINE_COST = 20
"""Tokens of what stands around the words of one item."""
