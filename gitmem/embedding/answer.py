"""What an endpoint answered, as vectors; everything it sends is doubted."""

from __future__ import annotations

import json
from array import array
from typing import Any

from gitmem.embedding.provider import Failure
from gitmem.embedding.vector import normalised


def parse_answer(data: bytes, count: int) -> list[array[float]] | Failure:
    """The vectors of an answer in OpenAI's or Ollama's form.

    Args:
        data: The body.
        count: How many texts were asked for.
    """
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        looks = "a page of HTML" if data.lstrip()[:1] == b"<" else "what is no JSON"
        return Failure(f"answers {looks}: is gitmem.embed.url its address for embeddings?")
    rows = _rows(told)
    if rows is None:
        return Failure(f"answers without embeddings{_complaint(told)}")
    if len(rows) != count:
        return Failure(f"answers {len(rows)} vectors for {count} texts")
    try:
        vectors = [normalised(row if isinstance(row, list) else ()) for row in rows]
    except ValueError as error:
        return Failure(f"answers {error}")
    if len({len(one) for one in vectors}) != 1:
        return Failure("answers vectors of different lengths")
    return vectors


def _rows(told: Any) -> list[Any] | None:
    """The vectors in order of the texts."""
    if not isinstance(told, dict):
        return None
    if isinstance(told.get("embeddings"), list):
        return list(told["embeddings"])
    data = told.get("data")
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        return None
    placed = {
        one.get("index", place): one.get("embedding") for place, one in enumerate(data) if _has_place(one)
    }
    return [placed[place] for place in range(len(placed)) if place in placed]


def _has_place(one: dict[str, Any]) -> bool:
    return type(one.get("index", 0)) is int


def _complaint(told: Any) -> str:
    error = told.get("error") if isinstance(told, dict) else None
    said = error.get("message") if isinstance(error, dict) else error
    return f": {said[:200]}" if isinstance(said, str) and said.strip() else ""


def complaint(data: bytes) -> str:
    """What the body of an error says, begun with a colon; empty when it says nothing in words."""
    try:
        return _complaint(json.loads(data))
    except (ValueError, RecursionError):
        return ""
