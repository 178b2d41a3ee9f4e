"""Files of a project that an agent's parts change: read with care, written all or none, and kept as they were before.

Beside the git directory's other state, ``gitmem/agents/`` keeps what each file was before gitmem first touched it: taken
out again while nothing else changed it, a file is byte for byte as it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from gitmem.errors import InvalidDataError, NotServedError
from gitmem.git.interface import Repository
from gitmem.usecases.work_files import refuse_links, replace_file, write_new_file

_BOM: Final = b"\xef\xbb\xbf"
_LARGEST: Final = 1 << 20
_KEPT: Final = "gitmem/agents"


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of one file.

    Args:
        path: Repository path.
        before: Its bytes; None when it is not there.
        after: Its bytes then; None when it goes.
    """

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def word(self) -> str:
        """``kept``, ``made``, ``changed`` or ``removed``."""
        if self.before == self.after:
            return "kept"
        return "made" if self.before is None else "removed" if self.after is None else "changed"


class _Begun(NamedTuple):
    """A change that is written or about to be, with what is needed to take it back."""

    change: Change
    mode: int
    new_folders: tuple[Path, ...]


def top_of(repo: Repository) -> Path:
    """The top of the work tree.

    Raises:
        NotServedError: The repository is bare.
    """
    if repo.layout.work_tree is None:
        raise NotServedError(
            "this is a bare repository: agents work in a work tree", hint="run it in a clone that has one"
        )
    return repo.layout.work_tree


def apply(repo: Repository, changes: Iterable[Change]) -> None:
    """Write what was planned: all of it, or nothing.

    Raises:
        NotServedError: A file cannot be written, or somebody changed it since; those written before it are restored, and
            the message says so, or which could not be.
    """
    top = top_of(repo)
    begun: list[_Begun] = []
    try:
        for change in changes:
            if change.word != "kept":
                _begin(top, change, begun)
    except NotServedError as error:
        said = _taken_back(top, begun)
        raise NotServedError(f"{error.message}{said}", hint=error.hint, path=error.path) from None
    except BaseException:
        _taken_back(top, begun)
        raise
    for one in begun:
        _keep(repo, one.change)


def _begin(top: Path, change: Change, begun: list[_Begun]) -> None:
    if read_settings(top, change.path) != change.before:
        raise NotServedError(
            f"{change.path} was changed by somebody else meanwhile", hint="run it again", path=change.path
        )
    file = top / change.path
    mode = file.stat().st_mode & 0o7777 if change.before is not None else 0
    folders = [top / one for one in list(Path(change.path).parents)[:-1]]
    one = _Begun(change, mode, tuple(folder for folder in folders if not folder.exists()))
    try:
        _write(top, change)
    except BaseException:
        _remove_folders(one.new_folders)
        raise
    begun.append(one)


def _taken_back(top: Path, begun: list[_Begun]) -> str:
    """Restore what was written, the last first.

    Returns:
        What to say of it, to be put behind the error's message.
    """
    left = [one.change.path for one in reversed(begun) if not _is_restored(top, one)]
    restored = [one.change.path for one in begun if one.change.path not in left]
    said = [f"restored to what it was: {', '.join(restored)}"] if restored else []
    said += [f"still changed: {', '.join(left)}"] if left else []
    return f"; {'; '.join(said) or 'nothing was changed'}"


def _is_restored(top: Path, one: _Begun) -> bool:
    change = one.change
    try:
        if change.before is None:
            (top / change.path).unlink()
            _remove_folders(one.new_folders)
        elif change.after is None:
            write_new_file(top, change.path, change.before)
            (top / change.path).chmod(one.mode)
        else:
            replace_file(top, change.path, change.before)
    except (NotServedError, OSError):
        return False
    return True


def _remove_folders(folders: Iterable[Path]) -> None:
    """Remove what is empty, the innermost first."""
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:
            return


def read_settings(top: Path, path: str) -> bytes | None:
    """A file's bytes; None when it is not there.

    Raises:
        NotServedError: A symbolic link is on the way, it is too large for settings, or it cannot be read.
    """
    refuse_links(top, path)
    file = top / path
    try:
        if not file.exists():
            return None
        if not file.is_file() or file.stat().st_size > _LARGEST:
            raise NotServedError(f"{path} is no file of settings", hint="move it away", path=path)
        return file.read_bytes()
    except OSError as error:
        raise NotServedError(
            f"{path} cannot be read: {error.strerror or error}", hint="make it readable", path=path
        ) from None


def settings_text(data: bytes | None, path: str) -> tuple[bytes, str]:
    """The byte order mark, empty for none, and the text behind it.

    Raises:
        InvalidDataError: It is not UTF-8.
    """
    data = data or b""
    bom = _BOM if data.startswith(_BOM) else b""
    try:
        return bom, data.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidDataError(
            f"{path}:{line}: this is not UTF-8", hint="save it as UTF-8", path=path, line=line
        ) from None


def _write(top: Path, change: Change) -> None:
    if change.after is None:
        _remove(top, change.path)
    elif change.before is None:
        write_new_file(top, change.path, change.after)
    else:
        replace_file(top, change.path, change.after)


def _remove(top: Path, path: str) -> None:
    refuse_links(top, path)
    try:
        (top / path).unlink()
    except OSError as error:
        raise NotServedError(
            f"{path} cannot be removed: {error.strerror or error}", hint="remove it by hand", path=path
        ) from None
    _remove_folders([top / folder for folder in list(Path(path).parents)[:-1]])


def _keep(repo: Repository, change: Change) -> None:
    """Keep what a file was before gitmem first touched it; best effort, nothing rests on it but exactness."""
    file = _kept_file(repo, change.path)
    try:
        if change.after is None:
            file.unlink(missing_ok=True)
            return
        kept = kept_before(repo, change.path, change.before) if change.before is not None else None
        before = kept[0] if kept is not None else change.before
        file.parent.mkdir(parents=True, exist_ok=True)
        told = {
            "after": sha256(change.after).hexdigest(),
            "before": before.hex() if before is not None else None,
        }
        file.write_text(json.dumps(told))
    except OSError:
        return


def is_kept(repo: Repository, path: str) -> bool:
    """Whether gitmem changed this file in this clone and has not taken that back."""
    return _kept_file(repo, path).is_file()


def kept_before(repo: Repository, path: str, now: bytes) -> tuple[bytes | None] | None:
    """What the file was before (None inside: it was not there), if it is still as gitmem left it; None when not known."""
    try:
        told = json.loads(_kept_file(repo, path).read_text())
        if told["after"] != sha256(now).hexdigest():
            return None
        return (bytes.fromhex(told["before"]) if told["before"] is not None else None,)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _kept_file(repo: Repository, path: str) -> Path:
    name = sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:20]
    return repo.layout.common_dir / _KEPT / f"{name}.json"
