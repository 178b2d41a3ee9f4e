"""What a statement claims, and which of its names stand under a prohibition.

Rules on words alone, English, Korean, Japanese and Chinese; code spans, paths and links never count as words, so that
``--all-files`` and ``not_found`` claim nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gitmem.drift.words import CJK, MAX_TEXT, Token, TokenKind, code_tokens, is_literal
from gitmem.model.memory import Claim

_STAND_IN = "\ufffc"
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
    r"|없(?=[다는고으이음어애습])|말\s?것|말아야|지\s?마(?=[라세십시.\s]|$)|지\s?말|(?<=[가-힣A-Za-z)`\ufffc])만(?=\s|[은이을으의])"
    r"|しない|しません|ません|なく|ない(?=[。、\s]|$|の|こと|で)|禁止|だけ|のみ|すべて|全て|必ず|決して|使わず"
    r"|不(?!同|仅|僅|過|过|断)|禁止|只(?!读|讀)|仅|僅|所有|全部|从不|從不|没有|沒有|唯一|必须|總是|总是"
)
_HARMLESS = re.compile(
    r"""(?ix) \b(?: not \s (?:only|just|merely|necessarily) | whether \s or \s not | if \s not | or \s not | no \s matter | no \s problem
      | at \s all | after \s all | first \s of \s all | all \s right | all \s of \s a \s sudden | above \s all | not \s to \s mention
      | in \s any \s case | any \s time | any \s more | each \s other | why \s not | no\. (?=\s?\d)
      | if \s any | all \s checks | run \s all | for \s each | (?:read|write|append)-only )\b
      | \*\*[^*\n]{1,60}\*\*\s?: | \*\*[^*\n]{1,60}:\*\* | ^\#+\s.*$
      | 뿐(?:만)?\s?아니라 | 하지\s?않으면\s?안 | 지만 | 만들 | 만든 | 만약 | 만큼 | 만에 | \d+\s?만 | 만나 | 만일 | 만족 | 만료 | 다만 | 잠깐만 | 하지만
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
    rf"(?is)\W*(?:use|import|take|get)\s(?:the\s)?{_STAND_IN}+(?:\(\))?(?:\s\w+)?\sfrom\s(?:the\s)?{_STAND_IN}+(?:\s(?:to|for|when|if|in)\s.*)?\W*"
)
"""``Use X from Y to …`` says where X is to be had, not what it does."""


def _is_presence(sentence: str) -> bool:
    if _TAKEN_FROM.fullmatch(sentence):
        return True
    return _PRESENCE.search(sentence) is not None and not _CONTENT_VERB.search(sentence)


_SENTENCES = re.compile(r"(?<=[.!?。])\s+|\n\s*\n")


def claim_of(text: str) -> Claim:
    """What kind of claim the words make.

    Negative or universal ("never", "only", "모든", "금지") beats presence ("X lives in Y"); a text is presence only when
    each of its sentences says where something is and none says what it does.
    """
    plain = _HARMLESS.sub(" ", _without_names(text[:MAX_TEXT]))
    if _NEGATIVE.search(plain) or _NEGATIVE_CJK.search(plain):
        return Claim.NEGATIVE
    sentences = [one for one in _SENTENCE_END.split(plain) if re.search(rf"[^\W\d_]|{_STAND_IN}", one)]
    if sentences and all(_is_presence(one) for one in sentences):
        return Claim.PRESENCE
    return Claim.CONTENT


def prohibited(text: str) -> frozenset[Token]:
    """The names that the text says must not be used, called, imported, or that it says are not there.

    "Do not skip X" and "never edit X" prohibit nothing: they need X to exist.
    """
    text = text[:MAX_TEXT]
    tokens = statement_tokens(text)
    plain = _without_names(text, tokens)
    return frozenset(
        token
        for first, last in _spans(plain)
        for token in tokens
        if first <= token.start and token.end <= last
    )


def statement_tokens(text: str) -> tuple[Token, ...]:
    """The names of the text; a bare word whose use a Korean sentence forbids is one, as if it stood in backticks."""
    tokens = code_tokens(text)
    if not _KOREAN_BARE_CUE.search(text):
        return tokens
    strong = [one for one in tokens if one.kind is not TokenKind.PRODUCT or not one.text.islower()]
    bare = [
        Token(match.group(), TokenKind.WORD, *match.span())
        for match in _BARE.finditer(_without_names(text[:MAX_TEXT], strong))
        if not is_literal(match.group())
    ]
    plain = _without_names(text[:MAX_TEXT], [*strong, *bare])
    spans = [(_list_before(plain, match.start()), match.end()) for match in _KOREAN_BARE.finditer(plain)]
    named = [one for one in bare if any(first <= one.start and one.end <= last for first, last in spans)]
    taken = {one.start for one in named}
    return tuple(
        sorted([*(one for one in tokens if one.start not in taken), *named], key=lambda one: one.start)
    )


