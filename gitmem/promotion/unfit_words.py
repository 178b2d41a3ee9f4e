"""Whether the gate would object to a lesson's words, before anybody proposes it. Pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

from gitmem.model.memory import Memory
from gitmem.model.policy import MemoryPolicy
from gitmem.promotion.case import Case, Facts
from gitmem.promotion.rules.doubts import personal_opinion, unverified_guess
from gitmem.promotion.rules.instructions import instruction_like
from gitmem.promotion.rules.places import temporary_file_path
from gitmem.promotion.rules.shortcuts import one_off_workaround, weakens_verification
from gitmem.promotion.rules.transcripts import full_build_log, raw_chat_history
from gitmem.promotion.ruling import Outcome, Rule

_OF_WORDS: Final[tuple[Rule, ...]] = (
    raw_chat_history,
    full_build_log,
    temporary_file_path,
    unverified_guess,
    personal_opinion,
    one_off_workaround,
    instruction_like,
)
_OBJECTS: Final = frozenset({Outcome.FAILED, Outcome.HELD, Outcome.NEEDS_HUMAN})


def is_unfit(memory: Memory, *, is_rule: bool) -> bool:
    """Whether a rule of the gate about words objects.

    Args:
        memory: What would be proposed.
        is_rule: Whether it tells what to do, and not what went wrong: then it must not weaken a verification either.
    """
    words = replace(memory, type=None)  # what a type asks for besides words is not told yet
    case = Case(words, MemoryPolicy(), Facts(date.min))
    rules = (*_OF_WORDS, weakens_verification) if is_rule else _OF_WORDS
    return any(rule(case).outcome in _OBJECTS for rule in rules)
