"""Every tool: its words, its arguments, what it answers with. The words are fixed: no text of a repository gets in here.

The whole list is read by a model in each session, so it is kept under 8 KB; a test holds it there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from gitmem.mcp_server import knowing, telling, working
from gitmem.mcp_server.desk import Answer, Desk
from gitmem.mcp_server.fields import Field, Values

_SESSION: Final = Field("session", most=200)
_RUN: Final = Field("run", most=100)
_PATHS: Final = Field("paths", "texts", "files it touches")
_LIMIT: Final = Field("limit", "number", most=50)
_RECORDED: Final = "With session, delivery is recorded."


class Tool(NamedTuple):
    """One tool.

    Args:
        name: As it is called.
        says: What it does and when to call it.
        fields: Its arguments.
        answers: JSON type by field of its answer; ``?`` behind one that may be null.
        work: Does it.
        reads: Whether it changes nothing, whatever it is given; what the cache keeps is no change.
        again: Whether the same call again changes nothing more.
        longest: Characters of one text of the answer.
    """

    name: str
    says: str
    fields: tuple[Field, ...]
    answers: Mapping[str, str]
    work: Callable[[Desk, Values], Answer]
    reads: bool = True
    again: bool = True
    longest: int = 4_000

    @property
    def output_schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {name: {"type": _types(kind)} for name, kind in self.answers.items()},
        }


def _types(kind: str) -> str | list[str]:
    return [kind[:-1], "null"] if kind.endswith("?") else kind


TOOLS: Final = (
    Tool(
        "brief",
        f"Read first: where the run stands; with a task or paths what is known of them. {_RECORDED}",
        (Field("task"), _PATHS, Field("budget", "number", "most tokens", most=100_000), _SESSION),
        {"text": "string", "run": "string?", "results": "array", "remark": "string"},
        knowing.brief,
        reads=False,
        again=False,
        longest=10_000,
    ),
    Tool(
        "recall",
        f"Approved memories about a task, best first. Call before changing code. A warning means: check the code. {_RECORDED}",
        (
            Field("query", says="the task, in words"),
            Field("elements", "texts", "of the architecture"),
            _PATHS,
            Field("domain", most=100),
            _SESSION,
            _LIMIT,
        ),
        {"results": "array", "remark": "string"},
        knowing.recall,
        reads=False,
        again=False,
        longest=1_200,
    ),
    Tool(
        "find_relevant_context",
        f"Elements of the architecture that a task is about, and memories of them. {_RECORDED}",
        (Field("task", required=True), _PATHS, _SESSION, _LIMIT),
        {"elements": "array", "results": "array", "remark": "string"},
        knowing.find_relevant_context,
        reads=False,
        again=False,
        longest=1_200,
    ),
    Tool(
        "memory_show",
        "One memory in full: scope, evidence, approval, what speaks against it.",
        (Field("id", required=True, most=100),),
        {"memories": "array"},
        knowing.memory_show,
        longest=16_000,
    ),
    Tool(
        "remember",
        "Propose a lesson that holds beyond this task. A candidate until a person merges it; what is known is counted.",
        (
            Field("content", says="the rule in one sentence; details below an empty line", required=True, most=60_000),
            Field("kind", choices=("pitfall", "convention", "note")),
            Field("type", says="such as module_constraint", most=100),
            Field("element", "texts"),
            Field("title", most=200),
            Field("paths", "texts", "globs where it holds"),
            Field("exclude", "texts"),
            Field("not_for", "texts", "task domains it is not for, or none"),
            Field("evidence", "texts", "test:…, commit:…, doc:…, review:… or artifact:…"),
            Field("supersedes", "texts", "ids or titles it replaces"),
            Field("failure_class", most=100),
            Field("source_events", "texts", "seq or id"),
            Field("root_cause"),
            Field("probe", says="command that passes while it holds"),
            Field("expires", says="day", most=20),
            _SESSION,
        ),
        {"candidate": "string?", "deduplicated": "boolean", "confirmed": "string?", "similar_to": "array", "conflict": "object?", "denied_before": "object?", "lacks": "array"},
        telling.remember,
        reads=False,
        again=False,
    ),
    Tool(
        "confirm_memory",
        "Without token: a memory's evidence and token. Check the code, then call with the token: recorded as a claim, which a person confirms.",
        (Field("id", required=True, most=100), Field("token", most=100), _SESSION),
        {"claimed": "boolean", "token": "string", "evidence": "array", "patch": "string"},
        telling.confirm_memory,
        reads=False,
        longest=12_000,
    ),
    Tool(
        "run_start",
        "Begin the record of a task and make it current.",
        (
            Field("task", says="short slug, as checkout-retry", required=True, most=100),
            Field("goal", says="one sentence"),
            Field("allowed_files", "texts", "globs"),
            _SESSION,
        ),
        {"run": "string", "ref": "string", "task": "string"},
        working.run_start,
        reads=False,
        again=False,
    ),
    Tool(
        "run_event",
        "Append to a run: finding_noted {finding}, decision_recorded {decision, reason}, approach_rejected {approach, reason}, next_step_set {next_step}, …",
        (Field("type", required=True, most=100), Field("payload", "record"), _RUN, _SESSION),
        {"run": "string", "id": "string", "seq": "integer"},
        working.run_event,
        reads=False,
        again=False,
    ),
    Tool(
        "run_handoff",
        "The shift note of a run: what the next agent must know. write records it.",
        (_RUN, Field("write", "flag"), _SESSION),
        {"run": "string", "text": "string"},
        working.run_handoff,
        reads=False,
        again=False,
        longest=30_000,
    ),
    Tool(
        "save_artifact",
        "Save a text (plan, patch, log) with a run. Secrets are masked.",
        (
            Field("name", says="plain file name", required=True, most=200),
            Field("content", required=True, most=256 * 1024),
            Field("media_type", most=100),
            _RUN,
            _SESSION,
        ),
        {"run": "string", "seq": "integer", "artifacts": "array"},
        working.save_artifact,
        reads=False,
        again=False,
    ),
    Tool(
        "end_session",
        "Call last: what came of it, and which memories helped. Only what is cited here ranks higher.",
        (
            Field("session", most=200),
            Field("summary", says="one or two sentences"),
            Field("used_memories", "texts", "ids that helped"),
        ),
        {"run": "string", "used_memories": "array", "unknown": "array"},
        telling.end_session,
        reads=False,
        again=False,
    ),
    Tool(
        "review_queue",
        "What waits for a person: doubtful memories, proposals, candidates, conflicts.",
        (
            Field("only", choices=("claimed", "challenged", "review", "ignored", "proposed", "candidates", "conflicts", "expired", "unchecked")),
            _LIMIT,
        ),
        {"queue": "array", "total": "integer", "remark": "string"},
        knowing.review_queue,
        longest=1_200,
    ),
)  # fmt: skip
BY_NAME: Final[Mapping[str, Tool]] = {one.name: one for one in TOOLS}
