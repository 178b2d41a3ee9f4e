"""What a watched definition uses has another name and an equal body: its caller's new words for it change nothing."""

from __future__ import annotations

import pytest

from gitmem.model.verdict import Verdict
from gitmem.model.watch import parse_watch
from tests.support.tree_view import judged

PYTHON = {
    "src/a.py": "from src.b import charge\n\n\ndef pay(order):\n    log(order)\n    return charge(order, 3)\n",
    "src/b.py": "def charge(order, n):\n    x = order.total\n    y = x * n\n    return y + 1\n",
}
GO = {
    "src/a.go": "package a\n\nfunc pay(o Order) int {\n\tlog(o)\n\treturn charge(o, 3)\n}\n",
    "src/b.go": "package a\n\nfunc charge(o Order, n int) int {\n\tx := o.Total\n\ty := x * n\n\treturn y + 1\n}\n",
}
VALUE = {
    "src/a.py": "from src.b import charge\n\n\ndef pay(order):\n    log(order)\n    return order[:charge]\n",
    "src/b.py": "charge = 3\nother = 1\n",
}


def renamed(tree: dict[str, str]) -> dict[str, str]:
    return {path: text.replace("charge", "bill") for path, text in tree.items()}


@pytest.mark.parametrize("tree", [PYTHON, GO, VALUE], ids=["function", "go", "constant"])
def test_a_new_name_of_what_is_used_is_a_soft_note(tree: dict[str, str]) -> None:
    (path,) = (path for path in tree if path.startswith("src/a"))
    seen = judged(parse_watch("symbol", f"{path}#pay"), tree, renamed(tree), scope=("src/a.*",))
    assert seen.verdict is Verdict.TOUCHED
    assert "charge is now bill" in seen.findings[0].reason


def test_more_than_the_name_is_a_change() -> None:
    now = renamed(PYTHON)
    now["src/a.py"] = now["src/a.py"].replace("3)", "4)")
    watch = parse_watch("symbol", "src/a.py#pay")
    assert judged(watch, PYTHON, now).verdict is Verdict.CHANGED


def test_another_thing_under_another_name_is_a_change() -> None:
    watch = parse_watch("symbol", "src/a.py#pay")
    now = {
        "src/a.py": renamed(PYTHON)["src/a.py"],
        "src/b.py": PYTHON["src/b.py"] + "\n\ndef bill(o, n):\n    return 1\n",
    }
    assert judged(watch, PYTHON, now).verdict is Verdict.CHANGED
    body = {
        "src/a.py": renamed(PYTHON)["src/a.py"],
        "src/b.py": renamed(PYTHON)["src/b.py"].replace("y + 1", "y"),
    }
    assert judged(watch, PYTHON, body).verdict is Verdict.CHANGED