def _without_names(text: str, tokens: Iterable[Token] | None = None) -> str:
    """The text with code spans and names as stand-ins; weak product words stay words."""
    letters = list(text)
    for token in code_tokens(text) if tokens is None else tokens:
        if token.kind is not TokenKind.PRODUCT:
            letters[token.start : token.end] = _STAND_IN * (token.end - token.start)
    masked = "".join(letters)
    return re.sub(r"`[^`\n]*`", lambda match: _STAND_IN * len(match.group()), masked)


_USE = (
    r"(?:use|using|used|call|calling|import|importing|invoke|invoking|depend(?:ing)? \s on|rely(?:ing)? \s (?:up)?on|reference|referencing|"
    r"instantiate|instantiating|create|creating|add|adding|introduce|introducing|include|including|require|requiring|install|installing|"
    r"commit|committing|mock|mocking|extend|extending|inherit(?:ing)? \s from|subclass|subclassing|export|exporting|expose|exposing|"
    r"pass|passing|enable|enabling|return|returning|raise|raising|throw|throwing|catch|catching|log|logging|write|writing|reach \s for|"
    r"hard-?code|access|accessing|know \s about|see|contain|have|touch \s the|go \s through|run|running)"
)
_NOT = r"(?:must|should|shall|do|does|may|can|will|to|is|are)(?:\s+not|n['’]t) | cannot | never | not | no \s longer"
_ADVERBS = r"(?:\s+(?:ever|directly|be|also|even|just|manually|anymore|both|either|allowed|permitted|to))*"
_THING = r"(?:\s+(?:anything|code|the|an?|any|from|of|raw|old|direct|legacy|deprecated|new|global|with|calls?|to|methods?|functions?))*"
_STOP = (
    r"(?=\s+(?:in|from|inside|within|under|outside|into|onto|for|on|at|when|if|unless|except|because|since|as|so|by|via|before|after|but|"
    r"while|instead|rather|where|which|that|use|prefer|is|are|and\s+(?:use|prefer|do|always|never))\b|[.;:!?]\s|[.;:!?]$|\s[-–—]+\s|\n\s*\n|[()|]|,\s+(?:use|prefer|but|it|they|which|so|we|and\s+use)\b|$)"
)
_LIST = rf"(?:(?!{_STOP}).)*"
_ENGLISH_AHEAD = re.compile(
    rf"""(?ixs)(?:
        (?:{_NOT}){_ADVERBS}\s+{_USE}{_THING}
      | (?:{_NOT})\s+(?:as|via|through|with|by){_THING}
      | \bavoid(?:s|ed|ing)?(?:\s+{_USE})?(?!\s+(?:edit|chang|mod|remov|delet|renam)){_THING}
      | \b(?:instead|in\s+place)\s+of(?:\s+{_USE})? | \brather\s+than(?:\s+{_USE})? | \bwithout(?:\s+{_USE})?
      | \b(?:forbid|ban|prohibit|disallow)s?(?:\s+{_USE})? | \b(?:refrain|abstain)\s+from(?:\s+{_USE})? | \bstop\s+{_USE}
      | \b(?:there\s+(?:is|are)|has|have|contains?|with)\s+no | (?:^|[.;:]\s|[-*]\s)no{_THING} | \bnot(?=\s{_STAND_IN})
      | \bnever(?=\s{_STAND_IN}++(?!(?:\(\))?\s(?:without|unless|until|before|after|alone)\b))
      | \bmigrated?\s+(?:away\s+)?from | \breplac(?:es|ed|ing)(?=\s{_STAND_IN}) | \bprefer\w*\s+(?:(?!\bover\b|[.;]).)+?\s+over
    )\s+(?P<names>{_LIST})"""
)
_ENGLISH_BEHIND = re.compile(
    r"""(?ixs)(?P<names>(?:^|(?<=[.;:!?]\s)|(?<=,\s))(?:(?![.;:!?]\s|,\s(?=\w+\s\w+)).)*?)
        \s+(?:(?:must|should|shall|may|can|is|are|will)(?:\s+(?:not|never|no \s longer)|n['’]t)(?:\s+ever)?(?:\s+be)?\s+
              (?:used|called|imported|invoked|allowed|permitted|referenced|instantiated|added|installed|committed|mocked|present|exist|available|supported|part)
          | cannot\s+be\s+(?:used|called|imported|invoked)
          | (?:is|are)\s+(?:strictly\s+|explicitly\s+)?(?:forbidden|banned|prohibited|disallowed|off-limits|deprecated)
          | (?:does|do)(?:\s+not|n['’]t)\s+exist)\b"""
)
_KOREAN_USE = (
    r"(?:쓰|사용\s?하|사용되|호출\s?하|부르|임포트\s?하|import\s?하|참조\s?하|의존\s?하|추가\s?하|넣|두|만들|생성\s?하|상속\s?하|도입\s?하|노출\s?하|"
    r"반환\s?하|던지|커밋\s?하|설치\s?하|모킹\s?하|mock\s?하|직접\s?쓰|가져오|불러오|알|갖|가지)"
)
_KOREAN_NOUN = r"(?:사용|호출|임포트|import|참조|의존|추가|도입|생성|상속|커밋|노출|직접\s?호출|직접\s?사용)"
_OBJECT = r"(?:\(\))?`?\s?(?:[^\s,.]{0,3}?(?:를|을|은|는|에|이|가|도|와|과)|\s)?"
_KOREAN = re.compile(
    rf"""(?x){_STAND_IN}{_OBJECT}\s*(?:직접\s|절대\s|더\s?이상\s|다시\s|새로\s)*
        (?:{_KOREAN_USE}지\s?(?:않|말|마|못) | {_KOREAN_NOUN}[을를은는]?\s?(?:하지\s?(?:않|말|마|못)|금지|불가|안\s?함|을\s?피) | 금지 | 대신 | 말고 | 없이 | 없(?=[다는고으이음어])
          | [을를]?\s?피(?:한|하|해) | [을를]?\s?(?:안|못)\s?(?:쓴|쓰|사용|부른) | 아니라 | 아닌 )"""
)
_BARE = re.compile(
    r"(?ax)(?<![\w./@:#-])(?!(?:import|mock|and|or|push|commit|merge|rebase|deploy|release|force)(?![\w-]))"
    r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*(?![\w/@:-]|\.\w)"
)
"""A lower-case word of ASCII letters, which in a Korean sentence is a name; what one does with Git is none."""
_KOREAN_BARE_CUE = re.compile(r"[a-z][^.\n]{0,60}(?:금지|지\s?(?:않|말|마))")
_KOREAN_BARE = re.compile(
    rf"""(?x){_STAND_IN}{_OBJECT}\s*(?:직접\s|절대\s|더\s?이상\s|다시\s|새로\s)*
        (?:(?:쓰|(?:사용|호출|임포트|import|참조|의존|추가|도입|설치)\s?하|가져오|불러오)지\s?(?:않|말|마)
          | (?:{_KOREAN_NOUN}[을를은는]?\s?)?금지 )"""
)
_JAPANESE = re.compile(
    rf"{_STAND_IN}`?\s?(?:を|は|が|に|も|の)?\s?(?:直接)?(?:使わ|使用し|呼び出さ|呼ば|import\s?し|インポートし|依存し|追加し)(?:ない|ず|ません)"
    rf"|{_STAND_IN}`?\s?(?:の|を)?\s?(?:使用|利用|呼び出し|import|インポート|追加|依存)?(?:は|を)?(?:禁止|避け)|{_STAND_IN}`?\s?(?:の代わりに|ではなく|なしで|はない)"
)
_CHINESE_AHEAD = re.compile(
    r"(?:不要|不得|不能|不可|不应|不應|不许|不許|禁止|避免|切勿|勿|别|別|而不是|代替|取代|没有|沒有)(?:再|直接|在代码中)?"
    r"(?:使用|用|导入|導入|引入|调用|調用|依赖|依賴|import)?\s?`?(?=\s?`?" + _STAND_IN + ")"
)
_JOINT = re.compile(
    rf"{_STAND_IN}+(?:\(\))?`?(?:\s?[,、，/·]\s?(?:또는\s|및\s|or\s|and\s)?|와\s|과\s|나\s|이나\s|\s(?:및|또는|and|or|和|或|과|와)\s|や|と|和|或|、)`?$"
)


