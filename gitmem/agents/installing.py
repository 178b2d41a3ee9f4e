"""Put an agent's parts into a project and take them out again, as plans that `gitmem.agents.changing.apply` writes.

Everything is read and merged before anything is written, so that each file which cannot be edited is known by then:
installing is refused for any of them, taking out does without them and says so.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from gitmem.agents.changing import Change, is_kept, kept_before, read_settings, settings_text, top_of
from gitmem.agents.context import FILE
from gitmem.agents.parts import Agent, JsonFile, Part, Pointer, TomlFile
from gitmem.errors import GitmemError, InvalidDataError, NotServedError
from gitmem.git.interface import Repository


class Plan(NamedTuple):
    """What would be done.

    Args:
        changes: One for each file that can be edited.
        problems: One for each file that cannot.
    """

    changes: tuple[Change, ...]
    problems: tuple[GitmemError, ...] = ()


def plan_install(repo: Repository, agent: Agent) -> Plan:
    """What installing would do. Reads only.

    Raises:
        NotServedError: The repository is bare.
    """
    top = top_of(repo)
    if not has_plugin(repo, agent):
        return _planned(top, agent.parts, lambda part: _put(top, part))
    first, *rest = agent.parts
    # The plugin brings what the first part and the server would bring a second time.
    hooks = _planned(top, [first], lambda part: _take_out(repo, top, part))
    others = _planned(
        top, [one for one in rest if not isinstance(one, JsonFile)], lambda part: _put(top, part)
    )
    held = tuple(one for one in hooks.changes if one.before is not None)
    return Plan((*held, *others.changes), (*hooks.problems, *others.problems))


def has_plugin(repo: Repository, agent: Agent) -> bool:
    """Whether the project's own settings enable the agent's plugin, which brings hooks and server."""
    if not agent.plugin:
        return False
    folder = Path(agent.parts[0].path).parent
    for name in ("settings.json", "settings.local.json"):
        try:
            held = json.loads(read_settings(top_of(repo), f"{folder}/{name}") or b"{}")
        except (ValueError, RecursionError, NotServedError):
            continue
        enabled = held.get("enabledPlugins") if isinstance(held, dict) else None
        plugins = enabled.items() if isinstance(enabled, dict) else ()
        if any(key.partition("@")[0] == agent.plugin and value is True for key, value in plugins):
            return True
    return False


def plan_uninstall(repo: Repository, agents: Iterable[Agent], others: Collection[Agent] = ()) -> Plan:
    """What taking agents out would do; what another installed agent needs stays. Reads only.

    A file that cannot be edited is a problem only where something of gitmem's is or was in it.

    Raises:
        NotServedError: The repository is bare.
    """
    top = top_of(repo)
    needed = {part.path for other in others for part in other.parts}
    parts = {part.path: part for agent in agents for part in agent.parts if part.path not in needed}
    plan = _planned(top, parts.values(), lambda part: _take_out(repo, top, part))
    ours = [one for one in plan.problems if one.path and concerns_gitmem(repo, parts[one.path])]
    for one in (error for error in ours if "run this again" not in error.hint):
        one.hint = "mend it and run this again, or take out by hand what names gitmem"
    return Plan(tuple(one for one in plan.changes if one.before is not None), tuple(ours))


def hindrances(repo: Repository, agent: Agent) -> tuple[str, ...]:
    """What keeps an agent from using gitmem's parts though they are there, as sentences; a file that is none says nothing."""
    told: list[str] = []
    for part in agent.parts:
        if isinstance(part, (JsonFile, TomlFile)):
            try:
                _, text = settings_text(read_settings(top_of(repo), part.path), part.path)
                found = part.hindrances(text) if text.strip() else ()
            except (InvalidDataError, NotServedError):
                continue
            told += [f"{part.path}: {one}; it is kept as it is" for one in found]
    return tuple(told)


