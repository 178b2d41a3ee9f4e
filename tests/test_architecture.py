"""The house rules as tests: layers, cycles, who may import what, sizes, names.

Every rule is a function from modules to complaints, and each is shown a bad literal so that it can fail.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).parent.parent / "gitmem"

LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"errors"}),
    frozenset({"wire"}),
    frozenset({"model"}),
    frozenset({"running"}),  # people's commands as processes; knows nothing of git
    frozenset({"redaction"}),  # below the store, which masks before it writes
    frozenset({"embedding"}),  # providers of vectors; knows neither git nor the store
    frozenset({"git"}),
    frozenset({"store"}),
    frozenset(
        {
            "drift",
            "recall",
            "promotion",
            "trust",
            "handoff",
            "compaction",
            "knowledge_map",
            "patches",
            "recurrence",
            "results",
        }
    ),
    frozenset({"usecases"}),
    frozenset({"report"}),
    # "" is gitmem/__init__.py: the version, and the public names, which are imported when they are used.
    frozenset({"", "cli", "mcp_server", "githooks", "agents", "action", "_main", "__main__"}),
)
ONLY_IN = {"pygit2": "git", "click": "cli", "mcp": "mcp_server", "mcp_types": "mcp_server"}
WIRE_MAY_IMPORT = frozenset({"__future__", "os", "sys", "time", "fcntl"})
BANNED_NAMES = frozenset({"utils", "util", "helpers", "helper", "common", "misc"})
LONGEST_FILE, LONGEST_FUNCTION = 400, 60
LONGER_WITH_REASON: dict[str, str] = {
    "model.glob": "one grammar, read from top to bottom",
    "drift.words": "one language of tokens, read from top to bottom",
}
"""Module or ``module.function`` that may be longer, with the reason."""


class Module(NamedTuple):
    """One file of the package.

    Args:
        name: Dotted, without ``gitmem.``; a package's own file ends in ``__init__``.
        source: Its text.
    """

    name: str
    source: str

    @property
    def top(self) -> str:
        """The room it lies in: the first part of its name."""
        first = self.name.partition(".")[0]
        return "" if first == "__init__" else first

    @property
    def imports(self) -> list[str]:
        """Full names of everything it imports, lazily or not, each `from x import y` as both ``x`` and ``x.y``."""
        found: list[str] = []
        for node in ast.walk(ast.parse(self.source)):
            if isinstance(node, ast.Import):
                found += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, f"{self.name}: relative import in line {node.lineno}"
                found += [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        return found

    def imported(self, modules: Iterable[str]) -> set[str]:
        """Which of the package's modules it imports."""
        own = {name.removeprefix("gitmem.") for name in self.imports if name.startswith("gitmem.")}
        return {name for name in modules if name.removesuffix(".__init__") in own}


def package_modules() -> list[Module]:
    files = sorted(PACKAGE.rglob("*.py"))
    return [
        Module(".".join(path.relative_to(PACKAGE).with_suffix("").parts), path.read_text("utf-8"))
        for path in files
    ]


def layer(top: str) -> int | None:
    return next((rank for rank, tops in enumerate(LAYERS) if top in tops), None)


def without_layer(modules: Sequence[Module]) -> list[str]:
    return [f"{one.name} stands in no layer" for one in modules if layer(one.top) is None]


def upward_arrows(modules: Sequence[Module]) -> list[str]:
    names = [one.name for one in modules]
    return [
        f"{one.name} imports {other} from a layer above"
        for one in modules
        for other in sorted(one.imported(names))
        if (layer(one.top) or 0) < (layer(Module(other, "").top) or 0)
    ]


def cycles(modules: Sequence[Module]) -> list[str]:
    names = [one.name for one in modules]
    arrows = {one.name: one.imported(names) - {one.name} for one in modules}
    # What imports nothing that is left, or is imported by nothing that is left, is taken away; cycles stay.
    while arrows:
        aimed_at = {target for targets in arrows.values() for target in targets}
        free = [
            name for name, targets in arrows.items() if not targets & arrows.keys() or name not in aimed_at
        ]
        if not free:
            break
        for name in free:
            del arrows[name]
    return [
        f"{name} is in a cycle with {', '.join(sorted(arrows[name] & arrows.keys()))}"
        for name in sorted(arrows)
    ]


def misplaced_libraries(modules: Sequence[Module]) -> list[str]:
    return [
        f"{one.name} imports {library}, which only gitmem/{home} may"
        for one in modules
        for library, home in ONLY_IN.items()
        if one.top != home and library in {name.partition(".")[0] for name in one.imports}
    ]


def heavy_wire(modules: Sequence[Module]) -> list[str]:
    return [
        f"{one.name} imports {name}"
        for one in modules
        if one.top == "wire"
        for name in one.imports
        if not name.startswith("gitmem.wire") and name.partition(".")[0] not in WIRE_MAY_IMPORT
    ]


def impure_model(modules: Sequence[Module]) -> list[str]:
    return [
        f"{one.name} imports {name}"
        for one in modules
        if one.top == "model"
        for name in one.imports
        if not name.startswith(("gitmem.model", "gitmem.errors"))
        and name.partition(".")[0] not in sys.stdlib_module_names
    ]


