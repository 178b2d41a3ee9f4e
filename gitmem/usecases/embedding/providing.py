"""The provider of vectors that the user of this clone configured, and where its vectors are kept.

Only the user's own settings count: a value that stands in a file of the repository, which an ``include`` of git's may
bring in, could send what is asked here to a stranger, so it is left out and told.
"""

from __future__ import annotations

import os
import time
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from gitmem.embedding.provider import Failure, Provider
from gitmem.embedding.settings import Settings, parse_settings
from gitmem.git.interface import Layout, Repository
from gitmem.git.setup import Setting, settings_with_files
from gitmem.redaction.masking import masker_of
from gitmem.store.run_cache import cache_folder
from gitmem.store.vectors import Failed, VectorStore, vector_file

SECTION = "gitmem.embed."
_ASKED = r"^gitmem\.embed\."
PAUSE = 60.0
"""Seconds after a failure in which nobody is asked again, so that a dead provider does not slow every answer."""
SILENCE = 3_600.0
"""Seconds in which the same failure is not said again."""
_ANSWERED = "answered"
_NEVER = "not asked yet"
_ASKED_WITHIN = 10.0


class Configured(NamedTuple):
    """What is configured.

    Args:
        provider: None without one.
        settings: Of the provider.
        problem: Why what is configured cannot be used; empty when it can, or nothing is.
    """

    provider: Provider | None = None
    settings: Settings | None = None
    problem: str = ""


def configured(repo: Repository) -> Configured:
    """Read the settings; no network and no model is touched."""
    values: dict[str, str] = {}
    for one in settings_with_files(repo, _ASKED) if repo.settings(_ASKED) else ():
        if _is_in_work_tree(one, repo.layout):
            where = f"{one.file} is a file of the repository, so its {one.key} does not count"
            return Configured(problem=f"{where}: git config {one.key} {one.value} sets it for this clone")
        values[one.key.removeprefix(SECTION)] = one.value
    settings = parse_settings(values, os.environ)
    if settings is None or isinstance(settings, str):
        return Configured(problem=settings or "")
    return Configured(provider_of(settings), settings)


def provider_of(settings: Settings) -> Provider:
    """The provider of some settings; nothing is asked yet."""
    if settings.url:
        from gitmem.embedding.endpoint import Endpoint

        return Endpoint(settings)
    from gitmem.embedding.offline import OfflineModel

    return OfflineModel()


def _is_in_work_tree(setting: Setting, layout: Layout) -> bool:
    """Whether a value stands where a commit may put it; links are followed."""
    if not setting.file or layout.work_tree is None:
        return False
    own = [layout.git_dir.resolve(), layout.common_dir.resolve()]
    tree = layout.work_tree.resolve()
    for place in (Path(os.path.normpath(setting.file)), Path(setting.file).resolve()):
        if place.is_relative_to(tree) and not any(place.is_relative_to(one) for one in own):
            return True
    return False


def open_store(repo: Repository, provider: Provider) -> VectorStore:
    """Where a provider's vectors are kept."""
    file = vector_file(cache_folder(repo.layout), provider.identity)
    return VectorStore(file, provider.identity)


def prepared(text: str, provider: Provider) -> str:
    """A text as the provider may see it: valid, never empty, and without secrets where it leaves this process."""
    plain = text.encode("utf-8", "replace").decode()
    if provider.is_remote:
        plain = masker_of(os.environ).mask(plain).text
    return plain.strip() or "-"


# failures
def is_paused(store: VectorStore) -> bool:
    """Whether it failed just now."""
    failed = store.failed
    return failed is not None and 0 <= time.time() - failed.at < PAUSE


def pause_sentence(store: VectorStore) -> str:
    """Why it is left alone, and for how long."""
    failed = store.failed
    if failed is None:
        return ""
    left = max(1, round(failed.at + PAUSE - time.time()))
    return f"the provider failed and is left alone for {left} s more: {failed.reason}"


def note_failure(store: VectorStore, failure: Failure) -> str:
    """Keep a failure.

    Returns:
        What is to be said of it; empty when that was said lately.
    """
    now, before = time.time(), store.failed
    told = before is not None and before.reason == failure.reason and 0 <= now - before.said < SILENCE
    store.failed = Failed(now, failure.reason, before.said if told and before else now)
    return "" if told else f"{failure.reason}; words alone count"


def note_success(store: VectorStore) -> None:
    """Forget the last failure, and take down that it answers, once a minute at most."""
    if store.failed is not None:
        store.failed = None
    now = time.time()
    if not 0 <= now - (answered_at(store) or 0.0) < PAUSE:
        store.set_note(_ANSWERED, repr(now))


def answered_at(store: VectorStore) -> float | None:
    """When it answered last, in seconds since the epoch; None when it never did."""
    try:
        return float(store.note(_ANSWERED) or "")
    except ValueError:
        return None


class Heard(NamedTuple):
    """How a provider answered last.

    Args:
        failed: Whether it failed then.
        said: That, in words.
    """

    failed: bool
    said: str


def last_heard(repo: Repository, provider: Provider, *, ask: bool = False) -> Heard:
    """How a provider answered last, as it is kept.

    Args:
        repo: The repository.
        provider: Which one.
        ask: Whether to ask it now, for the vector of one word.
    """
    if not ask and not Path(vector_file(cache_folder(repo.layout), provider.identity)).exists():
        return Heard(False, _NEVER)
    store = open_store(repo, provider)
    try:
        if ask:
            found = provider.embed(["gitmem"], "query", within=_ASKED_WITHIN)
            if isinstance(found, Failure):
                note_failure(store, found)
            else:
                note_success(store)
                return Heard(False, "answers")
        failed, answered = store.failed, answered_at(store)
    finally:
        store.close()
    worked = f"answered last on {_moment(answered)}" if answered else "has never answered here"
    if failed is not None:
        return Heard(True, f"failed on {_moment(failed.at)}: {failed.reason}; {worked}")
    return Heard(False, worked if answered else _NEVER)


def _moment(seconds: float) -> str:
    try:
        return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M}"
    except (OverflowError, OSError, ValueError):  # a damaged note
        return "an unknown day"
