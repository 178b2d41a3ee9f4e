from __future__ import annotations

import marshal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gitmem.store.packed import Packed, Sharded

_values = st.recursive(
    st.none() | st.integers() | st.text() | st.binary(),
    lambda inner: st.lists(inner).map(tuple),
    max_leaves=8,
)
_names = st.text() | st.sampled_from(["src/\udcff.py", "é", ""])


@given(_values)
def test_what_was_packed_is_read(value: Any) -> None:
    packed = Packed.of(value)
    assert packed.value == value
    assert Packed(packed.data).value == value


@given(st.dictionaries(_names, _values, max_size=80), _names)
def test_a_name_has_the_value_that_it_had_before(mapping: dict[str, Any], other: str) -> None:
    read = Sharded(tuple(Sharded.of(mapping).shards))
    assert {name: read.get(name) for name in mapping} == mapping
    assert read.get(other, "none") == mapping.get(other, "none")


def test_only_what_a_name_falls_into_is_read() -> None:
    whole = Sharded.of({f"src/{number}.py": [number] for number in range(500)})
    damaged = [data if number == 0 else b"" for number, data in enumerate(whole.shards)]
    first = next(name for name in (f"src/{n}.py" for n in range(500)) if name in marshal.loads(damaged[0]))
    assert Sharded(damaged).get(first) == whole.get(first)
