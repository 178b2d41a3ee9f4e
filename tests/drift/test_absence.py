from __future__ import annotations

import pytest

from gitmem.drift.absence import absence
from gitmem.model.watch import Quote, Watch, parse_watch
from tests.support.tree_view import TreeOfText

API = "LIMIT = 3\n\n\nclass Order:\n    def submit(self):\n        return LIMIT\n"
TREE = TreeOfText({"src/checkout/api.py": API, "package.json": '{"scripts": {"lint": "eslint ."}}'})
SCOPE = ("src/checkout/api.py",)


@pytest.mark.parametrize(
    ("kind", "target", "words"),
    [
        ("symbol", "src/checkout/api.py#Order.submitt", "src/checkout/api.py defines no Order.submitt – did you mean Order.submit?"),
        ("symbol", "src/checkout/api.py#submitt", "src/checkout/api.py defines no submitt – did you mean Order.submit?"),
        ("symbol", "src/checkout/api.py#pay", "src/checkout/api.py defines no pay"),
        ("symbol", "src/chekout/api.py#Order", "src/chekout/api.py does not exist – did you mean src/checkout/api.py?"),
        ("key", "package.json#scripts.lnt", "package.json has no key scripts.lnt – did you mean scripts.lint?"),
        ("ident", "Ordre", "Ordre is nowhere in code – did you mean Order?"),
        ("path", "src/chekout/", "src/chekout/ does not exist – did you mean src/checkout/?"),
        ("file", "src/checkout/apy.py", "src/checkout/apy.py does not exist – did you mean src/checkout/api.py?"),
        ("verifier", "src/checkout/api.py#Order.test", "src/checkout/api.py defines no Order.test – did you mean Order.submit?"),
        ("lines", "src/checkout/api.py:40-50", "src/checkout/api.py ends at line 6"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_said_with_the_nearest(kind: str, target: str, words: str) -> None:
    assert absence(parse_watch(kind, target), TREE, SCOPE) == words


def test_lines_that_are_quoted_and_not_there() -> None:
    watch = parse_watch("lines", "src/checkout/api.py:1-1", quote=Quote("LIMIT = 4"))
    assert absence(watch, TREE, SCOPE) == "src/checkout/api.py has no such lines as are quoted"


@pytest.mark.parametrize(
    "watch",
    [
        parse_watch("symbol", "src/checkout/api.py#Order.submit"),
        parse_watch("key", "package.json#scripts.lint"),
        parse_watch("ident", "Order"),
        parse_watch("path", "src/checkout/"),
        parse_watch("file", "src/checkout/api.py"),
        parse_watch("lines", "src/checkout/api.py:1-2"),
        parse_watch("ident", "fax", polarity="prohibits"),
    ],
    ids=str,
)
def test_what_is_there_or_must_not_be_is_not_absent(watch: Watch) -> None:
    assert absence(watch, TREE, SCOPE) is None
