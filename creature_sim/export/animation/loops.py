"""One cycle of a steady walk: it ends in the pose that it begins with; a root carries the way."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef
from creature_sim.definitions.gait import PhaseGaitDef
from creature_sim.errors import DefinitionError
from creature_sim.export import names
from creature_sim.export.animation.actors import TRUNK, Actor
from creature_sim.export.animation.keys import Mask
from creature_sim.export.animation.skeletons import (
    AT_ORIGIN,
    LEVEL,
    Z,
    height_above,
    root_frame,
    seen_from,
    up_of,
)
from creature_sim.export.animation.turns import UNTURNED, inverse, multiplied, slerped, turned
from creature_sim.inputs import FULL
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.replay import Replay

SHORTEST, LONGEST = 0.1, 10.0
"""A cycle takes so long, at least and at most [s]."""
NEAR, NEARLY = 2e-4, 4e-3
"""Largest distance of any joint at the end of a cycle from where it began, seen from the body, over
the reach of the longest leg: of one that is taken at once, and of the best where there is none."""
SAME = 0.05
"""Largest change of a command that leaves it the same: who goes to a point steers that much."""
ROOT = 1
"""The node that carries the way."""


@dataclass(frozen=True)
class Loop:
    """A cycle.

    Attributes:
        first: index of its first tick in the take.
        last: of its last one, which has the pose of the first.
        actor: over these ticks, seen from the ground below its first pose.
        extras: gait, length [s], how many cycles of the gait that is, stride of one [m], speed
            [m/s], and which foot lifts and lands when [s].
    """

    first: int
    last: int
    actor: Actor
    extras: dict[str, Any]


def orders_of(replay: Replay, number: int, ticks: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of the order that a creature follows in each of some ticks, (T,) ascending.

    A new one begins where its command changes by more than SAME, and at and after an event of it.
    """
    orders = np.zeros(replay.ticks + 1, np.int64)
    order, is_over, command = 0, False, None
    for index, given in enumerate(replay.inputs, 1):
        now = np.array(given.commands[number] if number < len(given.commands) else (0,) * 4)
        is_asked = any(event.creature == number for event in given.events)
        if command is None or is_over or is_asked or np.abs(now - command).max() > SAME * FULL:
            order, command = order + 1, now
        is_over = is_asked
        orders[index] = order
    found: NDArray[np.int64] = orders[ticks - replay.first]
    return found


def loop_of(actor: Actor, rate: int, orders: NDArray[np.int64]) -> Loop:
    """The shortest cycle of a creature's walk.

    Args:
        actor: the creature.
        rate: ticks per second.
        orders: which order it follows at each of its ticks, (T,), as of `orders_of`.

    Raises:
        DefinitionError: its walk does not repeat itself, or only over changes of its orders.
    """
    assert isinstance(actor.plan, CreatureDef)
    first, last = _cycle(actor, rate, orders)
    frames = actor.frames[first : last + 1]
    body = frames[:, TRUNK]
    up = up_of(body[0, 3:])
    height = height_above(body[0, :3], frames[0, list(actor.skeleton.feet), :3], up)
    ground = root_frame(body[0, :3], body[0, 3:], up, height)
    end = root_frame(body[-1, :3], body[-1, 3:], up, height)
    seen = seen_from(ground, frames)
    yaw = np.unwrap(_headings(seen[:, TRUNK, 3:]))
    way = _way(seen_from(ground, end)[:3], float(yaw[-1] - yaw[0]), len(frames))
    seen[:, :ROOT] = AT_ORIGIN
    seen[:, ROOT] = way
    seen = _closed(actor, seen)
    stands = actor.is_planted[first : last + 1].copy()
    stands[-1] = stands[0]
    moved = replace(
        actor, frames=seen, is_there=actor.is_there[first : last + 1], is_planted=stands
    )
    return Loop(first, last, moved, _extras(moved, actor.plan, rate))


def _cycle(actor: Actor, rate: int, orders: NDArray[np.int64]) -> tuple[int, int]:
    """The first and the last tick of the shortest cycle that is exact, or of the most exact one."""
    count, reach = len(actor.frames), max(actor.skeleton.reaches)
    seen, up = _seen_from_body(actor)
    stands = actor.is_planted
    nearest, changing, best = np.inf, np.inf, (0, 0)
    for lag in range(max(2, round(SHORTEST * rate)), min(count - 1, round(LONGEST * rate)) + 1):
        off = lengths(seen[lag:] - seen[:-lag]).max(axis=1) / reach
        off = np.maximum(off, lengths(up[lag:] - up[:-lag]))
        off[(stands[lag:] != stands[:-lag]).any(axis=1)] = np.inf
        off[~(actor.is_there[lag:] & actor.is_there[:-lag])] = np.inf
        off[~_has_steps(stands, lag)] = np.inf
        is_told_anew = orders[lag:] != orders[1 : count - lag + 1]
        changing = min(changing, float(off[is_told_anew].min(initial=np.inf)))
        off[is_told_anew] = np.inf
        first = int(off.argmin())
        if off[first] < nearest:
            nearest, best = float(off[first]), (first, first + lag)
        if nearest <= NEAR:
            break
    if nearest <= NEARLY:
        return best
    if changing <= NEARLY:
        raise DefinitionError(
            f"--loop: expected a walk of {actor.name} that repeats itself while its command stays "
            "the same, found one that does so only after its command has changed: choose a part "
            "in which it goes on the same way (--from, --to), or record one, like "
            '--drive "forward 10"'
        )
    found = (
        f"one that comes within {100.0 * nearest:.2f} % of its reach"
        if np.isfinite(nearest)
        else "none in which every foot steps"
    )
    raise DefinitionError(
        f"--loop: expected a walk of {actor.name} that repeats itself within {100.0 * NEARLY:g} % "
        f"of the reach of its legs, found {found}: record a steady walk on even ground, like "
        '--drive "forward 10" on flat terrain, or choose a part of it (--from, --to)'
    )


