"""Prohibitions in words on real repositories: confirmed, broken by a commit, and left alone by other edits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from gitmem.report.confirm import confirm_lines
from tests.support.drifting import (
    STAGED,
    WORKTREE,
    confirmed,
    judged,
    remembered,
    shallow,
    validated,
    verdict,
)
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

KEPT = {("fresh", "active"), ("cosmetic", "active"), ("touched", "active")}
APP = {
    "app/__init__.py": "",
    "app/core/__init__.py": "",
    "app/core/order.py": "def order():\n    return 1\n",
    "app/ui/__init__.py": "",
    "app/ui/page.py": "from app.core.order import order\n\n\ndef page():\n    return order()\n",
    "app/gateway/db_gateway.py": "from db import connect\n\n\ndef rows():\n    return connect()\n",
    "db/__init__.py": "def connect():\n    return None\n",
    "package.json": '{"name": "shop", "dependencies": {"moment": "2"}}\n',
    "src/a.ts": "export const a = 1;\n",
}
EVERYTHING = "{paths: ['app/**', 'db/**', 'tests/**', 'src/**', package.json]}"


def said(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def after(repo: Repo, edit: Mapping[str, str]) -> tuple[str, str]:
    repo.commit("Edit", dict(edit))
    return verdict(repo.path)


@pytest.mark.parametrize(
    ("text", "edit", "place"),
    [
        ("`app/core` must not import from `app/ui`", {"app/core/order.py": "import app.ui\n" + APP["app/core/order.py"]}, "app/core/order.py:1"),
        ("nothing under app/core may import `app/ui`", {"app/core/order.py": APP["app/core/order.py"] + "\n\nfrom ..ui import page\n"}, "app/core/order.py:5"),
        ("app/core에서는 app/ui를 import하면 안 된다", {"app/core/new.py": "from app import ui\n"}, "app/core/new.py:1"),
        ("`app/core`는 `app/ui`에 의존하지 않는다", {"app/core/new.py": "from app.ui.page import page\n"}, "app/core/new.py:1"),
        ("`app/core` must not depend on the `ui` package", {"app/core/new.py": "from .. import ui\n"}, "app/core/new.py:1"),
        ("`src` must never import `react`", {"src/a.ts": "import React from 'react';\nexport const a = 1;\n"}, "src/a.ts:1"),
        ("Only `app/gateway` may import `db`", {"app/ui/page.py": "import db\n" + APP["app/ui/page.py"]}, "app/ui/page.py:1"),
        ("`db`는 `app/gateway`에서만 import한다", {"app/core/new.py": "from db import connect\n"}, "app/core/new.py:1"),
        ("`connect` is used only from `app/gateway`", {"app/core/new.py": "def f(db):\n    return db.connect()\n"}, "app/core/new.py"),
        ("Do not add GraphQL", {"package.json": '{"name": "shop", "dependencies": {"graphql": "16"}}\n'}, "package.json"),
        ("do not use Redux", {"src/a.ts": "import { createStore } from 'redux';\n"}, "src/a.ts:1"),
        ("Never use Moment.js", {"src/a.ts": "import moment from 'moment';\n"}, "src/a.ts"),
        ("Redux는 쓰지 않는다", {"package.json": '{"name": "shop", "dependencies": {"moment": "2", "redux": "5"}}\n'}, "package.json"),
        ("Never call `connect` outside tests", {"app/core/new.py": "from db import connect\n"}, "app/core/new.py"),
        ("Use `fetchJson` instead of `axiosGet`", {"src/a.ts": "export const a = axiosGet('/');\n"}, "src/a.ts"),
    ],
)  # fmt: skip
def test_a_broken_prohibition_challenges_and_names_its_breaker(
    repo: Repo, text: str, edit: Mapping[str, str], place: str
) -> None:
    validated(repo, said(text), APP, scope=EVERYTHING)
    assert verdict(repo.path) == ("fresh", "active")
    assert after(repo, edit) == ("changed", "challenged")
    assert (
        judged(repo.path)
        .findings[0]
        .reason.removesuffix(" imports it")
        .endswith((place, f"{place} declares it"))
    )
    assert judged(repo.path).findings[0].path == place.partition(":")[0]


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("`app/core` must not import from `app/ui`", {"app/core/order.py": "def order():\n    return 2\n"}),
        ("`app/core` must not import from `app/ui`", {"app/ui/page.py": "from app.ui import x\n\n\ndef page():\n    return 7\n"}),
        ("`app/core` must not import from `app/ui`", {"app/core/order.py": '"""No import app.ui here."""\nURL = "app.ui"\n'}),
        ("`app/core`에서는 `app/ui`를 import하면 안 된다", {"app/core/new.py": "import app.core\n"}),
        ("Only `app/gateway` may import `db`", {"app/gateway/more.py": "import db\n"}),
        ("Only `app/gateway` may import `db`", {"app/core/order.py": "def order():\n    return 3\n"}),
        ("Never call `send` without `lock`", {"app/core/new.py": "def f(send, lock):\n    return send(lock)\n"}),
        ("Never `print` to `sys.stdout`", {"app/core/new.py": "import sys\n\nsys.stdout.write('print')\n"}),
        ("Never use `requests`", {"app/core/new.py": "LABEL = 'requests'\n"}),
        ("do not use Redux", {"src/a.ts": "export const a = 2;\n"}),
        ("Never call `connect` outside tests", {"tests/test_db.py": "from db import connect\n\nconnect()\n"}),
        ("테스트 밖에서는 `connect`를 호출하지 않는다", {"tests/test_db.py": "from db import connect\n\nconnect()\n"}),
        ("Prefer `order` over `page`", {"app/core/new.py": "page = 1\n"}),
    ],
)  # fmt: skip
def test_other_edits_leave_a_prohibition_alone(repo: Repo, text: str, edit: Mapping[str, str]) -> None:
    wide = {**APP, **{f"app/more/{number}.py": f"x = {number}\n" * 9 for number in range(9)}}
    validated(repo, said(text), wide, scope=EVERYTHING)
    assert after(repo, edit) in KEPT


@pytest.mark.parametrize(
    "text", ["`app/core` must not import `app/ui`", "Only `app/gateway` may import `app/ui`"]
)
def test_a_clone_without_the_baseline_judges_by_what_was_stored(
    repo: Repo, tmp_path: Path, text: str
) -> None:
    validated(repo, said(text), APP, scope=EVERYTHING)
    repo.commit("Other", {"app/core/order.py": "def order():\n    return 5\n"})
    assert verdict(shallow(repo, tmp_path / "kept").path)[1] == "active"
    repo.commit("Break", {"app/core/order.py": "from app.ui import page\n"})
    clone = shallow(repo, tmp_path / "broken")
    assert verdict(clone.path) == ("changed", "challenged")
    assert "app/core/order.py:1 imports it" in judged(clone.path).findings[0].reason


def test_uncommitted_imports_break_it_too(repo: Repo) -> None:
    validated(repo, said("`app/core` must not import `app/ui`"), APP, scope=EVERYTHING)
    repo.write("app/core/order.py", "from app.ui import page\n")
    assert verdict(repo.path, WORKTREE) == ("changed", "challenged")
    repo.git("add", "-A")
    assert verdict(repo.path, STAGED) == ("changed", "challenged")


def test_a_manifest_outside_the_scope_is_looked_at(repo: Repo) -> None:
    validated(repo, said("Do not add GraphQL"), APP, scope="{paths: ['src/**']}")
    assert verdict(repo.path) == ("fresh", "active")
    added = {"package.json": '{"name": "shop", "dependencies": {"moment": "2", "graphql": "16"}}\n'}
    assert after(repo, added) == ("changed", "challenged")
    assert judged(repo.path).findings[0].path == "package.json"


def test_a_rule_for_all_but_one_place_reaches_beyond_a_scope_of_that_place(repo: Repo) -> None:
    validated(repo, said("Only `app/gateway` may import `db`"), APP, scope="{paths: ['app/gateway/**']}")
    assert after(repo, {"tests/test_db.py": "import db\n", "src/b.ts": "export const b = 1;\n"}) in KEPT
    assert after(repo, {"app/ui/page.py": "import db\n"}) == ("changed", "challenged")


def test_one_that_is_broken_already_is_said_and_must_not_spread(repo: Repo) -> None:
    broken = {**APP, "app/core/order.py": "import os\nfrom app.ui import page\n"}
    remembered(repo, said("`app/core` must not import `app/ui`"), broken, scope=EVERYTHING)
    result = confirmed(repo.path)
    repo.commit("Validate")
    lines = "\n".join(confirm_lines(result))
    assert (
        "  born false? import app/ui/ in app/core/ (prohibited), and it stands in app/core/order.py:2"
        in lines
    )
    assert after(repo, {"app/core/order.py": "import sys\nfrom app.ui import page\n"}) in KEPT
    assert after(repo, {"app/core/new.py": "from app.ui import page\n"}) == ("changed", "challenged")


def test_what_confirm_prints_may_be_pasted(repo: Repo) -> None:
    rule = said("`app/core` must not import `app/ui`, and never use `eval_it`")
    remembered(repo, rule, APP, scope=EVERYTHING)
    printed = [line[4:] for line in confirm_lines(confirmed(repo.path)) if line.startswith("    ")]
    assert "import app/ui/ in app/core/ (prohibited)" in printed
    pasted = "\n" + "\n".join(f"  - {line}" for line in printed)
    repo.commit("Paste", {path_of(): memory(summary=rule, scope=EVERYTHING, watch=pasted)})
    asked = confirmed(repo.path, ask=lambda _: True)
    again = [line[4:] for line in confirm_lines(asked) if line.startswith("    ")]
    assert again == printed


@pytest.mark.parametrize("text", ["`app/core` must not import `app/ui`", "Never use `eval_it`"])
def test_the_commit_that_broke_it_is_named_and_no_other(repo: Repo, text: str) -> None:
    validated(repo, said(text), APP, scope=EVERYTHING)
    order = APP["app/core/order.py"]
    repo.commit("Before", {"app/core/order.py": "import os\n" + order})
    broken = "import os\nfrom app.ui import page\n\neval_it(page)\n" + order
    breaking = repo.commit("Break", {"app/core/order.py": broken})
    repo.commit("After", {"app/core/order.py": broken + "\n\nx = 1\n"})
    found = judged(repo.path).findings[0]
    assert (found.path, found.commit, found.commits) == ("app/core/order.py", breaking, 1)


def test_a_sentence_about_two_folders_holds_in_both(repo: Repo) -> None:
    validated(repo, said("Neither `app/core` nor `app/gateway` may import `app/ui`"), APP, scope=EVERYTHING)
    for path in ("app/core/new.py", "app/gateway/new.py"):
        assert after(repo, {path: "import app.ui\n"}) == ("changed", "challenged")
        repo.git("rm", "-q", path)
        repo.commit("Back")
        assert verdict(repo.path) in KEPT
