"""The score of every built-in creature on every built-in world, as the table in README.md.

`python -m tests.scores` writes the table; `--check` fails where README.md says otherwise.
"""

import sys
from pathlib import Path

from creature_sim.physics import Physics
from creature_sim.score import Metric, Surface, score_track, tracks
from creature_sim.terrain import build_terrain
from tests.scenes import CREATURES, WORLDS, scene, walk

README = Path(__file__).parent.parent / "README.md"
BEGIN, END = "<!-- scores -->\n", "<!-- end of scores -->\n"
SECONDS = 60


def scored(world: str, creature: str) -> dict[str, Metric]:
    """Metrics of a minute of wandering."""
    made = scene(world, creature)
    (track,) = tracks(walk(made, SECONDS * made.tick_rate), made.tick_rate)
    with Physics(build_terrain(made.terrain, made.seed)) as physics:
        return score_track(track, Surface(physics), made)


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


def table() -> str:
    """The table in Markdown."""
    lines = [f"| | {' | '.join(WORLDS)} |", "|---" * (len(WORLDS) + 1) + "|"]
    for creature in CREATURES:
        cells = [cell(scored(world, creature)) for world in WORLDS]
        lines.append(f"| {creature} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the table, or check it."""
    text = README.read_text()
    head, rest = text.split(BEGIN)
    old, tail = rest.split(END)
    found = table()
    print(found, end="")
    if "--check" in sys.argv[1:]:
        if found != old:
            sys.exit("README.md: its scores are others; python -m tests.scores writes them")
    else:
        README.write_text(head + BEGIN + found + END + tail)


if __name__ == "__main__":
    main()
