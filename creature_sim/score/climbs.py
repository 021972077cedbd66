"""M33 to M37, M44: how who climbs goes round corners and edges, and where it gets."""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.geometry import angles_between, lengths, rotation_matrices
from creature_sim.score.bodies import asked_speeds, cost
from creature_sim.score.metric import Metric, Verdict, judge, not_applicable
from creature_sim.score.reading import Flags, spans
from creature_sim.score.registry import Measure, register
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk

WALKS = "it does not climb"
CORNER = np.radians(15.0)
"""A body is in a corner while its up turns by this angle within AROUND [rad]."""
AROUND = 1.0
"""Time over which that is looked at [s]; ups that rest for less long do not end a corner."""
SLOW, ASKED = 0.1, 0.2
"""Who goes slower than the first of what is asked for stops; less than the second of its full speed
is not asked for."""
TREMBLES = 0.25
"""Who comes back to where it was within this time stood meanwhile [s]."""
SWINGS = 0.1
"""Yaw rates below this fraction of the largest have no direction."""
SIDES = np.array([(0, 0, 1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, -1)], float)
"""What the floor, the walls and the ceiling of a room face [world]."""
FACING, FEET = 0.8, 3
"""A body is on a side if its up faces as that does (cosine), and so many feet stand there."""
LONG = 240.0
"""Who walks for less long need not have been everywhere [s]."""


@register("M33", "turns of up")
def turns_of_up(walk: Walk) -> Metric:
    """M33: largest turn of the up of who climbs in a 60th of a second [degrees]."""
    track = walk.track
    if not track.climbs:
        return not_applicable(WALKS)
    walks = ~track.is_put_back[1:] & ~track.leaps[1:]
    turns = np.degrees(angles_between(track.up[:-1], track.up[1:]))[walks] * track.tick_rate / 60.0
    if not len(turns):
        return not_applicable("it did not walk")
    text = f"degrees in 1/60 s; p99.9 {float(np.quantile(turns, 0.999)):.2f}"
    return judge(float(turns.max()), 2.0, 1.2, text)


@register("M34", "corner speed", larger_is_better=True)
def corner_speed(walk: Walk) -> Metric:
    """M34: speed of who climbs through corners and round edges over that of the command."""
    track = walk.track
    if not track.climbs:
        return not_applicable(WALKS)
    goes, asked = paces(track)
    turns = in_corners(track) & (asked > ASKED * _speed(track))
    ratios = [
        float(goes[first:last].sum() / asked[first:last].sum())
        for _, first, last in spans(turns[:, None])
        if last - first >= 0.25 * AROUND * track.tick_rate
    ]
    if not ratios:
        return not_applicable("it went through no corner")
    value, slowest = float(np.mean(ratios)), min(ratios)
    verdict: Verdict = "fail"
    if value >= 0.5:
        verdict = "excellent" if slowest >= 0.5 else "pass"
    text = f"speed / command in {len(ratios)} corners; in the slowest {slowest:.2f}"
    return Metric(value, verdict, text)


@register("M35", "stops")
def stops(walk: Walk) -> Metric:
    """M35: longest time for which who climbs, and is asked to go on, does not [s].

    One that trembles on the spot stands, too.
    """
    track = walk.track
    if not track.climbs:
        return not_applicable(WALKS)
    goes, asked = paces(track)
    slow = np.minimum(goes, _net_pace(track)) < SLOW * asked
    stands = (asked > ASKED * _speed(track)) & slow & ~track.leaps
    found = [last - first for _, first, last in spans(stands[:, None], track.is_put_back)]
    longest = max(found, default=0) / track.tick_rate
    text = f"s without going on; {sum(found) / track.tick_rate:.1f} s in {len(found)} stops"
    return judge(longest, 0.5, 0.1, text)


@register("M44", "getting on")
def getting_on(walk: Walk) -> Metric:
    """M44: longest time in which who climbs makes less than a tenth of the way it is asked to [s].

    Way back counts against way on, so that nobody rocks on one spot; times in which it is not asked
    to go, or a wall stops it, are left out.
    """
    track = walk.track
    if not track.climbs:
        return not_applicable(WALKS)
    asked = asked_speeds(track)
    told = (asked > ASKED * _speed(track)) & ~(track.is_walled | track.leaps | track.is_put_back)
    gains = (_way_on(track) - SLOW * asked / track.tick_rate)[told]
    longest = longest_without_gain(gains) / track.tick_rate
    return judge(longest, 2.0, 0.5, "s in which it got nowhere, on the whole")


