"""Courses that leave the floor: walls, edges, ceilings, bars, and the ways over them.

At difficulty 0.5 edges are right angles, bars stand 0.3 of a leg apart, and a corridor is as high
as a body and its legs. Whoever does not climb is sent straight on, as on all other courses.
"""

from collections.abc import Callable, Mapping
from math import pi
from typing import NamedTuple

from creature_sim.maths import Vec, sin_cos
from creature_sim.terrain import Challenge, GroundDef, read_ground

FARTHEST_WALL = 26.0
"""Walls stand no farther from the start [m]."""
RIDE = 0.2
"""Bodies are about this far from the ground [m]."""

Table = Mapping[str, object]


class Climb(NamedTuple):
    """A course that leaves the floor.

    Attributes:
        table: of its ground, as in a file. The first line of its docstring says what d changes.
        way: points in space, about where a body is that walks it, in order; at the last one it
            ends [m, world].
    """

    table: Callable[[Challenge], Table]
    way: Callable[[Challenge], tuple[Vec, ...]]


def climb_ground(name: str, challenge: Challenge) -> GroundDef:
    """The ground of a course of CLIMBS."""
    return read_ground(CLIMBS[name].table(challenge))


def _wall(challenge: Challenge) -> float:
    """Distance of what is climbed from the start [m]."""
    scale = challenge.scale
    return min(FARTHEST_WALL, max(3.0 * scale, challenge.clearing + scale))


def _box(size: Vec, position: Vec, pitch: float = 0.0) -> dict[str, object]:
    return {"shape": "box", "size": size, "position": position, "rotation": (0.0, pitch, 0.0)}


def _inner_edge(challenge: Challenge) -> Table:
    """A wall across the way that leans by 60 + 60 d degrees: upright at 0.5, then over it."""
    scale, angle = challenge.scale, (pi / 3.0) * (1.0 + challenge.d)
    sine, cosine = sin_cos(angle)
    along, aside = 1.2 * scale, 0.2 * scale  # from its foot to its middle
    middle = (_wall(challenge) + along * cosine + aside * sine, 0.0, along * sine - aside * cosine)
    size = (0.4 * scale, 6.0 * scale, 3.6 * scale)
    return {"kind": "solids", "solids": [_box(size, middle, 0.5 * pi - angle)]}


def _up_the_wall(challenge: Challenge) -> tuple[Vec, ...]:
    scale, wall = challenge.scale, _wall(challenge)
    sine, cosine = sin_cos((pi / 3.0) * (1.0 + challenge.d))
    up, off = 1.5 * scale, RIDE * scale
    return (wall + up * cosine - off * sine, 0.0, up * sine + off * cosine), _back(challenge)


def _back(challenge: Challenge) -> Vec:
    """On the floor before what is climbed."""
    return _wall(challenge) - 1.5 * challenge.scale, 0.0, RIDE * challenge.scale


def _outer_edge(challenge: Challenge) -> Table:
    """A table 0.5 - 0.4 d thick, whose edge turns by 180 degrees; it starts on top."""
    scale, half, top = challenge.scale, _half_table(challenge), 2.0 * challenge.scale
    thick = _table_top(challenge)
    leg = {
        "shape": "cylinder",
        "radius": 0.3 * scale,
        "length": top - thick,
        "position": (-0.6 * half, 0.0, 0.5 * (top - thick)),
    }
    top_size = (2.0 * half, 2.0 * half, thick)
    return {"kind": "solids", "solids": [_box(top_size, (0.0, 0.0, top - 0.5 * thick)), leg]}


def _under_the_table(challenge: Challenge) -> tuple[Vec, ...]:
    scale, half, thick = challenge.scale, _half_table(challenge), _table_top(challenge)
    off, inside, top = RIDE * scale, half - 1.2 * scale, 2.0 * scale
    beside, rim = (half + off, 0.0, top - 0.5 * thick), half - 0.3 * scale
    over, under = top + off, top - thick - off
    down = (beside, (rim, 0.0, under), (inside, 0.0, under))
    return (*down, beside, (rim, 0.0, over), (inside, 0.0, over))


def _half_table(challenge: Challenge) -> float:
    """Half of the side of the table [m]."""
    return challenge.clearing + 1.5 * challenge.scale


def _table_top(challenge: Challenge) -> float:
    """How thick the table is [m]."""
    return (0.5 - 0.4 * challenge.d) * challenge.scale


def _ceiling(challenge: Challenge) -> Table:
    """An empty room 2.4 - 1.2 d high."""
    return {
        "kind": "room",
        "length": 2.0 * _wall(challenge),
        "width": 6.0 * challenge.scale,
        "height": _room_height(challenge),
        "thickness": 0.3 * challenge.scale,
    }


def _over_the_ceiling(challenge: Challenge) -> tuple[Vec, ...]:
    wall, height, off = _wall(challenge), _room_height(challenge), RIDE * challenge.scale
    return (
        (wall - off, 0.0, 0.5 * height),
        (0.0, 0.0, height - off),
        (off - wall, 0.0, 0.5 * height),
        (1.5 * challenge.scale - wall, 0.0, off),
    )


