"""The forms of a watch: what is printed may be pasted under ``watch:`` of a memory, in every kind."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from gitmem.model.watch import Polarity, Watch, WatchKind
from gitmem.report.sanitise import visible
from gitmem.store.baselines import format_watch
from gitmem.store.memories import parse_memory
from tests.store.strategies import watches

BAN = Polarity.PROHIBITS
HEAD = "id: m-001\nkind: pitfall\ntype: module_constraint\nstatus: active\nsummary: x\nscope: project\n"


def pasted(form: str) -> tuple[Watch, ...] | None:
    parsed = parse_memory(".ai/memory/m-001.yaml", f"{HEAD}watch:\n  - {form}\n".encode())
    assert parsed.memory is not None, parsed.problems
    assert not parsed.problems
    return parsed.memory.watch


FORMS = [
    ("symbol src/a.py#Api.call", Watch(WatchKind.SYMBOL, path="src/a.py", name="Api.call")),
    ("key package.json#scripts.lint:js", Watch(WatchKind.KEY, path="package.json", name="scripts.lint:js")),
    ("lines src/a.py:40-58", Watch(WatchKind.LINES, path="src/a.py", lines=(40, 58))),
    ("ident resolveIds", Watch(WatchKind.IDENT, name="resolveIds")),
    ("ident moment (prohibited)", Watch(WatchKind.IDENT, name="moment", polarity=BAN)),
    (
        "ident charge outside billing/ (prohibited)",
        Watch(WatchKind.IDENT, name="charge", polarity=BAN, outside=("billing/",)),
    ),
    ("import react", Watch(WatchKind.IMPORT, name="react")),
    (
        "import app/ui/ in app/core/ (prohibited)",
        Watch(WatchKind.IMPORT, name="app/ui/", polarity=BAN, inside=("app/core/",)),
    ),
    (
        "import db/ in ** outside api/, jobs/ (prohibited)",
        Watch(WatchKind.IMPORT, name="db/", polarity=BAN, inside=("**",), outside=("api/", "jobs/")),
    ),
    ("path src/legacy/", Watch(WatchKind.PATH, path="src/legacy/")),
    ("file src/결제.py", Watch(WatchKind.FILE, path="src/결제.py")),
    ("verifier tests/test_a.py#test_b", Watch(WatchKind.VERIFIER, path="tests/test_a.py#test_b")),
]


@pytest.mark.parametrize(("form", "watch"), FORMS)
def test_the_printed_form_is_a_plain_text_that_reads_back(form: str, watch: Watch) -> None:
    assert str(watch) == form
    assert pasted(format_watch(watch)) == (watch,)
    assert pasted(f"{format_watch(watch)}  # lines 4–8") == (watch,)


def _is_writable(watch: Watch) -> bool:
    return bool(watch.path or watch.name)


@given(watches.filter(_is_writable))
def test_any_watch_that_is_printed_reads_back_but_for_its_quote(watch: Watch) -> None:
    form = visible(format_watch(watch))
    assert "\n" not in form
    assert pasted(form) == (replace(watch, quote=None),)


@pytest.mark.parametrize(
    "form",
    [
        "{import: app/ui/, in: app/core/, polarity: prohibits}",
        "{import: app/ui/, in: [app/core/], polarity: prohibits}",
        "{import: app/ui/ in app/core/, polarity: prohibits}",
        "{import: app/ui/ in app/core/ (prohibited)}",
        "{kind: import, name: app/ui/, in: app/core/, polarity: prohibits}",
    ],
)
def test_other_ways_to_write_the_same(form: str) -> None:
    assert pasted(form) == (FORMS[7][1],)
