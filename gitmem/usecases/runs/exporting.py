"""Write a run as plain files (`gitmem.store.run_files`)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gitmem.errors import InvalidDataError, NotServedError
from gitmem.git.bundle import write_bundle
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE
from gitmem.store.artifacts import RUN_FILES
from gitmem.store.codec import is_artifact_name
from gitmem.store.large import read_content
from gitmem.store.ledger import Run, RunLedger
from gitmem.store.run_files import BUNDLE, LEDGER, format_ledger, parse_ledger
from gitmem.store.run_reading import ARTIFACTS, LoadedRun
from gitmem.usecases.runs.handing_off import show_handoff

RUNS_FOLDER = ".ai/runs"

_REGULAR = frozenset({MODE_FILE, MODE_EXECUTABLE})


def export_run(ledger: RunLedger, run: Run, folder: Path | None = None) -> Path:
    """Write a run's files; what an earlier export of the same run wrote is replaced.

    Args:
        ledger: Whose.
        run: A run that has events here.
        folder: Where to; ``.ai/runs/<task>`` in the work tree by default.

    Returns:
        The folder.

    Raises:
        NotServedError: The folder holds something else, or a symbolic link stands in the way; a bare repository and no
            folder given.
    """
    loaded = run.load()
    target = folder if folder is not None else _default_folder(ledger, loaded)
    _check(target, run.id)
    target.mkdir(parents=True, exist_ok=True)
    for name, content in _files(ledger, run):
        _write(target, name, content)
    with tempfile.TemporaryDirectory(dir=target, prefix=".export-") as scratch:
        bundle = Path(scratch) / BUNDLE
        write_bundle(ledger.repository, str(bundle), dict(sorted(loaded.tips.items())))
        bundle.replace(target / BUNDLE)
    # Last, since it names the others: who finds it finds them whole.
    _write(target, LEDGER, format_ledger(run.id, loaded.snapshot.task or None, loaded.tips, loaded.events))
    return target


def _default_folder(ledger: RunLedger, loaded: LoadedRun) -> Path:
    top = ledger.repository.layout.work_tree
    if top is None:
        raise NotServedError(
            "a bare repository has no .ai/runs", hint=f"name a folder: gitmem run export {loaded.run} DIR"
        )
    for part in (".ai", RUNS_FOLDER):
        if (top / part).is_symlink():
            raise NotServedError(
                f"{part} is a symbolic link, which gitmem does not follow", hint="name a folder"
            )
    task = (loaded.snapshot.task or "").replace("/", "-").strip(".-")
    folder = top / RUNS_FOLDER / (task or loaded.run)
    holder = _run_in(folder)
    # Another run of the same task keeps the plain name.
    return folder if holder in {None, loaded.run} else folder.with_name(f"{folder.name}-{loaded.run[-5:]}")


def _run_in(folder: Path) -> str | None:
    file = folder / LEDGER
    if folder.is_symlink() or file.is_symlink() or not file.is_file():
        return None
    try:
        return parse_ledger(LEDGER, file.read_bytes()).run
    except InvalidDataError:
        return ""


def _check(folder: Path, run: str) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise NotServedError(f"{folder} is no folder", hint="name another one")
    if not folder.exists() or not any(folder.iterdir()):
        return
    holder = _run_in(folder)
    if holder != run:
        what = f"the run {holder}" if holder else "files that no export wrote"
        raise NotServedError(f"{folder} holds {what}", hint="name another folder; nothing was written")


def _files(ledger: RunLedger, run: Run) -> Iterator[tuple[str, bytes]]:
    for name in sorted(RUN_FILES):
        content = run.file(name)
        if content is not None:
            yield name, content
        elif name == "handoff.md":
            yield name, show_handoff(ledger, run).text.encode("utf-8", "backslashreplace")
    repository = ledger.repository
    seen: set[str] = set()
    own = run.ref()
    for _, tip in sorted(run.tips().items(), key=lambda pair: pair[0] != own):
        tree = repository.tree_of(tip)
        for entry in repository.list_tree(tree, under=ARTIFACTS) if tree else ():
            name = entry.path.removeprefix(f"{ARTIFACTS}/")
            if name in seen or entry.mode not in _REGULAR or not is_artifact_name(name):
                continue
            found = read_content(repository, entry.oid)
            # In place of what lies in another clone stands what the tree says of it.
            data = repository.read_blob(entry.oid).data if found.elsewhere else found.data
            if data is not None:
                seen.add(name)
                yield f"{ARTIFACTS}/{name}", data


def _write(folder: Path, name: str, content: bytes) -> None:
    """Write one file in one step; no link on the way to it is followed."""
    try:
        _write_below(folder, name, content)
    except OSError as error:
        raise NotServedError(
            f"{folder / name} cannot be written: {error.strerror or error}",
            hint="name a folder that you may write to",
            path=str(folder / name),
        ) from None


def _write_below(folder: Path, name: str, content: bytes) -> None:
    target = folder
    for part in name.split("/")[:-1]:
        target /= part
        if target.is_symlink():
            raise NotServedError(
                f"{target} is a symbolic link, which gitmem does not follow", hint="remove it"
            )
        target.mkdir(exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=".export-", dir=target)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(target / name.rpartition("/")[2])
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
