"""Commands that a body with mass can follow: on two feet they change little in each stride."""

from math import inf, sqrt

from creature_sim.components import (
    GRAVITY,
    UPRIGHT,
    CommandRecord,
    GaitRecord,
    Plan,
    Records,
    TwinRecord,
)
from creature_sim.maths.jit import kernel

TURNS = 0.5
"""Of a turn it may change by this fraction of that: feet have to turn with the body."""


def ramp_of(plan: Plan) -> float:
    """Fraction of its full command by which that of a twin may change in a second.

    A foot is placed for the velocity that its body has as it lifts. What the velocity changes by
    until the foot stands moves the capture point by dv / w (Pratt et al. 2006), w = sqrt(g / h).
    In a stride that may be the half width of a foot: a = w pad / (stride / speed). Who has three
    feet on the ground as it sets out presses where it has to, and needs no ramp: on four, one only
    made it change from a crawl to a trot on its way, and fall.
    """
    body = plan.body[0]
    if plan.cycles["is_static"].any():
        return inf
    walks = plan.cycles[plan.cycles["flies"] == 0]
    stride = float(walks["stride_length"].max())
    return sqrt(GRAVITY / body.ride_height) * float(body.pad) / stride


@kernel
def ease(
    commands: Records[CommandRecord],
    bases: Records[TwinRecord],
    gaits: Records[GaitRecord],
    step: int,
) -> None:
    """Bring the commands that twins are led with towards those that they get.

    Args:
        commands: (N,) that they get; those that they are led with are written.
        bases: (N,) of the twins; the same is remembered.
        gaits: (N,).
        step: by which an axis may change in this tick.
    """
    turn_step = max(1, int(TURNS * step))
    for n in range(commands.shape[0]):
        command, base = commands[n], bases[n]
        if base.stage != UPRIGHT or gaits[n].flight:  # it will set out anew
            base.forward = base.turn = base.strafe = base.height = 0
        base.forward = nearer(base.forward, command.forward, step)
        base.turn = nearer(base.turn, command.turn, turn_step)
        base.strafe = nearer(base.strafe, command.strafe, step)
        base.height = nearer(base.height, command.height, step)
        command.forward, command.turn = base.forward, base.turn
        command.strafe, command.height = base.strafe, base.height


@kernel
def nearer(here: int, there: int, step: int) -> int:
    """A number by a step at most nearer to another one."""
    return here + max(-step, min(step, there - here))
