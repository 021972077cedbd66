"""What kernels take of herds, found once."""

from collections.abc import Iterator, Sequence
from operator import is_, itemgetter
from typing import NamedTuple, TypeAlias

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    Body,
    BodyPose,
    BodyPoseRecord,
    BodyRecord,
    Clock,
    Command,
    CommandRecord,
    CycleRecord,
    Foothold,
    FootholdRecord,
    FootRecord,
    FootTarget,
    Gait,
    GaitRecord,
    GravityRecord,
    Head,
    HeadRecord,
    Herd,
    HitRecord,
    LegBones,
    LegChain,
    LegRecord,
    LegTarget,
    LegTargetRecord,
    MotionRecord,
    Motions,
    Near,
    Neighbours,
    Others,
    Patches,
    Plan,
    PlanRecord,
    Probes,
    PropRecord,
    Records,
    RecordTable,
    SegmentRecord,
    Sensed,
    SolidRecord,
    SolvedLegs,
    Suspension,
    SuspensionRecord,
    Twin,
)
from creature_sim.components.queries import gravity_here, props_here, solids_here
from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table

Walkers: TypeAlias = tuple[
    Records[PlanRecord],
    Records[LegRecord],
    RecordTable[BodyRecord],
    Records[GaitRecord],
    RecordTable[FootRecord],
    RecordTable[FootholdRecord],
]
"""The first arguments of every kernel of walking: what is made of them is a `Creature`."""


class HerdArrays(NamedTuple):
    """The arrays of a herd's components, and of the world's, as kernels take them.

    Their shapes are those of the components, which are named beside them.
    """

    walkers: Walkers
    segments: Records[SegmentRecord]  # of `Plan`, as the next three
    cycles: Records[CycleRecord]
    offsets: Floats
    bones: LegBones
    numbers: NDArray[np.int64]  # members of `Herd`
    commands: Records[CommandRecord]
    gravity: Records[GravityRecord]
    solids: Records[SolidRecord]
    props: Records[PropRecord]
    hits: RecordTable[HitRecord]  # `Sensed`
    starts: Floats  # of `Probes`, as the next three
    ends: Floats
    is_active: NDArray[np.int8]
    room: Floats
    patches: Patches
    first_near: NDArray[np.int64]  # of `Neighbours`, as the next
    first_side: NDArray[np.int64]
    targets: RecordTable[LegTargetRecord]
    solved: SolvedLegs
    hung: RecordTable[SuspensionRecord]
    poses: Records[BodyPoseRecord]
    heads: Records[HeadRecord]
    motions: RecordTable[MotionRecord]


FIELDS = "urge", "rest", "flight"
"""What `any_of` can be asked for."""


class Arrays:
    """The arrays of a herd; no state. A component of every herd.

    Attributes:
        plan: of the herd.
        arrays: of its components.
        twin: its twins; None where it has none.
        eased: of a herd with twins the same, with commands and targets of its own.
    """

    __slots__ = ("arrays", "eased", "plan", "twin")

    def __init__(self, entity: int) -> None:
        """Find the arrays of a herd's entity."""
        self.plan = esper.component_for_entity(entity, Plan)
        self.arrays = _arrays_of(entity)
        self.eased: Table[HerdArrays] | None = None
        self._find_twin(entity)

    def find(self, entity: int) -> None:
        """Find them again: fields may hold others. Else the tuple of them stays the same."""
        found = _arrays_of(entity)
        if not _are_same(found, self.arrays):
            self.arrays, self.eased = found, None
        self._find_twin(entity)

    def _find_twin(self, entity: int) -> None:
        self.twin: Twin | None = esper.try_component(entity, Twin)
        if self.twin and self.eased is None:
            commands, targets = self.arrays.commands.copy(), self.arrays.targets.copy()
            eased = self.arrays._replace(commands=commands, targets=targets)
            self.eased = Table([eased])


