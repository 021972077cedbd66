"""Mass, centre and inertia of solids, in closed form."""

from dataclasses import dataclass, replace

from creature_sim.maths import PI, Vec

Inertia = tuple[float, float, float, float, float, float]
"""xx, yy, zz, xy, xz, yz [kg m^2]."""


@dataclass(frozen=True)
class Lump:
    """A rigid solid.

    Attributes:
        mass: [kg], or its volume [m^3] where its density is not known yet.
        centre: of mass [m].
        inertia: about the centre, along X, Y and Z; none of the solids here is turned.
    """

    mass: float
    centre: Vec
    inertia: Vec

    def scaled(self, factor: float) -> "Lump":
        """The same solid, so many times as dense."""
        x, y, z = self.inertia
        return replace(self, mass=factor * self.mass, inertia=(factor * x, factor * y, factor * z))


def times(inertia: Inertia, factor: float) -> Inertia:
    """The inertia of a solid that is so many times as dense."""
    xx, yy, zz, xy, xz, yz = inertia
    return factor * xx, factor * yy, factor * zz, factor * xy, factor * xz, factor * yz


def box(size: Vec, centre: Vec) -> Lump:
    """A box of density 1; sizes and centre [m]."""
    x, y, z = size
    mass = x * y * z
    whole = mass / 12.0
    return Lump(
        mass, centre, (whole * (y * y + z * z), whole * (x * x + z * z), whole * (x * x + y * y))
    )


def ball(mass: float, radius: float) -> Lump:
    """A ball of a mass and a radius [m] about the origin."""
    about = 0.4 * mass * radius * radius
    return Lump(mass, (0.0, 0.0, 0.0), (about, about, about))


def capsule(radius: float, length: float) -> Lump:
    """A capsule of density 1 from the origin along X: a cylinder of a length, and its caps [m]."""
    square = radius * radius
    cylinder, caps = PI * square * length, 4.0 / 3.0 * PI * square * radius
    along = 0.5 * cylinder * square + 0.4 * caps * square
    across = cylinder * (length * length / 12.0 + 0.25 * square) + caps * (
        0.4 * square + 0.25 * length * length + 0.375 * length * radius
    )
    return Lump(cylinder + caps, (0.5 * length, 0.0, 0.0), (along, across, across))


def disc(thickness: float, radius: float, centre: Vec) -> Lump:
    """An ellipsoid of density 1, round about X: half of its thickness, and its radius [m]."""
    mass = 4.0 / 3.0 * PI * thickness * radius * radius
    across = 0.2 * mass * (thickness * thickness + radius * radius)
    return Lump(mass, centre, (0.4 * mass * radius * radius, across, across))
