"""What a body plan alone tells: it may walk, and yet walk badly."""

from collections.abc import Callable, Iterator
from math import atan, degrees, hypot, sqrt

import numpy as np
from pydantic import ValidationError

from creature_sim.advice.advice import Advice, Value, rounded, rounded_down
from creature_sim.advice.climbs import hanging
from creature_sim.advice.crowding import crowding
from creature_sim.advice.folds import crouched, folded
from creature_sim.advice.footing import SAFE, beneath, tipping, trailing
from creature_sim.advice.limits import limited
from creature_sim.advice.meeting import meeting
from creature_sim.advice.running import running
from creature_sim.advice.shape import ROOM, Shape
from creature_sim.advice.sides import misplaced
from creature_sim.advice.sizes import size_advice
from creature_sim.advice.soles import knocked, unruled
from creature_sim.advice.springs import nodding, soft
from creature_sim.advice.strides import shorter_strides
from creature_sim.components import GRAVITY
from creature_sim.definitions import CreatureDef, PhaseGaitDef
from creature_sim.ik.leg import solve_leg
from creature_sim.locomotion.swing import SHORTEST_SWING
from creature_sim.locomotion.timing import TOP_SPEED, shortest_swing
from creature_sim.maths import unit, vec

COMFORT = 0.9
"""What a leg's comfort is where nothing is written."""
LONGER = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5)
"""Bones are made longer by these factors in turn, over what puts feet at 75 % of the reach."""
HEIGHTS = (3.0, 2.5, 3.5, 2.0, 4.0, 1.5, 5.0)
"""Ride heights over half of the height of the body, best first: the built-in ones have 2.4 to 4."""
GOOD_STEP = 0.14
"""Height of a step over the reach, in the built-in creatures."""
LOW_STEP, HIGH_STEP = 0.065, 0.5
"""A foot that rises less scrapes over the ground; one that rises more is kicked up."""
WALK = 0.5
"""Froude number up to which a walk is one (Alexander 1989); M20 looks at it."""
FASTEST_TURN = 2.0
"""M13 lets a body turn by 2 degrees in a 60th of a second: 2.09 rad/s."""
STEEPEST_LEAN = 8.0
"""Leaning farther into an acceleration, a body is no longer along its ground [degrees]."""


def plan_advice(definition: CreatureDef) -> list[Advice]:
    """All advice on a body plan; keys are those of the creature's file."""
    shape = Shape(definition)
    first = list(size_advice(definition)) or list(misplaced(shape)) or list(buried(shape))
    if first:  # with other units, or legs elsewhere, all the rest would say the same once more
        return first
    return [advice for part in PARTS for advice in part(shape)]


def stretched(shape: Shape) -> Iterator[Advice]:
    """Legs that have no room left to step within their comfort."""
    height, need = _height(shape), shape.need
    room = shape.room(height)
    if room >= ROOM * need or any(folded(shape)):
        return
    text = (
        f"the legs are at {100 * shape.stretch:.0f} % of their reach at rest, which leaves them "
        f"{room:.2g} m to step within comfort"
    )
    if room < need:
        text += f" of the {need:.2g} m that a stride needs"
    else:
        text += f"; a stride needs {need:.2g} m, and {ROOM * need:.2g} m on uneven ground"
    tight = [(key, leg) for key, leg in shape.legs if leg.comfort < COMFORT]
    if tight and shape.room(height, COMFORT) >= ROOM * need:
        for key, leg in tight:
            yield Advice(f"{key}.comfort", leg.comfort, COMFORT, text)
        return
    lower = shape.lower()
    if shape.room(lower) >= ROOM * need:
        other = ""
        if shape.is_upright:  # which would rather stay so
            shorter = shorter_strides(shape, room / (ROOM * need))
            other = " and ".join(f"lower {one.key} to {one.better:g}" for one in shorter)
        yield Advice("body.ride_height", height, lower, text, other)
        return
    longer = _longer(shape)
    for key, leg in shape.legs:
        if key in longer:
            yield Advice(f"{key}.bones", list(leg.bones), longer[key], text)
    if not longer and not any(beneath(shape)) and not any(limited(shape)):  # which say more
        for one in shorter_strides(shape, room / (ROOM * need)):
            yield Advice(*one, text)


