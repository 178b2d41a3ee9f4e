"""What real git writes, under many options, is shown with exactly the lines and paths that changed, or refused."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gitmem.patches.reading import FilePatch, PatchLine, Refused, Shown, read_patch
from tests.support.repo import Repo

SLOW = settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
"""Each example runs git a few times in one repository; no example depends on what another left there."""


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return Repo(tmp_path_factory.mktemp("patch") / "repo")


def run(repo: Repo, *arguments: str, stdin: bytes = b"") -> bytes:
    """Run git and return its output, every byte of it."""
    done = subprocess.run(
        ["git", *arguments],
        cwd=repo.path,
        env=repo.environment,
        input=stdin,
        capture_output=True,
        check=False,
    )
    assert not done.returncode, done.stderr
    return done.stdout


def blob(repo: Repo, content: bytes) -> str:
    return run(repo, "hash-object", "-w", "--stdin", stdin=content).decode().strip()


class Entry(NamedTuple):
    path: bytes
    content: bytes
    mode: bytes = b"100644"


def tree(repo: Repo, entries: Sequence[Entry]) -> str:
    repo.git("read-tree", "--empty")
    rows = [b"%s %s\t%s\0" % (one.mode, blob(repo, one.content).encode(), one.path) for one in entries]
    run(repo, "update-index", "-z", "--add", "--index-info", stdin=b"".join(rows))
    return repo.git("write-tree")


# lines
LINES = [
    b"",
    b" ",
    b"a",
    b"b",
    b"\tdef f(x):",
    b"-- a",
    b"++ b",
    b"--- a/f",
    b"+++ b/f",
    b"@@ -1 +1 @@",
    b"@@@ -1 -1 +1 @@@",
    b"diff --git a/x b/x",
    b"\\ No newline at end of file",
    b"-- ",
    b"commit " + b"a" * 40,
    b"\x1b[31mred\x1b[m",
    b"form\x0cfeed\x0b",
    b"bare\rcr",
    b"latin \xe9",
    b"next\xc2\x85line",
    "한국어 줄".encode(),
    "line\u2028separator\u2029".encode(),
]
line = st.sampled_from(LINES) | st.binary(max_size=6).map(
    lambda raw: raw.replace(b"\n", b"").replace(b"\0", b"")
)
ends = st.sampled_from([b"\n", b"\n", b"\r\n"])
text = st.builds(
    lambda lines, last: b"".join(chain.from_iterable(lines)) + last,
    st.lists(st.tuples(line, ends), max_size=30),
    st.just(b"") | line,
)


@st.composite
def edits(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Two texts, the second mostly an edit of the first."""
    old = draw(text)
    if draw(st.integers(0, 3)) == 0:
        return old, draw(text)
    lines = old.split(b"\n")
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines)))
        lines[at : at + draw(st.integers(0, 2))] = draw(st.lists(line, max_size=2))
    return old, b"\n".join(lines)


LINE_OPTIONS = st.sampled_from([
    (),
    ("-U0",),
    ("-U1",),
    ("-W",),
    ("-U0", "--inter-hunk-context=1"),
    ("--patience", "-U0"),
    ("--histogram",),
    ("--stat", "-p"),
    ("-B1%/1%",),
])  # fmt: skip


class TestLinesOfRealGit:
    @SLOW
    @given(edits(), LINE_OPTIONS)
    @example((b"", b"a"), ())
    @example((b"a", b"a\n"), ())
    @example((b"a\r\nb\r\n", b"a\nb\n"), ("-U0",))
    @example((b"a\n\n\tf\n\tf\na\n\n\n\n", b"\na\n\n\tf\n\tf\na\n\n\n"), ("-W",))
    def test_the_hunks_turn_the_old_text_into_the_new_and_back(
        self, sealed: Repo, pair: tuple[bytes, bytes], options: tuple[str, ...]
    ) -> None:
        old, new = pair
        sides = [tree(sealed, [Entry(b"f", content)]) for content in pair]
        read = read_patch(run(sealed, "diff", "--no-color", "--text", *options, *sides))
        if options == ("-W",) and isinstance(read, Refused):  # git 2.39 may write one line into two hunks
            assert "hunks overlap" in read.reason
            return
        assert isinstance(read, Shown), read
        if old == new:
            assert read.files == ()
            return
        (file,) = read.files
        assert (file.old_path, file.new_path) == ("f", "f")
        assert rebuilt(old, file, backwards=False) == new
        assert rebuilt(new, file, backwards=True) == old


