"""Commands in a statement that automation in its scope runs: "CI runs `pnpm test:e2e`"."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from posixpath import basename

from gitmem.drift.commands import prose_commands
from gitmem.drift.steps import Step, holding, is_step_file, step_name, steps_of
from gitmem.drift.view import TreeView
from gitmem.drift.words import code_spans
from gitmem.model.watch import Watch, WatchKind

MOST_FILES = 40
MOST_PLACES = 3
"""Places that run one command; of more of them none in particular is meant."""
Span = tuple[int, int]
_SAYS_AUTOMATION = re.compile(
    r"(?i)\bCI\b|\bCD\b|\bworkflows?\b|\bpipelines?\b|\bactions?\b|\bpre-commit\b|\b(?:docker|container|image|entrypoint)s?\b|\bhooks?\b|\bdeploys?\b"
    r"|워크플로|파이프라인|배포|컨테이너|훅|ワークフロー|パイプライン|デプロイ|コンテナ|工作流|流水线|部署|容器"
)
_RECIPES = re.compile(r"(?:g?make|just|task)\b")
_TARGET_FILES = re.compile(r"(?:^|/)(?:[Jj]ustfile|(?:GNUm|[Mm])akefile|Taskfile\.ya?ml)$")


def said_steps(
    text: str, view: TreeView, files: Sequence[str], literal: Container[str]
) -> Mapping[Span, tuple[Watch, ...]]:
    """Watches of the steps that a statement's commands name, by where the command stands in the text.

    They count where the statement speaks of automation, or its scope names a file of it or has nothing else.

    Args:
        text: The statement.
        view: The tree.
        files: Files that the scope matches.
        literal: Paths that the scope names without wildcards.
    """
    places = [path for path in files if is_step_file(path)][:MOST_FILES]
    meant = len(places) == len(files) or _SAYS_AUTOMATION.search(_prose(text)) is not None
    asked = [path for path in places if meant or path in literal]
    phrases = list(_phrases(text)) if asked else []
    if not phrases:
        return {}
    view.preload(asked)
    steps = {path: steps_of(path, view.read(path) or b"") for path in asked}
    found = {span: _places(command, steps, text) for span, command in phrases}
    return {span: watches for span, watches in found.items() if watches}


def _phrases(text: str) -> Iterator[tuple[Span, str]]:
    for first, last, width in code_spans(text):
        inner = " ".join(text[first + width : last - width].split()).removeprefix("$ ")
        if inner and len(inner) < _LONGEST:
            yield (first, last), inner
    for span, command in prose_commands(text):
        yield span, " ".join(command.split())


_LONGEST = 200


def _places(command: str, steps: Mapping[str, Sequence[Step]], text: str) -> tuple[Watch, ...]:
    """The steps that run a command; of several those whose file or job the text names."""
    found: dict[Watch, tuple[str, Step]] = {}
    for path, known in steps.items():
        if _RECIPES.match(command) and _TARGET_FILES.search(path):
            continue
        for step in holding(known, command):
            found.setdefault(Watch(WatchKind.KEY, path=path, name=step_name(step, command)), (path, step))
    named = [watch for watch, place in found.items() if _is_named(*place, text)]
    chosen = named if named and len(found) > 1 else list(found)
    return tuple(chosen) if len(chosen) <= MOST_PLACES else ()


def _is_named(path: str, step: Step, text: str) -> bool:
    words = set(re.findall(r"[^\W\d_]{2,}", f"{basename(path).partition('.')[0]} {step.container}".lower()))
    said = set(re.findall(r"[^\W\d_]{2,}", _prose(text).lower()))
    return not said.isdisjoint(words - {"jobs", "steps", "run", "script", "repos"})


def _prose(text: str) -> str:
    """The text without its code spans."""
    return re.sub(r"`[^`]*`", " ", text)
