"""`gitmem recall` without click, for command lines that are plainly right; any other goes the ordinary way.

Loading click takes half of the time that a recall may cost (targets.md, "Speed"), and agents recall all the time. A
test holds the options here to those of `gitmem.cli.recall`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gitmem.cli.invocation import Invocation
from gitmem.cli.plain_options import plain_fields

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.cli.recalling import Question

VALUES = {
    "--path": "paths",
    "--element": "elements",
    "--domain": "domain",
    "-n": "most",
    "--run": "run",
    "--session": "session",
    "--actor": "actor",
}
"""Options with a value, and the field of a `Question` that each one gives."""
FLAGS = {"--explain": "explain", "--json": "json", "-q": "quiet", "--quiet": "quiet"}
_VARIABLES = {"run": "GITMEM_RUN", "session": "GITMEM_SESSION", "actor": "GITMEM_ACTOR"}
_MANY = frozenset({"paths", "elements"})
_MOST = 100


def quick_recall(arguments: Sequence[str]) -> int | None:
    """Answer a command line.

    Args:
        arguments: What stands behind the word ``recall``.

    Returns:
        The exit code; None when it has to go the ordinary way, and nothing was written.
    """
    parsed = parse(arguments)
    if parsed is None or "_GITMEM_COMPLETE" in os.environ:
        return None
    question, invocation = parsed
    try:
        from gitmem.cli.recalling import prepare, tell

        prepared = prepare(question, json=invocation.json)
    except Exception:  # noqa: BLE001 - nothing was written, and the ordinary way meets the same failure and tells it
        return None
    return tell(invocation, question, prepared)


def parse(arguments: Sequence[str]) -> tuple[Question, Invocation] | None:
    """The question, and how it is to be answered; None for anything that is not plain."""
    plain = plain_fields(arguments, VALUES, FLAGS, most_words=1)
    if plain is None:
        return None
    fields, words = plain
    invocation = Invocation()
    invocation.json, invocation.quiet = "json" in fields, "quiet" in fields
    question = _question("".join(words), fields)
    return (question, invocation) if question is not None else None


def _question(query: str, fields: dict[str, list[str]]) -> Question | None:
    from gitmem.cli.recalling import Question

    single = {
        field: values[-1]
        for field, values in fields.items()
        if field not in _MANY and field in VALUES.values()
    }
    for field, variable in _VARIABLES.items():
        single.setdefault(field, os.environ.get(variable, ""))
    most = single.get("most", "5")
    if not (most.isascii() and most.isdecimal() and 0 < int(most[:4]) <= _MOST):
        return None
    return Question(
        query,
        tuple(fields.get("paths", ())),
        tuple(fields.get("elements", ())),
        single.get("domain"),
        int(most),
        explain="explain" in fields,
        run=single["run"] or None,
        session=single["session"] or None,
        actor=single["actor"] or "human",
    )
