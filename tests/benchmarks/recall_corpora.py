"""Corpora from public repositories: rules frozen at a day, asked for by the messages of later commits.

Two kinds. Where a commit *cites* an older decision (the number of an ADR, the id of a commit), the cited text is a
memory, the citation is the label and is taken out of the query, and only what is older may be found. Where a
repository has *rules files* in its folders, the files at a day are memories and the later commits below such a folder
ask for the narrowest one. What is built is other people's text: for measuring alone, in memory, never written.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple


class Rule(NamedTuple):
    """One memory of a corpus: its text, where it belongs, and since when it is known (seconds)."""

    id: str
    title: str
    text: str
    globs: tuple[str, ...]
    at: int


class Task(NamedTuple):
    """One query of a corpus.

    Args:
        id: The commit.
        text: Its message, masked.
        paths: What it touched.
        relevant: Ids of the rules to be found.
        at: Its time in seconds.
    """

    id: str
    text: str
    paths: tuple[str, ...]
    relevant: frozenset[str]
    at: int


class Corpus(NamedTuple):
    """Rules and tasks; `history` is the newest commit that may be asked, `only_older` as in the module."""

    rules: tuple[Rule, ...]
    tasks: tuple[Task, ...]
    history: str
    only_older: bool


class Logged(NamedTuple):
    """One commit of a clone."""

    id: str
    at: int
    subject: str
    body: str
    paths: tuple[str, ...]


_TRAILER = re.compile(
    r"^\s*(?:co-authored-by|signed-off-by|reviewed-by|acked-by|helped-by|tested-by|reported-by|claude-session|generated with|🤖).*$",
    re.MULTILINE | re.IGNORECASE,
)
_PROSE = re.compile(r"\.(?:md|mdx|mdc|rst|txt|lock|snap|po)$|(?:^|/)(?:pnpm-lock|package-lock|yarn)")
_CHORE = re.compile(r"^(?:chore\(deps|build\(deps|bump|release|chore: release|docs)", re.IGNORECASE)
_LONGEST_BODY = 1_500


def git(clone: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "--git-dir", str(clone), *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def log(clone: Path, *arguments: str) -> Iterator[Logged]:
    """Commits newest first, merges left out; without renames, which lose history in partial clones."""
    form = "--format=%x01%H%x00%ct%x00%s%x00%b%x02"
    out = git(clone, "log", "--no-merges", "--no-renames", "--name-only", form, *arguments)
    for chunk in out.split("\x01")[1:]:
        head, _, names = chunk.partition("\x02")
        if head.count("\x00") == 3:
            oid, at, subject, body = head.split("\x00")
            yield Logged(oid, int(at), subject, cleaned(body), tuple(filter(None, names.strip().split("\n"))))


def cleaned(body: str) -> str:
    """A message's body without trailers and addresses."""
    told = re.sub(r"https?://\S+", "", _TRAILER.sub("", body))
    return re.sub(r"\n{3,}", "\n\n", told).strip()[:_LONGEST_BODY]


def paragraphs(markdown: str, longest: int = 600, shortest: int = 40) -> list[str]:
    """Paragraphs, list items and table rows, without markup, comments and code blocks."""
    text = re.sub(r"<!--.*?-->|^```.*?^```\s*$", "", markdown, flags=re.DOTALL | re.MULTILINE)
    found: list[list[str]] = [[]]
    for line in text.split("\n"):
        starts = re.match(r"(?:[-*+]|\d+\.)\s+|\||#{1,6}\s", line)
        if starts or not line.strip():
            found.append([])
        if line.strip() and not line.startswith("#") and not re.match(r"\|[\s:|-]+\|?$", line):
            found[-1].append(re.sub(r"^(?:[-*+]|\d+\.)\s+|^\||\|$", "", line).strip())
    plain = (_without_markup(" ".join(lines)) for lines in found)
    return [one[:longest] for one in plain if len(one) >= shortest]


def _without_markup(text: str) -> str:
    linked = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[ \t]+", " ", re.sub(r"\*\*|__|^>\s?", "", linked)).strip()


def heading(markdown: str, otherwise: str) -> str:
    found = re.search(r"^#\s+(.*)$", markdown, re.MULTILINE)
    return found[1] if found else otherwise


# rules files
def rules_files(clone: Path, day: str, names: Sequence[str]) -> Corpus:
    """Rules files in folders as they stood on a day; a rule is asked for where its scope is under 5 % of the tree."""
    commit = git(clone, "rev-list", "-1", f"--before={day}", "HEAD").strip()
    at = int(git(clone, "log", "-1", "--format=%ct", commit))
    tree = git(clone, "ls-tree", "-r", "--name-only", commit).strip().split("\n")
    rules: dict[str, tuple[str, str]] = {}
    for path in tree:
        text = git(clone, "show", f"{commit}:{path}") if PurePosixPath(path).name in names else ""
        if len(text) >= 200 and text not in {one[1] for one in rules.values()}:
            rules[path] = (path.rpartition("/")[0], text)
    shares = {
        path: sum(_below(one, folder) for one in tree) / len(tree) for path, (folder, _) in rules.items()
    }
    narrow = {path: rules[path][0] for path in rules if 0 < shares[path] < 0.05}
    made = tuple(
        Rule(
            path,
            heading(text, path),
            "\n".join(paragraphs(text))[:4_000],
            (f"{folder}/**" if folder else "**",),
            at,
        )
        for path, (folder, text) in rules.items()
    )
    tasks = (_rules_task(one, narrow) for one in log(clone, f"{commit}..HEAD"))
    return Corpus(made, tuple(one for one in tasks if one is not None), commit, only_older=False)


