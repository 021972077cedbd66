"""What feet leave behind: footprints, and dust where they came down. Only drawn, not simulated."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import WorldDef
from creature_sim.figures.detail import looks
from creature_sim.figures.optics import Optics
from creature_sim.figures.props import is_on_props
from creature_sim.figures.solids import NO_ROWS, Rows, perpendicular, rows
from creature_sim.figures.sun import SUN
from creature_sim.maths import Floats
from creature_sim.snapshots.poses import HerdPose, Pose

MAX_PRINTS = 1500
"""Largest number of footprints; the oldest go first."""
PRINT_SECONDS = 14.0
DUST_SECONDS = 0.75
LONGEST_GAP = 1.0
"""After a longer gap between two poses, or a step back in time, the ground is clean [s]."""
PUFFS = 7
DUST_REACH = 6.5
"""How far puffs get from where a foot came down, over the radius of its print."""
DUST_PIXELS = 8.0, 12.0
"""Dust is left out where its reach looks smaller than the first; it fades below the second [px]."""
PRINT_STRENGTH, PRINT_SOFTNESS = 0.30, 0.55
STEEP = 0.3
"""No print is seen on ground whose normal points up less than this: maps of marks are level."""
DUST_OPACITY = 0.30
SKY, RISE, GLARE = 0.38, 0.08, 0.87
"""Light on what faces aside, more on what faces up, and more towards the sun: see `light.glsl`."""
GOLDEN_ANGLE = 2.399963229728653
FEET = 1024
"""More than a creature has: the feet of creature n are numbered from n times this on."""


class _Prints(NamedTuple):
    """Touchdowns, the oldest first.

    tick (K,); foot (K,), as `_feet_of` numbers them; radius (K,) [m]; position (K, 3) and normal
    (K, 3) [world].
    """

    tick: Floats
    foot: Floats
    radius: Floats
    position: Floats
    normal: Floats


_NONE = _Prints(np.empty(0), np.empty(0), np.empty(0), np.empty((0, 3)), np.empty((0, 3)))


class Trail:
    """Collects touchdowns from poses given in the order of time; equal poses give equal marks."""

    def __init__(self, world: WorldDef) -> None:
        """Start with clean ground."""
        self._tick_rate = world.tick_rate
        self._props = world.props
        self._prints = _NONE
        self._now = 0.0
        self._feet: NDArray[np.int64] | None = None  # of the last pose, (F,)
        self._was_swinging: NDArray[np.bool_] = np.empty(0, np.bool_)
        self._radii: dict[int, Floats] = {}  # of the feet of each creature
        self.populate(world)

    def populate(self, world: WorldDef) -> None:
        """Take the creatures that have joined the world."""
        species: dict[str, Floats] = {}
        for number, placement in enumerate(world.creatures):
            if number not in self._radii:
                name = placement.creature
                if name not in species:
                    legs = world.species[name].all_legs
                    species[name] = np.array([0.05 * leg.reach for leg in legs])
                self._radii[number] = species[name]

    def add(self, pose: Pose) -> None:
        """Take the next pose; the same one again changes nothing."""
        if not pose.herds:
            return
        gap = (pose.tick - self._now) / self._tick_rate
        feet = np.concatenate([_feet_of(herd).ravel() for herd in pose.herds])
        swinging = np.concatenate([herd.is_swinging[herd.is_there].ravel() for herd in pose.herds])
        if self._feet is None or not 0.0 <= gap <= LONGEST_GAP:
            self._prints = _NONE
        else:
            if np.array_equal(feet, self._feet):
                has_flown = self._was_swinging
            else:  # creatures came or went
                has_flown = np.isin(feet, self._feet[self._was_swinging])
            landed = np.flatnonzero(has_flown & ~swinging)
            if len(landed):
                self._stamp(pose, feet, landed)
        self._now, self._feet, self._was_swinging = pose.tick, feet, swinging
        age = (self._now - self._prints.tick) / self._tick_rate
        keep = np.flatnonzero(age < PRINT_SECONDS)[-MAX_PRINTS:]
        self._prints = _Prints(*(part[keep] for part in self._prints))

    def _stamp(self, pose: Pose, feet: NDArray[np.int64], landed: NDArray[np.intp]) -> None:
        goals, normals = (
            np.concatenate(
                [getattr(herd, name)[herd.is_there].reshape(-1, 3) for herd in pose.herds]
            )
            for name in ("goals", "normals")
        )
        landed = landed[~is_on_props(self._props, pose.props, goals[landed])]
        mine = feet[landed]
        radii = np.array([self._radii[foot // FEET][foot % FEET] for foot in mine.tolist()])
        new = _Prints(
            np.full(len(mine), pose.tick), mine.astype(float), radii, goals[landed], normals[landed]
        )
        self._prints = _Prints(
            *(np.concatenate(both) for both in zip(self._prints, new, strict=True))
        )

    def _ages(self) -> Floats:
        ages: Floats = (self._now - self._prints.tick) / self._tick_rate
        return ages

    def marks(self, optics: Optics | None = None) -> Rows:
        """Footprints as rows for the map of marks: strength and softness as colour.

        Args:
            optics: of the picture; what it does not show has no rows. None: all have.
        """
        is_seen = self._prints.normal[:, 2] > STEEP
        if optics is not None:
            is_seen &= looks(self._prints.position, self._prints.radius, optics) > 0.0
        if not is_seen.any():
            return NO_ROWS
        prints, ages = _Prints(*(part[is_seen] for part in self._prints)), self._ages()[is_seen]
        bases = np.eye(3) * prints.radius[:, None, None]
        found = rows(bases, prints.position, (0.0, PRINT_SOFTNESS, 0.0))
        found[:, 12] = PRINT_STRENGTH * np.minimum(1.0, 2.0 * (1.0 - ages / PRINT_SECONDS))
        return found

    def dust(self, optics: Optics, colour: tuple[float, ...]) -> Rows:
        """Puffs as rows of squares that face the eye; the last component is their opacity.

        Args:
            optics: of the picture; what it does not show, or too small to see, has no rows.
            colour: of the ground, parts from 0 to 1.
        """
        ages = self._ages()
        fresh = np.flatnonzero(ages < DUST_SECONDS)
        reach = DUST_REACH * self._prints.radius[fresh]
        pixels = looks(self._prints.position[fresh], reach, optics)
        fresh, pixels = fresh[pixels > DUST_PIXELS[0]], pixels[pixels > DUST_PIXELS[0]]
        if not len(fresh):
            return NO_ROWS
        low, high = DUST_PIXELS
        strength = DUST_OPACITY * np.minimum(1.0, (pixels - low) / (high - low))[:, None]
        age = (ages[fresh] / DUST_SECONDS)[:, None]  # (K, 1)
        tick, foot, radii, position, normal = (part[fresh] for part in self._prints)
        radius = radii[:, None]
        puff = np.arange(PUFFS)
        seed = (7.0 * foot + 3.0 * tick)[:, None]
        angle = GOLDEN_ANGLE * (puff + seed)
        vary = 0.5 + 0.5 * np.cos(5.0 * angle + seed)  # [0, 1], different for each puff
        spread = radius * (0.7 + (1.2 + 1.6 * vary) * (1.0 - (1.0 - age) ** 2))
        first, second = perpendicular(normal)
        along = (
            np.cos(angle)[..., None] * first[:, None] + np.sin(angle)[..., None] * second[:, None]
        )
        rise = radius * (0.3 + (0.5 + 1.1 * vary) * age)
        centre = position[:, None] + spread[..., None] * along + rise[..., None] * normal[:, None]
        size = radius * (0.55 + 1.3 * age) * (0.8 + 0.5 * vary)
        bases = np.zeros((*centre.shape, 3))
        bases[..., 0], bases[..., 1] = size[..., None] * optics.right, size[..., None] * optics.up
        found = rows(bases, centre, colour)
        dim = np.minimum(1.0, np.sqrt(_light_on(normal) / _light_on(np.array([[0.0, 0.0, 1.0]]))))
        found[:, 12:15] *= np.repeat(dim, PUFFS)[:, None]
        found[:, 15] = np.broadcast_to(strength * (1.0 - age) ** 2, size.shape).ravel()
        return found


def _light_on(normals: Floats) -> Floats:
    """Light on ground with normals (K, 3), (K,): dust that is lit otherwise seems to glow."""
    found: Floats = SKY + RISE * normals[:, 2] + GLARE * np.maximum(0.0, normals @ SUN)
    return found


def _feet_of(herd: HerdPose) -> NDArray[np.int64]:
    """Numbers of the feet of creatures that are there, (N, L)."""
    members, legs = herd.members[herd.is_there], herd.is_swinging.shape[1]
    return FEET * members[:, None] + np.arange(legs)
