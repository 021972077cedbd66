"""A world that runs: it owns the esper context and the physics client, and ticks."""

import warnings
import weakref
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import count
from threading import RLock
from typing import Any

import esper
from numpy.typing import NDArray
from pydantic import ValidationError

from creature_sim.components import Clock, Herd, Inbox, Sensed, Twin
from creature_sim.components.arrays import find_arrays
from creature_sim.components.queries import gravity_here
from creature_sim.definitions import CreatureDef, PlacementDef, WorldDef, explain
from creature_sim.drivers import make_driver
from creature_sim.errors import DefinitionError, SimulationError
from creature_sim.ground.rays import Physics
from creature_sim.input_checks import Roster, check_input, comers_of
from creature_sim.inputs import CHANGES, Event, Input, leavers_of
from creature_sim.props.dynamics import Dynamics
from creature_sim.snapshots.layout import LiveArrays, find_layout, take_snapshot
from creature_sim.snapshots.settling import Settling
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.spawn.changes import add_creature, remove_creature
from creature_sim.spawn.herds import spawn_world
from creature_sim.spawn.rigs import remember_rigs
from creature_sim.spawn.sites import Site
from creature_sim.systems import POSING, SYSTEMS, MoveProps
from creature_sim.terrain import build_terrain
from creature_sim.twin.building import machine_of
from creature_sim.twin.stage import Stage

MATH_PROFILE = 61
"""Number of the arithmetic of all kernels: another number, other bits."""

_names = count()
_esper_lock = RLock()  # esper has one current world for all threads


