"""Agents set up in real repositories, and taken out again."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from gitmem.agents.table import AGENTS
from tests.support.cli import Done, gitmem
from tests.support.other_user import as_other_user
from tests.support.repo import Repo

NAMES = sorted(AGENTS)
ODD = {
    ".claude/settings.json": '{\n\t"permissions": {"allow": ["Bash(ls:*)"]},\n\t"hooks": {\n\t\t"SessionStart": [\n\t\t\t'
    '{"matcher": "", "hooks": [{"type": "command", "command": "bd prime"}]}\n\t\t]\n\t},\n\t"big": 12345678901234567890\n}',
    ".mcp.json": '{"mcpServers": {"other": {"command": "npx", "args": ["-y", "x"]}}, "x-unknown": {"깊은": [1, {"a": null}]}}\n',
    ".codex/hooks.json": '\ufeff{\r\n    "hooks": {\r\n        "Stop": []\r\n    }\r\n}\r\n',
    ".codex/config.toml": '# mine\nmodel = "o9"  # best\n\n[mcp_servers.other]\ncommand = "npx"\n',
    ".cursor/hooks.json": '{"version": 1, "hooks": {"stop": [{"command": "./audit.sh"}]}}',
    ".cursor/mcp.json": "{}",
    ".gemini/settings.json": '{\n  "context": {"fileName": "CONTEXT.md"},\n  "hooks": {}\n}\n',
    ".github/hooks/gitmem.json": '{"version": 1, "hooks": {}}\n',
    "AGENTS.md": "# Agents\n\n규칙: 테스트 먼저.",
    "CLAUDE.md": "# Claude\r\n\r\nBe brief.\r\n",
}


def files(repo: Repo) -> dict[str, bytes]:
    return {
        file.relative_to(repo.path).as_posix(): file.read_bytes()
        for file in repo.path.rglob("*")
        if file.is_file() and ".git/" not in f"{file.as_posix()}/"
    }


def run(repo: Repo, *words: str) -> Done:
    return gitmem("agent", *words, at=repo.path)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("given", [{}, ODD], ids=["fresh", "odd"])
def test_set_up_and_taken_out_again_everything_is_as_it_was(
    repo: Repo, name: str, given: dict[str, str]
) -> None:
    for path, text in given.items():
        repo.write(path, text.encode())
    before = files(repo)
    assert run(repo, "install", name).code == 0
    assert files(repo) != before
    assert run(repo, "uninstall", name).code == 0
    assert files(repo) == before


@pytest.mark.parametrize("name", NAMES)
def test_taken_out_by_another_clone_what_others_wrote_stays(repo: Repo, name: str) -> None:
    for path, text in ODD.items():
        repo.write(path, text.encode())
    run(repo, "install", name)
    for kept in (repo.path / ".git" / "gitmem" / "agents").iterdir():
        kept.unlink()
    assert run(repo, "uninstall", name).code == 0
    after = files(repo)
    assert all(b"gitmem hook agent" not in data and b"gitmem:begin" not in data for data in after.values())
    for path, text in ODD.items():
        if path.endswith(".json") and path in after:
            held = json.loads(after[path].decode("utf-8-sig"))
            assert "gitmem" not in held.get("mcpServers", {})
            for key, value in json.loads(text.lstrip("\ufeff")).items():
                assert key in ("hooks", "context", "mcpServers", "version") or held[key] == value
    assert b"bd prime" in after[".claude/settings.json"]
    assert b"./audit.sh" in after[".cursor/hooks.json"]
    assert after["AGENTS.md"].decode().rstrip() == ODD["AGENTS.md"]


@pytest.mark.parametrize("name", NAMES)
def test_a_second_time_changes_nothing_and_the_check_says_so(repo: Repo, name: str) -> None:
    for path, text in ODD.items():
        repo.write(path, text.encode())
    assert run(repo, "install", name, "--check").code == 1
    run(repo, "install", name)
    once = files(repo)
    assert {one["state"] for one in run(repo, "install", name, "--json").document["files"]} == {"kept"}
    assert (files(repo), run(repo, "install", name, "--check").code) == (once, 0)


def test_print_shows_the_change_and_makes_none(repo: Repo) -> None:
    repo.write("CLAUDE.md", "# Claude\n")
    before = files(repo)
    shown = run(repo, "install", "claude-code", "--print").out
    assert "+++ b/.claude/settings.json" in shown
    assert "+@AGENTS.md" in shown
    assert files(repo) == before


def test_print_keeps_tabs_and_shows_what_could_deceive(repo: Repo) -> None:
    repo.write(".codex/hooks.json", '{\n\t"hooks": {\n\t\t"Stop\u202e": []\n\t}\n}\n')
    shown = run(repo, "install", "codex", "--print").out
    assert '\n+\t\t"SessionStart": [\n' in shown
    assert "\u202e" not in shown


def test_what_another_agent_needs_stays(repo: Repo) -> None:
    run(repo, "install", "claude-code")
    run(repo, "install", "copilot")
    run(repo, "uninstall", "copilot")
    assert sorted(files(repo)) == [".claude/settings.json", ".mcp.json", "AGENTS.md", "CLAUDE.md"]
    listed = run(repo, "list", "--json").document["agents"]
    assert [one["agent"] for one in listed if one["installed"]] == ["claude-code"]


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        (".claude/settings.json", b'{\n  // mine\n  "a": 1\n}', ".claude/settings.json:2:3: a comment"),
        (".claude/settings.json", b'{"hooks": []}', "hooks is not a mapping"),
        (".claude/settings.json", b'{"hooks": {"SessionStart": {}}}', "hooks.SessionStart is not a list"),
        (".claude/settings.json", b"[]", "the file is not a mapping"),
        (".mcp.json", b"{", ".mcp.json:1:2"),
        ("AGENTS.md", b"a\n\xff\n", "AGENTS.md:2: this is not UTF-8"),
    ],
)
def test_what_cannot_be_edited_safely_is_refused_and_nothing_is_written(
    repo: Repo, path: str, text: bytes, message: str
) -> None:
    repo.write(path, text)
    before = files(repo)
    done = run(repo, "install", "claude-code")
    assert done.code == 3
    assert message in done.err
    assert files(repo) == before


def test_broken_toml_is_refused_with_its_line(repo: Repo) -> None:
    repo.write(".codex/config.toml", "a = 1\nb = = 2\n")
    done = run(repo, "install", "codex")
    assert (done.code, ".codex/config.toml:2" in done.err) == (3, True)


@pytest.mark.parametrize("link", [".claude", ".claude/settings.json", "AGENTS.md"])
def test_a_symbolic_link_is_never_followed(repo: Repo, tmp_path: Path, link: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "settings.json").write_text("{}")
    place = repo.path / link
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(outside if link == ".claude" else outside / "settings.json")
    done = run(repo, "install", "claude-code")
    assert (done.code, "symbolic link" in done.err) == (3, True)
    assert (outside / "settings.json").read_text() == "{}"


def test_a_claude_file_that_is_the_agents_file_needs_no_pointer(repo: Repo) -> None:
    repo.write("AGENTS.md", "# Agents\n")
    (repo.path / "CLAUDE.md").symlink_to("AGENTS.md")
    assert run(repo, "install", "claude-code").code == 0
    assert (repo.path / "CLAUDE.md").is_symlink()
    assert "gitmem:begin" in repo.read("AGENTS.md")


def test_an_older_entry_of_ours_is_renewed_in_its_place(repo: Repo) -> None:
    old = {"matcher": "startup", "hooks": [{"type": "command", "command": "gitmem hook agent claude-code"}]}
    repo.write(".claude/settings.json", json.dumps({"hooks": {"SessionStart": [old, {"hooks": []}]}}))
    run(repo, "install", "claude-code")
    held = json.loads(repo.read(".claude/settings.json"))["hooks"]["SessionStart"]
    assert len(held) == 2
    assert held[0]["matcher"].startswith("startup|resume")


def test_hooks_of_events_that_are_not_listened_to_any_more_go(repo: Repo) -> None:
    ours = {"command": "command -v gitmem >/dev/null 2>&1 && gitmem hook agent cursor || true", "timeout": 10}
    held = {"version": 1, "hooks": {"afterShellExecution": [{"command": "./audit.sh"}, ours], "stop": [ours]}}
    repo.write(".cursor/hooks.json", json.dumps(held, indent=2))
    assert run(repo, "install", "cursor", "--check").code == 1
    run(repo, "install", "cursor")
    hooks = json.loads(repo.read(".cursor/hooks.json"))["hooks"]
    assert hooks["afterShellExecution"] == [{"command": "./audit.sh"}]
    assert "stop" not in hooks
    assert "sessionStart" in hooks
    assert run(repo, "install", "cursor", "--check").code == 0


def test_a_server_that_somebody_set_up_otherwise_stays(repo: Repo) -> None:
    repo.write(".mcp.json", '{"mcpServers": {"gitmem": {"command": "uvx", "args": ["gitmem", "mcp"]}}}')
    run(repo, "install", "claude-code")
    assert json.loads(repo.read(".mcp.json"))["mcpServers"]["gitmem"]["command"] == "uvx"


@pytest.mark.parametrize(
    ("name", "path", "text"),
    [
        ("claude-code", ".mcp.json", '{"mcpServers": {"gitmem": {"command": "gitmem", "args": ["mcp"], "env": {"A": "1"}}}}'),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": {"gitmem": {"args": ["mcp"], "command": "gitmem", "disabled": false}}}\n'),
        ("gemini", ".gemini/settings.json", '{"mcpServers": {"gitmem": {"command": "gitmem", "args": ["mcp"], "trust": true}}}\n'),
        ("codex", ".codex/config.toml", '[mcp_servers.gitmem]\ncommand = "gitmem"\nargs = ["mcp"]\n\n[mcp_servers.gitmem.env]\nA = "1"\n'),
    ],
)  # fmt: skip
def test_a_server_that_a_user_added_something_to_is_kept_by_both(
    repo: Repo, name: str, path: str, text: str
) -> None:
    repo.write(path, text)
    assert run(repo, "install", name).code == 0
    assert run(repo, "uninstall", name).code == 0
    assert repo.read(path) == text
    run(repo, "install", name)
    for kept in (repo.path / ".git" / "gitmem" / "agents").iterdir():
        kept.unlink()
    run(repo, "uninstall", name)
    assert '"gitmem"' in repo.read(path), "in another clone too"


def test_an_inline_table_of_servers_is_refused_with_its_line_and_what_to_add(repo: Repo) -> None:
    repo.write(".codex/config.toml", "x = 1\nmcp_servers = { other = { command = 'x' } }\n")
    done = run(repo, "install", "codex")
    assert (done.code, ".codex/config.toml:2: mcp_servers is written inline" in done.err) == (3, True)
    assert 'gitmem = { command = "gitmem", args = ["mcp"] }' in done.err


def test_a_file_that_its_owner_made_read_only_is_left_alone(repo: Repo) -> None:
    file = repo.write("AGENTS.md", "# Mine\n")
    file.chmod(0o444)
    done = run(repo, "install", "codex")
    assert (done.code, "AGENTS.md is read-only" in done.err, "chmod u+w" in done.err) == (3, True, True)
    assert files(repo) == {"AGENTS.md": b"# Mine\n"}
    file.chmod(0o644)
    assert run(repo, "install", "codex").code == 0
    file.chmod(0o444)
    assert (run(repo, "uninstall", "codex").code, "gitmem:begin" in repo.read("AGENTS.md")) == (3, True)


@pytest.mark.parametrize(("name", "path"), [("codex", "AGENTS.md"), ("claude-code", "CLAUDE.md")])
def test_what_a_user_wrote_between_the_markers_is_never_lost(repo: Repo, name: str, path: str) -> None:
    run(repo, "install", name)
    text = repo.read(path).replace("<!-- gitmem:end -->", "내 규칙\r\n<!-- gitmem:end -->")
    line = text[: text.index("내 규칙")].count("\n") + 1
    repo.write(path, text.encode())
    for word in ("install", "uninstall"):
        done = run(repo, word, name)
        assert (done.code, f"{path}:{line}: " in done.err) == (3, True)
        assert "hint: move it behind" in done.err
    assert repo.path.joinpath(path).read_bytes() == text.encode()


def test_a_block_of_an_older_version_is_renewed(repo: Repo) -> None:
    run(repo, "install", "codex")
    new = repo.read("AGENTS.md")
    older = re.sub(r"cite each.*", "cite the ids of the memories that helped: `(memory: m-021)`.", new)
    assert older != new
    repo.write("AGENTS.md", older)
    assert run(repo, "install", "codex").code == 0
    assert repo.read("AGENTS.md") == new


def test_print_tells_a_refused_file_from_those_that_would_be_made(repo: Repo) -> None:
    repo.write(".claude/settings.json", "{\n  // mine\n}\n")
    told = run(repo, "install", "claude-code", "--print", "--json").document
    assert {one["file"]: one["state"] for one in told["files"]} == {
        ".claude/settings.json": "refused",
        ".mcp.json": "made",
        "AGENTS.md": "made",
        "CLAUDE.md": "made",
    }
    shown = run(repo, "install", "claude-code", "--print")
    assert shown.out.startswith("--- /dev/null\n+++ b/.claude/settings.json\n")
    assert "by hand, and shown as if new: .claude/settings.json" in shown.err


def test_an_unknown_agent_is_a_usage_error_that_names_the_nearest(repo: Repo) -> None:
    done = run(repo, "install", "claude")
    assert (done.code, "did you mean claude-code?" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<!-- gitmem:begin -->\nmine\n", 1),
        ("a\n<!-- gitmem:end -->\nmine\n", 2),
        ("<!-- gitmem:end -->\n<!-- gitmem:begin -->\n", 1),
        (
            "<!-- gitmem:begin -->\na\n<!-- gitmem:end -->\nmine\n<!-- gitmem:begin -->\n<!-- gitmem:end -->\n",
            5,
        ),
        ("<!-- gitmem:begin -->\n<!-- gitmem:begin -->\nmine\n<!-- gitmem:end -->\n", 2),
    ],
)
def test_a_marker_without_its_partner_is_refused_so_that_nobody_s_words_are_lost(
    repo: Repo, text: str, line: int
) -> None:
    repo.write("AGENTS.md", text)
    for word in ("install", "uninstall"):
        done = run(repo, word, "codex")
        assert (done.code, f"AGENTS.md:{line}: " in done.err) == (3, True)
    assert repo.read("AGENTS.md") == text
    assert not (repo.path / ".codex").exists()


def test_a_marker_that_is_only_spoken_of_is_none(repo: Repo) -> None:
    repo.write("AGENTS.md", "The block starts with `<!-- gitmem:begin -->` here.\n")
    run(repo, "install", "codex")
    run(repo, "uninstall", "codex")
    assert repo.read("AGENTS.md") == "The block starts with `<!-- gitmem:begin -->` here.\n"


@pytest.mark.parametrize("line", ["@AGENTS.md", "  @./AGENTS.md", "- see @AGENTS.md.", "Rules: @AGENTS.md"])
def test_a_file_that_points_already_needs_no_second_line(repo: Repo, line: str) -> None:
    repo.write("CLAUDE.md", f"# Claude\n{line}\n")
    run(repo, "install", "claude-code")
    assert repo.read("CLAUDE.md") == f"# Claude\n{line}\n"


@pytest.mark.parametrize("line", ["mail me@AGENTS.md", "@AGENTS.md.bak", "@docs/AGENTS.md"])
def test_what_merely_looks_like_a_pointer_is_none(repo: Repo, line: str) -> None:
    repo.write("CLAUDE.md", f"{line}\n")
    run(repo, "install", "claude-code")
    assert "\n@AGENTS.md\n" in repo.read("CLAUDE.md")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mcp_servers = 3\n", "mcp_servers is not a table"),
        ("mcp_servers = {other = {command = 'x'}}\n", ".codex/config.toml"),
        ("[[mcp_servers]]\ncommand = 'x'\n", "mcp_servers is not a table"),
        ("a = 1\na = 2\n", ".codex/config.toml"),
    ],
)
def test_toml_that_cannot_take_a_table_is_refused(repo: Repo, text: str, message: str) -> None:
    repo.write(".codex/config.toml", text)
    done = run(repo, "install", "codex")
    assert (done.code, message in done.err) == (3, True)
    assert files(repo) == {".codex/config.toml": text.encode()}


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers.other.command = 'x'\n",
        "[mcp_servers.gitmem]\ncommand = 'uvx'\n",
        "# only a comment, no line end",
        "[a]\r\nb = 1\r\n",
        "\ufeffa = 1\n",
    ],
)
def test_odd_toml_is_as_before_after_all(repo: Repo, text: str) -> None:
    repo.write(".codex/config.toml", text.encode())
    assert run(repo, "install", "codex").code == 0
    for kept in (repo.path / ".git" / "gitmem" / "agents").iterdir():
        kept.unlink()  # as in another clone
    assert run(repo, "uninstall", "codex").code == 0
    assert repo.path.joinpath(".codex/config.toml").read_bytes().rstrip() == text.encode().rstrip()


@pytest.mark.parametrize("command", [("uninstall", "gemini"), ()], ids=["agent", "all"])
@pytest.mark.parametrize("elsewhere", [False, True], ids=["this clone", "another clone"])
def test_a_name_that_is_left_for_other_tools_is_told(
    repo: Repo, *, elsewhere: bool, command: tuple[str, ...]
) -> None:
    repo.write(".gemini/settings.json", '{"theme": "dark"}\n')
    run(repo, "install", "gemini")
    if elsewhere:
        for kept in (repo.path / ".git" / "gitmem" / "agents").iterdir():
            kept.unlink()
    done = run(repo, *command) if command else gitmem("uninstall", at=repo.path)
    told = ".gemini/settings.json: context.fileName still names AGENTS.md"
    assert (done.code, told in done.err) == (0, elsewhere)
    assert ("AGENTS.md" in repo.read(".gemini/settings.json")) is elsewhere


@pytest.mark.parametrize("value", ["5", "null", "true", '{"AGENTS.md": 1}'])
def test_a_setting_of_an_odd_type_is_nobodys_and_ends_no_uninstall(repo: Repo, value: str) -> None:
    repo.write(".gemini/settings.json", f'{{"context": {{"fileName": {value}}}}}\n')
    run(repo, "install", "gemini")
    for kept in (repo.path / ".git" / "gitmem" / "agents").iterdir():
        kept.unlink()
    done = run(repo, "uninstall", "gemini")
    assert (done.code, "still names" in done.err) == (0, False)


def test_an_empty_file_stays_an_empty_file(repo: Repo) -> None:
    repo.write("AGENTS.md", "")
    run(repo, "install", "codex")
    run(repo, "uninstall", "codex")
    assert files(repo) == {"AGENTS.md": b""}


def test_in_any_order_of_taking_out_everything_is_as_it_was(repo: Repo) -> None:
    for path, text in ODD.items():
        repo.write(path, text.encode())
    before = files(repo)
    for name in NAMES:
        run(repo, "install", name)
    for name in (NAMES[2], NAMES[0], NAMES[4], NAMES[1], NAMES[3]):
        assert run(repo, "uninstall", name).code == 0
    assert files(repo) == before


def test_git_hooks_and_their_managers_are_left_alone(repo: Repo) -> None:
    husky = {
        "package.json": '{"scripts": {"prepare": "husky"}}\n',
        ".husky/pre-commit": "npm test\n",
        ".husky/_/pre-commit": "#!/bin/sh\n",
        ".claude/hooks/guard.sh": "#!/bin/sh\n",
        ".claude/settings.local.json": '{"hooks": {"Stop": []}}',
        ".github/hooks/audit.json": '{"version": 1, "hooks": {"sessionStart": [{"bash": "./audit.sh"}]}}',
    }
    for path, text in husky.items():
        repo.write(path, text)
    repo.git("config", "core.hooksPath", ".husky/_")
    for name in NAMES:
        assert run(repo, "install", name).code == 0
    after = files(repo)
    assert {path: after[path].decode() for path in husky} == husky
    assert repo.git("config", "core.hooksPath") == ".husky/_"


def test_every_hook_is_silent_and_succeeds_where_gitmem_is_not_installed(repo: Repo, tmp_path: Path) -> None:
    for name in NAMES:
        run(repo, "install", name)
    commands = {
        text
        for data in files(repo).values()
        for text in re.findall(r'"(?:command|bash)": "(command -v [^"]*)"', data.decode())
    }
    assert len(commands) == len(NAMES)
    for command in commands:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            capture_output=True,
            check=False,
            env={"PATH": str(tmp_path)},
            cwd=repo.path,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_folder_without_write_permission_is_named_and_nothing_is_half_done(repo: Repo) -> None:
    repo.write(".codex/hooks.json", "{}\n")
    message, before, after = as_other_user(_install_into_locked_folder, repo.path)
    assert ".codex/hooks.json cannot be written" in message
    assert before == after


def _install_into_locked_folder(folder: Path) -> tuple[str, object, object]:
    repo = Repo(folder, init=False)
    os.chdir(folder)  # where the tests run from may be closed to others
    (folder / ".codex").chmod(0o555)
    before = files(repo)
    done = run(repo, "install", "codex")
    (folder / ".codex").chmod(0o755)
    return done.err, before, files(repo)


BROKEN = {
    ".claude/settings.json": (
        b'{\n  "hooks": {"gitmem hook agent claude-code": }\n}\n',
        ".claude/settings.json:2:",
    ),
    ".codex/config.toml": (b"a = 1\nb = = 2\n", ".codex/config.toml:2"),
    ".cursor/hooks.json": (b"<<<<<<< ours\n{}\n", ".cursor/hooks.json:1:1"),
    ".gemini/settings.json": (b"{\n  // mine\n}\n", ".gemini/settings.json:2:3"),
    ".github/hooks/gitmem.json": (b"\xff", ".github/hooks/gitmem.json:1"),
    "AGENTS.md": (b"# mine\n<!-- gitmem:begin -->\nhalf of it\n", "AGENTS.md:2"),
}


@pytest.mark.parametrize("path", BROKEN)
def test_a_file_that_broke_after_the_installation_is_named_everywhere_and_all_else_is_undone(
    repo: Repo, path: str
) -> None:
    repo.commit("Begin", {"a": "x"})
    for name in NAMES:
        run(repo, "install", name)
    text, place = BROKEN[path]
    repo.path.joinpath(path).write_bytes(text)
    listed = run(repo, "list")
    assert (place in listed.out, "broken " in listed.out, "→" in listed.out) == (True, True, True)
    looked_over = gitmem("doctor", "--json", at=repo.path)
    wrong = [one for one in looked_over.document["checks"] if not one["ok"] and one["check"] != "agents"]
    assert looked_over.code == 1
    assert all(place in one["detail"] and one["cure"] for one in wrong)
    done = gitmem("uninstall", at=repo.path)
    assert (done.code, place in done.err, "hint: mend it" in done.err) == (3, True, True)
    assert files(repo) == {"a": b"x", path: text}
    assert gitmem("uninstall", at=repo.path).code == 3, "it is still there"


@pytest.mark.parametrize("name", NAMES)
def test_one_agent_with_a_broken_file_is_taken_out_of_the_others(repo: Repo, name: str) -> None:
    run(repo, "install", name)
    first = AGENTS[name].parts[0].path
    repo.path.joinpath(first).write_text("{")
    done = run(repo, "uninstall", name, "--json")
    assert (done.code, [one["path"] for one in done.document["problems"]]) == (3, [first])
    assert files(repo) == {first: b"{"}


def test_a_broken_file_that_was_never_gitmem_s_is_nobody_s_fault(repo: Repo) -> None:
    repo.commit("Begin", {".cursor/hooks.json": "{", ".mcp.json": "// x\n"})
    assert {one["state"] for one in run(repo, "list", "--json").document["agents"]} == {"absent"}
    assert gitmem("doctor", at=repo.path).code == 0
    assert gitmem("uninstall", at=repo.path).code == 0
    assert run(repo, "uninstall", "cursor").code == 0


def test_an_agent_is_known_in_another_clone_by_what_is_left_in_its_broken_file(repo: Repo) -> None:
    run(repo, "install", "cursor")
    for kept in (repo.path / ".git" / "gitmem" / "agents").iterdir():
        kept.unlink()
    file = repo.path / ".cursor/hooks.json"
    file.write_text(file.read_text() + "}")
    listed = run(repo, "list", "--json").document["agents"]
    assert [one["agent"] for one in listed if one["state"] == "broken"] == ["cursor"]


def test_an_emptied_file_lacks_what_was_in_it(repo: Repo) -> None:
    run(repo, "install", "cursor")
    repo.path.joinpath(".cursor/hooks.json").write_bytes(b"")
    states = {one["agent"]: one["state"] for one in run(repo, "list", "--json").document["agents"]}
    assert states["cursor"] == "incomplete"
    assert run(repo, "uninstall", "cursor").code == 0


def test_every_file_that_cannot_be_edited_is_named_at_once_and_print_shows_what_to_add_by_hand(
    repo: Repo,
) -> None:
    repo.write(".claude/settings.json", "{,}")
    repo.write("AGENTS.md", "<!-- gitmem:end -->\n")
    before = files(repo)
    done = run(repo, "install", "claude-code")
    assert (done.code, ".claude/settings.json:1:2" in done.err, "AGENTS.md:1" in done.err) == (3, True, True)
    shown = run(repo, "install", "claude-code", "--print")
    assert (shown.code, "+++ b/.claude/settings.json" in shown.out, "+## Project memory" in shown.out) == (
        3,
        True,
        True,
    )
    assert files(repo) == before


@pytest.mark.parametrize("word", ["install", "uninstall"])
def test_when_a_late_file_cannot_be_written_the_earlier_ones_are_restored(repo: Repo, word: str) -> None:
    for path, text in ODD.items():
        repo.write(path, text.encode())
    repo.path.joinpath(".claude/settings.json").chmod(0o640)
    if word == "uninstall":
        run(repo, "install", "claude-code")
        run(repo, "install", "gemini")
    message, before, after, modes = as_other_user(
        _closed_top if word == "install" else _closed_top_again, repo.path
    )
    assert "cannot be written" in message
    assert "restored to what it was: .claude/settings.json" in message
    assert before == after
    assert modes == [0o640]


def _closed_top(folder: Path, word: str = "install") -> tuple[str, object, object, list[int]]:
    repo = Repo(folder, init=False)
    os.chdir(folder)  # where the tests run from may be closed to others
    before = files(repo)
    folder.chmod(0o555)
    done = run(repo, word, "claude-code")
    folder.chmod(0o755)
    assert done.code == 3
    return done.err, before, files(repo), [repo.path.joinpath(".claude/settings.json").stat().st_mode & 0o777]


def _closed_top_again(folder: Path) -> tuple[str, object, object, list[int]]:
    return _closed_top(folder, "uninstall")


def test_folders_made_for_a_failed_installation_go_again(repo: Repo) -> None:
    repo.write(".github/workflows/ci.yml", "on: push\n")
    message, before, after = as_other_user(_closed_around_github, repo.path)
    assert "; restored to what it was: .github/hooks/gitmem.json" in message
    assert before == after == [".github/workflows"]


def _closed_around_github(folder: Path) -> tuple[str, list[str], list[str]]:
    repo = Repo(folder, init=False)
    os.chdir(folder)

    def folders() -> list[str]:
        return [str(one.relative_to(folder)) for one in folder.glob(".github/*")]

    before = folders()
    folder.chmod(0o555)
    done = run(repo, "install", "copilot")
    folder.chmod(0o755)
    assert not (folder / ".git/gitmem/agents").exists()
    return done.err, before, folders()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("given", [{}, ODD], ids=["fresh", "odd"])
def test_what_print_shows_is_a_patch_that_makes_just_what_installing_writes(
    repo: Repo, name: str, given: dict[str, str]
) -> None:
    for path, text in given.items():
        repo.write(path, text.encode())
    patch = run(repo, "install", name, "--print").out
    repo.git("apply", "--whitespace=nowarn", stdin=patch.encode())
    patched = files(repo)
    for path in patched.keys() - given.keys():
        repo.path.joinpath(path).unlink()
    for path, text in given.items():
        repo.write(path, text.encode())
    run(repo, "install", name)
    assert files(repo) == patched


FENCED = "# How it works\n\n```\n<!-- gitmem:begin -->\nx\n<!-- gitmem:end -->\n```\n\n~~~~md\n<!-- gitmem:end -->\n~~~~\n\n    <!-- gitmem:begin -->\n"


@pytest.mark.parametrize(
    "text",
    [
        "a\rb\r",
        "a\rb",
        "a\r\nb\nc\r\n",
        "a\nb\r\nc\n",
        "\ufeff# Agents\n",
        "\ufeff",
        "no line end",
        "a\r\n\r\n",
        FENCED,
        FENCED.replace("\n", "\r"),
        "```\nnever closed\n",
    ],
)
def test_an_agents_file_of_any_make_is_changed_once_and_restored(repo: Repo, text: str) -> None:
    repo.write("AGENTS.md", text.encode())
    before = files(repo)
    run(repo, "install", "codex")
    once = files(repo)
    assert run(repo, "install", "codex", "--check").code == 0
    run(repo, "install", "codex")
    assert files(repo) == once
    assert once["AGENTS.md"].startswith(text.encode())
    run(repo, "uninstall", "codex")
    assert files(repo) == before


@pytest.mark.parametrize("line_end", ["\r", "\r\n"])
def test_a_block_whose_line_ends_an_editor_changed_is_the_same_block(repo: Repo, line_end: str) -> None:
    repo.write("AGENTS.md", "# Agents\n")
    run(repo, "install", "codex")
    changed = repo.read("AGENTS.md").replace("\n", line_end).encode()
    repo.write("AGENTS.md", changed)
    assert run(repo, "install", "codex", "--check").code == 0
    run(repo, "uninstall", "codex")
    assert files(repo) == {"AGENTS.md": f"# Agents{line_end}".encode()}


HINDERED = {
    "hooks": ("claude-code", ".claude/settings.json", '{"disableAllHooks": true}\n', "disableAllHooks switches all hooks off"),
    "server": ("claude-code", ".claude/settings.json", '{"disabledMcpjsonServers": ["x", "gitmem"]}\n', "disabledMcpjsonServers switches the server off"),
    "another": ("claude-code", ".mcp.json", '{"mcpServers": {"gitmem": {"command": "mine", "args": ["x"]}}}\n', "the server called gitmem runs another program"),
    "codex": ("codex", ".codex/config.toml", "[features]\nhooks = false\n", "features.hooks switches all hooks off"),
    "codex, another": ("codex", ".codex/config.toml", '[mcp_servers.gitmem]\ncommand = "old"\n', "the server called gitmem runs another program"),
    "gemini": ("gemini", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}\n', "hooksConfig.enabled switches all hooks off"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "path", "text", "told"), HINDERED.values(), ids=HINDERED)
def test_what_keeps_an_agent_from_using_what_is_set_up_is_told_and_kept(
    repo: Repo, name: str, path: str, text: str, told: str
) -> None:
    repo.write(path, text)
    assert f"{path}: {told}; it is kept as it is" in run(repo, "install", name).err
    doctor = gitmem("doctor", at=repo.path)
    assert (doctor.code, f"{path}: {told}" in doctor.out) == (1, True)
    run(repo, "uninstall", name)
    assert repo.read(path) == text


@pytest.mark.parametrize("command", ["gitmem", "uvx", "/opt/gitmem/bin/gitmem"])
def test_a_server_of_gitmems_own_started_otherwise_hinders_nothing(repo: Repo, command: str) -> None:
    repo.write(
        ".mcp.json", json.dumps({"mcpServers": {"gitmem": {"command": command, "args": ["gitmem", "mcp"]}}})
    )
    assert "another program" not in run(repo, "install", "claude-code").err
