"""Creatures as solids: one row of numbers per body segment, bone, joint, eye and foot."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.definitions.legs import FLATNESS
from creature_sim.figures.ground import Ground
from creature_sim.figures.necks import Neck
from creature_sim.figures.rigs import RigFigure
from creature_sim.figures.shapes import DISTANT, JOINTLESS, LEVELS
from creature_sim.figures.sizes import ball_radius, creature_size, scale_of
from creature_sim.figures.skins import SkinFigure
from creature_sim.figures.soles import Soles
from creature_sim.figures.solids import (
    EYE,
    HULL,
    LEG_SLOTS,
    LegRows,
    Rows,
    Solids,
    bars,
    perpendicular,
    rgb,
    rows,
)
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.models.binding import Binding, binding_of
from creature_sim.snapshots.poses import HerdPose, Pose

KNEE = 1.14
"""Radius of a joint over that of the bones there."""
MARGIN = 0.15
"""Shapes around joints of a creature of usual size reach at most this far from them [m]."""
MANY_VERTICES = 100_000
"""Of the models of a herd in view."""
FOOT_BALL, BODY_BALL = 1.8, 1.35
"""Radii of the balls in place of a foot, over that of its pad, and of a body with all that is near
it, over that of a disc as large as its largest side."""
SHADE, CONTACT = 0.42, 0.50
"""Fraction of its light that the ground loses below a body near it, and below a foot on it."""


class Figures:
    """All creatures of a world, drawn plan by plan in a few array operations, and all its rigs.

    Attributes:
        radii: (N,) of a ball around each creature's body that holds all of it [m].
        scales: (N,) how many times larger than usual each is.
        climbs: (N,) whether each may be on ground that does not face up.
    """

    def __init__(self, world: WorldDef, *, has_models: bool = True) -> None:
        """Read colours and sizes.

        Args:
            world: of the creatures.
            has_models: whether those that have a model look like it.
        """
        self._has_models = has_models
        self._rigs = [RigFigure(rig, has_models=has_models) for rig in world.rigs]
        self._groups: dict[str, _Group] = {}  # by species
        self.populate(world)

    def populate(self, world: WorldDef) -> None:
        """Take the creatures that have joined the world."""
        self._species = [placement.creature for placement in world.creatures]
        for name in self._species:
            if name not in self._groups:
                self._groups[name] = _Group(world.species[name], self._has_models)
        self.radii = np.array([self._groups[name].radius for name in self._species])
        self.scales = np.array([self._groups[name].scale for name in self._species])
        climbs = (world.species[name].climb is not None for name in self._species)
        self.climbs = np.fromiter(climbs, np.bool_, len(self._species))

    def _herds(self, pose: Pose) -> Iterator[tuple["_Group", HerdPose]]:
        """The herds of a pose that anybody is in."""
        for herd in pose.herds:
            if len(herd.members):
                yield self._groups[self._species[herd.members[0]]], herd

    @property
    def bindings(self) -> dict[str, Binding]:
        """The models of creatures, by species, and of chains and trees, by number."""
        skins = {name: group.skin.binding for name, group in self._groups.items() if group.skin}
        rigs = enumerate(self._rigs)
        return skins | {f"chain {index}": rig.skin.binding for index, rig in rigs if rig.skin}

    def skins(self, pose: Pose, levels: NDArray[np.int64]) -> dict[str, Floats]:
        """Matrices (N, B, 3, 4) of the bones of all that show a model, named as in `bindings`.

        Args:
            pose: where everything is.
            levels: as of `solids`.
        """
        found: dict[str, list[Floats]] = {}
        for group, herd in self._herds(pose):
            if group.skin is not None:
                mine = np.where(herd.is_there, levels[herd.members], LEVELS)
                rows = np.flatnonzero(mine < group.first_plain(mine))
                if len(rows):
                    matrices = group.skin.matrices(herd, rows)
                    found.setdefault(self._species[herd.members[0]], []).append(matrices)
        for index, (rig, chain) in enumerate(zip(self._rigs, pose.chains, strict=True)):
            if rig.skin:
                found[f"chain {index}"] = [rig.bones(pose, chain)]
        return {name: np.concatenate(several) for name, several in found.items()}

    def solids(
        self, pose: Pose, levels: NDArray[np.int64], first_flat: int = DISTANT
    ) -> list[Solids]:
        """The shapes of a pose, by level of detail; of creatures that show no model.

        Args:
            pose: where everything is.
            levels: (N,) of each creature that is or was; `LEVELS` or more: it is not drawn. Rigs
                have level 0.
            first_flat: from this level on, legs are ribbons, which cast no shadow.
        """
        found: list[list[Solids]] = [[] for _ in range(LEVELS)]
        for group, herd in self._herds(pose):
            mine = np.where(herd.is_there, levels[herd.members], LEVELS)
            shown = np.flatnonzero((mine >= group.first_plain(mine)) & (mine < LEVELS))
            if len(shown):
                shown = shown[np.argsort(mine[shown], kind="stable")]
                groups = group.solids(herd, shown, mine[shown], first_flat)
                for parts, own in zip(found, groups, strict=True):
                    parts += own
        found[0] += [
            figure.solids(chain) for figure, chain in zip(self._rigs, pose.chains, strict=True)
        ]
        return [Solids.joined(parts) for parts in found]

    def boxes(self, pose: Pose, chosen: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Lowest and highest corners, (B, 3), around chosen (N,) creatures and all rigs [m]."""
        low, high = [np.empty((0, 3))], [np.empty((0, 3))]
        for group, herd in self._herds(pose):
            rows = np.flatnonzero(chosen[herd.members] & herd.is_there)
            joints, boxes = herd.joints[rows], herd.positions[rows]
            lowest = np.minimum(joints.min(axis=(1, 2)), boxes.min(axis=1))
            highest = np.maximum(joints.max(axis=(1, 2)), boxes.max(axis=1))
            low.append(lowest - group.margin)
            high.append(highest + group.margin)
        for figure, chain in zip(self._rigs, pose.chains, strict=True):
            margin = max(MARGIN * figure.scale, figure.skin.binding.margin if figure.skin else 0.0)
            low.append(chain.joints.min(axis=0)[None] - margin)
            high.append(chain.joints.max(axis=0)[None] + margin)
        return np.concatenate(low), np.concatenate(high)

    def contacts(
        self, pose: Pose, chosen: NDArray[np.bool_], near: NDArray[np.bool_]
    ) -> list[Rows]:
        """Soft shade under bodies of chosen (N,) creatures and feet of near ones: a `MarkMap`."""
        found: list[Rows] = []
        for group, herd in self._herds(pose):
            mine = chosen[herd.members] & herd.is_there
            rows = np.flatnonzero(mine)
            found += group.body_contacts(herd, rows)
            found += group.foot_contacts(herd, np.flatnonzero(mine & near[herd.members]))
        return found

    def balls(self, pose: Pose, chosen: NDArray[np.bool_]) -> Floats:
        """Balls (B, 4) in place of bodies and feet of chosen (N,) creatures: middle, radius [m].

        They take light from the sky away from ground that is near them, whichever way it faces.
        """
        found = [np.empty((0, 4))]
        for group, herd in self._herds(pose):
            found.append(group.balls(herd, np.flatnonzero(chosen[herd.members] & herd.is_there)))
        return np.concatenate(found)

    def rig_contacts(self, pose: Pose, ground: Ground) -> list[Rows]:
        """Soft shade under joints of chains and trees."""
        return [
            figure.contacts(chain, ground)
            for figure, chain in zip(self._rigs, pose.chains, strict=True)
        ]


