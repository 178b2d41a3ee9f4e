"""The complete back end: the git program, on every repository that it opens.

Reads go through two ``cat-file`` children that live as long as the repository object, and one process for each other
question. Nothing is fetched to answer: an object that a partial clone left out is missing here, since fetching would
run what the repository's configuration names (``core.sshCommand``, remote helpers). Replace refs and grafts are not
honoured. An instance belongs to one thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from gitmem.errors import GitFailedError, InvalidDataError, NotFoundError, quoted
from gitmem.git import history, parsing, searching, several, several_refs, worktree, writing
from gitmem.git.batch import WINDOW, Answer, CatFile
from gitmem.git.failures import failure, first_line, missing
from gitmem.git.formatting import FALLBACK, is_oid, is_path
from gitmem.git.interface import Blob, Found, Layout, Status, Tip
from gitmem.git.keeping import Keeping
from gitmem.git.runner import Runner
from gitmem.model.change import MODE_TREE, Change, Commit, Person, TreeEntry


class ProgramRepository(Keeping):
    """A repository spoken to through the git program; see `interface.Repository` for each method.

    Args:
        layout: From `discovery.discover`.
        deadline: A `time.monotonic` value after which calls end with TimeoutError.
    """

    def __init__(self, layout: Layout, *, deadline: float | None = None) -> None:
        self._layout = layout
        self._runner = runner = Runner(layout, deadline=deadline)
        self._contents = CatFile(lambda: runner.start("cat-file", "--batch"), contents=True)
        self._partial = any(Path(layout.common_dir, "objects").glob("pack/*.promisor"))
        self._headers = CatFile(lambda: runner.start("cat-file", "--batch-check"), contents=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the children; the object stays usable and starts them again when asked."""
        self._contents.close()
        self._headers.close()

    @property
    def layout(self) -> Layout:
        return self._layout

    # revisions and refs
    def head(self) -> str | None:
        """See the interface.

        Raises:
            InvalidDataError: When the branch's ref is damaged, which must not pass for an unborn branch.
        """
        status, out, _ = self._runner.run("rev-parse", "-q", "--verify", "HEAD^{commit}")
        if not status:
            return parsing.text(out).strip()
        branch = self.head_ref()
        if branch is None:
            raise missing("HEAD is detached at a commit that is not in this clone")
        held = self.ref(branch)
        if held is not None:
            raise missing(f"HEAD names {branch}, whose commit {held} is not in this clone")
        return None

    def head_ref(self) -> str | None:
        return self.symbolic_ref("HEAD")

    def resolve(self, revision: str) -> str:
        if revision and not {"\0", "\n"} & set(revision):
            status, out, _ = self._runner.run(
                "rev-parse", "-q", "--verify", "--end-of-options", f"{revision}^{{commit}}"
            )
            oid = parsing.text(out).strip()
            if not status and is_oid(oid, self._layout.object_format):
                return oid
        hint = "history is cut here (shallow clone): git fetch --deepen" if self._layout.shallow else ""
        raise NotFoundError(f"no such revision: {quoted(revision)}", hint=hint)

    def ref(self, name: str) -> str | None:
        """See the interface; the commit need not be in this clone.

        Raises:
            InvalidDataError: When the ref is there and damaged, which must not pass for absent.
        """
        if name == "HEAD":
            return self.head()
        if not _may_be_ref(name):
            return None
        held = several_refs.read_ref(self._runner, name)
        return self._peeled(held) if held and name.startswith("refs/tags/") else held

    def refs(self, prefix: str) -> Mapping[str, str]:
        """See the interface; damaged refs are left out here and named by `broken_refs`."""
        if not _may_be_ref(prefix):
            return {}
        out = self._runner.output("for-each-ref", "--format=%(objectname) %(refname)", prefix)
        return parsing.ref_rows(out)

    def broken_refs(self, prefix: str) -> tuple[str, ...]:
        """Names of the damaged refs below a prefix, sorted."""
        _, _, err = self._runner.run("for-each-ref", "--format=%(objectname)", prefix)
        return tuple(sorted(parsing.broken_refs(err)))

    def tips(self, names: Sequence[str]) -> Mapping[str, Tip] | None:
        return several.tips(self._runner, [name for name in names if _may_be_ref(name)])

    def symbolic_ref(self, name: str) -> str | None:
        if name != "HEAD" and not _may_be_ref(name):
            return None
        status, out, _ = self._runner.run("symbolic-ref", "-q", name)
        return None if status else parsing.text(out).removesuffix("\n")

    def move_ref(self, name: str, new: str | None, *, old: str | None, message: str = "") -> None:
        for oid in (new, old):
            if oid is not None and not is_oid(oid, self._layout.object_format):
                raise InvalidDataError(f"not an object id of this repository: {oid!r}")
        several_refs.refuse_odd(self._layout, name)
        writing.move_ref(self._runner, name, new, old=old, message=message)

    def config(self, key: str) -> str | None:
        # Without our own settings, which would answer for core.hooksPath.
        status, out, err = self._runner.run("config", "-z", "--get", key, settings=("--no-pager",))
        if status > 1 or (status and err):
            raise failure("config", status, err)
        return None if status else parsing.text(out).removesuffix("\0")

    def settings(self, pattern: str) -> Mapping[str, str]:
        return several.settings(self._runner, pattern)

    def remotes(self) -> tuple[str, ...]:
        return tuple(parsing.lines(self._runner.output("remote")))

    def remote_tips(self, remote: str) -> Mapping[str, str]:
        status, out, err = self._runner.run("ls-remote", "--", remote, "HEAD", "refs/heads/*")
        if status:
            raise GitFailedError(f"git ls-remote {remote}: {first_line(err)}", hint="see git remote -v")
        rows = (row.partition("\t") for row in parsing.lines(out))
        return {name: oid for oid, _, name in rows if is_oid(oid, self._layout.object_format)}

    # objects
    def commit(self, oid: str) -> Commit | None:
        return next(self._commits([oid]))

    def tree_of(self, commit: str) -> str | None:
        found = self.commit(commit)
        return found.tree if found else None

    def has(self, oid: str) -> bool:
        return self._answers(self._headers, [oid])[0].kind != "missing"

    def find_objects(self, expressions: Sequence[str]) -> tuple[Found | None, ...]:
        if self._partial or any("\n" in one for one in expressions):
            return (None,) * len(expressions)
        told = self._headers.ask(expressions)
        return tuple(None if one.kind == "missing" else Found(one.oid, one.kind) for one in told)

    def list_tree(self, tree: str, *, under: str = "") -> tuple[TreeEntry, ...]:
        """See the interface.

        Raises:
            NotFoundError: When the tree is not in this clone.
        """
        folder = under.rstrip("/")
        if folder and not is_path(folder):
            return ()
        paths = ("--", f"{folder}/") if folder else ()
        entries = parsing.tree_entries(
            self._runner.output("ls-tree", "-r", "-z", "--full-tree", self._tree_id(tree), *paths)
        )
        if not folder:
            return tuple(entries)
        return tuple(entry for entry in entries if entry.path.startswith(f"{folder}/"))

    def raw_tree(self, tree: str) -> bytes:
        return self._runner.output("ls-tree", "-r", "-t", "-z", "--full-tree", self._tree_id(tree))

    def grep(self, tree: str, words: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        return searching.grep(self._runner, self._tree_id(tree), words)

    def entry(self, tree: str, path: str) -> TreeEntry | None:
        root = self._tree_id(tree)
        if not path:
            found = next(self._headers.ask([f"{root}^{{tree}}"]))
            return None if found.kind == "missing" else TreeEntry("", MODE_TREE, found.oid)
        wanted = path.rstrip("/")
        if not is_path(wanted):
            return None
        out = self._runner.output("ls-tree", "-z", "--full-tree", root, "--", wanted)
        return next((entry for entry in parsing.tree_entries(out) if entry.path == wanted), None)

    def read_blobs(self, oids: Iterable[str], *, limit: int | None = None) -> Iterator[Blob]:
        window: list[str] = []
        for oid in oids:
            window.append(oid)
            if len(window) == WINDOW:
                yield from self._blobs(window, limit)
                window = []
        yield from self._blobs(window, limit)

    def read_blob(self, oid: str, *, limit: int | None = None) -> Blob:
        return self._blobs([oid], limit)[0]

    def read_object(self, oid: str) -> tuple[str, bytes] | None:
        """Type and content of an object; None when it is missing. A damaged one is an InvalidDataError."""
        found = self._answers(self._contents, [oid])[0]
        return None if found.kind == "missing" else (found.kind, found.data)

    def write_blob(self, data: bytes) -> str:
        return writing.write_blob(self._runner, data)

    def write_tree(self, entries: Sequence[TreeEntry]) -> str:
        return writing.write_tree(self._runner, entries)

    def write_commit(
        self, *, tree: str, parents: Sequence[str], message: str, author: Person, at: str | None = None
    ) -> str:
        for oid in (tree, *parents):
            self._checked(oid)
        return writing.write_commit(
            self._runner, tree=tree, parents=parents, message=message, author=author, at=at
        )

    def identity(self) -> Person:
        status, out, _ = self._runner.run("var", "GIT_COMMITTER_IDENT")
        return FALLBACK if status else parsing.person(out)

    # comparison
    def diff_trees(self, old: str, new: str, *, renames: bool = True) -> tuple[Change, ...]:
        """See the interface.

        When contents are missing (partial clone) only renames of equal content are found.

        Raises:
            NotFoundError: When one of the trees is not in this clone.
        """
        pair = (self._tree_id(old), self._tree_id(new))
        found, env = (("-M",), None) if renames else (("--no-renames",), history.without_index(self.layout))
        status, out, err = self._runner.run("diff-tree", *history.DIFF, *found, *pair, env=env)
        if status and renames:
            status, out, _ = self._runner.run("diff-tree", *history.DIFF, "-M100%", *pair)
        if status:
            raise failure("diff-tree", status, err)
        return parsing.changes(parsing.records(out))

    def diff_all(self, olds: Sequence[str], new: str) -> Mapping[str, tuple[Change, ...]]:
        roots = self.find_objects([f"{oid}^{{tree}}" for oid in (*olds, new)])
        found = several.diffs(self._runner, [root.oid for root in roots if root], len(roots))
        return dict(zip(olds, found or [self.diff_trees(old, new) for old in olds], strict=True))

    def worktree_entries(self, *, staged: bool = False) -> tuple[TreeEntry, ...]:
        return worktree.entries(self._runner, staged=staged)

    def worktree_blob(self, path: str, *, staged: bool = False) -> bytes | None:
        """See the interface. Where a filter program is configured for the path the raw bytes are given: it is not run."""
        if not is_path(path):
            return None
        return worktree.blob(self._runner, self.read_blob, path, staged=staged)

    def status(self, rows: bytes | None = None) -> Status:
        return worktree.status(self._runner, rows)

    # history
    def first_parents(self, commit: str, *, limit: int | None = None) -> Iterator[Commit]:
        return history.first_parents(self._runner, self._commits, commit, limit)

    def log(
        self, *, since: str | None, until: str, paths: Sequence[str] = (), limit: int | None = None
    ) -> Iterator[Commit]:
        known = since if since is not None and self.commit(since) is not None else None
        oids = history.log_ids(self._runner, known, self._checked(until), paths, limit)
        return history.present(self._commits, oids)

    def straight_line(
        self, *, since: str, until: str, paths: Sequence[str]
    ) -> Sequence[tuple[str, frozenset[str]]] | None:
        return history.straight_line(self._runner, self._checked(since), self._checked(until), paths)

    def log_changes(
        self,
        *,
        until: str,
        since_date: str | None = None,
        under: Sequence[str] = (),
        first_parent: bool = True,
    ) -> Iterator[tuple[Commit, tuple[Change, ...]]]:
        return history.log_changes(
            self._runner,
            self._commits,
            until=self._checked(until),
            since_date=since_date,
            under=under,
            first_parent=first_parent,
        )

    def changes_of(self, commits: Sequence[str]) -> Mapping[str, tuple[Change, ...]]:
        return history.changes_of(self._runner, [self._checked(oid) for oid in commits])

    def touched_since(self, *, until: str, since_date: str) -> Iterator[tuple[str, ...]]:
        return history.touched_since(self._runner, self._checked(until), since_date, self._cut())

    def merge_base(self, one: str, other: str) -> str | None:
        if not (self._is_oid(one) and self._is_oid(other)):
            return None
        status, out, _ = self._runner.run("merge-base", one, other)
        return None if status else parsing.text(out).split()[0]

    def patch(self, old: str, new: str, paths: Sequence[str], *, context: int = 3) -> str:
        shown = ("-p", "-r", "-M", "-l0", f"-U{context}", "--no-ext-diff", "--no-textconv", "--no-color")
        prefixes = ("--src-prefix=a/", "--dst-prefix=b/", "--submodule=short")
        pair = (self._tree_id(old), self._tree_id(new))
        return parsing.text(self._runner.output("diff-tree", *shown, *prefixes, *pair, "--", *paths))

    # shared
    def _commits(self, oids: Sequence[str]) -> Iterator[Commit | None]:
        cut = self._cut()
        for answer in self._answers(self._contents, oids):
            is_commit = answer.kind == "commit"
            yield parsing.commit(answer.oid, answer.data, cut=answer.oid in cut) if is_commit else None

    def _cut(self) -> frozenset[str]:
        """Commits whose parents a shallow clone lacks; read anew, since history can be deepened meanwhile."""
        try:
            return frozenset(Path(self._layout.common_dir, "shallow").read_text("ascii").split())
        except FileNotFoundError:
            return frozenset()

    def _blobs(self, oids: Sequence[str], limit: int | None) -> list[Blob]:
        if limit is None:
            return [
                Blob(one.oid, one.size, one.data) if one.kind == "blob" else Blob(one.oid, None, None)
                for one in self._answers(self._contents, oids)
            ]
        headers = self._answers(self._headers, oids)
        fitting = [one.oid for one in headers if one.kind == "blob" and one.size <= limit]
        data = {one.oid: one.data for one in self._answers(self._contents, fitting)}
        return [Blob(one.oid, one.size if one.kind == "blob" else None, data.get(one.oid)) for one in headers]

    def _answers(self, child: CatFile, oids: Sequence[str]) -> list[Answer]:
        """Answers in order; what is no object id is missing and never reaches git."""
        here = self._here([oid for oid in oids if self._is_oid(oid)])
        told = list(child.ask([oid for oid in oids if oid in here]))
        self._refuse_damaged([one.oid for one in told if one.kind == "missing"])
        asked = iter(told)
        return [next(asked) if oid in here else Answer(oid, "missing", 0, b"") for oid in oids]

    def _here(self, oids: Sequence[str]) -> frozenset[str]:
        """Those that may be asked for: in a partial clone git gives up at the first one that it may not fetch."""
        if not self._partial or not oids:
            return frozenset(oids)
        listed = ("rev-list", "--objects", "--no-walk=unsorted", "--missing=allow-any", "--ignore-missing")
        out = self._runner.output(*listed, "--stdin", stdin="".join(f"{oid}\n" for oid in oids).encode())
        return frozenset(oids) & {line[: len(oids[0])] for line in parsing.lines(out)}

    def _refuse_damaged(self, missing: Sequence[str]) -> None:
        """To ``cat-file --batch`` a damaged object is a missing one; only its complaint tells them apart.

        Raises:
            InvalidDataError: When one of them is here and cannot be read.
        """
        if not missing:
            return
        _, _, err = self._runner.run(
            "cat-file", "--batch", stdin="".join(f"{oid}\n" for oid in missing).encode()
        )
        complaints = [line for line in parsing.lines(err) if line.startswith(("error: ", "fatal: "))]
        if complaints:
            reason = complaints[0].partition(": ")[2]
            raise InvalidDataError(f"damaged object: {reason}", hint="git fsck --full tells more")

    def _peeled(self, oid: str) -> str | None:
        """The commit behind a tag object; the id itself when nothing can be said of it."""
        found = next(self._headers.ask([f"{oid}^{{commit}}"]))
        return oid if found.kind == "missing" else found.oid

    def _is_oid(self, value: str) -> bool:
        return is_oid(value, self._layout.object_format)

    def _checked(self, oid: str) -> str:
        if not self._is_oid(oid):
            raise NotFoundError(f"no such object: {oid!r}")
        return oid

    _tree_id = _checked


def _may_be_ref(name: str) -> bool:
    """Whether git could have a ref of this name; keeps patterns and options from being read as such."""
    return name.startswith("refs/") and not any(one in name for one in "*?[\\ \n\0")
