"""Prohibited and claimed imports: how each language writes them, where they count, and who broke the rule."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gitmem.drift.capturing import capture_memory
from gitmem.model.memory import Kind, Memory, Status
from gitmem.model.watch import Watch, parse_watch
from tests.support.tree_view import TreeOfText, judged

BOTH = pytest.mark.parametrize("history", [True, False])


def told(
    watch: str,
    then: Mapping[str, str],
    now: Mapping[str, str],
    *scope: str,
    history: bool = True,
) -> tuple[str, str, str | None]:
    kind, _, target = watch.partition(" ")
    seen = judged(parse_watch(kind, target), then, now, scope=scope or ("**",), history=history)
    return (str(seen.verdict), seen.findings[0].reason, seen.findings[0].path)


PYTHON = {
    "app/core/a.py": "import os\n\n\ndef f():\n    return 1\n",
    "app/ui/x.py": "from app.ui.y import z\n",
    "app/ui/y.py": "z = 1\n",
    "app/main.py": "from app.ui import x\n",
}
SCRIPT = {
    "packages/core/src/a.ts": "export const a = 1;\n",
    "packages/ui/src/x.ts": "import './y';\n",
    "packages/ui/package.json": '{"name": "@acme/ui", "dependencies": {"react": "18"}}',
    "packages/core/package.json": '{"name": "@acme/core"}',
}


@BOTH
@pytest.mark.parametrize(
    "line",
    [
        "import app.ui\n",
        "import app.ui.x as x\n",
        "from app.ui import x\n",
        "from ..ui import x\n",
        "from .. import ui\n",
        "from app import ui\n",
    ],
)
def test_python_imports_a_prohibited_folder(line: str, history: bool) -> None:
    now = {**PYTHON, "app/core/a.py": "import os\n" + line}
    found = told("import app/ui/ in app/core/ (prohibited)", PYTHON, now, history=history)
    assert found == (
        "changed",
        "app/ui/ is prohibited here, and app/core/a.py:2 imports it",
        "app/core/a.py",
    )


@BOTH
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("app/core/a.py", "import os\n# import app.ui\n"),
        ("app/core/a.py", '"""from app.ui import x"""\nNAME = "app.ui"\n'),
        ("app/core/a.py", "import app.uikit\nfrom .ui import x\n"),
        ("app/core/b.py", "import os\n"),
        ("app/ui/z.py", "from app.ui import x\n"),
        ("app/web.py", "from app.ui import x\n"),
    ],
)
def test_other_edits_keep_the_prohibition(path: str, text: str, history: bool) -> None:
    found = told("import app/ui/ in app/core/ (prohibited)", PYTHON, {**PYTHON, path: text}, history=history)
    assert found[0] == "fresh"


@BOTH
@pytest.mark.parametrize(
    ("target", "path", "text"),
    [
        ("packages/ui/", "packages/core/src/a.ts", "import { x } from '@acme/ui';\n"),
        ("packages/ui/", "packages/core/src/a.ts", "import { x } from '../../ui/src/x';\n"),
        ("packages/ui/", "packages/core/src/a.ts", "const x = require('@acme/ui/x');\n"),
        ("react", "packages/core/src/a.ts", "import React from 'react';\n"),
        ("react", "packages/core/src/a.ts", "export const b = () => import('react/jsx-runtime');\n"),
        ("react", "packages/core/package.json", '{"name": "@acme/core", "dependencies": {"react": "18"}}'),
    ],
)
def test_a_package_of_a_workspace_is_imported_by_path_or_name(
    target: str, path: str, text: str, history: bool
) -> None:
    watch = f"import {target} in packages/core/ (prohibited)"
    assert told(watch, SCRIPT, SCRIPT, history=history)[0] == "fresh"
    assert told(watch, SCRIPT, {**SCRIPT, path: text}, history=history)[::2] == ("changed", path)


@pytest.mark.parametrize(
    ("target", "files", "path", "text"),
    [
        ("src/ui/", {"src/ui/x.ts": ""}, "src/core/a.ts", "import x from '@/ui/x';\n"),
        ("src/ui/", {"src/ui/x.ts": ""}, "src/core/a.ts", "import x from 'ui/x';\n"),
        ("src/ui/", {"src/ui/x.py": ""}, "src/core/a.py", "from ui.x import y\n"),
        ("src/ui/", {"src/ui/x.h": ""}, "src/core/a.c", '#include "ui/x.h"\n'),
        ("src/ui/", {"src/ui/x.h": ""}, "src/core/a.c", '#include "../ui/x.h"\n'),
        ("internal/ui/", {"internal/ui/x.go": "", "go.mod": "module ex.com/m\n"}, "core/a.go", 'package a\nimport "ex.com/m/internal/ui"\n'),
        ("ui/", {"ui/x.go": "", "go.mod": "module ex.com/m\n"}, "core/a.go", 'package a\nimport "ex.com/m/ui/sub"\n'),
        ("src/main/java/com/acme/ui/", {"src/main/java/com/acme/ui/B.java": ""}, "src/main/java/com/acme/core/A.java", "import com.acme.ui.B;\n"),
        ("src/ui/", {"src/ui/mod.rs": ""}, "src/core/a.rs", "use crate::ui::draw;\n"),
        ("app/db.py", {"app/db.py": ""}, "app/web.py", "from app.db import connect\n"),
        ("app/db.py", {"app/db.py": ""}, "app/web.py", "from . import db\n"),
        ("src/db/index.ts", {"src/db/index.ts": ""}, "src/web/a.ts", "import { q } from '../db';\n"),
        ("next-auth", {}, "src/a.ts", "import { s } from 'next-auth/react';\n"),
        ("java.sql", {}, "src/A.java", "import java.sql.Connection;\n"),
        ("std::fs", {}, "src/a.rs", "use std::fs::File;\n"),
        ("github.com/pkg/errors", {}, "a.go", 'package a\nimport "github.com/pkg/errors"\n'),
    ],
)  # fmt: skip
def test_each_language_imports_in_its_own_way(
    target: str, files: Mapping[str, str], path: str, text: str
) -> None:
    then = {**files, path: "\n"}
    assert told(f"import {target} (prohibited)", then, {**then, path: text})[::2] == ("changed", path)


@pytest.mark.parametrize(
    ("target", "files", "path", "text"),
    [
        ("src/graphql/", {"src/graphql/schema.ts": ""}, "src/a.ts", "import { parse } from 'graphql';\n"),
        ("src/app/graphql/", {"src/app/graphql/schema.py": ""}, "src/a.py", "import graphql\n"),
        ("ui/", {"ui/x.go": "", "go.mod": "module ex.com/m\n"}, "core/a.go", 'package a\nimport "github.com/other/ui"\n'),
        ("src/ui/", {"src/ui/x.ts": ""}, "src/a.ts", "import x from './components/ui';\n"),
        ("react", {}, "src/a.ts", "import x from 'react-dom';\nimport y from './react';\n"),
        ("react", {}, "src/a.ts", "throw new Error('react is not here');\n"),
    ],
)  # fmt: skip
def test_what_is_called_alike_is_not_meant(
    target: str, files: Mapping[str, str], path: str, text: str
) -> None:
    then = {**files, path: "\n"}
    assert told(f"import {target} (prohibited)", then, {**then, path: text})[0] == "fresh"


@BOTH
def test_only_one_place_may_import_it(history: bool) -> None:
    then = {
        "app/gateway/a.py": "import db\n",
        "app/web/b.py": "x = 1\n",
        "db/c.py": "",
        "tests/test_db.py": "",
    }
    watch = "import db/ outside app/gateway/ (prohibited)"
    inside = {**then, "app/gateway/z.py": "import db\n", "tests/test_db.py": "import db\n"}
    assert told(watch, then, inside, history=history)[0] == "fresh"
    assert told(watch, then, {**then, "app/web/b.py": "from db import c\n"}, history=history)[::2] == (
        "changed",
        "app/web/b.py",
    )


@BOTH
def test_what_was_there_may_stay_and_not_spread(history: bool) -> None:
    then = {**PYTHON, "app/core/a.py": "import app.ui\n", "app/core/b.py": "x = 1\n"}
    watch = "import app/ui/ in app/core/ (prohibited)"
    assert (
        told(watch, then, {**then, "app/core/a.py": "import app.ui\ny = 2\n"}, history=history)[0] == "fresh"
    )
    spread = {**then, "app/core/b.py": "import app.ui\n"}
    assert told(watch, then, spread, history=history)[::2] == ("changed", "app/core/b.py")


def moved(files: Mapping[str, str], old: str, new: str) -> dict[str, str]:
    return {path.replace(old, new, 1): text for path, text in files.items()}


def test_the_rule_follows_its_folders() -> None:
    watch = parse_watch("import", "app/ui/ in app/core/ (prohibited)")
    then = {**PYTHON, "app/ui/w.py": "w = 'a long enough file to be followed'\n"}
    for old, new, target, line in (
        ("app/ui/", "app/view/", "import app/view/ in app/core/ (prohibited)", "import app.view\n"),
        ("app/core/", "app/kernel/", "import app/ui/ in app/kernel/ (prohibited)", "import app.ui\n"),
    ):
        seen = judged(watch, then, moved(then, old, new))
        assert (str(seen.verdict), str(seen.moved)) == ("relocated", target)
        broken = moved({**then, "app/core/a.py": then["app/core/a.py"] + line}, old, new)
        assert str(judged(watch, then, broken).verdict) == "changed"


def test_a_rule_without_its_folders() -> None:
    watch = "import app/ui/ in app/core/ (prohibited)"
    without_ui = {path: text for path, text in PYTHON.items() if not path.startswith("app/ui/")}
    assert told(watch, PYTHON, without_ui)[:2] == (
        "touched",
        "app/ui/ is no longer there: the rule may be obsolete",
    )
    without_core = {path: text for path, text in PYTHON.items() if not path.startswith("app/core/")}
    assert told(watch, PYTHON, without_core)[:2] == ("gone", "app/core/ no longer exists")
    gone = told(
        "import react (prohibited)", {"a.ts": "", "old/b.ts": "import 'react';\n"}, {"a.ts": ""}, "a.ts"
    )
    assert gone[0] == "touched"


@BOTH
def test_an_import_that_is_claimed(history: bool) -> None:
    then = {"app/a.py": "import httpx\n", "lib/b.py": "import httpx\n"}
    watch = "import httpx in app/"
    assert told(watch, then, {**then, "app/a.py": "import httpx\nx = 1\n"}, history=history)[0] == "fresh"
    assert told(watch, then, {**then, "app/a.py": "x = 1\n"}, history=history)[0] == "changed"
    assert told(watch, then, {"app/a.py": "x = 1\n"}, history=history)[0] == "gone"


def memory(watch: Watch) -> Memory:
    return Memory(
        id="m", file="m.yaml", kind=Kind.PITFALL, type=None, status=Status.ACTIVE, summary="x", watch=(watch,)
    )


def test_a_rule_that_is_broken_when_captured_is_told_with_its_breaker() -> None:
    view = TreeOfText({**PYTHON, "app/core/a.py": "import os\nimport app.ui\n"})
    watch = parse_watch("import", "app/ui/ in app/core/ (prohibited)")
    (broken,) = capture_memory(memory(watch), view, tuple(view.files), ["**"]).broken
    assert (str(broken.first), broken.files) == ("app/core/a.py:2", 1)
    kept = TreeOfText(PYTHON)
    assert not capture_memory(memory(watch), kept, tuple(kept.files), ["**"]).broken


@BOTH
@pytest.mark.parametrize(
    ("path", "text", "verdict"),
    [
        ("src/a.py", 'raise ValueError("use moment")\n', "fresh"),
        ("src/a.py", '"""moment"""\n# moment\n', "fresh"),
        ("src/a.py", "x = f'{moment}'\n", "changed"),
        ("src/a.ts", "const s = `a moment`;\n", "fresh"),
        ("src/a.ts", "const s = `${moment()}`;\n", "changed"),
        ("src/a.ts", "import { a } from 'moment/min';\n", "changed"),
        ("src/a.kt", 'val s = "moment"\n', "fresh"),
        ("src/package.json", '{"description": "a moment", "scripts": {"x": "echo"}}', "fresh"),
        ("src/package.json", '{"dependencies": {"moment": "2"}}', "changed"),
        ("src/package.json", '{"scripts": {"x": "moment ."}}', "changed"),
    ],
)
def test_a_prohibited_name_is_used_by_code_and_not_by_text(
    path: str, text: str, verdict: str, history: bool
) -> None:
    then = {path: "{}" if path.endswith("json") else "\n"}
    assert told("ident moment (prohibited)", then, {path: text}, history=history)[0] == verdict


@pytest.mark.parametrize("name", ["api.example.com", "X-Debug-Token"])
def test_what_can_stand_in_a_string_alone_is_looked_for_there(name: str) -> None:
    now = {"a.py": f"call('https://{name}/x')\n"} if "." in name else {"a.py": f"send('{name}')\n"}
    assert told(f"ident {name} (prohibited)", {"a.py": "\n"}, now)[0] == "changed"
    assert (
        told("ident os.system (prohibited)", {"a.py": "\n"}, {"a.py": "patch('os.system')\n"})[0] == "fresh"
    )