@dataclass(frozen=True)
class _Segment:
    """A part of the body, of several creatures.

    position (N, 3) [m, world], turn (N, 3, 3), half (3,) of its size [m]; the first has the eyes.
    """

    position: Floats
    turn: Floats
    half: Floats


class _Group:
    """Creatures of one plan; `radius` and `scale` as in `Figures`, `margin` around joints [m]."""

    def __init__(self, plan: CreatureDef, has_models: bool) -> None:
        legs = plan.all_legs
        self.radius, self.scale = ball_radius(plan), scale_of(creature_size(plan))
        self.margin = MARGIN * self.scale
        if plan.head:
            self.margin = max(self.margin, 0.5 * hypot(*plan.head.size))
        binding = binding_of(plan) if has_models else None
        self.skin = SkinFigure(plan, binding) if binding else None
        if binding:
            self.radius += binding.margin
            self.margin = max(self.margin, binding.margin)
        self._halves = 0.5 * np.array(plan.boxes)
        self._face = plan.face
        self._reach = max(leg.reach for leg in legs)
        joint_count = 1 + max(len(leg.bones) for leg in legs)
        self._radii = np.zeros((len(legs), joint_count))  # at each joint [m]
        self._is_bone = np.zeros((len(legs), joint_count - 1), dtype=bool)
        for index, leg in enumerate(legs):
            count = len(leg.bones)
            self._radii[index, : count + 1] = leg.radii(plan.body.size[2])
            self._is_bone[index, :count] = True
        self._is_tip = np.zeros((len(legs), joint_count), dtype=bool)
        self._is_tip[:, 1:] = np.logical_not(self._is_bone) | _is_last(self._is_bone)
        self._strands = _strands(self._is_bone)
        self._pads = np.array([leg.pad for leg in legs])
        self._soles, self._neck = Soles.of(plan), Neck.of(plan)
        self._has_pad = np.array([leg.foot is None for leg in legs])
        self._body, self._leg, self._foot = (
            rgb(colour) for colour in (plan.colours.body, plan.colours.legs, plan.colours.feet)
        )
        self._joint = joint_colour(self._leg)

    def first_plain(self, levels: NDArray[np.int64]) -> int:
        """The level of detail from which on creatures, in levels (N,), do not show their model.

        Distant ones do not where they are many: their vertices would take too long.
        """
        if self.skin is None:
            return 0
        count = int((levels < LEVELS).sum()) * len(self.skin.binding.vertices)
        return LEVELS if count <= MANY_VERTICES else DISTANT

    def _segments(self, herd: HerdPose, chosen: NDArray[np.int64]) -> Iterator[_Segment]:
        """The parts of the bodies, from front to back."""
        positions, orientations = herd.positions[chosen], herd.orientations[chosen]
        for s, half in enumerate(self._halves):
            yield _Segment(positions[:, s], rotation_matrices(orientations[:, s]), half)

    def solids(
        self,
        herd: HerdPose,
        chosen: NDArray[np.int64],
        levels: NDArray[np.int64],
        first_flat: int,
    ) -> list[list[Solids]]:
        """The shapes of some members of a herd, by level of detail: none or one in each.

        All of them at once: there may be few in a level.

        Args:
            herd: that they are in.
            chosen: (C,) their rows in it.
            levels: (C,) their levels of detail, the finest first.
            first_flat: as of `Figures.solids`.
        """
        bounds = np.searchsorted(levels, np.arange(LEVELS + 1)).tolist()
        jointed, near, solid = bounds[JOINTLESS], bounds[DISTANT], bounds[first_flat]
        positions, turns = herd.positions[chosen], rotation_matrices(herd.orientations[chosen])
        joints, normals = herd.joints[chosen], herd.normals[chosen]
        # A leg ends in the middle of its pad; the underside of the pad is at the tip.
        raised = FLATNESS * self._pads * self._has_pad
        pads = self._is_tip[..., None] * (raised[:, None] * normals)[:, :, None]
        joints = joints + pads
        # Rows of the first creatures, and how many each of these has:
        hulls = [
            (rows(turns * self._halves[:, None], positions, self._body, HULL), len(self._halves)),
            (self._sole_rows(joints, normals, herd.headings[chosen]), len(self._soles.legs)),
        ]
        spheres = [
            (self._feet(joints[:solid], normals[:solid]), int(self._has_pad.sum())),
            (self._eyes(positions[:near, self._face], turns[:near, self._face]), 2),
            (self._knees(joints[:jointed]), int(self._is_bone.sum())),
        ]
        limbs = [(self._limbs(joints[:solid]), int(self._is_bone.sum()))]
        if self._neck is not None:
            ends = self._neck.rows(positions[:solid, 0], turns[:solid, 0], self._body)
            limbs.append((ends, 1))
        legs = self._legs(joints[solid:], positions[solid:, 0], turns[solid:, 0])
        found: list[list[Solids]] = []
        for first, last in pairwise(bounds):
            kinds = [
                np.concatenate([part[first * step : last * step] for part, step in parts])
                for parts in (hulls, spheres, limbs)
            ]
            found.append([Solids(*kinds)] if first < last else [])
        if len(legs):  # all in one level: they are drawn together
            last = max(level for level, parts in enumerate(found) if parts)
            found[last] = [replace(found[last][0], legs=legs)]
        return found

    def _limbs(self, joints: Floats) -> Rows:
        start, end = joints[:, :, :-1][:, self._is_bone], joints[:, :, 1:][:, self._is_bone]
        thick, thin = self._radii[:, :-1][self._is_bone], self._radii[:, 1:][self._is_bone]
        return bars(start, end, thick, thin, self._leg)

    def _legs(self, joints: Floats, positions: Floats, turns: Floats) -> LegRows:
        """Legs and necks of distant members, of joints (N, L, J, 3) and bodies there."""
        owners, along = self._strands
        count = len(owners) + (self._neck is not None)
        found = np.zeros((len(joints), count, LEG_SLOTS, 4), np.float32)
        legs = found[:, : len(owners)]
        legs[..., :4, :3] = joints[:, owners[:, None], along]
        legs[..., :4, 3] = self._radii[owners[:, None], along]
        legs[..., 4, :3] = self._leg
        legs[..., 5, :3] = self._foot
        is_last = self._is_tip[owners, along[:, 3]] & self._has_pad[owners]
        legs[..., 5, 3] = np.where(is_last, self._pads[owners], 0.0)
        if self._neck is not None:
            base, end = self._neck.ends(positions, turns)
            found[:, -1, 0, :3], found[:, -1, 1:4, :3] = base, end[:, None]
            found[:, -1, :4, 3] = self._neck.radii[0], *3 * (self._neck.radii[1],)
            found[:, -1, 4, :3] = self._body
        return found.reshape(-1, 4 * LEG_SLOTS)

    def _eyes(self, positions: Floats, turns: Floats) -> Rows:
        """Two eyes at the upper front corners of heads (N,): they show where the front is."""
        found = []
        for place, look, radius in eyes_of(self._halves[self._face]):
            axes = np.stack((look, *perpendicular(look)), axis=-1)
            found.append(rows(turns @ axes * radius, positions + turns @ place, self._body, EYE))
        return np.stack(found, axis=1).reshape(-1, 16)

    def _knees(self, joints: Floats) -> Rows:
        inner = joints[:, :, :-1][:, self._is_bone]
        balls = np.eye(3) * (KNEE * self._radii[:, :-1][self._is_bone])[:, None, None]
        return rows(np.broadcast_to(balls, (len(joints), *balls.shape)), inner, self._joint)

    def _feet(self, joints: Floats, normals: Floats) -> Rows:
        normals = normals[:, self._has_pad]
        first, second = perpendicular(normals)
        pad = self._pads[self._has_pad, None]
        bases = np.stack((first * pad, second * pad, normals * pad * FLATNESS), axis=-1)
        return rows(bases, joints[:, self._has_pad, -1], self._foot)

    def _sole_rows(self, joints: Floats, normals: Floats, headings: Floats) -> Rows:
        middles = self._soles.middles(joints[:, :, -1], normals, headings)
        return rows(self._soles.axes(normals, headings), middles, self._foot)

    def body_contacts(self, herd: HerdPose, chosen: NDArray[np.int64]) -> Iterator[Rows]:
        """Soft shade under bodies of some members; rows have strength and softness as colour."""
        if not len(chosen):
            return
        for segment in self._segments(herd, chosen):
            bases = segment.turn * (1.35 * segment.half + 0.10 * self._reach)
            yield rows(bases, segment.position, (SHADE, 0.0, 0.0))

    def balls(self, herd: HerdPose, chosen: NDArray[np.int64]) -> Floats:
        """Balls (B, 4) in place of bodies and feet of some members: see `Figures.balls`."""
        tips, normals = herd.joints[chosen, :, -1], herd.normals[chosen]
        radii = FOOT_BALL * np.broadcast_to(self._pads, tips.shape[:-1])[..., None]
        found = [np.concatenate((tips + radii * normals, radii), axis=-1).reshape(-1, 4)]
        for segment in self._segments(herd, chosen):
            radius = BODY_BALL * np.sqrt(segment.half.prod() / segment.half.min())
            radii = np.full((len(chosen), 1), radius)
            found.append(np.concatenate((segment.position, radii), axis=-1))
        return np.concatenate(found)

    def foot_contacts(self, herd: HerdPose, chosen: NDArray[np.int64]) -> Iterator[Rows]:
        """Soft shade under standing feet of some members."""
        if not len(chosen):
            return
        standing = ~herd.is_swinging[chosen]
        tips = herd.joints[chosen, :, -1][standing]
        radii = 1.7 * np.broadcast_to(self._pads, standing.shape)[standing]
        yield rows(np.eye(3) * radii[:, None, None], tips, (CONTACT, 0.25, 0.0))


