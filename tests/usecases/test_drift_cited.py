"""Statements that cite a constant, a method of a type, or a method by its plain name, from confirmation to verdict."""

from __future__ import annotations

import pytest

from tests.support.drifting import validated, verdict
from tests.support.repo import Repo

MORE = {f"src/more{at}.py": f"def more_{at}():\n    return {at}\n" for at in range(6)}
LIMIT = (
    "export const MAX_SIZE = 50;\n\nexport function fits(count: number) {\n  return count <= MAX_SIZE;\n}\n"
)
CART = "pub const MAX_SIZE: u8 = 50;\n\npub struct Cart;\n\nimpl Cart {\n    pub fn add(&self) -> u8 {\n        1\n    }\n}\n"
MAILER = "module Shop\n  class Mailer\n    def deliver\n      1\n    end\n  end\nend\n"
PARSER = "class Parser:\n    def parse(self, text):\n        return self.cache.get(text)\n"


@pytest.mark.parametrize(
    ("summary", "path", "code", "edit"),
    [
        ("'At most 50 entries (`MAX_SIZE`)'", "src/limit.ts", LIMIT, ("50", "51")),
        ("'`MAX_SIZE` is 50'", "src/cart.rs", CART, ("50", "51")),
        ("'`Cart::add` answers 1'", "src/cart.rs", CART, ("        1", "        2")),
        ("'`Shop::Mailer#deliver` returns 1'", "src/mailer.rb", MAILER, ("      1", "      2")),
        ("'`parse` caches its results'", "src/parser.py", PARSER, ("self.cache.get(text)", "text.split()")),
    ],
)
def test_what_a_statement_cites_is_watched_in_a_wide_scope(
    repo: Repo, summary: str, path: str, code: str, edit: tuple[str, str]
) -> None:
    validated(repo, summary, {path: code, **MORE}, scope="{paths: [src/**]}")
    repo.commit("Elsewhere", {"src/more1.py": "def more_1():\n    return 9\n"})
    assert verdict(repo.path)[1] == "active"
    repo.commit("There", {path: code.replace(*edit)})
    assert verdict(repo.path)[1] == "challenged"
