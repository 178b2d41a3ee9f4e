"""Commands that files of automation run: CI steps, hooks, container instructions, recipes.

A step has no key of its own, and its place in a list says little. Its address is the path of keys around it, lists left
out, and the command that is rested on: ``.github/workflows/ci.yml#jobs.test.steps[run=pnpm test:e2e]``. It holds while a
line there runs these words, whatever else is on the line, so that another flag or another step is no change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from gitmem.drift.content.reading import plain_value
from gitmem.drift.view import TreeView

_FILES = re.compile(
    r"""(?:^|/)(?:
      \.(?:github|gitea|forgejo)/(?:workflows|actions)/.+\.ya?ml | action\.ya?ml
    | \.gitlab-ci\.ya?ml | \.gitlab/.+\.ya?ml | \.circleci/.+\.ya?ml | \.?azure-pipelines.*\.ya?ml
    | bitbucket-pipelines\.ya?ml | \.travis\.ya?ml | \.drone\.ya?ml | \.woodpecker(?:/.+)?\.ya?ml | \.buildkite/.+\.ya?ml
    | cloudbuild\.ya?ml | buildspec\.ya?ml | \.?appveyor\.ya?ml | \.pre-commit-(?:config|hooks)\.ya?ml | \.?lefthook\.ya?ml
    | (?:docker-)?compose[\w.-]*\.ya?ml | Taskfile\.ya?ml | render\.ya?ml | netlify\.toml | fly\.toml | tox\.ini
    | Procfile[\w.-]* | (?:Dockerfile|Containerfile)(?:\.[\w.-]+)? | [\w.-]+\.[Dd]ockerfile
    | [Jj]ustfile | (?:GNUm|[Mm])akefile
    )$""",
    re.VERBOSE,
)
_TITLES = frozenset({"name", "description", "desc", "title", "label", "if", "on", "summary"})
_NAME = re.compile(r"(?P<container>.*?)\[(?P<field>[\w #-]*)=(?P<command>.+)\]", re.DOTALL)
_WRAPPERS = re.compile(
    r"(?:(?:[A-Z_]\w*=\S*|sudo|time|env|exec|npx|bunx|uvx|pnpx|then|do|-|@|(?:pnpm|yarn|npm|bun) (?:run|exec|dlx)|(?:uv|poetry|pdm|hatch|rye|pipenv) run"
    r"|bundle exec|python[\d.]* -m|docker(?: |-)compose (?:run|exec)(?: --?\S+)*)\s+)+"
)
_COMMENT = re.compile(r"(?:^|\s)#.*")
_PIECES = re.compile(r"&&|\|\|?|;")


class Step(NamedTuple):
    """One line that is run: the keys around it, the key or instruction that holds it, its words."""

    container: str
    field: str
    line: str


def is_step_file(path: str) -> bool:
    """Whether a file says what is run: CI, hooks, containers, recipes."""
    return _FILES.search(path) is not None


def steps_of(path: str, data: bytes) -> tuple[Step, ...]:
    """Every line that the file runs, in its order; empty when the file cannot be read."""
    if not is_step_file(path):
        return ()
    value = plain_value(path, data)
    return tuple(_walk(value, "", "")) if value is not None else ()


def _walk(value: Any, container: str, field: str) -> Iterator[Step]:
    if isinstance(value, str):
        yield from (Step(container, field, line) for line in _lines(value))
    elif isinstance(value, dict):
        for key, child in value.items():
            inner = f"{container}.{key}" if container else str(key)
            if isinstance(child, str) and str(key) not in _TITLES:
                yield from _walk(child, container, str(key))
            elif not isinstance(child, str):
                yield from _walk(child, inner, "")
    elif isinstance(value, list):
        for child in value:
            yield from _walk(child, container, field)


def _lines(text: str) -> Iterator[str]:
    if text.startswith("["):
        text = _exec_form(text)
    for line in text.replace("\\\n", " ").split("\n"):
        words = " ".join(_COMMENT.sub("", line).split()).lstrip("@")
        if words:
            yield words


def _exec_form(text: str) -> str:
    """``["gunicorn", "app"]`` as the words that it runs."""
    try:
        words = json.loads(text)
    except ValueError:
        return text
    return " ".join(map(str, words)) if isinstance(words, list) else text


def holds(line: str, command: str) -> bool:
    """Whether a line runs a command: its words in this order, one word alone only where a program stands."""
    words = command.split()
    if len(words) > 1:
        pattern = r"\s+".join(map(re.escape, words))
        return re.search(rf"(?<![\w./:@=-]){pattern}(?![\w/:@=-]|\.\w)", line) is not None
    return any(_program(piece) == command for piece in _PIECES.split(line))


def _program(piece: str) -> str:
    bare = piece.strip()
    wrapped = _WRAPPERS.match(bare)
    return (bare[wrapped.end() :] if wrapped else bare).partition(" ")[0]


def step_name(step: Step, command: str) -> str:
    """The address of a command within its file."""
    return f"{step.container}[{step.field}={command}]"


def parse_step(name: str) -> Step | None:
    """The inverse of `step_name`; None when the name of a key is no address of a step."""
    found = _NAME.fullmatch(name)
    return Step(found["container"], found["field"], found["command"]) if found else None


def holding(steps: Iterable[Step], command: str) -> list[Step]:
    """The steps that run a command."""
    return [one for one in steps if holds(one.line, command)]


def step_value(path: str, data: bytes, step: Step) -> str | None:
    """The command while the file runs it at that address; None when it does not."""
    held = holding(steps_of(path, data), step.line)
    return step.line if any(_address(one) == _address(step) for one in held) else None


def _address(step: Step) -> tuple[str, str]:
    return step.container, step.field


def places_of_step(command: str, view: TreeView) -> list[str]:
    """Files of the tree that run a command, in path order; one search for its longest word."""
    word = max(re.findall(r"[A-Za-z_]\w*", command), key=len, default="")
    if not word:
        return []
    files = [one for one in view.files_with([word]).get(word, ()) if is_step_file(one)]
    view.preload(files)
    return [one for one in files if holding(steps_of(one, view.read(one) or b""), command)]