def _spans(plain: str) -> Iterator[tuple[int, int]]:
    for match in _ENGLISH_AHEAD.finditer(plain):
        if not re.search(r"\bnot\s+only\b", match.group()):
            yield match.span("names")
    for match in _ENGLISH_BEHIND.finditer(plain):
        yield _after_place(plain, *match.span("names"))
    if not CJK.search(plain):
        return
    for match in (*_KOREAN.finditer(plain), *_JAPANESE.finditer(plain)):
        yield _list_before(plain, match.start()), match.end()
    for match in _CHINESE_AHEAD.finditer(plain):
        end = re.compile(rf"(?:[\s`、,，和或及]|{_STAND_IN})*").match(plain, match.end())
        yield match.end(), end.end() if end else match.end()


def _after_place(plain: str, first: int, last: int) -> tuple[int, int]:
    """Of "In A, B must not be used" and "inside A B is forbidden" the part behind the place."""
    place = re.match(r"(?i)\s*(?:in|inside|within|under|for)\s[^,]*,\s", plain[first:last])
    return (first + place.end() if place else first), last


def _list_before(plain: str, at: int) -> int:
    """Where a list of names that ends at the name around `at` begins."""
    start = at
    while start > 0 and plain[start - 1] == _STAND_IN:
        start -= 1
    joint = _JOINT.search(plain[:start].rstrip("`") + "") if start else None
    joint = joint or _JOINT.search(plain[:start])
    return _list_before(plain, joint.start()) if joint and joint.start() < start else start