def _room_height(challenge: Challenge) -> float:
    """From the floor to the ceiling [m]."""
    return (2.4 - 1.2 * challenge.d) * challenge.scale


def _pillar(challenge: Challenge) -> Table:
    """A pillar 1.2 - 0.8 d thick."""
    scale, radius = challenge.scale, _pillar_radius(challenge)
    position = (_wall(challenge), 0.0, 1.5 * scale)
    pillar = {"shape": "cylinder", "radius": radius, "length": 3.0 * scale, "position": position}
    return {"kind": "solids", "solids": [pillar]}


def _round_the_pillar(challenge: Challenge) -> tuple[Vec, ...]:
    wall, height = _wall(challenge), 1.5 * challenge.scale
    radius = _pillar_radius(challenge) + RIDE * challenge.scale
    round_it = ((-1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))
    on_it = [(wall + radius * x, radius * y, height) for x, y in round_it]
    return (*on_it, _back(challenge))


def _pillar_radius(challenge: Challenge) -> float:
    return (0.6 - 0.4 * challenge.d) * challenge.scale


def _lattice(challenge: Challenge) -> Table:
    """A fence of upright and level bars 0.1 + 0.1 d apart: 0.2 to 0.4 of a leg."""
    scale, wall = challenge.scale, _wall(challenge)
    pitch, height, width, radius = (0.1 + 0.1 * challenge.d) * scale, 2.4 * scale, 4.0, 0.012
    rows, columns = int(height / pitch), int(width * scale / pitch)
    bar = {"shape": "cylinder", "radius": radius * scale, "sides": 12}
    level = {
        **bar,
        "length": columns * pitch,
        "rotation": (0.5 * pi, 0.0, 0.0),
        "position": (wall, 0.0, pitch),
        "count": rows,
        "step": (0.0, 0.0, pitch),
    }
    upright = {
        **bar,
        "length": height,
        "position": (wall, -0.5 * columns * pitch, 0.5 * height),
        "count": columns + 1,
        "step": (0.0, pitch, 0.0),
    }
    return {"kind": "solids", "solids": [level, upright]}


def _up_the_fence(challenge: Challenge) -> tuple[Vec, ...]:
    wall, scale = _wall(challenge), challenge.scale
    return (wall - RIDE * scale, 0.0, 1.5 * scale), _back(challenge)


def _corridor(challenge: Challenge) -> Table:
    """A tunnel 1.2 - 0.4 d wide and 0.5 - 0.2 d high."""
    return {
        "kind": "tunnel",
        "width": (1.2 - 0.4 * challenge.d) * challenge.scale,
        "height": (0.5 - 0.2 * challenge.d) * challenge.scale,
        "length": min(62.0, 2.0 * challenge.extent + 2.0 * challenge.scale),
        "thickness": 0.3 * challenge.scale,
    }


def _through_the_corridor(challenge: Challenge) -> tuple[Vec, ...]:
    return ((challenge.extent, 0.0, RIDE * challenge.scale),)


def _room(challenge: Challenge) -> Table:
    """A room 2.4 - 1.2 d high with a doorway ahead, a pillar and a table."""
    scale, height = challenge.scale, _room_height(challenge)
    leg = 0.4 * height
    pillar = {
        "shape": "cylinder",
        "radius": 0.25 * scale,
        "length": height,
        "position": (0.5 * _wall(challenge), 1.8 * scale, 0.5 * height),
    }
    table = _box(
        (1.6 * scale, 1.2 * scale, 0.1 * scale),
        (-0.5 * _wall(challenge), -1.8 * scale, leg + 0.05 * scale),
    )
    post = {
        "shape": "cylinder",
        "radius": 0.12 * scale,
        "length": leg,
        "position": (-0.5 * _wall(challenge), -1.8 * scale, 0.5 * leg),
    }
    doorway = (1.4 * scale, 0.7 * height)
    return {**_ceiling(challenge), "doorway": doorway, "solids": [pillar, table, post]}


def _all_over_the_room(challenge: Challenge) -> tuple[Vec, ...]:
    """Up a wall, along the ceiling, down another, across two corners to the wall with the door."""
    off, half = RIDE * challenge.scale, 0.5 * _room_height(challenge)
    wall, side = _wall(challenge) - off, 3.0 * challenge.scale - off
    return (
        (0.0, side, half),
        (0.0, 0.0, 2.0 * half - off),
        (-wall, 0.0, half),
        (0.0, -side, half),
        (wall, -0.6 * side, half),
        (wall - 1.5 * challenge.scale, -0.6 * side, off),
    )


CLIMBS = {
    "inner_edge": Climb(_inner_edge, _up_the_wall),
    "outer_edge": Climb(_outer_edge, _under_the_table),
    "ceiling": Climb(_ceiling, _over_the_ceiling),
    "pillar": Climb(_pillar, _round_the_pillar),
    "lattice": Climb(_lattice, _up_the_fence),
    "corridor": Climb(_corridor, _through_the_corridor),
    "room": Climb(_room, _all_over_the_room),
}
"""Courses by name. Of `pillar` there is an easier one for those that do not climb."""
