"""Upright legs whose knees meet: seen from above hips and feet are clear of each other.

The walk keeps strips from hip to foot apart. Knees that bend forward or back leave these strips,
so that a fore leg whose knee points back and a hind leg whose knee points forward may cross.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from pydantic import ValidationError

from creature_sim.advice.advice import Advice, rounded
from creature_sim.advice.shape import PHASES, ROOM, Shape
from creature_sim.definitions import CreatureDef, PhaseGaitDef
from creature_sim.definitions.legs import LegDef
from creature_sim.ik.leg import solve_leg
from creature_sim.maths import Floats, unit, vec
from creature_sim.maths.geometry import lengths
from creature_sim.score.bars import Bars, depths_between
from creature_sim.score.overlap import UNSEEN

HIGHER = 1.02
"""Bodies are raised by this factor until knees no longer meet."""


def meeting(shape: Shape) -> Iterator[Advice]:
    """Legs of one side that pass through each other in a stride on level ground."""
    found = met(shape)
    if not found:
        return
    (fore, hind), depth = next(iter(found.items()))
    height = shape.definition.body.ride_height
    text = f"in a stride the knees of {fore} and {hind} are up to {depth:.2g} m in each other"
    higher = height
    while shape.room(higher * HIGHER) >= ROOM * shape.need:
        higher *= HIGHER
        raised = _changed(shape, "body", "ride_height", rounded(higher))
        if raised and not met(raised):
            yield Advice("body.ride_height", height, rounded(higher), text)
            return
    poles = {key: list(leg.pole) for key, leg in shape.legs}
    turned = _changed(shape, hind, "pole", poles[fore])
    if turned and not met(turned):
        yield Advice(f"{hind}.pole", poles[hind], poles[fore], text)
        return
    yield Advice(f"{hind}.mount", None, None, text, f"set {fore} and {hind} farther apart (mount)")


def met(shape: Shape) -> dict[tuple[str, str], float]:
    """How deep legs of one side are in each other [m], by the keys of both."""
    gait = shape.definition.gait
    if not shape.is_upright or not isinstance(gait, PhaseGaitDef):
        return {}
    named = shape.definition.named_legs()
    poses = [_poses(shape, index, leg) for index, (_, leg) in enumerate(named)]
    radii = [np.array(leg.radii(shape.definition.trunk[leg.segment].size[2])) for _, leg in named]
    found: dict[tuple[str, str], float] = {}
    for i, j in combinations(range(len(named)), 2):
        (one, first), (other, second) = named[i], named[j]
        if first.side != second.side or first.segment != second.segment:
            continue
        depth = _depth((poses[i], radii[i]), (poses[j], radii[j]))
        if depth > UNSEEN:
            pair = (one, other) if first.mount[0] > second.mount[0] else (other, one)
            found[pair] = max(found.get(pair, 0.0), depth)
    return found


def _poses(shape: Shape, index: int, leg: LegDef) -> Floats:
    """Joints of a leg in the phases of its cycle, (P, J, 3) [m, body]."""
    plan, bones = shape.plan, np.array(leg.bones)
    duty, offset = plan.cycles[0].duty_factor, plan.offsets[0][index]
    stroke = duty * plan.cycles[0].stride_length
    x, y, _ = plan.body[0].ahead
    pole = unit(vec(np.array(leg.pole)), (0.0, 0.0, 1.0))
    found = np.zeros((PHASES, len(bones) + 1, 3))
    arm = len(bones) - (leg.foot is not None)
    for number in range(PHASES):
        own = (number / PHASES + offset) % 1.0
        ahead, lift = (0.5 - own / duty) * stroke, 0.0
        if own >= duty:
            part = (own - duty) / (1.0 - duty)
            ahead, lift = (
                (part - 0.5) * stroke,
                4.0 * part * (1.0 - part) * plan.body[0].step_height,
            )
        foot = (leg.home[0] + ahead * x, leg.home[1] + ahead * y)
        low = lift - shape.definition.body.ride_height
        joints, mount = np.zeros((arm + 1, 3)), vec(np.array(leg.mount))
        ankle = low + (leg.bones[-1] if leg.foot else 0.0)
        solve_leg(joints, bones[:arm], mount, (foot[0], foot[1], ankle), pole)
        found[number, : arm + 1] = joints
        found[number, -1] = (*foot, low)
    return found


def _depth(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> float:
    """Greatest depth of two legs in each other over their poses, without hips that touch [m]."""
    (a, first), (b, second) = one, other
    touch = lengths(a[0, 0] - b[0, 0]) < first[0] + second[0]
    deepest = -np.inf
    for i in range(a.shape[1] - 1):
        for j in range(b.shape[1] - 1):
            if touch and not (i or j):
                continue
            bars = [
                Bars(p[:, k], p[:, k + 1], np.full(len(p), r[k]), np.full(len(p), r[k + 1]))
                for p, r, k in ((a, first, i), (b, second, j))
            ]
            deepest = max(deepest, float(depths_between(*bars).max()))
    return deepest


def _changed(shape: Shape, where: str, key: str, value: object) -> Shape | None:
    """A body plan with another value; none if it is not valid."""
    table = shape.definition.model_dump(mode="json")
    name, _, index = where.rstrip("]").partition("[")
    (table[name][int(index)] if index else table[name])[key] = value
    try:
        return Shape(CreatureDef.model_validate(table))
    except ValidationError:
        return None
