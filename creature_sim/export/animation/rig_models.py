"""Chains and trees that look like a model: a node for each joint, turned as the window turns them.

A root with one bone has another node, `base`, which turns with what carries it.
"""

import numpy as np

from creature_sim.definitions import RigDef
from creature_sim.export import names
from creature_sim.export.animation.skeletons import AT_ORIGIN, Node
from creature_sim.export.animation.turns import UNTURNED, steady
from creature_sim.figures.skins import RigSkin
from creature_sim.figures.soles import turns_of
from creature_sim.maths import Floats
from creature_sim.models.binding import binding_of
from creature_sim.models.rigs import parents_of

BASE = "base"


def rig_figure_of(rig: RigDef) -> RigSkin | None:
    """The bones of a chain or a tree with a model."""
    binding = binding_of(rig)
    return RigSkin(rig, binding) if binding else None


def model_nodes(rig: RigDef, figure: RigSkin) -> list[Node]:
    """The nodes between the root of all, 0, and the targets."""
    own, first = names.rig_joint_names(rig), first_joint(figure)
    base = BASE
    while base in own:
        base += "_"
    found = [Node(base, 0, 0, None)] if first == 2 else []
    return found + [
        Node(name, first + parent if parent >= 0 else first - 1, joint, None)
        for joint, (name, parent) in enumerate(zip(own, parents_of(rig), strict=True))
    ]


def first_joint(figure: RigSkin) -> int:
    """Index of the node of the first joint: 2 where there is a base, else 1."""
    return 2 if figure.limbs.joint_bones[0] else 1


def bone_nodes(figure: RigSkin) -> list[int]:
    """The node of each bone of the model."""
    found = [first_joint(figure) + joint for joint in figure.limbs.bone_joints]
    return [1, *found[1:]]


def model_rest(figure: RigSkin, joints: Floats) -> list[Floats]:
    """Frames (7,) of all nodes at rest, with the root where it is first seen, joints (J, 3) [m]."""
    places = figure.joints - figure.joints[0] + joints[0]
    at_rest = [np.concatenate((place, UNTURNED)) for place in places]
    return [AT_ORIGIN, *at_rest[: first_joint(figure) - 1], *at_rest]


def model_frames(figure: RigSkin, joints: Floats, carriers: Floats) -> list[Floats]:
    """Frames (T, 7) of all nodes.

    Args:
        figure: of the bones.
        joints: (T, J, 3) [m, world].
        carriers: (T, 4) turns of what carries the root.
    """
    pairs = zip(joints, carriers, strict=True)
    turns = np.concatenate([figure.matrices(*pair) for pair in pairs])[..., :3]
    quaternions = turns_of(turns[..., 0], turns[..., 2])
    first = first_joint(figure)
    lying = [(0, 0)] * (first - 1) + list(enumerate(figure.limbs.joint_bones))
    return [
        np.broadcast_to(AT_ORIGIN, (len(joints), 7)),
        *(
            np.concatenate((joints[:, joint], steady(quaternions[:, bone])), axis=-1)
            for joint, bone in lying
        ),
    ]
