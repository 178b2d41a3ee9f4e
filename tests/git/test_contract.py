"""Both back ends give the answers that git itself gives, in every situation a repository can be in."""

from __future__ import annotations

import atexit
import multiprocessing
import shutil
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from gitmem.errors import GitmemError, InvalidDataError, NotFoundError, NotServedError, RaceError
from gitmem.git.interface import Blob, Tip
from gitmem.git.library import LibraryRepository
from gitmem.git.opening import Backend, open_repository
from gitmem.git.program import ProgramRepository
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_SYMLINK, Person, TreeEntry
from tests.git.conftest import Open
from tests.support.repo import Repo

ADA = Person("Ada Tester", "ada@example.org")
ABSENT = "1" * 40
ODD_NAMES = [
    'quote"d.txt',
    "line\nbreak.txt",
    "tab\there.txt",
    "-leading-dash",
    "한글/메모.md",
    "\u1112\u1161\u11ab\u1100\u1173\u11af/\u1106\u1166\u1106\u1169.md",
    "latin-\udce9.txt",
    "sp ace/ trailing ",
    "back\\slash",
    "star*[x]?.txt",
    ":(glob)magic",
]


Situation = Callable[[Repo, Path], Path]


def history(repo: Repo) -> Repo:
    """Two commits: one of each kind of change a tree comparison tells; made once, then taken from a bundle."""
    if repo.git("rev-parse", "--show-object-format") == "sha256" or repo.git("ls-files", "-o", "-c"):
        return told_history(repo)
    repo.git("pull", "-q", str(bundled_history()), "main")
    return repo


@cache
def bundled_history() -> Path:
    folder = Path(mkdtemp(prefix="gitmem-tests-"))
    atexit.register(shutil.rmtree, folder)
    told_history(Repo(folder / "repo")).git("bundle", "create", "-q", str(folder / "history"), "main")
    return folder / "history"


def told_history(repo: Repo) -> Repo:
    lines = "".join(f"line {number}\n" for number in range(40))
    repo.commit(
        "first",
        {
            "README.md": "# one\n",
            "src/kept.py": "x = 1\n",
            "src/moved.py": lines,
            "src/half.py": "".join(f"half {number}\n" for number in range(40)),
            "src/gone.py": "gone\n",
            "run.sh": "#!/bin/sh\n",
            "kind": "a file\n",
            "place": "file, later a folder\n",
            "empty": "",
            "binary": b"\0\1\2\xff",
        },
    )
    repo.move("src/moved.py", "lib/moved.py")
    repo.move("src/half.py", "lib/half.py")
    half = repo.read("lib/half.py").splitlines(keepends=True)
    repo.write("lib/half.py", "".join([*half[:26], *("other\n" for _ in range(14))]))
    repo.remove("src/gone.py")
    repo.remove("place")
    (repo.path / "run.sh").chmod(0o755)
    (repo.path / "kind").unlink()
    (repo.path / "kind").symlink_to("README.md")
    repo.commit("second\n\nwith a body", {"README.md": "# two\n", "place/inside": "now a folder\n"})
    return repo


def main(repo: Repo, _: Path) -> Path:
    return history(repo).path


def subdirectory(repo: Repo, _: Path) -> Path:
    return history(repo).path / "src"


def git_directory(repo: Repo, _: Path) -> Path:
    return history(repo).path / ".git" / "hooks"


def detached(repo: Repo, _: Path) -> Path:
    history(repo).git("checkout", "-q", "--detach")
    return repo.path


def packed(repo: Repo, _: Path) -> Path:
    history(repo).git("gc", "-q")
    return repo.path


def linked(repo: Repo, tmp_path: Path) -> Path:
    history(repo).git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    return tmp_path / "linked"


def bare(repo: Repo, tmp_path: Path) -> Path:
    history(repo).git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    return tmp_path / "bare.git"


def linked_to_bare(repo: Repo, tmp_path: Path) -> Path:
    place = bare(repo, tmp_path)
    Repo(place, init=False).git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    return tmp_path / "linked"


def shallow(repo: Repo, tmp_path: Path) -> Path:
    history(repo).git("clone", "-q", "--depth=1", f"file://{repo.path}", str(tmp_path / "shallow"))
    return tmp_path / "shallow"


def partial(repo: Repo, tmp_path: Path) -> Path:
    history(repo).git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--filter=blob:none", f"file://{repo.path}", str(tmp_path / "partial"))
    return tmp_path / "partial"


def submodule(repo: Repo, tmp_path: Path) -> Path:
    inner = history(Repo(tmp_path / "inner"))
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "sub")
    repo.commit("with submodule")
    return repo.path / "sub"


def mid_merge(repo: Repo, _: Path) -> Path:
    history(repo).git("checkout", "-q", "-b", "side", "HEAD~1")
    repo.commit("side", {"README.md": "# side\n"})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "side", check=False)
    return repo.path


def sha256(repo: Repo, tmp_path: Path) -> Path:
    return history(Repo(tmp_path / "sha256", object_format="sha256")).path


def line_break_in_folder(repo: Repo, tmp_path: Path) -> Path:
    return history(Repo(tmp_path / "two\nlines")).path


