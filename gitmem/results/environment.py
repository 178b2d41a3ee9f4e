"""Signs that what failed was the machine and not the work: a program, module or browser that is not there, the network,
a permission, a full disk. Error texts as sh, bash, zsh, dash, the C library and the common tools print them, in English and as
they are translated into Korean, Japanese, Chinese, German, French and Spanish.

A sign is the shape of a whole message (``sh: 1: jest: not found``), never a word alone: a program's own output says "not
found" for many reasons.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

_LOOK_AT = 200


class Sign(NamedTuple):
    """What is missing or forbidden, and the line that says so."""

    what: str
    line: str


_COMMAND = (
    r"^(?:\S+: )?(?:(?:line |줄 |第 ?|行 |Zeile |ligne |línea )?\d+(?: ?행)?[:：] ?)?\S+ ?[:：] "
    r"(?:command not found|not found|명령어를 찾을 수 없음|명령을 찾을 수 없습니다|コマンドが見つかりません|未找到命令|"
    r"Kommando nicht gefunden\.?|Befehl nicht gefunden|commande introuvable|(?:orden|comando) no encontrad[oa]|"
    r"no se encontró la orden)(?:\.\.\.)?$"
    r"|^zsh: command not found: \S+$|^fish: Unknown command:? .*$"
    r"|^(?:make|gmake)(?:\[\d+\])?: \S+: (?:No such file or directory|그런 파일이나 디렉터리가 없습니다)$"
    r"|^(?:make|gmake)(?:\[\d+\])?: \*\*\* \[.*\] (?:Error|오류|エラー|错误|Fehler|Erreur) 127$"
    r"|^env: .*(?:No such file or directory|그런 파일이나 디렉터리가 없습니다)$|^npm (?:ERR!|error) code 127$"
    r"|^error: no such command: `.+`$|^\S+: error while loading shared libraries: .*$"
    r"|^.*'.+' is not recognized as an internal or external command.*$"
)
_BROWSER = (
    r".*(?:Executable doesn't exist at |Please run the following command to download new browsers"
    r"|Could not find (?:Chrome|Chromium|Firefox)\b|Failed to launch the browser process"
    r"|browserType\.launch: |BrowserType\.launch: |Host system is missing dependencies to run browsers"
    r"|Unable to obtain driver for |cannot find Chrome binary).*"
)
_NETWORK = (
    r".*(?:Could not resolve host|Temporary failure in name resolution|Name or service not known"
    r"|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|\b(?:ECONNREFUSED|ENETUNREACH|ETIMEDOUT|EHOSTUNREACH) "
    r"|Network is unreachable|No route to host|nodename nor servname provided|Failed to establish a new connection"
    r"|dial tcp: lookup .*no such host|spurious network error|failed to lookup address information"
    r"|네트워크가 접근 불가능합니다|이름 혹은 서비스를 알 수 없습니다|ネットワークに到達できません|网络不可达|Netzwerk ist nicht erreichbar"
    r"|\[Errno 111\]|ConnectionRefusedError\b).*"
)
_DISK = (
    r".*(?:No space left on device|\bENOSPC\b|Disk quota exceeded|장치에 남은 공간이 없음|デバイスに空き領域がありません"
    r"|设备上没有空间|Auf dem Gerät ist kein Speicherplatz mehr verfügbar|Aucun espace disponible sur le périphérique"
    r"|No queda espacio en el dispositivo).*"
)
_PERMISSION = (
    r"^.*(?:[:：] (?:Permission denied|허가 거부|許可がありません|权限不够|Keine Berechtigung|Permission non accordée"
    r"|Permiso denegado|Read-only file system|Operation not permitted)\.?$"
    r"|\[Errno 13\] Permission denied|\bEACCES\b[:,] permission denied|\bEROFS\b|permission denied while trying to connect).*"
)
_MODULE = (
    r".*(?:ModuleNotFoundError: No module named '(?P<python>[\w.]+)'"
    r"|: No module named (?P<run>[\w.]+)$"
    r"|Cannot find (?:module|package) '(?P<node>[^'./][^']*)'"
    r"|no required module provides package (?P<go>\S+?);|cannot find module providing package (?P<lost>\S+)"
    r"|missing go\.sum entry for module providing package (?P<sum>\S+)).*"
)
_SIGNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("command", re.compile(_COMMAND, re.IGNORECASE)),
    ("browser", re.compile(_BROWSER)),
    ("module", re.compile(_MODULE)),
    ("disk", re.compile(_DISK)),
    ("network", re.compile(_NETWORK)),
    ("permission", re.compile(_PERMISSION)),
)
_EXCEPTIONS = re.compile(
    r"^(?:E +)?(?:[\w.]*\.)?(?:ModuleNotFoundError|ImportError|ConnectionRefusedError|ConnectionError|gaierror|NewConnectionError"
    r"|ConnectError|ConnectTimeout|PermissionError|OSError|Error|WebDriverException|NoSuchDriverException|TimeoutError"
    r"|FileNotFoundError)\b[:\s]"
    r"|^Cannot find (?:module|package) '"
)
_ASSERTION = re.compile(
    r"(?i)^(?:E +)?(?:[\w.]*AssertionError\b|assert |assertion |Failed: |expect\(|expected\b|DID NOT RAISE)"
)


def sign_in(text: str, is_own: Callable[[str], bool] = lambda _: False) -> Sign | None:
    """The last sign in the end of an output; of a missing module only when the project does not have it itself.

    Args:
        text: Plain text.
        is_own: Whether a module's first name is one of the project's own.
    """
    for line in reversed(text.splitlines()[-_LOOK_AT:]):
        found = _sign(line.strip()[:1000], is_own)
        if found is not None:
            return found
    return None


def sign_in_reason(reason: str, is_own: Callable[[str], bool] = lambda _: False) -> Sign | None:
    """A sign in why a test failed: the exception itself must be of a kind that the machine causes, not an assertion."""
    if _ASSERTION.match(reason) or not _EXCEPTIONS.match(f"{reason} "):
        return None
    return _sign(reason.strip(), is_own)


def _sign(line: str, is_own: Callable[[str], bool]) -> Sign | None:
    for what, pattern in _SIGNS:
        found = pattern.match(line)
        if found is None or (what == "module" and _is_own(found, is_own)):
            continue
        return Sign(what, line[:300])
    return None


def _is_own(found: re.Match[str], is_own: Callable[[str], bool]) -> bool:
    name = next((value for value in found.groups() if value), "")
    return is_own(name) or is_own(name.partition(".")[0]) or is_own(name.rpartition("/")[2])