def _arrays_of(entity: int) -> HerdArrays:
    """The arrays of a herd's entity."""
    part = esper.component_for_entity
    plan, probes, near = part(entity, Plan), part(entity, Probes), part(entity, Neighbours)
    return HerdArrays(
        (
            plan.body,
            plan.legs,
            part(entity, Body).records,
            part(entity, Gait).records,
            part(entity, FootTarget).records,
            part(entity, Foothold).records,
        ),
        plan.segments,
        plan.cycles,
        plan.offsets,
        plan.bones,
        part(entity, Herd).members,
        part(entity, Command).records,
        gravity_here(),
        solids_here(),
        props_here(),
        part(entity, Sensed).records,
        probes.start,
        probes.end,
        probes.is_active,
        probes.room,
        probes.patches,
        near.first,
        near.first_side,
        part(entity, LegTarget).records,
        part(entity, LegChain).solved,
        part(entity, Suspension).records,
        part(entity, BodyPose).records,
        part(entity, Head).records,
        part(entity, Motions).records,
    )


def _are_same(found: HerdArrays, known: HerdArrays) -> bool:
    """Whether both hold the same arrays, and tuples of the same arrays."""
    for a, b in zip(found, known, strict=True):
        if isinstance(a, tuple) and isinstance(b, tuple):
            if not all(map(is_, a, b)):
                return False
        elif a is not b:
            return False
    return True


class AllHerds(Table[HerdArrays]):
    """The arrays of all herds of a world, in order of creation; no state.

    A component of the world, which has none where it has no herds. Kernels go over all herds in one
    call: with a call for each, 200 herds of one took half as long again.

    Attributes:
        creature_count: of all herds.
        segment_count: of all creatures.
        foot_count: of all creatures.
    """

    def __init__(self, herds: Sequence[HerdArrays]) -> None:
        """Take one herd or more."""
        super().__init__(herds)
        self.creature_count = self.segment_count = self.foot_count = 0
        for herd in herds:
            _, _, bodies, gaits, feet, _ = herd.walkers
            self.creature_count += gaits.size
            self.segment_count += bodies.size
            self.foot_count += feet.size


class TwinlessHerds(Table[HerdArrays]):
    """The arrays of all herds without twins, as `AllHerds` has them."""


@kernel
def near_of(herd: HerdArrays, others: Others) -> Near:
    """Who is near to the segments of a herd."""
    return Near(herd.first_near, others.records, others.feet, herd.first_side, others.sides)


def herds() -> Iterator[tuple[int, Plan, Walkers]]:
    """Entity, plan, and what kernels of walking take first, of every herd."""
    for entity, herd in esper.get_component(Arrays):
        yield entity, herd.plan, herd.arrays.walkers


def find_arrays() -> None:
    """Find the arrays of all herds again."""
    ((world, _),) = esper.get_component(Clock)
    found = sorted(esper.get_component(Arrays), key=itemgetter(0))
    for entity, herd in found:
        herd.find(entity)
    _keep(world, AllHerds, [herd.arrays for _, herd in found])
    _keep(world, TwinlessHerds, [herd.arrays for _, herd in found if herd.twin is None])


def _keep(world: int, kind: type[Table[HerdArrays]], herds: Sequence[HerdArrays]) -> None:
    """Keep a table of herds, where it is not kept already; none where there are no herds."""
    kept = esper.try_component(world, kind)
    if kept is not None and kept.holds(herds):
        return
    if herds:
        esper.add_component(world, kind(herds))
    elif kept is not None:
        esper.remove_component(world, kind)


def any_of(field: str) -> bool:
    """Whether the gait of any creature has this number of `FIELDS` other than 0."""
    for _, herds in esper.get_component(AllHerds):
        return _is_any(herds, FIELDS.index(field))
    return False


@unchecked
@kernel
def _is_any(herds: Table[HerdArrays], field: int) -> bool:
    for k in range(len(herds)):
        _, _, _, gaits, _, _ = herds[k].walkers
        for n in range(len(gaits)):
            if (gaits[n].urge, gaits[n].rest, gaits[n].flight)[field] != 0:
                return True
    return False
