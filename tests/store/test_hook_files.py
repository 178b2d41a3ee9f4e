"""The marked line in hook files, on literals."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.store.hook_files import (
    MARK,
    Refusal,
    cannot_run,
    has_section,
    interpreter_of,
    launcher,
    section,
    with_section,
    without_section,
    write_hook,
)

HOOKS = ("post-commit", "post-rewrite", "post-merge", "commit-msg")
LINES = st.lists(st.sampled_from([b"echo hi\n", b"\n", b"exec true\n", b"# \xff\r\n", "말\n".encode()]))


@given(
    LINES,
    st.sampled_from([b"", b"#!/bin/sh\n", b"#!/usr/bin/env -S bash -e\n"]),
    st.sampled_from([b"", b"last"]),
)
def test_taking_the_line_out_restores_every_byte(lines: list[bytes], first: bytes, last: bytes) -> None:
    content = first + b"".join(lines) + last
    for hook in HOOKS:
        changed = with_section(content, hook)
        if not first and b"\xff" in content:
            assert isinstance(changed, Refusal)
            continue
        assert isinstance(changed, bytes)
        assert has_section(changed)
        assert without_section(changed) == content
        assert with_section(changed, hook) == changed


def test_a_file_that_gitmem_made_is_gone_with_its_line() -> None:
    made = with_section(None, "post-commit")
    assert isinstance(made, bytes)
    assert without_section(made) is None
    assert without_section(made + b"echo mine\n") == b"#!/bin/sh\necho mine\n"
    assert with_section(made, "post-commit") == made


def test_the_line_stands_before_a_hook_that_ends_in_exec() -> None:
    changed = with_section(b"#!/bin/sh\nexec true\n", "post-commit")
    assert changed == b"#!/bin/sh\n" + section("post-commit") + b"exec true\n"


def test_an_older_line_gives_way() -> None:
    old = b"#!/bin/sh\nold thing " + MARK + b"\nexec true\n"
    assert with_section(old, "post-merge") == b"#!/bin/sh\n" + section("post-merge") + b"exec true\n"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"#!/usr/bin/env python3\nprint(1)\n", "python3"),
        (b"#!/usr/bin/node\n", "node"),
        (b"#!\n", "no shell"),
        (b"#!/bin/sh", "no end"),
        (b"\x7fELF\x02\x01\x01\0\0\n\0", "compiled"),
        (b"\xcf\xfa\xed\xfe\x07", "compiled"),
        (b"MZ\x90\0\x03\0", "compiled"),
        (b"#!/bin/sh\ntail -n +3 $0 | sh\n\0\n", "compiled"),
        ("echo hi\n".encode("utf-16"), "compiled"),
        (b"#!/bin/sh\ncall_lefthook run post-commit\n", "lefthook"),
    ],
)
def test_a_hook_that_the_line_would_break_is_refused(content: bytes, reason: str) -> None:
    refused = with_section(content, "post-commit")
    assert isinstance(refused, Refusal)
    assert reason in refused.reason
    assert refused.cure


@pytest.mark.parametrize("hook", HOOKS)
def test_the_line_holds_no_path_of_a_machine(hook: str) -> None:
    line = section(hook)
    assert line.count(b"\n") == 1
    assert b" /" not in line.replace(b"2>/dev/null", b"")


def test_the_launcher_survives_any_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    odd = '/opt/it\'s $(touch canary) `x` "q"/python3'
    monkeypatch.setattr("sys.executable", odd)
    file = tmp_path / "hook"
    write_hook(file, launcher())
    assert interpreter_of(file.read_bytes()) == odd
    done = subprocess.run([file, "post-commit"], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert [one.name for one in tmp_path.iterdir()] == ["hook"]


def test_the_mode_of_a_hook_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "post-commit"
    file.write_bytes(b"#!/bin/sh\n")
    file.chmod(0o700)
    write_hook(file, b"#!/bin/sh\ntrue\n")
    assert file.stat().st_mode & 0o777 == 0o700


def test_a_program_that_an_older_version_put_the_line_before_is_restored_and_nothing_inside_of_it_goes() -> (
    None
):
    program = b"\x7fELF\0\n" + section("post-commit") + b"\0\n"
    broken = section("post-commit") + program
    assert cannot_run(broken)
    assert without_section(broken) == program
    assert without_section(program) == program
    assert cannot_run(program) is None, "it calls the line by itself"
