"""Values and names that words rest on, confirmed, changed and judged in a whole clone and in one of the last commit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.drifting import judged, shallow, validated
from tests.support.repo import Repo

Files = Mapping[str, str]
Told = tuple[str, str]
"""Verdict and the reason of the first finding."""


def told(
    repo: Repo, folder: Path, about: tuple[str, str], then: Files, now: Files, *removed: str
) -> tuple[Told, Told]:
    """What is said in the clone, and in a shallow one whose baseline is not there.

    Args:
        repo: An empty repository.
        folder: Where the shallow clone goes.
        about: The statement, and the glob of its scope.
        then: What it was confirmed on.
        now: What was written after.
        removed: Paths that were deleted after.
    """
    globs = f"{{paths: [{json.dumps(about[1])}], does_not_apply_to: [none]}}"
    validated(repo, json.dumps(about[0], ensure_ascii=False), {**then, "other.txt": "x\n"}, scope=globs)
    for path in removed:
        repo.remove(path)
    repo.commit("Change", now)
    return _first(repo), _first(shallow(repo, folder / "shallow"))


def _first(repo: Repo) -> Told:
    found = judged(repo.path)
    return str(found.verdict), found.findings[0].reason if found.findings else ""


SETTINGS = {
    "config/app.toml": "max_upload_mb = 25\nretries = 3\n",
    "config/jobs.properties": "pool.size=10\n",
}


@pytest.mark.parametrize(
    ("about", "code", "said"),
    [
        (
            ("Uploads: `max_upload_mb` is 25", "config/**"),
            (SETTINGS, {"config/app.toml": "max_upload_mb = 40\nretries = 3\n"}),
            (("changed", "max_upload_mb was 25, now is 40"), ("changed", "max_upload_mb now is 40")),
        ),
        (
            ("Uploads: `max_upload_mb` is 25", "config/**"),
            (SETTINGS, {"config/app.toml": "max_upload_mb = 25\nretries = 9\n"}),
            (
                ("touched", "max_upload_mb has the same value"),
                ("touched", "max_upload_mb has the same value"),
            ),
        ),
        (
            ("The pool size `pool.size` defaults to 10", "config/**"),
            (SETTINGS, {"config/jobs.properties": "# why\npool.size=20\n"}),
            (("changed", '"pool.size" was "10", now is "20"'), ("changed", '"pool.size" now is "20"')),
        ),
        (
            ("`timeout_seconds`는 30이다", ".env.example"),
            (
                {".env.example": "timeout_seconds=30\nOTHER=1\n"},
                {".env.example": "timeout_seconds=60\nOTHER=1\n"},
            ),
            (
                ("changed", 'timeout_seconds was "30", now is "60"'),
                ("changed", 'timeout_seconds now is "60"'),
            ),
        ),
        (
            ("line length is 100 (`max-line-length`)", "setup.cfg"),
            ({"setup.cfg": "[flake8]\nmax-line-length = 100\n"}, {"setup.cfg": "[flake8]\nignore = E203\n"}),
            (
                ("gone", "flake8.max-line-length no longer exists in setup.cfg"),
                ("gone", "flake8.max-line-length no longer exists in setup.cfg"),
            ),
        ),
        (
            ("`LIMIT` is 3", "src/**"),
            ({"src/a.go": "package a\n\nconst LIMIT = 3\n"}, {"src/a.go": "package a\n\nconst LIMIT = 5\n"}),
            (("changed", "LIMIT: 3 → 5"), ("changed", "LIMIT: value changed, now 5")),
        ),
    ],
)
def test_a_value_that_words_name(
    about: tuple[str, str], code: tuple[Files, Files], said: tuple[Told, Told], repo: Repo, tmp_path: Path
) -> None:
    assert told(repo, tmp_path, about, *code) == said


CI = ".github/workflows/ci.yml"
STEPS = "jobs:\n  test:\n    steps:\n      - run: pnpm install\n      - run: pnpm test:e2e\n"


@pytest.mark.parametrize(
    ("now", "full", "alone"),
    [
        (STEPS.replace("install", "i"), ("touched", "pnpm test:e2e still runs there"), None),
        (
            STEPS.replace("  test:", "  other:"),
            ("relocated", "pnpm test:e2e runs in jobs.other.steps now"),
            None,
        ),
        (
            STEPS.replace("      - run: pnpm test:e2e\n", ""),
            ("gone", f"{CI} no longer runs pnpm test:e2e"),
            None,
        ),
        (
            STEPS.replace(":e2e", ":smoke"),
            ("changed", "pnpm test:e2e is now pnpm test:smoke"),
            ("gone", f"{CI} no longer runs pnpm test:e2e"),
        ),
    ],
)
def test_a_step_that_words_name(now: str, full: Told, alone: Told | None, repo: Repo, tmp_path: Path) -> None:
    about = ("CI runs `pnpm test:e2e`", ".github/workflows/**")
    assert told(repo, tmp_path, about, {CI: STEPS}, {CI: now}) == (full, alone or full)


SHOP = {
    "src/legacy.py": "\n\n\n".join(f"class Order{n}:\n    pass" for n in range(2)) + "\n",
    "src/model.py": "class Order:\n    def total(self):\n        return 1\n\n    def empty(self):\n        return 0\n",
    "src/version.py": '__version__ = "2.3"\n',
    "src/use.py": "from src.version import __version__\n\nprint(__version__)\n",
}


@pytest.mark.parametrize(
    ("about", "now", "said"),
    [
        (
            ("`Order`: what a customer buys", "src/**"),
            {"src/model.py": SHOP["src/model.py"].replace("Order", "Purchase")},
            ("relocated", "Order is now called Purchase in src/model.py, its body equal"),
        ),
        (
            ("Bump `__version__` with every release", "src/**"),
            {"src/version.py": 'def __getattr__(name):\n    return {"__version__": "2.3"}[name]\n'},
            (
                "changed",
                "__version__ is no longer defined in src/version.py, though src/use.py and 1 more still mention it",
            ),
        ),
        (
            ("Bump `__version__` with every release", "src/**"),
            {"src/version.py": '__version__ = "2.4"\n'},
            ("touched", "__version__ still occurs in scope"),
        ),
    ],
)
def test_a_name_that_words_name(
    about: tuple[str, str], now: Files, said: Told, repo: Repo, tmp_path: Path
) -> None:
    assert told(repo, tmp_path, about, SHOP, now) == (said, said)


def test_a_method_whose_type_was_renamed(repo: Repo, tmp_path: Path) -> None:
    code = "package a\n\ntype Server struct{ n int }\n\nfunc (s *Server) Run(x int) {\n\ts.n = x\n}\n"
    said = ("relocated", "Server.Run is now called Host.Run, its body equal")
    about = ("`Server.Run` keeps what it got", "src/**")
    now = {"src/a.go": code.replace("Server", "Host")}
    assert told(repo, tmp_path, about, {"src/a.go": code}, now) == (said, said)


@pytest.mark.parametrize(
    ("path", "code", "verdict"),
    [
        ("Dockerfile", ("FROM a\nRUN x\n", "# why\n\nFROM a\nRUN x\n"), "cosmetic"),
        ("deploy/nginx.conf", ("a {\n  listen 80;\n}\n", "a {\n  listen 80; # why\n}\n"), "cosmetic"),
        ("deploy/nginx.conf", ("a {\n  listen 80;\n}\n", "a {\n  listen 81;\n}\n"), "changed"),
        ("schema.sql", ("SELECT 1;\n", "-- why\nSELECT 1;\n"), "cosmetic"),
    ],
)
def test_a_file_whose_comments_changed(
    path: str, code: tuple[str, str], verdict: str, repo: Repo, tmp_path: Path
) -> None:
    about = ("It is kept small on purpose", path)
    full, alone = told(repo, tmp_path, about, {path: code[0]}, {path: code[1]})
    # without the old tree the scope's other changes are not known to be cosmetic
    assert (full[0], alone[0]) == (verdict, "touched" if verdict == "cosmetic" else verdict)
