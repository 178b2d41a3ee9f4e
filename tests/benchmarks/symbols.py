"""Yardstick 2 of drift: every function of a Python project as a memory, judged a version later.

``python -m tests.benchmarks.symbols MIRROR [--repository pallets/flask --path src/flask --interval 2.2.0 2.3.0]``

The truth comes from the syntax trees of both versions: same, cosmetic (formatting, comments, docstrings),
annotation, changed, moved (an equal definition of that name elsewhere), gone. Changed and gone are real.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.judged import Trial, bare_clone
from tests.support.repo import Repo

INTERVALS = (("2.2.0", "2.3.0"), ("2.3.0", "3.0.0"))
REAL = frozenset({"changed", "gone"})
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Shape:
    """One definition at three levels of detail.

    Args:
        text: As written, decorators left out; a changed decorator is a changed tree.
        tree: Its syntax tree without docstrings.
        bare: The same without annotations.
    """

    text: str
    tree: str
    bare: str


Symbols = Mapping[tuple[str, str], Shape]
"""(path, qualified name) to shape."""


def shapes(text: str) -> dict[str, Shape]:
    """Functions of a module and methods of its classes by qualified name; of overloads the first."""
    found: dict[str, Shape] = {}
    for name, node in _functions(ast.parse(text)):
        if name not in found:
            source = ast.get_source_segment(text, node) or ""
            found[name] = Shape(source, _dump(node, annotated=True), _dump(node, annotated=False))
    return found


def _functions(module: ast.Module) -> Iterator[tuple[str, Function]]:
    for node in module.body:
        if isinstance(node, Function):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from (
                (f"{node.name}.{inner.name}", inner) for inner in node.body if isinstance(inner, Function)
            )


def _dump(node: Function, *, annotated: bool) -> str:
    fresh = ast.parse(ast.unparse(node)).body[0]
    for inner in ast.walk(fresh):
        if isinstance(inner, Function | ast.ClassDef) and ast.get_docstring(inner) is not None:
            inner.body = inner.body[1:] or [ast.Pass()]
        if not annotated:
            _strip_annotations(inner)
    return ast.dump(fresh)


def _strip_annotations(node: ast.AST) -> None:
    match node:
        case ast.arg():
            node.annotation = None
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            node.returns = None
        case ast.AnnAssign():
            node.annotation = ast.Constant(0)
        case _:
            pass


def truth(old: Symbols, new: Symbols) -> dict[tuple[str, str], str]:
    """What became of each definition."""
    elsewhere = {(shape.tree, name.rpartition(".")[2]) for (_, name), shape in new.items()}
    return {key: _became(key[1], shape, new.get(key), elsewhere) for key, shape in old.items()}


def _became(name: str, old: Shape, new: Shape | None, elsewhere: set[tuple[str, str]]) -> str:
    if new is None:
        return "moved" if (old.tree, name.rpartition(".")[2]) in elsewhere else "gone"
    if new.tree == old.tree:
        return "same" if new.text == old.text else "cosmetic"
    return "annotation" if new.bare == old.bare else "changed"


def load_symbols(clone: Repo, revision: str, path: str) -> Symbols:
    """Every definition below a path at a revision."""
    listed = clone.git("ls-tree", "-rz", "--name-only", revision, "--", path).split("\0")
    files = {file: shapes(clone.git("show", f"{revision}:{file}")) for file in listed if file.endswith(".py")}
    return {(file, name): shape for file, found in files.items() for name, shape in found.items()}


@dataclass(frozen=True, slots=True)
class Judged:
    """Truth and answer of each definition: the verdict, or ``challenged``."""

    answers: tuple[tuple[str, str], ...]

    def report(self) -> Iterator[str]:
        """Lines of the cross table and the totals."""
        for (became, answer), count in sorted(Counter(self.answers).items()):
            yield f"  {became:<11} -> {answer:<11} {count}"
        real = sum(became in REAL for became, _ in self.answers)
        challenged = [became for became, answer in self.answers if answer == "challenged"]
        caught = sum(became in REAL for became in challenged)
        false = Counter(became for became in challenged if became not in REAL)
        alarms = ", ".join(f"{count} {became}" for became, count in sorted(false.items())) or "none"
        yield f"real {real}: {caught} caught, {real - caught} missed; {len(challenged)} challenged; false: {alarms}"


def judge(bare: Path, path: str, old: str, new: str) -> Judged:
    """Make a memory of every definition at `old`, confirm all, judge at `new`."""
    clone = Repo(bare, init=False)
    became = truth(load_symbols(clone, old, path), load_symbols(clone, new, path))
    names = {f"m-{number:04d}": key for number, key in enumerate(became)}
    with tempfile.TemporaryDirectory(prefix="symbols-") as folder:
        commits = [clone.git("rev-parse", f"{revision}^{{commit}}") for revision in (old, new)]
        memories = {name: _memory(name, *key) for name, key in names.items()}
        trial = Trial(Path(folder), bare, commits[0], memories)
        trial.confirm(*names)
        rows = {row["id"]: row for row in trial.judge(commits[1]).document["memories"]}
    return Judged(tuple((became[key], _answer(rows.get(name))) for name, key in names.items()))


def _answer(row: Mapping[str, str] | None) -> str:
    if row is None:
        return "not judged"
    return "challenged" if row["status"] == "challenged" else row["verdict"]


def _memory(identity: str, file: str, name: str) -> str:
    return (
        f"id: {identity}\nkind: note\ntype: module_constraint\nstatus: active\n"
        f'summary: "`{name.rpartition(".")[2]}` behaves as reviewed."\n'
        f"scope:\n  paths: [{json.dumps(file)}]\nwatch:\n  - symbol: {json.dumps(f'{file}#{name}')}\n"
        "created_at: 2026-01-01\n"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the cross table of each interval."""
    options = _parser().parse_args(arguments)
    bare = bare_clone(options.mirror, options.repository)
    if bare is None:
        print(f"no clone of {options.repository} in {options.mirror}", file=sys.stderr)
        return 3
    for old, new in options.interval or INTERVALS:
        judged = judge(bare, options.path, old, new)
        print(f"{options.repository} {options.path} {old}..{new}: {len(judged.answers)} definitions")
        print(*judged.report(), sep="\n", flush=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.symbols")
    parser.add_argument("mirror", type=Path, help="folder of bare clones")
    parser.add_argument("--repository", default="pallets/flask", metavar="OWNER/NAME")
    parser.add_argument("--path", default="src/flask")
    parser.add_argument("--interval", nargs=2, action="append", metavar=("OLD", "NEW"))
    return parser


if __name__ == "__main__":
    sys.exit(main())