def _below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _rules_task(commit: Logged, narrow: dict[str, str]) -> Task | None:
    code = tuple(path for path in commit.paths if not _PROSE.search(path))
    if not 0 < len(code) <= 30 or _CHORE.match(commit.subject):
        return None
    nearest: set[str] = set()
    for rule, folder in narrow.items():
        own = [path for path in code if _below(path, folder)]
        deeper = [one for one in narrow.values() if one.startswith(f"{folder}/")]
        if own and not any(all(_below(path, one) for path in own) for one in deeper):
            nearest.add(rule)
    text = f"{commit.subject}\n\n{commit.body}"
    return Task(commit.id, text, code, frozenset(nearest), commit.at) if nearest else None


# citations
def decision_records(clone: Path, folder: str) -> Corpus:
    """Architecture decision records as they were first written; later commits cite their numbers."""
    everything = list(log(clone, "HEAD"))
    rules: dict[str, list[Rule]] = defaultdict(list)
    for commit in reversed(everything):
        for path in commit.paths:
            found = re.fullmatch(rf"{re.escape(folder)}/(\d{{4}})-[^/]*\.md", path)
            if found and not any(one.id == path for one in rules[found[1]]):
                rules[found[1]].append(_record(clone, commit, path))
    cited = re.compile(r"ADR[- ]?(\d{3,4})")
    masked = re.compile(r"\(?\s*ADR[- ]?\d{3,4}(?:[·/,~\s-]+\d{4})*\s*\)?")
    tasks = []
    for commit in everything:
        text = f"{commit.subject}\n\n{commit.body}"
        numbers = {number.zfill(4) for number in cited.findall(text)}
        relevant = {
            one.id
            for number in numbers
            for one in rules.get(number, ())
            if one.at < commit.at and one.id not in commit.paths
        }
        code = tuple(
            path for path in commit.paths if not path.startswith("docs/") and not _PROSE.search(path)
        )
        if 0 < len(relevant) <= 4 and code:
            tasks.append(Task(commit.id, masked.sub(" ", text), code, frozenset(relevant), commit.at))
    return Corpus(
        tuple(one for some in rules.values() for one in some), tuple(tasks), "HEAD", only_older=True
    )


def _record(clone: Path, commit: Logged, path: str) -> Rule:
    text = git(clone, "show", f"{commit.id}:{path}")
    title = re.sub(r"^ADR[- ]?\d+[:.—\s-]*", "", heading(text, path))
    body = "\n".join(paragraphs(re.sub(r"^#\s+.*$", "", text, count=1, flags=re.MULTILINE), 700))[:900]
    beside = {one.rpartition("/")[0] for one in commit.paths if not _PROSE.search(one) and "/" in one}
    named = {
        one.rpartition("/")[0] for one in re.findall(r"`((?:src|data|scripts|tests|assets)/[\w./-]+)`", text)
    }
    globs = tuple(f"{one}/**" for one in sorted(beside | named) if one and not one.startswith("docs"))[:12]
    return Rule(path, title, re.sub(r"ADR[- ]?\d{3,4}", "ADR", body), globs, commit.at)


def cited_commits(clone: Path, rules: int, tasks: int) -> Corpus:
    """Messages of commits that later commits cite by id, among others that nobody cites."""
    everything = {commit.id: commit for commit in log(clone, "HEAD")}
    short: dict[str, list[str]] = defaultdict(list)
    for oid in everything:
        short[oid[:7]].append(oid)
    cite = re.compile(
        r"(?:[Cc]ommit\s+)?\b([0-9a-f]{7,40})\s*\(\s*[\"“]?[^()]*(?:\([^()]*\)[^()]*)*?[\"”]?,\s*\d{4}-\d\d-\d\d\s*\)"
    )
    found = []
    for commit in everything.values():
        ids = [
            one
            for abbreviated in cite.findall(commit.body)
            for one in short[abbreviated[:7]]
            if one.startswith(abbreviated)
        ]
        relevant = frozenset(one for one in ids if everything[one].at < commit.at)
        if 0 < len(relevant) <= 4 and 0 < len(commit.paths) <= 30 and commit.at >= _YEAR_2018:
            masked = re.sub(r"\b[0-9a-f]{7,40}\b", " ", cite.sub(" ", commit.body))
            found.append(Task(commit.id, f"{commit.subject}\n\n{masked}", commit.paths, relevant, commit.at))
    order = random.Random(7)
    order.shuffle(found)
    chosen = found[:tasks]
    needed = {one for task in chosen for one in task.relevant}
    others = [one for one in everything if one not in needed and 0 < len(everything[one].paths) <= 30]
    order.shuffle(others)
    ids = [*sorted(needed), *others][: max(rules, len(needed))]
    return Corpus(tuple(_message(everything[one]) for one in ids), tuple(chosen), "HEAD", only_older=True)


_YEAR_2018 = 1_514_764_800


def _message(commit: Logged) -> Rule:
    text = "\n".join(commit.body.split("\n\n")[:2])[:500].strip()
    return Rule(
        commit.id, commit.subject, text or commit.subject, tuple(sorted(set(commit.paths)))[:15], commit.at
    )
