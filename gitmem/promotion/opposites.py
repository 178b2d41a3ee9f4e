"""What turns a sentence into its opposite: denials, and words that exclude each other.

English and Korean as equals; Japanese and Chinese by the commonest forms. All are matched on case-folded text whose names
are blanked out, so that ``not_found`` denies nothing.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

_AFFIRMED: Final = re.compile(
    r"\bnot (?:only|just|merely|necessarily)\b|\bwhether or not\b|\bno matter\b|\bif not\b|\bno problem\b|\bno-op\b|\bnot applicable\b"
    r"|\bno (?:later|earlier|more|less|fewer|longer) than\b|\bno more\b|\bnothing (?:but|other than)\b|\bno need\b(?= to worry)"
    r"|(?:지\s?)?않으면\s?(?:안\s?(?:된|되|됩|됨)|실패)|하지\s?않을\s?수\s?없|뿐(?:만)?\s?아니라|없어서는\s?안|(?<![가이] )아니면"
    r"|なければ(?:ならない|なりません|いけない|いけません)|だけでなく|不得不|不仅|不僅|不同|不过|不過|不断"
)
_DENIAL: Final = re.compile(
    r"(?<![\w-])(?:not|never|cannot|no|none|nothing|nobody|nowhere|neither|no longer|\w+n['’]t"
    r"|avoid(?:s|ed|ing)?|forbid(?:s|den)?|prohibit(?:s|ed)?|disallow(?:s|ed)?|ban(?:s|ned)?|refrain|lacks?|missing|absent|off-limits)(?![\w-])"
    r"|(?<=[가-힣])지\s?(?:는\s|도\s)?(?:않|못|말|마(?=[라세십시\s.]|$))|(?<![가-힣])(?:안|못)\s(?=[가-힣])|(?<=[가-힣면서])\s안\s?(?:된|되|됩|됨)|수(?:는|도)?\s?없|\s?필요(?:가|는|도)?\s?없|없(?=[다는고으이음어애습앤])|없앤|금지|불가|말\s?것|아니(?:다|라|고|며|면)|아닌|피(?:한|하|해)(?=다|라|고|야|며|십|세|는|지|도록|\b)"
    r"|ない|ません|ず(?=に|、|。)|禁止|避け|なし|不(?:要|得|能|可|应|應|许|許|会|會|准|准许|再|允许)?(?!仅|僅|同)|没|沒有|勿|别(?!名)|避免|无需|無需"
)


def denials(text: str) -> list[tuple[int, int]]:
    """Where a text denies; places are those of the text."""
    plain = _AFFIRMED.sub(lambda match: " " * len(match[0]), text)
    return [match.span() for match in _DENIAL.finditer(plain)]


_AT_MOST: Final = re.compile(r"\b(?:no|not) (?:more|greater|higher|longer|later) than\b|\bup to\b")
_AT_LEAST: Final = re.compile(r"\b(?:no|not) (?:less|fewer|lower|shorter|earlier) than\b")


class Opposition(NamedTuple):
    """A word of one text that stands against its opposite in the other.

    Args:
        ours: Where the first text has it.
        theirs: Where the second has the opposite.
        is_order: ``before`` against ``after``.
    """

    ours: re.Match[str]
    theirs: re.Match[str]
    is_order: bool


def _pattern(words: str) -> re.Pattern[str]:
    latin = [word.replace("_", "[ -]?") for word in words.split() if word[0].isascii()]
    other = [word.replace("_", r"\s?") for word in words.split() if not word[0].isascii()]
    options = ([rf"(?<![\w-])(?:{'|'.join(latin)})(?![\w-])"] if latin else []) + (
        [rf"(?<![가-힣非不无無])(?:{'|'.join(other)})"] if other else []
    )
    return re.compile("|".join(options))


_ORDER: Final = (
    "before prior_to ahead_of 전에 이전에 앞서 前に 之前",
    "after afterwards following 후에 이후에 다음에 다음 뒤에 뒤 後に 之后",
)
_PAIRS: Final = (
        _ORDER,
        ("always every_time 항상 언제나 늘 必ず 总是", "sometimes occasionally rarely 가끔 때때로 드물게 時々 有时"),
        ("sync synchronous synchronously 동기 동기로 동기식 동기적 同期 同步", "async asynchronous asynchronously 비동기 비동기로 비동기식 비동기적 非同期 异步"),
        ("accept(?:s|ed)? allow(?:s|ed)? permit(?:s|ted)? 허용 수락 許可 允许", "den(?:y|ies|ied) reject(?:s|ed)? refuse(?:s|d)? block(?:s|ed)? 거부 거절 차단 拒否 拒绝"),
        ("enabl(?:e|es|ed|ing) switched_on turn(?:s|ed)?_on on 활성 켜(?:고|서|야|라|둔|져|진|기|는|면) 켜_(?:둔|두|둡|놓) 켠 켜다 有効 启用", "disabl(?:e|es|ed|ing) switched_off turn(?:s|ed)?_off off 비활성 끄(?:고|서|기|는|면|며) 끈(?=다) 꺼(?:둔|져|진|야|라|서) 꺼_(?:둔|두|둡|놓) 無効 禁用"),
        ("required mandatory compulsory 필수 必須 必须", "optional voluntary 선택 선택적 任意 可选"),
        ("above over more_than at_least greater_than minimum min 위 이상 초과 최소 以上 最小", "below under less_than at_most fewer_than maximum max 아래 이하 미만 최대 以下 最大"),
        ("first 먼저 처음 최초 最初", "last finally 나중에 마지막 최후 最後"),
        ("increas(?:e|es|ed|ing) rais(?:e|es|ed|ing) grow(?:s|n)? 늘(?:리|린|려|어) 증가 높(?:이|인|여) 増", "decreas(?:e|es|ed|ing) lower(?:s|ed)? reduc(?:e|es|ed|ing) shrink(?:s)? 줄(?:이|인|여|어) 감소 낮(?:추|춘|춰) 減"),
        ("add(?:s|ed|ing)? insert(?:s|ed)? 추가 追加 添加", "remov(?:e|es|ed|ing) delet(?:e|es|ed|ing) 제거 삭제 削除 删除"),
        ("open(?:s|ed)? 연다 열(?:고|어|린|려|면) 開", "clos(?:e|es|ed) 닫(?:는|고|아|힌|혀|으) 閉"),
        ("start(?:s|ed)? begin(?:s)? 시작 開始 开始", "stop(?:s|ped)? end(?:s|ed)? 종료 중지 끝 終了 停止"),
        ("if when whenever", "unless"),
        ("public 공개 公開 公开", "private internal 비공개 내부 非公開 私有"),
        ("read-only immutable frozen 읽기_전용 불변 不変 只读", "writable mutable 쓰기_가능 가변 可変 可写"),
        ("success succeed(?:s|ed)? pass(?:es|ed)? 성공 통과 成功", "failure fail(?:s|ed)? 실패 失敗 失败"),
        ("true 참", "false 거짓"),
        ("ascending 오름차순 昇順 升序", "descending 내림차순 降順 降序"),
        ("server server-side 서버 サーバー 服务器", "client client-side browser 클라이언트 브라우저 クライアント 客户端"),
        ("lazy lazily on_demand 지연 필요할_때", "eager eagerly up_front at_startup 즉시 미리 시작할_때"),
        ("strict strictly 엄격", "lenient loose loosely tolerant 느슨 관대"),
        ("safe 안전한 안전하", "unsafe dangerous 위험 안전하지"),
        ("global globally 전역", "local locally 지역 로컬"),
        ("nullable 널_허용", "non-null non-nullable not_null 널_불가"),
        ("encrypted encrypt(?:s)? 암호화", "plaintext plain_text unencrypted decrypted 평문 복호화"),
        ("manual manually by_hand 수동 수동으로 손으로 手動", "automatic automatically 자동 자동으로 自動"),
        ("keep(?:s)? kept retain(?:s|ed)? preserv(?:e|es|ed) 유지 보존 남긴 남겨 保持", "discard(?:s|ed)? drop(?:s|ped)? purg(?:e|es|ed) throw(?:s|n)?_away 버린 버려 폐기 버리 破棄"),
        ("cached caches 캐시한 캐시하", "uncached bypass(?:es|ed)? 우회"),
        ("shared 공유 공유한 공유하 共有", "separate isolated own 분리 따로 격리 별도 別"),
        ("serial serially sequential sequentially one_by_one in_sequence 순차 직렬 차례로 逐次", "parallel concurrently concurrent in_parallel 병렬 동시에 並列 并行"),
        ("inside within 안에서 내부에서 안쪽", "outside beyond 밖에서 외부에서 바깥"),
        ("old older oldest legacy 오래된 옛 이전", "new newer newest latest 새 새로운 최신"),
        ("short shorter 짧은 짧게", "long longer 긴 길게"),
        ("push(?:es|ed)? 푸시", "pull(?:s|ed)? 풀"),
        ("left 왼쪽 左", "right 오른쪽 右"),
        ("upper uppercase 대문자", "lower lowercase 소문자"),
        ("commit(?:s|ted)?_to_git checked_in 커밋한다 커밋해", "gitignored ignored_by_git 깃에_올리지"),
        ("plural 복수형 复数", "singular 단수형 单数"),
        ("zero-based 0부터", "one-based 1부터"),
        ("tabs 탭", "spaces 스페이스 공백"),
        ("single one_shared 하나의 단일", "multiple several many per-\\w+ 여러 다수 각각"),
)  # fmt: skip


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Made at first need: eighty patterns take a while."""
    return tuple((_pattern(one), _pattern(other)) for one, other in _PAIRS)