def joint_colour(leg: tuple[float, ...]) -> tuple[float, ...]:
    """Colour of the joints between bones, from the colour of the bones."""
    return tuple(0.80 * part + 0.20 * 0.80 for part in leg)


def eyes_of(half: Floats) -> Iterator[tuple[Floats, Floats, float]]:
    """Position (3,), direction of sight (3,) and radius of each eye on a head [m, body].

    Args:
        half: (3,) half of the size of the head [m].
    """
    length, width, height = half
    radius = 0.36 * min(width, 1.4 * height)
    for side in (1.0, -1.0):
        look = np.array([0.86, side * 0.42, 0.20])
        position = np.array([length - 0.95 * radius, side * 0.50 * width, 0.56 * height])
        yield position, look / np.sqrt((look**2).sum()), radius


def _is_last(is_bone: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which (L, B) are the last bone of their leg."""
    following = np.zeros_like(is_bone)
    following[:, :-1] = is_bone[:, 1:]
    return is_bone & ~following


def _strands(is_bone: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pieces of three bones that legs (L, B) are drawn from: legs (K,) and joints (K, 4).

    The last joint of a leg is there again where it has fewer.
    """
    found = [
        (leg, np.minimum(first + np.arange(4), count))
        for leg, count in enumerate(is_bone.sum(axis=1).tolist())
        for first in range(0, count, 3)
    ]
    return np.array([leg for leg, _ in found]), np.array([joints for _, joints in found])