def _has_steps(stands: Mask, lag: int) -> Mask:
    """Whether every foot is in the air at some of the `lag` ticks from each tick on, (T - lag,)."""
    flying = np.zeros((len(stands) + 1, stands.shape[1]), np.int64)
    np.cumsum(~stands, axis=0, out=flying[1:])
    has_stepped = flying[lag:-1] > flying[: -lag - 1]
    found: Mask = np.logical_and.reduce(has_stepped, axis=1)
    return found


def _seen_from_body(actor: Actor) -> tuple[Floats, Floats]:
    """Where all nodes are, (T, B, 3), from the body [m], and what is up there, (T, 3).

    The body is turned by its heading only; one that climbs, by all that it is turned.
    """
    body = actor.frames[:, TRUNK : TRUNK + 1].copy()
    up = turned(body[:, 0, 3:], Z)
    is_level = up[:, 2] > LEVEL
    up[is_level] = Z
    body[is_level, :, 3:5] = 0.0  # of a turn, the part about Z
    body[..., 3:] /= lengths(body[..., 3:])[..., None]
    return seen_from(body, actor.frames[:, TRUNK:])[..., :3], up


def _headings(turns: Floats) -> Floats:
    """Where turned bodies (T, 4) point, seen from above, (T,) [rad]."""
    x, y, z, w = turns.T
    found: Floats = np.arctan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z))
    return found


def _way(end: Floats, turn: float, count: int) -> Floats:
    """Frames (count, 7) at an even pace from the origin to `end` (3,), along an arc that turns."""
    part = np.linspace(0.0, 1.0, count)
    angle = turn * part
    arc = np.exp(1j * angle) - 1.0
    if abs(arc[-1]) < 1e-9:  # no turn, or a whole one
        level = part[:, None] * end[:2]
    else:  # as complex numbers: turned and scaled so that it ends there
        arc *= complex(*end[:2]) / arc[-1]
        level = np.stack((arc.real, arc.imag), axis=-1)
    zero = np.zeros(count)
    turns = np.stack((zero, zero, np.sin(0.5 * angle), np.cos(0.5 * angle)), axis=-1)
    return np.column_stack((level, part * end[2], turns))


def _closed(actor: Actor, frames: Floats) -> Floats:
    """Frames (T, B, 7) whose last pose is the first one: what is missing is spread over all."""
    own = actor.skeleton.locals_of(frames)
    rest = slice(ROOT + 1, None)
    part = np.linspace(0.0, 1.0, len(own))[:, None]
    own[:, rest, :3] += part[..., None] * (own[0, rest, :3] - own[-1, rest, :3])
    missing = multiplied(inverse(own[-1, rest, 3:]), own[0, rest, 3:])
    turns = slerped(np.broadcast_to(UNTURNED, missing.shape), missing[None], part)
    own[:, rest, 3:] = multiplied(own[:, rest, 3:], turns)
    return actor.skeleton.globals_of(own)


def _extras(actor: Actor, plan: CreatureDef, rate: int) -> dict[str, Any]:
    """What the animation says of itself; engines make events or markers of it."""
    seconds = (len(actor.frames) - 1) / rate
    way = float(lengths(actor.frames[-1, ROOT, :3]))
    stands = actor.is_planted[:-1]
    steps = (stands & ~np.roll(stands, 1, axis=0)).sum(axis=0)
    cycles = int(np.gcd.reduce(steps))
    legs = names.leg_names(plan)
    events = [
        {
            "time": round(tick / rate, 6),
            "name": "touchdown" if stands[tick, leg] else "lift-off",
            "leg": legs[leg],
        }
        for tick, leg in np.argwhere(stands != np.roll(stands, 1, axis=0)).tolist()
    ]
    return {
        "loop": True,
        "gait": _gait_name(plan),
        "duty_factor": round(float(stands.mean()), 4),
        "seconds": round(seconds, 6),
        "cycles": cycles,
        "stride": round(way / cycles, 6),
        "speed": round(way / seconds, 6),
        "events": events,
    }


def _gait_name(plan: CreatureDef) -> str:
    """The pattern of its only cycle, if that has a name, else the kind of its gait."""
    gait = plan.gait
    if isinstance(gait, PhaseGaitDef) and len(gait.cycles) == 1 and gait.pattern:
        return str(gait.pattern)
    return gait.kind
