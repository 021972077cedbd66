"""Events and commands enter the world here."""

from collections.abc import Callable, Mapping

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    BESIDE_WALK,
    BY_ANGLES,
    BY_WALK,
    CLINGS,
    FLYING_FREE,
    FOLDS,
    IN_THE_WAY,
    LOST,
    NOT_FOUND,
    Body,
    Flight,
    Foothold,
    FootTarget,
    Gait,
    Herd,
    Inbox,
    LegTarget,
    Motions,
    Part,
    Plan,
    Props,
    Rig,
    Solids,
    Spawned,
    Suspension,
    Targets,
    Twin,
)
from creature_sim.components.arrays import AllHerds, Arrays, HerdArrays, TwinlessHerds
from creature_sim.components.queries import gravity_here, tick_now
from creature_sim.inputs import Event, Input
from creature_sim.locomotion.carry import carry
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gripping import clings, is_torn, tear_off
from creature_sim.locomotion.resting import RESTS, ask_to_rest
from creature_sim.locomotion.shoves import push
from creature_sim.locomotion.steering import hand_out, steer
from creature_sim.locomotion.wishes import ASKED, FALLS
from creature_sim.maths import Vec, add, put, vec
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table
from creature_sim.motions import MOTIONS, NUMBERS, begin
from creature_sim.props.dynamics import Dynamics
from creature_sim.systems.lead_feet import ask_leg, is_hidden, lead_leg
from creature_sim.twin.caring import parts_by_care
from creature_sim.twin.twins import Twins


@unchecked
@kernel
def _hand_out(herds: Table[HerdArrays], numbers: NDArray[np.int64]) -> None:
    for k in range(len(herds)):
        hand_out(numbers, herds[k].numbers, herds[k].commands)


@unchecked
@kernel
def _steer(herds: Table[HerdArrays], dt: float) -> None:
    for k in range(len(herds)):
        herd = herds[k]
        steer(*herd.walkers, herd.cycles, herd.commands, herd.gravity, herd.solids, dt)


class ApplyInputs(esper.Processor):
    """Apply the tick's events, then turn commands into velocity, yaw rate and ride height."""

    def process(self, dt: float) -> None:
        """Take what lies in the inbox."""
        ((_, inbox),) = esper.get_component(Inbox)
        given = inbox.input
        if given.events and any(event.kind == "reset_props" for event in given.events):
            _reset_props()
        numbers = given.numbers
        assert numbers is not None  # see `check_input`
        for event in given.events:
            for entity, herd in esper.get_component(Herd) if event.chain is None else ():
                for row in np.flatnonzero(herd.members == event.creature).tolist():
                    _happen(event, entity, row, given)
        for _, herds in esper.get_component(AllHerds):
            _hand_out(herds, numbers)
        for _, planned in esper.get_component(TwinlessHerds):
            _steer(planned, dt)
        for entity, walker in esper.get_component(Arrays):
            if walker.twin and walker.eased:  # they have mass
                commands, gravity = walker.eased[0].commands, walker.arrays.gravity[0]
                commands[:] = walker.arrays.commands
                gaits = walker.arrays.walkers[3]
                twins = esper.component_for_entity(entity, Twins)
                twins.ease(walker.twin, walker.plan, gaits, commands, gravity, dt)
                for part in parts_by_care(walker.twin, walker.eased):
                    _steer(part, dt)
        for entity, (rig, targets) in esper.get_components(Rig, Targets):
            for event in given.events:
                _apply(event, entity, rig, targets)


def _happen(event: Event, entity: int, row: int, given: Input) -> None:
    """Do to a creature what an event of an input asks."""
    if event.kind in RESTS:
        assert event.creature is not None
        _rest(event, entity, row, any(given.commands[event.creature][:3]))
    elif event.kind in _DEEDS:
        _DEEDS[event.kind](event, entity, row)


def _start_again(event: Event, entity: int, row: int) -> None:
    """Put a creature back to how it started, where its props have gone since then."""
    del event
    _reset(entity, row)
    carry_from_start(entity, row)


def _rest(event: Event, entity: int, row: int, is_told: bool) -> None:
    """Ask a creature to sit, to fold or to stand; `is_told`: while it is told to walk."""
    gait = esper.component_for_entity(entity, Gait).records[row]
    flight = esper.component_for_entity(entity, Flight).records[row]
    ask_to_rest(gait, flight, RESTS[event.kind], is_told)
    if gait.rest == FOLDS and clings(_creature(entity, row), gravity_here()[0]):
        gait.rest, flight.refusal = 0, CLINGS
    flight.asked_tick = tick_now()


def _move(event: Event, entity: int, row: int) -> None:
    """Begin a motion, or end it."""
    number = NUMBERS[event.kind]
    motion = esper.component_for_entity(entity, Motions).records[row, number]
    task = MOTIONS[number].task
    if task and event.point and is_hidden(_creature(entity, row), vec(np.array(event.point))):
        motion.is_on, motion.seconds, motion.refusal = 1, 0.0, IN_THE_WAY
        return
    begin(motion, event)
    if task and event.leg is not None:
        ask_leg(event, MOTIONS[number], entity, row)


def _lose_leg(event: Event, entity: int, row: int) -> None:
    """Take a leg away until a reset."""
    assert event.leg is not None
    target = esper.component_for_entity(entity, LegTarget).records[row, event.leg]
    target.is_led = target.task = 0
    foot = esper.component_for_entity(entity, FootTarget).records[row, event.leg]
    foot.phase, foot.is_raised = LOST, 0
    esper.component_for_entity(entity, Foothold).records[row, event.leg].status = NOT_FOUND


