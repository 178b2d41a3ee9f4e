"""Look over the set-up: what is there, what is missing or would not work, and the cure for each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.git.setup import covers, fetch_refspecs, program_version
from gitmem.git.transport import delete_remote_refs, list_remote, push_commit
from gitmem.store.archive import RUNS
from gitmem.store.ledger import RunLedger
from gitmem.store.run_cache import cache_folder
from gitmem.usecases.hooks import hook_states
from gitmem.usecases.runs.auto_syncing import auto_sync_setting
from gitmem.usecases.runs.finding import INBOX
from gitmem.usecases.runs.standing import run_state
from gitmem.usecases.trusted import trusted_branch
from gitmem.wire.writer import random_name

EXTRAS: Final = (
    ("parsers", "tree_sitter", "full", "files other than Python are compared by white space"),
    ("map page", "jinja2", "full", "gitmem map --html cannot be written"),
    ("protocol server", "mcp", "full", "gitmem mcp cannot be started"),
    ("TOML settings", "tomlkit", "full", "gitmem agent install codex cannot be done"),
)
_POLICY: Final = ".ai/policies/memory-policy.yaml"
_LOG: Final = "gitmem/hook.log"
_RECENT: Final = timedelta(days=7)
_LEDGER: Final = "refs/ai/"


class Check(NamedTuple):
    """One thing that was looked at.

    Args:
        check: What, in one or two words.
        ok: Whether nothing has to be done.
        detail: What was found.
        cure: What to do; empty when nothing has to be done. Where something merely could be set up, how.
    """

    check: str
    ok: bool
    detail: str
    cure: str = ""


def examine_setup(repo: Repository, *, remote: bool = False) -> tuple[Check, ...]:
    """Every check, in the order in which a person would set things up. Reads only, but for the probe.

    Args:
        repo: Where.
        remote: Whether to ask the sync remote if it takes the ledger's refs, with a ref that is removed again, and the
            provider of vectors for one.
    """
    asked: list[tuple[str, Callable[[Repository], Iterator[Check]]]] = [
        ("git", _git),
        ("repository", _repository),
        ("identity", _identity),
        ("trusted branch", _trusted),
        ("memories", _files),
        ("git hooks", _hooks),
        ("hook log", _hook_log),
        ("refspecs", _refspecs),
        ("ledger", _ledger),
        ("cache", _storage),
        ("vectors", lambda repo: _vectors(repo, ask=remote)),
        ("extras", lambda _: _extras()),
    ]
    if remote:
        asked.append(("remote", _probe))
    return tuple(one for name, check in asked for one in _safely(name, check, repo))


def _safely(name: str, check: Callable[[Repository], Iterator[Check]], repo: Repository) -> list[Check]:
    """What a check finds; one that cannot be made is a finding under its name, so that it never hides the others."""
    found: list[Check] = []
    try:
        found.extend(check(repo))
    except (GitmemError, OSError) as error:
        cure = getattr(error, "hint", "") or "see the message"
        return [*found, Check(name, False, getattr(error, "message", "") or str(error), cure)]
    return found


def _git(repo: Repository) -> Iterator[Check]:
    version = program_version(repo)
    numbers = [int(part) for part in version.rsplit(maxsplit=1)[-1].split(".")[:2] if part.isdigit()]
    is_old = numbers < [2, 31]
    yield Check("git", not is_old, version, "install git 2.31 or newer" if is_old else "")


def _repository(repo: Repository) -> Iterator[Check]:
    layout = repo.layout
    said = [layout.object_format, "bare" if layout.work_tree is None else "work tree"]
    if repo.head() is None:
        said.append("no commit yet")
    if layout.shallow:
        cure = "git fetch --unshallow, where drift says that history is missing"
        yield Check(
            "repository", True, ", ".join([*said, "shallow: stored marks answer instead of history"]), cure
        )
    else:
        yield Check("repository", True, ", ".join(said))


def _identity(repo: Repository) -> Iterator[Check]:
    who = repo.identity()
    if who.email == "gitmem@localhost":
        cure = "git config user.name NAME; git config user.email ADDRESS"
        yield Check("identity", False, "git does not know who you are: events say gitmem@localhost", cure)
    else:
        yield Check("identity", True, f"{who.name} <{who.email}>")


def _trusted(repo: Repository) -> Iterator[Check]:
    trusted = trusted_branch(repo)
    if trusted.commit is None:
        cure = "git config gitmem.trustedRef REF names the branch whose memories are approved"
        yield Check("trusted branch", repo.head() is None, trusted.why, cure)
    else:
        yield Check("trusted branch", True, f"{trusted.ref} at {trusted.commit[:12]}: {trusted.why}")


def _files(repo: Repository) -> Iterator[Check]:
    from gitmem.usecases.knowledge import load_knowledge

    if repo.head() is None:
        return
    known = load_knowledge(repo)
    places: dict[str, str] = {}
    for one in sorted(known.problems, key=lambda one: (one.file, one.line, one.column)):
        if one.severity == "error":
            places.setdefault(
                one.file, ":".join([one.file, *(str(at) for at in (one.line, one.column) if at)])
            )
    said = [f"{len(known.approved)} approved, {len(known.proposed)} proposed"]
    policy = places.pop(_POLICY, None)
    if policy is not None:
        said.append(f"the policy cannot be read, so the gate refuses: {policy}")
    if places:
        first = next(iter(places.values()))
        many = len(places)
        said.append(
            f"{many} files cannot be read, the first is {first}"
            if many > 1
            else f"1 file cannot be read: {first}"
        )
    is_broken = len(said) > 1
    has_policy = is_broken or repo.entry(repo.head() or "", ".ai/policies") is not None
    cure = "gitmem lint" if is_broken else "" if has_policy else "gitmem init makes the policies"
    yield Check("memories", not is_broken, "; ".join(said), cure)


def _hooks(repo: Repository) -> Iterator[Check]:
    states = hook_states(repo)
    held = [one for one in states if one.state == "installed"]
    broken = [one for one in states if one.state == "refused" or (one.state == "missing" and one.detail)]
    if broken:
        first = broken[0]
        yield Check("git hooks", False, f"{first.hook}: {first.detail}", first.cure)
    elif not held:
        yield Check("git hooks", True, "not installed: commits are not recorded", "gitmem hooks install")
    elif len(held) < len(states):
        missing = ", ".join(one.hook for one in states if one.state == "missing")
        yield Check("git hooks", False, f"{missing} is missing", "gitmem hooks install")
    else:
        yield Check("git hooks", True, ", ".join(one.hook for one in held))


def _hook_log(repo: Repository) -> Iterator[Check]:
    file = repo.layout.common_dir / _LOG
    lines = file.read_text("utf-8", "replace").splitlines() if file.is_file() else []
    last = lines[-1] if lines else ""
    if last and _is_recent(last.partition(" ")[0]):
        yield Check(
            "hook log", False, f"the last hook failed: {last[:200]}", f"read {file}; remove it when mended"
        )


def _is_recent(at: str) -> bool:
    try:
        told = datetime.fromisoformat(at)
    except ValueError:
        return False
    return datetime.now(UTC) - told.astimezone(UTC) < _RECENT


def _refspecs(repo: Repository) -> Iterator[Check]:
    for remote, specs in fetch_refspecs(repo).items():
        for spec in dict.fromkeys(specs):
            if covers(spec, _LEDGER):
                yield Check(
                    "refspecs",
                    False,
                    f"remote.{remote}.fetch {spec}: a fetch that prunes deletes runs which are not pushed yet",
                    f"git config --unset-all remote.{remote}.fetch '{_as_pattern(spec)}'; gitmem sync needs none",
                )


def _as_pattern(spec: str) -> str:
    return "".join(f"\\{one}" if one in "+*.^$[]" else one for one in spec)


def _ledger(repo: Repository) -> Iterator[Check]:
    setting = auto_sync_setting(repo)
    with RunLedger.open(repo.layout.work_tree or repo.layout.git_dir) as ledger:
        state = run_state(ledger)
        runs = sum(run != INBOX for run in ledger.runs())
    if state.problems:
        broken = "1 run" if state.problems == 1 else f"{state.problems} runs"
        yield Check("ledger", False, f"{broken} cannot be read as a whole", "gitmem run verify")
    else:
        yield Check("ledger", True, "1 run" if runs == 1 else f"{runs} runs")
    if state.refused:
        yield Check("sync", False, f"the last sync was refused: {state.refused}", "gitmem sync")
    elif state.unsynced:
        waiting = "1 run is" if len(state.unsynced) == 1 else f"{len(state.unsynced)} runs are"
        yield Check("sync", True, f"{waiting} not synced (autoSync {setting})", "gitmem sync")
    elif repo.remotes():
        yield Check("sync", True, f"nothing waits (autoSync {setting})")


def _storage(repo: Repository) -> Iterator[Check]:
    folder = cache_folder(repo.layout)
    place = next(one for one in (folder, *folder.parents) if one.exists())
    if os.access(place, os.W_OK):
        yield Check("cache", True, f"{_megabytes(folder):.1f} MB")
    else:
        yield Check(
            "cache",
            False,
            f"{place} cannot be written: every command reads everything anew",
            f"chmod u+w {place}",
        )


def _megabytes(folder: Path) -> float:
    return (
        sum(one.stat().st_size for one in folder.glob("*") if one.is_file()) / 1e6 if folder.is_dir() else 0.0
    )


def _vectors(repo: Repository, *, ask: bool) -> Iterator[Check]:
    """The provider as it was heard last; it is asked anew only on demand, since that may leave this machine."""
    from gitmem.usecases.embedding.providing import configured, last_heard

    told = configured(repo)
    if told.provider is None or told.settings is None:
        problem = told.problem or "no provider: words alone decide"
        cure = (
            "git config --get-regexp gitmem.embed shows the settings"
            if told.problem
            else "gitmem help recall"
        )
        yield Check("vectors", not told.problem, problem, cure)
        return
    named = f"model {told.settings.model}"
    if told.settings.url:
        named += f", url {told.settings.url}"
    heard = last_heard(repo, told.provider, ask=ask)
    cure = "gitmem embed asks it again" if heard.failed else "gitmem embed fills in what is missing"
    yield Check("vectors", not heard.failed, f"{named}: {heard.said}", cure)


def _extras() -> Iterator[Check]:
    for name, module, extra, effect in EXTRAS:
        if find_spec(module) is None:
            yield Check(name, True, f"not installed: {effect}", f"pip install 'gitmem-ledger[{extra}]'")
        else:
            yield Check(name, True, "installed")


def _probe(repo: Repository) -> Iterator[Check]:
    """Send a ref of the ledger's kind and take it away again: the only way to know what a server's rules let through."""
    remotes = repo.remotes()
    remote = repo.config("gitmem.syncRemote") or (
        "origin" if "origin" in remotes else next(iter(remotes), None)
    )
    if remote is None:
        yield Check("remote", True, "there is none: nothing to sync with")
        return
    name = f"{RUNS}doctor-{random_name(10)}/probe"
    # A commit of its own: the code's must not be published by a look at the set-up.
    commit = repo.write_commit(
        tree=repo.write_tree(()), parents=(), message="gitmem doctor --remote\n", author=repo.identity()
    )
    pushed = push_commit(repo, remote, commit, name)
    if pushed.reason:
        yield Check("remote", False, f"{remote} does not take {_LEDGER}: {pushed.reason}", _OTHER_REMOTE)
        return
    seen = list_remote(repo, remote, [name])
    (removed,) = delete_remote_refs(repo, remote, {name: commit})
    if name not in seen:
        yield Check("remote", False, f"{remote} takes {_LEDGER} and does not show it again", _OTHER_REMOTE)
    elif removed.reason:
        cure = f"git push {remote} :{name}, by somebody who may"
        yield Check("remote", False, f"{remote} keeps the probe {name}: {removed.reason}", cure)
    else:
        yield Check("remote", True, f"{remote} takes {_LEDGER}; the probe is gone again")


_OTHER_REMOTE: Final = "ask its administrator, or git config gitmem.syncRemote names a private remote"
