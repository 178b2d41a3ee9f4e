"""`gitmem mcp`."""

from __future__ import annotations

import sys

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.errors import NotServedError


@command("mcp", examples=["gitmem mcp", "claude mcp add gitmem -- gitmem mcp"])
def mcp(invocation: Invocation) -> None:
    """Serve this repository's memory to an agent, over the Model Context Protocol on standard input and output.

    An agent starts it; `gitmem agent install NAME` sets that up. It serves the one repository that it was started in,
    writes candidates and events alone, and never a file. Each call has 5 seconds and 256 KiB. GITMEM_RUN,
    GITMEM_SESSION and GITMEM_ACTOR stand for what a call does not name.
    """
    layout = invocation.repository().layout
    try:
        from gitmem.mcp_server.serving import serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("gitmem"):
            raise
        raise NotServedError(
            f"the protocol server needs the package {error.name}",
            hint="pip install 'gitmem-ledger[full]'",
        ) from None
    if sys.stdin.isatty():
        invocation.note("serving; an agent speaks to this, and end of input ends it")
    serve(layout)
