"""``python -m tests.benchmarks [--quick] [--only NAME] [--detail]``: every speed target as one table."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tests.benchmarks.rows import NotRunError, Row, format_table


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks asked for and print one table; a missed goal is printed, never an error."""
    options = _parser().parse_args(arguments)
    names = options.only or _modules()
    found = [row for name in names for row in _run(name, quick=options.quick)]
    print(format_table(found, detail=options.detail))
    missed = sum(row.verdict == "MISSED" for row in found)
    left_out = [row for row in found if row.verdict == "not run"]
    print(f"\n{len(found)} rows, {missed} missed, {len(left_out)} not run")
    if not options.detail:
        for row in left_out:
            print(f"not run: {row.work}: {row.detail}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small repositories, 3 rounds instead of 5")
    parser.add_argument("--only", action="append", metavar="NAME", choices=_modules(), help="one module")
    parser.add_argument("--detail", action="store_true", help="sizes and assumptions below each row")
    return parser


def _modules() -> list[str]:
    """Names of the modules here that define `rows`."""
    folder = Path(__file__).parent
    names = sorted(module.name for module in pkgutil.iter_modules([str(folder)]))
    return [name for name in names if "\ndef rows(" in (folder / f"{name}.py").read_text(encoding="utf-8")]


def _run(name: str, *, quick: bool) -> Iterator[Row]:
    print(f"{name} …", file=sys.stderr, flush=True)
    module = importlib.import_module(f"tests.benchmarks.{name}")
    rows: Iterable[Row] = module.rows(quick)
    try:
        yield from rows
    except NotRunError as reason:
        yield Row(name, "", None, None, None, str(reason))
    except ImportError as missing:
        if not (missing.name or "").startswith("gitmem"):
            raise
        yield Row(name, "", None, None, None, f"not built yet: {missing}")
    except Exception as error:  # noqa: BLE001 - one broken benchmark must not hide the others' figures
        traceback.print_exc()
        yield Row(name, "", None, None, None, f"failed: {error!r}")


if __name__ == "__main__":
    sys.exit(main())
