"""Sentences of lessons that a run's own events tell, in the language of the events. Pure.

Nothing is invented: what somebody noted, decided or rejected is quoted, within a frame that lets it be understood without
the run. What cannot be understood without it, or holds for that day alone, is no lesson.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

SHORTEST, LONGEST = 12, 400
_WHOLE_SUBJECT: Final = 12
LONGEST_TEST: Final = 80
_KANA: Final = re.compile(r"[ぁ-ゖァ-ヺ]")
_HANGUL: Final = re.compile(r"[가-힣]")
_HAN: Final = re.compile(r"[㐀-鿿]")
_LATIN_WORD: Final = re.compile(r"[A-Za-z][\w'-]*")
_CJK: Final = re.compile(r"[가-힣ぁ-ゖァ-ヺ㐀-鿿]")
_PREFIX: Final = re.compile(r"^[a-z]{2,12}(?:\([^)]{1,40}\))?!?:\s+")
_EXCEPTION: Final = re.compile(r"\b([A-Za-z_][\w.]{0,120}(?:Error|Exception|Failure|Panic))\b")
_UNSURE: Final = re.compile(
    r"(?i)\b(?:maybe|perhaps|probably|possibly|might|seems?|apparently|presumably|not sure|i (?:think|guess|believe)|unclear"
    r"|suspect|likely|to be (?:checked|verified)|tbd|todo)\b|아마|것\s?같|듯하|듯\s?하|추정|모르겠|확인\s?필요|かもしれ|たぶん|おそらく|可能|也许|大概|\?|？"
)
_FOR_NOW: Final = re.compile(
    r"(?i)\b(?:for now|for the moment|for the time being|temporar\w*|today|tomorrow|yesterday|tonight|this (?:run|session|task|week|pr|"
    r"branch|commit|time)|next (?:run|session|week)|later|until then|wip|quick fix|hotfix|as (?:above|before|discussed|agreed))\b"
    r"|일단|임시|우선은|나중에|오늘|내일|어제|이번\s?(?:작업|세션|주|브랜치|커밋|PR|런|에는|만)|とりあえず|一旦|暫定|今回|今日|明日|暂时|临时|今天|明天|这次"
)
_OF_THE_TASK: Final = re.compile(
    r"(?i)\b(?:wait(?:s|ing)? for|postpone[sd]?|defer(?:s|red)?|out of scope|follow-?up|separate (?:pr|pull request|task|issue|ticket)|"
    r"next (?:sprint|release|iteration)|start with|continue with|go ahead|move on)\b"
    r"|보류|연기한|미룬다|미루기|다음에\s|별도\s?(?:작업|이슈|PR)|범위\s?밖|후속\s?작업|먼저\s?진행|見送|別途|次回|先送り|推迟|以后再|下次|另行"
)
_PROGRESS: Final = re.compile(
    r"(?i)^(?:reproduced|confirmed|checked|verified|works?|done|fixed|passes|passing|green|red|still (?:fails?|red)|same (?:failure|error))\b"
    r"|\b(?:\d+|all|some|most|both|no|the|these|two|three) (?:[\w-]+ ){0,2}tests? (?:now |still |do |does )?(?:fail|pass|are|is|were|was|not)\w*"
    r"|^(?:재현|확인)\s?(?:됨|했|함|완료|되었)|테스트(?:가|는|들이|들은|를)?\s?(?:\S+\s){0,3}(?:실패|통과)"
    r"|テスト(?:が|は)?[^。]{0,10}(?:失敗|通過|成功)|测试[^。]{0,8}(?:失败|通过)"
)
_BECAUSE: Final = re.compile(
    r"(?i)\b(?:because|since|due to|caused by|so that|as soon as|whenever|when)\b|때문|이유|으면|하면|되면|ため|ので|と、|因为|由于|因為"
)
_POINTING: Final = re.compile(
    r"(?i)\b(?:option|approach|variant|plan|alternative|proposal|version|solution)s? (?:[a-d]|\d|one|two|three|first|second)\b"
    r"|\b(?:the )?(?:former|latter|above|first one|second one|other one)\b|^(?:it|this|that|these|those|they|he|she)\b"
    r"|^(?:이것|그것|이거|그거|이건|그건|이걸|그걸|위의|앞의|해당)|[1-9A-D가나다]\s?(?:안|번)(?:으로|을|를|이|\s|$)|^(?:これ|それ|这个|那个)"
)
_SAYS_NOTHING: Final = re.compile(
    r"(?i)^(?:wip|fix(?:e[sd])?|fixup!.*|squash!.*|fix(?:e[sd])? (?:the )?(?:tests?|lint|build|typos?|ci|bug|it|failing tests?|review(?: comments)?)"
    r"|update[sd]?|changes?|misc|cleanup|clean up|format(?:ting)?|typos?|merge .*|revert .*|address (?:review|comments).*|수정|버그\s?수정|테스트\s?수정|오타\s?수정|修正|修复)[.!]?$"
)


class Frames(NamedTuple):
    """The words around what the events say, for one language.

    A cause is told as what was, since after the fix it is so no more: what to do comes first.

    Args:
        fix: A fix: what was done, test, cause.
        alone: The same where nobody says why: what was done, test.
        cause: The same where no commit says what was done: test, cause.
        reject: A rejected approach: approach, reason.
        instead: What is done instead: approach.
        why: The reason of a decision.
        more: Further tests: the first, how many more.
        quotes: Around words that are quoted.
    """

    fix: str
    alone: str
    cause: str
    reject: str
    instead: str
    why: str
    more: str
    quotes: tuple[str, str]


_FRAMES: Final = {
    "en": Frames(
        "{subject} – before that {test} failed: {cause}",
        "{subject} – before that {test} failed",
        "{test} failed until this was fixed: {cause}",
        "Do not repeat {approach}: {reason}",
        "Instead: {approach}",
        "Why: {reason}",
        "{test} and {more} more",
        ("“", "”"),
    ),
    "ko": Frames(
        "{subject} – 그 전에는 {test} 테스트가 실패했다: {cause}",
        "{subject} – 그 전에는 {test} 테스트가 실패했다",
        "고치기 전에는 {test} 테스트가 실패했다: {cause}",
        "{approach} 방법은 다시 쓰지 않는다: {reason}",
        "대신: {approach}",
        "이유: {reason}",
        "{test} 외 {more}개",
        ("“", "”"),
    ),
    "ja": Frames(
        "{subject}（それ以前は {test} が失敗した：{cause}）",
        "{subject}（それ以前は {test} が失敗した）",
        "直るまで {test} が失敗した：{cause}",
        "{approach}は繰り返さない：{reason}",
        "代わりに：{approach}",
        "理由：{reason}",
        "{test} ほか{more}件",
        ("「", "」"),
    ),
    "zh": Frames(
        "{subject}——此前 {test} 失败：{cause}",
        "{subject}——此前 {test} 失败",
        "修复之前 {test} 失败：{cause}",
        "不要再用{approach}：{reason}",
        "改为：{approach}",
        "原因：{reason}",
        "{test} 等 {more} 个",
        ("“", "”"),
    ),
}


def language(text: str) -> str:
    """``ko``, ``ja``, ``zh`` or ``en``: that of most of its letters; code and names within do not count."""
    latin = len(_LATIN_WORD.findall(text))
    hangul, kana, han = (len(one.findall(text)) for one in (_HANGUL, _KANA, _HAN))
    if kana and kana + han >= latin:
        return "ja"
    if hangul >= max(latin, han, 1):
        return "ko"
    return "zh" if han > latin else "en"


def frames(text: str) -> Frames:
    """The frames of a text's language."""
    return _FRAMES[language(text)]


