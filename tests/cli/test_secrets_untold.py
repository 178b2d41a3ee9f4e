"""A memory that holds secrets: no face tells one, whatever the format."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.cli import gitmem
from tests.support.repo import Repo

AWS, GITHUB, STRIPE = (
    "AKIA" + "Q3EGRZ7WN2VTLXKP",
    "ghp_" + "0123456789abcdefABCDEF0123456789abcd",
    "sk_live_" + "4eC39Hq" * 4,
)
PASSWORD, KEY_LINE = "hunter2pass", "MIIEowIBAAKCAQEAuVx2lmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01"
SECRETS = (AWS, GITHUB, STRIPE, PASSWORD, KEY_LINE)
FILE = ".ai/memory/m-001.yaml"
TEXT = f"""\
id: m-001
title: Title with {GITHUB} in it
kind: convention
status: active
summary: pay_order takes {AWS} from src/pay.py
body: |
  It asks postgres://user:{PASSWORD}@db.example.com/x
  -----BEGIN RSA PRIVATE KEY-----
  {KEY_LINE}
  -----END RSA PRIVATE KEY-----
scope:
  paths: [src/pay.py]
  applies_to: [{GITHUB}]
verification:
  probe: pay --key {STRIPE}
origin:
  root_cause: it was {GITHUB}
"""
FACES = (
    "list", "list --json", "show m-001", "show m-001 --json --history", f"gate {FILE}", f"gate {FILE} --json", "confirm m-001",
    "confirm m-001 --json", "review", "review --json", "map --json", "map --html out.html", "recall pay_order", "brief", "lint",
    "drift --explain", *(f"drift --format {name}" for name in ("text", "json", "markdown", "github", "gitlab", "sarif")),
    *(f"drift --range HEAD~1..HEAD --format {name}" for name in ("text", "json", "markdown", "github", "gitlab", "sarif")),
)  # fmt: skip


@pytest.fixture(scope="module")
def leaky(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    made = Repo(tmp_path_factory.mktemp("leaky") / "repo")
    made.commit("Begin", {FILE: TEXT, "src/pay.py": "def pay_order():\n    return 1\n"})
    gitmem("confirm", "m-001", at=made.path)
    made.git("add", "-A")
    made.git("commit", "-qm", "Confirm")
    made.commit("Change", {"src/pay.py": "def pay_order():\n    raise ValueError(2)\n"})
    return made


@pytest.mark.parametrize("words", FACES)
def test_no_face_tells_a_secret(leaky: Repo, tmp_path: Path, words: str) -> None:
    arguments = words.replace("out.html", str(tmp_path / "out.html")).split()
    done = gitmem(*arguments, at=leaky.path)
    page = tmp_path / "out.html"
    told = (done.out + done.err + (page.read_text() if page.exists() else "")).replace("\\", "")
    assert [one for one in SECRETS if one in told] == []
    assert "could not be read" not in told
