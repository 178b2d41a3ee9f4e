"""What a statement claims.

Rules on words alone, English, Korean, Japanese and Chinese; code spans, paths and links never count as words, so that
``--all-files`` and ``not_found`` claim nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gitmem.drift.words import MAX_TEXT, Token, TokenKind, code_tokens
from gitmem.model.memory import Claim

STAND_IN = "\ufffc"
"""Stands for one character of a name, so that places stay true and a name is never read as words."""

_NEGATIVE = re.compile(
    r"""(?ix)(?<![\w-])(?:
        not | never | no | none | nothing | nowhere | nobody | neither | nor | without | cannot | \w+n['’]t
      | forbidden | prohibited | banned | disallowed
      | (?:the|a) \s (?:single|unique) | only | sole | solely | exclusively | all | every | each | any | always
      | leav\w+ \s (?:\S+\s){1,6}? (?:alone|untouched|unchanged)
      | exactly \s (?:one|two|three|four|five|\d+)
      | there \s (?:is|are) \s (?:just\s)? (?:one|two|three|four|five|six|seven|eight|nine|ten|\d+)
    )(?![\w-])"""
)
_NEGATIVE_CJK = re.compile(
    r"않|못\s?(?:하|한|할|해|쓰|쓴|함|된|되)|금지|모든|모두|전부|항상|언제나|절대|결코|오직|유일|뿐이|뿐이며|(?<![가-힣])안\s(?=[가-힣])"
    r"|없(?=[다는고으이음어애습])|말\s?것|말아야|지\s?마(?=[라세십시.\s]|$)|지\s?말|(?<=[가-힣A-Za-z)`*\ufffc])만(?=\s|[은이을으의])"
    r"|しない|しません|ません|なく|ない(?=[。、\s]|$|の|こと|で|よう)|禁止|だけ|のみ|すべて|全て|必ず|決して|使わず"
    r"|不(?!同|仅|僅|過|过|断)|禁止|只(?!读|讀)|仅|僅|所有|全部|从不|從不|没有|沒有|唯一|必须|總是|总是"
)
_HARMLESS = re.compile(
    r"""(?ix) \b(?: not \s (?:only|just|merely|necessarily) | whether \s or \s not | if \s not | or \s not | no \s matter | no \s problem
      | at \s all | after \s all | first \s of \s all | all \s right | all \s of \s a \s sudden | above \s all | not \s to \s mention
      | in \s any \s case | any \s time | any \s more | each \s other | why \s not | no\. (?=\s?\d)
      | if \s any | all \s checks | run \s all | for \s each | (?:read|write|append)-only )\b
      | \*\*[^*\n]{1,60}\*\*\s?: | \*\*[^*\n]{1,60}:\*\* | ^\#+\s.*$
      | 뿐(?:만)?\s?아니라 | 하지\s?않으면\s?안 | 지만 | 만들 | 만든 | 만약 | 만큼 | 만에 | \d\s?만 | 만나 | 만일 | 만족 | 만료 | 다만 | 잠깐만 | 하지만
      | だけでなく | のみならず | 不仅 | 不僅 | 不同 | 不过 | 不過 """,
    re.MULTILINE,
)
_PRESENCE = re.compile(
    r"""(?ix) \b(?:lives?|resides?|sits?|belongs?) \s (?:in|under|at|inside|within|here)\b
      | \b(?:is|are) \s (?:located|defined|found|stored|kept|declared|implemented|housed|placed|exported) \s (?:in|under|at|inside|within|from|by)\b
      | \b(?:is|are) \s (?:solely\s|mainly\s)?responsible \s for\b
      | \b(?:can|may) \s be \s found \s (?:in|under|at)\b
      | \b(?:is|are) \s (?:the|an?|our) \s (?:[\w-]+\s){0,3}?(?:entry[ -]?points?|home|root|main \s module|starting \s point)\b
      | ^\W*(?:put|place|add|keep|store|define|look \s for|find) \s .{0,80}? \b(?:in|under|inside|into)\b
      | \ufffc`?\s?(?:에서 \s (?:수행|처리|실행|이루어) | で(?:行われ|行なわれ|実行され|処理され)) | 在\s?`?\ufffc{1,200}`?\s?(?:中|里|裡)?\s?(?:进行|進行|执行|執行|处理|處理)
      | (?:에|에서) \s? (?:있다|있으며|있습니다|위치|산다|정의|구현|보관|모여|둔다|두며|놓는다|선언) | 진입점 | (?:의|은|는) \s 위치
      | に(?:ある|あります|定義|実装|置) | エントリ | 位于 | 位於 | 定义在 | 定義在 | 入口 """
)
_CONTENT_VERB = re.compile(
    r"(?i)\b(?:returns?|raises?|throws?|requires?|must|should|validates?|retries|sends?|calls?|enables?|uses?|runs?|fails?|"
    r"computes?|converts?|checks?|depends?)\b|반환|던진|던지|호출|검증|필요|해야|사용한다|쓴다|返す|必要|返回|抛出|必须"
)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])(?=\s|[^\x00-\x7f]|$)|\n\s*\n|\n(?=\s*[-*|\d])|[;；]")


def claim_beside(text: str, watched: Iterable[int]) -> Claim:
    """The claim of the words that no watch carries.

    A prohibition whose name is watched needs no counting of additions, so its sentence claims nothing more.

    Args:
        text: The statement.
        watched: Where prohibited names that are watched start in it.
    """
    claim = claim_of(text)
    starts = list(watched)
    if claim is not Claim.NEGATIVE or not starts:
        return claim
    rest, at = [], 0
    for sentence in _SENTENCES.split(text):
        at = text.index(sentence, at)
        if not any(at <= start < at + len(sentence) for start in starts):
            rest.append(sentence)
        at += len(sentence)
    left = claim_of(" ".join(rest)) if rest else Claim.CONTENT
    return left if left is Claim.NEGATIVE else Claim.CONTENT


_TAKEN_FROM = re.compile(
    rf"(?is)\W*(?:use|import|take|get)\s(?:the\s)?{STAND_IN}+(?:\(\))?(?:\s\w+)?\sfrom\s(?:the\s)?{STAND_IN}+(?:\s(?:to|for|when|if|in)\s.*)?\W*"
)
"""``Use X from Y to …`` says where X is to be had, not what it does."""


_RUN = re.compile(
    rf"\s*(?:\$\s)?(?:bash|sh|zsh|source|python3?|node|(?:uv\s)?pip3?\sinstall\s(?:-r|--requirement))\s{STAND_IN}+\s*"
)
"""A command line of a tool and the one file that it is given: the file is to be there, whatever it holds."""


def _is_presence(sentence: str) -> bool:
    if _TAKEN_FROM.fullmatch(sentence) or _RUN.fullmatch(sentence):
        return True
    return _PRESENCE.search(sentence) is not None and not _CONTENT_VERB.search(sentence)


_IN_FILE = re.compile(r"\b(is|are)\s(?:in|under)\s(?=[\[`*]{1,4}[\w./-]{0,200}(?:/|\.[a-z]{1,5})[`\]])")
"""``Configuration is in `x.config.ts` `` tells a place; ``the timeout is in `seconds` `` a unit."""
_SENTENCES = re.compile(r"(?<=[.!?。])\s+|\n\s*\n")


def claim_of(text: str) -> Claim:
    """What kind of claim the words make.

    Negative or universal ("never", "only", "모든", "금지") beats presence ("X lives in Y"); a text is presence only when
    each of its sentences says where something is and none says what it does.
    """
    told = _IN_FILE.sub(r"\1 located in ", text[:MAX_TEXT])
    plain = _HARMLESS.sub(" ", without_names(told))
    if _NEGATIVE.search(plain) or _NEGATIVE_CJK.search(plain):
        return Claim.NEGATIVE
    sentences = [one for one in _SENTENCE_END.split(plain) if re.search(rf"[^\W\d_]|{STAND_IN}", one)]
    if sentences and all(_is_presence(one) for one in sentences):
        return Claim.PRESENCE
    return Claim.CONTENT


_UNIVERSAL = re.compile(
    r"(?i)(?<![\w-])(?:all|every|each|any|always|both)(?![\w-])|모든|모두|전부|항상|언제나|すべて|全て|必ず|所有|全部|必须|總是|总是"
)
_CONTRAST = re.compile(rf"(?i)\((?:and\s+)?not\s+[^()\n]{{1,40}}\)|(?:,|\band)\s+not\s+{STAND_IN}")
"""``.test.ts`` (not ``.spec.ts``): which of two it is, told twice."""


def counts_growth(text: str) -> bool:
    """Whether what is merely added tells against the words: they deny something, or say that it is the only one.

    "Every tool has a test" is broken by a new tool, too, but growth alone does not tell; where nothing narrower is
    watched, the growth of a busy folder would challenge it for ever.
    """
    plain = _HARMLESS.sub(" ", without_names(text[:MAX_TEXT]))
    denied = _UNIVERSAL.sub(" ", _CONTRAST.sub(" ", plain))
    return _NEGATIVE.search(denied) is not None or _NEGATIVE_CJK.search(denied) is not None


def without_names(text: str, tokens: Iterable[Token] | None = None, *, products: bool = False) -> str:
    """The text with code spans and names as stand-ins; product words stay words unless asked for."""
    letters = list(text)
    for token in code_tokens(text) if tokens is None else tokens:
        if products or token.kind is not TokenKind.PRODUCT:
            letters[token.start : token.end] = STAND_IN * (token.end - token.start)
    masked = "".join(letters)
    return re.sub(r"`[^`\n]*`", lambda match: STAND_IN * len(match.group()), masked)
