"""Who acts in a take: every creature, chain, tree and prop as a skeleton that moves."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef, PropDef, RigDef, WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.export import names
from creature_sim.export.animation.models import (
    ModelRest,
    figure_of,
    leg_turns,
    rest_of,
    swing_frames,
)
from creature_sim.export.animation.rig_models import (
    model_frames,
    model_nodes,
    model_rest,
    rig_figure_of,
)
from creature_sim.export.animation.skeletons import (
    AT_ORIGIN,
    Node,
    Skeleton,
    frames_along,
    height_above,
    nodes_along,
    rest_along,
    root_frame,
    seen_from,
    up_of,
)
from creature_sim.export.animation.takes import CreatureTake, Take
from creature_sim.export.animation.turns import UNTURNED, steady, turned
from creature_sim.figures.rigs import bone_parents
from creature_sim.figures.skins import SkinFigure
from creature_sim.figures.soles import turns_of
from creature_sim.maths import Floats

ROOT, TRUNK = "root", 2
"""Name of a creature's node that carries all others, and index of the node of its body."""
Plan = CreatureDef | RigDef | PropDef


@dataclass(frozen=True)
class Actor:
    """One of them.

    Attributes:
        name: unique in the world: `0_hexapod`, `chain_0_arm`, `prop_0_plank`.
        kind: what it has its looks in common with: equal for all creatures of a species.
        plan: what it looks like.
        number: of the creature, of the chain or of the prop.
        skeleton: its nodes.
        frames: (T, B, 7) of the nodes [m, world].
        rest: (B, 7) of the nodes in the pose that its skin is bound to [m]: the first one seen of
            its kind, on the origin, X ahead.
        is_there: (T,).
        is_planted: (T, L) whether each of its feet stands.
    """

    name: str
    kind: str
    plan: Plan
    number: int
    skeleton: Skeleton
    frames: Floats
    rest: Floats
    is_there: NDArray[np.bool_]
    is_planted: NDArray[np.bool_]


def actors_of(world: WorldDef, take: Take) -> list[Actor]:
    """All who are there at any tick: creatures by number, chains and trees, props."""
    creatures = _creatures(world, take.creatures)
    return [*creatures, *_rigs(world, take), *_props(world, take)]


def the_creature(world: WorldDef, take: Take, number: int) -> Actor:
    """The creature of a number.

    Raises:
        DefinitionError: it is not there meanwhile.
    """
    if number not in take.creatures:
        raise DefinitionError(
            f"--creature: expected one that is there at the time, found that {number} is not"
        )
    (actor,) = _creatures(world, {number: take.creatures[number]})
    return actor


@dataclass(frozen=True)
class _Species:
    """What creatures of a species share: nodes of each leg, the skeleton, its rest."""

    plan: CreatureDef
    legs: tuple[tuple[Node, ...], ...]
    skeleton: Skeleton
    rest: Floats
    figure: SkinFigure | None

    @staticmethod
    def of(plan: CreatureDef, take: CreatureTake) -> "_Species":
        """The nodes of a plan, at rest as at the first tick of a take."""
        segments = names.segment_names(plan)
        bones = [plan.name, ROOT, *segments]
        parents = [-1, 0, 1, *(_carrier(plan, index) for index in range(1, len(segments)))]
        groups = [tuple(range(len(bones)))]
        figure = figure_of(plan)
        stance = rest_of(figure.binding) if figure else _first(take)
        joints = stance.joints
        position, turn = stance.positions[0], stance.orientations[0]
        up = up_of(turn)
        origin = root_frame(position, turn, up, height_above(position, joints[:, -1], up))
        trunk = _trunk(plan, stance.positions, stance.orientations)
        rest, feet, legs = [origin, origin, *trunk], [], []
        for index, (name, leg) in enumerate(zip(names.leg_names(plan), plan.all_legs, strict=True)):
            own = [f"{name}_{joint}" for joint in names.leg_joint_names(leg)]
            nodes = nodes_along(own, range(-1, len(own) - 1), len(bones), TRUNK + leg.segment)
            rest_along(nodes, joints[index], rest)
            turn = turns_of(stance.headings[index], stance.normals[index])
            rest[-1] = np.concatenate((rest[-1][:3], turn))
            groups.append(tuple(range(len(bones), len(bones) + len(nodes))))
            bones += [node.name for node in nodes]
            parents += [node.parent for node in nodes]
            feet.append(len(bones) - 1)
            legs.append(tuple(nodes))
        if figure:
            swings = figure.binding.swings
            nodes_of_bones = [
                *groups[0][TRUNK:],
                *(bone for leg in groups[1:] for bone in leg[:-1]),
            ]
            nodes_of_bones += range(len(bones), len(bones) + len(swings.names))
            groups[0] += tuple(range(len(bones), len(bones) + len(swings.names)))
            bones += swings.names
            parents += [nodes_of_bones[bone] for bone in swings.carriers]
            rest += [np.concatenate((place, UNTURNED)) for place in swings.places]
        reaches = tuple(leg.reach for leg in plan.all_legs)
        return _Species(
            plan,
            tuple(legs),
            Skeleton(tuple(bones), tuple(parents), tuple(groups), tuple(feet), reaches),
            seen_from(origin, np.array(rest)),
            figure,
        )

    def frames(self, take: CreatureTake) -> Floats:
        """Of all nodes, (T, B, 7)."""
        trunk = _trunk(self.plan, take.positions, steady(take.orientations))
        origin = np.broadcast_to(AT_ORIGIN, (len(trunk), 7))
        found = [origin, origin, *np.moveaxis(trunk, 1, 0)]
        turned_bones = self._model_turns(take) if self.figure else None
        for index, nodes in enumerate(self.legs):
            first = len(found)
            frames_along(nodes, take.joints[:, index], self.rest, found)
            if turned_bones is not None:  # as the window turns them
                for bone in range(first, len(found) - 1):
                    found[bone] = np.concatenate((found[bone][:, :3], next(turned_bones)), axis=-1)
            turns = steady(turns_of(take.headings[:, index], take.normals[:, index]))
            found[-1] = np.concatenate((found[-1][:, :3], turns), axis=-1)
        if self.figure:
            found += swing_frames(self.figure, take)
        return np.stack(found, axis=1)

    def _model_turns(self, take: CreatureTake) -> Iterator[Floats]:
        """Turns (T, 4) of the bones of all legs, leg by leg."""
        assert self.figure is not None
        bones = [node for group in self.skeleton.groups[1:] for node in group[:-1]]
        return iter(leg_turns(self.figure, take, self.rest[bones]))


