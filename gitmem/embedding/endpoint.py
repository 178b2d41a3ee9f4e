"""An OpenAI-compatible endpoint or Ollama, asked with the standard library.

No redirect is followed, wherever it leads: the user named one address, and texts go to no other. A request has one
deadline for all of it, the look-up of the name too, so it runs in a thread that nobody waits for afterwards.
"""

from __future__ import annotations

import json
import random
import re
import threading
import time
from array import array
from collections.abc import Callable, Sequence
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from gitmem import __version__
from gitmem.embedding.answer import complaint, parse_answer
from gitmem.embedding.provider import Failure, Kind
from gitmem.embedding.settings import Settings, is_loopback

BATCH = 32
_LARGEST = 64 << 20
_LENGTHS = (4_000, 1_000, 300)
"""Characters of a text: what a model cannot take is cut further."""
_TRIES = 4
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 20.0
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
_PORTS = {"http": 80, "https": 443}
_PLAIN = re.compile(r"[!-~]{1,200}")
_TOO_SLOW = "did not answer in time"
_TOO_LONG = frozenset({400, 413, 422})


class Endpoint:
    """Asks one address.

    Args:
        settings: Which one.
        wait: How a pause between two tries is made.
    """

    is_remote = True
    is_ready = True
    batch = BATCH

    def __init__(self, settings: Settings, wait: Callable[[float], object] = time.sleep) -> None:
        self._settings = settings
        self._wait = wait
        self._opener = _opener(settings.url)
        prefixes = f"{settings.query_prefix}\n{settings.document_prefix}"
        self.identity = f"{settings.url}\n{settings.model}\n{prefixes}"
        self.patience = settings.timeout

    def embed(self, texts: Sequence[str], kind: Kind, *, within: float) -> list[array[float]] | Failure:
        """See `Provider`. What fails for a moment is tried again while there is time."""
        until = time.monotonic() + within
        found: list[array[float]] | Failure = Failure("was not asked")
        for length in _LENGTHS:
            found = self._tried(texts, kind, length, until)
            if not (isinstance(found, Failure) and found.too_long):
                break
        if isinstance(found, Failure):
            return found._replace(reason=f"{self._settings.host} {found.reason}")
        return found

    def _tried(
        self, texts: Sequence[str], kind: Kind, length: int, until: float
    ) -> list[array[float]] | Failure:
        pause = _FIRST_PAUSE
        for _ in range(_TRIES):
            found = self._asked(texts, kind, length, until)
            if not isinstance(found, Failure) or not found.passing:
                return found
            pause = min(_LONGEST_PAUSE, pause * 2) * random.uniform(0.75, 1.25)
            if time.monotonic() + pause >= until:
                return found
            self._wait(pause)
        return found

    def _asked(
        self, texts: Sequence[str], kind: Kind, length: int, until: float
    ) -> list[array[float]] | Failure:
        prefix = self._settings.query_prefix if kind == "query" else self._settings.document_prefix
        body = self._body([prefix + text[:length] for text in texts])
        left = until - time.monotonic()
        answered = _within(left, lambda: self._posted(body, left)) if left > 0 else None
        if answered is None:
            return Failure(_TOO_SLOW)
        return answered if isinstance(answered, Failure) else parse_answer(answered, len(texts))

    def _body(self, texts: Sequence[str]) -> bytes:
        asked: dict[str, Any] = {"model": self._settings.model, "input": list(texts)}
        if not self._settings.is_ollama:
            asked["encoding_format"] = "float"
        return json.dumps(asked).encode()

    def _posted(self, body: bytes, timeout: float) -> bytes | Failure:
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": f"gitmem/{__version__}",
        }
        if self._settings.key:
            headers["Authorization"] = f"Bearer {self._settings.key}"
        request = Request(self._settings.url, body, headers, method="POST")  # noqa: S310 - `parse_settings` lets http and https alone pass
        try:
            with self._opener.open(request, timeout=timeout) as answer:
                data: bytes = answer.read(_LARGEST + 1)
        except HTTPError as error:
            with error:
                return _refusal(error, self._settings.url)
        except (URLError, HTTPException, OSError, ValueError) as error:
            return _broken(error.reason if isinstance(error, URLError) else error)
        return data if len(data) <= _LARGEST else Failure("answers without an end")


def _broken(reason: object) -> Failure:
    if isinstance(reason, TimeoutError):
        return Failure(_TOO_SLOW)
    is_passing = isinstance(reason, ConnectionError) and not isinstance(reason, ConnectionRefusedError)
    return Failure(f"cannot be asked: {reason}", is_passing)


def _refusal(error: HTTPError, url: str) -> Failure:
    if 300 <= error.code < 400:
        return Failure(_redirected(url, str(error.headers.get("Location", ""))))
    try:
        said = complaint(error.read(10_000))
    except (HTTPException, OSError):
        said = ""
    if error.code in {401, 403}:
        said += ": is GITMEM_EMBED_KEY right?"
    return Failure(f"answers {error.code}{said}", error.code in _PASSING, error.code in _TOO_LONG)


def _redirected(url: str, location: str) -> str:
    """What is said of a redirect: an address is recommended where it is of the server that the user named, and no other is told.

    Where a redirect leads is the server's word. Who follows it by hand to another host or port sends the texts, and the
    key, to whom the server likes, or to what lies in the user's own network.
    """
    try:
        asked, told = urlsplit(url), urlsplit(urljoin(url, location))
        is_same = (told.hostname, told.username) == (asked.hostname, asked.username)
        ways = {(told.scheme, told.port or _PORTS.get(told.scheme))}
        is_same = is_same and bool(
            ways & {(asked.scheme, asked.port or _PORTS[asked.scheme]), ("https", 443)}
        )
    except ValueError:
        is_same = False
    if not location:
        return "answers with a redirect to nowhere, which is not followed: is gitmem.embed.url right?"
    if not is_same or not _PLAIN.fullmatch(told.geturl()):
        return "answers with a redirect to another server, which is not followed: is gitmem.embed.url right?"
    return f"answers with a redirect to {told.geturl()}, which is not followed: set gitmem.embed.url to it"


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _opener(url: str) -> OpenerDirector:
    """Proxies of the environment count, but for this machine itself."""
    proxies = ProxyHandler({}) if is_loopback(url) else ProxyHandler()
    return build_opener(proxies, _NoRedirects)


def _within(seconds: float, work: Callable[[], bytes | Failure]) -> bytes | Failure | None:
    """What work gives; None when it takes longer."""
    given: list[bytes | Failure] = []

    def run() -> None:
        try:
            given.append(work())
        except Exception as error:  # noqa: BLE001 - whatever an answer breaks, words go on
            given.append(Failure(f"cannot be asked: {error}"))

    thread = threading.Thread(target=run, name="gitmem-embed", daemon=True)
    thread.start()
    thread.join(seconds)
    return given[0] if given else None