def sentence(text: str) -> str:
    """The text on one line, without the stop at its end, its first letter as a sentence begins."""
    plain = " ".join(text.split()).rstrip(" .。")
    first = plain[:1]
    begins = first.upper() if re.match(r"[a-z][a-z'-]*(?:[ ,:;]|$)", plain) else first
    return begins + plain[1:]


def quoted(text: str, words: Frames) -> str:
    return f"{words.quotes[0]}{' '.join(text.split()).rstrip(' .。')}{words.quotes[1]}"


def subject_of(text: str) -> str:
    """A commit's subject without the prefix of conventional commits."""
    return _PREFIX.sub("", " ".join(text.split()))


def speaks_for_itself(text: str) -> bool:
    """Whether a commit's subject is a rule by itself, long enough to say where and what."""
    plain = subject_of(text)
    return len(plain) >= _WHOLE_SUBJECT if _CJK.search(plain) else len(plain.split()) >= _WHOLE_SUBJECT // 2


def is_telling(text: str) -> bool:
    """Whether a commit's subject says what was done."""
    return _SAYS_NOTHING.match(subject_of(text)) is None and _is_long_enough(subject_of(text))


def is_lesson(text: str) -> bool:
    """Whether words can be understood without the run and are sure of themselves."""
    plain = " ".join(text.split())
    if not _is_long_enough(plain) or len(plain) > LONGEST or "[masked:" in plain:
        return False
    return not any(found.search(plain) for found in (_UNSURE, _FOR_NOW, _POINTING))


def tells_why(finding: str) -> bool:
    """Whether a finding says how things are, and not only how far the work is."""
    return _PROGRESS.search(finding.strip()) is None or _BECAUSE.search(finding) is not None


def gives_reason(finding: str) -> bool:
    """Whether a finding says because of what."""
    return _BECAUSE.search(finding) is not None


def is_about_the_code(decision: str) -> bool:
    """Whether a decision is about more than what is done next."""
    return _OF_THE_TASK.search(decision) is None


def is_sure(text: str) -> bool:
    """Whether a reason is one: sure of itself, and not for the day alone."""
    plain = " ".join(text.split())
    return 0 < len(plain) <= LONGEST and "[masked:" not in plain and not _UNSURE.search(plain)


def exception_in(text: str) -> str | None:
    """The name of the exception in a test's reason; None when it names none."""
    found = _EXCEPTION.search(text)
    return found[1].rpartition(".")[2] if found else None


def short_test(name: str) -> str:
    """A test's name as a reader calls it: without its file where what follows is telling."""
    tail = name.rpartition("::")[2] if "::" in name else name
    return tail if len(tail) <= LONGEST_TEST else f"{tail[: LONGEST_TEST - 1]}…"


def _is_long_enough(text: str) -> bool:
    if _CJK.search(text):
        return len(text) >= SHORTEST // 2
    return len(text) >= SHORTEST and len(_LATIN_WORD.findall(text)) >= 3