def _first(take: CreatureTake) -> ModelRest:
    """Where a creature is when it is seen first."""
    first = int(np.flatnonzero(take.is_there)[0])
    return ModelRest(
        take.positions[first],
        take.orientations[first],
        take.joints[first],
        take.normals[first],
        take.headings[first],
    )


def _creatures(world: WorldDef, takes: Mapping[int, CreatureTake]) -> Iterator[Actor]:
    kinds: dict[str, _Species] = {}
    for number, mine in takes.items():
        placement = world.creatures[number]
        plan, kind = world.species_of(placement), placement.creature
        if kind not in kinds:
            kinds[kind] = _Species.of(plan, mine)
        species = kinds[kind]
        skeleton = species.skeleton.named(f"{number}_{plan.name}")
        frames = species.frames(mine)
        yield Actor(
            skeleton.names[0],
            kind,
            plan,
            number,
            skeleton,
            frames,
            species.rest,
            mine.is_there,
            mine.is_planted,
        )


def pivots(plan: CreatureDef) -> Floats:
    """Where the nodes of its boxes lie, from their middles, (S, 3) [m, box].

    A segment hangs on the one before it by its front, a head on the body by its neck.
    """
    found = np.zeros((len(plan.boxes), 3))
    found[1:, 0] = [0.5 * size[0] for size in plan.boxes[1:]]
    if plan.head:
        found[-1] *= -1.0
    return found


def _trunk(plan: CreatureDef, positions: Floats, orientations: Floats) -> Floats:
    """Frames (..., S, 7) of the nodes of its boxes, from where those are."""
    return np.concatenate((positions + turned(orientations, pivots(plan)), orientations), axis=-1)


def _carrier(plan: CreatureDef, index: int) -> int:
    """The node that a segment hangs on: the one before it; a head hangs on the body."""
    return TRUNK if index == len(plan.trunk) else TRUNK + index - 1


def _rigs(world: WorldDef, take: Take) -> Iterator[Actor]:
    always = np.ones(len(take.ticks), np.bool_)
    for number, (rig, (joints, targets)) in enumerate(zip(world.rigs, take.chains, strict=True)):
        figure = rig_figure_of(rig)
        if figure:
            nodes = model_nodes(rig, figure)
            rest = model_rest(figure, joints[0])
            frames = model_frames(figure, joints, _carrier_turns(rig, take))
        else:
            nodes = rig_nodes(rig)
            rest = [AT_ORIGIN]
            rest_along(nodes, joints[0], rest)
            frames = [np.broadcast_to(AT_ORIGIN, (len(joints), 7))]
            frames_along(nodes, joints, np.array(rest), frames)
        count = targets.shape[1]
        marks = _unturned(targets)
        name = f"chain_{number}_{rig.name}"
        bones = (name, *(node.name for node in nodes), *(f"target_{k + 1}" for k in range(count)))
        skeleton = Skeleton(
            bones,
            (-1, *(node.parent for node in nodes), *(0 for _ in range(count))),
            (
                tuple(range(1 + len(nodes))),
                *((1 + len(nodes) + k,) for k in range(count)),
            ),
        )
        yield Actor(
            name,
            f"chain {number}",
            rig,
            number,
            skeleton,
            np.concatenate((np.stack(frames, axis=1), marks), axis=1),
            np.concatenate((np.array(rest), marks[0])),
            always,
            np.ones((len(joints), 0), np.bool_),
        )


def _carrier_turns(rig: RigDef, take: Take) -> Floats:
    """Orientations (T, 4) of the creature that carries a chain or a tree."""
    if rig.creature is None:
        return np.broadcast_to(UNTURNED, (len(take.ticks), 4))
    return take.creatures[rig.creature].orientations[:, 0]


def rig_nodes(rig: RigDef) -> list[Node]:
    """The nodes of a chain or tree between its root, 0, and its targets."""
    return nodes_along(names.rig_joint_names(rig), [-1, *bone_parents(rig)], 1, 0)


def _props(world: WorldDef, take: Take) -> Iterator[Actor]:
    always = np.ones(len(take.ticks), np.bool_)
    for number, prop in enumerate(world.props):
        frames = take.props[:, number : number + 1].copy()
        frames[..., 3:] = steady(frames[..., 3:])
        yield Actor(
            f"prop_{number}_{prop.shape}",
            f"prop {number}",
            prop,
            number,
            Skeleton((f"prop_{number}_{prop.shape}",), (-1,), ((0,),)),
            frames,
            AT_ORIGIN[None],
            always,
            np.ones((len(frames), 0), np.bool_),
        )


def _unturned(points: Floats) -> Floats:
    """Frames (..., 7) at points (..., 3)."""
    turns = np.broadcast_to(UNTURNED, (*points.shape[:-1], 4))
    return np.concatenate((points, turns), axis=-1)
