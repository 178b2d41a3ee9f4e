"""Put an agent's parts into a project, take them out again, and say what is there.

A file is changed as a whole or not at all, and none is changed when any of them cannot be. Beside the git directory's
other state, ``gitmem/agents/`` keeps what each file was before: taken out again while nothing else changed it, a file is
byte for byte as it was.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from gitmem.agents.parts import Agent, JsonFile, Part, Pointer
from gitmem.errors import GitmemError, InvalidDataError, NotServedError
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


def plan_install(repo: Repository, agent: Agent) -> tuple[Change, ...]:
    """What installing would do. Reads only.

    Raises:
        NotServedError: Bare, or a symbolic link is on the way.
        InvalidDataError: A file that cannot be edited safely.
    """
    top = _top(repo)
    if not has_plugin(repo, agent):
        return tuple(_merged(_put(top, part) for part in agent.parts))
    hooks = _take_out(repo, top, agent.parts[0])
    rest = [_put(top, part) for part in agent.parts if not isinstance(part, JsonFile)]
    return tuple(_merged([*([hooks] if hooks.before is not None else []), *rest]))


def has_plugin(repo: Repository, agent: Agent) -> bool:
    """Whether the project's own settings enable the agent's plugin, which brings hooks and server."""
    if not agent.plugin:
        return False
    folder = Path(agent.parts[0].path).parent
    for name in ("settings.json", "settings.local.json"):
        try:
            held = json.loads(_read(_top(repo), f"{folder}/{name}") or b"{}")
        except (ValueError, RecursionError, NotServedError):
            continue
        enabled = held.get("enabledPlugins") if isinstance(held, dict) else None
        plugins = enabled.items() if isinstance(enabled, dict) else ()
        if any(key.partition("@")[0] == agent.plugin and value is True for key, value in plugins):
            return True
    return False


def plan_uninstall(repo: Repository, agent: Agent, others: Collection[Agent] = ()) -> tuple[Change, ...]:
    """What taking an agent out would do; what another installed agent needs stays.

    Raises:
        NotServedError, InvalidDataError: As `plan_install`.
    """
    top = _top(repo)
    needed = {part.path for other in others for part in other.parts}
    return tuple(_take_out(repo, top, part) for part in agent.parts if part.path not in needed)


def installed(repo: Repository, agents: Iterable[Agent]) -> tuple[Agent, ...]:
    """Agents whose own file, the first of their parts, is there as gitmem makes it, whole or in part."""
    top = _top(repo)
    return tuple(one for one in agents if any(_is_installed(top, part) for part in _telling(repo, one)))


def agent_states(repo: Repository, agents: Iterable[Agent]) -> dict[str, Literal["installed", "incomplete"]]:
    """Agents that are installed, by name, and whether all of their parts are there. Reads only."""
    return {one.name: _state(repo, one) for one in installed(repo, agents)}


def _state(repo: Repository, agent: Agent) -> Literal["installed", "incomplete"]:
    try:
        is_whole = all(change.word == "kept" for change in plan_install(repo, agent))
    except GitmemError:
        return "incomplete"
    return "installed" if is_whole else "incomplete"


def apply(repo: Repository, changes: Iterable[Change]) -> None:
    """Write what was planned.

    Raises:
        NotServedError: A file cannot be written; the message says which were.
    """
    top = _top(repo)
    done: list[str] = []
    for change in changes:
        if change.word == "kept":
            continue
        try:
            _write(top, change)
        except NotServedError as error:
            said = f"; written before it: {', '.join(done)}" if done else ""
            raise NotServedError(f"{error.message}{said}", hint=error.hint, path=error.path) from None
        _keep(repo, change)
        done.append(change.path)


def _top(repo: Repository) -> Path:
    if repo.layout.work_tree is None:
        raise NotServedError(
            "this is a bare repository: agents work in a work tree", hint="run it in a clone that has one"
        )
    return repo.layout.work_tree


def _merged(changes: Iterable[Change]) -> list[Change]:
    return list({one.path: one for one in changes}.values())


def _put(top: Path, part: Part) -> Change:
    if isinstance(part, Pointer) and _is_the_same_file(top, part):
        data = (top / part.path).read_bytes()
        return Change(part.path, data, data)
    before = _read(top, part.path)
    bom, text = _text(before, part.path)
    start = "{}\n" if isinstance(part, JsonFile) and not text.strip() else text
    after = part.put(start)
    return Change(part.path, before, before if after == text else bom + after.encode())


def _take_out(repo: Repository, top: Path, part: Part) -> Change:
    if isinstance(part, Pointer) and _is_the_same_file(top, part):
        return Change(part.path, None, None)
    before = _read(top, part.path)
    if before is None:
        return Change(part.path, None, None)
    kept = _kept_before(repo, part.path, before)
    if kept is not None:
        return Change(part.path, before, kept[0])
    bom, text = _text(before, part.path)
    after = part.take_out(text)
    if after == text:
        return Change(part.path, before, before)
    return Change(part.path, before, None if part.is_empty(after) else bom + after.encode())


def _telling(repo: Repository, agent: Agent) -> tuple[Part, ...]:
    """The parts that no other agent has."""
    return (
        *agent.parts[:1],
        *(part for part in agent.parts if isinstance(part, Pointer) and has_plugin(repo, agent)),
    )


def _is_installed(top: Path, part: Part) -> bool:
    try:
        before = _read(top, part.path)
        _, text = _text(before, part.path)
        return bool(text.strip()) and part.take_out(text) != text
    except (InvalidDataError, NotServedError):
        return False


def _is_the_same_file(top: Path, part: Pointer) -> bool:
    """Whether the file that should point to another is a link to it already."""
    target = top / part.line.removeprefix("@")
    place = top / part.path
    return place.is_symlink() and target.exists() and place.resolve() == target.resolve()


def _read(top: Path, path: str) -> bytes | None:
    refuse_links(top, path)
    file = top / path
    if not file.exists():
        return None
    try:
        if not file.is_file() or file.stat().st_size > _LARGEST:
            raise NotServedError(f"{path} is no file of settings", hint="move it away", path=path)
        return file.read_bytes()
    except OSError as error:
        raise NotServedError(
            f"{path} cannot be read: {error.strerror or error}", hint="make it readable", path=path
        ) from None


def _text(data: bytes | None, path: str) -> tuple[bytes, str]:
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
    for folder in list(Path(path).parents)[:-1]:
        try:
            (top / folder).rmdir()
        except OSError:
            return


def _keep(repo: Repository, change: Change) -> None:
    """Keep what a file was before gitmem first touched it; best effort, nothing rests on it but exactness."""
    file = _kept_file(repo, change.path)
    try:
        if change.after is None:
            file.unlink(missing_ok=True)
            return
        kept = _kept_before(repo, change.path, change.before) if change.before is not None else None
        before = kept[0] if kept is not None else change.before
        file.parent.mkdir(parents=True, exist_ok=True)
        told = {
            "after": sha256(change.after).hexdigest(),
            "before": before.hex() if before is not None else None,
        }
        file.write_text(json.dumps(told))
    except OSError:
        return


def _kept_before(repo: Repository, path: str, now: bytes) -> tuple[bytes | None] | None:
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
