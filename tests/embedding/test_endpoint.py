"""Endpoints on loopback: a real server, and one that answers badly in every way."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from gitmem.embedding.endpoint import Endpoint
from gitmem.embedding.provider import Failure
from gitmem.embedding.settings import Settings, parse_settings
from gitmem.embedding.vector import cosines
from tests.support.endpoints import Answer, Asked, Bad, Reply, bad_server, real_server, vectors

SHORT, LONG = 0.3, 20.0


def endpoint(url: str, environment: dict[str, str] | None = None, **values: str) -> Endpoint:
    settings = parse_settings({"url": url, "model": "m", **values}, environment or {})
    assert isinstance(settings, Settings)
    return Endpoint(settings, wait=lambda _seconds: None)


def failed(server: Bad, *texts: str, within: float = LONG) -> str:
    found = endpoint(server.url).embed(texts or ("one",), "query", within=within)
    assert isinstance(found, Failure)
    return found.reason


# a real one
@pytest.fixture(scope="module")
def real() -> Iterator[str]:
    with real_server() as url:
        yield url


def test_a_real_server_gives_the_same_texts_the_same_vectors_and_like_texts_like_ones(real: str) -> None:
    texts = (
        "prevent duplicate submit",
        "중복 제출 방지",
        "Icons are drawn on a grid",
        "prevent duplicate submit",
    )
    found = endpoint(real).embed(texts, "document", within=LONG)
    assert not isinstance(found, Failure), found
    ours, korean, other, again = found
    assert len(ours) == 384
    told = cosines(ours, [one.tobytes() for one in (korean, other, again)])
    assert told[2] == pytest.approx(1, abs=1e-3)
    assert told[0] > told[1]


def test_a_real_server_refuses_what_it_does_not_know_in_its_own_words(real: str) -> None:
    found = endpoint(real.replace("/v1", "/v9")).embed(["one"], "query", within=LONG)
    assert isinstance(found, Failure)
    assert "answers 404: unknown route" in found.reason


# what is sent
def test_key_model_and_prefix_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")  # this machine is asked without a proxy
    with bad_server(vectors([1, 0])) as server:
        asked = endpoint(server.url, {"GITMEM_EMBED_KEY": "k"}, queryprefix="query: ")
        assert not isinstance(asked.embed(["하나"], "query", within=LONG), Failure)
        (one,) = server.asked
    assert one.path == "/v1/embeddings"
    assert one.headers["Authorization"] == "Bearer k"
    assert one.body == {"model": "m", "input": ["query: 하나"], "encoding_format": "float"}


def test_ollama_is_asked_in_its_own_language() -> None:
    with bad_server(Reply(body=b'{"embeddings": [[0, 2]]}')) as server:
        url = server.url.replace("/v1", "/api/embed")
        found = endpoint(url).embed(["one"], "document", within=LONG)
        assert not isinstance(found, Failure)
        assert [list(one) for one in found] == [[0, 1]]
        assert [(one.path, one.body) for one in server.asked] == [
            ("/api/embed", {"model": "m", "input": ["one"]})
        ]


# what is wrong
def test_a_server_that_hangs_is_left_in_time() -> None:
    with bad_server(None) as server:
        assert "did not answer in time" in failed(server, within=SHORT)


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (Reply(body=b"<html><p>Welcome"), "a page of HTML"),
        (Reply(body=b""), "no JSON"),
        (vectors([1, 0]), "1 vectors for 2 texts"),
        (vectors([1, 0], [1, 0, 0]), "different lengths"),
        (
            Reply(401, b'{"error": {"message": "who are you"}}'),
            "answers 401: who are you: is GITMEM_EMBED_KEY right?",
        ),
        (Reply(404, b'{"error": "model \\"m\\" not found"}'), 'answers 404: model "m" not found'),
        (
            Reply(302, headers=(("Location", "http://169.254.169.254/latest"),)),
            "redirect to another server, which is not followed",
        ),
        (Reply(307, headers=(("Location", "/elsewhere"),)), "/elsewhere, which is not followed: set gitmem"),
        (Reply(200, b"x", (("Transfer-Encoding", "chunked"),)), "127.0.0.1"),
    ],
)
def test_a_wrong_answer_is_told_and_nobody_else_is_asked(reply: Reply, says: str) -> None:
    with bad_server(reply) as server:
        assert says in failed(server, "one", "two", within=2.0)
        assert {one.path for one in server.asked} == {"/v1/embeddings"}


@pytest.mark.parametrize(
    "elsewhere",
    [
        "http://10.0.0.1/v1",
        "http://127.0.0.2:{port}/v1",
        "http://127.0.0.1:1/admin",
        "//10.0.0.1/v1",
        "http://me@127.0.0.1:{port}/v1",
        "http://127.0.0.1:99999/",
        "ftp://127.0.0.1:{port}/v1",
        "/v1/\u202e",
    ],
)
def test_no_address_of_another_server_is_told_let_alone_recommended(elsewhere: str) -> None:
    with bad_server(None) as closed:
        url = urlsplit(closed.url)
    location = elsewhere.format(port=url.port)
    with bad_server(
        Reply(302, headers=(("Location", location.encode("utf-8").decode("latin-1")),))
    ) as server:
        said = failed(server)
    assert said.endswith("redirect to another server, which is not followed: is gitmem.embed.url right?")


def test_nobody_there() -> None:
    with bad_server(None) as server:
        pass
    assert "cannot be asked" in failed(server)


def test_what_fails_for_a_moment_is_tried_again_and_no_more_than_four_times() -> None:
    busy: Answer = Reply(429, b'{"error": {"message": "slow down"}}')
    with bad_server(busy, Reply(503), vectors([1, 0])) as server:
        assert not isinstance(endpoint(server.url).embed(["one"], "query", within=LONG), Failure)
        assert len(server.asked) == 3
    with bad_server(busy) as server:
        assert "answers 429: slow down" in failed(server)
        assert len(server.asked) == 4
    with bad_server(busy) as server:
        assert "answers 429" in failed(server, within=SHORT)
        assert len(server.asked) == 1


def test_what_is_too_long_is_cut_further() -> None:
    def picky(asked: Asked) -> Reply:
        longest = max(map(len, asked.body["input"]))
        return vectors([1, 0]) if longest <= 1_000 else Reply(413, b'{"error": "too long"}')

    with bad_server(picky) as server:
        assert not isinstance(endpoint(server.url).embed(["가" * 100_000], "query", within=LONG), Failure)
        assert [len(one.body["input"][0]) for one in server.asked] == [4_000, 1_000]
