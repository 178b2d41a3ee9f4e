"""Appending one event to a run: mask → objects → lock → read tips → compare-and-swap → acknowledgement.

What is acknowledged (returned) is reachable. The clone's lock (`LOCK` in the common git directory) makes all its
processes and work trees append one after the other; the ref is moved by compare-and-swap all the same, since git
itself can lock or pack it meanwhile. Whatever is lost is retried with jitter until the deadline.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from gitmem.errors import GitmemError, InvalidDataError, NotFoundError, RaceError
from gitmem.git.event_commits import put_files, read_commit, set_symbolic_ref, symbolic_ref
from gitmem.git.packing import pack_reachable
from gitmem.git.program import ProgramRepository
from gitmem.model.change import Person
from gitmem.model.event import DIRTY_TYPES, Event
from gitmem.redaction.masking import Masker
from gitmem.store.artifact_names import masked_names, with_names
from gitmem.store.artifacts import place
from gitmem.store.codec import PAYLOAD_ARTIFACT, UndecodableError, decode, encode
from gitmem.store.drafts import Draft, another_has_it, check_draft, commit_time, payload_json, payload_name
from gitmem.store.judging import HIGHEST_JUMP, MOST_PARENTS
from gitmem.store.large import LARGEST_IN_TREE, Pointer, format_pointer, hold
from gitmem.store.locking import clone_lock
from gitmem.store.run_cache import FoldedRun
from gitmem.store.run_reading import ARTIFACTS, read_run, refresh, run_prefix, run_tips
from gitmem.store.seen_tips import SeenTips
from gitmem.store.vanished import ATTEMPTS, has_commit, write_vanished, write_vanished_at_last
from gitmem.wire.append import CURRENT, ID_LENGTH
from gitmem.wire.stale import StaleLock
from gitmem.wire.writer import make_writer_id, own_writer_ids, random_name

LARGEST_PAYLOAD = 16 * 1024
PACK_EVERY = 2_000
"""Numbers of events after which the loose objects of the latest ones are packed, so that git's own tidying, which begins
at 6,700, does not land in the user's next commit."""
WORTH_PACKING = 1_000
"""Loose objects below which nothing is packed."""
_LOOK_SECONDS = 1.0

Step = Callable[[str], None]
STEPS = ("masked", "blobs", "locked", "read", "tree", "commit", "moved", "released")
"""Where an append can be interrupted; a `Step` is called with each as it is reached."""


class Tip(NamedTuple):
    """A commit that a new event may stand on; of the own ref, whether it was archived and exists no more."""

    commit: str
    seq: int
    tree: str
    is_archived: bool = False


class Goal(NamedTuple):
    """The ref that an append moves, what clears a stale lock of it, and until when that is tried."""

    ref: str
    stale: StaleLock
    deadline: float


class Prepared(NamedTuple):
    """What is done before the lock: the event without seq and writer, its blobs, and their contents by id."""

    event: Event
    blobs: Mapping[str, str]
    files: Mapping[str, str]
    payload_name: str
    is_callers_id: bool
    large: Mapping[str, Pointer]
    contents: Mapping[str, bytes]
    exact: bool = False