def left_behind(repo: Repository, agents: Iterable[Agent], changes: Iterable[Change]) -> tuple[str, ...]:
    """What an uninstall leaves of gitmem's in the files it changes, as sentences; to be asked before it is done.

    Where gitmem made the change in this very clone it is undone whole, and nothing is left.
    """
    parts = {part.path: part for agent in agents for part in agent.parts if isinstance(part, JsonFile)}
    edited = [one for one in changes if one.path in parts and one.word == "changed"]
    return tuple(
        f"{one.path}: {key} still names {FILE}; take it out if no other tool goes by it"
        for one in edited
        if kept_before(repo, one.path, one.before or b"") is None
        for key in parts[one.path].names_left(settings_text(one.after, one.path)[1])
    )


def plan_alone(agent: Agent, paths: Collection[str]) -> tuple[Change, ...]:
    """Some of an agent's files as they are made anew: what to add by hand to one that cannot be edited."""
    parts = [part for part in agent.parts if part.path in paths]
    made = (part.put("{}\n" if isinstance(part, JsonFile) else "") for part in parts)
    return tuple(Change(part.path, None, text.encode()) for part, text in zip(parts, made, strict=True))


def concerns_gitmem(repo: Repository, part: Part) -> bool:
    """Whether a file that cannot be edited holds something of gitmem's, or did when gitmem last wrote it here."""
    if is_kept(repo, part.path):
        return True
    try:
        data = read_settings(top_of(repo), part.path) or b""
    except NotServedError:
        return False
    return (b"gitmem" if isinstance(part, (JsonFile, TomlFile)) else b"<!-- gitmem:") in data


def holds_own(repo: Repository, part: Part) -> bool:
    """Whether something of gitmem's is in a file, or was when gitmem last wrote it and the file is empty now.

    Raises:
        NotServedError, InvalidDataError: The file cannot be read.
    """
    data = read_settings(top_of(repo), part.path)
    _, text = settings_text(data, part.path)
    if not text.strip():
        return data is not None and is_kept(repo, part.path)
    return part.take_out(text) != text


def _planned(top: Path, parts: Iterable[Part], change: Callable[[Part], Change]) -> Plan:
    changes: dict[str, Change] = {}
    problems: list[GitmemError] = []
    for part in parts:
        try:
            done = change(part)
            _refuse_closed(top, done)
            changes[part.path] = done
        except (InvalidDataError, NotServedError) as error:
            error.path = part.path  # a link on the way names its folder
            problems.append(error)
    return Plan(tuple(changes.values()), tuple(problems))


def _refuse_closed(top: Path, change: Change) -> None:
    """Refuse to change what its owner made read-only: replacing a file in its folder would not ask."""
    if change.word not in ("changed", "removed") or (top / change.path).stat().st_mode & 0o222:
        return
    raise NotServedError(
        f"{change.path} is read-only; it is as it was",
        hint=f"chmod u+w {shlex.quote(change.path)}, then run this again",
        path=change.path,
    )


def _put(top: Path, part: Part) -> Change:
    if isinstance(part, Pointer) and _is_the_same_file(top, part):
        data = (top / part.path).read_bytes()
        return Change(part.path, data, data)
    before = read_settings(top, part.path)
    bom, text = settings_text(before, part.path)
    start = "{}\n" if isinstance(part, JsonFile) and not text.strip() else text
    after = part.put(start)
    return Change(part.path, before, before if after == text else bom + after.encode())


def _take_out(repo: Repository, top: Path, part: Part) -> Change:
    if isinstance(part, Pointer) and _is_the_same_file(top, part):
        return Change(part.path, None, None)
    before = read_settings(top, part.path)
    if before is None:
        return Change(part.path, None, None)
    kept = kept_before(repo, part.path, before)
    if kept is not None:
        return Change(part.path, before, kept[0])
    bom, text = settings_text(before, part.path)
    after = part.take_out(text) if text.strip() else text
    if after == text:
        return Change(part.path, before, before)
    return Change(part.path, before, None if part.is_empty(after) else bom + after.encode())


def _is_the_same_file(top: Path, part: Pointer) -> bool:
    """Whether the file that should point to another is a link to it already."""
    target = top / part.line.removeprefix("@")
    place = top / part.path
    return place.is_symlink() and target.exists() and place.resolve() == target.resolve()
