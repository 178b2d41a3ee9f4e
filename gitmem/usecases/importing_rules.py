"""Take the rules that a project has written for agents and people as candidates (cli.md ``import``).

AGENTS.md, CLAUDE.md, Cursor and Copilot rules, decision records and Markdown become one candidate a fact, marked
``origin.imported: FILE:LINE``. All go to the ledger in one step or not at all. What is known, waits or was denied is
not taken again, so a second import adds nothing. Files are read as they stand in the work tree; a symbolic link is never
followed, and what git ignores is not the project's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

from gitmem.errors import NotFoundError, UsageError
from gitmem.git.interface import Repository
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE, MODE_SYMLINK, TreeEntry
from gitmem.model.ids import random_suffix
from gitmem.model.memory import Evidence, Memory, Origin, Scope, Status
from gitmem.model.text_folding import one_spaced
from gitmem.promotion.importing.fact import Extracted, Fact, Skipped
from gitmem.promotion.importing.folding import folded_facts
from gitmem.promotion.importing.reading import read_rules
from gitmem.promotion.importing.sources import is_found, kind_of, named_kind
from gitmem.promotion.repetition import Answer, KnownFacts
from gitmem.promotion.statement import bare
from gitmem.store.candidate_events import CANDIDATE, candidate_payload
from gitmem.store.drafts import NO_CODE, Draft
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.ai_files import AI_FOLDER
from gitmem.usecases.candidates import load_candidates
from gitmem.usecases.knowledge import load_knowledge
from gitmem.usecases.lessons import author
from gitmem.usecases.remember import check_writable
from gitmem.usecases.runs.recording import Teller

LARGEST: Final = 256 * 1024
"""Bytes of one file."""
MOST: Final = 2_000
"""Facts of one import."""


class ImportedFact(NamedTuple):
    """A fact that is a candidate now.

    Args:
        memory: What was written; its id is the candidate's.
        fact: Where it stands.
        answer: What else is known of it.
    """

    memory: Memory
    fact: Fact
    answer: Answer


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did.

    Args:
        run: Where the candidates were written.
        files: How many files were read.
        facts: The new candidates, by file and line.
        skipped: What was not taken, and why.
        short: Items too short to be understood without the others, their words as the reason.
    """

    run: str
    files: int
    facts: tuple[ImportedFact, ...]
    skipped: tuple[Skipped, ...]
    short: tuple[Skipped, ...] = ()


def import_rules(
    ledger: RunLedger, run: Run, sources: Sequence[str], teller: Teller, now: datetime
) -> Imported:
    """Import rules files.

    Args:
        ledger: Of the repository whose work tree is read.
        run: Where the candidates go.
        sources: Repository paths of files or folders; every rules file of the tree when empty.
        teller: Who imports.
        now: The moment.

    Raises:
        NotFoundError: Nothing is at a source, or nothing there can hold rules.
        NotServedError: The repository has no work tree.
        RaceError: Somebody else was writing for too long; nothing was written.
    """
    repository = ledger.repository
    entries = repository.worktree_entries()
    chosen, skipped = choose(entries, sources)
    read = [_read(repository, one) for one in chosen]
    folders = {one.path.rpartition("/")[0] for one in entries}
    facts = folded_facts(_placed(fact, folders) for one in read for fact in one.facts)
    skipped += [problem for one in read for problem in one.skipped]
    skipped += [_again(place, fact) for fact in facts for place in fact.also]
    if len(facts) > MOST:
        skipped.append(
            Skipped(
                facts[MOST].source, facts[MOST].line, f"more than {MOST} facts; import the rest by itself"
            )
        )
    importing = _Importing(ledger, teller, now)
    taken, refused = importing.sort(facts[:MOST])
    ledger.append_all(run.id, [importing.draft(one) for one in taken])
    short = tuple(item for one in read for item in one.short)
    return Imported(run.id, len(chosen), tuple(taken), (*skipped, *refused), short)


def _again(place: str, fact: Fact) -> Skipped:
    """A copy counts once, also under another heading; the candidate names every place."""
    source, _, line = place.rpartition(":")
    return Skipped(source, int(line), f"said again: it stands at {fact.place}, and counts once")


def choose(entries: Iterable[TreeEntry], sources: Sequence[str]) -> tuple[list[TreeEntry], list[Skipped]]:
    """The files to read, and what was left out of those asked for; nearer the top first.

    Raises:
        NotFoundError: Nothing is at a source, or nothing there can hold rules.
    """
    listed = [one for one in entries if not one.path.startswith(f"{AI_FOLDER}/")]
    asked = [one for source in sources for one in _below(listed, source)]
    wanted = asked if sources else [one for one in listed if is_found(one.path)]
    files = {one.path: one for one in wanted if one.mode in {MODE_FILE, MODE_EXECUTABLE}}
    links = [
        Skipped(one.path, 0, "a symbolic link is not followed") for one in wanted if one.mode == MODE_SYMLINK
    ]
    return sorted(files.values(), key=lambda one: (one.path.count("/"), one.path)), links


