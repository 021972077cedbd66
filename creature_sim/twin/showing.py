"""What a twin looks like: its body and its legs, as those of other creatures are kept."""

from creature_sim.components import BodyRecord, Records
from creature_sim.maths import Floats, add, put, put_quat, quat, rotate, vec
from creature_sim.maths.jit import kernel
from creature_sim.twin.links import Links
from creature_sim.twin.motion import Motion, tip_of


@kernel
def show_links(
    links: Links,
    motion: Motion,
    trunk: Records[BodyRecord],
    joints: Floats,
    rotations: Floats,
    tips: Floats,
) -> None:
    """Write where a twin is.

    Args:
        links: of the twin.
        motion: where it is.
        trunk: (S,) segments; written.
        joints: (L, J, 3) hip to tip [m, world]; written.
        rotations: (L, J - 1, 4) of the bones; written.
        tips: (L, 3) [m, world]; written.
    """
    for s in range(trunk.shape[0]):
        k = links.segment[s]
        turn = quat(motion.orientation[k])
        middle = rotate(turn, vec(links.middle[s]))
        put(trunk[s].position, add(vec(motion.position[k]), middle))
        put_quat(trunk[s].orientation, turn)
    for leg in range(joints.shape[0]):
        tip = tip_of(motion, links, leg)
        put(tips[leg], tip)
        put(joints[leg, joints.shape[1] - 1], tip)
        for b in range(links.bone.shape[1]):
            k = links.bone[leg, b]
            if k < 0:
                put(joints[leg, b], tip)
            else:
                put(joints[leg, b], vec(motion.position[k]))
                put_quat(rotations[leg, b], quat(motion.orientation[k]))
