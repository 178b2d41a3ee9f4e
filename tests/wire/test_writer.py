from __future__ import annotations

import os
import shutil
from pathlib import Path

from gitmem.wire.writer import LENGTH, make_writer_id, writer_id


def clone(path: Path) -> str:
    (path / "gitmem").mkdir(parents=True)
    return str(path)


def test_a_clone_has_one_id_once_it_was_made(tmp_path: Path) -> None:
    here = clone(tmp_path / "a")

    assert writer_id(here) is None
    made = make_writer_id(here)
    assert make_writer_id(here) == made == writer_id(here)
    assert len(made) == LENGTH


def test_a_copied_clone_gets_an_id_of_its_own(tmp_path: Path) -> None:
    here = clone(tmp_path / "a")
    made = make_writer_id(here)
    shutil.copytree(here, tmp_path / "b")

    copied = make_writer_id(str(tmp_path / "b"))

    assert copied != made
    assert writer_id(here) == made


def test_a_clone_seen_under_two_paths_keeps_one_id_for_each(tmp_path: Path) -> None:
    here = clone(tmp_path / "a")
    made = make_writer_id(here)
    (tmp_path / "a").rename(tmp_path / "b")
    moved = make_writer_id(str(tmp_path / "b"))
    (tmp_path / "b").rename(tmp_path / "a")

    assert make_writer_id(here) == made != moved


def test_a_linked_path_is_the_same_clone(tmp_path: Path) -> None:
    here = clone(tmp_path / "a")
    (tmp_path / "link").symlink_to(here)

    assert make_writer_id(str(tmp_path / "link")) == make_writer_id(here)


def test_a_damaged_file_is_no_id(tmp_path: Path) -> None:
    here = clone(tmp_path / "a")
    (tmp_path / "a" / "gitmem" / "writer").write_bytes(
        b"\xff\xfe\n\n../../evil " + os.fsencode(here) + b"\nshort\n"
    )

    made = make_writer_id(here)

    assert made.isalnum()
    assert writer_id(here) == made
