"""Which provider is configured, and what cannot be used."""

from __future__ import annotations

import pytest

from gitmem.embedding.settings import Settings, parse_settings


def parsed(environment: dict[str, str] | None = None, **values: str) -> Settings | str | None:
    return parse_settings({name.lower(): value for name, value in values.items()}, environment or {})


def endpoint(url: str, **environment: str) -> Settings:
    found = parsed(environment, url=url, model="m")
    assert isinstance(found, Settings), found
    return found


def test_without_a_setting_nobody_is_asked_whatever_keys_there_are() -> None:
    assert parsed({"GITMEM_EMBED_KEY": "k", "OPENAI_API_KEY": "k"}) is None
    assert parsed(timeout="100") is None


def test_the_offline_model_needs_no_address() -> None:
    assert parsed(model="offline") == Settings("", "offline")


@pytest.mark.parametrize(
    ("written", "asked", "is_ollama"),
    [
        ("https://api.example.org/v1", "https://api.example.org/v1/embeddings", False),
        ("https://api.example.org", "https://api.example.org/v1/embeddings", False),
        ("https://api.example.org/v1/embeddings/", "https://api.example.org/v1/embeddings", False),
        ("https://host/openai/v2?api-version=3", "https://host/openai/v2/embeddings?api-version=3", False),
        ("http://localhost:11434", "http://localhost:11434/api/embed", True),
        ("http://localhost:11434/v1", "http://localhost:11434/v1/embeddings", False),
        ("https://ollama.example.org/api/embed", "https://ollama.example.org/api/embed", True),
    ],
)
def test_the_address_says_which_language_is_spoken(written: str, asked: str, is_ollama: bool) -> None:
    found = endpoint(written)
    assert (found.url, found.is_ollama) == (asked, is_ollama)


def test_a_key_of_openai_goes_to_openai_alone() -> None:
    assert endpoint("https://api.openai.com/v1", OPENAI_API_KEY="sk").key == "sk"
    assert not endpoint("https://api.example.org/v1", OPENAI_API_KEY="sk").key
    assert not endpoint("https://api.openai.com.example.org/v1", OPENAI_API_KEY="sk").key
    assert endpoint("https://api.example.org/v1", GITMEM_EMBED_KEY="k", OPENAI_API_KEY="sk").key == "k"


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"url": "file:///etc/passwd", "model": "m"}, "no http or https address"),
        ({"url": "ftp://host/", "model": "m"}, "no http or https address"),
        ({"url": "//host/v1", "model": "m"}, "no http or https address"),
        ({"url": "http://[::1", "model": "m"}, "no address"),
        ({"url": "http://host:99999999", "model": "m"}, "no address"),
        ({"url": "https://ada:secret@host/v1", "model": "m"}, "name or a password"),
        ({"url": "https://host/v1"}, "gitmem.embed.model is not"),
        ({"model": "bge-m3"}, "gitmem.embed.url is not set"),
        ({"model": "offline", "timeout": "soon"}, "milliseconds"),
        ({"model": "offline", "timeout": "0"}, "milliseconds"),
        ({"model": "offline", "timeout": "99999999"}, "milliseconds"),
    ],
)
def test_what_cannot_be_used_is_told_with_the_setting(values: dict[str, str], says: str) -> None:
    found = parsed(None, **values)
    assert isinstance(found, str)
    assert says in found
    assert "secret" not in found


def test_a_key_is_never_sent_in_the_clear_but_to_this_machine() -> None:
    key = {"GITMEM_EMBED_KEY": "k"}
    assert "for all to read" in str(parsed(key, url="http://10.0.0.7/v1", model="m"))
    assert endpoint("http://127.0.0.1:8000/v1", **key).key == "k"
    assert endpoint("http://10.0.0.7/v1").url == "http://10.0.0.7/v1/embeddings"
    assert "no header" in str(parsed({"GITMEM_EMBED_KEY": "a\nX: b"}, url="https://host/v1", model="m"))
