"""JSON files: each text is masked as what it says; layout, numbers and all else stay byte for byte."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from gitmem.redaction.masking import Masker

MASKER = Masker()
AWS = "AKIA" + "UJZDEGXDNCF32EPF"


def test_a_secret_behind_a_line_end_in_a_json_file_is_masked_and_the_layout_stays() -> None:
    data = f'{{\n  "n": 1.10,\n  "out": "line one\\n{AWS}", "n": 2 }}\n'.encode()

    masked, kinds = MASKER.mask_bytes(data)

    assert masked == b'{\n  "n": 1.10,\n  "out": "line one\\n[masked:aws_key]", "n": 2 }\n'
    assert kinds == {"aws_key": 1}


def test_a_key_says_that_its_value_is_a_secret_however_it_is_written() -> None:
    data = json.dumps({"비밀번호": "hunter2x9", "name": "ada"}).encode()

    assert json.loads(MASKER.mask_bytes(data)[0]) == {"비밀번호": "[masked:secret_value]", "name": "ada"}


def test_each_line_of_a_transcript_is_a_document() -> None:
    data = f'{{"a": "x\\n{AWS}"}}\n{{"b": 1}}\nplain {AWS}\n{{"broken": "\\n{AWS}\n'.encode()

    masked, kinds = MASKER.mask_bytes(data)

    assert masked == (
        b'{"a": "x\\n[masked:aws_key]"}\n{"b": 1}\nplain [masked:aws_key]\n{"broken": "\\n[masked:aws_key]\n'
    )
    assert kinds == {"aws_key": 3}


def test_a_lone_surrogate_beside_a_secret_stays() -> None:
    masked, _ = MASKER.mask_bytes(f'{{"a": "\\ud800 {AWS}"}}'.encode())

    assert masked == b'{"a": "\\ud800 [masked:aws_key]"}'


def test_json_too_deep_to_read_is_masked_as_text() -> None:
    data = b"[" * 100_000 + f'"\\n{AWS}"'.encode() + b"]" * 100_000

    assert AWS.encode() not in MASKER.mask_bytes(data)[0]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON, st.booleans())
def test_masking_a_file_says_what_masking_its_value_says(value: object, escape: bool) -> None:
    data = json.dumps({"told": value, "key": f"a\n{AWS}"}, ensure_ascii=escape).encode(
        "utf-8", "surrogatepass"
    )
    expected, _ = MASKER.mask_value({"told": value, "key": f"a\n{AWS}"})

    assert AWS.encode() not in MASKER.mask_bytes(data)[0]
    assert json.loads(MASKER.mask_bytes(data)[0]) == expected
