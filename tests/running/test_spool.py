"""A log in bounded space: beginning and end stay."""

from __future__ import annotations

import errno
import os
import stat
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from gitmem.running.spool import Spool


def filled(data: bytes, *, first: int, last: int, piece: int) -> bytes:
    with Spool(first=first, last=last) as spool:
        for start in range(0, len(data), piece):
            spool.write(data[start : start + piece])
        assert spool.size == len(data)
        return spool.content()


@given(st.binary(max_size=60), st.integers(1, 70))
def test_what_fits_is_whole(data: bytes, piece: int) -> None:
    assert filled(data, first=20, last=40, piece=piece) == data


@given(st.binary(min_size=61, max_size=400).map(lambda raw: raw.replace(b"\n", b".").replace(b" ", b".")), st.integers(1, 99))  # fmt: skip
def test_of_more_the_beginning_and_the_end_stay(data: bytes, piece: int) -> None:
    kept = filled(data, first=20, last=40, piece=piece)
    note = b"\n[gitmem: %d bytes left out here]\n" % (len(data) - 60)
    assert kept == data[:20] + note + data[-40:]


def test_the_cut_is_between_lines() -> None:
    data = b"".join(b"line %02d\n" % number for number in range(50))
    kept = filled(data, first=20, last=40, piece=7).splitlines()
    assert kept[:2] == [b"line 00", b"line 01"]
    assert kept[2:4] == [b"", b"[gitmem: %d bytes left out here]" % (400 - 16 - 32)]
    assert kept[4:] == [b"line 46", b"line 47", b"line 48", b"line 49"]


def test_nobody_else_can_read_it_and_it_has_no_name() -> None:
    with Spool() as spool:
        assert spool._file is not None
        facts = os.fstat(spool._file.fileno())
    assert (stat.S_IMODE(facts.st_mode), facts.st_nlink) == (0o600, 0)


def test_a_full_disk_costs_the_log_alone() -> None:
    with Spool() as spool:
        spool.write(b"kept")
        with patch("os.pwrite", side_effect=OSError(errno.ENOSPC, "No space left on device")):
            spool.write(b"lost")
        assert (spool.content(), spool.failed) == (b"kept", "No space left on device")


def test_no_folder_for_temporary_files_costs_the_log_alone() -> None:
    with patch("tempfile.TemporaryFile", side_effect=FileNotFoundError(2, "No usable temporary directory")):
        spool = Spool()
    spool.write(b"lost")
    assert (spool.content(), spool.failed) == (b"", "No usable temporary directory")
