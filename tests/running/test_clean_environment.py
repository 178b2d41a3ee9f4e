"""The environment of a command on a clean checkout."""

from __future__ import annotations

from pathlib import Path

from gitmem.running.clean_environment import clean_environment

GIVEN = {
    "PATH": "/usr/bin:.:bin::/opt/x/bin",
    "HOME": "/home/ada",
    "LANG": "ko_KR.UTF-8",
    "VIRTUAL_ENV": "/opt/venv",
    "DATABASE_HOST": "localhost",
}
SESSION = {
    "GIT_DIR": "/repo/.git",
    "GIT_INDEX_FILE": "/repo/.git/index",
    "GITMEM_RUN": "run-1",
    "PYTHONPATH": "/repo",
    "PYTHONSTARTUP": "/repo/evil.py",
    "SSH_AUTH_SOCK": "/run/agent",
    "XDG_CONFIG_HOME": "/home/ada/.config",
    "TMPDIR": "/var/tmp",
    "PWD": "/repo",
    "MAKEFLAGS": "-j8",
}
SECRETS = {"OPENAI_API_KEY": "sk-x", "GITHUB_TOKEN": "ghp", "aws_secret": "x", "DB_PASSWORD": "x"}


def cleaned(tmp_path: Path, **more: str) -> dict[str, str]:
    for name in ("tree", "home", "tmp"):
        (tmp_path / name).mkdir(exist_ok=True)
    places = {
        "folder": tmp_path / "tree",
        "home": tmp_path / "home",
        "scratch": tmp_path / "tmp",
    }
    return clean_environment({**GIVEN, **SESSION, **SECRETS, **more}, **places)


def test_what_tells_of_the_machine_stays_and_of_the_session_goes(tmp_path: Path) -> None:
    found = cleaned(tmp_path)

    assert {name: found[name] for name in ("LANG", "VIRTUAL_ENV", "DATABASE_HOST")} == {
        "LANG": "ko_KR.UTF-8",
        "VIRTUAL_ENV": "/opt/venv",
        "DATABASE_HOST": "localhost",
    }
    own = {"HOME", "TMPDIR", "PWD", "PYTHONPATH"}
    assert not {name for name in {*SESSION, *SECRETS} - own if name in found}
    assert found["HOME"] == str(tmp_path / "home")
    assert found["TMPDIR"] == str(tmp_path / "tmp")
    assert found["PWD"] == str(tmp_path / "tree")


def test_relative_entries_of_the_path_are_left_out(tmp_path: Path) -> None:
    assert cleaned(tmp_path)["PATH"] == "/usr/bin:/opt/x/bin"


def test_modules_are_looked_for_in_the_checkout_first(tmp_path: Path) -> None:
    assert cleaned(tmp_path)["PYTHONPATH"] == str(tmp_path / "tree")

    (tmp_path / "tree/src").mkdir()

    assert cleaned(tmp_path)["PYTHONPATH"] == f"{tmp_path}/tree/src:{tmp_path}/tree"


def test_tool_chains_in_the_home_folder_are_found_unless_told_otherwise(tmp_path: Path) -> None:
    for name in (".rustup", ".cargo"):
        (tmp_path / "ada" / name).mkdir(parents=True)

    found = cleaned(tmp_path, HOME=str(tmp_path / "ada"), CARGO_HOME="/opt/cargo")

    assert (found["RUSTUP_HOME"], found["CARGO_HOME"]) == (str(tmp_path / "ada/.rustup"), "/opt/cargo")
    assert "NVM_DIR" not in found
