"""What a user may have meant: the known names that are near to a misspelt one."""

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

_LONGEST = 64
"""Longer text is near to no name."""
NEAR = 0.65
"""Text that is less like a name than this was meant for none: "none" is .6 of "canyon"."""
LIKELY = 0.9
"""A second name is offered where it is nearly as near as the first."""


def near(text: object, known: Iterable[str]) -> list[str]:
    """Known names that a text may stand for, the nearest first."""
    if not isinstance(text, str) or len(text) > _LONGEST:
        return []
    meant, names = text.casefold(), {name.casefold(): name for name in known}
    found = get_close_matches(meant, names, n=2, cutoff=NEAR)
    likeness = {name: SequenceMatcher(None, name, meant).ratio() for name in found}
    return [names[name] for name in found if likeness[name] > LIKELY * likeness[found[0]]]


def hint(text: object, known: Iterable[str]) -> str:
    """The end of a message: "; did you mean A or B?", or else what there is to choose from."""
    names = list(known)
    found = near(text, names)
    if found:
        return f"; did you mean {' or '.join(found)}?"
    return f"; there are {', '.join(names)}" if names else ""
