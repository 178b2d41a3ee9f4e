"""Which agents are set up in a project, in what state, and which of their files cannot be read. Reads only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from gitmem.agents.installing import concerns_gitmem, has_plugin, holds_own, plan_install
from gitmem.agents.parts import Agent, Part, Pointer
from gitmem.errors import GitmemError, InvalidDataError, NotServedError
from gitmem.git.interface import Repository


class Standing(NamedTuple):
    """An agent that is set up, whole or in part.

    Args:
        agent: The agent.
        missing: Files in which something of it is missing.
        problems: One for each of its files that cannot be edited; names the file and, where it can, the line.
    """

    agent: Agent
    missing: tuple[str, ...]
    problems: tuple[GitmemError, ...]

    @property
    def state(self) -> Literal["installed", "incomplete", "broken"]:
        return "broken" if self.problems else "incomplete" if self.missing else "installed"


def agents_here(repo: Repository, agents: Iterable[Agent]) -> tuple[Standing, ...]:
    """Agents whose own file, the first of their parts, has something of gitmem's, or had and cannot be read now.

    Raises:
        NotServedError: The repository is bare.
    """
    agents = tuple(agents)
    shared = [part.path for agent in agents for part in agent.parts]
    return tuple(_standing(repo, one) for one in agents if _is_here(repo, one, shared))


def _standing(repo: Repository, agent: Agent) -> Standing:
    plan = plan_install(repo, agent)
    return Standing(agent, tuple(one.path for one in plan.changes if one.word != "kept"), plan.problems)


def _is_here(repo: Repository, agent: Agent, shared: list[str]) -> bool:
    first, *rest = agent.parts
    if has_plugin(repo, agent) and any(_is_ours(repo, one) for one in rest if isinstance(one, Pointer)):
        return True
    # What the agent alone has tells whose a broken file is.
    own = [one for one in rest if shared.count(one.path) == 1]
    if not _is_broken(repo, first):
        return holds_own(repo, first) or any(_is_broken(repo, one) and _is_ours(repo, one) for one in own)
    return any(_is_ours(repo, one) for one in (first, *own))


def _is_broken(repo: Repository, part: Part) -> bool:
    try:
        holds_own(repo, part)
    except (InvalidDataError, NotServedError):
        return True
    return False


def _is_ours(repo: Repository, part: Part) -> bool:
    return concerns_gitmem(repo, part) if _is_broken(repo, part) else holds_own(repo, part)
