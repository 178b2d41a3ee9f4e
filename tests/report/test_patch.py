"""Patches that git wrote are shown exactly or refused: a table of cases, then cuts, then what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from gitmem.patches.reading import MOST_LINES, FilePatch, Hunk, PatchLine, Refused, Shown, read_patch
from gitmem.report.look import PLAIN, Look
from gitmem.report.patch import LONGEST_LINE, hunks_touching, patch_lines

PATCHES = Path(__file__).parent / "patches"

FOREIGN = "not written by git: names may be read otherwise"


class Told(NamedTuple):
    """One file of a patch in short: paths, status, hunks, added, removed, note."""

    old: str | None
    new: str | None
    status: str
    hunks: int
    added: int
    removed: int
    note: str = ""


def edited(path: str, added: int = 1, removed: int = 1, note: str = "") -> Told:
    return Told(path, path, "modified", 1, added, removed, note)


def deleted(path: str, removed: int = 1, note: str = "") -> Told:
    return Told(path, None, "deleted", 1, 0, removed, note)


def bare(old: str | None, new: str | None, status: str, note: str = "") -> Told:
    return Told(old, new, status, 0, 0, 0, note)


SHOWN: dict[str, list[Told]] = {
    "bare_cr": [edited("cr.txt")],
    "binary": [bare("bin.dat", "bin.dat", "modified", "binary")],
    "binary_deleted": [bare("bin.dat", None, "deleted", "binary")],
    "binary_full": [bare("bin.dat", "bin.dat", "modified", "binary")],
    "binary_new_space": [bare(None, "new bin sp.dat", "added", "binary")],
    "blank": [],
    "copy": [bare("ren sp.txt", "copy.txt", "copied", "100% the same"), edited("ren.txt", 1, 0)],
    "crlf": [edited("crlf.txt")],
    "crlf_to_lf": [edited("crlf.txt", 2, 2)],
    "dashdash_content": [edited("sql.sql", 2, 2)],
    "dashdash_deleted": [deleted("sql.sql", 2)],
    "difflib_no_names": [Told(None, None, "modified", 1, 1, 1, "the patch names no file")],
    "empty": [],
    "empty_deleted": [bare("empty.txt", None, "deleted")],
    "empty_new": [bare(None, "newempty.txt", "added")],
    "empty_new_space": [bare(None, "new empty sp.txt", "added")],
    "format_patch": [edited("plain.txt")],
    "formfeed_vt_fs": [edited("ff.txt", 2, 2)],
    "full_index": [edited("big.txt")],
    "latin1": [edited("latin.txt")],
    "line_separator_u2028": [edited("ls.txt")],
    "merge_m": [
        edited("plain.txt", note="part 1 of 2 about this path"),
        edited("plain.txt", note="part 2 of 2 about this path"),
    ],
    "mnemonic": [edited("big.txt")],
    "mode_and_edit": [edited("run.sh", 1, 0, "mode 100644 → 100755")],
    "mode_only": [bare("run.sh", "run.sh", "modified", "mode 100644 → 100755")],
    "name_ab_in_path": [edited("a/x b/a x.txt")],
    "name_backslash": [edited("back\\slash.txt")],
    "name_cjk_quoted_space": [edited("日本 語.md")],
    "name_leading_space": [edited(" lead.txt")],
    "name_name_ab_in_path_deleted": [deleted("a/x b/a x.txt")],
    "name_name_backslash_deleted": [deleted("back\\slash.txt")],
    "name_name_cjk_quoted_space_deleted": [deleted("日本 語.md")],
    "name_name_leading_space_deleted": [deleted(" lead.txt")],
    "name_name_newline_name_deleted": [deleted("nl\nname.txt")],
    "name_name_quote_deleted": [deleted('qu"ote.txt')],
    "name_name_space_deleted": [deleted("sp ace.txt")],
    "name_name_tab_deleted": [deleted("ta\tb.txt")],
    "name_name_trailing_space_deleted": [deleted("trail.txt ")],
    "name_name_unicode_quoted_space_deleted": [deleted("naïve café.txt")],
    "name_newline_name": [edited("nl\nname.txt")],
    "name_quote": [edited('qu"ote.txt')],
    "name_space": [edited("sp ace.txt")],
    "name_tab": [edited("ta\tb.txt")],
    "name_trailing_space": [edited("trail.txt ")],
    "name_unicode_quoted_space": [edited("naïve café.txt")],
    "no_trailing_newline": [
        edited("x", note=f"{FOREIGN}, the patch ends without a line break: its last line may be cut")
    ],
    "noeol_added": [edited("noeol.txt")],
    "noeol_both": [edited("noeol.txt")],
    "noprefix": [edited("big.txt", note="names as written, without a/ and b/")],
    "plain": [edited("plain.txt")],
    "qp": [edited("big.txt")],
    "rename_edit": [Told("ren.txt", "moved2.txt", "renamed", 1, 1, 0, "96% the same")],
    "rename_only": [bare("ren.txt", "moved.txt", "renamed", "100% the same")],
    "rename_only_space": [bare("ren sp.txt", "moved sp.txt", "renamed", "100% the same")],
    "rename_only_unicode": [bare("ren.txt", "naïve mv.txt", "renamed", "100% the same")],
    "stat_p": [edited("big.txt")],
    "stripped_trailing_ws": [
        edited("x", note=f"white space at line ends was stripped from the patch, {FOREIGN}")
    ],
    "submodule_add": [
        Told(None, ".gitmodules", "added", 1, 3, 0),
        Told(None, "vendor/lib", "added", 1, 1, 0, "submodule"),
    ],
    "submodule_bump": [edited("vendor/lib", note="submodule")],
    "submodule_del": [edited(".gitmodules", 0, 3), deleted("vendor/lib", note="submodule")],
    "symlink_retarget": [edited("link", note="symbolic link")],
    "symlink_to_file_typechange": [
        deleted("link", note="symbolic link, part 1 of 2 about this path"),
        Told(None, "link", "added", 1, 1, 0, "part 2 of 2 about this path"),
    ],
    "two_noeol": [edited("noeol.txt", 1, 2), edited("plain.txt", 2, 2)],
    "u0_context": [edited("big.txt")],
    "utf16_binary": [bare("utf16.txt", "utf16.txt", "modified", "binary")],
}
COMBINED = "starts the combined diff of a merge, which has more than two sides"
SUBMODULE = "line 1 tells a submodule by its commits (diff.submodule), not by a hunk"
REFUSED = {
    "color": "line 1 is coloured",
    "huge_counts": "line 3 counts more lines than a file can have",
    "hunk_header_only": "line 9 should go on with a hunk, and the patch ends (lines lacking: 1)",
    "merge_combined_c": f"line 1 {COMBINED}",
    "merge_combined_cc": f"line 1 {COMBINED}",
    "merge_show_with_header": f"line 8 {COMBINED}",
    "submodule_diff": SUBMODULE,
    "submodule_log": SUBMODULE,
    "unmerged_combined": f"line 1 {COMBINED}",
    "worddiff": "line 6 is no line of a hunk (a word diff, or cut)",
}


def patch(name: str) -> bytes:
    return (PATCHES / f"{name}.diff").read_bytes()


def shown(data: bytes) -> tuple[FilePatch, ...]:
    read = read_patch(data)
    assert isinstance(read, Shown), read
    return read.files


def refused(data: bytes) -> str:
    read = read_patch(data)
    assert isinstance(read, Refused), read
    return read.reason


def told(file: FilePatch) -> Told:
    return Told(
        file.old_path,
        file.new_path,
        file.status,
        len(file.hunks),
        file.added,
        file.removed,
        file.note,
    )


class TestCases:
    def test_every_case_is_in_one_table(self) -> None:
        assert sorted([*SHOWN, *REFUSED]) == sorted(path.stem for path in PATCHES.glob("*.diff"))

    @pytest.mark.parametrize("name", SHOWN)
    def test_shows_files_status_and_counts(self, name: str) -> None:
        assert [told(file) for file in shown(patch(name))] == SHOWN[name]

    @pytest.mark.parametrize("name", REFUSED)
    def test_refuses_with_the_reason(self, name: str) -> None:
        assert refused(patch(name)) == REFUSED[name]

    @pytest.mark.parametrize("name", SHOWN)
    def test_the_signs_of_the_patch_are_all_accounted_for(self, name: str) -> None:
        """Counted from the file as lines of text, without any reader."""
        lines = patch(name).split(b"\n")
        files = shown(patch(name))
        labels = sum(len(file.hunks) > 0 for file in files)
        mail = {b"-- ", b"---"}
        added, removed = (
            sum(line.startswith(sign) for line in lines if line not in mail) for sign in (b"+", b"-")
        )
        assert added - labels == sum(file.added for file in files)
        assert removed - labels == sum(file.removed for file in files)


class TestLines:
    def test_hold_bytes_and_separators_that_are_no_line_breaks(self) -> None:
        hunks = [shown(patch(name))[0].hunks[0] for name in ("bare_cr", "formfeed_vt_fs", "latin1")]
        assert [line.text for hunk in hunks for line in hunk.lines if line.sign == "+"] == [
            "a\rB\rc",
            "f\x0cg2",
            "h\x0bi\x1cj\x85k2".encode("latin-1").decode("utf-8", "surrogateescape"),
            "latin \udce9 \udce8",
        ]

    def test_say_where_no_line_break_follows(self) -> None:
        first, second = shown(patch("two_noeol"))
        assert first.hunks[0].lines == (
            PatchLine("-", "a"),
            PatchLine("-", "b", ends=False),
            PatchLine("+", "zz", ends=False),
        )
        assert [line.ends for line in second.hunks[0].lines] == [True, True, True, True, False]

    def test_carry_the_numbers_and_heading_of_the_hunk(self) -> None:
        (file,) = shown(b"--- a/x\n+++ b/x\n@@ -5 +7,2 @@ def f():\n-a\n+b\n+c\n")
        added = (PatchLine("+", "b"), PatchLine("+", "c"))
        assert file.hunks == (Hunk(5, 1, 7, 2, "def f():", (PatchLine("-", "a"), *added)),)


class TestCuts:
    @pytest.mark.parametrize("name", SHOWN)
    def test_a_cut_patch_is_refused_or_shows_whole_hunks_only(self, name: str) -> None:
        """Cut between two hunks it looks whole; the other doubt, a last line cut in its middle, is said in the note."""
        data = patch(name)
        whole = [_content(file) for file in shown(data)]
        for end in range(len(data)):
            read = read_patch(data[:end])
            if isinstance(read, Refused) or not read.files:
                continue
            files = [_content(file) for file in read.files]
            said = whole[len(files) - 1]
            assert files[:-1] == whole[: len(files) - 1]
            assert files[-1][0] == said[0]
            if files[-1][1] != said[1][: len(files[-1][1])]:
                assert "its last line may be cut" in read.files[-1].note

    @pytest.mark.parametrize("line", [4, 5, 6, 7, 8])
    def test_a_hunk_that_lost_a_line_is_refused(self, line: int) -> None:
        lines = patch("plain").splitlines(keepends=True)
        assert refused(b"".join(lines[:line] + lines[line + 1 :]))

    @pytest.mark.parametrize("line", ["+more\n", "-less\n", " same\n", "\\ No newline at end of file\n"])
    def test_a_hunk_that_gained_a_line_is_refused(self, line: str) -> None:
        assert "hunk" in refused(patch("plain") + line.encode() * 2)


def _content(file: FilePatch) -> tuple[object, Sequence[object]]:
    """What became of which file, and the lines of each hunk."""
    hunks = [[line[:2] for line in hunk.lines] for hunk in file.hunks]
    return (file.old_path, file.new_path, file.status), hunks


class TestDoubtIsRefused:
    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            (b"diff --git a/x b/y\nold mode 100644\nnew mode 100755\n", "names do not agree"),
            (b"diff --git a/x old/x\nold mode 100644\nnew mode 100755\n", "names do not agree"),
            (b'diff --git "a/\\777" "b/\\777"\nold mode 100644\nnew mode 100755\n', "names do not agree"),
            (b"diff --git a/x b/x\nindex 1111111..2222222 100644\n", "hunks are missing"),
            (b"diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n", "hunks are missing"),
            (b"diff --git a/x b/x\nold mode 100644\nindex 1111..2222\n", "contradicts itself"),
            (b"diff --git a/x b/x\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n", "contradicts itself"),
            (b"diff --git a/x b/x\r\nold mode 100644\r\nnew mode 100755\r\n", "line ends"),
            (b"--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n", "line ends"),
            (b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n \n", "without any change"),
            (b"--- a/x\n+++ b/x\n@@ -1,0 +1,0 @@\n", "without any change"),
            (b"--- a/x\n+++ b/x\n@@ -5 +5 @@\n-a\n+b\n@@ -5 +5 @@\n-a\n+b\n", "out of order"),
            (b"--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-a\n\\ No newline at end of file\n-b\n+c\n", "goes on"),
            (
                b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -9 +9 @@\n-a\n+b\n",
                "next file",
            ),
            (b"--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "no file on either side"),
            (b"--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "both sides"),
            (b"@@ -1 +1 @@\n-a\n+b\n", "outside every hunk"),
            (b"*** a/x\n--- b/x\n", "belongs to no file"),
            (b"Only in a: x\n", "belongs to no file"),
            ("diff --git a/x b/x\n".encode("utf-16"), "UTF-16"),
            (b"\n" * (MOST_LINES + 1), "longer than"),
            (b"* Unmerged path x\n", "merge is not finished"),
            (
                b"From " + b"a" * 40 + b" Mon\n\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n---\n",
                "inside the message",
            ),
            (b"From " + b"a" * 40 + b" Mon\n\nwords\n", "there is none"),
            (b"commit " + b"a" * 40 + b"\nMerge: b c\nAuthor: A <a@b>\n\n    words\n", "no side"),
        ],
    )
    def test_with_the_reason(self, data: bytes, reason: str) -> None:
        assert reason in refused(data)

    def test_folders_called_a_and_b_keep_their_names_without_prefixes(self) -> None:
        mode = "old mode 100644\nnew mode 100755\n"
        data = f"diff --git a/x a/x\n{mode}diff --git b/x b/x\n{mode}"
        assert [file.new_path for file in shown(data.encode())] == ["a/x", "b/x"]

    @pytest.mark.parametrize(
        ("old", "new", "paths"),
        [
            ("a/x", "b/x", ("x", "x")),
            ("a/x", "a/x", ("a/x", "a/x")),
            ("a/x\t2026-07-13 10:00:00", "b/y\t2026-07-13 10:00:01", ("a/x", "b/y")),
            ("/dev/null", "b/x", (None, "b/x")),
            ("x.orig", "x", ("x.orig", "x")),
        ],
    )
    def test_without_git_only_a_matching_pair_loses_its_prefixes(
        self, old: str, new: str, paths: tuple[str | None, str | None]
    ) -> None:
        start = "-0,0" if old == "/dev/null" else "-1,0"
        (file,) = shown(f"--- {old}\n+++ {new}\n@@ {start} +1 @@\n+a\n".encode())
        assert (file.old_path, file.new_path) == paths
        assert file.note == FOREIGN

    def test_a_move_between_folders_called_a_and_b_is_told_by_its_other_names(self) -> None:
        moved = "similarity index 100%\nrename from a/x\nrename to b/x\n"
        for header in ("a/x b/x", "a/a/x b/b/x", "i/a/x w/b/x"):
            (file,) = shown(f"diff --git {header}\n{moved}".encode())
            assert (file.old_path, file.new_path) == ("a/x", "b/x")


@pytest.mark.parametrize(
    "data",
    [
        b"diff --git " + b" " * 1_000_000,
        b'diff --git "' + b"\\001" * 500_000,
        b"diff --git a/x b/x\n" * MOST_LINES,
        b"--- a/x\n+++ b/x\n@@ -1," + b"9" * 1_000_000 + b" +1 @@\n",
        b" " + b"| 1 +" * 500_000,
        b"commit " + b"a" * 40 + b"\n" + b"A (" * 500_000,
    ],
    ids=["spaces", "quote", "headers", "digits", "stat", "commit"],
)
def test_hostile_patches_are_refused(data: bytes) -> None:
    assert refused(data)


class TestHunksTouching:
    FILE = shown(
        b"--- a/x\n+++ b/x\n"
        b"@@ -1,4 +1,4 @@\n one\n-two\n+TWO\n three\n four\n"
        b"@@ -10,2 +10,3 @@\n ten\n+new\n eleven\n"
        b"@@ -20,3 +21,2 @@\n twenty\n-gone\n last\n"
    )[0]

    @pytest.mark.parametrize(
        ("old", "new", "starts"),
        [
            ((2, 2), None, [1]),
            (None, (2, 2), [1]),
            ((3, 9), (3, 9), []),  # context of the first hunk only
            ((1, 1), (1, 1), []),
            ((10, 11), None, [10]),  # added between the two lines of the span
            ((4, 10), None, []),  # added behind the span
            ((11, 15), None, []),  # added before the span
            (None, (11, 11), [10]),
            (None, (21, 22), [20]),  # removed between the two lines of the span
            (None, (22, 30), []),
            ((1, 99), (1, 99), [1, 10, 20]),
            (None, None, []),
        ],
    )
    def test_chooses_by_changed_lines(
        self, old: tuple[int, int] | None, new: tuple[int, int] | None, starts: list[int]
    ) -> None:
        assert [hunk.old_start for hunk in hunks_touching(self.FILE, old, new)] == starts

    def test_a_hunk_without_context_counts_from_the_line_before(self) -> None:
        (file,) = shown(b"--- a/x\n+++ b/x\n@@ -4,0 +5 @@\n+new\n")
        assert hunks_touching(file, (4, 5), None) == file.hunks
        assert hunks_touching(file, (5, 6), None) == ()
        assert hunks_touching(file, None, (5, 5)) == file.hunks


class TestPatchLines:
    def test_shows_names_hunks_and_missing_line_breaks(self) -> None:
        assert list(patch_lines(Shown(shown(patch("noeol_added"))), PLAIN, 80)) == [
            "noeol.txt",
            "@@ -1,2 +1,2 @@",
            " a",
            "-b",
            "\\ No newline at end of file",
            "+b",
        ]

    def test_says_what_became_of_a_file(self) -> None:
        lines = [
            next(patch_lines(read_patch(patch(name)), PLAIN, 80)) for name in ("rename_edit", "mode_only")
        ]
        assert lines == ["ren.txt → moved2.txt  (renamed, 96% the same)", "run.sh  (mode 100644 → 100755)"]

    def test_counts_what_is_left_out_and_names_the_command(self) -> None:
        lines = list(patch_lines(read_patch(patch("plain")), PLAIN, 4, indent="  ", command="git diff A B"))
        assert lines[3:] == ["  -b", "  … 2 more lines left out: git diff A B"]

    def test_leaves_nothing_out_at_the_limit(self) -> None:
        assert len(list(patch_lines(read_patch(patch("plain")), PLAIN, 6))) == 6

    def test_says_why_a_patch_is_refused(self) -> None:
        lines = list(patch_lines(read_patch(patch("color")), PLAIN, 80, command="git diff A B"))
        assert lines == ["patch not shown, line 1 is coloured: git diff A B"]

    def test_says_that_nothing_changed(self) -> None:
        assert list(patch_lines(Shown(()), PLAIN, 80)) == ["the patch changes no file"]

    def test_nothing_reaches_the_terminal_unescaped(self) -> None:
        data = '--- "a/\\033]0;x\\007"\n+++ "b/\\033]0;x\\007"\n@@ -1 +1 @@ \x1b[2J\n-\x1b[31ma\u202e\n+\tb\x9b\r\n'
        assert list(patch_lines(read_patch(data.encode()), PLAIN, 80)) == [
            f"\\x1b]0;x\\x07  ({FOREIGN})",
            "@@ -1 +1 @@ \\x1b[2J",
            "-\\x1b[31ma\\u202e",
            "+→   b\\x9b\\r",
        ]

    def test_colours_signs_and_cuts_to_the_width(self) -> None:
        lines = list(patch_lines(read_patch(patch("plain")), Look(colour=True, width=7), 80))
        assert lines[0] == "\x1b[1mplain.…\x1b[0m"
        assert lines[3:5] == ["\x1b[31m-b\x1b[0m", "\x1b[32m+B\x1b[0m"]

    def test_draws_no_more_of_a_line_than_anyone_reads(self) -> None:
        data = b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-" + b"\t" * 500_000 + b"\n+a\n"
        line = list(patch_lines(read_patch(data), PLAIN, 80))[2]
        assert line.endswith(f"… ({500_000 - LONGEST_LINE} more characters)")
