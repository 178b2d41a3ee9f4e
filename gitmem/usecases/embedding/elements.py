"""How alike the elements of the architecture are to a task: what they are called, and what memories say of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from gitmem.git.interface import Repository
from gitmem.knowledge_map.cells import Known, belonging
from gitmem.knowledge_map.covering import Holders
from gitmem.model.element import Element
from gitmem.recall.similarity import without_noise
from gitmem.store.vectors import text_key
from gitmem.usecases.embedding.asking import alike_to_question
from gitmem.usecases.embedding.providing import configured
from gitmem.usecases.embedding.texts import element_text


def alike_elements(
    repo: Repository,
    task: str,
    elements: Sequence[Element],
    paths: Collection[str],
    memories: Sequence[Known],
) -> tuple[Mapping[str, float] | None, str]:
    """Cosine of each element by name, the best of its own and of the memories that belong to it.

    Args:
        repo: The repository.
        task: What is to be done, in words.
        elements: The elements.
        paths: Every path of the tree.
        memories: All that may speak of them.

    Returns:
        None without vectors, and what must be said of the provider.
    """
    told = configured(repo)
    if told.provider is None:
        return None, told.problem
    living = [one for one in memories if one.documents]
    own = {element.name: text_key(element_text(element)) for element in elements}
    said = [text_key(one.memory.summary) for one in living]
    alike = alike_to_question(repo, task, [*own.values(), *said])
    if alike.cosines is None:
        return None, alike.problem
    spoken = belonging(elements, Holders(elements), paths, living)
    found = {}
    for number, (element, numbers) in enumerate(zip(elements, spoken, strict=True)):
        keys = [own[element.name], *(said[one] for one in numbers)]
        found[number] = max(alike.cosines.get(key, 0.0) for key in keys)
    loud = without_noise(found, ())
    return {elements[number].name: cosine for number, cosine in loud.items()}, alike.problem