SITUATIONS = [
    main,
    subdirectory,
    git_directory,
    detached,
    packed,
    linked,
    bare,
    linked_to_bare,
    shallow,
    partial,
    submodule,
    mid_merge,
    sha256,
    line_break_in_folder,
]


def in_situation(situation: Situation, tmp_path: Path) -> tuple[Path, Repo]:
    """Where to open, and git itself at the same place, to be asked for the truth."""
    start = situation(Repo(tmp_path / "repo"), tmp_path)
    return start, Repo(start.parent.parent if start.name == "hooks" else start, init=False)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_head_refs_and_trees_are_what_git_says_in(situation: Situation, opened: Open, tmp_path: Path) -> None:
    start, truth = in_situation(situation, tmp_path)
    repository = opened(start)
    head = truth.head()
    assert repository.head() == head
    assert (repository.head_ref() or "") == truth.git("symbolic-ref", "-q", "HEAD", check=False)
    assert repository.resolve("HEAD") == head
    assert repository.resolve(head[:9]) == head
    told = dict(
        line.split(" ")
        for line in truth.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    )
    assert dict(repository.refs("refs/")) == told
    assert list(repository.refs("refs/")) == sorted(told)
    assert {name: repository.ref(name) for name in told} == told
    listing = [f"{entry.mode:06o} {entry.oid}\t{entry.path}" for entry in repository.list_tree(head)]
    assert (
        listing
        == truth.git(
            "ls-tree", "-r", "--full-tree", "--format=%(objectmode) %(objectname)%x09%(path)", "HEAD"
        ).splitlines()
    )


@pytest.mark.parametrize("situation", SITUATIONS)
def test_layout_and_commits_are_what_git_says_in(situation: Situation, opened: Open, tmp_path: Path) -> None:
    start, truth = in_situation(situation, tmp_path)
    repository = opened(start)
    layout = repository.layout
    assert str(layout.git_dir) == truth.git("rev-parse", "--absolute-git-dir")
    assert layout.common_dir.samefile(truth.path / truth.git("rev-parse", "--git-common-dir"))
    assert (layout.work_tree is None) is (situation is bare)
    assert layout.object_format == ("sha256" if situation is sha256 else "sha1")
    assert layout.shallow is (situation is shallow)
    told = truth.git("rev-list", "--first-parent", "HEAD").splitlines()
    commits = list(repository.first_parents(told[0]))
    assert [commit.oid for commit in commits] == told
    for commit in commits:
        asked = truth.git("log", "-1", "--format=%T|%P|%an|%ae|%aI|%cI|%B", commit.oid)
        shown = [
            commit.tree,
            " ".join(commit.parents),
            commit.author.name,
            commit.author.email,
            commit.authored_at,
            commit.committed_at,
            commit.message.rstrip("\n"),
        ]
        assert "|".join(shown) == asked


@pytest.mark.parametrize("situation", [one for one in SITUATIONS if one is not bare])
def test_index_listing_is_what_git_says_in(situation: Situation, opened: Open, tmp_path: Path) -> None:
    start, truth = in_situation(situation, tmp_path)
    top = Repo(Path(truth.git("rev-parse", "--show-toplevel")), init=False)
    listing = {entry.path: (entry.mode, entry.oid) for entry in opened(start).worktree_entries(staged=True)}
    rows = [row.split(maxsplit=3) for row in top.git("ls-files", "-s").splitlines()]
    told = {path: (int(mode, 8), oid) for mode, oid, stage, path in rows if stage in "02"}
    assert listing == told


def test_library_is_left_for_what_it_cannot_serve(tmp_path: Path) -> None:
    fitting = {
        situation.__name__: isinstance(
            open_repository(in_situation(situation, tmp_path / situation.__name__)[0], prefer="library"),
            LibraryRepository,
        )
        for situation in (main, linked, bare, shallow, partial, sha256)
    }
    assert fitting == {
        "main": True,
        "linked": True,
        "bare": True,
        "shallow": True,
        "partial": False,
        "sha256": False,
    }


@pytest.mark.parametrize("kind", ["plain", "bare"])
def test_unborn_repository_answers(kind: str, opened: Open, tmp_path: Path) -> None:
    repository = opened(Repo(tmp_path / "new", bare=kind == "bare").path)
    assert repository.head() is None
    assert repository.head_ref() == "refs/heads/main"
    assert dict(repository.refs("refs/")) == {}
    assert repository.ref("refs/heads/main") is None
    assert repository.symbolic_ref("refs/remotes/origin/HEAD") is None
    assert repository.remotes() == ()
    assert repository.commit(ABSENT) is None
    assert repository.tree_of(ABSENT) is None
    assert not repository.has(ABSENT)
    assert repository.merge_base(ABSENT, ABSENT) is None
    assert list(repository.first_parents(ABSENT)) == []
    if kind == "plain":
        assert repository.worktree_entries(staged=True) == ()
    with pytest.raises(NotFoundError, match="no such revision: 'HEAD'"):
        repository.resolve("HEAD")
    tree = repository.write_tree([])
    assert repository.list_tree(tree) == ()
    assert repository.entry(tree, "x") is None
    if kind == "plain":
        assert repository.worktree_entries() == ()
        assert repository.status().all == frozenset()
        assert repository.worktree_blob("x") is None


