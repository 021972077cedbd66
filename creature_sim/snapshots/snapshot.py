"""An immutable copy of all state after a tick, and its digests."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    BodyRecord,
    FlightRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    Plan,
    PropRecord,
    Records,
    RecordTable,
)
from creature_sim.definitions import ChainDef, CreatureDef, PropDef, RigDef
from creature_sim.maths import Floats
from creature_sim.snapshots.parts import Parts


@dataclass(frozen=True)
class HerdState:
    """The state of one herd.

    Attributes:
        definition: the body plan.
        plan: its numbers.
        members: (N,) number of each creature.
        parts: arrays by part and field.
    """

    definition: CreatureDef
    plan: Plan
    members: NDArray[np.int64]
    parts: Parts

    def __repr__(self) -> str:
        """Return what a user wants to see first."""
        return f"HerdState(name={self.definition.name!r}, members={self.members.tolist()})"


@dataclass(frozen=True)
class CreatureState:
    """The state of one creature: read-only views into a snapshot."""

    herd: HerdState
    row: int

    def __repr__(self) -> str:
        """Return what a user wants to see first."""
        named = f"number={self.number}, name={self.definition.name!r}"
        return f"CreatureState({named}, position={self.position.tolist()})"

    @property
    def number(self) -> int:
        """Its number in the world: it keeps it for ever, and no other gets it."""
        return int(self.herd.members[self.row])

    @property
    def definition(self) -> CreatureDef:
        """Its body plan."""
        return self.herd.definition

    @property
    def plan(self) -> Plan:
        """The numbers of its body plan."""
        return self.herd.plan

    @cached_property
    def body(self) -> BodyRecord:
        """The first segment."""
        return self.segments[0]

    @cached_property
    def segments(self) -> Records[BodyRecord]:
        """The trunk, (S,)."""
        bodies: RecordTable[BodyRecord] = self.herd.parts["body"].of("records")
        return bodies[self.row]

    @cached_property
    def gait(self) -> GaitRecord:
        """How it walks."""
        gaits: Records[GaitRecord] = self.herd.parts["gait"].of("records")
        return gaits[self.row]

    @cached_property
    def feet(self) -> Records[FootRecord]:
        """Where its feet shall be, (L,)."""
        feet: RecordTable[FootRecord] = self.herd.parts["foot_target"].of("records")
        return feet[self.row]

    @cached_property
    def footholds(self) -> Records[FootholdRecord]:
        """Where its feet would step next, (L,)."""
        footholds: RecordTable[FootholdRecord] = self.herd.parts["foothold"].of("records")
        return footholds[self.row]

    @cached_property
    def flight(self) -> FlightRecord:
        """How it leaps, falls or rests, and why it last refused to: `REFUSALS[flight.refusal]`."""
        flights: Records[FlightRecord] = self.herd.parts["flight"].of("records")
        return flights[self.row]

    @property
    def position(self) -> Floats:
        """Centre of the body, (3,) [m, world]."""
        return self.body.position

    @property
    def orientation(self) -> Floats:
        """Orientation of the body, (4,) xyzw."""
        return self.body.orientation

    @property
    def joints(self) -> Floats:
        """Joints of all legs, hip to tip, (L, J, 3) [m, world]."""
        joints: Floats = self.herd.parts["leg_chain"]["joints"][self.row]
        return joints

    @property
    def rotations(self) -> Floats:
        """Orientations of all bones, (L, J - 1, 4) xyzw."""
        rotations: Floats = self.herd.parts["leg_chain"]["rotations"][self.row]
        return rotations

    @property
    def foot_rotations(self) -> Floats:
        """Orientations of all feet, (L, 4) xyzw."""
        rotations: Floats = self.herd.parts["leg_chain"]["foot_rotation"][self.row]
        return rotations

    @property
    def tips(self) -> Floats:
        """Solved tips of all legs, (L, 3) [m, world]."""
        return self.joints[:, -1]


@dataclass(frozen=True)
class ChainState:
    """The state of one chain or tree: read-only views into a snapshot.

    Attributes:
        definition: as written.
        parts: arrays by part and field; their leading axis is 1.
    """

    definition: RigDef
    parts: Parts

    @property
    def joints(self) -> Floats:
        """All joints, the root first, (J, 3) [m, world]."""
        return self.parts["bones"]["joints"][0, : self._joint_count]

    @property
    def rotations(self) -> Floats:
        """Rotations of the bones against the start pose, xyzw [world].

        (J - 1, 4); of a tree (J, 4), of the bone that ends at each joint.
        """
        count = self._joint_count - isinstance(self.definition, ChainDef)
        return self.parts["bones"]["rotations"][0, :count]

    @property
    def targets(self) -> Floats:
        """Where the pulled joints shall be, (E, 3) [m, world]."""
        targets: Floats = self.parts["targets"]["records"]["point"][0]
        return targets

    @property
    def tips(self) -> Floats:
        """Where the pulled joints are, (E, 3) [m, world]."""
        return tips_of(self.definition, self.joints)

    @property
    def _joint_count(self) -> int:
        if isinstance(self.definition, ChainDef):
            return len(self.definition.bones) + 1
        return len(self.definition.joints) + 1


@dataclass(frozen=True)
class PropsState:
    """The state of all props.

    Attributes:
        definitions: as written, in the world's order.
        parts: arrays by part and field; their leading axis counts the props.
    """

    definitions: tuple[PropDef, ...]
    parts: Parts

    @property
    def records(self) -> Records[PropRecord]:
        """Where the props are, (P,)."""
        records: Records[PropRecord] = self.parts["props"].of("records")
        return records


@dataclass(frozen=True)
class Snapshot:
    """All state after a tick.

    Attributes:
        tick: number of ticks computed so far.
        herds: in order of creation.
        chains: in the world's order, the trees after them.
        gravity: (1,) the world's field.
        creature_count: numbers given to creatures so far, those of removed ones too: a tick takes
            so many commands.
        props: None in a world without any.
    """

    tick: int
    herds: tuple[HerdState, ...]
    chains: tuple[ChainState, ...]
    gravity: Records[GravityRecord]
    creature_count: int
    props: PropsState | None = None

    def __repr__(self) -> str:
        """Return what a user wants to see first."""
        chains = tuple(chain.definition.name for chain in self.chains)
        return f"Snapshot(tick={self.tick}, herds={self.herds}, chains={chains})"

    @property
    def owners(self) -> dict[str, Parts]:
        """All state: of every herd, then of every chain and tree, then of all props."""
        found = {f"herd {index}": herd.parts for index, herd in enumerate(self.herds)}
        found |= {f"chain {index}": chain.parts for index, chain in enumerate(self.chains)}
        return found | {"props": self.props.parts} if self.props else found

    @cached_property
    def creatures(self) -> tuple[CreatureState, ...]:
        """Every creature that is there, by number."""
        found = {
            member: CreatureState(herd, row)
            for herd in self.herds
            for row, member in enumerate(herd.members.tolist())
        }
        return tuple(found[member] for member in sorted(found))

    def creature(self, number: int) -> CreatureState:
        """The creature of a number; KeyError where there is none."""
        for creature in self.creatures:
            if creature.number == number:
                return creature
        raise KeyError(f"expected a creature that is there, found number {number}")

    def of(self, number: int) -> "Snapshot":
        """One creature of it alone, as if the world had no other; a copy."""
        found = self.creature(number)
        parts = Parts.of(
            {
                name: {field: part[field][found.row : found.row + 1] for field in part}
                for name, part in found.herd.parts.items()
            }
        )
        herd = HerdState(found.definition, found.plan, np.zeros(1, np.int64), parts)
        return Snapshot(self.tick, (herd,), (), self.gravity, 1)

    @cached_property
    def digests(self) -> tuple[dict[str, str], ...]:
        """Hash of every part of every creature, by part name, in the order of `creatures`.

        A creature's digests depend on nothing but its own state: neither on its number nor on its
        herd.
        """
        return tuple(
            {
                name: part.digest(creature.row, len(creature.herd.members))
                for name, part in creature.herd.parts.items()
            }
            for creature in self.creatures
        )

    @cached_property
    def chain_digests(self) -> tuple[dict[str, str], ...]:
        """Hash of every part of every chain and tree, by part name, in the world's order."""
        return tuple(
            {name: part.digest(0, 1) for name, part in chain.parts.items()} for chain in self.chains
        )

    @cached_property
    def prop_digests(self) -> tuple[dict[str, str], ...]:
        """Hash of every part of every prop, by part name, in the world's order."""
        if self.props is None:
            return ()
        count = len(self.props.definitions)
        return tuple(
            {name: part.digest(row, count) for name, part in self.props.parts.items()}
            for row in range(count)
        )

    @cached_property
    def digest(self) -> str:
        """Hash of the tick and of all state, 32 hexadecimal digits."""
        return digest_of(self.tick, (*self.digests, *self.chain_digests, *self.prop_digests))


def digest_of(tick: float, digests: Iterable[Mapping[str, str]]) -> str:
    """Hash of a tick and of the hashes of all creatures, chains and props, by part."""
    whole = blake2b(str(tick).encode(), digest_size=16)
    for parts in digests:
        whole.update("".join(parts.values()).encode())
    return whole.hexdigest()


def tips_of(rig: RigDef, joints: Floats) -> Floats:
    """Of all joints of a chain or tree, (J, 3), those that targets pull at, (E, 3)."""
    if isinstance(rig, ChainDef):
        return joints[-1:]
    return joints[[rig.number_of(effector.joint) for effector in rig.targets]]
