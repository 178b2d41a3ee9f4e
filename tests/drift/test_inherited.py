"""A method that moved up into a base class still answers the calls that a statement tells of."""

from __future__ import annotations

import pytest

from tests.drift.test_grading import about, judge

SERVER = "class Server:\n    def enable(self, name):\n        self.on.add(name)\n\n    def run(self):\n        return 1\n"
BASE = "class Provider:\n    def enable(self, name):\n        self.rules.append((name, True))\n"
MIDDLE = "from src.base import Provider\n\n\nclass Group(Provider):\n    pass\n"
HEIR = "from src.base import Provider\n\n\nclass Server(Provider):\n    def run(self):\n        return 1\n"
GRANDCHILD = "from src.middle import Group\n\n\nclass Server(\n    Group,\n    Generic[T],\n):\n    def run(self):\n        return 1\n"
SCRIPT = (
    "export class Server {\n  enable(name) {\n    this.on.add(name);\n  }\n  run() {\n    return 1;\n  }\n}\n"
)
SCRIPT_BASE = "export class Provider {\n  enable(name) {\n    this.rules.push([name, true]);\n  }\n}\n"
SCRIPT_HEIR = "export class Server extends Provider {\n  run() {\n    return 1;\n  }\n}\n"
SWIFT = "class Server {\n    func enable(name: String) {\n        on.insert(name)\n    }\n}\n"
SWIFT_BASE = (
    "class Provider {\n    func enable(name: String) {\n        rules.append((name, true))\n    }\n}\n"
)
SWIFT_HEIR = "class Server: Provider {\n    var on = 1\n}\n"
NAMED = "Use `Server.enable()` to turn a tool on."


@pytest.mark.parametrize(
    ("then", "now"),
    [
        ({"src/server.py": SERVER}, {"src/server.py": HEIR, "src/base.py": BASE}),
        (
            {"src/server.py": SERVER},
            {"src/server.py": GRANDCHILD, "src/middle.py": MIDDLE, "src/base.py": BASE},
        ),
        ({"src/server.ts": SCRIPT}, {"src/server.ts": SCRIPT_HEIR, "src/base.ts": SCRIPT_BASE}),
        ({"src/server.swift": SWIFT}, {"src/server.swift": SWIFT_HEIR, "src/base.swift": SWIFT_BASE}),
    ],
)
def test_what_the_words_only_name_is_touched(then: dict[str, str], now: dict[str, str]) -> None:
    got = judge(about(NAMED), now, then)
    assert str(got.verdict) == "touched"
    assert any(
        found.reason.startswith("Server.enable is inherited now: Provider.enable in src/base")
        for found in got.findings
    )


def test_what_the_words_tell_of_its_body_is_challenged() -> None:
    then, now = {"src/server.py": SERVER}, {"src/server.py": HEIR, "src/base.py": BASE}
    told = about("`Server.enable()` adds the name to a set, so that enabling twice does nothing.")
    assert str(judge(told, now, then).verdict) == "changed"


@pytest.mark.parametrize(
    "base",
    [
        BASE.replace("enable", "allow"),
        BASE.replace("class Provider", "class Other"),
        BASE.replace("def enable(self, name)", "def enable(self, *, rule)"),
    ],
)
def test_a_base_that_does_not_take_the_call_does_not_keep_it(base: str) -> None:
    then, now = {"src/server.py": SERVER}, {"src/server.py": HEIR, "src/base.py": base}
    assert str(judge(about(NAMED), now, then).verdict) in {"changed", "gone"}


def test_a_class_that_inherits_itself_ends() -> None:
    loop = {"src/server.py": HEIR, "src/base.py": "class Provider(Server):\n    pass\n"}
    assert str(judge(about(NAMED), loop, {"src/server.py": SERVER}).verdict) == "gone"
