"""Statuses of HTTP in a statement, "answers 201 Created", "404를 반환", and how code names them.

``404`` is ``NOT_FOUND``, ``StatusNotFound`` or ``HTTP_404_NOT_FOUND`` in code; the standard library knows the phrases.
"""

from __future__ import annotations

import re
from http import HTTPStatus

STATUS = "status"
"""The unit of a number that is a status."""
_PHRASES = "|".join(
    sorted((re.escape(one.phrase) for one in HTTPStatus), key=lambda phrase: (-len(phrase), phrase))
)
_N = r"(?P<n>[1-5]\d\d)"
_AHEAD = r"(?<![A-Za-z0-9_.,:/#$§~^=<>@-])"
SAID = (
    re.compile(rf"(?i){_AHEAD}{_N}\s(?:{_PHRASES})(?!\w)"),
    re.compile(
        rf"(?i)\b(?:respond(?:s|ed)?|answer(?:s|ed)?|repl(?:y|ies|ied)|get(?:s)?|receive[sd]?|reject(?:s|ed)?|fail(?:s|ed)?|raise[sd]?|yield(?:s|ed)?|give[sd]?|HTTP)"
        rf"(?:\s(?:with|by|a|an|the|HTTP|status|code)){{0,4}}\s`?{_N}(?![\w%]|[.,:]\d|\s(?:[a-z]+s|ms|%)\b)"
    ),
    re.compile(
        rf"{_AHEAD}`?{_N}`?\s?(?:(?:을|를|로|으로|이|가)\s?(?:반환|응답|돌려|내려|던지)|(?:에러|오류|응답|코드)|を返|で応答|エラー|(?:错误|錯誤|状态码|狀態碼))"
    ),
    re.compile(rf"(?:返回|响应|回應)\s?`?{_N}(?!\w)"),
)


def status_names(number: str) -> frozenset[str]:
    """How code may name a status; empty for a number that is none.

    Args:
        number: Three digits.
    """
    if not (number.isdecimal() and int(number) in set(HTTPStatus)):
        return frozenset()
    status = HTTPStatus(int(number))
    words = re.findall(r"[A-Za-z]+", status.phrase)
    plain = "_".join(words)
    return frozenset({status.name, plain.lower(), "".join(words), f"Status{''.join(words)}", plain.upper()})
