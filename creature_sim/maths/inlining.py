"""Which parts of a kernel are written out where they are called, and which stay functions.

Written out a part is faster: a `Creature` that is handed over is some fifty numbers. But a part
that is called in many places is optimised in each, and LLVM takes more than twice as long for twice
as much code. Measured, a hexapod's first two seconds on hills with every part written out: 430 s,
of which 230 for the 244,000 instructions of `schedule`; as decided here 140 s, and ticks as fast.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

MOST = 40_000
"""A kernel of more instructions than this leaves parts as functions."""
LEAST = 1_000
"""Parts of fewer instructions than this, with all that they call, are always written out."""
CALL = re.compile(r"\bcall .*?@(\w+)\(")


class Part(NamedTuple):
    """A function of LLVM: its own instructions, and how often it calls which others."""

    size: int
    calls: Counter[str]


def part_of(code: str) -> Part:
    """What LLVM's code of a function says of its size and calls."""
    return Part(code.count("\n"), Counter(CALL.findall(code)))


def kept_whole(kernel: Part, parts: dict[str, Part]) -> set[str]:
    """The parts of a kernel that stay functions: while it is too large, the one that saves most.

    Args:
        kernel: the function that Python calls.
        parts: by name, all that it calls at any depth, callers first; others count nothing.

    Returns:
        Names of parts.
    """
    kept: set[str] = set()
    while True:
        sizes: dict[str, int] = {}
        for name in reversed(parts):
            sizes[name] = _written_out(parts[name], sizes, kept)
        places = Counter(kernel.calls)
        for name, part in parts.items():
            times = 1 if name in kept else places[name]
            for callee, count in part.calls.items():
                places[callee] += times * count
        saved = {
            name: (places[name] - 1) * size
            for name, size in sizes.items()
            if name not in kept and places[name] > 1 and size >= LEAST
        }
        whole = _written_out(kernel, sizes, kept) + sum(sizes[name] for name in kept)
        if whole <= MOST or not saved:
            return kept
        kept.add(max(saved, key=lambda name: (saved[name], name)))


def _written_out(part: Part, sizes: Mapping[str, int], kept: set[str]) -> int:
    """Size of a part with all that is written out in it, by the sizes of what it calls."""
    inside = (sizes.get(name, 0) * n for name, n in part.calls.items() if name not in kept)
    return part.size + sum(inside)
