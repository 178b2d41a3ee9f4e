from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitmem.store.defaults import default_files, schema_line
from gitmem.store.elements import parse_elements
from gitmem.store.policies import parse_compaction_policy, parse_memory_policy, parse_routes
from gitmem.store.schema import FOLDER, schemas
from tests.store.seeds import FOLDER as SEEDS
from tests.store.test_validations import TEXT as VALIDATION


def test_the_shipped_schemas_are_those_of_the_tables() -> None:
    assert {file.name: file.read_text(encoding="utf-8") for file in FOLDER.iterdir()} == schemas()


def check(schema: str, *files: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "check_jsonschema",
        "--schemafile",
        str(FOLDER / f"{schema}.schema.json"),
    ]
    return subprocess.run([*command, *map(str, files)], capture_output=True, text=True, check=False)


GOOD = {
    "memory": [
        "memory-20260713-001.yaml",
        "memory-20260713-001.approved.yaml",
        "memory-architecture-014.yaml",
        "awtl-candidate.json",
        "lifecycle.json",
    ],
    "memory-policy": ["memory-policy.yaml"],
    "compaction-policy": ["compaction-policy.yaml"],
}


@pytest.mark.parametrize("schema", GOOD)
def test_check_jsonschema_accepts_the_examples(schema: str) -> None:
    done = check(schema, *(SEEDS / name for name in GOOD[schema]))
    assert done.returncode == 0, done.stdout + done.stderr


BAD = {
    "memory": [
        "id: m-001\nstatus: activ\nsummary: x\n",
        "id: NO\nsummary: x\n",
        "id: m-001\n",
        "id: m-001\nsummary: x\nevidence:\ntests: [a]\n",
        "id: m-001\nsummary: [x]\n",
        "id: m-001\nsummary: x\nreview_after: 2026-13-01\n",
        "id: m-001\nsummary: x\nwatch: [nothing]\n",
        "id: m-001\nsummary: x\nscope: {project: maybe}\n",
    ],
    "validation": ["memory: m-021\nby: a\n", "memory: m-021\nat: soon\nby: a\n"],
    "memory-policy": ["version: 2\n", "version: 1\nretention: {a: soon}\n", "version: 1\nallow: [a]\n"],
    "compaction-policy": [
        "version: 1\nlimits: {max_injected_files: many}\n",
        "version: 1\nmax_injected_files: 3\n",
    ],
    "elements": ["version: 1\nelements: {A: {level: planet}}\n", "elements: {}\n"],
}


@pytest.mark.parametrize("schema", BAD)
def test_check_jsonschema_refuses_what_is_broken(schema: str, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.yaml" for number in range(len(BAD[schema]))]
    for file, text in zip(files, BAD[schema], strict=True):
        file.write_text(text, encoding="utf-8")
    done = check(schema, *files)
    assert done.returncode == 1
    assert [file.name for file in files if f"{file.name}::" not in done.stdout] == []


def test_the_first_files_load_without_a_problem_and_pass_their_schemas(tmp_path: Path) -> None:
    files = default_files()
    parsers: dict[str, tuple[str | None, Callable[[str, bytes], Any]]] = {
        ".ai/policies/memory-policy.yaml": ("memory-policy", parse_memory_policy),
        ".ai/policies/compaction-policy.yaml": ("compaction-policy", parse_compaction_policy),
        ".ai/elements.yaml": ("elements", parse_elements),
        ".ai/policies/routes.yaml": (None, parse_routes),
    }
    for path, (schema, parse) in parsers.items():
        value, problems = parse(path, files[path].encode())
        assert problems == ()
        assert value == type(value)()
        if schema:
            target = tmp_path / Path(path).name
            target.write_text(files[path], encoding="utf-8")
            assert check(schema, target).returncode == 0


def test_the_first_files_lead_editors_to_schemas_that_are_there() -> None:
    files = default_files()
    for path, text in files.items():
        if text.startswith("# yaml-language-server: $schema="):
            target = text.split("=", 1)[1].split("\n", 1)[0]
            assert (Path(path).parent / target).as_posix().replace("policies/../", "") in files
    assert schema_line(".ai/memory/payment/m-1.yaml", "memory") == (
        "# yaml-language-server: $schema=../../schema/memory.schema.json\n"
    )


def test_a_validation_passes_its_schema(tmp_path: Path) -> None:
    file = tmp_path / "v.yaml"
    file.write_text(VALIDATION, encoding="utf-8")
    done = check("validation", file)
    assert done.returncode == 0, done.stdout