class Simulation:
    """Creatures and chains on their ground, advanced one fixed tick at a time.

    with Simulation(load_world("hills")) as simulation:
        for _ in range(600):
            simulation.step()
        print(simulation.snapshot.creatures[0].position)
    """

    def __init__(
        self, world: WorldDef, *, systems: Sequence[type[esper.Processor]] = SYSTEMS
    ) -> None:
        """Build ground and creatures.

        Args:
            world: resolved, as `load_world` returns it.
            systems: the tick, in order; put processors of your own between ours.

        Attributes:
            world: with all creatures that ever were, by number.
            gone: numbers of those that have been removed.
            input: what drove the last tick: the commands, and all events.
        """
        _check_loaded(world, WorldDef, "world")
        self.world = world
        self.input = Input(())
        self.gone: frozenset[int] = frozenset()
        self._pending: tuple[Event, ...] = ()
        self.systems = tuple(systems)
        self._is_custom = self.systems != SYSTEMS
        self._is_closed = False
        self.dt = 1.0 / world.tick_rate
        self.terrain = build_terrain(world.terrain, world.seed)
        self.physics = Physics(self.terrain, len(world.creatures))
        self._context = f"creature_sim {next(_names)}"
        self._snapshot: Snapshot | None = None
        self._owned: list[Physics | Dynamics | Stage] = [self.physics]
        dropped = (world.name, self._context, self._owned)
        self._dropped = weakref.finalize(self, _free_dropped, *dropped)
        self._dropped.atexit = False
        try:
            self._drive = make_driver(world)
            with self.context():
                try:
                    spawn_world(world, self.physics, self.terrain)
                finally:
                    self._owned += [dynamics for _, dynamics in esper.get_component(Dynamics)]
                    self._owned += [stage for _, stage in esper.get_component(Stage)]
                for system in POSING:
                    system().process(self.dt)
                remember_rigs()
                for system in self.systems:
                    esper.add_processor(system())
                    if system not in SYSTEMS:
                        esper.add_processor(_Follow())
                ((_, self._clock),) = esper.get_component(Clock)
                ((_, self._inbox),) = esper.get_component(Inbox)
                self._look_around()
        except BaseException:
            self.close()
            raise

    def context(self) -> AbstractContextManager[None]:
        """A block in which esper's functions speak of this simulation's entities."""
        if self._is_closed:
            raise SimulationError("expected an open simulation, found a closed one")
        return _Context(self)

    def step(self, inputs: Input | None = None) -> None:
        """Advance by one tick.

        Args:
            inputs: what drives this tick; None asks the world's own driver.

        Raises:
            DefinitionError: the inputs do not fit the world.
            SimulationError: the state is no longer finite.
        """
        if inputs is None:
            inputs = self._drive(self.snapshot)
        check_input(inputs, self._roster_after(inputs))
        others = []
        for event in inputs.events:
            if event.kind in CHANGES:
                self._change(event)
            else:
                others.append(event)
        with self.context():
            self._clock.tick += 1
            if self._pending or inputs.events != ():
                inputs = replace(inputs, events=(*self._pending, *others))
            self.input = inputs
            self._pending = ()
            self._inbox.input = self.input
            if self._has_other_parts():
                self._look_around()
            esper.process(self.dt)
            self._settle()

    def spawn(
        self,
        creature: CreatureDef,
        position: tuple[float, float] = (0.0, 0.0),
        heading: float = 0.0,
        *,
        alone: bool = False,
        folded: bool = False,
        up: tuple[float, float, float] | None = None,
        height: float | None = None,
    ) -> int:
        """Put a creature into the world, between two ticks.

        The event belongs to the next tick, and is recorded with it.

        Args:
            creature: its body plan, as `load_creature` returns it.
            position: x, y of its start [m, world].
            heading: from X towards Y [rad].
            alone: whether it becomes a herd of its own, apart from others of its body plan.
            folded: whether it starts lying, with folded legs.
            up: where the ground faces that it starts on, if it climbs; see `PlacementDef`.
            height: z from which that is looked for [m, world].

        Returns:
            its number: commands, events and snapshots count it so. No other creature ever gets it.

        Raises:
            DefinitionError: it would start too near to the border.
            TerrainError: there is no ground for it.
        """
        _check_loaded(creature, CreatureDef, "creature")
        number = len(self.world.creatures)
        try:
            placement = PlacementDef(
                creature=creature.name,
                position=position,
                heading=heading,
                alone=alone,
                folded=folded,
                up=up,
                height=height,
            )
        except ValidationError as error:
            raise DefinitionError("\n".join(explain(error))) from None
        self._change(Event("spawn", number, definition=creature, placement=placement))
        return number

    def remove(self, number: int) -> None:
        """Take a creature out of the world, between two ticks; an event as `spawn` is.

        Its number stays taken: ticks go on to take a command for it, which does nothing.

        Raises:
            DefinitionError: there is no such creature, or a chain or tree hangs on it.
        """
        self._change(Event("remove", number))

    def change(self, changes: Iterable[tuple[int, Event]]) -> None:
        """Let creatures come and go as they did, without the ticks between; `restore` comes next.

        Args:
            changes: events of the kinds spawn and remove, each with its tick.
        """
        for tick, event in changes:
            self._clock.tick = tick - 1
            with self.context():
                MoveProps().process(self.dt)  # newcomers may start on what moves
            self._change(event)
        self._pending = ()

    def restore(self, snapshot: Snapshot) -> None:
        """Go to the state of a snapshot; what follows is what followed there, to the bit.

        Args:
            snapshot: of this world, or of an equal one, with the same creatures.

        Raises:
            SimulationError: the snapshot has other creatures or other parts; or the world has
                props that are pushed, or physical creatures, of which a snapshot does not hold
                everything.
        """
        if self.world.exactness == "machine":
            raise SimulationError(
                "snapshot: expected a world without dynamic props and physical creatures, found one"
            )
        count = len(self.world.creatures)
        if snapshot.creature_count != count:
            raise SimulationError(
                f"snapshot: expected {count} creatures so far, those that went too, found "
                f"{snapshot.creature_count}"
            )
        arrays = self._layout.owners
        states = [herd.parts for herd in snapshot.herds]
        states += [chain.parts for chain in snapshot.chains]
        if snapshot.props is not None:
            states.append(snapshot.props.parts)
        members = [herd.members.tolist() for (herd, _), _ in self._layout.herds]
        mine = members, list(map(_shapes, arrays))
        there = [herd.members.tolist() for herd in snapshot.herds]
        if mine != (there, list(map(_shapes, states))):
            raise SimulationError(
                "snapshot: expected the creatures and parts of this world, found others"
            )
        for owner, theirs in zip(arrays, states, strict=True):
            for part, fields in owner.items():
                for field, array in fields.items():
                    array[...] = theirs[part][field]
        self._clock.tick = int(snapshot.tick)
        self._pending = ()
        self._snapshot = None

    def _roster_after(self, inputs: Input) -> Roster:
        """Who and what an input may speak of, once those of its events have come and gone."""
        events = inputs.events if isinstance(inputs, Input) else ()  # what is none, is refused next
        if events == ():
            return self._roster
        comers = comers_of(events)
        first, roster = len(self.world.creatures), self._roster
        newcomers = [len(definition.all_legs) for definition, _ in comers]
        hinge_counts = {
            first + index: len(machine_of(definition, self.world.friction).robot.joints)
            for index, (definition, placement) in enumerate(comers)
            if placement.physical
        }
        return replace(
            roster,
            leg_counts=(*self.world.leg_counts, *newcomers),
            gone=self.gone | leavers_of(events),
            hinge_counts={**(roster.hinge_counts or {}), **hinge_counts},
        )

    def _change(self, event: Event) -> None:
        """Let a creature come or go now; the next tick tells of it."""
        with self.context():
            if event.kind == "remove":
                if event.creature is None:
                    raise DefinitionError("creature: expected the number of one, found none")
                remove_creature(event.creature)
                self.gone |= {event.creature}
            else:
                self._add(event)
            self._pending = (*self._pending, event)
            self._look_around()
            self._settle()

    def _add(self, event: Event) -> None:
        """Put the creature of an event into the world."""
        number, definition, where = len(self.world.creatures), event.definition, event.placement
        if event.creature != number or definition is None or where is None:
            raise DefinitionError(
                f"creature: expected a definition, a placement and the number {number}, "
                f"found number {event.creature}"
            )
        nearest = self.world.nearest_start(*where.position)
        if nearest != where.position:
            raise DefinitionError(
                f"position: expected x and y where creatures may start, nearest {list(nearest)}, "
                f"found {list(where.position)}"
            )
        site = Site.of(self.world, self.physics, self.terrain, gravity_here())
        add_creature(definition, number, where, site)
        self.world = self.world.joined_by(definition, where)

    def _settle(self) -> None:
        """Make every zero positive, so that equal states have equal bits, and refuse NaN."""
        if self._has_other_parts():
            self._look_around()
        wrong = self._settling.settle()
        if wrong is not None:
            raise SimulationError(
                f"tick {self.tick}: expected finite numbers in part {wrong!r}, found others"
            )

    def _has_other_parts(self) -> bool:
        """Whether any component has come or gone, or holds another array of its own."""
        if esper.get_component(Herd) is not self._herds:  # esper makes its lists anew
            return True
        return self._is_custom and not all(map(LiveArrays.are_there, self._layout.owners))

    def _look_around(self) -> None:
        """Find where the state lies: at the start, and when it lies elsewhere."""
        find_arrays()
        self._layout = find_layout()
        self._herds = esper.get_component(Herd)
        layout = self._layout
        runs = [run for arrays in layout.owners for run in arrays.runs]
        # A third of the state, of which rays write little in a tick: `spread` settles that.
        self._settling = Settling(runs, () if self._is_custom else (Sensed.name,))
        hinge_counts = {
            number: twin.angles.shape[1]
            for _, (herd, twin) in esper.get_components(Herd, Twin)
            for number in herd.members.tolist()
        }
        world = self.world
        counts, targets = tuple(world.leg_counts), world.settable_targets
        self._roster = Roster(counts, self.gone, targets, len(world.props), hinge_counts)

    @property
    def tick(self) -> int:
        """Number of ticks computed so far."""
        return self._clock.tick

    @property
    def has_changed(self) -> bool:
        """Whether a creature has come or gone that no tick has told of yet."""
        return bool(self._pending)

    @property
    def snapshot(self) -> Snapshot:
        """A copy of all state; it stays as it is while the simulation goes on."""
        if self._snapshot is None:
            self._snapshot = take_snapshot(self.tick, self._layout, len(self.world.creatures))
        return self._snapshot

    @property
    def digest(self) -> str:
        """Hash of all state after this tick, 32 hexadecimal digits."""
        return self.snapshot.digest

    def close(self) -> None:
        """Free the physics client and the entities; the simulation cannot step any more."""
        self._is_closed = True
        if self._dropped.detach():
            _free(self._context, self._owned)

    def __enter__(self) -> "Simulation":
        """Enter a block that closes the simulation at its end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the simulation."""
        self.close()


