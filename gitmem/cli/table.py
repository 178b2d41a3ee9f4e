"""Every command: its word, where it is made, and what the list of commands says of it.

The list is all that `gitmem --help` needs, so a command's module is imported only when its word is called.
Sections and their order are those of the README.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Entry(NamedTuple):
    """One command.

    Args:
        target: ``module:object`` of the click command.
        help: What it does, in a few words.
        hidden: Whether the list leaves it out (plumbing).
    """

    target: str
    help: str
    hidden: bool = False


class Nested(NamedTuple):
    """A word with words below it, such as ``run``.

    Args:
        help: What it is about, in a few words.
        commands: The words below.
        hidden: Whether the list leaves it out.
    """

    help: str
    commands: Mapping[str, Entry]
    hidden: bool = False


SECTIONS: Mapping[str, Mapping[str, Entry | Nested]] = {
    "Set-up": {
        "init": Entry("gitmem.cli.init:init", "Make .ai/ with its policies and schemas"),
        "status": Entry("gitmem.cli.status:status", "What is known here, on one screen"),
        "doctor": Entry("gitmem.cli.doctor:doctor", "What is set up, what is missing, and the cure"),
        "hooks": Nested(
            "Git hooks that record commits in the current run",
            {
                "install": Entry("gitmem.cli.hooks:install", "Let git record commits, rewrites and merges"),
                "uninstall": Entry("gitmem.cli.hooks:uninstall", "Restore the hooks as they were"),
                "status": Entry("gitmem.cli.hooks:status", "Which hooks are installed and would fire"),
            },
        ),
        "agent": Nested(
            "Coding agents: hooks, MCP server and context",
            {
                "install": Entry("gitmem.cli.agent:install", "Set an agent up in this project"),
                "uninstall": Entry("gitmem.cli.agent:uninstall", "Take it out again"),
                "list": Entry("gitmem.cli.agent:list_", "Agents, and which are set up here"),
            },
        ),
        "hook": Nested(
            "What installed hooks call",
            {
                "git": Entry("gitmem.cli.hooks:git", "Record what a git hook tells", hidden=True),
                "agent": Entry("gitmem.cli.hooks:agent", "Answer an agent's hook", hidden=True),
            },
            hidden=True,
        ),
    },
    "Know": {
        "remember": Entry("gitmem.cli.remember:remember", "Propose a lesson for the project's memory"),
        "import": Entry("gitmem.cli.import_:import_", "Take AGENTS.md, rules and ADRs as candidates"),
        "recall": Entry("gitmem.cli.recall:recall", "What is known about a task, the best first"),
        "brief": Entry("gitmem.cli.brief:brief", "What a session should read first"),
        "list": Entry("gitmem.cli.list:list_", "Memories: approved, doubtful, proposed"),
        "show": Entry("gitmem.cli.list:show", "One memory in full"),
        "map": Entry("gitmem.cli.map:map_", "Which elements are known, and which nobody wrote of"),
        "review": Entry("gitmem.cli.review:review", "What waits for a person, one by one"),
        "embed": Entry("gitmem.cli.embed:embed", "Make the vectors of meaning that are missing"),
    },
    "Decide": {
        "gate": Entry("gitmem.cli.gate:gate", "May these lessons become memory, and what is lacking"),
        "propose": Entry("gitmem.cli.propose:propose", "Make a candidate a file to be merged"),
        "confirm": Entry("gitmem.cli.confirm:confirm", "Record that somebody looked and it still holds"),
        "challenge": Entry("gitmem.cli.challenge:challenge", "Mark a memory as doubtful"),
        "deny": Entry("gitmem.cli.deny:deny", "Refuse a candidate, with the reason"),
        "retire": Entry("gitmem.cli.deny:retire", "Take a memory out of use, with the reason"),
    },
    "Check": {
        "drift": Entry("gitmem.cli.drift:drift", "Which memories the code has moved under"),
        "lint": Entry("gitmem.cli.lint:lint", "Check the files below .ai/"),
    },
    "Work": {
        "run": Nested(
            "The record of a task: what was done, what failed, what is next",
            {
                "start": Entry("gitmem.cli.run_start:start", "Begin a run and make it the current one"),
                "list": Entry("gitmem.cli.run_list:list_", "Runs, or failures that recur across them"),
                "show": Entry("gitmem.cli.run_show:show", "Where a run stands, now or at an event"),
                "log": Entry("gitmem.cli.run_log:log", "The events of a run"),
                "event": Entry("gitmem.cli.run_event:event", "Append an event of any type"),
                "note": Entry("gitmem.cli.run_words:note", "Note a finding"),
                "adopt": Entry("gitmem.cli.run_words:adopt", "Take up an approach"),
                "reject": Entry("gitmem.cli.run_words:reject", "Say what must not be tried again, and why"),
                "decide": Entry("gitmem.cli.run_words:decide", "Record a decision"),
                "risk": Entry("gitmem.cli.run_words:risk", "Note a risk, or clear one"),
                "next": Entry("gitmem.cli.run_words:next_", "Say what is to be done next"),
                "pause": Entry("gitmem.cli.run_words:pause", "Stop for now"),
                "resume": Entry("gitmem.cli.run_words:resume", "Go on with a paused or ended run"),
                "ask": Entry("gitmem.cli.run_words:ask", "Ask a person and wait"),
                "answer": Entry("gitmem.cli.run_words:answer", "Answer what was asked"),
                "switch": Entry("gitmem.cli.run_switch:switch", "Make another run the current one"),
                "fork": Entry("gitmem.cli.run_switch:fork", "A new run from an event of an old one"),
                "end": Entry("gitmem.cli.run_end:end", "End a run"),
                "exec": Entry(
                    "gitmem.cli.run_exec:exec_",
                    "Run tests, a build, a linter or an agent and record how it went",
                ),
                "handoff": Entry("gitmem.cli.run_handoff:handoff", "What the next agent has to know"),
                "archive": Entry("gitmem.cli.run_archive:archive", "Let ended runs leave the list of refs"),
                "verify": Entry("gitmem.cli.run_verify:verify", "Check every commit, event and artifact"),
                "export": Entry("gitmem.cli.run_export:export", "Write a run as plain files"),
                "import": Entry("gitmem.cli.run_export:import_", "Read runs from plain files"),
            },
        ),
        "sync": Entry("gitmem.cli.sync:sync", "Exchange the ledger with a remote"),
    },
    "More": {
        "mcp": Entry("gitmem.cli.mcp_:mcp", "Serve this memory to an agent, on standard input and output"),
        "help": Entry("gitmem.cli.help:help_", "Help on a command or a concept"),
        "action": Entry("gitmem.cli.action:action", "Check what a GitHub workflow runs for", hidden=True),
        "uninstall": Entry("gitmem.cli.doctor:uninstall", "Undo hooks, agents and settings; the data stays"),
        "completion": Entry("gitmem.cli.completion:completion", "Print the completion script of a shell"),
    },
}