@register("M36", "yaw reversals")
def yaw_reversals(walk: Walk) -> Metric:
    """M36: how often who climbs turns about unasked, left to right or back [1/s]."""
    track = walk.track
    if not track.climbs:
        return not_applicable(WALKS)
    least = SWINGS * float(track.plan.body[0]["turn_rate"])
    count = _reversals(track.yaw_rate, least) - _reversals(track.wanted[:, 2], least)
    seconds = len(track.yaw_rate) / track.tick_rate
    return judge(max(0, count) / seconds, 2.0, 0.5, "reversals a second that no command asks for")


@register("M37", "surfaces", larger_is_better=True)
def surfaces(walk: Walk) -> Metric:
    """M37: fraction of the floor, walls and ceiling of a room on which who climbs has been.

    Of those that its feet hold on to. Walks of less than four minutes need not get everywhere.
    """
    track = walk.track
    if not track.climbs or walk.terrain != "room":
        return not_applicable("rooms and who climbs only")
    can = SIDES[:, 2] >= float(track.plan.body[0]["steepest"])
    been = sides_of(track) & can
    value = float(been.sum() / can.sum())
    names = ("floor", "+X", "-X", "+Y", "-Y", "ceiling")  # which way they face
    text = f"of the sides of the room: {', '.join(np.array(names)[been].tolist())}"
    if value < 1.0 and len(track.up) < LONG * track.tick_rate:
        return not_applicable(f"it walked less than {LONG:g} s; {value:.2f} {text}")
    return Metric(value, "excellent" if value == 1.0 else "fail", text)


def sides_of(track: Track) -> Flags:
    """Which of SIDES a creature has stood on, (6,)."""
    near = track.foot_ups @ SIDES.T > FACING  # of each foot
    stands = (near & ~track.is_swinging[..., None]).sum(axis=1) >= FEET
    found: Flags = (stands & (track.up @ SIDES.T > FACING)).any(axis=0)
    return found


def in_corners(track: Track) -> Flags:
    """Whether the body is in a corner or on an edge, (T,): its up is about to turn, or just has."""
    half = round(0.5 * AROUND * track.tick_rate)
    ticks = np.arange(len(track.up))
    before, after = np.maximum(ticks - half, 0), np.minimum(ticks + half, ticks[-1])
    turns: Flags = angles_between(track.up[before], track.up[after]) > CORNER
    for _, first, last in spans(~turns[:, None]):
        if first > 0 and last < len(turns) and last - first < 2 * half:
            turns[first:last] = True
    return turns


def paces(track: Track) -> tuple[Floats, Floats]:
    """How fast the body goes, and how fast commands ask it to at its acceleration, (T,) [m/s]."""
    goes = lengths(track.ways) * track.tick_rate
    goes[track.is_put_back] = 0.0
    return goes, asked_speeds(track)


def _net_pace(track: Track) -> Floats:
    """How fast the body gets on over TREMBLES, (T,) [m/s]: one that trembles gets nowhere."""
    count = len(track.position)
    ticks = min(round(TREMBLES * track.tick_rate), count - 1)
    first = np.clip(np.arange(count) - ticks // 2, 0, count - 1 - ticks)
    places = np.cumsum(track.ways, axis=0)
    way = lengths(places[first + ticks] - places[first])
    return way * track.tick_rate / max(1, ticks)


def _way_on(track: Track) -> Floats:
    """Way of the body in each tick along where it is asked to go, (T,) [m]; back is negative."""
    asked = track.asked_twists[:, :2]
    axes = rotation_matrices(track.orientation)[..., :2]
    found: Floats = np.einsum("ti,tij,tj->t", track.ways, axes, asked) / np.maximum(
        lengths(asked), 1e-9
    )
    return found


def longest_without_gain(gains: Floats) -> int:
    """Length of the longest run of (K,) gains that come to nothing, or less, on the whole."""
    totals = np.concatenate(((0.0,), np.cumsum(gains)))
    least_from = np.minimum.accumulate(totals[::-1])[::-1]
    ends = np.searchsorted(least_from, totals, side="right") - 1
    return int((ends - np.arange(len(totals))).max())


def _speed(track: Track) -> float:
    """Full speed of a creature [m/s]."""
    return float(track.plan.body[0]["speed"])


def _reversals(rates: Floats, least: float) -> int:
    """How often rates (T,) change their sign; those below `least` have none."""
    signs = np.sign(rates[np.abs(rates) > least])
    return int((signs[1:] != signs[:-1]).sum())


CROSSES: dict[str, Measure] = {
    "M33": turns_of_up,
    "M34": corner_speed,
    "M35": stops,
    "M36": yaw_reversals,
    "M44": getting_on,
    "M21": cost,
}
"""What a trial says of a course that leaves the floor."""
