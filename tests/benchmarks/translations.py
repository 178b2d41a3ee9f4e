"""The same lessons in English and Korean, and each once more in other words; written for this project."""

from __future__ import annotations

TRANSLATED: tuple[tuple[str, str, str, str], ...] = (
    ("Prevent duplicate submissions with an idempotency key", "멱등 키로 중복 제출을 막는다", "A form sent twice must create one order only", "양식을 두 번 보내도 주문은 하나만 생겨야 한다"),
    ("The gateway throttles clients above a hundred calls a minute", "게이트웨이는 분당 백 번이 넘는 호출을 제한한다", "Rate limiting starts when somebody asks too often", "너무 자주 요청하면 속도 제한이 걸린다"),
    ("Never log passwords or tokens", "비밀번호와 토큰을 로그에 남기지 않는다", "Credentials must not appear in the logs", "자격 증명이 기록에 나타나면 안 된다"),
    ("Invalidate the cache after every deployment", "배포할 때마다 캐시를 비운다", "Stale values are shown until cached entries are dropped on release", "릴리스 뒤에 오래된 값이 보이면 캐시를 지운다"),
    ("Store all dates in UTC", "모든 날짜는 UTC로 저장한다", "Timestamps are kept without a local time zone", "시각은 현지 시간대 없이 보관한다"),
    ("Database migrations must be reversible", "데이터베이스 마이그레이션은 되돌릴 수 있어야 한다", "Every schema change needs a way back", "스키마 변경에는 항상 되돌리는 방법이 있어야 한다"),
    ("Run the linter before opening a pull request", "풀 리퀘스트를 열기 전에 린터를 실행한다", "Check the style of the code before asking for review", "리뷰를 요청하기 전에 코드 스타일을 검사한다"),
    ("Retry failed payments at most three times", "실패한 결제는 최대 세 번만 재시도한다", "A charge that did not go through is attempted again no more than thrice", "승인되지 않은 청구는 세 번까지만 다시 시도한다"),
    ("Close database connections when the request ends", "요청이 끝나면 데이터베이스 연결을 닫는다", "Handles to the store leak unless they are released", "저장소 핸들은 해제하지 않으면 누수된다"),
    ("Validate user input on the server", "사용자 입력은 서버에서 검증한다", "Do not trust what the browser sends", "브라우저가 보낸 값을 믿지 않는다"),
    ("Images are compressed before upload", "이미지는 업로드 전에 압축한다", "Pictures are made smaller before they are sent", "사진은 보내기 전에 크기를 줄인다"),
    ("Sessions expire after thirty minutes of inactivity", "세션은 30분 동안 활동이 없으면 만료된다", "Idle users are logged out", "가만히 있는 사용자는 로그아웃된다"),
    ("The search index is rebuilt every night", "검색 색인은 매일 밤 다시 만든다", "Full-text lookup is refreshed nightly", "전문 검색은 야간에 갱신된다"),
    ("Use exponential backoff when the server is busy", "서버가 바쁘면 지수 백오프를 사용한다", "Wait longer and longer between attempts under load", "부하가 크면 시도 사이의 대기를 점점 늘린다"),
    ("Memory leaks come from listeners that are never removed", "제거하지 않은 리스너가 메모리 누수를 만든다", "Unsubscribe handlers or the heap grows", "핸들러를 해지하지 않으면 힙이 계속 커진다"),
    ("Only administrators may delete accounts", "관리자만 계정을 삭제할 수 있다", "Removing a user needs elevated rights", "사용자 제거에는 높은 권한이 필요하다"),
    ("Money is stored as integer cents", "금액은 정수 센트로 저장한다", "Never use floating point for currency", "통화에 부동소수점을 쓰지 않는다"),
    ("Feature flags are removed two weeks after launch", "기능 플래그는 출시 2주 뒤에 제거한다", "Clean up toggles once a rollout is over", "배포가 끝나면 토글을 정리한다"),
    ("Tests must not depend on the network", "테스트는 네트워크에 의존하면 안 된다", "Specs run offline", "스펙은 오프라인에서 돌아간다"),
    ("Translations are loaded lazily", "번역은 필요할 때 불러온다", "Language files come in on demand", "언어 파일은 요청 시 로드된다"),
    ("Emails are sent from a background queue", "이메일은 백그라운드 큐에서 보낸다", "Mail leaves asynchronously through a worker", "메일은 워커를 통해 비동기로 나간다"),
    ("The API version is part of the path", "API 버전은 경로에 포함된다", "Endpoints carry their revision in the address", "엔드포인트는 주소에 개정 번호를 담는다"),
    ("Large files are streamed instead of read at once", "큰 파일은 한 번에 읽지 말고 스트리밍한다", "Process big downloads chunk by chunk", "대용량 다운로드는 조각 단위로 처리한다"),
    ("Locks are acquired in a fixed order to avoid deadlocks", "교착 상태를 피하려고 잠금은 정해진 순서로 얻는다", "Threads that wait for each other hang for ever", "서로를 기다리는 스레드는 영원히 멈춘다"),
)  # fmt: skip
"""English, Korean, English in other words, Korean in other words."""
