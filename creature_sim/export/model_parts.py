"""Creatures, chains and trees that look like a model, in the list of shapes of a page."""

from typing import Any

import numpy as np

from creature_sim.definitions import CreatureDef
from creature_sim.figures.skins import RigSkin, SkinFigure
from creature_sim.figures.soles import turns_of
from creature_sim.maths import Floats
from creature_sim.snapshots.poses import CreaturePose

SKINS = ("skins", "shades", "steps")
"""Kinds of their parts."""


def model_parts(
    plan: CreatureDef, number: int, first: tuple[int, int, int], swing_count: int
) -> dict[str, list[list[Any]]]:
    """Rows of a creature.

    `skins` [number of the model, and for each of its bones a point and a turn]; the soft shade
    below it, `shades` [point, turn, x, y, z] of bodies and `steps` [point, normal, radius] of feet.

    Args:
        plan: of the creature.
        number: of its model.
        first: indices of its first point, turn and normal.
        swing_count: how many nodes swing with its legs.
    """
    point, turn, normal = first
    bones, steps = [], []
    for _ in plan.boxes:
        bones.append([point, turn])
        point, turn = point + 1, turn + 1
    halves = [[0.5 * side for side in size] for size in plan.boxes]
    shades = [[*bone, *half] for bone, half in zip(bones, halves, strict=True)]
    for index, leg in enumerate(plan.all_legs):
        for _ in leg.bones:
            bones.append([point, turn])
            point, turn = point + 1, turn + 1
        steps.append([point, normal + index, round(leg.pad, 5)])
        point += 1
    bones += [[point + k, turn + k] for k in range(swing_count)]
    return {"skins": [[number, bones]], "shades": shades, "steps": steps}


def rig_parts(figure: RigSkin, number: int, point: int, turn: int) -> list[Any]:
    """The row `skins` of a chain or a tree, from the indices of its first point and turn."""
    joints = figure.limbs.bone_joints
    return [number, [[point + joint, turn + bone] for bone, joint in enumerate(joints)]]


def rig_turns(figure: RigSkin, joints: Floats, carrier: Floats) -> Floats:
    """Turns (B, 4) of all bones of a chain or a tree since their rest."""
    (matrices,) = figure.matrices(joints, carrier)
    return turns_of(matrices[..., 0], matrices[..., 2])


def bone_turns(figure: SkinFigure, creature: CreaturePose) -> Floats:
    """Turns (K, 4) of all bones of a creature since their rest, but for its boxes."""
    (matrices,) = figure.matrices(creature.herd, np.array([creature.row]))
    turns = matrices[len(figure.binding.boxes) :, :, :3]
    return turns_of(turns[..., 0], turns[..., 2])


def swing_places(figure: SkinFigure, creature: CreaturePose) -> Floats:
    """Where the nodes are that swing with legs, (K, 3) [m, world]."""
    places = figure.binding.swings.places
    if not len(places):
        return places
    matrices = figure.matrices(creature.herd, np.array([creature.row]))
    return figure.swung(matrices).reshape(-1, 3)
