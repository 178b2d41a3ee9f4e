"""Rules about what belongs to one person or one machine: temporary and home paths, secrets."""

from __future__ import annotations

import re

from gitmem.promotion.case import Case
from gitmem.promotion.prose import MAX_TEXT, shorten
from gitmem.promotion.ruling import RuleResult, failed, needs_human, not_applicable, passed

_START = r"(?:(?<=^)|(?<=[\s`\"'“(\[=:,>]))"
_REST = r"[\w@%+~가-힣-][\w.@%+~/\\가-힣-]*"
_TEMPORARY = re.compile(
    rf"{_START}(?:file://)?(?:(?:/private)?/(?:var/)?tmp/{_REST}|(?:/private)?/var/folders/{_REST}"
    rf"|(?:\$\{{?TMPDIR\}}?|\$\{{?TEMP\}}?|%TE?MP%)[/\\]{_REST}"
    rf"|[A-Za-z]:\\(?:Windows\\)?Te?mp\\{_REST}|\S{{0,80}}\\AppData\\Local\\Temp\\{_REST})",
    re.MULTILINE,
)
_HOME = re.compile(
    rf"{_START}(?:file://)?(?:/(?:home|Users)/(?!\.){_REST}|[A-Za-z]:\\Users\\{_REST}"
    rf"|(?:~|\$\{{?HOME\}}?|%USERPROFILE%)[/\\](?!\.){_REST})",
    re.MULTILINE,
)
"""``~/.npmrc`` and the like are the same on every machine; a folder below home is one person's."""
_MASKED = re.compile(r"\[masked:([a-z_]{1,40})\]")


def temporary_file_path(case: Case) -> RuleResult:
    """A path that only one machine has, or that git does not keep."""
    rule, text = "temporary_file_path", case.text[:MAX_TEXT]
    if not case.asks(rule):
        return not_applicable(rule, "the policy does not deny it")
    cure = "name a path of the repository, or leave the path out"
    for pattern, what in ((_TEMPORARY, "a temporary path"), (_HOME, "a path below somebody's home")):
        if found := pattern.search(text):
            return failed(rule, f"{what}: {shorten(found.group())}", cure)
    if case.facts.transient:
        named = ", ".join(case.facts.transient[:3])
        return needs_human(rule, f"git ignores {named}, so others may not have it", cure)
    return passed(rule)


def user_specific_secret(case: Case) -> RuleResult:
    """What the masker finds; text that was masked already is refused too, naming the kind."""
    rule = "user_specific_secret"
    kinds = {*case.facts.masked, *_MASKED.findall(_everything(case))}
    if not kinds:
        return passed(rule)
    return failed(
        rule,
        f"it holds what must not be kept: {', '.join(sorted(kinds))}",
        "say it without the value: name the setting, not what it is set to",
    )


def _everything(case: Case) -> str:
    memory = case.memory
    parts = (memory.text, memory.origin.root_cause, memory.verification.probe, *memory.scope.paths)
    return "\n".join(part for part in parts if part)
