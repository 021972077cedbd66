"""The body is held as its user wants it: rolled, pitched, yawed, shifted."""

from creature_sim.components import (
    BodyPoseRecord,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    HeadRecord,
    LegRecord,
    LegTargetRecord,
    MotionRecord,
    PlanRecord,
    Records,
    RecordTable,
)
from creature_sim.definitions.motions import FORMS
from creature_sim.maths import add, put, vec
from creature_sim.maths.jit import kernel
from creature_sim.motions.motion import Motion


@kernel
def pose(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    motions: Records[MotionRecord],
    poses: Records[BodyPoseRecord],
    heads: Records[HeadRecord],
    targets: RecordTable[LegTargetRecord],
    gravity: Records[GravityRecord],
    dt: float,
) -> None:
    """Ask for what the event says; arguments as `Motion.move` has them."""
    for n in range(len(motions)):
        if motions[n].is_on:
            put(poses[n].asked_shift, add(vec(poses[n].asked_shift), vec(motions[n].shift)))
            put(poses[n].asked_turn, add(vec(poses[n].asked_turn), vec(motions[n].turn)))


POSE = Motion("pose", FORMS["pose"], pose)
