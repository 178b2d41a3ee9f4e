"""A Korean word without the particle or ending behind it, so that 결제를, 결제가 and 결제에서 are one term.

No morphology: one suffix of a closed list is taken off, the longest that leaves two syllables. A morpheme analyser of
90 MB ranked no better (recall.md).
"""

from __future__ import annotations

from functools import lru_cache

_PARTICLES = (
    "은 는 이 가 을 를 의 에 와 과 로 도 만 들 께 "
    "에서 에게 한테 으로 부터 까지 처럼 보다 마다 조차 마저 밖에 이나 이란 이라 라고 라는 이고 에는 에도 에만 로는 로도 로만 와의 과의 들은 들이 들을 들의 "
    "으로는 으로도 으로만 으로서 으로써 로서 로써 에서는 에서도 에서만 에게서 에게는 이라고 이라는 까지는 까지도 부터는 에서의 으로의 들에게 들에서 "
)
_ENDINGS = (
    "다 고 면 며 지 게 서 한 할 된 될 함 됨 해 돼 "
    "하다 한다 했다 하는 하고 하면 하며 하지 하게 하여 해서 해야 하기 하던 하려 할지 하자 하라 "
    "되다 된다 됐다 되는 되고 되면 되며 되지 되게 되어 돼서 돼야 되기 되던 시킨 시켜 시킴 "
    "합니다 됩니다 입니다 습니다 했습니다 됐습니다 되었다 하였다 하므로 되므로 하려면 하도록 되도록 하지만 되지만 한다면 된다면 해야만 해야한다 하거나 되거나 "
    "이다 인데 이며 이면 인지 이지만 시키는 시키고 시키면 시킨다 시켰다 "
)
_SUFFIXES = tuple(sorted({*_PARTICLES.split(), *_ENDINGS.split()}, key=lambda suffix: (-len(suffix), suffix)))
_BY_LAST: dict[str, tuple[str, ...]] = {}
for _one in _SUFFIXES:
    _BY_LAST[_one[-1]] = (*_BY_LAST.get(_one[-1], ()), _one)
_SHORTEST_STEM = 2


@lru_cache(maxsize=20_000)
def without_particle(word: str) -> str:
    """The word minus the particles and endings behind it; as it is when none stands behind two syllables.

    One is taken off after the other: a noun that itself ends like a particle (재시도) loses that end with a particle
    behind it as it does without.
    """
    suffix = _suffix(word)
    while suffix:
        word = word[: -len(suffix)]
        suffix = _suffix(word)
    return word


def _suffix(word: str) -> str:
    for suffix in _BY_LAST.get(word[-1:], ()):
        if len(word) - len(suffix) >= _SHORTEST_STEM and word.endswith(suffix):
            return suffix
    return ""
