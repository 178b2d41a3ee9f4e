"""A forge on the loopback: a server that speaks the few REST calls that the Action makes, as GitHub documents them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

REPOSITORY = "acme/shop"
TOKEN = "ghs_loopback0123456789abcdefghijklmnopqr"  # a made-up one, for this server alone


class Asked(NamedTuple):
    """One request as it came.

    Args:
        method: GET, POST or PATCH.
        path: With its query.
        token: What the authorization header said.
        body: The JSON sent; None without.
    """

    method: str
    path: str
    token: str
    body: Any


def account(login: str, kind: str = "User") -> dict[str, str]:
    return {"login": login, "type": kind}


@dataclass
class Forge:
    """What the server knows.

    Args:
        author: Who opened every pull request.
        reviews: In the order they were given.
        wrote: Logins of who wrote the commits of the pull request.
        permissions: By login; who is not named is no collaborator.
        pulls: Numbers of pull requests by the commit that they brought.
        comments: On the pull request.
        statuses: Statuses to answer with, by method and a pattern of the path, in order; the last one stays.
        me: Whose the token is; a runner's own may not ask.
        asked: Every request that came.
    """

    author: str = "dana"
    reviews: list[dict[str, Any]] = field(default_factory=list)
    wrote: list[str] = field(default_factory=list)
    permissions: dict[str, str] = field(default_factory=dict)
    pulls: dict[str, list[int]] = field(default_factory=dict)
    comments: list[dict[str, Any]] = field(default_factory=list)
    statuses: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    me: str = ""
    address: str = ""

    def review(self, login: str, state: str, commit: str, kind: str = "User") -> None:
        self.reviews.append({"user": account(login, kind), "state": state, "commit_id": commit})

    def status(self, method: str, path: str) -> int:
        for (wanted, pattern), left in self.statuses.items():
            if method == wanted and re.search(pattern, path):
                return left.pop(0) if len(left) > 1 else left[0]
        return 200

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        """Status and document."""
        if (status := self.status(method, path)) != 200:
            return status, {"message": "Resource not accessible by integration"}
        if path == "/user":
            return (200, account(self.me)) if self.me else (403, {"message": "Forbidden"})
        prefix = f"/repos/{REPOSITORY}/"
        rest = path.removeprefix(prefix) if path.startswith(prefix) else path
        if found := re.fullmatch(r"collaborators/([^/]+)/permission", rest):
            told = self.permissions.get(unquote(found[1]))
            return (200, {"permission": told}) if told else (404, {"message": "Not Found"})
        if found := re.fullmatch(r"commits/([0-9a-f]+)/pulls", rest):
            merged = [
                {"number": one, "merged_at": "2026-07-13T01:00:00Z"} for one in self.pulls.get(found[1], [])
            ]
            return 200, [*merged, {"number": 999, "merged_at": None}]
        if re.fullmatch(r"pulls/\d+", rest):
            return 200, {"user": account(self.author)}
        if re.fullmatch(r"pulls/\d+/reviews", rest):
            return 200, self.reviews
        if re.fullmatch(r"pulls/\d+/commits", rest):
            return 200, [{"author": account(one), "parents": [{}]} for one in self.wrote]
        return self._comment(method, rest, body)

    def _comment(self, method: str, rest: str, body: Any) -> tuple[int, Any]:
        if method == "GET" and re.fullmatch(r"issues/\d+/comments", rest):
            return 200, self.comments
        if method == "POST" and re.fullmatch(r"issues/\d+/comments", rest):
            if len(body["body"]) > 65_536:
                return 422, {"message": "Validation Failed"}
            self.comments.append(
                {"id": len(self.comments) + 1, "user": account("github-actions[bot]", "Bot"), **body,
                 "html_url": f"https://forge.example/c/{len(self.comments) + 1}"}
            )  # fmt: skip
            return 201, self.comments[-1]
        if method == "PATCH" and (found := re.fullmatch(r"issues/comments/(\d+)", rest)):
            one = next(one for one in self.comments if one["id"] == int(found[1]))
            one |= body
            return 200, one
        return 404, {"message": "Not Found"}


@contextmanager
def serving(forge: Forge) -> Iterator[Forge]:
    """The forge at an address of its own, until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._serve("GET")

        def do_POST(self) -> None:
            self._serve("POST")

        def do_PATCH(self) -> None:
            self._serve("PATCH")

        def log_message(self, *_: object) -> None:
            """Silent."""

        def _serve(self, method: str) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
            forge.asked.append(Asked(method, self.path, token, body))
            parts = urlsplit(self.path)
            status, told = forge.answer(method, parts.path, body)
            if "page=" in parts.query and isinstance(told, list):
                page = int(parts.query.rpartition("page=")[2])
                told = told[(page - 1) * 100 : page * 100]
            data = json.dumps(told).encode()
            self.send_response(status)
            if status in {301, 302, 307}:
                self.send_header("Location", f"{forge.address}/elsewhere")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        forge.address = f"http://127.0.0.1:{server.server_address[1]}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield forge
        finally:
            server.shutdown()
            thread.join()
