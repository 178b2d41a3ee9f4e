"""GitHub's REST interface, as far as the Action asks it: reviews, permissions, one comment. Standard library only.

The token goes into one header of one host and nowhere else: redirects are not followed, errors name method, path and
status alone, and only https is spoken beyond this machine.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.client import HTTPException, HTTPResponse
from typing import Any, Final, Literal, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from gitmem import __version__
from gitmem.errors import UsageError
from gitmem.trust.reviews import Review
from gitmem.usecases.acting.forge import ForgeError

Method = Literal["GET", "POST", "PATCH"]

_SECONDS: Final = 30.0
_LARGEST: Final = 8 << 20
_PAGE: Final = 100
_MOST_PAGES: Final = 20
_TRIES: Final = 3
_FORBIDDEN, _NOWHERE = 403, 404
_AGAIN: Final = frozenset({429, 500, 502, 503, 504})
_LONGEST_PAUSE: Final = 20.0
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_WRITERS: Final = frozenset({"admin", "maintain", "write"})


class Comment(NamedTuple):
    """A comment that is on the pull request.

    Args:
        id: Its number.
        body: Its text.
        url: Where people see it.
    """

    id: int
    body: str
    url: str


class _RefusedRedirect(HTTPRedirectHandler):
    """Follows nothing: a token must not travel to where an answer points."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class GitHubRest:
    """The forge of one repository, as `gitmem.usecases.acting.forge.Forge` asks it.

    Args:
        address: ``GITHUB_API_URL``.
        repository: ``owner/name``.
        token: Sent with each request.
        pause: Waits some seconds before another try.

    Raises:
        UsageError: The address is neither https nor on this machine.
    """

    def __init__(
        self, address: str, repository: str, token: str, *, pause: Callable[[float], None] = time.sleep
    ) -> None:
        parts = urlsplit(address)
        if not parts.hostname or (
            parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK)
        ):
            raise UsageError(
                f"GITHUB_API_URL is {address!r}: the token is sent by https alone",
                hint="on github.com it is https://api.github.com",
            )
        self._address = address.rstrip("/")
        self._repository = repository
        self._token = token
        self._pause = pause
        self._opener = build_opener(_RefusedRedirect())

    # what the checks ask
    def reviews(self, number: int) -> Sequence[Review]:
        """Every review of a pull request, oldest first."""
        return [_review(one) for one in self._listed(f"pulls/{number}/reviews")]

    def authors(self, number: int) -> Sequence[str]:
        """Logins of who opened it and of who wrote its commits, merges aside."""
        opened = _login(_mapping(self._get(f"pulls/{number}")))
        wrote = [
            login
            for one in self._listed(f"pulls/{number}/commits")
            if len(one.get("parents") or ()) < 2 and (login := _login(one, "author"))
        ]
        return list(dict.fromkeys([opened, *wrote]))

    def may_write(self, login: str) -> bool | None:
        """Whether a person has write access; None when this token may not know."""
        try:
            told = _mapping(self._get(f"collaborators/{quote(login, safe='')}/permission"))
        except ForgeStatusError as error:
            if error.status == _FORBIDDEN:
                return None
            if error.status == _NOWHERE:
                return False
            raise
        return told.get("permission") in _WRITERS

    def pulls_of(self, commit: str) -> Sequence[int]:
        """Numbers of the merged pull requests that brought a commit."""
        listed = self._listed(f"commits/{quote(commit, safe='')}/pulls")
        return [
            one["number"] for one in listed if one.get("merged_at") and isinstance(one.get("number"), int)
        ]

    # the comment
    def find_comment(self, number: int, marker: str) -> Comment | None:
        """The comment that begins with a marker and was written by a machine, or by the person whose token this is.

        Anybody can write the marker; a stranger's comment is neither changed nor taken for ours.
        """
        marked = [
            one
            for one in self._listed(f"issues/{number}/comments")
            if str(one.get("body") or "").startswith(marker) and isinstance(one.get("id"), int)
        ]
        ours = [one for one in marked if _kind(one) == "Bot"]
        if not ours and marked and (me := self._me()):
            ours = [one for one in marked if _login(one) == me]
        return _comment(ours[0]) if ours else None

    def write_comment(self, number: int, body: str, old: Comment | None) -> Comment:
        """Write a comment, in place of an old one when there is one."""
        if old is not None:
            return _comment(
                _mapping(self._ask("PATCH", self._path(f"issues/comments/{old.id}"), {"body": body}))
            )
        path = self._path(f"issues/{number}/comments")
        return _comment(_mapping(self._ask("POST", path, {"body": body})))

    def _me(self) -> str:
        """Whose token it is, when it is a person's; the runner's own may not ask."""
        try:
            return _login({"user": self._ask("GET", "/user")})
        except ForgeError:
            return ""

    # asking
    def _path(self, rest: str) -> str:
        return f"/repos/{self._repository}/{rest}"

    def _get(self, rest: str) -> Any:
        return self._ask("GET", self._path(rest))

    def _listed(self, rest: str) -> Iterator[Mapping[str, Any]]:
        for page in range(1, _MOST_PAGES + 1):
            found = self._get(f"{rest}?per_page={_PAGE}&page={page}")
            if not isinstance(found, list):
                raise ForgeError(f"GET {self._path(rest)} answered no list")
            yield from (one for one in found if isinstance(one, dict))
            if len(found) < _PAGE:
                return

    def _ask(self, method: Method, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """The answer as JSON; what failed by chance is asked again, unless asking twice could write twice."""
        tries = 1 if method == "POST" else _TRIES
        for left in reversed(range(tries)):
            try:
                return self._once(method, path, body)
            except ForgeStatusError as error:
                if error.status not in _AGAIN or not left:
                    raise
                self._pause(min(error.wait or 2.0 ** (tries - left), _LONGEST_PAUSE))
        raise AssertionError("the last try answers or raises")  # pragma: no cover

    def _once(self, method: Method, path: str, body: Mapping[str, Any] | None) -> Any:
        request = Request(  # noqa: S310 - the scheme was checked when the address was taken
            self._address + path,
            data=None if body is None else json.dumps(body).encode(),
            method=method,
            headers={
                "Accept": "application/vnd.github+json",
                "Authorization": f"Bearer {self._token}",
                "Content-Type": "application/json",
                "User-Agent": f"gitmem/{__version__}",
                "X-GitHub-Api-Version": "2022-11-28",
            },
        )
        where = f"{method} {path.partition('?')[0]}"
        try:
            with self._opener.open(request, timeout=_SECONDS) as answer:
                return _document(answer, where)
        except HTTPError as error:
            with error:
                raise ForgeStatusError(where, error) from None
        except (URLError, HTTPException, TimeoutError, OSError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise ForgeError(f"{where}: no answer ({reason})") from None


class ForgeStatusError(ForgeError):
    """The forge answered and said no.

    Args:
        where: Method and path.
        error: The answer.
    """

    def __init__(self, where: str, error: HTTPError) -> None:
        self.status = error.code
        after = error.headers.get("Retry-After") or ""
        self.wait = float(after) if after.isdigit() else 0.0
        said = f": {message}" if (message := _said(error)) else ""
        super().__init__(f"{where} answered {error.code}{said}")


def _said(error: HTTPError) -> str:
    try:
        told = json.loads(error.read(65_536))
    except (ValueError, OSError, HTTPException):
        return ""
    return str(told.get("message") or "")[:200] if isinstance(told, dict) else ""


def _document(answer: HTTPResponse, where: str) -> Any:
    data = answer.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ForgeError(f"{where} answered more than {_LARGEST >> 20} MiB")
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise ForgeError(f"{where} answered no JSON") from None


def _mapping(found: Any) -> Mapping[str, Any]:
    if not isinstance(found, dict):
        raise ForgeError("an answer is no object")
    return found


def _account(one: Mapping[str, Any], field: str = "user") -> Mapping[str, Any]:
    found = one.get(field)
    return found if isinstance(found, dict) else {}


def _login(one: Mapping[str, Any], field: str = "user") -> str:
    return str(_account(one, field).get("login") or "")


def _kind(one: Mapping[str, Any]) -> str:
    return str(_account(one).get("type") or "")


def _review(one: Mapping[str, Any]) -> Review:
    return Review(
        _login(one), _kind(one) == "User", str(one.get("state") or ""), str(one.get("commit_id") or "")
    )


def _comment(one: Mapping[str, Any]) -> Comment:
    number = one.get("id")
    if not isinstance(number, int):
        raise ForgeError("a comment came back without its number")
    return Comment(number, str(one.get("body") or ""), str(one.get("html_url") or ""))
