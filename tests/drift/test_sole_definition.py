"""A watched name that has one definition: what became of it decides more than that the name is still written."""

from __future__ import annotations

import pytest

from gitmem.drift.renames import renamed_part
from gitmem.model.watch import Watch, WatchKind, parse_watch
from tests.support.tree_view import Files, judged, mark_of

FEE = "def fee(total):\n    rate = total * 3\n    return rate\n"
USE = {"src/use.py": "from .a import fee\n\nprint(fee(1))\n"}
FLASK = 'from .app import Flask as Flask\n\n__version__ = "2.3.0"\n'
SHIM = (
    "from .app import Flask as Flask\n\n\ndef __getattr__(name):\n"
    '    if name == "__version__":\n        return read("flask")\n    raise AttributeError(name)\n'
)
SERVER = {
    "a.go": "package a\n\ntype Server struct{ n int }\n\nfunc (s *Server) Run(x int) error {\n\ts.n = x\n\treturn nil\n}\n",
    "a.py": "class Server:\n    all = []\n\n    def Run(self, x):\n        Server.all.append(x)\n        return x\n",
    "a.ts": "export class Server {\n  n = 1;\n  Run(): Server {\n    const x = new Server();\n    return x;\n  }\n}\n",
    "a.java": "class Server {\n  int n;\n  Server Run() {\n    return new Server();\n  }\n}\n",
    "a.rs": "pub struct Server { n: u8 }\n\nimpl Server {\n    pub fn Run(n: u8) -> Server {\n        Server { n }\n    }\n}\n",
}
ONE_LINE = "def fee(total):\n    return total * 0.03\n"


def told(name: str, then: Files, now: Files, *, history: bool = True) -> tuple[str, str]:
    seen = judged(Watch(WatchKind.IDENT, name=name), then, now, scope=("src/**",), history=history)
    return (str(seen.verdict), seen.findings[0].reason)


def symbol(place: str, then: Files, now: Files, *, history: bool = True) -> tuple[str, str, str]:
    seen = judged(parse_watch("symbol", place), then, now, history=history)
    return (str(seen.verdict), seen.findings[0].reason, str(seen.moved))


def test_the_mark_of_a_name_holds_its_one_definition() -> None:
    mark = mark_of(Watch(WatchKind.IDENT, name="fee"), {"src/a.py": FEE, **USE}, ("src/**",))
    assert [target for target, _, _ in mark.uses] == ["src/a.py#fee"]
    assert (mark.at, mark.counts) == ((1, 3), (2, 0, 2))
    several = mark_of(Watch(WatchKind.IDENT, name="fee"), {"src/a.py": FEE, "src/b.py": FEE}, ("src/**",))
    assert (several.uses, several.sig) == ((), None)


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize(
    ("name", "then", "now", "new"),
    [
        ("fee", {"src/a.py": FEE, **USE}, {"src/a.py": FEE.replace("fee", "charge")}, "charge"),
        (
            "Run",
            {"src/a.go": SERVER["a.go"]},
            {"src/a.go": SERVER["a.go"].replace("Run", "Start")},
            "Start",
        ),
        (
            "Order",
            {"src/a.ts": "export interface Order {\n  id: string;\n}\n"},
            {"src/a.ts": "export interface Item {\n  id: string;\n}\n"},
            "Item",
        ),
        (
            "Full",
            {"src/b.py": "raise Full()\n", "lib/e.py": "class Full(Exception):\n    code = 1\n    x = 2\n"},
            {"src/b.py": "raise Over()\n", "lib/e.py": "class Over(Exception):\n    code = 1\n    x = 2\n"},
            "Over",
        ),
    ],
)
def test_a_name_whose_definition_has_another_one_is_not_gone(
    name: str, then: Files, now: Files, new: str, history: bool
) -> None:
    seen = judged(Watch(WatchKind.IDENT, name=name), then, now, scope=("src/**",), history=history)
    assert (str(seen.verdict), str(seen.moved)) == ("relocated", f"ident {new}")
    assert f"{name} is now called {new}" in seen.findings[0].reason


