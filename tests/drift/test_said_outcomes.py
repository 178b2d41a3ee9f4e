"""What a statement tells of how a function ends holds while the lines that end it so stand."""

from __future__ import annotations

import pytest

from gitmem.drift.said_outcomes import ends_as_told
from tests.drift.test_grading import about, judge

OLD = """def find(name):
    found = names.get(name)
    log(name)
    prepare(name)
    settle(name)
    if found is None:
        raise KeyError(f"unknown {name}")
    return found
"""
STORE = {"src/names.py": OLD}
RULE = "`find()` MUST raise `KeyError` for unknown names, never return `None`."


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("    log(name)\n", "    log(name, True)\n", "touched"),
        ("    log(name)\n", "    if not name:\n        return None\n", "changed"),
        ("    log(name)\n", "    if not name:\n        return\n", "changed"),
        ('raise KeyError(f"unknown {name}")', 'raise ValueError(f"unknown {name}")', "challenged"),
        ('raise KeyError(f"unknown {name}")', "return None", "challenged"),
    ],
)
def test_the_line_that_ends_it_decides(old: str, new: str, verdict: str) -> None:
    assert old in OLD
    got = str(judge(about(RULE), {"src/names.py": OLD.replace(old, new)}, STORE).verdict)
    assert got == verdict or (verdict == "challenged" and got in {"changed", "rewritten", "gone"})


@pytest.mark.parametrize(
    "text",
    [
        "`find()` raises `KeyError`.",
        "**`find(name)`** must always raise `KeyError` if unknown.",
        RULE,
    ],
)
def test_words_that_tell_the_end_alone(text: str) -> None:
    new = OLD.replace("log(name)", "log(name, 2)")
    assert ends_as_told(text, "find", OLD, new) == 'raise KeyError(f"unknown {name}")'


@pytest.mark.parametrize(
    "text",
    [
        "`find()` raises `KeyError` and logs the name first.",
        "`find()` raises `KeyError` for expired tokens.",
        "`find()` raises `ValueError`.",
        "`other()` raises `KeyError`.",
        "`find()` never raises `KeyError`.",
    ],
)
def test_words_that_tell_more_or_something_else(text: str) -> None:
    assert ends_as_told(text, "find", OLD, OLD.replace("log(name)", "log(name, 2)")) is None