def test_index_variables_of_a_hook_do_not_mislead(
    opened: Open, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = history(Repo(tmp_path / "other"))
    head = repo.commit("mine", {"mine.txt": "mine\n"})
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.path / ".git" / "index"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.path / ".git" / "objects"))
    repository = opened(repo.path)
    assert repository.head() == head
    assert [entry.path for entry in repository.worktree_entries()] == ["mine.txt"]
    assert [entry.path for entry in repository.worktree_entries(staged=True)] == ["mine.txt"]


def test_odd_file_names_come_out_as_they_went_in(opened: Open, repo: Repo) -> None:
    head = repo.commit("odd", dict.fromkeys(ODD_NAMES, "content\n"))
    repository = opened(repo.path)
    assert sorted(entry.path for entry in repository.list_tree(head)) == sorted(ODD_NAMES)
    assert sorted(entry.path for entry in repository.worktree_entries()) == sorted(ODD_NAMES)
    for name in ODD_NAMES:
        found = repository.entry(head, name)
        assert found is not None
        assert found.path == name
        assert repository.worktree_blob(name) == b"content\n"
        assert repository.worktree_blob(name, staged=True) == b"content\n"
        assert [commit.oid for commit in repository.log(since=None, until=head, paths=[name])] == [head]
    tree = repository.write_tree(repository.list_tree(head))
    assert tree == repository.tree_of(head)


def test_odd_names_in_the_work_tree_are_hashed(opened: Open, repo: Repo) -> None:
    repo.commit("odd", dict.fromkeys(ODD_NAMES[:5], "content\n"))
    for name in ODD_NAMES:
        repo.write(name, "changed here\n")
    repository = opened(repo.path)
    before = {entry.path: entry.oid for entry in repository.worktree_entries()}
    repo.git("add", "-A")
    assert {entry.path: entry.oid for entry in repository.worktree_entries(staged=True)} == before


