"""What twins look like, and what touches them: bodies and legs as those of others are kept."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import BodyRecord, Records, RecordTable, TwinRecord
from creature_sim.maths import Floats, Vec, along, dot, put, put_quat, quat, vec
from creature_sim.maths.jit import kernel
from creature_sim.twin.links import Hinges, Links
from creature_sim.twin.motion import Motion, middle_of, move_twin, note_centre, tip_of


@kernel
def press(
    links: Links,
    touched: Floats,
    up: Vec,
    weight: float,
    bases: Records[TwinRecord],
    forces: Floats,
    contacts: NDArray[np.int64],
) -> None:
    """Write what pushes the feet of N twins, and how much of their weight their trunks bear.

    Args:
        links: of the twins.
        touched: (C, 6) contacts: twin, its link, how hard that is
            pressed [N], and where to [world].
        up: against gravity [world].
        weight: of each [N].
        bases: (N,) of the twins; written.
        forces: (N, L, 3) on the feet [N, world]; written.
        contacts: (N, L) whether they touch anything; written.
    """
    forces[:], contacts[:] = 0.0, 0
    for n in range(bases.shape[0]):
        bases[n].borne = 0.0
    for c in range(touched.shape[0]):
        n, link = int(touched[c, 0]), int(touched[c, 1])
        way = vec(touched[c, 3:])
        is_foot = False
        for leg in range(links.foot.shape[0]):
            if links.foot[leg] == link:
                is_foot = True
                contacts[n, leg] = 1
                put(forces[n, leg], along(vec(forces[n, leg]), way, touched[c, 2]))
        for s in range(links.segment.shape[0]):
            if links.segment[s] == link and not is_foot:
                bases[n].borne += touched[c, 2] * dot(way, up) / weight


@kernel
def show(
    links: Links,
    motion: Motion,
    bases: Records[TwinRecord],
    hinges: Hinges,
    trunks: RecordTable[BodyRecord],
    joints: Floats,
    rotations: Floats,
    tips: Floats,
) -> None:
    """Write where N twins are.

    Args:
        links: of the twins.
        motion: room; written.
        bases: (N,) of them; their centres of mass are written.
        hinges: arrays are (N, A).
        trunks: (N, S) segments; written.
        joints: (N, L, J, 3) hip to tip [m, world]; written.
        rotations: (N, L, J - 1, 4) of the bones; written.
        tips: (N, L, 3) [m, world]; written.
    """
    for n in range(bases.shape[0]):
        move_twin(motion, links, bases[n], hinges.angles[n], hinges.rates[n])
        note_centre(motion, links, bases[n])
        _show_links(links, motion, trunks[n], joints[n], rotations[n], tips[n])


@kernel
def _show_links(
    links: Links,
    motion: Motion,
    trunk: Records[BodyRecord],
    joints: Floats,
    rotations: Floats,
    tips: Floats,
) -> None:
    """Write where one is; arguments are its rows of those of `show`."""
    for s in range(trunk.shape[0]):
        put(trunk[s].position, middle_of(motion, links, s))
        put_quat(trunk[s].orientation, quat(motion.orientation[links.segment[s]]))
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
