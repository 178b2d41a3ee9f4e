"""Find the trusted branch of this clone, and ask the server whether it stands where this clone says."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote

from gitmem.errors import GitmemError, NotServedError
from gitmem.git.interface import Repository
from gitmem.trust.branch import (
    TRUSTED_KEY,
    Trusted,
    candidate_refs,
    choose_remote,
    configured_refs,
    remote_of,
    short_name,
)


def trusted_branch(repo: Repository, settings: Mapping[str, str] | None = None) -> Trusted:
    """The branch whose tip holds what is approved, as this clone's refs tell (domain.md section 2).

    Args:
        repo: The repository.
        settings: What `ASKED` matches, where it was read already.

    Returns:
        With no ref and no commit, and the reason why, when there is none to trust; never raises for that.
    """
    settings = repo.settings(ASKED) if settings is None else settings
    remotes = _remotes(settings)
    configured = settings.get(TRUSTED_KEY.lower())
    if configured:
        return _configured(repo, configured, remotes)
    remote = choose_remote(remotes, settings.get("checkout.defaultremote"))
    if remotes and remote is None:
        names = ", ".join(sorted(remotes))
        return Trusted(
            None, None, f"several remotes ({names}) and none is origin: set git config {TRUSTED_KEY}"
        )
    default = f"refs/remotes/{remote}/HEAD"
    tips = repo.tips([*([default] if remote else []), *(ref for ref, _ in candidate_refs(remote, None))])
    if tips is None or (remote and default not in tips):  # git does not say whether its target is damaged
        return _one_by_one(repo, remote, default, settings)
    head = tips.get(default)
    for ref, why in candidate_refs(remote, head.target if head else None):
        tip = head if head is not None and ref == head.target else tips.get(ref)
        if tip is not None:
            return Trusted(ref, tip.oid, why, remote)
    return Trusted(None, None, _why_none(repo, remote, settings), remote)


ASKED = r"^(gitmem\.trustedref|checkout\.defaultremote|remote\..+\.[^.]+)$"
"""The settings that tell it."""


def _remotes(settings: Mapping[str, str]) -> tuple[str, ...]:
    """Names of the remotes, as ``git remote`` tells them."""
    names = {key.removeprefix("remote.").rpartition(".")[0] for key in settings if key.startswith("remote.")}
    return tuple(sorted(name for name in names if name and not name.startswith("/")))


def _one_by_one(repo: Repository, remote: str | None, default: str, settings: Mapping[str, str]) -> Trusted:
    """The slow way, for refs that git complains of: the first that counts and is damaged is an error, not absent."""
    for ref, why in candidate_refs(remote, repo.symbolic_ref(default) if remote else None):
        if commit := repo.ref(ref):
            return Trusted(ref, commit, why, remote)
    return Trusted(None, None, _why_none(repo, remote, settings), remote)


def _configured(repo: Repository, value: str, remotes: tuple[str, ...]) -> Trusted:
    why = f"git config {TRUSTED_KEY} names it"
    for ref in configured_refs(value):
        if commit := repo.ref(ref):
            return Trusted(ref, commit, why, remote_of(ref, remotes) or choose_remote(remotes, None))
    # A wrong setting must not fall back to another branch: the user said which one to trust.
    return Trusted(None, None, f"git config {TRUSTED_KEY} names {value}, which does not exist here")


def _why_none(repo: Repository, remote: str | None, settings: Mapping[str, str]) -> str:
    if remote is None:
        return "there is no remote and no branch main or master with a commit"
    fetched = settings.get(f"remote.{remote}.fetch")
    if fetched is None or (repo.layout.work_tree is None and "refs/remotes/" not in fetched):
        # As `git clone --bare` and `--mirror` leave it: whose the branches here are, nothing tells but the user.
        branch = quote(repo.head_ref() or "refs/heads/main")
        return (
            f"{remote} is not set up to fetch into refs/remotes/{remote}/, so no ref here stands for its branches;"
            f" if those here do: git config {TRUSTED_KEY} {branch}"
        )
    return f"nothing was fetched from {remote} yet, or it has neither HEAD nor main nor master: git fetch {remote}"


def ask_server(repo: Repository, trusted: Trusted) -> tuple[Trusted, str]:
    """Ask the server where its default branch stands (``--remote``).

    Returns:
        The trusted branch, `verified` and at the commit where the server's default branch stands, when that commit is
        here and the user named no other branch; and one sentence that says so, or what the server says instead.

    Raises:
        NotServedError: When there is no remote, or the server cannot be asked.
    """
    if trusted.remote is None:
        raise NotServedError("there is no remote to ask", hint="leave --remote out")
    try:
        tips = repo.remote_tips(trusted.remote)
    except GitmemError as error:
        raise NotServedError(
            f"{trusted.remote} could not be asked: {error.message}",
            hint="leave --remote out to see what this clone knows",
        ) from error
    if trusted.commit is None:
        return trusted, f"{trusted.remote} was asked, but this clone has no trusted branch: {trusted.why}"
    head = tips.get("HEAD")
    if head == trusted.commit:
        return trusted._replace(verified=True), f"{trusted.remote} says so too: {trusted.commit[:12]}"
    remark = _disagreement(trusted, head)
    if head is None or not repo.has(head) or repo.config(TRUSTED_KEY):
        return trusted, remark
    # The ref here may be forged or stale: what the server says counts, and it can be read.
    said = Trusted(f"refs/remotes/{trusted.remote}/HEAD", head, "the server says so", trusted.remote)
    return said._replace(verified=True), f"{remark}; judged as {trusted.remote} says"


def _disagreement(trusted: Trusted, head: str | None) -> str:
    if head is None:
        return f"{trusted.remote} does not say where its default branch stands"
    return (
        f"{trusted.remote}'s default branch stands at {head[:12]}, but {short_name(trusted.ref or '')} is"
        f" {(trusted.commit or '')[:12]} here: git fetch {trusted.remote}"
    )