def test_listing_a_folder_keeps_whole_paths(opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    repository = opened(repo.path)
    assert [entry.path for entry in repository.list_tree(head, under="lib")] == [
        "lib/half.py",
        "lib/moved.py",
    ]
    assert [entry.path for entry in repository.list_tree(head, under="lib/")] == [
        "lib/half.py",
        "lib/moved.py",
    ]
    for absent in ("li", "lib/moved.py", "nowhere", "../x", "lib/../lib", "/lib", "a//b", "nul\0"):
        assert repository.list_tree(head, under=absent) == (), absent


def test_entry_tells_files_folders_and_nothing(opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    repository = opened(repo.path)
    for path in ("README.md", "lib", "lib/moved.py", "kind", "run.sh", ""):
        found = repository.entry(head, path)
        assert found is not None
        assert found.oid == repo.git("rev-parse", f"HEAD:{path}")
    for path in ("nowhere", "README.md/x", "lib/nowhere", "..", "lib/..", "/lib", "nul\0"):
        assert repository.entry(head, path) is None, path


def test_modes_links_and_gitlinks_are_listed(opened: Open, tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    submodule(repo, tmp_path)
    (repo.path / "link").symlink_to("sub")
    (repo.path / "run").write_text("x")
    (repo.path / "run").chmod(0o755)
    head = repo.commit("kinds")
    repository = opened(repo.path)
    listed = {entry.path: entry.mode for entry in repository.list_tree(head)}
    assert listed == {
        ".gitmodules": MODE_FILE,
        "link": MODE_SYMLINK,
        "run": MODE_EXECUTABLE,
        "sub": MODE_GITLINK,
    }
    assert {entry.path: entry.mode for entry in repository.worktree_entries()} == listed
    assert repository.worktree_blob("link") == b"sub"
    assert repository.worktree_blob("sub") is None


@pytest.mark.parametrize("renames", [True, False])
def test_tree_comparison_is_what_git_says(renames: bool, opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    old = repo.git("rev-parse", "HEAD~1")
    changes = opened(repo.path).diff_trees(old, head, renames=renames)
    rows = []
    for change in changes:
        letter = {"added": "A", "deleted": "D", "modified": "M", "type_changed": "T", "renamed": "R"}
        similarity = "" if change.similarity is None else f"{change.similarity:03d}"
        paths = [change.old_path, change.new_path]
        shown = paths if change.status == "renamed" else [change.new_path or change.old_path]
        rows.append(
            f":{change.old_mode:06o} {change.new_mode:06o} {change.old_oid or '0' * 40}"
            f" {change.new_oid or '0' * 40} {letter[change.status]}{similarity}\t"
            + "\t".join(map(str, shown))
        )
    option = "-M" if renames else "--no-renames"
    assert rows == repo.git("diff-tree", "-r", "--no-abbrev", option, "-l0", old, head).splitlines()
    if renames:
        assert {change.similarity for change in changes if change.status == "renamed"} >= {100}
        assert len([change for change in changes if change.status == "renamed"]) == 2


def test_the_index_has_no_say_in_a_comparison_without_renames(opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    old = repo.git("rev-parse", "HEAD~1")
    told = opened(repo.path).diff_trees(old, head, renames=False)
    (repo.path / ".git" / "index").write_bytes(b"damaged")
    assert told
    assert opened(repo.path).diff_trees(old, head, renames=False) == told


def test_tree_comparison_without_deletions_is_what_git_says(opened: Open, repo: Repo) -> None:
    old = repo.commit("one", {"a-b": "1\n", "a/b/c": "2\n", "a0": "3\n"})
    new = repo.commit("two", {"a/b/c": "4\n", "a/b.c": "5\n", "a-b": "6\n", "z/y": "7\n"})
    changes = opened(repo.path).diff_trees(old, new)
    told = repo.git("diff-tree", "-r", "--name-status", old, new).splitlines()
    assert [f"{change.status[0].upper()}\t{change.new_path}" for change in changes] == told
    assert opened(repo.path).diff_trees(new, new) == ()


def test_comparing_many_trees_at_once_tells_what_comparing_each_does(opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    for name in ODD_NAMES:
        repo.write(name, f"{name!r}\n")
    tip = repo.commit("odd names")
    olds = [repo.git("rev-parse", "HEAD~1"), head, tip, repo.git("rev-parse", "HEAD~2^{tree}")]
    repository = opened(repo.path)
    together = repository.diff_all(olds, tip)
    assert together == {old: repository.diff_trees(old, tip) for old in olds}
    assert together[tip] == ()
    assert repository.diff_all([], tip) == {}


def test_many_words_are_found_as_each_alone_is(opened: Open, repo: Repo) -> None:
    texts = [
        "foo foobar",
        "foo_bar",
        "foobarx xfoobar",
        "foo.bar-foo",
        "2x x2",
        "$foo a",
        "바foo 바",
        "A a_",
        "foobar",
    ]
    head = repo.commit("words", {f"f{number}.txt": f"{text}\n" for number, text in enumerate(texts)})
    words = [
        "foo",
        "foobar",
        "foo_bar",
        "bar",
        "2x",
        "x",
        "a",
        "A",
        "a_",
        "$foo",
        "바",
        "foo.bar",
        "absent",
        "f",
    ]
    repository = opened(repo.path)
    alone = {word: found for word in words for found in repository.grep(head, [word]).values()}
    assert repository.grep(head, words) == alone
    assert alone["foo"] == ("f0.txt", "f3.txt", "f5.txt", "f6.txt")
    assert "bar" in alone
    assert "absent" not in alone


def test_expressions_name_objects_or_nothing(opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    repository = opened(repo.path)
    asked = [
        "HEAD^{commit}",
        "HEAD^{tree}",
        "HEAD:absent",
        f"{ABSENT}^{{tree}}",
        f"{head}:README.md",
        "line\nbreak",
    ]
    told = [None if one is None else (one.kind, one.oid) for one in repository.find_objects(asked)]
    tree, blob = repo.git("rev-parse", "HEAD^{tree}"), repo.git("rev-parse", "HEAD:README.md")
    assert repository.find_objects(asked[:-1])[2:4] == (None, None)
    assert told == [None] * len(asked)  # a line break would be two questions
    found = [one and (one.kind, one.oid) for one in repository.find_objects(asked[:-1])]
    assert found == [("commit", head), ("tree", tree), None, None, ("blob", blob)]


def test_gitlinks_count_in_a_comparison(opened: Open, tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    inside = submodule(repo, tmp_path)
    old = repo.head()
    new_tip = Repo(inside, init=False).commit("more", {"more": "x\n"})
    new = repo.commit("bump")
    (change,) = opened(repo.path).diff_trees(old, new)
    assert (change.status, change.new_path, change.new_mode, change.new_oid) == (
        "modified",
        "sub",
        MODE_GITLINK,
        new_tip,
    )


def test_blobs_come_in_the_order_asked_and_missing_ones_are_values(opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    repository = opened(repo.path)
    contents = {
        entry.oid: repo.path / entry.path for entry in repository.list_tree(head) if entry.mode == MODE_FILE
    }
    tree = repository.tree_of(head)
    assert tree is not None
    asked = [*contents, ABSENT, "main", "", tree, *reversed(contents)]
    answers = list(repository.read_blobs(asked))
    assert [blob.oid for blob in answers] == asked
    for blob in answers:
        if blob.oid in contents:
            assert blob.data == contents[blob.oid].read_bytes()
            assert blob.size == len(blob.data)
        else:
            assert (blob.size, blob.data) == (None, None)
    assert repository.read_blob(ABSENT) == Blob(ABSENT, None, None)


def test_a_blob_over_the_limit_tells_only_its_size(opened: Open, repo: Repo) -> None:
    repository = opened(repo.path)
    large = repository.write_blob(b"x" * 3_000_000)
    small = repository.write_blob(b"y" * 100)
    told = list(repository.read_blobs([large, small, ABSENT], limit=100))
    assert told == [
        Blob(large, 3_000_000, None),
        Blob(small, 100, b"y" * 100),
        Blob(ABSENT, None, None),
    ]
    assert len(repository.read_blob(large).data or b"") == 3_000_000


def test_many_blobs_more_than_any_pipe_holds(opened: Open, repo: Repo) -> None:
    repo.commit("many", {f"f{number}": f"{number}\n" * 2000 for number in range(300)})
    repository = opened(repo.path)
    entries = repository.list_tree(repo.head())
    some = repository.read_blobs(entry.oid for entry in entries)
    assert next(some).data == b"0\n" * 2000
    assert [blob.data for blob in repository.read_blobs(entry.oid for entry in entries)] == [
        f"{entry.path[1:]}\n".encode() * 2000 for entry in entries
    ]


def _read_blob(repository: ProgramRepository, oid: str) -> bytes | None:
    return repository.read_blob(oid).data


def test_a_repository_object_survives_a_fork(opened: Open, repo: Repo) -> None:
    history(repo)
    repository = opened(repo.path)
    oids = {name: repo.git("rev-parse", f"HEAD:{name}") for name in ("README.md", "src/kept.py")}
    assert repository.read_blob(oids["README.md"]).data == b"# two\n"
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=lambda: sender.send(_read_blob(repository, oids["src/kept.py"])))
    child.start()
    assert receiver.recv() == b"x = 1\n"
    child.join()
    child.close()
    receiver.close()
    sender.close()
    assert repository.read_blob(oids["README.md"]).data == b"# two\n"


def test_missing_objects_are_values_and_missing_trees_are_errors(opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    repository = opened(repo.path)
    assert repository.commit(ABSENT) is None
    assert repository.commit(str(repository.tree_of(head))) is None
    assert repository.tree_of(ABSENT) is None
    assert repository.commit("HEAD") is None
    assert not repository.has(ABSENT)
    assert not repository.has("--help")
    assert repository.has(head)
    assert repository.merge_base(head, ABSENT) is None
    for call in (
        lambda: repository.list_tree(ABSENT),
        lambda: repository.entry(ABSENT, "x"),
        lambda: repository.diff_trees(ABSENT, head),
        lambda: repository.diff_trees(head, ABSENT),
        lambda: list(repository.log(since=None, until=ABSENT)),
        lambda: repository.list_tree("--help"),
    ):
        with pytest.raises(NotFoundError):
            call()


def test_a_history_with_a_missing_ancestor_ends_there(opened: Open, repo: Repo) -> None:
    commits = [repo.commit(f"c{number}") for number in range(24)]
    lost = commits[2]
    (repo.path / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    told = [commit.oid for commit in opened(repo.path).first_parents(commits[-1])]
    assert told == commits[:2:-1]


@pytest.mark.parametrize(
    "revision", ["nowhere", "", "main..main", "^main", "--all", "HEAD:README.md", "a\0b", "a\nb", "0000"]
)
def test_what_names_no_commit_is_not_found(revision: str, opened: Open, repo: Repo) -> None:
    history(repo)
    with pytest.raises(NotFoundError, match="no such revision"):
        opened(repo.path).resolve(revision)


def test_revisions_as_people_write_them(opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    repo.git("tag", "-a", "v1", "-m", "tagged")
    repository = opened(repo.path)
    assert repository.resolve("v1") == head
    assert repository.ref("refs/tags/v1") == head
    assert repository.resolve("main~1") == repo.git("rev-parse", "HEAD~1")


def test_a_full_ref_name_is_never_taken_for_another(opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    repo.git("branch", "refs/ai/x")
    repository = opened(repo.path)
    assert repository.ref("refs/ai/x") is None
    assert repository.ref("refs/heads/refs/ai/x") == head
    for name in ("main", "heads/main", "refs/heads/m*", "refs/heads", "--help", "refs/heads/ma\nin"):
        assert repository.ref(name) is None, name


def test_symbolic_refs_tell_their_target(opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    repo.git("update-ref", "refs/remotes/origin/main", head)
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    repository = opened(repo.path)
    assert repository.symbolic_ref("refs/remotes/origin/HEAD") == "refs/remotes/origin/main"
    assert repository.symbolic_ref("refs/heads/main") is None
    assert repository.ref("refs/remotes/origin/HEAD") == head
    asked = ["refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/absent", "refs/heads"]
    assert repository.tips(asked) == {
        "refs/remotes/origin/HEAD": Tip(head, "refs/remotes/origin/main"),
        "refs/heads/main": Tip(head, None),
    }
    repo.git("update-ref", "-d", "refs/remotes/origin/main")
    assert repository.tips(asked) == {"refs/heads/main": Tip(head, None)}, "it points nowhere"
    (repo.path / ".git" / "refs" / "remotes" / "origin" / "main").write_text("damaged")
    assert repository.tips([*asked, "refs/remotes/origin/main"]) is None


def test_damaged_refs_are_not_taken_for_absent(opened: Open, repo: Repo) -> None:
    history(repo)
    (repo.path / ".git" / "refs" / "heads" / "broken").write_text("")
    repository = opened(repo.path)
    with pytest.raises(InvalidDataError, match="damaged ref"):
        repository.ref("refs/heads/broken")
    assert list(repository.refs("refs/heads/")) == ["refs/heads/main"]
    assert repository.broken_refs("refs/") == ("refs/heads/broken",)
    (repo.path / ".git" / "refs" / "heads" / "main").write_text("")
    with pytest.raises(InvalidDataError):
        repository.head()


def test_refs_move_only_from_where_they_are(opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    old = repo.git("rev-parse", "HEAD~1")
    repository = opened(repo.path)
    name = "refs/ai/runs/run-1/writer"
    repository.move_ref(name, old, old=None, message="made")
    with pytest.raises(RaceError):
        repository.move_ref(name, head, old=None)
    with pytest.raises(RaceError):
        repository.move_ref(name, head, old=head)
    with pytest.raises(RaceError):
        repository.move_ref(name, None, old=head)
    assert repository.ref(name) == old
    repository.move_ref(name, head, old=old, message="two\nlines")
    assert repository.ref(name) == head == repo.git("rev-parse", name)
    repository.move_ref(name, None, old=head)
    assert repository.ref(name) is None
    with pytest.raises(RaceError):
        repository.move_ref(name, head, old=old)


def test_refs_that_cannot_be_made_say_why(opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    repository = opened(repo.path)
    for name in ("refs/ai/a..b", "main", "--stdin", "refs/ai/a b", "refs/ai/x.lock", "refs/ai/\0"):
        with pytest.raises(InvalidDataError):
            repository.move_ref(name, head, old=None)
    with pytest.raises(InvalidDataError, match="not an object id"):
        repository.move_ref("refs/ai/x", "HEAD", old=None)
    with pytest.raises(NotFoundError):
        repository.move_ref("refs/ai/x", ABSENT, old=None)
    with pytest.raises(NotServedError, match="in the way"):
        repository.move_ref("refs/heads/main/below", head, old=None)


def test_a_locked_ref_is_a_lost_race(opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    old = repo.git("rev-parse", "HEAD~1")
    (repo.path / ".git" / "refs" / "heads" / "main.lock").write_text("")
    with pytest.raises(RaceError):
        opened(repo.path).move_ref("refs/heads/main", old, old=head)


def _race(path: Path, backend: Backend, name: str, mine: str, first: str | None) -> bool:
    try:
        with open_repository(path, prefer=backend) as repository:
            repository.move_ref(name, mine, old=first)
    except RaceError:
        return False
    return True


@pytest.mark.parametrize("born", [False, True])
def test_of_processes_racing_for_one_ref_exactly_one_wins(born: bool, backend: Backend, repo: Repo) -> None:
    first = repo.commit("first")
    mine = [repo.git("commit-tree", "-m", str(number), f"{first}^{{tree}}") for number in range(6)]
    with multiprocessing.get_context("fork").Pool(6) as pool:
        for turn in range(3):
            name = f"refs/ai/race/{turn}"
            if born:
                repo.git("update-ref", name, first)
            won = pool.starmap(
                _race, [(repo.path, backend, name, one, first if born else None) for one in mine], chunksize=1
            )
            assert won.count(True) == 1
            assert repo.git("rev-parse", name) == mine[won.index(True)]


def test_both_back_ends_write_the_same_objects(opened: Open, repo: Repo) -> None:
    repository = opened(repo.path)
    blob = repository.write_blob("메모\n".encode())
    assert blob == repo.git("hash-object", "-w", "--stdin", stdin="메모\n".encode())
    paths = ["a/b", "a-b", "a0", "한글/메모", "deep/er/still", "latin-\udce9", "line\nbreak"]
    tree = repository.write_tree([TreeEntry(path, MODE_FILE, blob) for path in paths])
    for path in paths:
        repo.write(path, "메모\n")
    repo.git("add", "-A")
    assert tree == repo.git("write-tree")
    commit = repository.write_commit(
        tree=tree, parents=[], message="제목\n\nbody \x01", author=ADA, at="2026-07-13T10:00:00+09:00"
    )
    assert commit == repo.git("commit-tree", "-F", "-", tree, stdin="제목\n\nbody \x01".encode())
    child = repository.write_commit(
        tree=tree,
        parents=[commit, commit],
        message="\n\nchild\n",
        author=Person(" <>\n", ""),
        at="1999-12-31T23:59:59-03:30",
    )
    read = repository.commit(child)
    assert read is not None
    assert (read.parents, read.message, read.authored_at) == (
        (commit,),
        "child\n",
        "1999-12-31T23:59:59-03:30",
    )
    assert read.author == read.committer == Person("gitmem", "gitmem@localhost")
    assert repo.git("fsck", "--full", "--strict", "--no-dangling") == ""


def test_signing_is_not_asked_for(opened: Open, repo: Repo) -> None:
    repo.git("config", "commit.gpgSign", "true")
    repo.git("config", "gpg.program", "/nowhere/gpg")
    repository = opened(repo.path)
    commit = repository.write_commit(tree=repository.write_tree([]), parents=[], message="x", author=ADA)
    assert "gpgsig" not in repo.git("cat-file", "commit", commit)


@pytest.mark.parametrize("path", ["", "/a", "a//b", "a/../b", ".git/x", "a/.GIT", "nul\0", ".."])
def test_trees_with_paths_that_git_refuses_are_not_written(path: str, opened: Open, repo: Repo) -> None:
    repository = opened(repo.path)
    with pytest.raises(InvalidDataError, match="cannot stand"):
        repository.write_tree([TreeEntry(path, MODE_FILE, repository.write_blob(b""))])


def test_objects_with_holes_are_not_written(opened: Open, repo: Repo) -> None:
    repository = opened(repo.path)
    blob = repository.write_blob(b"x")
    with pytest.raises(NotFoundError):
        repository.write_tree([TreeEntry("a", MODE_FILE, ABSENT)])
    with pytest.raises(InvalidDataError, match="twice"):
        repository.write_tree([TreeEntry("a", MODE_FILE, blob), TreeEntry("a", MODE_FILE, blob)])
    with pytest.raises(InvalidDataError, match="file and folder"):
        repository.write_tree([TreeEntry("a", MODE_FILE, blob), TreeEntry("a/b", MODE_FILE, blob)])
    tree = repository.write_tree([])
    for root, parents in ((ABSENT, []), (tree, [ABSENT])):
        with pytest.raises(NotFoundError):
            repository.write_commit(tree=root, parents=parents, message="x", author=ADA)
    with pytest.raises(InvalidDataError, match="NUL"):
        repository.write_commit(tree=tree, parents=[], message="a\0b", author=ADA)


def test_identity_is_the_committers_or_our_own(
    opened: Open, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert opened(repo.path).identity() == ADA
    monkeypatch.delenv("GIT_COMMITTER_NAME")
    monkeypatch.delenv("GIT_COMMITTER_EMAIL")
    repo.git("config", "user.useConfigOnly", "true")
    assert opened(repo.path).identity() == Person("gitmem", "gitmem@localhost")


def test_configuration_is_read_as_git_merges_it(opened: Open, repo: Repo) -> None:
    repo.git("config", "core.hooksPath", ".husky")
    repo.git("config", "gitmem.trustedRef", "refs/heads/release")
    repo.git("remote", "add", "origin", "https://example.org/x.git")
    repository = opened(repo.path)
    assert repository.config("core.hooksPath") == ".husky"
    assert repository.config("gitmem.trustedRef") == "refs/heads/release"
    assert repository.config("gitmem.absent") is None
    assert repository.remotes() == ("origin",)
    assert repository.settings("^(core\\.hookspath|gitmem\\..*|remote\\..*\\.url)$") == {
        "core.hookspath": ".husky",
        "gitmem.trustedref": "refs/heads/release",
        "remote.origin.url": "https://example.org/x.git",
    }
    assert repository.settings("^absent$") == {}
    with (repo.path / ".git" / "config").open("a") as file:
        file.write("[broken\n")
    with pytest.raises(InvalidDataError, match="bad config line"):
        repository.config("gitmem.absent")


def test_history_by_paths(opened: Open, repo: Repo) -> None:
    first = repo.commit("first", {"a": "1\n", "b": "1\n"})
    second = repo.commit("second", {"a": "2\n"})
    third = repo.commit("third", {"b": "3\n"})
    repository = opened(repo.path)

    def told(since: str | None = None, paths: Sequence[str] = (), limit: int | None = None) -> list[str]:
        found = repository.log(since=since, until=third, paths=paths, limit=limit)
        return [commit.oid for commit in found]

    assert told() == [third, second, first]
    assert told(paths=["a"]) == [second, first]
    assert told(paths=["a"], since=first) == [second]
    assert told(since=ABSENT) == [third, second, first]
    assert told(limit=1) == [third]
    assert told(paths=["nowhere"]) == []


def test_history_with_changes_pairs_renames_over_the_whole_tree(opened: Open, repo: Repo) -> None:
    first = repo.commit("first", {"old/x.md": "content\n" * 9, "other": "o\n"})
    repo.move("old/x.md", "new/x.md")
    second = repo.commit("second", {"other": "p\n"})
    third = repo.commit("third", {"other": "q\n"})
    repository = opened(repo.path)
    told = [
        (commit.oid, [(row.status, row.old_path, row.new_path) for row in changes])
        for commit, changes in repository.log_changes(until=third, under=["new"])
    ]
    assert told == [(second, [("renamed", "old/x.md", "new/x.md")])]
    everything = [(commit.oid, len(changes)) for commit, changes in repository.log_changes(until=third)]
    assert everything == [(third, 1), (second, 2), (first, 2)]
    assert list(repository.log_changes(until=third, since_date="2099-01-01")) == []
    with pytest.raises(InvalidDataError):
        list(repository.log_changes(until=third, since_date="last week"))


def test_merges_are_compared_with_their_first_parent(opened: Open, repo: Repo) -> None:
    base = repo.commit("base", {"a": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", {"b": "1\n"})
    repo.git("checkout", "-q", "main")
    mine = repo.commit("mine", {"c": "1\n"})
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    repository = opened(repo.path)
    merge = repo.head()
    rows = repository.changes_of([merge, side, base])
    assert {oid: [row.new_path for row in changes] for oid, changes in rows.items()} == {
        merge: ["b"],
        side: ["b"],
        base: ["a"],
    }
    assert repository.changes_of([]) == {}
    told = [
        (commit.oid, [row.new_path for row in changes])
        for commit, changes in repository.log_changes(until=merge)
    ]
    assert told == [(merge, ["b"]), (mine, ["c"]), (base, ["a"])]
    assert repository.merge_base(mine, side) == base
    assert [commit.oid for commit in repository.first_parents(merge, limit=2)] == [merge, mine]
    found = repository.commit(merge)
    assert found is not None
    assert found.parents == (mine, side)


def test_what_commits_touched_since_a_date(opened: Open, repo: Repo) -> None:
    def at(day: int) -> dict[str, str]:
        return {"GIT_COMMITTER_DATE": f"2026-07-{day:02}T10:00:00+09:00"}

    repo.commit("base", {"a": "1\n", "한글/b": "1\n"}, environment=at(1))
    repo.commit("old", {"a": "2\n"}, environment=at(2))
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", {"c": "1\n"}, environment=at(10))
    repo.git("checkout", "-q", "main")
    repo.move("한글/b", "한글/d")
    repo.commit("mine", environment=at(11))
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side", environment=at(12))
    repository = opened(repo.path)
    told = repository.touched_since(until=repo.head(), since_date="2026-07-05T00:00:00+09:00")
    assert [set(paths) for paths in told] == [{"한글/b", "한글/d"}, {"c"}]
    everything = repository.touched_since(until=repo.head(), since_date="2026-01-01T00:00:00+09:00")
    assert [set(paths) for paths in everything][2:] == [{"a"}, {"a", "한글/b"}]
    assert list(repository.touched_since(until=repo.head(), since_date="2099-01-01")) == []
    with pytest.raises(InvalidDataError, match="not an RFC 3339"):
        list(repository.touched_since(until=repo.head(), since_date="last week"))


def test_a_long_history_is_walked_whole(opened: Open, repo: Repo) -> None:
    stream = "".join(
        f"commit refs/heads/main\ncommitter A <a@x> {number} +0000\ndata 2\nc\n" for number in range(1, 401)
    )
    repo.git("fast-import", "--quiet", stdin=stream.encode())
    repository = opened(repo.path)
    told = [commit.oid for commit in repository.first_parents(repo.head())]
    assert told == repo.git("rev-list", "HEAD").splitlines()
    limited = [commit.oid for commit in repository.first_parents(repo.head(), limit=100)]
    assert limited == told[:100]
    assert sum(1 for _ in repository.log_changes(until=repo.head())) == 400


@pytest.mark.parametrize("places", [(1,), (399,), (1, 140, 143, 144, 145, 399)])
def test_what_touched_a_folder_is_found_however_far_back_it_is(
    opened: Open, repo: Repo, places: tuple[int, ...]
) -> None:
    """The last 256 commits of the line are searched before the others."""
    commits = [
        f"commit refs/heads/main\nmark :{number}\ncommitter A <a@x> {number} +0000\ndata 2\nc\n"
        + (f"merge :{number - 2}\n" if number % 5 == 0 and number > 10 else "")
        + (f"M 100644 inline kept/x\ndata 4\n{number:04}\n" if number in places else "")
        for number in range(1, 401)
    ]
    repo.git("fast-import", "--quiet", stdin="".join(commits).encode())
    head = repo.head()
    told = [commit.oid for commit, _ in opened(repo.path).log_changes(until=head, under=["kept"])]
    assert told == repo.git("rev-list", "--first-parent", "HEAD", "--", "kept").splitlines()
    assert len(told) == len(places)


def test_patch_is_for_the_paths_asked(opened: Open, repo: Repo) -> None:
    head = history(repo).head()
    old = repo.git("rev-parse", "HEAD~1")
    repo.git("config", "diff.noprefix", "true")
    repo.git("config", "color.ui", "always")
    patch = opened(repo.path).patch(old, head, ["README.md"], context=0)
    assert "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# one\n+# two\n" in patch
    assert "kind" not in patch


def test_replace_refs_and_grafts_are_not_honoured(opened: Open, repo: Repo) -> None:
    first = repo.commit("first", {"a": "true\n"})
    forged = repo.commit("forged", {"a": "approved\n"})
    repo.git("replace", first, forged)
    grafts = repo.path / ".git" / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{forged}\n")
    repository = opened(repo.path)
    commit = repository.commit(first)
    assert commit is not None
    assert commit.message == "first\n"
    assert [one.oid for one in repository.first_parents(forged)] == [forged, first]
    assert [one.oid for one in repository.log(since=None, until=forged)] == [forged, first]


@pytest.mark.parametrize("damage", ["truncate", "empty", "flip", "swap"])
def test_damaged_objects_are_errors_and_nothing_hangs(damage: str, opened: Open, repo: Repo) -> None:
    head = repo.commit("x", {"a": "content\n" * 500, "b": "other\n"})
    oid = repo.git("rev-parse", "HEAD:a")
    place = repo.path / ".git" / "objects" / oid[:2] / oid[2:]
    place.chmod(0o644)
    whole = place.read_bytes()
    other = repo.git("rev-parse", "HEAD:b")
    damaged = {
        "truncate": whole[: len(whole) // 2],
        "empty": b"",
        "flip": whole[:20] + bytes([whole[20] ^ 255]) + whole[21:],
        "swap": (repo.path / ".git" / "objects" / other[:2] / other[2:]).read_bytes(),
    }
    place.write_bytes(damaged[damage])
    repository = opened(repo.path)
    with pytest.raises(GitmemError, match="damaged object"):
        repository.read_blob(oid)
    assert repository.read_blob(other).data == b"other\n"
    assert repository.head() == head
