"""Search one index: what the words, the places and history say, ranked, and what links pull in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gitmem.recall.documents import touches
from gitmem.recall.factors import PROFILES, Factors, Profile, Usage, factors
from gitmem.recall.floor import STRONG, found_by
from gitmem.recall.query import query_terms
from gitmem.recall.ranking import Ranking, Score
from gitmem.recall.similarity import Similarities, Similarity, without_noise
from gitmem.recall.text_score import Channel, text_scores
from gitmem.recall.tokens import CHANNELS, GRAMS
from gitmem.usecases.recalling.cards import OUTCOME, Card, Heads, card_of
from gitmem.usecases.recalling.choosing import Floor, choose
from gitmem.usecases.recalling.placing import ELEMENT, places_of
from gitmem.usecases.recalling.question import Asked, Ground

if TYPE_CHECKING:
    from gitmem.git.interface import Repository


class Found(NamedTuple):
    """One place of an answer.

    Args:
        card: What stands there.
        number: Of the document; None for what a link led to and is none.
        score: Its score.
        status: When it is no memory: ``outcome`` or ``linked``; else empty.
        via: Id of the memory that links to it.
        is_pulled: Whether it stands there for that link alone.
        is_held: Whether its scope holds what is asked for by path or element.
    """

    card: Card
    number: int | None
    score: Score
    status: str
    via: str | None
    is_pulled: bool = False
    is_held: bool = False


class Places(NamedTuple):
    """The places of an answer, and a sentence where the question could not be taken as it was."""

    places: tuple[Found, ...]
    remark: str = ""


def search(
    repo: Repository, asked: Asked, ground: Ground, semantic: Mapping[str, float] | None = None
) -> Places:
    """Search.

    Args:
        repo: Where history and decision records lie.
        asked: The question.
        ground: What is searched.
        semantic: Cosines by id where a provider answered.
    """
    if asked.is_empty:
        return Places((), "Nothing was asked: give words of the task, --path or --element.")
    heads = ground.heads
    if asked.domain is not None and asked.domain not in heads.routes:
        return Places((), f"No domain is called {asked.domain}: {_listed('domain', heads.routes, heads)}.")
    unknown = [name for name in asked.elements if name not in heads.elements]
    remark = (
        f"No element is called {unknown[0]}: {_listed('element', heads.elements, heads)}." if unknown else ""
    )
    repeats = _repeats(repo, asked, ground)
    leaving_out = _left_out(asked, repeats)
    order, found = _ranking(repo, asked, ground, semantic)
    routed = _routed(asked.domain, ground) if asked.domain is not None else None
    floor = _floor(asked, ground, found)
    chosen = choose(
        ground.documents,
        order,
        routed,
        most=asked.most,
        is_left_out=leaving_out,
        floor=floor,
        repeats=repeats,
    )
    hits = chosen.hits
    places = _placed(ground, hits, order, leaving_out, floor) if heads.links else map(_alone, hits)
    if chosen.is_in_rules and not hits:
        remark = (
            remark
            or f"What is known of this stands in the rules files that {asked.host or 'every agent'} reads."
        )
    told = (_found(repo, ground, place, order) for place in places)
    held = (one._replace(is_held=floor.holds(one.card)) for one in told if one is not None)
    return Places(tuple(held), remark)


def _floor(asked: Asked, ground: Ground, found: Container[int]) -> Floor:
    """With the paths asked for, and where the elements asked for begin."""
    elements = {name: globs for name, (_, globs) in ground.heads.elements.items()}
    globs = (glob for name in asked.elements for glob in elements.get(name, ()))
    paths = (*asked.paths, *(place for glob in globs for place in list(touches([glob]))[-1:]))
    return Floor(found, paths, asked.elements, elements)


def _listed(what: str, names: Mapping[str, object], heads: Heads) -> str:
    file = ".ai/policies/routes.yaml" if what == "domain" else ".ai/elements.yaml"
    broken = next((one.split()[0].rstrip(":") for one in heads.problems if one.startswith(file)), "")
    if broken and not names:
        return f"the {what}s cannot be read: {broken}"
    told = f"there are {', '.join(sorted(names)[:20])}" if names else f"no {what} is defined here"
    return f"{told}, and what cannot be read: {broken}" if broken else told


# the ranking
def _ranking(
    repo: Repository, asked: Asked, ground: Ground, semantic: Mapping[str, float] | None
) -> tuple[Ranking, Container[int]]:
    """The ranking, and the documents that words or vectors find by themselves."""
    documents, heads = ground.documents, ground.heads
    weights = query_terms(asked.query, grams=bool(documents.lengths(GRAMS)))
    channels = {channel: Channel(documents.lengths(channel), documents.count) for channel in CHANNELS}
    postings = list(documents.postings(weights))
    text = text_scores(weights, postings, channels)
    found: Collection[int] = found_by((term, held.documents) for term, held in postings)
    if not (asked.query.strip() or asked.paths or asked.elements):
        text = {
            number: 1.0 for number, name in enumerate(heads.ids) if name
        }  # a domain alone: all that it reads
        found = text
    profile = PROFILES.get(heads.profile, PROFILES["default"])
    places = places_of(repo, asked, ground, weights)
    told = _by_number(semantic, heads) if semantic else {}
    cosines = without_noise(told, {*text, *places}) if told else None
    similar = Similarities(text, places, cosines, stretched=profile.stretched)
    factors_of = _factors(ground, profile)
    products = _products(ground, profile, factors_of)
    alike = without_noise(told, ())
    order = Ranking(similar, factors_of, products, _names(heads), cosines if profile.stretched else None)
    return order, {*found, *alike} if alike else found


def _names(heads: Heads) -> Sequence[str]:
    """What orders those with equal scores: names, and the newest outcome first."""
    return [
        name if not name.startswith(OUTCOME) else f"{OUTCOME}{at.translate(_NEWEST_FIRST)} {name}"
        for name, at in zip(heads.ids, heads.validated, strict=True)
    ]


_NEWEST_FIRST = str.maketrans("0123456789", "9876543210")


def _factors(ground: Ground, profile: Profile) -> Callable[[int], Factors]:
    ids, kinds, days = ground.heads.ids, ground.heads.kinds, ground.heads.days
    usage, warnings, today = ground.usage, ground.warnings, ground.today.toordinal()

    def factors_of(number: int) -> Factors:
        name, day = ids[number], days[number]
        age = today - day if day else 0
        said = usage.get(name, Usage())
        return factors(kinds[number], age, said, profile, challenged=name in warnings)

    return factors_of


def _products(ground: Ground, profile: Profile, factors_of: Callable[[int], Factors]) -> list[float]:
    """Products of the factors by number: one for each kind and day, but for those that anything is said of."""
    heads, today = ground.heads, ground.today.toordinal()
    alike = {
        (kind, day): factors(kind, today - day if day else 0, Usage(), profile, challenged=False).product
        for kind, day in set(zip(heads.kinds, heads.days, strict=True))
    }
    products = [alike[one] for one in zip(heads.kinds, heads.days, strict=True)]
    special = {*ground.usage, *ground.warnings}
    if special:
        for number, name in enumerate(heads.ids):
            if name in special:
                products[number] = factors_of(number).product
    return products


def _by_number(semantic: Mapping[str, float], heads: Heads) -> dict[int, float]:
    return {number: semantic[name] for number, name in enumerate(heads.ids) if name in semantic}


# what is left out
def _routed(domain: str, ground: Ground) -> set[int]:
    from gitmem.recall.routing import is_routed

    include = ground.heads.routes[domain]
    return {
        number
        for number, card in ((number, card_of(plain)) for number, plain in ground.documents.cards())
        if is_routed(
            domain,
            include,
            file=card.file,
            project=card.project,
            applies_to=card.applies_to,
            does_not_apply_to=card.does_not_apply_to,
        )
    }


def _repeats(repo: Repository, asked: Asked, ground: Ground) -> frozenset[str]:
    from gitmem.usecases.recalling.rules_files import repeating

    if ground.head is None:
        return frozenset()
    return repeating(repo, ground.documents, ground.head, asked.host)


def _left_out(asked: Asked, repeats: Container[str]) -> Callable[[Card], bool]:
    """Whether a memory is left out: a rules file says the same, or its scope takes out all that is touched."""

    def is_left_out(card: Card) -> bool:
        if card.id in repeats or (asked.domain is not None and asked.domain in card.does_not_apply_to):
            return True
        if not (card.exclude and asked.paths):
            return False
        from gitmem.recall.routing import is_within

        return all(is_within(path, card.exclude) for path in asked.paths)

    return is_left_out


# the places
class _Place(NamedTuple):
    """What stands at one place: a document by number with its card, or what a link led to."""

    number: int | None
    card: Card | None
    target: tuple[str, str]
    via: str | None
    is_pulled: bool = False


def _alone(chosen: tuple[int, Card]) -> _Place:
    number, card = chosen
    return _Place(number, card, ("memory", card.id), None)


def _status(card: Card) -> str:
    return "outcome" if card.id.startswith(OUTCOME) else ""


def _placed(
    ground: Ground,
    chosen: Sequence[tuple[int, Card]],
    order: Ranking,
    is_left_out: Callable[[Card], bool],
    floor: Floor,
) -> Iterator[_Place]:
    """The places with what links pull in behind them; what history alone guessed pulls nothing in."""
    from gitmem.recall.linking import Target, placed

    cards = {card.id: (number, card) for number, card in chosen}
    links = {memory: [Target(*one) for one in targets] for memory, targets in ground.heads.links.items()}
    numbers = {name: number for number, name in enumerate(ground.heads.ids)}
    values = {card.id: order.score_of(number).value for number, card in chosen}
    least = STRONG * max(values.values(), default=0.0)

    def may_pull(memory: str) -> bool:
        if memory not in cards:
            number = numbers[memory]
            cards[memory] = (number, card_of(next(ground.documents.cards([number]))[1]))
        return not is_left_out(cards[memory][1])

    asked_for = {card.id for number, card in chosen if floor.is_asked_for(number, card)}
    strong = {memory for memory, value in values.items() if value >= least and memory in asked_for}
    for target, via, is_pulled in placed(list(values), links, strong=strong, may_pull=may_pull):
        number, card = cards[target.name] if target.what == "memory" else (None, None)
        yield _Place(number, card, target, via, is_pulled)


def _found(repo: Repository, ground: Ground, place: _Place, order: Ranking) -> Found | None:
    if place.number is not None and place.card is not None:
        score = order.score_of(place.number)
        if place.is_pulled:  # it is here for the link alone, whatever words of every sentence would give it
            score = score._replace(similarity=_NO_SCORE.similarity)
        return Found(place.card, place.number, score, _status(place.card), place.via, place.is_pulled)
    what, name = place.target
    card = _element(ground, name) if what == "element" else _decision(repo, ground, int(name))
    return Found(card, None, _NO_SCORE, "linked", place.via, is_pulled=True) if card is not None else None


_NO_SCORE = Score(Similarity(0.0, None, 0.0), Factors(1.0, 1.0, 1.0, 1.0))


def _element(ground: Ground, name: str) -> Card:
    description, globs = ground.heads.elements[name]
    summary = description or f"an element of the architecture: {', '.join(globs)}"
    return Card(f"{ELEMENT}{name}", name, summary, "element", name, (name,), globs)


def _decision(repo: Repository, ground: Ground, number: int) -> Card | None:
    """The decision record at HEAD; None while it is not there."""
    from gitmem.model.link import is_decision

    folders = tuple(ground.heads.adr)
    if ground.head is None:
        return None
    entries = (entry for folder in folders for entry in repo.list_tree(ground.head, under=folder))
    path = next((entry.path for entry in entries if is_decision(entry.path, number, folders)), None)
    label = f"ADR-{number}"
    return (
        Card(f"adr:{number}", label, f"decision record {path}", "adr", label, (), (path,)) if path else None
    )
