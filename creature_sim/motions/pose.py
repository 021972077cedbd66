"""The body is held as its user wants it: rolled, pitched, yawed, shifted."""

from creature_sim.definitions.motions import FORMS
from creature_sim.maths import add, put, vec
from creature_sim.maths.jit import kernel
from creature_sim.motions.motion import Actors, Motion


@kernel
def pose(actors: Actors, dt: float) -> None:
    """Ask for what the event says."""
    for n in range(len(actors.motions)):
        motion, held = actors.motions[n], actors.poses[n]
        if motion.is_on:
            put(held.asked_shift, add(vec(held.asked_shift), vec(motion.shift)))
            put(held.asked_turn, add(vec(held.asked_turn), vec(motion.turn)))


POSE = Motion("pose", FORMS["pose"], pose)
