"""Ground that steps: twins on four legs cross it with three feet on the ground."""

from collections.abc import Iterator

import numpy as np

from creature_sim.components import (
    LOST,
    STANDING,
    WALKS,
    FootRecord,
    GaitRecord,
    Plan,
    Records,
    RecordTable,
    Twin,
    TwinRecord,
)
from creature_sim.components.arrays import HerdArrays
from creature_sim.locomotion.prediction import FEW
from creature_sim.maths import add, dot, norm, sub, unit, vec
from creature_sim.maths.jit import kernel
from creature_sim.maths.tables import Table

STEPS = 0.25
"""Ground steps where the line from foot to foot rises against the ground under both by this sine:
on stairs by .3, on hills by .1."""
STROKE = 0.42
"""Strokes of a crawl across it are at least this fraction of the reach."""
HASTE = 1.2
"""Feet of who may crawl across it go so many times as fast as others at most."""
CALM = 2.0
"""Care lasts for so long after the last step [s]."""


@kernel
def take_care(
    bases: Records[TwinRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    dt: float,
) -> None:
    """Let N twins whose feet stand, or will stand, on ground that steps walk their slowest cycle.

    A foot that meets a riser stops a body for a moment. Three feet hold it then; over two it falls.

    Args:
        bases: (N,) of the twins; written.
        gaits: (N,); written.
        feet: (N, L).
        dt: length of a tick [s].
    """
    for n in range(bases.shape[0]):
        is_last = 0.0 < bases[n].care <= dt
        if not (is_last and is_any_in_the_air(feet[n])):  # a trot begins with all on the ground
            bases[n].care = max(0.0, bases[n].care - dt)
        if steepest(feet[n]) > STEPS:
            bases[n].care = CALM
        if gaits[n].run != WALKS:
            bases[n].care = 0.0
        elif bases[n].care > 0.0:
            gaits[n].cycle = 0


@kernel
def is_any_in_the_air(feet: Records[FootRecord]) -> bool:
    """Whether a foot does not stand."""
    count = 0
    for i in range(feet.shape[0]):
        count += feet[i].phase != STANDING and feet[i].phase != LOST
    return count > 0


@kernel
def steepest(feet: Records[FootRecord]) -> float:
    """How steeply ground rises from foot to foot against how it lies under both, a sine."""
    most = 0.0
    for i in range(feet.shape[0]):
        for k in range(i):
            if feet[i].phase != LOST and feet[k].phase != LOST:
                way = sub(vec(feet[i].goal), vec(feet[k].goal))
                up = add(vec(feet[i].goal_normal), vec(feet[k].goal_normal))
                up = unit(up, vec(feet[i].goal_normal))
                most = max(most, abs(dot(way, up)) / max(norm(way), 1e-9))
    return most


def hasten(plan: Plan) -> None:
    """Let the crawl of a plan whose twins take care keep up with its trot.

    With one foot of four in the air at any time a stance lasts three swings: v = stroke / (3 T). So
    no time passes between two of them, strokes are longer than who crawls by choice needs them, and
    feet may go faster.
    """
    if not needs_care(plan):
        return
    crawl, count = plan.cycles[0], len(plan.legs)
    stays = 1.0 - 1.0 / count
    order = np.argsort((crawl.duty_factor - plan.offsets[0]) % 1.0, kind="stable")
    plan.offsets[0, order] = (stays - np.arange(count) / count) % 1.0
    crawl.stride_length = max(crawl.stride_length, STROKE * plan.body[0].reach / stays)
    crawl.duty_factor = stays
    plan.body["foot_speed"] *= HASTE
    plan.body["foot_acceleration"] *= HASTE * HASTE


def needs_care(plan: Plan) -> bool:
    """Whether twins of a plan may have to slow down so: on few legs, with two gaits or more."""
    cycles = plan.cycles
    is_few = 2 < len(plan.legs) <= FEW
    return is_few and len(cycles) > 1 and bool(cycles["is_static"][0])


def parts_by_care(twin: Twin, herd: Table[HerdArrays]) -> Iterator[Table[HerdArrays]]:
    """A herd of twins in parts that walk the same cycles of its plan: the slowest who take care.

    What they steer by and walk with is that of each part; the other arrays are not parted.
    """
    if not twin.records["care"].any():
        yield herd
        return
    whole = herd[0]
    plan, legs, bodies, gaits, feet, holds = whole.walkers
    for row, left in enumerate(twin.records["care"].tolist()):
        rows = slice(row, row + 1)
        count = 1 if left > 0.0 else len(whole.cycles)
        part = whole._replace(
            walkers=(plan, legs, bodies[rows], gaits[rows], feet[rows], holds[rows]),
            commands=whole.commands[rows],
            cycles=whole.cycles[:count],
            offsets=whole.offsets[:count],
        )
        yield Table([part])
