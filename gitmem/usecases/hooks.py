"""Install git hooks, take them out again, and say which of them would fire."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.store.hook_files import (
    LAUNCHER,
    TRAILER,
    Refusal,
    calls_launcher,
    cannot_run,
    has_section,
    interpreter_of,
    launcher,
    read_hook,
    section,
    trailer,
    with_section,
    without_section,
    write_hook,
)
from gitmem.usecases.runs.auto_syncing import auto_sync_setting

RECORDING = ("post-commit", "post-rewrite", "post-merge")
TRAILING = "commit-msg"
PUSHING = "pre-push"
_LARGEST_LINKED = 1024 * 1024
_MOVED_BY_OTHERS = ("", ".legacy", ".old")
"""What pre-commit, prek and lefthook add to the name of a hook that was there before them."""


@dataclass(frozen=True, slots=True)
class HookState:
    """One hook after an installation, a removal, or a look.

    Args:
        hook: Git's name for it.
        file: Where it lies.
        state: ``installed``, ``added``, ``kept``, ``removed``, ``missing`` or ``refused``.
        detail: Why, or what to know; empty when there is nothing to say.
        cure: What to do about it.
    """

    hook: str
    file: Path
    state: str
    detail: str = ""
    cure: str = ""


def install(repo: Repository, *, with_trailer: bool = False) -> tuple[HookState, ...]:
    """Put the marked line into each hook, and the launcher into the git directory.

    A hook that cannot take the line is refused and left as it is; the others are installed all the same.

    Args:
        repo: Where.
        with_trailer: Whether commit messages get the trailer ``AI-Run``.
    """
    common = repo.layout.common_dir
    write_hook(common / LAUNCHER, launcher())
    wanted = [*RECORDING]
    if with_trailer:
        write_hook(common / TRAILER, trailer(), executable=False)
    if with_trailer or (common / TRAILER).exists():
        wanted.append(TRAILING)
    wanted += _pushing(repo)
    folder = hooks_folder(repo)
    if isinstance(folder, Refusal):
        return tuple(HookState(hook, Path(), "refused", *folder) for hook in wanted)
    return tuple(_install(repo, folder / hook, hook) for hook in wanted)


def uninstall(repo: Repository) -> tuple[HookState, ...]:
    """Take the line out of every hook and the launcher out of the git directory; the files are as before."""
    folder = hooks_folder(repo)
    states = [] if isinstance(folder, Refusal) else list(_uninstall(folder))
    for name in (LAUNCHER, TRAILER):
        file = repo.layout.common_dir / name
        try:
            if file.exists():
                write_hook(file, None)
        except GitmemError as error:
            states.append(HookState(name.rpartition("/")[2], file, "refused", error.message, error.hint))
    return tuple(states)


def hook_states(repo: Repository) -> tuple[HookState, ...]:
    """Which hooks have the line, and whether it would do anything. Reads only."""
    folder = hooks_folder(repo)
    wanted = [
        *RECORDING,
        *([TRAILING] if (repo.layout.common_dir / TRAILER).exists() else []),
        *_pushing(repo),
    ]
    if isinstance(folder, Refusal):
        return tuple(HookState(hook, Path(), "refused", *folder) for hook in wanted)
    idle = _idle(repo.layout.common_dir)
    managed = _lefthook(repo)
    return tuple(_look(folder, hook, idle, managed) for hook in wanted)


def hooks_folder(repo: Repository) -> Path | Refusal:
    """Where git looks for this repository's hooks, husky's own folder instead of its generated one.

    A folder outside of the repository serves other repositories too, and is refused.
    """
    named = repo.config("core.hooksPath")
    top = repo.layout.work_tree or repo.layout.git_dir
    if not named:
        return repo.layout.common_dir / "hooks"
    folder = top / Path(named).expanduser()
    real = Path(os.path.realpath(folder))
    inside = (Path(os.path.realpath(top)), Path(os.path.realpath(repo.layout.common_dir)))
    if not any(real.is_relative_to(one) for one in inside):
        return Refusal(
            f"core.hooksPath is {named}, outside of this repository",
            "add the line below to that folder's hooks: it does nothing where gitmem is not installed",
        )
    return folder.parent if folder.name == "_" and folder.parent.name == ".husky" else folder


def _pushing(repo: Repository) -> tuple[str, ...]:
    """The hook that syncs beside a push, where that is configured; pushing is not slowed for anybody else."""
    return (PUSHING,) if auto_sync_setting(repo) == PUSHING else ()


def _install(repo: Repository, file: Path, hook: str) -> HookState:
    try:
        content = read_hook(file)
        wanted = with_section(content, hook)
        if isinstance(wanted, Refusal):
            return HookState(hook, file, "refused", *wanted)
        if content is not None and not _runs(file):
            return HookState(
                hook,
                file,
                "refused",
                "it is not executable, so git passes it over",
                f"chmod +x {shlex.quote(str(file))}, then gitmem hooks install",
            )
        if content == wanted:
            return HookState(hook, file, "kept")
        write_hook(file, wanted)
    except (GitmemError, OSError) as error:
        return HookState(hook, file, "refused", str(error), getattr(error, "hint", ""))
    return HookState(hook, file, "added", _tracked(repo, file))


def _uninstall(folder: Path) -> Iterator[HookState]:
    for hook in (*RECORDING, TRAILING, PUSHING):
        for suffix in _MOVED_BY_OTHERS:
            file = folder / f"{hook}{suffix}"
            try:
                content = read_hook(file)
                if content is None or not has_section(content):
                    continue
                bare = without_section(content)
                if bare == content:
                    continue
                write_hook(file, bare)
            except (GitmemError, OSError) as error:
                yield HookState(hook, file, "refused", str(error), getattr(error, "hint", ""))
            else:
                yield HookState(hook, file, "removed")


def _look(folder: Path, hook: str, idle: str, managed: str) -> HookState:
    for suffix in _MOVED_BY_OTHERS:
        file = folder / f"{hook}{suffix}"
        try:
            content = file.read_bytes() if _leads_to_line(file) else read_hook(file)
        except (GitmemError, OSError) as error:
            return HookState(hook, file, "refused", str(error), getattr(error, "hint", ""))
        if content is not None and calls_launcher(content):
            return _standing(
                hook, file, content, idle, "another tool moved it, and calls it" if suffix else ""
            )
    if f" {hook} " in managed and (folder / hook).exists():
        return _standing(hook, folder / hook, b"", idle, "lefthook calls the line")
    return _missing(folder / hook, hook)


def _standing(hook: str, file: Path, content: bytes, idle: str, detail: str) -> HookState:
    """A hook that has the line: installed, or missing with what keeps the line from running."""
    broken = cannot_run(content)
    if broken:
        return HookState(hook, file, "missing", *broken)
    if not _runs(file):
        return HookState(
            hook, file, "missing", "not executable, git passes it over", f"chmod +x {shlex.quote(str(file))}"
        )
    if idle:
        return HookState(hook, file, "missing", idle, "gitmem hooks install")
    return HookState(hook, file, "installed", detail)


def _missing(file: Path, hook: str) -> HookState:
    """A hook without the line, with what installing would do: the cure is never one that is refused again."""
    content = read_hook(file)
    would = with_section(content, hook)
    if isinstance(would, Refusal):
        return HookState(hook, file, "missing", *would)
    if content is not None and not _runs(file):
        cure = f"chmod +x {shlex.quote(str(file))}, then gitmem hooks install"
        return HookState(hook, file, "missing", "not executable, git passes it over", cure)
    return HookState(hook, file, "missing", "", "gitmem hooks install")


def _leads_to_line(file: Path) -> bool:
    """Whether a link leads to a hook in which the owner put the line."""
    if not file.is_symlink() or not file.is_file() or file.stat().st_size > _LARGEST_LINKED:
        return False
    return calls_launcher(file.read_bytes())


def _lefthook(repo: Repository) -> str:
    """Lefthook's configuration where it calls the launcher; empty where it does not."""
    top = repo.layout.work_tree
    names = [f"{dot}lefthook{end}" for dot in ("", ".") for end in (".yml", ".yaml", ".toml", ".json")]
    for file in [top / name for name in names] if top else []:
        if file.is_file() and not file.is_symlink() and calls_launcher(content := file.read_bytes()):
            return content.decode("utf-8", "replace")
    return ""


def _idle(common_dir: Path) -> str:
    """Why the line would do nothing; empty when it would."""
    file = common_dir / LAUNCHER
    if not os.access(file, os.X_OK):
        return "the line is there, the launcher is not: it was installed in another clone"
    interpreter = interpreter_of(file.read_bytes())
    if interpreter is None or not os.access(interpreter, os.X_OK):
        return f"the interpreter that the launcher names is gone: {interpreter}"
    return ""


def _runs(file: Path) -> bool:
    """Whether git, or husky, would run it: husky's files are read by a shell."""
    return os.access(file, os.X_OK) or file.parent.name == ".husky"


def _tracked(repo: Repository, file: Path) -> str:
    top = repo.layout.work_tree
    is_inside = (
        top is not None and file.is_relative_to(top) and not file.is_relative_to(repo.layout.common_dir)
    )
    return "in the work tree: commit it, it does nothing where gitmem is not installed" if is_inside else ""


def line_to_add(hook: str) -> str:
    """The line that a person puts in by hand where gitmem does not."""
    return section(hook).decode("ascii").rstrip("\n")