class _Follow(esper.Processor):
    """Follows a system of a user's own, which may have put other arrays into fields."""

    def process(self, dt: float) -> None:
        """Find them."""
        del dt
        find_arrays()


class _Context:
    """A block in which one of esper's worlds is the current one, for one thread at a time.

    A generator takes twice as long, and each tick is such a block.
    """

    __slots__ = ("_before", "_simulation")

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def __enter__(self) -> None:
        _esper_lock.acquire()
        self._before = esper.current_world
        esper.switch_world(self._simulation._context)
        self._simulation._snapshot = None  # the block may change anything

    def __exit__(self, *_: object) -> None:
        self._simulation._snapshot = None
        esper.switch_world(self._before)
        _esper_lock.release()


def _shapes(parts: Mapping[str, Mapping[str, NDArray[Any]]]) -> dict[str, object]:
    """Names and shapes of all state of a herd, a chain or the props."""
    return {
        part: {field: (fields[field].shape, fields[field].dtype) for field in fields}
        for part, fields in parts.items()
    }


def _free(context: str, owned: list[Physics | Dynamics | Stage]) -> None:
    """Free the physics clients and the entities of a simulation."""
    for holder in reversed(owned):
        holder.close()
    if context in esper.list_worlds():
        esper.delete_world(context)


def _check_loaded(value: object, kind: type, key: str) -> None:
    """Refuse a name or a path where a definition is meant."""
    if not isinstance(value, kind):
        raise DefinitionError(
            f"{key}: expected a definition, as load_{key} returns it, found {value!r}"
        )


def _free_dropped(name: str, context: str, owned: list[Physics | Dynamics | Stage]) -> None:
    """Free what a simulation held that nobody can close any more, and say so.

    It may be called at any time and in any thread, and takes no lock.
    """
    try:
        _free(context, owned)
    finally:
        warnings.warn(
            f"a simulation of {name!r} was dropped without close(); "
            f"`with Simulation(world) as simulation` closes it",
            ResourceWarning,
            stacklevel=1,
        )
