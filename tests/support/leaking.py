"""A repository with a memory, and code below it, that hold secrets."""

from __future__ import annotations

from pathlib import Path

from tests.support.cli import gitmem
from tests.support.repo import Repo

AWS, GITHUB, STRIPE = (
    "AKIA" + "Q3EGRZ7WN2VTLXKP",
    "ghp_" + "0123456789abcdefABCDEF0123456789abcd",
    "sk_live_" + "4eC39Hq" * 4,
)
PASSWORD, KEY_LINE = "hunter2pass", "MIIEowIBAAKCAQEAuVx2lmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01"
BY_NAME = "blue heron 4711 quay"  # nothing but the variable that holds it here says that it is one
HERE = {"DEPLOY_SECRET": BY_NAME}
SECRETS = (AWS, GITHUB, STRIPE, PASSWORD, KEY_LINE, BY_NAME)
FILE = ".ai/memory/m-001.yaml"
TEXT = f"""\
id: m-001
title: Title with {GITHUB} and {BY_NAME} in it
kind: convention
status: active
summary: pay_order takes {AWS} from src/pay.py, or {BY_NAME}
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
  root_cause: it was {GITHUB} or {BY_NAME}
"""
CODE = 'def pay_order():\n    return "%s"\n'


def leaking(path: Path) -> Repo:
    """The memory was confirmed, then its code changed from one secret to another."""
    made = Repo(path)
    made.commit("Begin", {FILE: TEXT, "src/pay.py": CODE % AWS})
    gitmem("confirm", "m-001", at=made.path)
    made.git("add", "-A")
    made.git("commit", "-qm", "Confirm")
    made.commit("Change", {"src/pay.py": CODE % BY_NAME})
    return made


def told_of(text: str) -> list[str]:
    """The secrets that a text tells, whatever escapes stand in it."""
    plain = text.replace("\\", "")
    return [one for one in SECRETS if one in plain]
