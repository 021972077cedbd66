"""The file of a creature that has evolved."""

import json
from collections.abc import Sequence

from creature_sim.figures.labels import printable
from creature_sim.lab.evolution.genome import Genome

_NOTES = {
    "size": "length, width, height [m]",
    "ride_height": "centre of the body above the ground [m]",
    "mass": "[kg]",
    "speed": "[m/s]",
    "turn_rate": "[rad/s]",
    "acceleration": "[m/s^2]",
    "turn_acceleration": "[rad/s^2]",
    "stride_length": "way of the body in one cycle [m]",
    "step_height": "[m]",
    "bones": "hip to tip [m]",
    "home": "where the left foot rests [m, body]",
}


def text_of(genome: Genome, name: str, notes: Sequence[str]) -> str:
    """A creature's file: a comment, and everything that it inherits."""
    table = genome.table(name)
    lines = [*(f"# {printable(note)}" for note in notes), f"name = {json.dumps(name)}"]
    for heading in ("body", "motion", "gait"):
        lines += ["", f"[{heading}]", *_lines(table[heading])]
    lines += ["", "# The left legs from front to back; the right ones mirror them."]
    for pair in table["leg_pairs"]:
        lines += ["[[leg_pairs]]", *_lines(pair), ""]
    return "\n".join(lines)


def _lines(table: dict[str, object]) -> list[str]:
    found = []
    for key, value in table.items():
        line = f"{key} = {json.dumps(value)}"
        found.append(f"{line:29} # {_NOTES[key]}" if key in _NOTES else line)
    return found