def banned_names(modules: Sequence[Module]) -> list[str]:
    return [
        f"{one.name} says nothing about what is in it"
        for one in modules
        if BANNED_NAMES & set(one.name.split("."))
    ]


def filled_init_files(modules: Sequence[Module]) -> list[str]:
    return [
        f"{one.name} is not empty" for one in modules if one.name.endswith(".__init__") and one.source.strip()
    ]


def long_files(modules: Sequence[Module]) -> list[str]:
    lengths = [(one.name, one.source.count("\n")) for one in modules]
    return [
        f"{name} has {length} lines"
        for name, length in lengths
        if length > LONGEST_FILE and name not in LONGER_WITH_REASON
    ]


def long_functions(modules: Sequence[Module]) -> list[str]:
    return [
        f"{name} has {length} lines"
        for one in modules
        for name, length in _functions(one)
        if length > LONGEST_FUNCTION and name not in LONGER_WITH_REASON
    ]


def _functions(module: Module) -> list[tuple[str, int]]:
    nodes = ast.walk(ast.parse(module.source))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [
        (f"{module.name}.{node.name}", (node.end_lineno or node.lineno) - node.lineno + 1)
        for node in functions
    ]


RULES = (
    without_layer,
    upward_arrows,
    cycles,
    misplaced_libraries,
    heavy_wire,
    impure_model,
    banned_names,
    filled_init_files,
    long_files,
    long_functions,
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_package_keeps_the_rule(rule: Callable[[Sequence[Module]], list[str]]) -> None:
    assert rule(package_modules()) == []


@pytest.mark.parametrize(
    ("rule", "bad", "complaint"),
    [
        (without_layer, [Module("plugins.x", "")], "plugins.x stands in no layer"),
        (
            upward_arrows,
            [Module("store.a", "def f():\n    from gitmem.usecases.b import c"), Module("usecases.b", "")],
            "store.a imports usecases.b from a layer above",
        ),
        (
            upward_arrows,
            [Module("model.a", "import gitmem.report.b"), Module("report.b", "")],
            "model.a imports report.b from a layer above",
        ),
        (
            upward_arrows,
            [Module("git.a", "from gitmem import store"), Module("store.__init__", "")],
            "git.a imports store.__init__ from a layer above",
        ),
        (
            cycles,
            [Module("drift.a", "def f():\n    import gitmem.drift.b"), Module("drift.b", "from gitmem.drift import a")],
            "drift.a is in a cycle with drift.b",
        ),
        (misplaced_libraries, [Module("usecases.a", "def f():\n    import pygit2.enums")], "usecases.a imports pygit2, which only gitmem/git may"),
        (misplaced_libraries, [Module("report.a", "from click import echo")], "report.a imports click, which only gitmem/cli may"),
        (heavy_wire, [Module("wire.a", "def f():\n    import json")], "wire.a imports json"),
        (heavy_wire, [Module("wire.a", "from gitmem.errors import GitmemError")], "wire.a imports gitmem.errors"),
        (impure_model, [Module("model.a", "import pydantic")], "model.a imports pydantic"),
        (impure_model, [Module("model.a", "from gitmem.wire import b")], "model.a imports gitmem.wire"),
        (banned_names, [Module("store.utils", "")], "store.utils says nothing about what is in it"),
        (banned_names, [Module("helpers.a", "")], "helpers.a says nothing about what is in it"),
        (filled_init_files, [Module("store.__init__", "from gitmem.store import a\n")], "store.__init__ is not empty"),
        (long_files, [Module("store.a", "x = 1\n" * 401)], "store.a has 401 lines"),
        (long_functions, [Module("store.a", "class A:\n    def f(self):\n" + "        x = 1\n" * 60)], "store.a.f has 61 lines"),
    ],
)  # fmt: skip
def test_each_rule_can_fail(
    rule: Callable[[Sequence[Module]], list[str]], bad: list[Module], complaint: str
) -> None:
    assert complaint in rule(bad)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_no_rule_complains_of_what_is_allowed(rule: Callable[[Sequence[Module]], list[str]]) -> None:
    good = [
        Module("__init__", '__version__ = "1"\n'),
        Module(
            "wire.lock",
            "from __future__ import annotations\nimport os, sys, time, fcntl\nfrom gitmem.wire import json_line\n",
        ),
        Module("wire.json_line", ""),
        Module("model.a", "import dataclasses\nfrom gitmem.errors import GitmemError\n"),
        Module("errors", ""),
        Module("git.library", "import pygit2\nfrom gitmem.model.a import x\n"),
        Module("cli.app", "import click\nfrom gitmem import __version__\nfrom gitmem.report.a import y\n"),
        Module("report.a", "x = 1\n" * 400),
        Module("report.__init__", ""),
    ]
    assert rule(good) == []


def test_every_exception_names_something_that_exists() -> None:
    known = {one.name for one in package_modules()} | {
        name for one in package_modules() for name, _ in _functions(one)
    }
    assert set(LONGER_WITH_REASON) <= known
