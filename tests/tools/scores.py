"""The score of every built-in creature on every built-in world, as the tables of docs/walk.md.

`python -m tests.tools.scores` writes the tables; `--check` fails where that page says otherwise,
with `--sample` in a third of the cells: of each creature and of each column some. `--seconds 300`
walks for so long instead of a minute, and only prints.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from creature_sim.library.loader import builtin_names
from creature_sim.score import Metric
from tests.scenes import RIGS, VIOLENT, scene, thrown_about, walk
from tests.tools.scoring import measured

PAGE = Path(__file__).parents[2] / "docs" / "walk.md"
BEGIN, END = "<!-- scores -->\n", "<!-- end of scores -->\n"
TO_CLIMB = ("canyon", "cave", "crates", "lattice", "pipe", "room", "wheel")
"""Worlds for creatures that climb: walkers only bump into their walls."""
HARD = "steps"
"""The world of the violent inputs."""


def scored(
    world: str, creature: str, seconds: int, kind: str = "wander", seed: int = 0
) -> dict[str, Metric]:
    """Metrics of a time of wandering, or under violent inputs; a seed is added to the world's."""
    made = scene(world, creature)
    made = made.model_copy(update={"seed": made.seed + seed})
    ticks = seconds * made.tick_rate
    states = walk(made, ticks) if kind == "wander" else thrown_about(made, kind, ticks)
    return measured(made, states)[0]


def cell(metrics: dict[str, Metric]) -> str:
    """How many metrics are excellent of those that apply, and which only pass or fail."""
    of = {
        verdict: [number for number, metric in metrics.items() if metric.verdict == verdict]
        for verdict in ("excellent", "pass", "fail")
    }
    judged = sum(len(numbers) for numbers in of.values())
    text = f"{len(of['excellent'])} of {judged}"
    if of["pass"]:
        text += f"; pass {', '.join(of['pass'])}"
    if of["fail"]:
        text += f"; **fail {', '.join(of['fail'])}**"
    return text


def is_sampled(row: int, column: int) -> bool:
    """Whether a sample has the cell of a creature and a column."""
    return (row + column) % 3 == 0


def table(kinds: tuple[str, ...], seconds: int, *, by_world: bool, known: str = "") -> str:
    """A table in Markdown: creatures by worlds, or by kinds of violent input.

    Args:
        kinds: its columns.
        seconds: that each walks.
        by_world: whether columns are worlds.
        known: one of the same shape; only a sample of its cells is made anew.
    """
    lines = [f"| | {' | '.join(kinds)} |", "|---" * (len(kinds) + 1) + "|"]
    creatures = builtin_names("creature")
    old = [line.strip("| ").split(" | ")[1:] for line in known.splitlines()[2:]]
    is_sample = known.startswith(lines[0]) and len(old) == len(creatures)
    walks = {
        (row, column): (kind, creature, seconds) if by_world else (HARD, creature, seconds, kind)
        for row, creature in enumerate(creatures)
        for column, kind in enumerate(kinds)
        if not is_sample or is_sampled(row, column)
    }
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        cells = dict(zip(walks, map(cell, pool.map(_scored, walks.values())), strict=True))
    for row, creature in enumerate(creatures):
        found = [cells.get((row, column)) or old[row][column] for column in range(len(kinds))]
        lines.append(f"| {creature} | {' | '.join(found)} |")
        print(lines[-1], flush=True)
    return "\n".join(lines) + "\n"


def _scored(walk_of: tuple[Any, ...]) -> dict[str, Metric]:
    return scored(*walk_of)


def main() -> None:
    """Write the tables, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--seconds", type=int, default=60)
    asked = parser.parse_args()
    worlds = tuple(name for name in builtin_names("world") if name not in (*RIGS, *TO_CLIMB))
    text = PAGE.read_text()
    head, rest = text.split(BEGIN)
    old, tail = rest.split(END)
    between = "\nSticks thrown about on `steps`:\n\n"
    known = old.split(between) if asked.check and asked.sample else ("", "")
    found = between.join(
        table(columns, asked.seconds, by_world=columns is worlds, known=before)
        for columns, before in zip((worlds, VIOLENT), known, strict=True)
    )
    if asked.check:
        if found != old:
            sys.exit("docs/walk.md: its scores differ; python -m tests.tools.scores writes them")
    elif asked.seconds == 60:
        PAGE.write_text(head + BEGIN + found + END + tail)


if __name__ == "__main__":
    main()
