"""Validations: ``.ai/validations/<memory-id>/<YYYYMMDD>-<random>.yaml``, one new file for each (drift.md).

    memory: m-021
    at: 2026-07-13T10:35:00+09:00
    by: claude-code/sarah
    how: looked
    text: <digest of title, summary, body, watch>
    baseline:
      commit: <whole id>
      tree: <root tree id>
      algo: 1
      scope: <digest>
      marks:
        - {watch: symbol src/a.py#Api.call, blob: <id>, sig: <digest>, core: <digest>, body: <digest>, at: [40, 58]}
        - {watch: path src/legacy/, counts: [12], sample: ["<id> src/legacy/a.py"]}

``memory``, ``at`` and ``by`` must be there; ``how`` is looked or replay (missing = looked); everything in ``baseline`` may
be missing. Forms are those of `gitmem.store.baselines`; an unknown field is a warning. A file may hold 256 KiB and
8,000 values, since twelve marks with samples of 64 paths each need more than a memory file may have; the writer
thins samples evenly until the file fits.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import Literal, NamedTuple, cast

from gitmem.errors import GitmemError, InvalidDataError
from gitmem.model.ids import is_memory_id
from gitmem.model.problem import Problem
from gitmem.model.validation import Baseline, Validation
from gitmem.store.baselines import plain_baseline, read_baseline
from gitmem.store.field_reading import (
    Findings,
    Form,
    did_you_mean,
    fault,
    read_moment,
    read_text,
    read_word,
    shown,
)
from gitmem.store.yaml_reading import Fields, Limits, Node, read_yaml
from gitmem.store.yaml_writing import Plain, write_yaml

ROOT = ".ai/validations"
LIMITS = Limits(256 * 1024, nodes=8000)
_HOWS = ("looked", "replay")


class ParsedValidation(NamedTuple):
    """What one file holds: the validation, unless a problem is an error, and every problem."""

    validation: Validation | None
    problems: tuple[Problem, ...] = ()


def _how(node: Node, findings: Findings, field: str) -> str | None:
    return read_word(node, findings, field, _HOWS)


FORMS: dict[str, Form] = {
    "memory": read_text,
    "at": read_moment,
    "by": read_text,
    "how": _how,
    "text": read_text,
    "baseline": read_baseline,
}


def parse_validation(path: str, data: bytes) -> ParsedValidation:
    """Read a validation file.

    Args:
        path: Repository path of the file.
        data: Its bytes.
    """
    try:
        document = read_yaml(path, data, LIMITS)
    except GitmemError as error:
        return ParsedValidation(None, (fault(path, error),))
    findings = Findings(path)
    findings.duplicates(document)
    validation = _validation(path, document.root, findings)
    return ParsedValidation(None if findings.has_error else validation, findings.tuple())


def _validation(path: str, root: Node, findings: Findings) -> Validation | None:
    if not isinstance(root, Fields):
        findings.error(root, "", "a validation is a mapping of fields to values")
        return None
    values = {}
    for key, entry in root.entries.items():
        if key in FORMS:
            values[key] = FORMS[key](entry.value, findings, key)
        elif key in {"commit", "tree", "algo", "scope", "marks"}:
            findings.error(entry, key, f"{key} belongs under baseline – indent it")
        elif not key.startswith("x-"):
            findings.warning(entry, key, f"unknown field {shown(key)}", did_you_mean(key, FORMS))
    for key in ("memory", "at", "by"):
        if values.get(key) is None:
            findings.error(root, key, f"{key} is missing")
    if values.get("memory") and not is_memory_id(values["memory"]):
        findings.error(
            root.entries["memory"].value, "memory", f"{shown(values['memory'])} cannot be a memory's id"
        )
    if findings.has_error:
        return None
    how = cast("Literal['looked', 'replay']", values.pop("how", None) or "looked")
    return Validation(**values, how=how, file=path)


def format_validation(validation: Validation) -> bytes:
    """The file of a validation; `parse_validation` reads the same value back (the file's name aside).

    Raises:
        InvalidDataError: It does not fit the limits even without samples.
    """
    while True:
        data = write_yaml(_plain(validation), flow_items=frozenset({"marks"})).encode()
        try:
            read_yaml(validation.file, data, LIMITS)
        except InvalidDataError:
            thinned = _thinned(validation)
            if thinned == validation:
                raise
            validation = thinned
        else:
            return data


def _plain(validation: Validation) -> dict[str, Plain]:
    held: dict[str, Plain | None] = {
        "memory": validation.memory,
        "at": format_moment(validation.at),
        "by": validation.by,
        "how": validation.how,
        "text": validation.text,
        "baseline": plain_baseline(validation.baseline) if validation.baseline else None,
    }
    return {key: value for key, value in held.items() if value is not None}


def format_moment(moment: datetime | date) -> str:
    """A date, or a time as RFC 3339."""
    if isinstance(moment, datetime) and moment.microsecond and not moment.microsecond % 1000:
        return moment.isoformat(timespec="milliseconds")
    return moment.isoformat()


def _thinned(validation: Validation) -> Validation:
    baseline: Baseline | None = validation.baseline
    if baseline is None:
        return validation
    marks = tuple(
        replace(mark, sample=mark.sample[::2] if len(mark.sample) > 1 else ()) for mark in baseline.marks
    )
    return replace(validation, baseline=replace(baseline, marks=marks))


def validation_path(memory_id: str, at: datetime | date, suffix: str) -> str:
    """Where a new validation lies: a name that two machines do not both choose.

    Args:
        memory_id: The memory.
        at: When it was looked at; its date names the file.
        suffix: Random, from `gitmem.model.ids.random_suffix`.
    """
    return f"{ROOT}/{memory_id}/{at:%Y%m%d}-{suffix}.yaml"
