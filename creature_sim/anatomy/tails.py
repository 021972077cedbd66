"""The tails of a creature that was found in a model, as chains of a world: text to copy."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from creature_sim.anatomy.anatomy import Anatomy
from creature_sim.anatomy.chains import SHORTEST
from creature_sim.anatomy.limbs import end_of
from creature_sim.anatomy.values import numbers, shown
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths

DIGITS = 5
"""Of lengths [m] and directions."""
WAG = 0.45
"""A tail wags this far to either side [rad]."""
SLACK = 0.95
"""Its tip stays this near to its root, over where it is at rest: it can bend."""
CHAIN = """
The tail {root} follows the body. To let it wag, write without = [{root}] in [model], and this
in the file of a world whose first creature this is, beside the model:
[[chains]]
name = "{name}"
creature = 0
root = {place}
bones = {bones}
pose = {pose}
[chains.model]
file = {file}
scale = {scale}
up = "{up}"
forward = "{forward}"
bones = {nodes}
tip = {tip}
only = true
[chains.target]
kind = "spline"
period = 1.2
keyframes = {keyframes}
"""


def tail_lines(anatomy: Anatomy, table: Mapping[str, Any]) -> Iterator[str]:
    """Comments at the end of a creature's file: each of its tails as a chain.

    Args:
        anatomy: of the model.
        table: of the creature.
    """
    middle = np.array(table["model"]["origin"])
    middle = np.einsum("ij,j->i", anatomy.frame.turn, middle) * anatomy.frame.scale
    for number, tail in enumerate(anatomy.tails, 1):
        joints = _joints(anatomy, tail)
        if (lengths(np.diff(joints, axis=0)) >= SHORTEST).all():
            text = _chain(anatomy, table, f"tail_{number}", tail, joints - middle)
            yield from (f"# {line}" if line else "" for line in text.splitlines())


def _joints(anatomy: Anatomy, tail: Sequence[int]) -> Floats:
    """Where its bones begin, and its tip, (J, 3) [m]."""
    skeleton = anatomy.skeleton
    return np.array([*skeleton.heads[list(tail)], end_of(skeleton, tail[-1])])


def _chain(
    anatomy: Anatomy, table: Mapping[str, Any], name: str, tail: Sequence[int], joints: Floats
) -> str:
    """The text of a chain, from joints (J, 3) [m, body]."""
    model, names = table["model"], [anatomy.skeleton.names[bone] for bone in tail]
    ways = np.diff(joints, axis=0)
    sizes = lengths(ways)
    out = SLACK * (joints[-1] - joints[0])
    sides = [
        joints[0] + [np.cos(a) * out[0] - np.sin(a) * out[1],
                     np.sin(a) * out[0] + np.cos(a) * out[1], out[2]]
        for a in (WAG, -WAG)
    ]  # fmt: skip
    tip = anatomy.frame.in_file(joints[-1])
    return CHAIN.format(
        root=shown(names[0]),
        name=name,
        place=_numbers(joints[0]),
        bones=_numbers(sizes),
        pose=shown([numbers(way, DIGITS) for way in ways / sizes[:, None]]),
        file=shown(model["file"]),
        scale=model["scale"],
        up=model["up"],
        forward=model["forward"],
        nodes=shown(names),
        tip=_numbers(tip + model["origin"]),
        keyframes=shown([numbers(side, DIGITS) for side in sides]),
    )


def _numbers(values: Floats) -> str:
    return shown(numbers(values, DIGITS))
