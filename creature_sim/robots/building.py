"""Robots made of creatures: what is drawn, with one density, and motors at the joints."""

from collections.abc import Sequence
from dataclasses import replace
from math import fsum
from typing import NamedTuple

from creature_sim.definitions import CreatureDef, PhaseGaitDef
from creature_sim.definitions.gait import lifted_together
from creature_sim.definitions.hinging import BALL, Joint
from creature_sim.definitions.legs import LegPairDef
from creature_sim.definitions.names import leg_names, segment_names
from creature_sim.maths import Vec
from creature_sim.robots.inertia import box, times
from creature_sim.robots.limbs import Limb
from creature_sim.robots.parts import Hinge, Part, base, hung
from creature_sim.robots.robot import Link, Robot, Shape
from creature_sim.robots.turns import TRUNK_TURNS, head_turns, trunk_turns

GRAVITY = 9.81
SPARE = 2.0
"""Motors have so many times the torque that they need to stand still, stretched out and level."""
NECK = 0.25
"""Radius of the links between the hinges of a segment or head, over its width or height."""


class Written(NamedTuple):
    """The mass that a file has of some links, from an index to another [kg]; None: it has none."""

    start: int
    end: int
    mass: float | None


def robot_of(creature: CreatureDef) -> Robot:
    """A creature as a robot.

    Segments of its trunk are boxes, with the head and the legs of each one before the next: parents
    before children, and depth first. `body.mass` is the mass of all links, of which `mass` of a
    segment, of the head and of a leg are parts; all else shares the rest by its volume.
    """
    trunk, names = creature.trunk, segment_names(creature)
    limbs = _limbs(creature)
    links: list[Link] = []
    written: list[Written] = []
    segment = 0
    for s, (part, name) in enumerate(zip(trunk, names, strict=False)):
        solid = _box(name, part.size, 0.0 if s == 0 else -0.5 * part.size[0], creature)
        if s == 0:
            links.append(base(solid))
        else:
            joint = Hinge(name, _trunk_effort(creature, s))
            socket = (_rear(creature, s - 1), 0.0, 0.0)
            links += hung(solid, segment, len(links), socket, joint, trunk_turns(part.bend))
            written.append(Written(len(links) - TRUNK_TURNS, len(links), part.mass))
            segment = len(links) - 1
        if s == 0 and creature.head:
            head = _head(creature, len(links))
            written.append(Written(len(links), len(links) + len(head), creature.head.mass))
            links += head
        for limb in limbs:
            if limb.leg.segment == s:
                x, y, z = limb.leg.mount
                hip = (x + solid.lump.centre[0], y, z)
                found = limb.links(segment, len(links), hip)
                written.append(Written(len(links), len(links) + len(found), limb.leg.mass))
                links += found
    feet = tuple(i for i, link in enumerate(links) if link.name.endswith("_foot"))
    weighed = _weighed(links, creature.body.mass, written)
    return Robot(creature.name, weighed, creature.body.ride_height, feet)


def _rear(creature: CreatureDef, segment: int) -> float:
    """Where the next segment hangs on one, along X [m, its link]."""
    length = creature.trunk[segment].size[0]
    return -0.5 * length if segment == 0 else -length


def _box(name: str, size: Vec, middle: float, creature: CreatureDef) -> Part:
    centre = (middle, 0.0, 0.0)
    shape = Shape("box", size, centre, colour=creature.colours.body)
    return Part(name, box(size, centre), (shape,), NECK * min(size[1:]))


def _head(creature: CreatureDef, index: int) -> list[Link]:
    """A head on the body, which turns on its neck."""
    head = creature.head
    assert head is not None
    part = _box("head", head.size, 0.5 * head.size[0], creature)
    volume = fsum(x * y * z for x, y, z in creature.boxes)
    mass = head.mass or creature.body.mass * part.lump.mass / volume  # less: legs weigh too
    joint = Hinge("head", SPARE * GRAVITY * mass * head.size[0])
    return hung(part, 0, index, head.mount, joint, head_turns(head.yaw, head.pitch))


def _trunk_effort(creature: CreatureDef, segment: int) -> float:
    """Torque that holds two segments out, level, where they have equal masses [N m]."""
    weight = GRAVITY * creature.body.mass / len(creature.trunk)
    return SPARE * 2.0 * weight * creature.trunk[segment].size[0]


def _limbs(creature: CreatureDef) -> list[Limb]:
    force = SPARE * GRAVITY * creature.body.mass / standing_count(creature)
    height, colours = creature.body.size[2], creature.colours
    return [
        Limb(name, leg, joints, leg.radii(height), force, colours.legs, colours.feet)
        for name, leg, joints in zip(
            leg_names(creature), creature.all_legs, _standing(creature), strict=True
        )
    ]


def _standing(creature: CreatureDef) -> list[tuple[Joint, ...]]:
    """Joints of all legs, at rest where the foot stands at home, wherever its file has the rest."""
    bare = creature.model_copy(
        update={
            key: tuple(_without_rest(leg) for leg in getattr(creature, key))
            for key in ("leg_pairs", "legs")
        }
    )
    return [
        tuple(
            joint
            if joint.kind == BALL
            else joint._replace(rest=at.rest, second_rest=at.second_rest)
            for joint, at in zip(joints, standing, strict=True)
        )
        for joints, standing in zip(creature.leg_joints, bare.leg_joints, strict=True)
    ]


def _without_rest(leg: LegPairDef) -> LegPairDef:
    joints = tuple(
        joint if joint.kind == "ball" else joint.model_copy(update={"rest": None})
        for joint in leg.joints
    )
    return leg.model_copy(update={"joints": joints})


def standing_count(creature: CreatureDef) -> int:
    """How many feet carry a creature that walks, at the least; cycles with a flight do not count.

    Gaits that react keep half of them on the ground.
    """
    count = len(creature.all_legs)
    if not isinstance(creature.gait, PhaseGaitDef):
        return max(1, count // 2)
    cycles = [creature.cycle(number) for number in range(len(creature.gait.cycles))]
    least = [count - max(map(len, lifted_together(*cycle))) for cycle in cycles]
    return min((feet for feet in least if feet > 0), default=1)


def _weighed(links: Sequence[Link], mass: float, written: Sequence[Written]) -> tuple[Link, ...]:
    """Links of density 1 with masses that are those written, and in all a mass, to the last bit.

    What has no mass written shares the rest with one density.
    """
    found = list(links)
    for part in written:
        if part.mass is not None:
            mine = slice(part.start, part.end)
            found[mine] = _with_mass(found[mine], part.mass)
    known = {i for part in written if part.mass for i in range(part.start, part.end)}
    others = [index for index in range(len(found)) if index not in known]
    rest = mass - fsum(found[index].mass for index in known)
    weighed = _with_mass([found[index] for index in others], rest)
    for index, link in zip(others, weighed, strict=True):
        found[index] = link
    while (rest := mass - fsum(link.mass for link in found)) != 0.0:
        found[0] = replace(found[0], mass=found[0].mass + rest)
    return tuple(found)


def _with_mass(links: Sequence[Link], mass: float) -> list[Link]:
    """Links as dense as that they have a mass together [kg]."""
    factor = mass / fsum(link.mass for link in links)
    return [
        replace(link, mass=factor * link.mass, inertia=times(link.inertia, factor))
        for link in links
    ]
