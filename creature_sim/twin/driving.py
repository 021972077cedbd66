"""One small step of twins: what their hinges shall do, between two goals of their walks."""

from typing import NamedTuple

import numpy as np

from creature_sim.components import TwinRecord
from creature_sim.maths import (
    Quat,
    Vec,
    mix,
    nlerp,
    quat,
    scale,
    sub,
    turn_between,
    vec,
)
from creature_sim.maths.jit import kernel
from creature_sim.twin.links import Feet, Gains, Hinges, Links
from creature_sim.twin.motion import Motion, move_base, move_links, move_twin
from creature_sim.twin.orders import Orders
from creature_sim.twin.torques import find_torques, press_feet


class Step(NamedTuple):
    """A step of a tick.

    Attributes:
        part: of the tick that has passed at its end.
        tick: length of the tick [s].
        length: its own [s].
        down: gravity [m/s^2, world].
    """

    part: float
    tick: float
    length: float
    down: Vec


@kernel
def drive(
    links: Links,
    gains: Gains,
    stiff: Gains,
    motion: Motion,
    wanted: Motion,
    orders: Orders,
    step: Step,
) -> None:
    """Find the torques of all twins in a step.

    Args:
        links: of the twins.
        gains: of them.
        stiff: of those that are stiff.
        motion: where one is; written.
        wanted: where it should be at the end of the step; written.
        orders: for them; work, strain, torques and forces are written.
        step: which.
    """
    hinges, feet = orders.hinges, orders.feet
    for n in range(orders.bases.shape[0]):
        _drive(
            links,
            stiff if orders.is_stiff[n] else gains,
            motion,
            wanted,
            orders.bases[n],
            vec(orders.old_positions[n]),
            quat(orders.old_orientations[n]),
            Hinges(
                hinges.angles[n],
                hinges.rates[n],
                hinges.old_goals[n],
                hinges.goals[n],
                hinges.pulls[n],
                hinges.torques[n],
            ),
            Feet(feet.normals[n], feet.drifts[n], feet.loads[n], feet.forces[n]),
            step,
        )


@kernel
def _drive(
    links: Links,
    gains: Gains,
    motion: Motion,
    wanted: Motion,
    base: TwinRecord,
    old_position: Vec,
    old_orientation: Quat,
    hinges: Hinges,
    feet: Feet,
    step: Step,
) -> None:
    """Find the torques of a twin; arguments are those of `drive`."""
    move_twin(motion, links, base, hinges.angles, hinges.rates)
    goal, goal_turn = vec(base.goal_position), quat(base.goal_orientation)
    move_base(
        wanted,
        links,
        mix(old_position, goal, step.part),
        nlerp(old_orientation, goal_turn, step.part),
        scale(sub(goal, old_position), 1.0 / step.tick),
        scale(turn_between(old_orientation, goal_turn), 1.0 / step.tick),
    )
    between, goal_rates = np.empty_like(hinges.goals), np.empty_like(hinges.goals)
    for j in range(between.shape[0]):
        way = hinges.goals[j] - hinges.old_goals[j]
        goal_rates[j] = way / step.tick
        between[j] = hinges.old_goals[j] + step.part * way
    move_links(wanted, links, between, goal_rates)
    press_feet(links, gains, motion, wanted, step.down, feet)
    strain = find_torques(links, gains, motion, step.down, feet, hinges, between, goal_rates)
    base.strain = max(base.strain, strain)
    for j in range(between.shape[0]):
        base.work += max(0.0, hinges.torques[j] * hinges.rates[j]) * step.length
