"""Which rules files an agent loads by itself."""

from __future__ import annotations

import pytest

from gitmem.recall.loading import BY_HOST, context_files, host_of, imported


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("claude-code", "claude-code"),
        ("claude-code/2.1", "claude-code"),
        ("codex-mcp-client", "codex"),
        ("cursor-vscode", "cursor"),
        ("Gemini-CLI-mcp-client", "gemini"),
        ("github-copilot-developer", "copilot"),
        ("human", ""),
        ("", ""),
        ("claude-ai", ""),
        ("codexer", ""),
    ],
)
def test_an_agent_is_known_by_what_it_calls_itself(name: str, host: str) -> None:
    assert host_of(name) == host


def test_claude_code_does_not_load_what_codex_loads() -> None:
    assert not set(BY_HOST["claude-code"].files) & set(BY_HOST["codex"].files)


@pytest.mark.parametrize(
    ("path", "text", "paths"),
    [
        ("CLAUDE.md", "@AGENTS.md\n", ("AGENTS.md",)),
        ("CLAUDE.md", "Read @docs/rules.md, then @./docs/money.md.\n", ("docs/rules.md", "docs/money.md")),
        (".claude/CLAUDE.md", "@../AGENTS.md\n@rules/a.md", ("AGENTS.md", ".claude/rules/a.md")),
        ("CLAUDE.md", "@~/mine.md @/etc/passwd @../../out.md\n", ()),
        ("CLAUDE.md", "`@AGENTS.md` and\n```\n@docs/a.md\n```\n", ()),
        ("CLAUDE.md", "AGENTS.md", ("AGENTS.md",)),
        ("CLAUDE.md", "Mail me@example.org\n", ()),
    ],
)
def test_imports_are_paths_of_the_repository_outside_of_code(
    path: str, text: str, paths: tuple[str, ...]
) -> None:
    assert imported(path, text) == paths


@pytest.mark.parametrize(
    ("settings", "files"),
    [
        ('{"context": {"fileName": ["AGENTS.md", "GEMINI.md"]}}', ("AGENTS.md", "GEMINI.md")),
        ('{"contextFileName": "AGENTS.md"}', ("AGENTS.md",)),
        ('{"context": {"fileName": ["../a.md", 3, ""]}}', ()),
        ("{}", ()),
        ("[]", ()),
        ('{"context": null}', ()),
        ("no JSON", ()),
    ],
)
def test_the_settings_name_the_files_that_gemini_reads(settings: str, files: tuple[str, ...]) -> None:
    assert context_files(settings) == files
