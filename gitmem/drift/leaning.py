"""What a statement claims about a name that it cites: that it is there and is to be used, or what it does.

A sentence speaks *through* a name or *about* it, and one sentence may do either with each of its names:

- **name**: it says that the thing exists, is to be used, is where something is found, or is one of a list. Grammar shows
  it: the name is the object of a verb or preposition (use, call, find, import, extend; by, via, with; 을 사용한다, を使う, 使用),
  an item of a row or of a chain of names, or the subject of a verb of place or purpose (provides, defines, handles). That
  holds whatever the body says; a name that is gone, deprecated or takes other arguments ends it.
- **content**: it says what the thing does or holds: the name is the subject of any other verb, or the sentence tells a
  value, condition, order or reason. A changed body may make that false.

Content is what is assumed: a sentence leans on a name only when each of its mentions is plainly of the first kind and no
word beside it tells how the thing works. Rules on words alone, English, Korean, Japanese and Chinese.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import lru_cache

from gitmem.drift.words import MAX_TEXT, Token, TokenKind, code_spans, code_tokens

CITED, OTHER, FILE, TOOL = "\ue000", "\ue001", "\ue002", "\ue003"
"""Stand-ins of one character each: the name that is asked about, other names, paths, and words that may be tools."""
_ANY = f"[{CITED}{OTHER}{FILE}]"
_GAP = rf"[^\w{CITED}{OTHER}{FILE}{TOOL}]{{0,200}}"
_LEAD = rf"^(?:{_GAP}\d+[.)])?{_GAP}"
_JOIN = r"\s*(?:,\s*(?:and|or)\b|,|/|\+|&|、|・|\b(?:and|or)\b|와|과|및|또는|と|和|或)\s*"
_NAMES = rf"(?:{_ANY}{_JOIN})*{_ANY}"
_NOUN = (
    r"(?:\s+(?:class|component|constant|decorator|enum|fixture|function|helper|hook|interface|macro|method|mixin|module|node|"
    r"object|protocol|struct|trait|type|utility)(?:e?s)?)?"
)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])(?=\s|[^\x00-\x7f]|$)|\n\s*\n|\n(?=\s*[-*|\d])|[;；]")

_TOLD = re.compile(
    r"""(?ix) \d | (?<![\w-])(?:
        because | since | so \s that | which | whose | (?:it|they|this) \s (?:\w+s|will|does|has|can|must|never|only)
      | once | twice | thrice | times | seconds? | minutes? | defaults? | by \s default | at \s (?:most|least) | exactly
      | zero | one | two | three | four | five | six | seven | eight | nine | ten
    )(?![\w-]) | 때문 | 므로 | 초\s | 번\s | 기본값 | ため | から\s?(?:で|、) | 因为 | 因為 | 默认 | 預設"""
)
"""Values and reasons: with them a sentence tells how something works, whatever part the name plays in it."""
_HOW = re.compile(
    r"""(?ix) \( | (?<![\w-])(?:
        that | when | whenever | if | unless | until | while | before | within | not | no | never | only | just | solely | always
      | all | every | each | any | both | none | must | should | cannot | without | with | using | via | through | by | into | as
      | returns? | raises? | throws? | retr(?:y|ies) | fails? | first | then | instead | except | also | but | from
    )(?![\w-]) | \b\w+n['’]t\b
      | 반환 | 던진 | 던지 | 실패 | 재시도 | 면\s | 때\s | 않 | 없 | 모든 | 항상 | 먼저 | 다음 | 만\s | 返す | 返し | 投げ | 場合 | ない | だけ | 必ず
      | 返回 | 抛出 | 如果 | 不 | 只 | 所有 | 先"""
)
"""Conditions, order, outcomes and means: of what a name is said to do or be they tell how."""

_USE = r"""(?:use[sd]? | using | utili[sz]e[sd]? | reuse[sd]? | call(?:s|ed|ing)? | invoke[sd]? | invoking | import(?:s|ed|ing)? | prefer(?:s|red)?
    | try | see(?:\s+also)? | find | found | run(?:s|ning)? | execute[sd]? | extend(?:s|ed|ing)? | inherit(?:s|ing)?\s+from | subclass(?:es|ing)?
    | implement(?:s|ed|ing)? | adopt(?:s|ed)? | follow(?:s|ed)? | provide[sd]? | define[sd]? | export(?:s|ed)? | expose[sd]? | list(?:s|ed)?
    | include[sd]? | offer(?:s|ed)? | raise[sd]? | throws? | returns? | emit(?:s|ted)? | register(?:s|ed)?(?:\s+[\w\s-]{1,40}?\s(?:in|with|to))?
    | (?:add|put|place)(?:\s+[\w\s-]{1,40}?)?\s+(?:in|to|into|under) | (?:live|reside|belong|defined|declared|implemented|located|wrapped)s?\s+(?:in|inside|with)
    | via | through | by | with | such\s+as | like | named | similar\s+to | based\s+on | instead\s+of | over)"""
_ADJECTIVES = r"(?:\s+(?!(?:inside|within|during|\w+ly)\b)(?:the|a|an|our|its|this|[\w\ue003-]+)){0,3}?"
_OBJECT = re.compile(rf"(?ix)(?<![\w-]){_USE}{_ADJECTIVES}:?\s+\**(?:{_NAMES}{_JOIN})?{CITED}")
_OBJECT_CJK = re.compile(
    rf"{CITED}(?:{_JOIN}{_ANY})*\s?(?:함수|클래스|메서드|훅|헬퍼|타입|상수|스크립트|명령)?(?:를|을)\s?(?:[^\s.]+\s){{0,3}}?(?:사용|쓴|쓰|써|호출|참고|참조|상속|확장|이용|활용|실행|돌[린려]|통해|거[쳐친]|임포트)"
    rf"|{CITED}(?:{_JOIN}{_ANY})*\s?(?:함수|클래스|메서드)?(?:으로|로|에서|에)\s"
    rf"|{CITED}(?:{_JOIN}{_ANY})*\s?(?:関数|クラス|メソッド|という型|コマンド)?を[^。]{{0,12}}?(?:使|利用|呼|参照|継承|インポート|実行|経由|通じ|通して)"
    rf"|{CITED}(?:{_JOIN}{_ANY})*\s?(?:関数|クラス|メソッド)?で(?!す|あ|は)"
    rf"|(?:使用|调用|呼叫|通过|透過|经由|參考|参考|参见|參見|导入|匯入|继承|繼承|运行|执行|執行|用)\s?(?:{_NAMES}{_JOIN})?{CITED}"
)

_IS = r"""(?:is|are)\s+(?:(?:the|an?|our)\s+)?(?:[\w-]+\s+){0,3}?(?:entry[ -]?points?|starting\s+point|home|root|main\s+module|helper|wrapper|utility|hook
    |component|class|function|method|service|client|transport|backend|registry|factory|interface|provider|router|middleware|fixture|command
    |tool|script|type|handler|manager|decorator|base\s+class)s?\b"""
_PURPOSE = rf"""(?:provide|define|export|expose|list|declare|contain|hold|handle|manage|maintain|track|represent|own|coordinate|orchestrate|wrap
    |implement|describe|model)s?\b | (?:is|are)\s+(?:mainly\s+)?responsible\s+for\b | (?:live|reside|sit|belong)s?\s+(?:in|under|at|inside)\b
    | (?:is|are)\s+(?:defined|located|declared|implemented|exported|found|stored|kept)\s | {_IS}"""
_SUBJECT = re.compile(
    rf"(?ix){_LEAD}(?:{FILE}\**\s*[:：]\**\s*)?(?:\b(?:the|our|this|both)\s+)?\**(?:{_NAMES}{_JOIN})?{CITED}\**(?:\s*\({_GAP}{FILE}{_GAP}\))?"
    rf"(?:{_JOIN}{_NAMES})?{_NOUN}(?:\s+(?:in|from|of)\s+{_NAMES})?\s+(?P<verb>{_PURPOSE})(?P<rest>.*)",
    re.DOTALL,
)
_SUBJECT_CJK = re.compile(
    rf"{_LEAD}(?:{_NAMES}{_JOIN})?{CITED}\s?(?:함수|클래스|메서드|훅|컴포넌트|타입)?(?:은|는|이|가)\s(?P<ko>.*?)(?:제공|정의|담당|관리|내보|진입점|헬퍼|위치|에\s?있)"
    rf"|{_LEAD}(?:{_NAMES}{_JOIN})?{CITED}\s?(?:関数|クラス|メソッド)?(?:は|が)(?P<ja>.*?)(?:提供|定義|担当|管理|エントリ|ヘルパ|にある)"
    rf"|{_LEAD}(?:{_NAMES}{_JOIN})?{CITED}\s?(?:提供|定义|定義|负责|負責|管理|位于|位於|是[^。]*?(?:入口|辅助|輔助))(?P<zh>.*)",
    re.DOTALL,
)

_CHAIN = re.compile(
    rf"(?:[^{CITED}{OTHER}{FILE}]{{0,80}}[:：\s])?{_GAP}{_ANY}(?:\s*(?:→|->|=>|>)\s*{_ANY})+{_GAP}"
)
_MEMBERS = r"(?:\s+(?:[a-z]+\s+)?(?:lifecycle|methods?|functions?|members?|fields?|properties|attributes|hooks?|operations?|calls?|interface|api))?"
_LABEL = re.compile(
    rf"(?P<label>{_GAP}(?:[^\W\d_]|{TOOL})[^:：{CITED}{OTHER}]{{0,60}})[:：]\**\s*{_NAMES}(?:\s+with\s+{_NAMES}{_MEMBERS})?{_GAP}"
)
_LISTED = re.compile(rf"\s{{0,9}}\({_GAP}{_NAMES}{_GAP}\)")
"""Names alone in parentheses: what is spoken of is what they are examples of."""
_ROW = re.compile(
    rf"{_LEAD}(?:see\s+)?(?:{_NAMES}{_JOIN})?{CITED}\**\s*(?:[:：]|[-–—]\s)\**(?P<gloss>.*)", re.DOTALL
)
_BARE = re.compile(rf"{_GAP}{_NAMES}{_GAP}")
_PRONOUN = re.compile(
    rf"(?i)^{_GAP}(?:it|they|this|these|those|both|each|either)\b|^{_GAP}(?:이는|이것|그것|둘|これ|それ|它|这|這)"
)
_USED = re.compile(
    rf"(?i){_GAP}(?:this|that|it|these|those|they)\s+(?:is|are)\s+(?:what|where)\s+[^.{CITED}]{{1,60}}?\s(?:uses?|calls?|imports?|starts?|lives?|goes?|belongs?){_GAP}"
)
"""What follows says who uses it, and nothing of how it works."""


def leans_on_name(text: str, name: str) -> bool:
    """Whether a statement rests on a definition's name and use alone, so that its body may change.

    Args:
        text: The statement.
        name: The definition, dotted where nested; its last part is looked for.
    """
    return _leans(text[:MAX_TEXT], name.rpartition(".")[2])


def leans_on_command(text: str, name: str) -> bool:
    """The same of a script or target: only its name is cited, as ``make NAME`` without arguments, and no tool is said to
    stand behind it.
    """
    bare = re.compile(rf"(?:[\w.@/-]+\s+){{0,3}}?(?:[\w:.-]+\|)*{re.escape(name)}(?:\|[\w:.-]+)*")
    spans = [text[first + width : last - width] for first, last, width in code_spans(text)]
    cited = [span.strip() for span in spans if _whole(name).search(span)]
    return bool(cited) and all(bare.fullmatch(span) for span in cited) and _leans(text[:MAX_TEXT], name)


def _tells_value(text: str, name: str) -> bool:
    """Whether a code span gives the name with a value: ``MOST = 5``, ``retry: 2``."""
    told = re.compile(rf"(?<![\w$-]){re.escape(name)}[\"']?\s*(?::(?!:)|=(?!>)|==)\s*[^\s:=]")
    return any(told.search(text, first, last) for first, last, _ in code_spans(text))


def _leans(text: str, name: str) -> bool:
    said = [one for one in _SENTENCE_END.split(_with_stand_ins(text, name)) if one and one.strip()]
    cited = [CITED in one for one in said]
    if not any(cited) or _tells_value(text, name):
        return False
    follows = [one for at in range(len(said) - 1) if cited[at] and not _USED.fullmatch(one := said[at + 1])]
    return all(_is_named(one) for one in said if CITED in one) and not any(map(_PRONOUN.match, follows))


def _is_named(sentence: str) -> bool:
    """Whether each mention in a sentence is of the name alone."""
    if _CHAIN.fullmatch(sentence) or _BARE.fullmatch(sentence):
        return True
    if (outside := _LISTED.sub("", sentence)) != sentence and CITED not in outside:
        return _TOLD.search(outside) is None and _HOW.search(outside) is None
    if label := _LABEL.fullmatch(sentence):
        return _TOLD.search(label["label"]) is None
    if (cells := [cell for cell in sentence.split("|") if cell.strip()]) and len(cells) > 1:
        return all(_is_purpose(cell) or _BARE.fullmatch(cell) for cell in cells)
    if row := _ROW.match(sentence):
        return CITED not in row["gloss"] and _is_purpose(row["gloss"])
    if _TOLD.search(_ANOTHER.sub(" ", re.sub(rf"^{_GAP}\d+[.)]\s", "", sentence))):
        return False
    if found := _SUBJECT.match(sentence) or _SUBJECT_CJK.match(sentence):
        told = " ".join(filter(None, found.groups()))
        return CITED not in told and _HOW.search(told) is None
    objects = [*_OBJECT.finditer(sentence), *_OBJECT_CJK.finditer(sentence)]
    return bool(objects) and sentence.count(CITED) <= len(objects) and not _tells_after(sentence)


_ANOTHER = re.compile(
    r"(?i)\bone\s+(?:[\w-]+\s+)?(?:(?:onto|into|to|with|from|by|after)\s+)?(?:another|the\s+other)\b"
)
"""One of two things, and no number."""
_TAIL = re.compile(
    r"(?i)^\s*+(?:\(|[-–—:：]\s|(?:,\s*+)?(?:that|which|where|whose|it)\b|(?:is|are|was|returns?|will|can|must|does)\b)"
)


_ORDER_CJK = re.compile(
    r"먼저|순서|다음에|이어서|[은한]\s(?:뒤|후|다음)에?\s|하고\s|先に|順に|その後|してから|然后|之后|再"
)
"""Behind the name: in what order the thing does what it does."""


def _tells_after(sentence: str) -> bool:
    """Whether words behind the name go on about it: "use `x`, which …", "`x`: …"."""
    tail = re.sub(rf"^(?:{_JOIN}{_ANY})+", "", sentence.rpartition(CITED)[2])
    if _ORDER_CJK.search(tail) and OTHER not in tail:
        return True
    return _TAIL.match(re.sub(rf"(?i)^{_NOUN}", "", tail)) is not None


def _is_purpose(gloss: str) -> bool:
    """What something is for, in a few words: no value, condition or means, and no tool that does it."""
    words = gloss.strip()
    plain = re.sub(rf"^{_GAP}{TOOL}(?=\s+[a-z])", "", words)
    return (
        not (_TOLD.search(plain) or _HOW.search(plain) or TOOL in plain or OTHER in plain.strip(" `"))
        or _BARE.fullmatch(words) is not None
    )


@lru_cache(maxsize=16)
def _read(text: str) -> tuple[tuple[Token, ...], tuple[tuple[int, int], ...]]:
    """The names and the code spans of a text, which each watch of a memory asks for."""
    return code_tokens(text), tuple((first, last) for first, last, _ in code_spans(text))


def _with_stand_ins(text: str, name: str) -> str:
    """The text with one character for each name; a code span that has several is one name."""
    parts, at = [], 0
    for first, last, mark in sorted(_marks(text, name)):
        if first >= at:
            parts += [text[at:first], mark]
            at = last
    return "".join([*parts, text[at:]])


def _marks(text: str, name: str) -> Iterator[tuple[int, int, str]]:
    tokens, spans = _read(text)
    whole, starts = _whole(name), [token.start for token in tokens]
    for first, last in spans:
        inside = tokens[bisect_left(starts, first) : bisect_left(starts, last)]
        yield first, last, CITED if whole.search(text, first, last) else _kind(inside)
    for token in tokens:  # one within a span begins behind it and is passed over
        cited = token.last == name and token.kind is not TokenKind.PRODUCT
        end = token.end + 2 * text.startswith("()", token.end)
        yield token.start, end, CITED if cited else _stand_in(token)


def _kind(inside: Iterable[Token]) -> str:
    return FILE if {_stand_in(token) for token in inside} == {FILE} else OTHER


def _stand_in(token: Token) -> str:
    if token.kind is TokenKind.PRODUCT:
        return TOOL
    return FILE if token.kind is TokenKind.PATH else OTHER


def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w$-]){re.escape(name)}(?![\w$-])")