def opposition(ours: str, theirs: str) -> list[Opposition]:
    """Words that stand on one side alone, with their opposite on the other side alone."""
    ours, theirs = _unified(ours), _unified(theirs)
    found: list[Opposition] = []
    for at, (one, other) in enumerate(_patterns()):
        left, right = (one.search(ours), other.search(ours)), (one.search(theirs), other.search(theirs))
        if left[0] and not left[1] and right[1] and not right[0]:
            found.append(Opposition(left[0], right[1], at == 0))
        elif left[1] and not left[0] and right[0] and not right[1]:
            found.append(Opposition(left[1], right[0], at == 0))
    taken = {one.ours.start() for one in found}
    return found + [one for one in _prefixed(ours, theirs) if one.ours.start() not in taken]


_WORD: Final = re.compile(r"(?<![\w-])(?:[a-z]+-)?[a-z]{4,}(?![\w-])|(?<![\w])[가-힣]{2,}")
_PREFIX: Final = re.compile(r"(?:non-?|un-?|in|im|ir|il)(?=[a-z]{4})|[비미불무부](?=[가-힣]{2})")
"""What turns a word into its contrary; it counts only where the other text has the word without it."""


def _without_prefix(word: str) -> str:
    match = _PREFIX.match(word)
    return word[match.end() :] if match else word


def _prefixed(ours: str, theirs: str) -> list[Opposition]:
    """``bounded`` against ``unbounded``, ``인증`` against ``미인증``."""
    left = {match[0]: match for match in _WORD.finditer(ours)}
    right = {match[0]: match for match in _WORD.finditer(theirs)}
    only_left, only_right = left.keys() - right.keys(), right.keys() - left.keys()
    pairs = [
        *((one, plain) for one in left for plain in [_without_prefix(one)] if plain != one),
        *((plain, one) for one in right for plain in [_without_prefix(one)] if plain != one),
    ]
    return [
        Opposition(left[one], right[other], is_order=False)
        for one, other in pairs
        if one in only_left and other in only_right
    ]


def _unified(text: str) -> str:
    """``no more than`` is ``at most``; places stay true."""
    return _AT_MOST.sub(lambda match: "at most".ljust(len(match[0])), _AT_LEAST.sub(_least, text))


def _least(match: re.Match[str]) -> str:
    return "at least".ljust(len(match[0]))
