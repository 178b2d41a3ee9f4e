"""Reading one field of a YAML node into a value, with every fault noted and none raised."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from datetime import UTC, date, datetime
from typing import Any

from gitmem.errors import GitmemError
from gitmem.model.problem import Problem
from gitmem.store.yaml_reading import Document, Entry, Fields, Items, Node, Text

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?) ?(Z|z|[+-]\d{2}(?::?\d{2})?)?"
)


class Findings:
    """The problems of one file, in the order they were found."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.problems: list[Problem] = []

    @property
    def has_error(self) -> bool:
        return any(problem.severity == "error" for problem in self.problems)

    def error(self, at: Node | Entry, field: str, message: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, at.line, at.column, field, message, hint))

    def warning(self, at: Node | Entry, field: str, message: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, at.line, at.column, field, message, hint, "warning"))

    def duplicates(self, document: Document, hint: Callable[[str], str] = lambda _key: "") -> None:
        """Note each key given twice; the hint is the format's, since a flat paste is a common cause."""
        for one in document.duplicates:
            self.problems.append(
                Problem(
                    self.path,
                    one.line,
                    one.column,
                    one.key,
                    f"{shown(one.key)} is given twice, first on line {one.first_line}",
                    hint(one.key) or "keep one of the two",
                )
            )

    def tuple(self) -> tuple[Problem, ...]:
        return tuple(sorted(self.problems, key=lambda one: (one.line, one.column)))


def fault(path: str, error: GitmemError) -> Problem:
    """The problem that an unreadable file is."""
    message = error.message.removeprefix(f"{path}:{error.line}:{error.column}: ").removeprefix(f"{path}: ")
    return Problem(path, error.line or 0, error.column or 0, "", message, error.hint)


def shown(text: str, limit: int = 60) -> str:
    """The text as a message shows it: cut when long, quoted when it is no plain word."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return cut if re.fullmatch(r"[\w.:/@#*-]+", cut) else repr(cut)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint that names the nearest known word, or "" when none is near."""
    import difflib

    near = difflib.get_close_matches(word.lower()[:60], list(known), n=1, cutoff=0.6)
    return f"did you mean {near[0]}?" if near else ""


def read_text(node: Node, findings: Findings, field: str) -> str | None:
    """A text, or None when absent or (noted) no text."""
    if isinstance(node, Text):
        return node.value
    findings.error(node, field, f"{field} is a {_form(node)}, but must be one text")
    return None


def read_texts(node: Node, findings: Findings, field: str) -> tuple[str, ...]:
    """A list of texts; one text alone is a list of one; absent items are left out."""
    return tuple(item.value for item in _text_items(node, findings, field) if item.value is not None)


def _text_items(node: Node, findings: Findings, field: str) -> list[Text]:
    if isinstance(node, Text):
        return [node]
    if isinstance(node, Fields):
        findings.error(
            node, field, f"{field} is a mapping, but must be a list of texts", "put a - before each item"
        )
        return []
    texts = []
    for number, item in enumerate(node.items, 1):
        if isinstance(item, Text):
            texts.append(item)
        else:
            cure = "quote it when it contains a colon followed by a space"
            findings.error(
                item, field, f"item {number} of {field} is a {_form(item)}, but must be a text", cure
            )
    return texts


def read_globs(node: Node, findings: Findings, field: str) -> tuple[str, ...]:
    """A list of path globs (drift.md "Globs"), each one checked."""
    globs = []
    for item in _text_items(node, findings, field):
        if item.value is None:
            continue
        problem = glob_fault(item.value)
        if problem:
            findings.error(item, field, f"{shown(item.value)} is no path pattern: {problem}")
        else:
            globs.append(item.value)
    return tuple(globs)


def glob_fault(pattern: str) -> str:
    """Why a text is no path glob; empty when it is one."""
    from gitmem.model.glob import parse_glob

    try:
        parse_glob(pattern)
    except (ValueError, GitmemError) as error:
        return str(error)
    return ""


