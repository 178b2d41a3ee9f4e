"""The index of all that recall may deliver: approved memories that live, and what came of sessions.

Only what the trusted tip holds is indexed. The index stands for the ``.ai`` folder of that tip and for the outcomes,
so that a recall that finds it fitting reads no memory at all.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.model.link import without_links
from gitmem.model.memory import Memory, Status
from gitmem.recall.documents import Document, terms_of
from gitmem.recall.linking import linked
from gitmem.recall.ranking import BUDGET
from gitmem.recall.testified import Outcome
from gitmem.store.policies import ROUTES, parse_routes
from gitmem.store.term_index import TermIndex
from gitmem.store.term_writing import Indexed, Wanted, renewed
from gitmem.store.yaml_reading import FILE_LIMITS
from gitmem.trust.effective import newest
from gitmem.usecases.approvals import Asked, how_brought
from gitmem.usecases.knowledge import Knowledge, KnownMemory, load_knowledge
from gitmem.usecases.recalling.cards import OUTCOME, Card, Heads
from gitmem.usecases.recalling.kept_documents import Source, document_state
from gitmem.usecases.recalling.masking import masked_by_rules

MOST_WITH_GRAMS = 5_000
"""Documents above which Latin 3-grams cost more than they bring (recall.md, "The text score")."""
_LIVING = frozenset({Status.ACTIVE, Status.CHALLENGED})


def make_documents(repo: Repository, source: Source, *, old: TermIndex | None = None) -> TermIndex:
    """Make the index, from an older one where most of it stands.

    Args:
        repo: The repository.
        source: What it is made from.
        old: The kept index, if it can be read.
    """
    knowledge = load_knowledge(repo, tree=source.trusted.commit, trusted=source.trusted)
    placed_by = _documents(source, knowledge)
    grams = len(placed_by) <= MOST_WITH_GRAMS
    suffix = "" if grams else " no grams"
    by_key = {f"{key}{suffix}": one for key, one in placed_by.items()}

    def indexed(keys: Sequence[str]) -> Iterator[Indexed]:
        wanted = [by_key[key] for key in keys]
        cards = [_outcome_card(one) if isinstance(one, Outcome) else _card(one.memory) for one in wanted]
        for one, card in zip(wanted, masked_by_rules(cards), strict=True):
            if isinstance(one, Outcome):
                document = _outcome_document(one)
            else:
                document = _document(one.memory, _globs(one.memory, knowledge))
            yield Indexed(terms_of(document, grams=grams), tuple(card))

    def heads_of(numbers: Mapping[str, int]) -> tuple[object, ...]:
        placed = {number: by_key[key] for key, number in numbers.items()}
        return tuple(_heads(repo, source, knowledge, placed))

    state = document_state(source) if knowledge.is_whole and not _asks_history(knowledge) else ""
    file = source.file if state else ""
    return renewed(file, Wanted(state, by_key.keys(), indexed, heads_of), old=old if file else None)


def _documents(source: Source, knowledge: Knowledge) -> dict[str, KnownMemory | Outcome]:
    """What is indexed, by a key that names all that its terms and card depend on."""
    found: dict[str, KnownMemory | Outcome] = {
        _key(one, knowledge): one
        for one in knowledge.memories
        if one.merged and one.memory.status in _LIVING and one.memory.id not in knowledge.heirs
    }
    found.update({f"{OUTCOME}{one.session} {one.commit}": one for one in source.outcomes})
    return found


def _asks_history(knowledge: Knowledge) -> bool:
    """Whether what is approved depends on more than the ``.ai`` folder."""
    return knowledge.policy.require_review


def _key(known: KnownMemory, knowledge: Knowledge) -> str:
    elements = knowledge.elements.paths_of(known.memory.scope.elements)
    told = f" {zlib.crc32(' '.join(elements).encode('utf-8', 'surrogatepass')):08x}" if elements else ""
    return f"{known.blob} {known.memory.file}{told}"


def _globs(memory: Memory, knowledge: Knowledge) -> tuple[str, ...]:
    return (*memory.scope.paths, *knowledge.elements.paths_of(memory.scope.elements))


def _document(memory: Memory, globs: tuple[str, ...]) -> Document:
    names = tuple(name for name in (memory.title, *memory.aliases) if name)
    summary, body = without_links(memory.summary), without_links(memory.body or "")
    return Document(memory.id, names, summary, body, memory.scope.elements, globs)


def _outcome_document(outcome: Outcome) -> Document:
    return Document(f"{OUTCOME}{outcome.session}", (), outcome.summary, "", (), outcome.paths)


def _card(memory: Memory) -> Card:
    scope = memory.scope
    return Card(
        memory.id,
        memory.title,
        memory.summary,
        memory.kind.value,
        memory.label,
        scope.elements,
        scope.paths,
        scope.exclude,
        scope.applies_to,
        scope.does_not_apply_to,
        memory.verification.probe,
        memory.verification.contract_version,
        memory.created_by,
        memory.file,
        scope.project,
    )


def _outcome_card(outcome: Outcome) -> Card:
    name = f"{OUTCOME}{outcome.session}"
    label = outcome.paths[0] if outcome.paths else f"session of {outcome.at[:10]}"
    return Card(
        name, None, outcome.summary, "session_outcome", label, paths=outcome.paths, created_by=outcome.actor
    )


# what ranking needs of all of them
def _heads(
    repo: Repository, source: Source, knowledge: Knowledge, placed: Mapping[int, KnownMemory | Outcome]
) -> Heads:
    size = max(placed, default=-1) + 1
    ids, kinds, validated, days = [""] * size, [""] * size, [""] * size, [0] * size
    memories = {number: one for number, one in placed.items() if isinstance(one, KnownMemory)}
    true_at = {one.memory.id: _known_true(one.memory, knowledge, source.today) for one in memories.values()}
    undated = [one for one in memories.values() if true_at[one.memory.id] is None]
    brought = _brought(repo, source, undated)
    confirmations: dict[str, int] = {}
    for number, one in placed.items():
        if isinstance(one, Outcome):
            ids[number], kinds[number] = f"{OUTCOME}{one.session}", "session_outcome"
            validated[number], days[number] = one.at, _day(_moment(one.at))
            continue
        memory = one.memory
        at = true_at[memory.id] or brought.get(memory.file)
        ids[number], kinds[number] = memory.id, memory.kind.value
        validated[number], days[number] = (at.isoformat() if at else ""), _day(at)
        count = len(knowledge.validations_of(memory.id))
        confirmations.update({memory.id: count} if count else {})
    routes, wrong = _routes(repo, source.trusted.commit)
    return Heads(
        ids,
        kinds,
        validated,
        days,
        _links([one.memory for one in memories.values()], knowledge),
        confirmations,
        {one.name: (one.description or "", one.paths) for one in knowledge.elements.elements},
        tuple(knowledge.elements.adr),
        routes,
        knowledge.policy.profile,
        knowledge.policy.budgets.get("recall", BUDGET),
        (*_settings_problems(knowledge), *wrong),
    )


def _links(memories: Sequence[Memory], knowledge: Knowledge) -> dict[str, tuple[tuple[str, str], ...]]:
    names = [(name, one.id) for one in memories for name in (one.title, *one.aliases) if name]
    texts = {one.id: one.text for one in memories if "[[" in one.text}
    found = linked(
        texts, names, [one.name for one in knowledge.elements.elements], [one.id for one in memories]
    )
    return {memory: tuple((one.what, one.name) for one in targets) for memory, targets in found.items()}


def _routes(repo: Repository, commit: str | None) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Entries of each domain, and what is wrong with the file."""
    entry = repo.entry(commit, ROUTES) if commit else None
    if entry is None:
        return {}, []
    data = repo.read_blob(entry.oid, limit=FILE_LIMITS.size).data
    if data is None:
        return {}, [f"{ROUTES} cannot be read"]
    parsed = parse_routes(ROUTES, data)
    wrong = [f"{ROUTES}:{one.line}: {one.message}" for one in parsed.problems if one.severity == "error"]
    return dict(parsed.routes.domains) if parsed.routes is not None else {}, wrong


