"""One creature inside a kernel."""

from typing import NamedTuple

from creature_sim.components import (
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    LegRecord,
    PlanRecord,
    Records,
)


class Creature(NamedTuple):
    """What kernels read and write of one creature, to hand on as one.

    Attributes:
        plan: numbers of its body plan.
        legs: (L,) of the plan.
        trunk: (S,) segments as they are.
        gait: how it walks.
        feet: (L,).
        footholds: (L,).
    """

    plan: PlanRecord
    legs: Records[LegRecord]
    trunk: Records[BodyRecord]
    gait: GaitRecord
    feet: Records[FootRecord]
    footholds: Records[FootholdRecord]
