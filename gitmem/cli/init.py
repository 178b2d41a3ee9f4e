"""`gitmem init`."""

from __future__ import annotations

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation


@command("init", examples=["gitmem init", "gitmem -C path/to/project init"])
def init(invocation: Invocation) -> None:
    """Make .ai/ in this repository: the policies, the ignore file, and a first draft of the architecture's elements.

    What is there already is kept as it is, so the command can be run again at any time. Nothing is committed and
    nothing is written outside .ai/.
    """
    from gitmem.report.sanitise import visible
    from gitmem.store.defaults import default_files
    from gitmem.usecases.drafting import first_elements_file
    from gitmem.usecases.init import init as make

    repo = invocation.repository()
    made = make(repo, default_files(first_elements_file(repo)))
    if invocation.json:
        invocation.emit_json({"files": [{"file": one.path, "made": one.made} for one in made]})
        return
    invocation.emit_text(f"{'made' if one.made else 'kept'}  {visible(one.path)}" for one in made)
    if any(one.made for one in made):
        invocation.note(
            "next: write what you know in .ai/memory/ (.ai/README.md shows how), gitmem confirm ID --worktree, commit"
        )
    else:
        invocation.note("everything was there already; nothing was changed")