def _ask_to_leap(event: Event, entity: int, row: int) -> None:
    """Ask a creature to leap; `PlanFlights` judges whether it can."""
    assert event.point is not None
    x, y, z = event.point
    flight = esper.component_for_entity(entity, Flight).records[row]
    put(flight.point, (float(x), float(y), float(z)))
    esper.component_for_entity(entity, Gait).records[row].urge = ASKED


def _lead_joints(event: Event, entity: int, row: int) -> None:
    """Take the hinges of a twin from its walk, or ask for something besides, or give them back."""
    twin = esper.component_for_entity(entity, Twin)
    led = BY_ANGLES if event.kind == "set_joints" else BESIDE_WALK
    twin.records[row].led = led if event.angles else BY_WALK
    twin.asked[row] = event.angles or 0.0


def _push(event: Event, entity: int, row: int) -> None:
    """Add a velocity to a creature: to its twin, where forces move it."""
    assert event.velocity is not None
    x, y, z = event.velocity
    velocity: Vec = x, y, z
    twin = esper.try_component(entity, Twin)
    if twin:
        put(twin.records[row].blow, add(vec(twin.records[row].blow), velocity))
        return
    creature, gravity = _creature(entity, row), gravity_here()[0]
    loaded = 1.0 + creature.plan.load  # a load is pushed along
    velocity = x / loaded, y / loaded, z / loaded
    flight = esper.component_for_entity(entity, Flight).records[row]
    if flight.stage == FLYING_FREE:
        put(flight.velocity, add(vec(flight.velocity), velocity))
        creature.gait.urge = FALLS
        return
    if creature.gait.flight == 0 and is_torn(creature, gravity, velocity):
        tear_off(creature.trunk, velocity)
        creature.gait.urge = FALLS
        return
    hung = esper.component_for_entity(entity, Suspension).records[row]
    push(creature.plan, creature.trunk, creature.gait, hung, gravity, velocity)


_DEEDS: Mapping[str, Callable[[Event, int, int], None]] = {
    "reset": _start_again,
    **dict.fromkeys(NUMBERS, _move),
    **dict.fromkeys(("set_foot", "set_pole", "shift_footholds"), lead_leg),
    "disable_leg": _lose_leg,
    **dict.fromkeys(("set_joints", "shift_joints"), _lead_joints),
    "push": _push,
    "leap": _ask_to_leap,
}
"""What each kind of event does to a creature: the event, the entity of its herd, its row in it."""


def _creature(entity: int, row: int) -> Creature:
    """A creature of a herd."""
    plan = esper.component_for_entity(entity, Plan)
    return Creature(
        plan.body[0],
        plan.legs,
        esper.component_for_entity(entity, Body).records[row],
        esper.component_for_entity(entity, Gait).records[row],
        esper.component_for_entity(entity, FootTarget).records[row],
        esper.component_for_entity(entity, Foothold).records[row],
    )


def _reset(entity: int, row: int) -> None:
    """Put a creature of this herd, or the only chain of this entity, back to how it started.

    Parts that systems of a user's own have added begin again with zeros, as those of a newcomer do.
    """
    saved = esper.component_for_entity(entity, Spawned).parts
    components: tuple[object, ...] = esper.components_for_entity(entity)
    for part in components:
        if isinstance(part, Part):
            begin = saved.get(type(part))
            for name, array in part.arrays().items():
                array[row] = begin[name].rows(slice(row, row + 1))[0] if begin else 0


def _reset_props() -> None:
    """Put dynamic props back to how they started; the paths of others know only the tick."""
    for entity, (solids, props) in esper.get_components(Solids, Props):
        saved = esper.component_for_entity(entity, Spawned).parts[Props]["records"].rows()
        props.records[solids.is_dynamic] = saved[solids.is_dynamic]
        dynamics = esper.try_component(entity, Dynamics)
        if dynamics:
            dynamics.reset(props.records)


def _apply(event: Event, entity: int, rig: Rig, targets: Targets) -> None:
    """Do to a chain what an event asks of it, or of the creature that carries it."""
    if event.kind == "set_target" and event.chain == rig.index:
        assert event.point is not None
        x, y, z = event.point
        put(targets.records[0, event.target].point, (float(x), float(y), float(z)))
    elif event.kind == "reset":
        is_carried = event.chain is None and event.creature == rig.definition.creature
        if is_carried or event.chain == rig.index:
            _reset(entity, 0)


def carry_from_start(entity: int, row: int) -> None:
    """Bring a creature that was put back to its start to where its props have gone since then."""
    for props_entity, (solids, props) in esper.get_components(Solids, Props):
        begin = esper.component_for_entity(props_entity, Spawned).parts[Props]["records"].rows()
        since = props.records.copy()
        since["old_position"] = begin["position"]
        since["old_orientation"] = begin["orientation"]
        mine = slice(row, row + 1)
        plan = esper.component_for_entity(entity, Plan)
        carry(
            plan.body,
            plan.legs,
            esper.component_for_entity(entity, Body).records[mine],
            esper.component_for_entity(entity, FootTarget).records[mine],
            esper.component_for_entity(entity, Foothold).records[mine],
            solids.records,
            since,
        )