def _longer(shape: Shape) -> dict[str, list[float]]:
    """Bones that leave legs the room that their strides want, by the leg's key.

    Empty where longer bones do not help: it is a hip that does not turn so far, or what is longer
    could not stand.
    """
    height, need = _height(shape), shape.need
    for factor in LONGER:
        bones = {}
        for key, leg in shape.legs:
            size = factor * leg.stretch(height, need) / (0.75 * leg.reach)
            longer = [rounded(size * bone) for bone in leg.bones]
            if size > 1.0 and longer != list(leg.bones):
                bones[key] = longer
        table = shape.definition.model_dump(mode="json")
        for key, longer in bones.items():
            name, _, index = key.rstrip("]").partition("[")
            table[name][int(index)]["bones"] = longer
        try:
            made = Shape(CreatureDef.model_validate(table))
        except ValidationError:
            continue
        if bones and made.room(height) >= ROOM * need:
            return bones
    return {}


def crowded(shape: Shape) -> Iterator[Advice]:
    """Legs that leave each other no footholds."""
    if not any(beneath(shape)):
        yield from crowding(shape)


def sunken(shape: Shape) -> Iterator[Advice]:
    """Knees that are below ground at rest."""
    definition = shape.definition
    for key, leg in shape.legs:
        lengths = np.array(leg.bones)
        joints = np.zeros((len(lengths) + 1, 3))
        home = (leg.home[0], leg.home[1], -definition.body.ride_height)
        pole = unit(vec(np.array(leg.pole)), (0.0, 0.0, 1.0))
        solve_leg(joints, lengths, vec(np.array(leg.mount)), home, pole)
        depth = -definition.body.ride_height - float(joints[:, 2].min())
        if depth > 0.01 * leg.reach:
            text = f"a knee is {depth:.2g} m below ground at rest"
            better: Value = [0.0, 0.0, 1.0]
            other = ""
            if leg.pole[2] > 0.9 * hypot(*leg.pole):
                better, other = None, f"raise body.ride_height, or shorten {key}.bones"
            yield Advice(f"{key}.pole", list(leg.pole), better, text, other)


def buried(shape: Shape) -> Iterator[Advice]:
    """A trunk whose underside is below the ground that it stands on."""
    definition, height = shape.definition, _height(shape)
    tallest = max(part.size[2] for part in definition.trunk)
    if height >= 0.5 * tallest:
        return
    text = (
        f"the underside of a trunk {tallest:g} m high is {0.5 * tallest - height:.2g} m below "
        "ground at rest"
    )
    lowest = 0.5 * definition.body.size[2]
    if height < lowest:
        text += f", and its middle rides at {lowest:.2g} m or more"
    table = definition.model_dump(mode="json")
    better: Value = None
    for factor in HEIGHTS:
        table["body"]["ride_height"] = rounded(0.5 * factor * tallest)
        try:
            made = Shape(CreatureDef.model_validate(table))
        except ValidationError:
            continue
        if not any(stretched(made)) and not any(folded(made)):
            better = table["body"]["ride_height"]
            break
    yield Advice("body.ride_height", height, better, text)


def stepping(shape: Shape) -> Iterator[Advice]:
    """Steps that scrape over the ground, or that are kicked up."""
    height = shape.definition.gait.step_height
    reach = max(leg.reach for _, leg in shape.legs)
    good = rounded(GOOD_STEP * reach)
    if height < LOW_STEP * reach:
        text = f"feet rise by {100 * height / reach:.2g} % of a leg's reach and scrape the ground"
    elif height > HIGH_STEP * reach:
        text = f"feet rise by {100 * height / reach:.0f} % of a leg's reach, {reach:.2g} m"
    else:
        return
    yield Advice("gait.step_height", height, good, text)


def hindered(shape: Shape) -> Iterator[Advice]:
    """What keeps a gait from its speed, and is to be mended before that is lowered."""
    yield from stretched(shape)
    yield from folded(shape)
    yield from beneath(shape)
    yield from limited(shape)
    reach = max(leg.reach for _, leg in shape.legs)
    if shape.definition.gait.step_height > HIGH_STEP * reach:
        yield from stepping(shape)


