"""A language model on loopback that says one thing whatever it is asked, and keeps every request.

It speaks as much of three interfaces as coding agents need for one turn: Anthropic Messages, OpenAI Responses, Gemini.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, NamedTuple


class Asked(NamedTuple):
    """One request that was made.

    Args:
        path: With the query.
        text: The body.
    """

    path: str
    text: str


class Stub(NamedTuple):
    """Where it listens, without a path, and what it was asked."""

    url: str
    asked: list[Asked]


_STREAM: Final = "text/event-stream"
_JSON: Final = "application/json"


@contextmanager
def model_stub(says: str) -> Iterator[Stub]:
    """Serve until the context is left.

    Args:
        says: The answer to everything.
    """
    asked: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._send(b"", _JSON)

        def do_GET(self) -> None:
            self._send(b'{"data": [], "models": []}', _JSON)

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            asked.append(Asked(self.path, data.decode("utf-8", "replace")))
            self._send(*reply(self.path, data, says))

        def _send(self, body: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield Stub(f"http://127.0.0.1:{server.server_address[1]}", asked)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def reply(path: str, data: bytes, says: str) -> tuple[bytes, str]:
    """The body and its type, in the interface that the path belongs to; an empty object for a path of none."""
    route = path.partition("?")[0]
    if route.endswith(("count_tokens", ":countTokens")):
        return b'{"input_tokens": 1, "totalTokens": 1}', _JSON
    speakers: Mapping[str, Callable[[Any, str, str], tuple[bytes, str]]] = {
        "/messages": _anthropic,
        "/responses": _openai,
        "enerateContent": _gemini,
    }
    speak = next((one for part, one in speakers.items() if part in route), None)
    return speak(_read(data), path, says) if speak else (b"{}", _JSON)


def _read(data: bytes) -> Any:
    try:
        held = json.loads(data)
    except ValueError:
        return {}
    return held if isinstance(held, dict) else {}


def _anthropic(asked: Any, _: str, says: str) -> tuple[bytes, str]:
    text = {"type": "text", "text": says}
    message = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": asked.get("model", "stub"),
        "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip
    if not asked.get("stream"):
        return json.dumps({**message, "content": [text], "stop_reason": "end_turn"}).encode(), _JSON
    return _events(
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {**text, "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": says}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 1},
        },
        {"type": "message_stop"},
    )


def _openai(_: Any, __: str, says: str) -> tuple[bytes, str]:
    content = [{"type": "output_text", "text": says, "annotations": []}]
    said = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": content}
    usage = {
        "input_tokens": 1, "input_tokens_details": None,
        "output_tokens": 1, "output_tokens_details": None, "total_tokens": 2,
    }  # fmt: skip
    return _events(
        {"type": "response.created", "response": {"id": "r1"}},
        {"type": "response.output_item.done", "output_index": 0, "item": said},
        {"type": "response.completed", "response": {"id": "r1", "output": [said], "usage": usage}},
    )


def _gemini(_: Any, path: str, says: str) -> tuple[bytes, str]:
    said = {"content": {"role": "model", "parts": [{"text": says}]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    body = json.dumps({"candidates": [said], "usageMetadata": usage})
    return (f"data: {body}\r\n\r\n".encode(), _STREAM) if "alt=sse" in path else (body.encode(), _JSON)


def _events(*events: Mapping[str, Any]) -> tuple[bytes, str]:
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events).encode(), _STREAM