def read_word(node: Node, findings: Findings, field: str, known: Collection[str]) -> str | None:
    """One of the known words; None when absent or (noted) another."""
    word = read_text(node, findings, field)
    if word is None or word in known:
        return word
    hint = did_you_mean(word, known) or f"one of {', '.join(known)}"
    findings.error(node, field, f"unknown {field} {shown(word)}", hint)
    return None


def read_words(node: Node, findings: Findings, field: str, known: Collection[str]) -> tuple[str, ...]:
    """A list of known words; each other one is noted and left out."""
    words = []
    for item in _text_items(node, findings, field):
        if item.value is None:
            continue
        if item.value in known:
            words.append(item.value)
        else:
            hint = did_you_mean(item.value, known) or f"one of {', '.join(known)}"
            findings.error(item, field, f"unknown value {shown(item.value)} in {field}", hint)
    return tuple(words)


def read_flag(node: Node, findings: Findings, field: str) -> bool | None:
    """``true`` or ``false``; None when absent or (noted) neither."""
    word = read_text(node, findings, field)
    if word is None:
        return None
    if word.lower() in {"true", "false"}:
        return word.lower() == "true"
    findings.error(node, field, f"{field} is {shown(word)}", "write true or false")
    return None


def read_number(node: Node, findings: Findings, field: str) -> int | None:
    """A whole number from 0; None when absent or (noted) no such number."""
    word = read_text(node, findings, field)
    if word is None:
        return None
    if re.fullmatch("[0-9]{1,12}", word):
        return int(word)
    findings.error(node, field, f"{field} is {shown(word)}", "write a whole number")
    return None


def read_moment(
    node: Node, findings: Findings, field: str, *, careful: bool = False
) -> datetime | date | None:
    """A date, or a time with offset.

    With ``careful`` leaving the value out is the careful reading, so that a fault is a warning.
    """
    text = read_text(node, findings, field)
    if text is None:
        return None
    try:
        moment = parse_moment(text)
    except ValueError as error:
        note = findings.warning if careful else findings.error
        note(node, field, f"{field}: {error}", "write 2026-07-13 or 2026-07-13T10:00:00+09:00")
        return None
    if isinstance(moment, datetime) and moment.tzinfo is None:
        findings.warning(
            node, field, f"{field} {text} has no offset and is read as UTC", "write it with +09:00 or Z"
        )
        return moment.replace(tzinfo=UTC)
    return moment


def read_day(node: Node, findings: Findings, field: str) -> date | None:
    """A date; of a time its date."""
    moment = read_moment(node, findings, field)
    return moment.date() if isinstance(moment, datetime) else moment


def parse_moment(text: str) -> datetime | date:
    """A date or a time as RFC 3339 writes it; a space for the T, and seconds left out, are read too.

    Raises:
        ValueError: Another form, or a day or hour that does not exist.
    """
    text = text.strip()
    found = _MOMENT.fullmatch(text)
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
        if found:
            day, clock, offset = found.groups()
            return datetime.fromisoformat(f"{day}T{clock}{(offset or '').upper()}")
    except ValueError as error:
        raise ValueError(f"{shown(text)} does not exist ({error})") from None
    raise ValueError(f"{shown(text)} is not a date")


def read_mapping(node: Node, findings: Findings, field: str) -> Fields | None:
    """A mapping; None when absent or (noted) something else."""
    if isinstance(node, Fields):
        return node
    if not (isinstance(node, Text) and node.value is None):
        findings.error(node, field, f"{field} is a {_form(node)}, but must be a mapping of names to values")
    return None


_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def _form(node: Node) -> str:
    """What a person sees written there; to the reader every plain value is a text."""
    if isinstance(node, Text) and not node.quoted and node.value:
        if _NUMBER.fullmatch(node.value):
            return "number"
        return "truth value" if node.value.lower() in {"true", "false"} else "text"
    return {Text: "text", Items: "list", Fields: "mapping"}[type(node)]


def is_absent(node: Node) -> bool:
    return isinstance(node, Text) and node.value is None


Form = Callable[[Any, Findings, str], Any]
