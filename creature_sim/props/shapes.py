"""Shapes of props: orientation, planes, hulls."""

from math import sqrt

import numpy as np

from creature_sim.components import MOTIONS, SolidRecord, Solids, zeros
from creature_sim.definitions import PropDef
from creature_sim.maths import TAU, Floats, Quat, X, Y, Z, norm, put, put_quat, scale, sin_cos
from creature_sim.maths.turns import quat_of_turns

SIDES = 96
"""Of the outline of a cylinder, as it is drawn; rays meet a round one."""


def orientation_of(written: PropDef) -> Quat:
    """Orientation of a prop, from its roll, pitch and yaw."""
    return quat_of_turns(written.rotation)


def solids_of(written: tuple[PropDef, ...]) -> Solids:
    """The numbers that rays and paths need of props."""
    records = zeros(SolidRecord, len(written))
    planes = np.zeros((len(written), 6, 4))
    keys = np.zeros((len(written), max(len(prop.waypoints) for prop in written), 3))
    for index, (solid, prop) in enumerate(zip(records, written, strict=True)):
        solid.motion = MOTIONS.index(prop.motion)
        solid.period, solid.phase = prop.period or 0.0, prop.phase
        solid.key_count = len(prop.waypoints)
        keys[index, : len(prop.waypoints)] = np.array(prop.waypoints).reshape(-1, 3)
        put_quat(solid.rotation, orientation_of(prop))
        rate = norm(prop.spin or (0.0, 0.0, 0.0))
        if prop.spin is not None and rate > 0.0:  # the square of a tiny spin is 0
            solid.rate = rate
            put(solid.axis, scale(prop.spin, 1.0 / rate))
        if prop.radius is not None:
            solid.radius = solid.bound = prop.radius
            if prop.length is not None:
                half = 0.5 * prop.length
                planes[index, :2] = [(0.0, 0.0, -1.0, half), (*Z, half)]
                solid.plane_count = 2
                solid.bound = sqrt(half * half + prop.radius * prop.radius)
        else:
            assert prop.size is not None
            x, y, z = (0.5 * side for side in prop.size)
            faces = [(-1.0, 0.0, 0.0, x), (*Y, y), (0.0, -1.0, 0.0, y), (0.0, 0.0, -1.0, z)]
            if prop.shape == "ramp":  # from the lower edge in front to the upper one behind
                length = sqrt(x * x + z * z)
                faces = [(*X, x), *faces[1:], (-z / length, 0.0, x / length, 0.0)]
            else:
                faces += [(*X, x), (*Z, z)]
            planes[index, : len(faces)] = faces
            solid.plane_count = len(faces)
            solid.bound = sqrt(x * x + y * y + z * z)
    return Solids(written, records, planes, keys)


def hulls_of(written: tuple[PropDef, ...]) -> list[Floats]:
    """Corners of every prop, (C, 3) [m, prop]: of a cylinder those of a prism; none of a ball."""
    found = []
    for prop in written:
        if prop.radius is not None and prop.length is not None:
            ring = [sin_cos(TAU * k / SIDES) for k in range(SIDES)]
            found.append(
                np.array(
                    [
                        (prop.radius * x, prop.radius * y, z * prop.length)
                        for z in (-0.5, 0.5)
                        for y, x in ring
                    ]
                )
            )
            continue
        signs = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
        if prop.shape == "ramp":
            signs = [sign for sign in signs if sign[0] > 0.0 or sign[2] < 0.0]
        half = 0.5 * np.array(prop.size or (0.0, 0.0, 0.0))
        found.append(np.array(signs if prop.size else []).reshape(-1, 3) * half)
    return found
