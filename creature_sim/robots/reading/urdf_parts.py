"""Small parts of a URDF: places, masses, colours, and where meshes are."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from creature_sim.maths import Quat, Vec
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.robots.reading.elements import Element
from creature_sim.robots.reading.solids import NO_INERTIA, Inertia, matrix_of, packed
from creature_sim.robots.reading.turns import NONE, from_rpy
from creature_sim.robots.robot import BALL, FIXED, Link

ZERO: Vec = (0.0, 0.0, 0.0)
PACKAGE = "package://"
LEVELS = 6
"""Folders above a file that a package is looked for in."""


def located(folder: Path, name: str) -> Path | None:
    """The file that a name speaks of: from the folder, or a package in one of the folders above."""
    name = name.removeprefix("file://")
    if "\0" in name or len(name) > 1_000:
        return None
    if not name.startswith(PACKAGE):
        places = [folder / name]
    else:
        rest = Path(name.removeprefix(PACKAGE))
        inside = Path(*rest.parts[1:])
        above = [folder.resolve(), *folder.resolve().parents][:LEVELS]
        places = [one / rest for one in above]
        places += [one / inside for one in above if one.name == rest.parts[0]] if rest.parts else []
        places += [one / inside for one in above[:2]]
    for place in places:
        try:
            if place.is_file():
                return place
        except OSError:
            continue
    return None


def origin_of(element: Element) -> tuple[Vec, Quat]:
    """Where something is, in the frame around it [m], and how it is turned."""
    origin = element.one("origin")
    if origin is None:
        return ZERO, NONE
    return origin.vector("xyz", ZERO), from_rpy(origin.vector("rpy", ZERO))


def inertial_of(link: Element) -> tuple[float, Vec, Inertia]:
    """Mass [kg], centre [m] and inertia [kg m^2] of a link."""
    inertial = link.one("inertial")
    if inertial is None:
        return 0.0, ZERO, NO_INERTIA
    place, turn = origin_of(inertial)
    weight, moments = inertial.one("mass"), inertial.one("inertia")
    mass = 0.0 if weight is None else weight.number("value", 0.0)
    if mass < 0.0:
        assert weight is not None
        raise weight.refused("value", "0 or more")
    if moments is None:
        return mass, place, NO_INERTIA
    xx, yy, zz = (moments.number(key, 0.0) for key in ("ixx", "iyy", "izz"))
    xy, xz, yz = (moments.number(key, 0.0) for key in ("ixy", "ixz", "iyz"))
    axes = rotation_matrices(np.array(turn))
    return mass, place, packed(axes @ matrix_of((xx, yy, zz, xy, xz, yz)) @ axes.T)


def sizes_of(element: Element, key: str, count: int) -> tuple[float, ...]:
    """Numbers that are 0 or more."""
    found = element.numbers(key, count, count)
    if any(part < 0.0 for part in found):
        raise element.refused(key, "0 or more")
    return found


def colour_of(material: Element) -> str:
    """The colour of a material, as #rrggbb; empty if it has none."""
    colour = material.one("color")
    if colour is None:
        return ""
    parts = colour.numbers("rgba", 3, 4)[:3]
    return "#" + "".join(f"{round(255.0 * min(max(part, 0.0), 1.0)):02x}" for part in parts)


def effort_faults(link: Link, element: Element) -> Iterator[str]:
    """Effort and velocity of a joint that could hold or move nothing."""
    joint = link.joint
    limit = element.one("limit")
    if joint is None or joint.kind in (FIXED, BALL) or limit is None:
        return
    where = f"{element.file}: line {limit.line}: {limit.shown}"
    for key in ("effort", "velocity"):
        if key in limit.attributes and limit.number(key) <= 0.0:
            yield f"{where} {key}: expected more than 0, or none, found {limit.number(key):g}"