def rebuilt(start: bytes, file: FilePatch, *, backwards: bool) -> bytes:
    """The other side: the lines that stand between hunks, and what the hunks put in place of theirs."""
    lines = start.decode("utf-8", "surrogateescape").split("\n")
    lines = [f"{one}\n" for one in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    gone, come = ("+", "-") if backwards else ("-", "+")
    made: list[str] = []
    at = 0
    for hunk in file.hunks:
        first, count = (hunk.new_start, hunk.new_count) if backwards else (hunk.old_start, hunk.old_count)
        first = first - 1 if count else first
        assert lines[first : first + count] == list(_texts(hunk.lines, gone))
        made += [*lines[at:first], *_texts(hunk.lines, come)]
        at = first + count
    return "".join([*made, *lines[at:]]).encode("utf-8", "surrogateescape")


def _texts(lines: Sequence[PatchLine], sign: str) -> Iterator[str]:
    return (f"{line.text}\n" if line.ends else line.text for line in lines if line.sign in (" ", sign))


# names
PARTS = [
    b"a",
    b"b",
    b"i",
    b"x b",
    b" lead",
    b"trail ",
    b'qu"ote',
    b"back\\slash",
    b"tab\t",
    b"nl\n",
    b"cr\r",
    b"=>",
    b"dev",
    b"null",
    "한국어".encode(),
    "日本 語".encode(),
    "naïve".encode(),
    b"latin\xe9",
    b"\x1b[31m",
    b"\xe2\x80\xa8",
]
part = st.sampled_from(PARTS) | st.binary(min_size=1, max_size=4).filter(
    lambda raw: not set(raw) & {0, 0x2F} and raw not in (b".", b"..") and b"~" not in raw and raw[0] != 0x2E
)
path = st.lists(part, min_size=1, max_size=3).map(b"/".join)
KINDS = (
    "modified",
    "added",
    "deleted",
    "renamed",
    "copied",
    "mode",
    "typechange",
    "binary",
    "new binary",
    "empty",
)
BODY = b"".join(b"line %d\n" % number for number in range(12))
NAME_OPTIONS = st.tuples(
    st.sampled_from(["core.quotepath=true", "core.quotepath=false"]),
    st.sampled_from(["x.x=x", "diff.noprefix=true", "diff.mnemonicprefix=true"]),
    st.sampled_from([(), ("-R",), ("--binary",), ("--full-index",), ("-U0",)]),
)


def sides(kind: str, one: bytes, other: bytes) -> tuple[list[Entry], list[Entry]]:
    edited = BODY.replace(b"line 7", b"LINE 7")
    blob_of_bytes, plain = b"\0" + bytes(range(256)), Entry(one, BODY)
    table: dict[str, tuple[list[Entry], list[Entry]]] = {
        "modified": ([plain], [Entry(one, edited)]),
        "added": ([], [plain]),
        "deleted": ([plain], []),
        "renamed": ([plain], [Entry(other, edited)]),
        "copied": ([plain], [Entry(one, edited), Entry(other, BODY)]),
        "mode": ([plain], [Entry(one, BODY, b"100755")]),
        "typechange": ([plain], [Entry(one, b"target", b"120000")]),
        "binary": ([plain], [Entry(one, blob_of_bytes)]),
        "new binary": ([], [Entry(one, blob_of_bytes)]),
        "empty": ([], [Entry(one, b"")]),
    }
    return table[kind]


def truth(repo: Repo, *trees: str) -> list[tuple[str | None, str | None]]:
    """Old and new paths as `git diff --raw -z` tells them, a change of type as the two parts that a patch makes of it."""
    fields = iter(
        run(repo, "diff", "--raw", "-z", "-M", "-C", *trees).decode("utf-8", "surrogateescape").split("\0")
    )
    rows: list[tuple[str | None, str | None]] = []
    for info in fields:
        if not info:
            continue
        letter, name = info.split(" ")[4][0], next(fields)
        if letter in "RC":
            rows.append((name, next(fields)))
        elif letter == "T":
            rows += [(name, None), (None, name)]
        else:
            rows.append((None if letter == "A" else name, None if letter == "D" else name))
    return rows


class TestNamesOfRealGit:
    @SLOW
    @given(st.sampled_from(KINDS), path, path, NAME_OPTIONS)
    @example("renamed", b"a/x", b"b/x", ("core.quotepath=true", "diff.noprefix=true", ()))
    @example("mode", b"a/x b/a", b"b", ("core.quotepath=true", "x.x=x", ()))
    @example("binary", b"x b/x", b"b", ("core.quotepath=true", "diff.noprefix=true", ()))
    @example("copied", "a/한 글".encode(), b"b/x b/x", ("core.quotepath=false", "x.x=x", ("-R",)))
    def test_the_paths_are_those_that_git_compared(
        self, sealed: Repo, kind: str, one: bytes, other: bytes, options: tuple[str, str, tuple[str, ...]]
    ) -> None:
        is_folder = one.startswith(other + b"/") or other.startswith(one + b"/") or one == other
        other = b"else" if is_folder else other
        trees = [tree(sealed, entries) for entries in sides(kind, one, other)]
        quoting, prefix, shown = options
        reverse = [option for option in shown if option == "-R"]
        data = run(sealed, "-c", quoting, "-c", prefix, "diff", "--no-color", "-M", "-C", *shown, *trees)
        read = read_patch(data)
        assert isinstance(read, Shown), (read, data)
        assert [(file.old_path, file.new_path) for file in read.files] == truth(sealed, *reverse, *trees)


# refusals
@pytest.fixture(scope="module")
def merged(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Two branches that changed one line each in their own way, merged into a third reading; one indented line."""
    repo = Repo(tmp_path_factory.mktemp("merge") / "repo")
    repo.commit("base", {"f.txt": "  one two\n  three\n", "g.txt": "g\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", {"f.txt": "  one side\n  three\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("main", {"f.txt": "  one main\n  three\n"})
    repo.git("merge", "-q", "side", check=False)
    repo.commit("merge", {"f.txt": "  one both\n  three\n"})
    return repo


@pytest.mark.parametrize(
    "arguments",
    [
        ("diff", "--color=always", "HEAD^"),
        ("-c", "color.diff.meta=normal", "-c", "color.diff.frag=normal", "diff", "--color=always", "HEAD^"),
        ("diff", "--word-diff=plain", "HEAD^"),
        ("diff", "--word-diff=porcelain", "HEAD^"),
        ("diff", "--word-diff=color", "HEAD^"),
        ("show", "--cc", "HEAD"),
        ("show", "-c", "HEAD"),
        ("show", "--cc", "--stat", "-p", "HEAD"),
        ("diff", "HEAD", "HEAD^1", "HEAD^2"),
        ("diff", "--output-indicator-new=>", "HEAD^"),
        ("diff", "--line-prefix=| ", "HEAD^"),
        ("diff", "--src-prefix=old/", "--dst-prefix=new/", "HEAD^"),
        ("log", "--graph", "-p", "--first-parent"),
        ("diff", "HEAD^:f.txt", "HEAD:g.txt"),
        ("diff", "-D", "--no-renames", "HEAD", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"),
    ],
    ids=" ".join,
)
def test_what_git_writes_for_eyes_only_is_refused(merged: Repo, arguments: tuple[str, ...]) -> None:
    merged.git("hash-object", "-w", "-t", "tree", "--stdin", stdin=b"")
    data = run(merged, *arguments)
    assert data
    assert isinstance(read_patch(data), Refused), data


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (("show", "-m", "HEAD"), ["f.txt", "f.txt"]),
        (("log", "-p", "--no-merges"), ["f.txt", "f.txt", "f.txt", "g.txt"]),
        (("log", "-p", "--stat", "--pretty=fuller", "--first-parent"), ["f.txt", "f.txt", "f.txt", "g.txt"]),
        (("format-patch", "--stdout", "--root", "HEAD"), ["f.txt", "g.txt", "f.txt", "f.txt"]),
    ],
    ids=["show -m", "log -p", "log --stat", "format-patch"],
)
def test_logs_and_mails_are_shown_without_their_words(
    merged: Repo, arguments: tuple[str, ...], files: list[str]
) -> None:
    read = read_patch(run(merged, *arguments))
    assert isinstance(read, Shown), read
    assert [file.new_path for file in read.files] == files


def test_names_without_two_prefixes_are_shown_as_written_and_say_so(merged: Repo) -> None:
    for arguments in (["--src-prefix=x/", "--dst-prefix=x/"], ["--no-prefix"]):
        read = read_patch(run(merged, "diff", *arguments, "HEAD^"))
        assert isinstance(read, Shown)
        assert [file.note for file in read.files] == ["names as written, without a/ and b/"]