def test_a_constant_of_another_name_is_the_same_only_where_it_is_new() -> None:
    then = {"src/a.py": "A = 3\nX = 1\n"}
    assert told("A", then, {"src/a.py": "B = 3\nX = 1\n"})[0] == "relocated"
    assert told("A", then, {"src/a.py": "B = 3\nX = 1\n"}, history=False)[0] == "gone"
    assert told("A", {"src/a.py": "A = 3\nB = 3\n"}, {"src/a.py": "B = 3\n"})[0] == "gone"


@pytest.mark.parametrize("history", [True, False])
def test_a_definition_that_is_gone_while_its_name_is_mentioned(history: bool) -> None:
    setup = {"src/setup.py": "from src.f import __version__\n"}
    then, now = {"src/f.py": FLASK, **setup}, {"src/f.py": SHIM, **setup}
    assert told("__version__", then, now, history=history) == (
        "changed",
        "__version__ is no longer defined in src/f.py, though src/f.py and 1 more still mention it",
    )


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        ({"src/a.py": "from .b import fee\n", "src/b.py": FEE}, "relocated"),
        ({"src/a.py": "from .b import (\n    fee,\n)\n", "src/b.py": FEE.replace("3", "4")}, "fresh"),
        ({"src/a.py": "from lib import fee\n"}, "fresh"),
        ({"src/a.py": "X = 1\n", "src/b.py": FEE}, "relocated"),
        ({"src/a.py": "X = 1\n", "src/b.py": FEE.replace("3", "4")}, "fresh"),
        ({"src/a.py": FEE.replace("3", "4")}, "fresh"),
        ({"src/a.py": "X = 1\n"}, "changed"),
    ],
)
def test_one_that_is_handed_on_or_defined_anew_is_no_alarm(now: Files, verdict: str, history: bool) -> None:
    assert told("fee", {"src/a.py": FEE, **USE}, {**USE, **now}, history=history)[0] == verdict


def test_a_value_that_became_a_function() -> None:
    assert told("A", {"src/a.py": "A = 3\n"}, {"src/a.py": "def A():\n    return 3\n"}) == (
        "changed",
        "A was a constant in src/a.py, and is a function now",
    )


# the type of a method renamed
@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize("path", SERVER)
def test_a_method_whose_type_has_another_name(path: str, history: bool) -> None:
    now = {path: SERVER[path].replace("Server", "Host")}
    assert symbol(f"{path}#Server.Run", {path: SERVER[path]}, now, history=history) == (
        "relocated",
        "Server.Run is now called Host.Run, its body equal",
        f"symbol {path}#Host.Run",
    )


def test_a_method_whose_type_has_another_name_and_that_changed() -> None:
    now = {"a.go": SERVER["a.go"].replace("Server", "Host").replace("s.n = x", "s.n = x + 1")}
    assert symbol("a.go#Server.Run", {"a.go": SERVER["a.go"]}, now)[:2] == (
        "changed",
        "Server.Run is now Host.Run and changed 50%: signature and body changed",
    )


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("A.f", "B.f", ("A", "B")),
        ("A.A", "B.B", ("A", "B")),
        ("M.A.f", "M.B.f", ("A", "B")),
        ("A.f", "A.g", None),
        ("A.f", "B.g", None),
        ("A.f", "f", None),
        ("A.f", "A.f", None),
    ],
)
def test_the_part_in_which_two_names_differ(old: str, new: str, part: tuple[str, str] | None) -> None:
    assert renamed_part(old, new) == part


# short ones
def test_a_short_function_renamed_with_its_file() -> None:
    now = {"a/charge.py": ONE_LINE.replace("fee", "charge")}
    assert symbol("a/fee.py#fee", {"a/fee.py": ONE_LINE}, now) == (
        "relocated",
        "fee is now charge in a/charge.py, its body equal",
        "symbol a/charge.py#charge",
    )


def test_a_short_function_that_may_be_one_of_two_is_gone_and_says_why() -> None:
    now = {"a/charge.py": ONE_LINE.replace("fee", "charge"), "b.py": ONE_LINE.replace("fee", "other")}
    verdict, reason, _ = symbol("a/fee.py#fee", {"a/fee.py": ONE_LINE}, now)
    assert verdict == "gone"
    assert "a/charge.py#charge and b.py#other have its body, so that neither is sure" in reason
