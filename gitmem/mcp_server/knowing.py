"""Tools that read: the answer is empty with one sentence where a memory, the cache or the ledger fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import GitmemError, UsageError
from gitmem.mcp_server.capping import sentences
from gitmem.mcp_server.desk import Answer, Desk
from gitmem.mcp_server.fields import Values
from gitmem.model.ids import is_memory_id

if TYPE_CHECKING:
    from gitmem.usecases.recall import Recalled
    from gitmem.usecases.recalling.question import Asked

_MOST_ELEMENTS: Final = 8
_MOST_PLACES: Final = 5
_NO_RESULT: Final[Mapping[str, Any]] = {"results": [], "problems": []}


def brief(desk: Desk, given: Values) -> Answer:
    """What a session should read first; with a task also each thing that is known about it."""
    loaded = None
    try:
        from gitmem.report.brief import brief_document, format_brief
        from gitmem.usecases.brief import load_brief
        from gitmem.usecases.brief_memories import Task

        task = Task(given["task"], tuple(map(desk.path, given["paths"])), host=_host(desk))
        loaded = load_brief(desk.ledger, run=desk.run_word(), task=task, now=desk.now())
        told = brief_document(loaded, format_brief(loaded, budget=given["budget"] or None))
        document = {**told, "remark": loaded.problem or (loaded.remark if loaded.is_empty else "")}
    except (GitmemError, OSError) as error:
        document = {"text": "", "run": None, "memories": [], "remark": _sentence(error)}
    results: Sequence[Mapping[str, Any]] = ()
    if given["task"].strip() or given["paths"]:
        recalled = loaded.memories.recalled if loaded is not None else None
        asked = {**given, "query": given["task"], "elements": (), "domain": "", "limit": 0}
        results = _results(recalled) if recalled is not None else recall(desk, asked).document["results"]
    ids = [*document["memories"], *(one["id"] for one in results if one["status"] != "linked")]
    query = loaded.memories.query if loaded is not None else given["task"]
    return Answer(
        {**document, "results": list(results)}, _delivery(desk, ids, query=query, session=given["session"])
    )


def recall(desk: Desk, given: Values) -> Answer:
    """What is known about a task, best first."""
    from gitmem.usecases.recalling.question import Asked

    paths = tuple(map(desk.path, given["paths"]))
    asked = Asked(
        given["query"],
        paths,
        given["elements"],
        given["domain"].strip() or None,
        given["limit"] or _MOST_PLACES,
        host=_host(desk),
    )
    return _recalled(desk, asked, given["session"])


def find_relevant_context(desk: Desk, given: Values) -> Answer:
    """The elements that a task is about, and what is known of them and of the task."""
    from gitmem.usecases.recalling.question import Asked

    paths = tuple(map(desk.path, given["paths"]))
    elements, remark = _elements(desk, given["task"])
    names = tuple(one["name"] for one in elements[:3])
    asked = Asked(given["task"], paths, names, None, given["limit"] or _MOST_PLACES, host=_host(desk))
    told = _recalled(desk, asked, given["session"])
    remarks = " ".join(one for one in (remark, told.document["remark"]) if one)
    return told._replace(document={"elements": elements, **told.document, "remark": remarks})


def memory_show(desk: Desk, given: Values) -> Answer:
    """One memory in full, an unmerged edit of it behind it.

    Raises:
        UsageError, NotFoundError: No such id.
    """
    from gitmem.report.listing import listing_document, standing_fields
    from gitmem.usecases.listing import find, validation_of
    from gitmem.usecases.proposals import with_proposals

    loaded = desk.listing()
    listing = find(with_proposals(desk.repository, loaded), memory_id(given["id"]))
    document = listing_document(listing)
    for shown, listed in zip(document["memories"], listing.memories, strict=True):
        shown.update(standing_fields(validation_of(loaded.knowledge, listed.memory)))
    return Answer(document)


def review_queue(desk: Desk, given: Values) -> Answer:
    """What waits for a person, most pressing first."""
    try:
        from gitmem.report.review import review_document
        from gitmem.usecases.reviewing.loading import load_queue

        document = review_document(load_queue(desk.ledger, today=desk.today(), loaded=desk.listing()))
    except (GitmemError, OSError) as error:
        return Answer({"queue": [], "total": 0, "remark": _sentence(error)})
    only = {"candidates": "candidate", "conflicts": "conflict"}.get(given["only"], given["only"])
    items = [one for one in document["queue"] if not only or one["reason"] == only]
    shown = items[: given["limit"] or 20]
    remark = "" if items else "Nothing waits for a person."
    return Answer({**document, "queue": shown, "total": len(items), "remark": remark})


def get_ready(desk: Desk) -> bool:
    """Load what the first call will need, so that it does not wait for it.

    Returns:
        Whether a provider of vectors is configured.
    """
    from gitmem.usecases.brief import load_brief
    from gitmem.usecases.embedding.providing import configured
    from gitmem.usecases.recall import Asked
    from gitmem.usecases.recall import recall as recall_memories

    recall_memories(desk.repository, Asked("ready"), desk.now())
    load_brief(desk.ledger)
    return configured(desk.repository).provider is not None


def memory_id(written: str) -> str:
    """A memory's id.

    Raises:
        UsageError: It can be none.
    """
    if not is_memory_id(written):
        raise UsageError(f"not a memory id: {written[:80]!r}", hint="recall and review_queue tell ids")
    return written


def _host(desk: Desk) -> str:
    """The agent that asks, as it called itself when it connected."""
    from gitmem.recall.loading import host_of

    return host_of(desk.teller().actor)


def _recalled(desk: Desk, asked: Asked, session: str) -> Answer:
    try:
        from gitmem.report.recall import recall_document
        from gitmem.usecases.recall import recall as recall_memories

        recalled = recall_memories(desk.repository, asked, desk.now())
        document = {**recall_document(recalled), "results": _results(recalled)}
    except (GitmemError, OSError) as error:
        desk.reset()
        return Answer({**_NO_RESULT, "remark": f"Nothing can be recalled: {_sentence(error)}"})
    told = {**_NO_RESULT, **document}
    ids = [item.card.id for item in recalled.items if item.status != "linked"]
    return Answer(told, _delivery(desk, ids, query=recalled.query, session=session))


def _results(recalled: Recalled) -> list[dict[str, Any]]:
    from gitmem.report.recall import recall_document

    results = recall_document(recalled)["results"]
    return [{name: value for name, value in one.items() if name != "factors"} for one in results]


def _delivery(desk: Desk, ids: Sequence[str], *, query: str, session: str) -> Callable[[Desk], None] | None:
    """What records the delivery in the session; None outside of one."""
    named, run = desk.session(session), desk.run_word()
    if not named or not ids:
        return None

    def record(desk: Desk) -> None:
        from gitmem.usecases.delivering import record_told

        told = tuple(dict.fromkeys(ids))
        record_told(desk.repository, told, query=query, run=run, session=named, actor=desk.teller().actor)

    return record


def _elements(desk: Desk, task: str) -> tuple[Sequence[Any], str]:
    try:
        from gitmem.report.map_text import found_document
        from gitmem.usecases.map import find_in_map

        found = find_in_map(desk.repository, task, today=desk.today(), loaded=desk.listing())
    except (GitmemError, OSError) as error:
        desk.reset()
        return [], f"The elements cannot be told: {_sentence(error)}"
    return found_document(found, task)["elements"][:_MOST_ELEMENTS], found.unasked


def _sentence(error: Exception) -> str:
    return sentences(
        str(error) or type(error).__name__, error.hint if isinstance(error, GitmemError) else None
    )
