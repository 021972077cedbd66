"""What a motion is, and which there are."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

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
from creature_sim.definitions.motions import FIELDS, FORMS, Forms
from creature_sim.errors import DefinitionError
from creature_sim.inputs import Event
from creature_sim.maths import put


class Actors(NamedTuple):
    """What a motion reads and writes of a herd: N creatures of S segments and L legs.

    Attributes:
        plan: (1,) numbers of their body plan.
        legs: (L,) of the plan.
        bodies: (N, S) segments as they are.
        gaits: (N,) how they walk.
        feet: (N, L).
        footholds: (N, L).
        motions: (N,) who does this motion, and what its event said.
        poses: (N,) how bodies are asked to be held.
        heads: (N,) where heads look.
        targets: (N, L) where legs are led.
        gravity: (1,) the world's field.
    """

    plan: Records[PlanRecord]
    legs: Records[LegRecord]
    bodies: RecordTable[BodyRecord]
    gaits: Records[GaitRecord]
    feet: RecordTable[FootRecord]
    footholds: RecordTable[FootholdRecord]
    motions: Records[MotionRecord]
    poses: Records[BodyPoseRecord]
    heads: Records[HeadRecord]
    targets: RecordTable[LegTargetRecord]
    gravity: Records[GravityRecord]


@dataclass(frozen=True)
class Motion:
    """Something that creatures do besides walking.

    Attributes:
        name: of its event, and of its word in a drive.
        forms: the fields that its event takes, see `definitions.motions`; none: it has no event,
            and goes on wherever nobody tells a creature to go, and one tick longer.
        move: a kernel `move(actors, dt)`, called in every tick of a herd in which any creature does
            it, or any leg has a task; `dt` is the length of a tick [s]. It adds what it wants to
            `asked_shift` and `asked_turn` of `poses`, writes `gaze` and `is_gazing` of `heads`, and
            `is_braced` of `gaits`, where it wants a creature to stand; all are cleared before. It
            may keep `shift`, `turn` and `point` of its `motions` as its state, and lead feet by
            their `targets`: see `locomotion.lead`.
        task: that legs do which its event names: REACHES or STRIKES; 0: it has nothing to do with
            legs.
    """

    name: str
    forms: Forms
    move: Callable[..., None]
    task: int = 0


MOTIONS: list[Motion] = []
"""Every motion: their order is that of the columns of the component `Motions`."""
NUMBERS: dict[str, int] = {}
"""Where each of them is in it, by name."""


def register(motion: Motion) -> None:
    """Add a motion to those that creatures can do, before worlds are made.

    DefinitionError where its name is taken or a form has a field that events do not have.
    """
    if motion.name in NUMBERS or (motion.name in FORMS and FORMS[motion.name] != motion.forms):
        raise DefinitionError(f"name: expected one that is free, found {motion.name!r}")
    unknown = [field for form in motion.forms for field in form if field not in FIELDS]
    if unknown:
        raise DefinitionError(f"forms: expected some of {', '.join(FIELDS)}, found {unknown[0]!r}")
    if motion.forms:
        FORMS[motion.name] = motion.forms
    NUMBERS[motion.name] = len(MOTIONS)
    MOTIONS.append(motion)


def begin(motion: MotionRecord, event: Event) -> None:
    """Begin a motion as an event says, or end it where the event says nothing."""
    motion.is_on, motion.seconds, motion.is_asked, motion.refusal = 0, 0.0, 0, 0
    motion.leg = -1 if event.leg is None else event.leg
    motion.other = -1 if event.other is None else event.other
    for field, value in (
        (motion.point, event.point),
        (motion.shift, event.shift),
        (motion.turn, event.turn),
    ):
        if value is not None:
            x, y, z = value
            put(field, (float(x), float(y), float(z)))
        else:
            put(field, (0.0, 0.0, 0.0))
    if any(getattr(event, field) is not None for field in FIELDS):
        motion.is_on = motion.is_asked = 1