def _settings_problems(knowledge: Knowledge) -> Sequence[str]:
    return [
        f"{one.file}{f':{one.line}' if one.line else ''} could not be read: {one.message}"
        for one in knowledge.problems
        if one.severity == "error"
        and (one.file == ".ai/elements.yaml" or one.file.startswith(".ai/policies/"))
    ]


# when they were last known true
def _known_true(memory: Memory, knowledge: Knowledge, today: date | None) -> datetime | date | None:
    """The newest day that is not still to come: nobody can have found it true tomorrow."""
    last = newest(one.validation for one in knowledge.validations_of(memory.id) if one.merged)
    told = (last.at if last else None, memory.last_validated_at or memory.approved_at or memory.created_at)
    days = [at for at in told if at is not None and (today is None or _day(at) <= today.toordinal() + 1)]
    return max(days, key=_day) if days else None


def _brought(repo: Repository, source: Source, known: Sequence[KnownMemory]) -> Mapping[str, datetime]:
    """When the words of memories that name no date came to the trusted branch."""
    if not known or source.trusted.commit is None:
        return {}
    try:
        found = how_brought(repo, source.trusted.commit, [Asked(one.memory.file, one.blob) for one in known])
    except GitmemError:  # history is damaged or not here; they count as fresh
        return {}
    moments = {file: _moment(one.commit.committed_at) for file, one in found.items()}
    return {file: at for file, at in moments.items() if at is not None}


def _moment(at: str) -> datetime | None:
    try:
        told = datetime.fromisoformat(at)
    except ValueError:
        return None
    return told if told.tzinfo else told.replace(tzinfo=UTC)


def _day(at: datetime | date | None) -> int:
    return at.toordinal() if at is not None else 0
