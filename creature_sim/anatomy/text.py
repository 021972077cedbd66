"""The file of a creature that was found in a model, with a comment where it was not sure."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from creature_sim.anatomy.anatomy import Anatomy
from creature_sim.anatomy.creature import table_of
from creature_sim.anatomy.legs import Leg
from creature_sim.anatomy.tails import tail_lines
from creature_sim.anatomy.values import CONTROL, shown

LONGEST = 50
"""Longer lists have a line for each of their parts."""
WIDTH = 30
"""Column of comments behind values."""
NOTES = {
    "body.size": "length, width, height: a box about the trunk, between the legs",
    "body.ride_height": "centre of the body above the ground",
    "body.mass": "kg; a guess from the box",
    "head.mount": "of the neck",
    "motion.speed": "m/s, at a fully deflected stick",
    "motion.turn_rate": "rad/s",
    "motion.heading": "forward is to its left: the body is broader than long; 0.0 if it is not",
    "gait.duty_factor": "fraction of the cycle that a foot is on the ground",
    "gait.stride_length": "distance walked in one cycle",
    "gait.trigger_distance": "a foot steps when it is so far from where it should stand",
    "gait.step_duration": "s, of one swing",
    "gait.alternation": "the other leg of the pair waits meanwhile",
    "gait.step_height": "height of the foot in the middle of a swing",
    "model.scale": "metres for one unit of the file",
    "model.up": "axis of the file",
    "model.forward": "axis of the file",
    "model.origin": "centre of the body, in the file's units and axes",
    "model.trunk": "bones that follow the body and its segments",
    "model.swings": "arms that swing with the leg of the other side; gain 0.0: they do not",
    "model.legs": "bones from the hip on, left and right in turn; the order of leg_pairs",
    "model.tips": "where each foot touches, in the file's units and axes",
}
GAITS = {
    2: "two legs: from foot to foot",
    4: 'four legs: one foot at a time; faster a trot (others: "amble", "pace", "bound")',
    6: 'six legs: three feet stand while three swing (others: "ripple", "wave")',
    8: 'eight legs (others: kind = "phase" with the pattern "tripod", "ripple" or "wave")',
}
MANY = 'many legs: waves that run along them (others: "ripple", "wave", "tripod")'


def creature_text(anatomy: Anatomy, name: str, file: str, schema: str) -> str:
    """The text of a creature's file.

    Args:
        anatomy: of the model.
        name: of the creature.
        file: of the model, from the folder of the creature's file.
        schema: file that the first line names.
    """
    return text_of(anatomy, table_of(anatomy, name, file), schema)


def text_of(anatomy: Anatomy, table: Mapping[str, Any], schema: str) -> str:
    """The text of a file.

    Args:
        anatomy: of the model.
        table: of the creature.
        schema: file that the first line names.
    """
    name = table["name"]
    source = _plain(table["model"]["file"] if anatomy.robot is None else Path(anatomy.file).name)
    lines = [
        f"#:schema {schema}",
        f"# A creature found in {source}. Lengths in metres, angles in radians; X forward, Y left,",
        "# Z up. Comments with a ? say what was not sure, and what else it could be.",
        f"# Try it:   creature-sim run meadow --creature {name}.toml",
        f"# Check it: creature-sim check {name}.toml",
        f'name = "{name}"',
    ]
    for key in ("model", "body", "head", "motion"):
        if key in table:
            lines += ["", f"[{key}]", *_doubts(anatomy, key), *_values(anatomy, key, table[key])]
    lines += ["", "[gait]", f"# {GAITS.get(2 * len(anatomy.legs), MANY)}"]
    faster = table["gait"].get("faster", [])
    lines += _values(anatomy, "gait", {k: v for k, v in table["gait"].items() if k != "faster"})
    for cycle in faster:
        lines += ["", "[[gait.faster]]", *_values(anatomy, "gait.faster", cycle)]
    for number, segment in enumerate(table.get("segments", ())):
        note = "" if number else "of the trunk behind the body; each hangs on the one before it"
        lines += ["", _noted("[[segments]]", note), *_values(anatomy, "segments", segment)]
    for number, pair in enumerate(table["leg_pairs"]):
        lines += ["", *_pair(anatomy, number, pair)]
    lines += ["", "[colours]", *_values(anatomy, "colours", table["colours"])]
    if anatomy.robot is None:
        lines += tail_lines(anatomy, table)
    return "\n".join(lines) + "\n"


def _values(anatomy: Anatomy, key: str, table: Mapping[str, Any]) -> Iterator[str]:
    """One line for each value, more for lists of lists."""
    for name, value in table.items():
        notes = NOTES if anatomy.robot is None else {**NOTES, "body.mass": "kg, of all links"}
        note = notes.get(f"{key}.{name}", "")
        doubt = anatomy.frame.doubts.get(name) if key == "model" else None
        if doubt:
            note += f" ? {doubt}"
        is_nested = isinstance(value, list) and value and isinstance(value[0], list | dict)
        if is_nested or (isinstance(value, list) and len(shown(value)) > LONGEST):
            yield f"{name} = [{f'  # {note}' if note else ''}"
            yield from (f"    {shown(part)}," for part in value)
            yield "]"
        else:
            yield _noted(f"{name} = {shown(value)}", note)


def _noted(text: str, note: str) -> str:
    return f"{text.ljust(WIDTH - 1)} # {_plain(note)}" if note else text


def _plain(text: str) -> str:
    """A text for a comment: names of bones may hold whatever they like."""
    return CONTROL.sub("?", text)


def _doubts(anatomy: Anatomy, key: str) -> Iterator[str]:
    """Comments on a whole table."""
    if key == "model":
        for note in anatomy.notes:
            yield f"# ? {_plain(note)}"
        names = anatomy.skeleton.names
        if anatomy.arms:
            held = ", ".join(names[limb.root] for limb in anatomy.arms[:8])
            yield f"# ? limbs that do not stand keep the pose of the file: {_plain(held)}"
        if anatomy.tails and anatomy.robot is None:
            roots = ", ".join(names[tail[0]] for tail in anatomy.tails)
            yield f"# ? tails keep the pose of the file, but see the end: {_plain(roots)}"
        if anatomy.head is None and anatomy.robot is None:
            yield '# ? no bone is named head: write [head], and here head = "its bone"'
    if key == "head":
        yield "# its bone and a box that its skin fills; it looks about"


def _pair(anatomy: Anatomy, number: int, pair: Mapping[str, Any]) -> Iterator[str]:
    """A pair of legs."""
    leg = anatomy.legs[number][0]
    names = anatomy.skeleton.names
    yield _noted("[[leg_pairs]]", f"{names[leg.bones[0]]}; the right leg mirrors the left one")
    if "segment" in pair:
        yield _noted(f"segment = {pair['segment']}", "of the trunk; 0 is the body")
    yield _noted(
        f"mount = {shown(pair['mount'])}", "hip, from the centre of the body or the segment"
    )
    yield _noted(f"bones = {shown(pair['bones'])}", ", ".join(names[bone] for bone in leg.bones))
    yield _noted(f"home = {shown(pair['home'])}", "where the foot rests on level ground")
    yield _noted(f"pole = {shown(pair['pole'])}", _pole_note(leg))
    if "thickness" in pair:
        yield _noted(f"thickness = {shown(pair['thickness'])}", "diameters, of the skin")
    if "comfort" in pair:
        yield _noted(
            f"comfort = {shown(pair['comfort'])}", "its joints do not let it come straight"
        )
    if "foot" in pair:
        yield f"foot = {shown(pair['foot'])}"
        yield "# ? the last bone goes from the ankle down to a sole that the toes are part of"
    if "joints" in pair:
        yield _noted("joints = [", "of each bone; 0 is straight on from the one before it")
        if leg.limits is not None:
            yield f"    # those of {leg.limits.names}"
        if leg.limits is not None and leg.limits.added:
            yield f"    # ? the robot has no such joint: {leg.limits.added}"
        yield from (f"    {shown(joint)}," for joint in pair["joints"])
        yield "]"
    else:
        yield "# ? joints are derived from home and pole: those of the rest pose could not stand"


def _pole_note(leg: Leg) -> str:
    """What the pole is, and what else it could be."""
    x, y, z = leg.pole
    if leg.is_straight:
        other = [-x + 0.0, -y + 0.0, -z + 0.0]
        return f"knees point there ? the leg is straight at rest: it could be {shown(other)}"
    return "knees point there, as they do at rest"