class Appender:
    """Appends to one run; belongs to one thread.

    Args:
        repository: Where.
        run: Run id, checked by the caller.
        masker: Masks secrets before anything is written.
        wait: Seconds after which a busy lock or a race that is lost again and again ends the attempt.
        step: Called with each of `STEPS` as it is reached.
    """

    def __init__(
        self,
        repository: ProgramRepository,
        run: str,
        *,
        masker: Masker,
        wait: float = 10.0,
        step: Step = lambda _: None,
    ) -> None:
        self._repository = repository
        self._run = run
        self._masker = masker
        self._wait = wait
        self._step = step
        self._author: Person | None = None
        self._own: Tip | None = None
        self._others: dict[str, str] = {}
        self._looked = float("-inf")
        self._seq_before = 0
        self._folded: FoldedRun | None = None
        self._merged = SeenTips(repository, run)

    def append(self, draft: Draft) -> Event:
        """Append an event and return it as it was written; the one that is there when its id was appended before.

        Raises:
            UsageError: A type, id, name, field or value that an event cannot have; nothing was written.
            RaceError: The lock was busy or the race lost until the deadline; nothing was half done.
        """
        prepared = self._prepare(draft)
        self._step("blobs")
        deadline = time.monotonic() + self._wait
        with clone_lock(self._repository.layout, deadline):
            self._step("locked")
            event = self._write(prepared, deadline)
        self._step("released")
        if event.seq // PACK_EVERY > self._seq_before // PACK_EVERY:
            pack_reachable(self._repository, event.commit, at_least=WORTH_PACKING, newest=PACK_EVERY)
        return event

    # before the lock
    def _prepare(self, draft: Draft) -> Prepared:
        check_draft(draft)
        masked, kinds = self._masked(draft)
        self._step("masked")
        name = masked.id or random_name(ID_LENGTH)
        contents: dict[str, bytes] = {}

        def write(content: bytes) -> str:
            oid = self._repository.write_blob(content)
            contents[oid] = content
            return oid

        large = {
            one: Pointer(write(content), len(content))
            for one, content in masked.artifacts.items()
            if len(content) > LARGEST_IN_TREE
        }
        kept = {**masked.artifacts, **{one: format_pointer(pointer) for one, pointer in large.items()}}
        blobs = {one: write(content) for one, content in kept.items()}
        whole = ""
        body = payload_json(masked)
        if len(body) > LARGEST_PAYLOAD:
            whole = payload_name(name)
            blobs[whole] = write(body)
        event = Event(
            commit="",
            seq=0,
            writer="",
            id=name,
            run=self._run,
            type=masked.type,
            at=masked.at or datetime.now().astimezone().isoformat(timespec="milliseconds"),
            actor=masked.actor,
            payload=masked.payload,
            session=masked.session,
            code=masked.code or None if masked.elsewhere or masked.code is not None else self._code(),
            dirty=masked.dirty if masked.elsewhere else self._dirty(masked.type),
            extra=_extra(masked, kinds),
        )
        files = {path: write(content) for path, content in masked.files.items()}
        return Prepared(event, blobs, files, whole, bool(masked.id), large, contents, draft.exact)

    def _masked(self, draft: Draft) -> tuple[Draft, dict[str, int]]:
        kinds: dict[str, int] = {}

        def note(pair: tuple[Any, Mapping[str, int]]) -> Any:
            for kind, count in pair[1].items():
                kinds[kind] = kinds.get(kind, 0) + count
            return pair[0]

        masker = self._masker
        texts = {"actor": draft.actor, "session": draft.session, "id": draft.id}
        given = {**texts, "payload": dict(draft.payload), "not_saved": list(draft.not_saved)}
        told = note(masker.mask_value(given))
        names = masked_names(masker, draft.artifacts, note)
        masked = replace(
            draft,
            payload=with_names(told["payload"], draft.payload, names),
            not_saved=tuple(told["not_saved"]),
            artifacts={
                names[one].text: note(masker.mask_bytes(data)) for one, data in draft.artifacts.items()
            },
            files={name: note(masker.mask_bytes(data)) for name, data in draft.files.items()},
            actor=told["actor"],
            session=told["session"],
            id=told["id"],
        )
        return masked, kinds

    def _code(self) -> str | None:
        try:
            return self._repository.head()
        except GitmemError:  # a damaged HEAD must not keep the event from being written
            return None

    def _dirty(self, event_type: str) -> bool | None:
        if event_type not in DIRTY_TYPES or self._repository.layout.work_tree is None:
            return None
        try:
            return bool(self._repository.status().all)
        except GitmemError:
            return None

    # under the lock
    def _write(self, prepared: Prepared, deadline: float) -> Event:
        common = str(self._repository.layout.common_dir)
        writer = make_writer_id(common)  # each time: a sync may have changed it
        ref = f"{run_prefix(self._run)}{writer}"
        stale = StaleLock(f"{common}/{ref}.lock")
        attempts = ATTEMPTS
        while True:
            own = self._own_tip(ref)
            if prepared.is_callers_id:
                before = self._appended_before(own_writer_ids(common), prepared.event.id)
                if before is not None:
                    if prepared.exact and not self._says_the_same(before, prepared):
                        raise another_has_it(before)
                    self._seq_before = before.seq
                    return before
            write_vanished(self._repository, prepared.contents)
            if prepared.large:
                hold(self._repository, writer, self._run, [one.oid for one in prepared.large.values()])
            parents, tree = self._parents(ref, own)
            self._step("read")
            try:
                event, tip = self._commit(prepared, writer, parents, tree)
                self._step("commit")
                is_moved = self._moved(Goal(ref, stale, deadline), own, tip, parents)
            except NotFoundError:  # git's tidying may have taken it
                attempts -= 1
                if not attempts:
                    raise
                continue
            if is_moved:
                write_vanished_at_last(self._repository, prepared.contents)
                if not has_commit(self._repository, tip.commit, tip.tree, has_artifacts=bool(prepared.blobs)):
                    self._commit(prepared, writer, parents, tree)
                return event

    def _moved(self, goal: Goal, own: Tip | None, tip: Tip, parents: list[Tip]) -> bool:
        """Whether the ref could be moved; False when that is to be tried again.

        Raises:
            RaceError: It could not, and the time is over.
        """
        try:
            old = None if own is None or own.is_archived else own.commit
            self._repository.move_ref(goal.ref, tip.commit, old=old)
        except RaceError:
            if time.monotonic() >= goal.deadline:
                raise
            if not goal.stale.remove():
                time.sleep(random.uniform(0.0, 0.05))
            return False
        self._step("moved")
        self._seq_before = own.seq if own else tip.seq - 1
        self._own = tip
        self._merged.add(parent.commit for parent in parents if parent is not own)
        self._merged.save()
        if own is None or own.is_archived:
            name_current(self._repository, self._run, goal.ref)
        return True

    def _own_tip(self, ref: str) -> Tip | None:
        held = self._repository.ref(ref)
        is_archived = held is None
        if held is None:
            held = run_tips(self._repository, self._run).get(ref)
            if held is None:
                return None
        if self._own is None or self._own.commit != held or self._own.is_archived != is_archived:
            found = self._tip(held)
            if found is None:
                raise InvalidDataError(f"{ref}: tip {held} cannot be read", hint="git fsck tells more")
            self._own = found._replace(is_archived=is_archived)
        return self._own

    def _tip(self, oid: str) -> Tip | None:
        """The seq and tree of a commit; None for what cannot be read as an event."""
        raw, tree = read_commit(self._repository, oid)
        if raw.message is None:
            return None
        try:
            return Tip(oid, decode(oid, raw.message).seq, tree)
        except UndecodableError:
            return None

    def _appended_before(self, writers: Collection[str], event_id: str) -> Event | None:
        self._folded = refresh(self._repository, self._run, self._folded)
        if not any(self._folded.marks.may_have_id(writer, event_id) for writer in writers):
            return None
        events = read_run(self._repository, self._run).events
        return next((one for one in events if one.writer in writers and one.id == event_id), None)

    def _says_the_same(self, before: Event, prepared: Prepared) -> bool:
        """Whether an event says what a draft says; when and at which commit is not asked."""
        new = prepared.event
        if (before.type, before.actor, dict(before.payload)) != (new.type, new.actor, dict(new.payload)):
            return False
        entries = {
            name.rpartition("/")[2]: self._repository.entry(before.commit, f"{ARTIFACTS}/{name}")
            for name in before.artifacts
        }
        return {name: entry.oid for name, entry in entries.items() if entry} == dict(prepared.blobs)

    def _parents(self, ref: str, own: Tip | None) -> tuple[list[Tip], str]:
        """Own tip (or the one to go on from) first, then up to 15 others that are no ancestors yet; and the tree."""
        if time.monotonic() - self._looked > _LOOK_SECONDS or own is None:
            self._others = {
                name: oid for name, oid in run_tips(self._repository, self._run).items() if name != ref
            }
            self._looked = time.monotonic()
        if not self._others:
            return ([own], own.tree) if own else ([], "")
        first = own or self._continued()
        if first is None:
            return [], ""
        fresh = self._merged.not_in(first.commit, set(self._others.values()) - {first.commit})
        tips = [tip for tip in map(self._tip, fresh) if tip and tip.seq <= first.seq + HIGHEST_JUMP]
        tips.sort(key=lambda tip: (tip.seq, tip.commit), reverse=True)
        return [first, *tips[: MOST_PARENTS - 1]], first.tree

    def _continued(self) -> Tip | None:
        """What a first event of this clone goes on from: the tip with the highest (seq, writer) that a reader takes."""
        tips = set(self._others.values())
        events = read_run(self._repository, self._run).events
        last = next((event for event in reversed(events) if event.commit in tips), None)
        return self._tip(last.commit) if last else None

    def _commit(self, prepared: Prepared, writer: str, parents: list[Tip], tree: str) -> tuple[Event, Tip]:
        event, tree = self._placed(prepared, writer, 1 + max((tip.seq for tip in parents), default=0), tree)
        commit = self._repository.write_commit(
            tree=tree,
            parents=[tip.commit for tip in parents],
            message=encode(event).decode("utf-8"),
            author=self._identity(),
            at=commit_time(event.at),
        )
        return event._replace(commit=commit), Tip(commit, event.seq, tree)

    def _placed(self, prepared: Prepared, writer: str, seq: int, tree: str) -> tuple[Event, str]:
        """The event as it will be written, and the root tree with its files."""
        placed = place(self._repository, tree, prepared.blobs)
        files = {f"{ARTIFACTS}/{placed[name]}": oid for name, oid in prepared.blobs.items()}
        tree = put_files(self._repository, tree, {**prepared.files, **files})
        self._step("tree")
        extra = dict(prepared.event.extra)
        if prepared.payload_name:
            extra[PAYLOAD_ARTIFACT] = placed[prepared.payload_name]
        if prepared.large:
            extra["large"] = {
                placed[name]: {"blob": pointer.oid, "size": pointer.size}
                for name, pointer in prepared.large.items()
            }
        event = prepared.event._replace(
            writer=writer,
            seq=seq,
            artifacts=tuple(placed.values()),
            extra=extra,
        )
        return event, tree

    def _identity(self) -> Person:
        if self._author is None:
            self._author = self._repository.identity()
        return self._author


def _extra(draft: Draft, masked: Mapping[str, int]) -> dict[str, Any]:
    told = {"masked": dict(masked), "not_saved": list(draft.not_saved)}
    return {name: value for name, value in told.items() if value}


def name_current(repository: ProgramRepository, run: str, ref: str) -> None:
    """Let this work tree's AI_RUN name the run's own ref if it named another ref of it; best effort."""
    try:
        held = symbolic_ref(repository, CURRENT)
        if held is not None and held != ref and held.startswith(run_prefix(run)):
            set_symbolic_ref(repository, CURRENT, ref)
    except GitmemError:
        return


def own_ref(repository: ProgramRepository, run: str) -> str:
    """This clone's ref of a run; its writer id is made when there is none."""
    with clone_lock(repository.layout, time.monotonic() + 10.0):
        return f"{run_prefix(run)}{make_writer_id(str(repository.layout.common_dir))}"
