"""Rules about what a text is made of: a conversation and a log are evidence, and never the lesson itself."""

from __future__ import annotations

import re
from typing import Final

from gitmem.promotion.case import Case
from gitmem.promotion.prose import MAX_TEXT, shorten
from gitmem.promotion.ruling import RuleResult, failed, not_applicable, passed

LONGEST: Final = 1_500
"""Characters; what is longer is a story and no lesson."""
MOST_LINES: Final = 20
_LOG_LINES: Final = 3

_BEFORE = r"(?:(?<=^)|(?<=[\n.?!。？！]))[ \t>*#_-]{0,8}"
_ASKER = re.compile(
    _BEFORE
    + r"(?:user|human|me|you\s+said|prompt|나|저|사용자|유저|사람|질문|ユーザー|人間|质问|用户|使用者|提问)"
    r"[*_ ]{0,3}[:：]",
    re.IGNORECASE,
)
_ANSWERER = re.compile(
    _BEFORE + r"(?:assistant|ai|agent|bot|claude|codex|chatgpt|gpt(?:-\w+)?|gemini|copilot|cursor"
    r"|어시스턴트|에이전트|도우미|답변|アシスタント|助手|回答)(?:\s+said)?[*_ ]{0,3}[:：]",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"<\|(?:im_start|im_end|user|assistant|system)\|>|\[/?INST\]|\"role\"\s*:\s*\"(?:user|assistant|system|tool)\""
    r"|^###\s*(?:Human|Assistant|Instruction|Response)\b|^[^\S\n]*</?(?:user|assistant)>[^\S\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_QUESTION, _ANSWER = (
    re.compile(rf"^[^\S\n]*[*_]{{0,2}}{one}[*_]{{0,2}}\s?[:：.]", re.MULTILINE) for one in "QA"
)
_CLOCKED = re.compile(
    r"^[^\S\n]*\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s+<?[\w.가-힣-]{1,30}>?\s*[:：]", re.MULTILINE
)

_LOG_LINE = re.compile(
    r"""(?mx)^[^\S\n]*(?:
        \[?\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}                         # a date and a time
      | \[?\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\]?\s
      | (?:\[\s*)?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)(?:\s*\])?(?:\s|:)
      | (?:\[오류\]|\[경고\]|\[정보\]|(?:오류|에러|경고|정보)\s?:)
      | (?:npm\ ERR!|npm\ error|make(?:\[\d+\])?:\ \*\*\*|gmake:|FAILED\ |PASSED\ |E\s{2,}\S|error\[E\d+\]|warning:\ |error:\ )
      | \S{1,200}:\d+(?::\d+)?:\ (?:fatal\ )?(?:error|warning|note):\ | (?:cc|gcc|g\+\+|clang(?:\+\+)?)\ [^\n]{0,200}\.(?:c|cc|cpp|o)\b
      | at\ [\w$.<>/ ]{1,120}\([^()\n]{1,200}:\d+(?::\d+)?\)              # JavaScript, Java
      | at\ \S{1,200}:\d+:\d+
      | File\ "[^"\n]{1,300}",\ line\ \d+
      | goroutine\ \d+\ \[ | \#\d+\s+0x[0-9a-f]+ | -->\ \S{1,200}:\d+:\d+
      | Traceback\ \(most\ recent\ call\ last\) | Caused\ by:\ | Exception\ in\ thread
      | (?:ok|---\ (?:FAIL|PASS)|FAIL|PASS):?\s+\S+\s+\(?\d+\.\d+s\)? | >\ Task\ : | Downloading\ \S+ | Compiling\ \S+\ v\d
    )"""
)


_LOGGED_INLINE = re.compile(
    r"""(?x)\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}\S{0,20}\s{1,4}\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b
      | Traceback\ \(most\ recent\ call\ last\) | File\ "[^"\n]{1,300}",\ line\ \d+ | (?<=\s)at\ [\w$.<>]{1,120}\([^()\n]{1,200}:\d+(?::\d+)?\)
      | (?<=\s)[A-Z]\w{2,40}(?:Error|Exception):\s"""
)


def raw_chat_history(case: Case) -> RuleResult:
    """Turns of a conversation, or more words than a lesson takes."""
    rule, text = "raw_chat_history", case.text
    if not case.asks(rule):
        return not_applicable(rule, _NOT_DENIED)
    if told := _turns(text[:MAX_TEXT]):
        return failed(rule, f"it is a conversation: {told}", "say what was learnt, in one sentence")
    if len(text) > LONGEST:
        return failed(
            rule, f"{len(text):,} characters, over {LONGEST:,}", "say the one fact; the story is an artifact"
        )
    return passed(rule)


def _turns(text: str) -> str:
    """The marks of a conversation as a reader sees them; empty when it is none."""
    if found := _MARKUP.search(text):
        return shorten(found.group())
    asked, answered = _ASKER.findall(text), _ANSWERER.findall(text)
    if (asked and answered) or len(answered) > 1 or len(asked) > 1:
        return " … ".join(shorten(one.strip(" \t>*#_-")) for one in (asked + answered)[:2])
    if (question := _QUESTION.search(text)) and (answer := _ANSWER.search(text)):
        return f"{question.group().strip()} … {answer.group().strip()}"
    clocked = _CLOCKED.findall(text)
    return " … ".join(shorten(one) for one in clocked[:2]) if len(clocked) > 1 else ""


def full_build_log(case: Case) -> RuleResult:
    """Output of a command."""
    rule, text = "full_build_log", case.text
    if not case.asks(rule):
        return not_applicable(rule, _NOT_DENIED)
    cure = "say what the log shows; the log itself is an artifact"
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_LINES:
        return failed(rule, f"{len(lines)} lines, over {MOST_LINES}", cure)
    logged = _LOG_LINE.findall(text[:MAX_TEXT]) or []
    if len(logged) < _LOG_LINES:  # what came as lines may have been joined into a sentence
        logged = [one.group() for one in _LOGGED_INLINE.finditer(text[:MAX_TEXT])]
    if len(logged) >= _LOG_LINES:
        return failed(rule, f"{len(logged)} lines are a command's output: {shorten(logged[0])}", cure)
    return passed(rule)


_NOT_DENIED = "the policy does not deny it"