def hasty(shape: Shape) -> Iterator[Advice]:
    """A speed that the gait cannot carry, or at which nothing walks."""
    speed, top = shape.definition.motion.speed, shape.top_speed
    walks = sqrt(WALK * GRAVITY * float(shape.plan.body[0].reach))
    if top < 0.99 * speed:
        if any(hindered(shape)):
            return
        better = rounded_down(min(top, walks))
        yield Advice("motion.speed", speed, better, _limit(shape), _faster(shape))
    elif speed > walks:
        text = (
            f"legs of {shape.plan.body[0].reach:.2g} m walk at {walks:.2g} m/s at most "
            f"(Froude number {WALK:g})"
        )
        yield Advice("motion.speed", speed, rounded_down(walks), text)


def _limit(shape: Shape) -> str:
    """What bounds the speed."""
    gait, stroke = shape.definition.gait, 2.0 * min(shape.need, shape.room(_height(shape)))
    carried = f"the gait carries {shape.top_speed:.2g} m/s at most: "
    whose = "the gait's" if shape.need <= shape.room(_height(shape)) else "all that the legs reach"
    if isinstance(gait, PhaseGaitDef):
        swing = f"swings of {_swing(shape, stroke):.2g} s at least"
    else:
        swing = f"swings of {gait.step_duration:g} s that wait for one another"
    return f"{carried}strokes of {stroke:.2g} m ({whose}) and {swing}"


def _swing(shape: Shape, stroke: float) -> float:
    """Shortest swing of a phase gait with such a stroke [m], in its fastest cycle [s]."""
    plan = shape.plan.body[0]
    stride = stroke / float(shape.plan.cycles[-1].duty_factor)
    return max(SHORTEST_SWING, float(shortest_swing(plan, stride, float(plan.step_height))))


def _faster(shape: Shape) -> str:
    """What would carry the speed that is written."""
    gait, speed = shape.definition.gait, shape.definition.motion.speed
    if shape.room(_height(shape)) < shape.need:
        return "lower body.ride_height"
    more = speed / shape.top_speed
    if isinstance(gait, PhaseGaitDef):
        longest = max(cycle.stride_length for cycle in gait.cycles)
        swings = 1.0 - float(shape.plan.cycles[-1].duty_factor)
        if speed > swings * float(shape.plan.body[0].foot_speed) / TOP_SPEED:
            return ""  # at any stride feet would have to go too fast
        is_safe = shape.edge(0, more * longest) > SAFE * shape.plan.body[0].reach
        if len(gait.cycles) == 1 and (is_safe or shape.definition.is_dynamic):
            return f"raise gait.stride_length to {more * longest:.2g}"
        return ""
    return f"lower gait.step_duration to {rounded_down(0.98 * gait.step_duration / more):g}"


def whirling(shape: Shape) -> Iterator[Advice]:
    """A body that turns too fast for the eye."""
    rate = shape.definition.motion.turn_rate
    if rate > FASTEST_TURN:
        text = f"the body turns by {degrees(rate) / 60.0:.1f} degrees in a 60th of a second"
        yield Advice("motion.turn_rate", rate, 0.75 * FASTEST_TURN, text)


def leaning(shape: Shape) -> Iterator[Advice]:
    """A body that leans far over when it starts and stops."""
    motion = shape.definition.motion
    angle = motion.lean * degrees(atan(motion.acceleration / GRAVITY))
    if angle > STEEPEST_LEAN:
        text = f"the body leans by {angle:.0f} degrees when it starts and stops"
        better = rounded(0.5 * motion.lean * STEEPEST_LEAN / angle)
        yield Advice("motion.lean", motion.lean, better, text)


def bobbing(shape: Shape) -> Iterator[Advice]:
    """A body that bobs more than it can hide."""
    motion, height = shape.definition.motion, _height(shape)
    if motion.bob > 0.08 * height:
        text = f"the body bobs by {100 * motion.bob / height:.0f} % of its ride height"
        yield Advice("motion.bob", motion.bob, rounded(0.03 * height), text)


def _height(shape: Shape) -> float:
    return shape.definition.body.ride_height


PARTS: tuple[Callable[[Shape], Iterator[Advice]], ...] = (
    stretched, folded, crouched, beneath, crowded, meeting, trailing, tipping, sunken, unruled,
    knocked, stepping, limited, hasty, whirling, leaning, bobbing, hanging, running, soft, nodding,
)  # fmt: skip
"""What is looked at, in this order."""
