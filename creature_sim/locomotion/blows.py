"""How a leg strikes: it is drawn back, goes fast through a point, and on."""

from math import sqrt
from typing import NamedTuple

from creature_sim.components import BodyRecord, GravityRecord, LegRecord, LegTargetRecord
from creature_sim.locomotion.flying import hermite
from creature_sim.locomotion.lead import within_reach
from creature_sim.locomotion.reach import hip_of
from creature_sim.maths import (
    Vec,
    add,
    along,
    distance,
    put,
    quat,
    reject,
    scale,
    smoothstep,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

DRAWS, HOLDS, STROKES, RESTS = 1.7, 0.35, 0.5, 0.7
"""Times of a leg that is drawn back, that waits there, strikes, and rests at the end; over the root
of its reach over g."""
BACK, RAISED = 0.34, 0.26
"""It is drawn back from the point, and raised, by these fractions of its reach."""
THROUGH, LIFTED = 0.2, 0.1
"""It goes on behind the point so far, and so much higher."""
SHARP = 2.4
"""At the point it goes so many times as fast as on the mean of its stroke."""
SLOWS = 3.0
"""Behind it, it comes to rest in this many times the time that it would take at that speed."""
LEADS = 0.8
"""The body goes before the leg does, by this fraction of the time that that waits and strikes."""


class Blow(NamedTuple):
    """A blow of a leg.

    Attributes:
        start: where its foot leaves the ground [m, world].
        drawn: where it is drawn back to.
        point: that it strikes.
        end: where it comes to rest behind that.
        way: unit direction in which it strikes.
        draw: ticks until it is drawn back,
        hold: until it strikes,
        stroke: until it is at the point,
        follow: until it comes to rest,
        rest: and until it is over, all from the start.
    """

    start: Vec
    drawn: Vec
    point: Vec
    end: Vec
    way: Vec
    draw: int
    hold: int
    stroke: int
    follow: int
    rest: int


@kernel
def plan_blow(up: Vec, leg: LegRecord, body: BodyRecord, target: LegTargetRecord) -> None:
    """Plan a blow at what a leg aims at, from the segment as it is now.

    Args:
        up: direction in which feet rise from the ground [world].
        leg: that strikes.
        body: its segment.
        target: where its foot is, and what it aims at; written.
    """
    position, orientation = vec(body.position), quat(body.orientation)
    point = vec(target.aim)
    out = sub(point, hip_of(position, orientation, leg))
    way = unit(reject(out, up), unit(out, up))
    drawn = along(along(point, way, -BACK * leg.reach), up, RAISED * leg.reach)
    end = along(along(point, way, THROUGH * leg.reach), up, LIFTED * leg.reach)
    put(target.old_aim, point)
    put(target.way, way)
    put(target.drawn, within_reach(position, orientation, leg, drawn))
    put(target.end, end)


@kernel
def blow_of(gravity: GravityRecord, leg: LegRecord, target: LegTargetRecord, dt: float) -> Blow:
    """The blow that was planned for a leg."""
    drawn, point, end = vec(target.drawn), vec(target.old_aim), vec(target.end)
    natural = sqrt(leg.reach / gravity.acceleration) / dt  # ticks
    draw = max(2, round(DRAWS * natural))
    hold = draw + max(1, round(HOLDS * natural))
    ticks = max(3, round(STROKES * natural))
    speed = SHARP * distance(drawn, point) / ticks
    stroke = hold + ticks
    follow = stroke + max(2, round(SLOWS * distance(point, end) / speed))
    rest = follow + max(2, round(RESTS * natural))
    start = vec(target.start)
    return Blow(start, drawn, point, end, vec(target.way), draw, hold, stroke, follow, rest)


@kernel
def thrown(blow: Blow, tick: int) -> float:
    """How far a body goes with a blow: to -1 as the leg is drawn back, 1 as it strikes, 0 after."""
    begins = blow.stroke - round(LEADS * (blow.stroke - blow.draw))
    if tick <= begins:
        return -smoothstep(min(1.0, tick / blow.draw))
    if tick <= blow.follow:
        return 2.0 * smoothstep((tick - begins) / (blow.follow - begins)) - 1.0
    return 1.0 - smoothstep(min(1.0, (tick - blow.follow) / (blow.rest - blow.follow)))


@kernel
def tip_at(blow: Blow, tick: int, up: Vec, high: float) -> Vec:
    """Where a tip is so many ticks after the start of a blow [m, world].

    Args:
        blow: which.
        tick: from its start.
        up: direction against gravity [world].
        high: by which its way back is raised in the middle [m].
    """
    if tick <= blow.hold:
        s = min(1.0, tick / blow.draw)
        eased = smoothstep(s)
        on_line = add(scale(blow.start, 1.0 - eased), scale(blow.drawn, eased))
        return along(on_line, up, 4.0 * high * eased * (1.0 - eased))
    ticks = blow.stroke - blow.hold
    rate = SHARP * distance(blow.drawn, blow.point)
    if tick <= blow.stroke:
        s = (tick - blow.hold) / ticks
        return hermite(blow.drawn, (0.0, 0.0, 0.0), blow.point, scale(blow.way, rate), s)
    after = blow.follow - blow.stroke
    s = min(1.0, (tick - blow.stroke) / after)
    goes_on = scale(blow.way, rate * after / ticks)
    return hermite(blow.point, goes_on, blow.end, (0.0, 0.0, 0.0), s)
