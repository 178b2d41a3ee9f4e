"""Working through the review queue at a terminal, one key a decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import click

from gitmem.cli.today import now, today
from gitmem.errors import GitmemError
from gitmem.report.review import item_lines, resolved_lines
from gitmem.report.sanitise import prose, visible
from gitmem.usecases.reviewing.queue import Item
from gitmem.usecases.runs.recording import Teller

if TYPE_CHECKING:
    from gitmem.cli.invocation import Invocation
    from gitmem.model.candidate import Candidate
    from gitmem.store.ledger import Run, RunLedger
    from gitmem.usecases.confirm import Asking
    from gitmem.usecases.marking import Move
    from gitmem.usecases.propose import Draft, Way
    from gitmem.usecases.reviewing.resolving import Resolution

_STAYS = False
_DONE = True


class _Key(NamedTuple):
    """What a key does: shown as `word`; the action says whether the entry is dealt with, or gives it in other words."""

    key: str
    word: str
    action: Callable[[Item], bool | Item]


class _Quit(Exception):  # noqa: N818 - no error: the person has had enough
    """Ends the session."""


class ReviewSession:
    """One person at one terminal.

    Args:
        invocation: Where it answers.
        ledger: Of the repository.
        run: Where decisions are recorded.
        teller: Who decides.
    """

    def __init__(self, invocation: Invocation, ledger: RunLedger, run: Run, teller: Teller) -> None:
        self._invocation = invocation
        self._ledger = ledger
        self._run = run
        self._teller = teller
        self._by = ledger.repository.identity().name if teller.actor == "human" else teller.actor

    def work_through(self, items: Sequence[Item]) -> None:
        """Show one after the other and do what is asked, until the end or ``q``."""
        dealt_with = 0
        try:
            for number, item in enumerate(items, 1):
                dealt_with += self._decide(item, f"[{number}/{len(items)}]")
        except (_Quit, EOFError):
            pass
        self._invocation.note(f"{dealt_with} of {len(items)} dealt with")

    def _decide(self, item: Item, place: str) -> bool:
        """Whether the entry was dealt with; an edited one is shown and asked about again."""
        self._say("", *item_lines(item, self._invocation.look(), place=place))
        while True:
            keys = self._keys(item)
            pressed = self._press([f"{one.key} {one.word}" for one in keys])
            chosen = next((one for one in keys if one.key == pressed), None)
            if chosen is None:
                continue
            try:
                outcome = chosen.action(item)
            except GitmemError as error:
                hint = [f"  hint: {prose(error.hint)}"] if error.hint else []
                self._say(f"  {prose(error.message)}", *hint)
                continue
            if isinstance(outcome, Item):
                item = outcome
                self._say("", *item_lines(item, self._invocation.look(), place=place))
            elif outcome:
                return chosen.key != "s"

    def _keys(self, item: Item) -> list[_Key]:
        keys: list[_Key] = []
        if item.reason in {"candidate", "conflict"}:
            keys += self._candidate_keys(item)
        elif item.reason == "proposed":
            keys += [_Key("d", "deny", self._deny)] if item.candidate else []
        else:
            keys += [_Key("c", "confirm", self._confirm)] if item.reason != "expired" else []
            keys += [_Key("r", "retire", self._retire)]
        return [*keys, _Key("s", "skip", lambda _: _DONE), _Key("q", "quit", self._quit)]

    def _candidate_keys(self, item: Item) -> list[_Key]:
        keys = [_Key("a", "accept", self._accept)]
        if item.reason == "conflict":
            keys = [
                _Key("k", "keep what is known", self._answer("kept_existing")),
                _Key("p", "replace it", self._answer("superseded")),
                _Key("b", "both hold", self._answer("both_hold")),
            ]
        keys += [_Key("d", "deny", self._deny), _Key("e", "edit", self._edit)]
        if item.gated and any(one.rule == "anti_scope" for one in item.gated.lacking):
            keys.append(_Key("n", "not for: none", self._hold_everywhere))
        return keys

    # keys
    def _press(self, choices: Sequence[str]) -> str:
        click.echo(f"  {' · '.join(choices)} ", nl=False)
        pressed = click.getchar().casefold()
        if pressed in {"\x03", "\x04", "", "\x1b"}:
            pressed = "q"
        click.echo(visible(pressed))
        return pressed

    def _reason(self) -> str:
        """One line; an empty one takes the key back."""
        return str(click.prompt("  why", default="", show_default=False)).strip()

    def _say(self, *lines: str) -> None:
        self._invocation.emit_text(lines)

    # actions
    def _quit(self, _: Item) -> bool:
        raise _Quit

    def _accept(self, item: Item) -> bool:
        from gitmem.cli.propose import push_to
        from gitmem.report.proposal import proposal_lines, proposal_message
        from gitmem.usecases.propose import ProposeRequest, propose

        assert item.candidate is not None
        repo = self._ledger.repository
        way: Way = "branch" if repo.remotes() else "commit"
        request = ProposeRequest(item.candidate.id, way, self._by, now(), proposal_message, self._approves)
        proposal = propose(self._ledger, self._run, self._teller, request)
        lines = proposal_lines(
            proposal, self._invocation.look(), settings=push_to(repo, proposal.remote), with_text=False
        )
        self._say(*lines)
        return _DONE if proposal.where is not None else _STAYS

    def _approves(self, draft: Draft) -> bool:
        from gitmem.report.proposal import draft_lines

        self._say(*draft_lines(draft))
        return self._press(["approve it now? y yes", "n no"]) == "y"

    def _deny(self, item: Item) -> bool:
        from gitmem.usecases.deny import deny

        assert item.candidate is not None
        reason = self._reason()
        if not reason:
            return _STAYS
        self._tell(deny(self._ledger, self._run, self._teller, item.candidate.id, reason))
        return _DONE

    def _retire(self, item: Item) -> bool:
        from gitmem.usecases.retire import RetireRequest, retire

        reason = self._reason()
        if not reason:
            return _STAYS
        self._tell(retire(self._ledger, self._run, self._teller, RetireRequest(item.id, reason, now())))
        return _DONE

    def _tell(self, move: Move) -> None:
        self._say(f"  {visible(move.id)}: {move.old} → {move.new}  {visible(move.file)}")

    def _confirm(self, item: Item) -> bool:
        from gitmem.report.confirm import confirm_lines
        from gitmem.usecases.confirm import ConfirmRequest, confirm

        request = ConfirmRequest((item.id,), self._by, now())
        result = confirm(self._ledger.repository, request, self._still_holds)
        if result.asks:
            return _STAYS
        self._say(*confirm_lines(result, self._invocation.look(), quiet=True))
        return _DONE

    def _still_holds(self, asking: Asking) -> bool:
        from gitmem.report.confirm import asking_lines

        self._say(*asking_lines(asking, self._invocation.look(), token=False))
        return self._press(["does it still hold? y yes", "n no"]) == "y"

    def _answer(self, resolution: Resolution) -> Callable[[Item], bool]:
        def action(item: Item) -> bool:
            from gitmem.usecases.reviewing.resolving import resolve

            reason = self._reason()
            if not reason:
                return _STAYS
            resolved = resolve(
                self._ledger, self._run, self._teller, item.id, resolution=resolution, reason=reason
            )
            self._say(*resolved_lines(resolved, self._invocation.look()))
            return _DONE

        return action

    def _edit(self, item: Item) -> bool | Item:
        """The candidate's text in the person's own editor; then it is shown again with what the gate says now."""
        from gitmem.usecases.reviewing.rewording import reword, words_of

        assert item.candidate is not None
        text = click.edit(words_of(item.candidate), extension=".yaml")
        if text is None:
            return _STAYS
        return self._again(item, reword(self._run, self._teller, item.candidate, text))

    def _hold_everywhere(self, item: Item) -> Item:
        from gitmem.usecases.reviewing.rewording import hold_everywhere

        assert item.candidate is not None
        return self._again(item, hold_everywhere(self._run, self._teller, item.candidate))

    def _again(self, item: Item, candidate: Candidate) -> Item:
        """The entry with what the gate says of the new words."""
        from gitmem.usecases.gate import Gate

        gate = Gate(self._ledger, today=today())
        current = gate.candidates.find(candidate.id)
        conflicts = tuple(near for near in gate.contradictions(current) if not near.answered)
        return replace(
            item,
            reason="conflict" if conflicts else "candidate",
            detail="",
            memory=current.memory,
            candidate=current,
            gated=gate.candidate(current),
            conflicts=conflicts,
        )
