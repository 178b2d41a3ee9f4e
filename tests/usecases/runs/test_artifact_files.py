"""Which files may become artifacts."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from gitmem.errors import InvalidDataError, NotFoundError, UsageError
from gitmem.usecases.runs.artifact_files import LARGEST, read_artifact_files


def test_a_file_is_saved_by_its_base_name_wherever_it_lies(tmp_path: Path) -> None:
    (tmp_path / "빌드.log").write_bytes(b"\x00log")
    assert read_artifact_files([str(tmp_path / "빌드.log")]) == {"빌드.log": b"\x00log"}
    assert read_artifact_files([]) == {}


def test_only_what_lies_in_the_work_tree_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = tmp_path / "top"
    for folder in (top / ".git", top / "sub", tmp_path / "outside"):
        folder.mkdir(parents=True)
    for name in ("top/.git/config", "top/sub/in.log", "outside/out.log", "beside.log"):
        (tmp_path / name).write_text("x")
    (top / "way").symlink_to(tmp_path / "outside")
    (tmp_path / "back").symlink_to(top)
    monkeypatch.chdir(top / "sub")
    for path in ("in.log", "../sub/in.log", str(top / "sub" / "in.log"), str(tmp_path / "back/sub/in.log")):
        assert read_artifact_files([path], within=top) == {"in.log": b"x"}
    for path in ("../../outside/out.log", str(tmp_path / "beside.log"), "../way/out.log", "../.git/config"):
        with pytest.raises(InvalidDataError, match="outside of the work tree") as caught:
            read_artifact_files([path], within=top)
        assert "copy it into the work tree" in caught.value.hint
    for path in ("../../outside/none.log", "/nowhere/none.log"):
        with pytest.raises(NotFoundError):
            read_artifact_files([path], within=top)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for missing in ("nothing.log", "file/below"):
        with pytest.raises(NotFoundError, match="no such file"):
            read_artifact_files([str(tmp_path / missing)])


def test_what_is_no_regular_file_is_refused_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path has to be short
    Path("target").write_text("secret")
    Path("link").symlink_to("target")
    Path("dangling").symlink_to("nowhere")
    Path("folder").mkdir()
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for name, word in (
            ("link", "a symbolic link"),
            ("dangling", "a symbolic link"),
            ("folder", "a folder"),
            ("pipe", "a pipe"),
            ("socket", "a socket"),
            ("/dev/null", "no regular file"),
        ):
            with pytest.raises(InvalidDataError, match=word):
                read_artifact_files([name])


def test_a_gigabyte_is_refused_before_it_is_read(tmp_path: Path) -> None:
    huge = tmp_path / "huge.log"
    with huge.open("wb") as stream:
        stream.truncate(1 << 30)
    with pytest.raises(InvalidDataError, match=f"1073741824 bytes, over the limit of {LARGEST}"):
        read_artifact_files([str(huge)])


def test_the_limit_itself_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert read_artifact_files([str(tmp_path / "a")], largest=5) == {"a": b"12345"}
    with pytest.raises(InvalidDataError, match="5 bytes, over the limit of 4"):
        read_artifact_files([str(tmp_path / "a")], largest=4)


def test_two_files_of_one_base_name_and_names_that_cannot_be_are_refused(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("a.log", "b/a.log", "a:b"):
        (tmp_path / name).write_text("x")
    with pytest.raises(UsageError, match="has the same name"):
        read_artifact_files([str(tmp_path / "a.log"), str(tmp_path / "b/a.log")])
    with pytest.raises(UsageError, match="not an artifact name"):
        read_artifact_files([str(tmp_path / "a:b")])
    for nameless in ("/", ".", ".."):
        with pytest.raises((UsageError, InvalidDataError)):
            read_artifact_files([nameless])


def test_nothing_is_read_when_one_of_several_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    with pytest.raises(NotFoundError):
        read_artifact_files([str(tmp_path / "a"), str(tmp_path / "b")])
