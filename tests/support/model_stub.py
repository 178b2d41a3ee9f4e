"""A language model on loopback that says one thing whatever it is asked, and keeps every request; it may run a command first.

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


class Call(NamedTuple):
    """A tool that the model asks for."""

    name: str
    arguments: Mapping[str, str]


_SHELLS: Final = {
    "Bash": "command",
    "bash": "command",
    "run_shell_command": "command",
    "exec_command": "cmd",
    "shell_command": "command",
}
"""The tools of agents that run a command, and the argument that holds it."""
_RESULTS: Final = (b"tool_result", b"function_call_output", b"functionResponse")
_STREAM: Final = "text/event-stream"
_JSON: Final = "application/json"


@contextmanager
def model_stub(says: str, *, runs: str = "") -> Iterator[Stub]:
    """Serve until the context is left.

    Args:
        says: The answer to everything.
        runs: A command for the agent's shell, asked for before that; none when empty.
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
            self._send(*reply(self.path, data, says, runs))

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


def reply(path: str, data: bytes, says: str, runs: str = "") -> tuple[bytes, str]:
    """The body and its type, in the interface that the path belongs to; an empty object for a path of none."""
    route = path.partition("?")[0]
    if route.endswith(("count_tokens", ":countTokens")):
        return b'{"input_tokens": 1, "totalTokens": 1}', _JSON
    speakers: Mapping[str, Callable[[Any, str, str, Call | None], tuple[bytes, str]]] = {
        "/messages": _anthropic,
        "/responses": _openai,
        "enerateContent": _gemini,
    }
    speak = next((one for part, one in speakers.items() if part in route), None)
    asked = _read(data)
    return speak(asked, path, says, _call(asked, data, runs)) if speak else (b"{}", _JSON)


def _call(asked: Any, data: bytes, runs: str) -> Call | None:
    """What is to be run before anything is said: once, where the request offers a shell."""
    if not runs or any(mark in data for mark in _RESULTS):
        return None
    offered = set(_names(asked.get("tools", [])))
    name = next((one for one in _SHELLS if one in offered), None)
    return Call(name, {_SHELLS[name]: runs, "description": "Run it"}) if name else None


def _names(tools: Any) -> Iterator[str]:
    for one in tools if isinstance(tools, list) else []:
        yield str(one.get("name"))
        yield from _names(one.get("functionDeclarations"))


def _read(data: bytes) -> Any:
    try:
        held = json.loads(data)
    except ValueError:
        return {}
    return held if isinstance(held, dict) else {}


def _anthropic(asked: Any, _: str, says: str, call: Call | None) -> tuple[bytes, str]:
    message = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": asked.get("model", "stub"),
        "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip
    text = {"type": "text", "text": says}
    block: Mapping[str, Any] = {**text, "text": ""}
    delta = {"type": "text_delta", "text": says}
    if call:
        block = {"type": "tool_use", "id": "toolu_1", "name": call.name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call.arguments)}
    if not asked.get("stream"):
        content = [{**block, "input": call.arguments} if call else text]
        stop = "tool_use" if call else "end_turn"
        return json.dumps({**message, "content": content, "stop_reason": stop}).encode(), _JSON
    return _events(
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 1},
        },
        {"type": "message_stop"},
    )


def _openai(_: Any, __: str, says: str, call: Call | None) -> tuple[bytes, str]:
    content = [{"type": "output_text", "text": says, "annotations": []}]
    item: Mapping[str, Any] = {"type": "message", "id": "m1", "role": "assistant", "content": content}
    if call:
        item = {"type": "function_call", "id": "f1", "call_id": "c1", "name": call.name, "arguments": json.dumps(call.arguments)}  # fmt: skip
    done = {**item, "status": "completed"}
    usage = {
        "input_tokens": 1, "input_tokens_details": None,
        "output_tokens": 1, "output_tokens_details": None, "total_tokens": 2,
    }  # fmt: skip
    return _events(
        {"type": "response.created", "response": {"id": "r1"}},
        {"type": "response.output_item.done", "output_index": 0, "item": done},
        {"type": "response.completed", "response": {"id": "r1", "output": [done], "usage": usage}},
    )


def _gemini(_: Any, path: str, says: str, call: Call | None) -> tuple[bytes, str]:
    part = {"functionCall": {"name": call.name, "args": call.arguments}} if call else {"text": says}
    said = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    body = json.dumps({"candidates": [said], "usageMetadata": usage})
    return (f"data: {body}\r\n\r\n".encode(), _STREAM) if "alt=sse" in path else (body.encode(), _JSON)


def _events(*events: Mapping[str, Any]) -> tuple[bytes, str]:
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events).encode(), _STREAM
