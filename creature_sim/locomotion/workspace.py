"""How far and how fast legs can step, in every direction."""

from math import inf, sqrt

from creature_sim.components import PHASE, YAWS, CycleRecord, LegRecord, PlanRecord, Records
from creature_sim.locomotion.reach import ankle_of
from creature_sim.locomotion.swing import EASE, LATENCY, SHORTEST_SWING
from creature_sim.locomotion.timing import shortest_swing
from creature_sim.maths import clamp, scale, vec
from creature_sim.maths.jit import kernel


@kernel
def room_to_step(leg: LegRecord, height: float, x: float, y: float) -> float:
    """How far a foot may go from home along a direction and against it [m].

    The foot stays within soft reach, no nearer than the smallest reach, and within the turn of the
    hip: the line through home is cut by two circles and two rays.

    Args:
        leg: the leg.
        height: ride height [m].
        x: of the unit direction [segment].
        y: of the unit direction [segment].
    """
    hx, hy, hz = ankle_of(leg, (leg.home[0], leg.home[1], -height))
    along = hx * x + hy * y
    off = hx * hx + hy * hy - along * along  # squared distance of the line to the hip
    free = _half_chord(leg, leg.soft_reach, hz, off) - abs(along)
    if leg.min_reach * leg.arm > abs(hz):
        inner = _half_chord(leg, leg.min_reach, hz, off)
        if inner > 0.0:
            free = min(free, abs(along) - inner)
    if leg.hip == YAWS:
        size = sqrt(hx * hx + hy * hy)
        for sine, cosine in (
            (leg.soft_lo[0], leg.soft_lo[1]),
            (leg.soft_hi[0], leg.soft_hi[1]),
        ):
            ox, oy = (hx * cosine - hy * sine) / size, (hy * cosine + hx * sine) / size
            across = ox * y - oy * x  # how fast the line through home nears that of the limit
            if across != 0.0:
                free = min(free, abs((ox * hy - oy * hx) / across))
    return float(max(0.05 * leg.reach, free))


@kernel
def _half_chord(leg: LegRecord, fraction: float, z: float, off: float) -> float:
    """Half of what a circle cuts out of a line [m]: of feet as far as a fraction of the arm.

    Args:
        leg: the leg.
        fraction: of the arm.
        z: of the feet below the hip [m].
        off: squared distance of the line from the hip [m^2].
    """
    level = fraction * leg.arm
    radius = leg.coxa + sqrt(max(0.0, level * level - z * z))
    return sqrt(max(0.0, radius * radius - off))


@kernel
def foot_speed(plan: PlanRecord, cycles: Records[CycleRecord], stroke: float) -> float:
    """Fastest foot against the body that a gait can follow [m/s], with this stroke [m]."""
    if plan.gait_kind != PHASE:
        if plan.waits == 0.0:
            return inf
        return float(EASE * stroke / (plan.waits * (plan.swing_time + LATENCY)))
    fastest = 0.0
    for c in range(cycles.shape[0]):
        cycle = cycles[c]
        if cycle.flies:
            continue
        stance = min(stroke, cycle.duty_factor * cycle.stride_length)
        stride = stance / cycle.duty_factor
        seconds = max(SHORTEST_SWING, shortest_swing(plan, stride, plan.step_height) + LATENCY)
        fastest = max(fastest, (stride - stance) / seconds)
    return float(fastest)


@kernel
def longest_stroke(cycles: Records[CycleRecord]) -> float:
    """Longest stroke that a plan asks for [m]."""
    longest = 0.0
    for c in range(cycles.shape[0]):
        longest = max(longest, cycles[c].duty_factor * cycles[c].stride_length)
    return longest


@kernel
def wanted_twist(
    plan: PlanRecord,
    cycles: Records[CycleRecord],
    legs: Records[LegRecord],
    forward: float,
    turn: float,
    strafe: float,
    height: float,
) -> tuple[float, float, float]:
    """Velocity x, y [m/s, body] and yaw rate [rad/s] for axes in [-1, 1].

    Who runs goes straight ahead, or in a curve; its outer feet go as fast as its plan says.
    Where a foot would have to move faster against the body than its leg's room and its gait's
    cadence allow, all are scaled down together, which keeps the curve that was asked for. A trunk
    of several segments that is told to turn on the spot walks the tightest circle that it bends to.

    Args:
        plan: numbers of the body.
        cycles: (C,).
        legs: (L,).
        forward: axis [-1, 2]; above 1 who can run does.
        turn: axis [-1, 1], to the left.
        strafe: axis [-1, 1], to the left.
        height: axis [-1, 1], up.
    """
    if forward > 1.0 and plan.run_speed > 0.0:
        ahead = plan.speed + min(forward - 1.0, 1.0) * (plan.run_speed - plan.speed)
        x, y, _ = scale(vec(plan.ahead), ahead)
        yaw_rate = turn * plan.turn_rate
        factor = ahead / max(ahead, pace_of(legs, x, y, yaw_rate))
        return (x * factor, y * factor, yaw_rate * factor)
    ahead, aside = min(1.0, forward) * plan.speed, strafe * plan.strafe_speed
    x = ahead * plan.ahead[0] - aside * plan.ahead[1]
    y = ahead * plan.ahead[1] + aside * plan.ahead[0]
    yaw_rate = turn * plan.turn_rate
    if abs(x) < abs(yaw_rate) * plan.turn_radius:  # such a trunk does not turn on the spot
        x = min(plan.speed, abs(yaw_rate) * plan.turn_radius) * (-1.0 if x < 0.0 else 1.0)
        yaw_rate = clamp(yaw_rate, -abs(x) / plan.turn_radius, abs(x) / plan.turn_radius)
    ride = ride_height(plan, height)
    longest = longest_stroke(cycles)
    usual = foot_speed(plan, cycles, longest)
    factor = 1.0
    for i in range(legs.shape[0]):
        vx, vy = x - yaw_rate * legs[i].home[1], y + yaw_rate * legs[i].home[0]
        speed = sqrt(vx * vx + vy * vy)
        if speed > 0.0:
            room = room_to_step(legs[i], ride, vx / speed, vy / speed)
            fastest = usual if 2.0 * room >= longest else foot_speed(plan, cycles, 2.0 * room)
            factor = min(factor, fastest / speed)
    return (x * factor, y * factor, yaw_rate * factor)


@kernel
def pace_of(legs: Records[LegRecord], x: float, y: float, yaw_rate: float) -> float:
    """Speed of the home that moves fastest [m/s], for a velocity [m/s, body] and a yaw rate."""
    fastest = 0.0
    for i in range(legs.shape[0]):
        vx, vy = x - yaw_rate * legs[i].home[1], y + yaw_rate * legs[i].home[0]
        fastest = max(fastest, vx * vx + vy * vy)
    return sqrt(fastest)


@kernel
def ride_height(plan: PlanRecord, height: float) -> float:
    """Ride height [m] for the height axis in [-1, 1]."""
    if height < 0.0:
        return float(plan.ride_height + height * (plan.ride_height - plan.min_ride_height))
    return float(plan.ride_height + height * (plan.max_ride_height - plan.ride_height))
