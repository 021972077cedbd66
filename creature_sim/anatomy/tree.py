"""What was found in a model, as a tree of text."""

from collections.abc import Iterator, Sequence

import numpy as np

from creature_sim.anatomy.anatomy import Anatomy
from creature_sim.anatomy.body import body_of
from creature_sim.anatomy.legs import Leg
from creature_sim.anatomy.limbs import Limb

SHOWN = 8
"""Limbs that do not stand are named up to this many."""


def tree_of(anatomy: Anatomy) -> str:
    """The tree: the body, then its head, legs, tails and other limbs, with their bones."""
    names, frame = anatomy.skeleton.names, anatomy.frame
    size = np.ptp(anatomy.skeleton.points, axis=0)
    unit = f"{frame.scale:g} m to a unit" if frame.scale != 1.0 else "metres"
    robot = anatomy.robot
    if robot is not None:
        frame = robot.frame
    held = (
        f"{len(names)} bones"
        if robot is None
        else f"{robot.joint_count} joints, {robot.mass:.4g} kg"
    )
    lines = [
        f"{anatomy.file}: {held}, {size[0]:.2f} x {size[1]:.2f} x {size[2]:.2f} m "
        f"({unit}), up {frame.up}, ahead {frame.forward}"
    ]
    branches = list(_branches(anatomy))
    for index, (text, leaves) in enumerate(branches):
        is_last = index + 1 == len(branches)
        lines.append(f"{'└' if is_last else '├'}─ {text}")
        for number, leaf in enumerate(leaves):
            corner = "└" if number + 1 == len(leaves) else "├"
            lines.append(f"{' ' if is_last else '│'}  {corner}─ {leaf}")
    for key, doubt in frame.doubts.items():
        lines.append(f"not sure of {key}: {doubt}")
    lines += [f"note: {note}" for note in anatomy.notes]
    return "\n".join(lines)


def _branches(anatomy: Anatomy) -> Iterator[tuple[str, list[str]]]:
    """The parts of the body, and what they are made of."""
    names = anatomy.skeleton.names
    bones = body_of(anatomy).bones
    segments = [f"segments: {', '.join(names[bone] for bone in bones)}"] if bones[1:] else []
    yield f"body: {names[bones[0]]}", segments or _chain(names, anatomy.trunk)
    if anatomy.head is not None:
        yield f"head: {names[anatomy.head]}", []
    for number, (left, right) in enumerate(anatomy.legs, 1):
        yield f"legs {number}: {_told(left)}", [_leg(names, leg) for leg in (left, right)]
    for tail in anatomy.tails:
        yield f"tail: {' > '.join(names[bone] for bone in tail)}", []
    if anatomy.arms:
        yield "limbs that do not stand", _arms(names, anatomy.arms)


def _chain(names: Sequence[str], bones: Sequence[int]) -> list[str]:
    """The rest of a trunk."""
    return [f"with {', '.join(names[bone] for bone in bones[1 : SHOWN + 1])}"] if bones[1:] else []


def _told(leg: Leg) -> str:
    """How a leg stands."""
    x, y, z = leg.pole
    if abs(z) > 0.5:
        knees = "knees up" if z > 0.0 else "knees down"
    elif abs(x) >= abs(y):
        knees = "knees ahead" if x > 0.0 else "knees back"
    else:
        knees = "knees out" if y > 0.0 else "knees in"
    straight = ", straight at rest" if leg.is_straight else ""
    sole = ", a sole" if leg.sole else ""
    return f"reach {float(leg.lengths.sum()):.2f} m, {knees}{straight}{sole}"


def _leg(names: Sequence[str], leg: Leg) -> str:
    """The bones of a leg."""
    return " > ".join(names[bone] for bone in leg.bones)


def _arms(names: Sequence[str], arms: Sequence[Limb]) -> list[str]:
    """Other limbs, the first ones by name."""
    found = [" > ".join(names[bone] for bone in limb.bones) for limb in arms[:SHOWN]]
    return found + [f"and {len(arms) - SHOWN} more"] * (len(arms) > SHOWN)
