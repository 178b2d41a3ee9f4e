"""How git is asked for what differs from HEAD in a work tree, without running a filter that a repository configures."""

from __future__ import annotations

STATUS = (
    "status",
    "--porcelain=v2",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=dirty",
)


def filters_off(drivers: list[str]) -> dict[str, str]:
    """Variables that switch off filters; by variables because a name may hold ``=``.

    Args:
        drivers: Names of all that are configured.
    """
    pairs = [("core.safecrlf", "false"), ("core.splitIndex", "false"), ("core.untrackedCache", "false")]
    for name in drivers:
        pairs += [(f"filter.{name}.{part}", "") for part in ("clean", "smudge", "process")]
        pairs.append((f"filter.{name}.required", "false"))
    env = {"GIT_CONFIG_COUNT": str(len(pairs))}
    for number, (key, value) in enumerate(pairs):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return env
