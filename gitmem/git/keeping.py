"""What was made from a repository, kept in memory under a key that holds all that it was made from."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar, cast

T = TypeVar("T")


class Keeping:
    """Keeps the value that was made last under each name. A value may be handed to several threads, so it never changes."""

    @cached_property
    def held(self) -> dict[str, tuple[object, object]]:
        """Key and value by name; the repositories of one server share theirs."""
        return {}

    def last(self, name: str) -> object | None:
        """The value that was kept last under a name, whatever its key; None when there is none."""
        held = self.held.get(name)
        return held[1] if held is not None else None

    def kept(
        self, name: str, key: object, make: Callable[[], T], *, lasts: Callable[[T], bool] = lambda _: True
    ) -> T:
        """See `interface.Repository.kept`."""
        held = self.held.get(name)
        if held is not None and held[0] == key:
            return cast("T", held[1])
        made = make()
        if lasts(made):
            self.held[name] = (key, made)
        return made