def _below(entries: Sequence[TreeEntry], source: str) -> Iterator[TreeEntry]:
    folder = source.rstrip("/")
    inside = [one for one in entries if folder in {".", one.path} or one.path.startswith(f"{folder}/")]
    if not inside:
        raise NotFoundError(
            f"{source}: no such file in the work tree",
            hint="name a file or folder that git does not ignore, or none to find every rules file",
            path=source,
        )
    known = [one for one in inside if kind_of(one.path)]
    found = known or [one for one in inside if named_kind(one.path)]
    if not found:
        raise NotFoundError(
            f"{source}: no Markdown, so no rules",
            hint="gitmem import reads Markdown and .mdc files",
            path=source,
        )
    return iter(found)


def _read(repository: Repository, entry: TreeEntry) -> Extracted:
    data = repository.worktree_blob(entry.path) or b""
    if len(data) > LARGEST:
        reason = f"{len(data)} bytes, over the limit of {LARGEST}; split it"
        return Extracted(skipped=(Skipped(entry.path, 0, reason),))
    try:
        return read_rules(entry.path, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return Extracted(skipped=(Skipped(entry.path, line, "not UTF-8"),))


def _placed(fact: Fact, folders: Iterable[str]) -> Fact:
    """A fact under a heading that only looks like a folder's path holds for the project."""
    if fact.under_folder is None:
        return fact
    if any(one == fact.under_folder or one.startswith(f"{fact.under_folder}/") for one in folders):
        return fact
    return replace(fact, scope=Scope(project=True), type="team_workflow_rule")


class _Importing:
    """Sorts facts into new ones and others; what is known is loaded once."""

    def __init__(self, ledger: RunLedger, teller: Teller, now: datetime) -> None:
        self._masker = ledger.masker
        self._teller = teller
        self._now = now
        self._code = ledger.repository.head() or NO_CODE
        self._author = author(ledger.repository, teller.actor)
        knowledge, known = load_knowledge(ledger.repository), load_candidates(ledger)
        self._known = KnownFacts(knowledge.approved, knowledge.proposed, known.candidates, knowledge.heirs)
        self._ids = {one.id for one in known.candidates} | {one.memory.id for one in knowledge.memories}
        self._times_said: dict[str, int] = {}
        for one in known.candidates:
            words = bare(one.memory.summary)
            self._times_said[words] = self._times_said.get(words, 0) + 1

    def sort(self, facts: Iterable[Fact]) -> tuple[list[ImportedFact], list[Skipped]]:
        taken: list[ImportedFact] = []
        skipped: list[Skipped] = []
        for fact in facts:
            memory = self._memory(fact)
            answer = self._known.answer(memory)
            reason = _known(answer) or self._refusal(memory)
            if reason:
                skipped.append(Skipped(fact.source, fact.line, reason))
            else:
                taken.append(ImportedFact(memory, fact, answer))
                self._known.add(memory)  # AGENTS.md may contradict CLAUDE.md
        return taken, skipped

    def draft(self, one: ImportedFact) -> Draft:
        """The event; its id is the same for the same words, so that two imports at once write them once."""
        payload = candidate_payload(
            one.memory, similar_to=one.answer.similar_to, conflicts=one.answer.conflicts
        )
        words = bare(one.memory.summary)
        said = "\0".join(
            (one_spaced(one.memory.text), repr(one.memory.scope), str(self._times_said.get(words, 0)))
        )
        key = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:24]
        return Draft(
            CANDIDATE,
            self._teller.actor,
            payload,
            id=f"import-{key}",
            session=self._teller.session,
            code=self._code,
        )

    def _memory(self, fact: Fact) -> Memory:
        return Memory(
            self._new_id(),
            "",
            fact.kind,
            fact.type,
            Status.CANDIDATE,
            fact.summary,
            title=fact.title,
            body=_body(fact),
            scope=fact.scope,
            evidence=Evidence(documents=(fact.source,)),
            origin=Origin(imported=fact.place),
            created_at=self._now,
            created_by=self._author,
        )

    def _new_id(self) -> str:
        made = f"candidate-{self._now:%Y%m%d}-{random_suffix()}"
        if made in self._ids:
            return self._new_id()
        self._ids.add(made)
        return made

    def _refusal(self, memory: Memory) -> str:
        """Why a fact can be no candidate; empty when it can."""
        _, kinds = self._masker.mask_value(candidate_payload(memory))
        if kinds:
            return f"holds what must not be written down: {', '.join(sorted(kinds))}"
        try:
            check_writable(memory)
        except UsageError as error:
            return error.message
        return ""


def _known(answer: Answer) -> str:
    if answer.repeats:
        return f"known: {answer.repeats} says it"
    if answer.waits:
        return f"known: {answer.waits} waits with it"
    return f"denied before: {answer.denied.id}" if answer.denied else ""


def _body(fact: Fact) -> str | None:
    """What follows the rule in its file; under which headings, and where else it stands."""
    under = f"Under: {' › '.join(fact.headings)}" if fact.headings else ""
    also = f"Also said in {', '.join(fact.also)}" if fact.also else ""
    return "\n\n".join(part for part in (fact.body, under, also) if part) or None


def counted(skipped: Iterable[Skipped]) -> Mapping[str, int]:
    """How many were skipped for which kind of reason: the words before the colon."""
    told: dict[str, int] = {}
    for one in skipped:
        kind = one.reason.partition(":")[0]
        told[kind] = told.get(kind, 0) + 1
    return told
