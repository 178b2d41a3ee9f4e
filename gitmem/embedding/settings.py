"""Which provider the user configured: ``git config gitmem.embed.…``, and a key from the environment.

| key | value |
|---|---|
| ``gitmem.embed.url`` | an OpenAI-compatible endpoint (``https://host/v1``) or Ollama (``http://localhost:11434``) |
| ``gitmem.embed.model`` | its model; ``offline`` without a url is the model of the extra ``vectors`` |
| ``gitmem.embed.timeout`` | milliseconds that a recall waits for the vector of its question (500) |
| ``gitmem.embed.queryPrefix``, ``gitmem.embed.documentPrefix`` | what the model wants before a text (``query: ``) |

The key is GITMEM_EMBED_KEY; OPENAI_API_KEY is sent to api.openai.com alone. Without either setting nothing is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

OFFLINE = "offline"
DEFAULT_TIMEOUT = 0.5
_LEAST, _MOST = 50, 60_000
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_OLLAMA_PORT = 11_434


class Settings(NamedTuple):
    """A provider as it is configured.

    Args:
        url: Where texts are sent, whole; empty for the offline model.
        model: Its name.
        is_ollama: Whether the endpoint speaks Ollama's own language.
        key: What proves who asks; empty without one.
        timeout: Seconds that an answer waits for the vector of a question.
        query_prefix: Before a question.
        document_prefix: Before anything else.
    """

    url: str
    model: str
    is_ollama: bool = False
    key: str = ""
    timeout: float = DEFAULT_TIMEOUT
    query_prefix: str = ""
    document_prefix: str = ""

    @property
    def host(self) -> str:
        """For people: who is asked."""
        return urlsplit(self.url).netloc or "the offline model"


def parse_settings(values: Mapping[str, str], environment: Mapping[str, str]) -> Settings | str | None:
    """The provider.

    Args:
        values: By the last part of the key, in lower case.
        environment: Of this process.

    Returns:
        None when nothing is configured; a sentence when what is configured cannot be used.
    """
    url, model = values.get("url", "").strip(), values.get("model", "").strip()
    if not url and not model:
        return None
    timeout = _timeout(values.get("timeout", ""))
    if timeout is None:
        return f"gitmem.embed.timeout is milliseconds from {_LEAST} to {_MOST}, not {values['timeout']}"
    prefixes = values.get("queryprefix", ""), values.get("documentprefix", "")
    if not url:
        if model == OFFLINE:
            return Settings("", OFFLINE, timeout=timeout)
        return f"gitmem.embed.model is {model} and gitmem.embed.url is not set; without one only {OFFLINE} is here"
    if not model:
        return f"gitmem.embed.url is set and gitmem.embed.model is not: name the model of {url}"
    return _endpoint(url, Settings("", model, False, "", timeout, *prefixes), environment)


def _timeout(value: str) -> float | None:
    if not value:
        return DEFAULT_TIMEOUT
    if not (value.isascii() and value.isdecimal() and _LEAST <= int(value[:6]) <= _MOST):
        return None
    return int(value) / 1_000


def _endpoint(url: str, settings: Settings, environment: Mapping[str, str]) -> Settings | str:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return f"gitmem.embed.url is no address: {url}"
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return f"gitmem.embed.url is no http or https address: {url}"
    if parts.username is not None or parts.password is not None:
        return "gitmem.embed.url holds a name or a password: leave it out and set GITMEM_EMBED_KEY"
    key = environment.get("GITMEM_EMBED_KEY", "")
    if not key and parts.hostname == "api.openai.com":
        key = environment.get("OPENAI_API_KEY", "")
    if key and parts.scheme == "http" and parts.hostname not in _LOOPBACK:
        return f"a key would be sent to {parts.netloc} for all to read: use https, or unset GITMEM_EMBED_KEY"
    if not (key.isascii() and key.isprintable()):
        return "GITMEM_EMBED_KEY holds what no header can"
    path, is_ollama = _path(parts, port)
    whole = parts._replace(path=path, fragment="").geturl()
    return settings._replace(url=whole, is_ollama=is_ollama, key=key)


def _path(parts: SplitResult, port: int | None) -> tuple[str, bool]:
    """The path to ask, and whether it is Ollama's own."""
    path = parts.path.rstrip("/")
    if path.endswith("/api/embed") or (port == _OLLAMA_PORT and path in {"", "/api"}):
        return (path if path.endswith("/embed") else "/api/embed"), True
    if path.endswith("/embeddings"):
        return path, False
    return f"{path or '/v1'}/embeddings", False


def is_loopback(url: str) -> bool:
    """Whether an address names this very machine."""
    return (urlsplit(url).hostname or "") in _LOOPBACK
