"""What a plain lower-case word in backticks is by the words around it: something that acts, or a value.

"`parse` caches its results" speaks of a method; "the status is `open`" does not. Pure on text; English, Korean, Japanese
and Chinese.
"""

from __future__ import annotations

import re

from gitmem.drift.words import Token

_FAR = 80
_ADVERB = r"(?:(?:also|always|first|itself|just|lazily|never|now|only|still|then|thus|\w+ly)\s+)*"
_DOES = re.compile(
    rf"""(?ix)(?:\([^()\n]*\))?`\**\s+(?:
        {_ADVERB}(?!(?:is|was|has|its|this|us|as|plus|versus|always|does)\b)[a-z]{{2,}}s\b(?!`)
      | {_ADVERB}(?:must|should|shall|will|does|do|may|can|cannot|could|won['’]t|can['’]t|doesn['’]t|don['’]t|mustn['’]t)\s+
        (?:not\s+)?{_ADVERB}(?!(?:be|have)\b)[a-z]{{2,}}\b
    )"""
)
_DOES_CJK = re.compile(
    r"`\s?(?:메서드|함수)?(?:은|는|이|가)\s[^.。\n]*?(?:(?<!입)니다|[한된른친긴]다|[는던]다|반환|않는다)"
    r"|`\s?(?:メソッド|関数)?(?:は|が)[^。\n]*?(?:する|します|[すくるむぶつ]。|ます)"
    r"|`\s?(?:方法|函数|函數)?(?:会|會|将|總是|总是|只|不)?(?:返回|缓存|緩存|快取|抛出|拋出|调用|呼叫|重试|重試|解析|检查|檢查|发送|發送|写入|寫入|读取|讀取)"
)
_NOUNS = "(?:callback|function|handler|helper|hook|method)s?"
_CJK_NOUNS = "(?:함수|메서드|메소드|훅|関数|メソッド|函数|函數|方法)"
_NOUN = re.compile(rf"(?i)`\**\s*(?:{_NOUNS}\b|{_CJK_NOUNS})")
_NOUN_AHEAD = re.compile(rf"(?i)(?:\b{_NOUNS}|{_CJK_NOUNS})\s*(?:called\s|named\s)?`$")
_CALLED = re.compile(
    r"(?i)\b(?:call(?:s|ed|ing)?|invok(?:e[sd]?|ing)|inside|before|after|override[sd]?|overriding|implements?)\s+(?:the\s+)?\**`$"
    r"|(?:调用|呼叫)\s?`$"
)
_CALLED_CJK = re.compile(r"`\s?(?:을|를)\s?(?:호출|부르|재정의)|`\s?を\s?(?:呼|オーバーライド)")
_VALUE_AHEAD = re.compile(
    r"(?i)(?:[=:/|,]|\b(?:is|are|be|to|as|or|and|not|than|with|by|on|mode|state|status|label|type|value|branch|command|key|field"
    r"|flag|option|column|tag|level|kind|role|event|named|called|default|defaults))\s*\**`$"
)
_VALUE_BEHIND = re.compile(
    r"(?ix)`\**(?:\s*[,/|=:]|\s+(?:or|and|mode|state|status|label|type|value|branch|command|key|field|flag|option|column|tag"
    r"|level|kind|role|event|package|folder|directory|file|script|target|job|table|crate|topic|queue|keyword|parameter|argument"
    r"|attribute|property|variable|is\s+(?:an?|the)"
    r"|[a-z]+s\s+(?:are|can|do|get|have|may|must|need|should|will|were))\b)"
    r"|`\s?(?:필드|값|상태|브랜치|명령|키|옵션|플래그|フィールド|値|状態|ブランチ|字段|状态|狀態|分支|命令)"
)


def is_said_to_act(text: str, token: Token) -> bool:
    """Whether the words say that a word in backticks does something, or call it a function or method."""
    ahead, behind = _around(text, token)
    return bool(
        token.called
        or (_DOES.match(behind) and not _VALUE_BEHIND.match(behind))
        or _DOES_CJK.match(behind)
        or _CALLED.search(ahead)
        or _CALLED_CJK.match(behind)
        or _NOUN.match(behind)
        or _NOUN_AHEAD.search(ahead)
    )


def is_said_value(text: str, token: Token) -> bool:
    """Whether the words show a word in backticks as a value, a field or one of a list."""
    ahead, behind = _around(text, token)
    return bool(_VALUE_AHEAD.search(ahead) or _VALUE_BEHIND.match(behind))


def _around(text: str, token: Token) -> tuple[str, str]:
    return text[max(0, token.start - _FAR) : token.start], text[token.end : token.end + _FAR]
