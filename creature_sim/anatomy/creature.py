"""An anatomy as the table of a creature's file: body, legs, gait, and its model."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from pydantic import ValidationError

from creature_sim.advice.plans import plan_advice
from creature_sim.anatomy.anatomy import Anatomy
from creature_sim.anatomy.body import Body, body_of
from creature_sim.anatomy.gaits import walk_of
from creature_sim.anatomy.joints import GIVES, joints_of, longest
from creature_sim.anatomy.legs import Leg
from creature_sim.anatomy.robots.limits import both
from creature_sim.anatomy.tuning import tuned
from creature_sim.definitions import CreatureDef
from creature_sim.definitions.legs import MAX_STRETCH
from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats

STRETCH, UPRIGHT = 0.75, 0.81
"""At rest legs are stretched this far at most, over their reach: bodies of straighter ones
sink; those that stand on soles stand straighter."""
SPREAD = 0.68
"""Feet beside the body stand so far from their hips, over the reach, or they are drawn in."""
COMFORT = 0.9
"""Legs are comfortable up to this stretch, over how far their joints let them be stretched."""
TRAILS = 2.5
"""Feet of segments that are farther behind than this, over the reach, walk in the others' way: they
do not hold a turn up."""
SPLAY = 0.11
"""Feet below the body stand so far beside their hips, at least, over the reach: legs that come
straight down, or lean inwards, meet the body on slopes."""
STANCE = 0.11
"""Feet stand this far beside the middle of the body, at least, over the reach."""
DENSITY = 300.0
"""Of the box of a body, with all that hangs on it [kg/m^3]."""
HANGS, LONG_ARM, SWING = 0.7, 0.4, 0.6
"""Arms hang so far down, over their length; they are as long as this part of a leg at least; and
swing by this part of its angle."""
SHORTER, SHORTENINGS = 0.85, 20
"""Strides of a robot are shortened by this factor, so many times at most, until its joints let it
take them."""
LOOSE = 0.05
"""A robot's leg may be stretched so much farther than as it stands, at least, over its reach."""
HALF = 0.5
"""Strides of legs that one joint alone bends, over those of others."""


def table_of(anatomy: Anatomy, name: str, file: str) -> dict[str, Any]:
    """The whole table of a creature, with numbers that `check` has little to say of.

    Args:
        anatomy: of the model.
        name: of the creature.
        file: of the model, from the folder of the creature's file.
    """
    body = body_of(anatomy)
    origin, size = body.middles[0], body.sizes[0]
    legs = [left for left, _ in anatomy.legs]
    count = 2 * len(legs)
    reach = max(leg.reach for leg in legs)
    rise = float(origin[2]) - anatomy.ground
    height = rise  # a robot's is that which its limits asked for
    if anatomy.robot is None:
        height = min(rise, *(_highest(leg, origin, anatomy.ground) for leg in legs))
    wide = max(float(np.hypot(*(leg.joints[-1] - origin)[:2])) for leg in legs)
    if len(body.sizes) > 1:
        wide = min(wide, TRAILS * reach)
    motion, gait = walk_of(count, reach, wide, _is_sideways(anatomy))
    table: dict[str, Any] = {
        "name": name,
        "body": {
            "size": [_rounded(part) for part in size],
            "ride_height": _rounded(height),
            "mass": _digits(_mass(anatomy, body)),
        },
    }
    if anatomy.head is not None:
        table["head"] = _head(anatomy, origin)
    if len(body.sizes) > 1:
        table["segments"] = _segments(body)
    table["motion"] = {key: _digits(value) for key, value in motion.items()}
    table["gait"] = _with_digits(gait)
    table["leg_pairs"] = [_pair(leg, pair, body) for pair, leg in enumerate(legs)]
    table["colours"] = {"body": "#8a6f52", "legs": "#5b4a3a", "feet": "#2f2a26"}
    try:
        table = _held(table, anatomy) if anatomy.robot else tuned(_standing(table, legs))
    except ValidationError as error:
        why = str(error.errors()[0]["msg"]).splitlines()[0].removeprefix("Value error, ")
        raise DefinitionError(
            f"{anatomy.file}: expected legs that the creature could stand on, found {why}"
        ) from None
    return {**table, "model": {"file": file, **_model(anatomy, body)}}


def _mass(anatomy: Anatomy, body: Body) -> float:
    """What a robot says that it weighs, or a guess from the size of its body [kg]."""
    if anatomy.robot is not None and anatomy.robot.mass > 0.0:
        return max(1e-3, anatomy.robot.mass)
    return max(0.1, DENSITY * float(body.sizes.prod(axis=1).sum()) * 2.0)


def _standing(table: dict[str, Any], legs: Sequence[Leg]) -> dict[str, Any]:
    """A table whose legs stand and step: joints that would not let them give more."""
    for give in GIVES:
        for pair, leg in zip(table["leg_pairs"], legs, strict=True):
            pair["joints"] = joints_of(leg, give)
            comfort = COMFORT * longest(leg, give) / leg.reach
            if comfort < COMFORT - 0.01:
                pair["comfort"] = round(comfort, 2)
            else:
                pair.pop("comfort", None)
        try:
            found = plan_advice(CreatureDef.model_validate(table))
        except ValidationError:
            continue
        if not any("joints" in advice.key for advice in found):
            return table
    for pair in table["leg_pairs"]:
        del pair["joints"]
    return table


def _held(table: dict[str, Any], anatomy: Anatomy) -> dict[str, Any]:
    """A robot's table with its own joints, and strides that they allow."""
    for pair, (left, right) in zip(table["leg_pairs"], anatomy.legs, strict=True):
        assert left.limits is not None
        assert right.limits is not None
        out = np.array([*pair["home"], 0.0]) - pair["mount"]
        out[2] = 0.0
        size = float(np.linalg.norm(out))
        ahead = out / size if size > 1e-9 else np.array([0.0, 1.0, 0.0])
        try:
            joints = both(left.limits.joints(ahead), right.limits.mirrored.joints(ahead))
        except DefinitionError as error:
            raise DefinitionError(f"{anatomy.file}: {error}") from None
        pair["joints"] = joints
        most, stands = longest(left, GIVES[0]) / left.reach, left.span / left.reach
        most = max(most, stands + LOOSE)
        comfort = max(COMFORT * most, 0.5 * (stands + most))
        if comfort < COMFORT - 0.01 or comfort > COMFORT:
            pair["comfort"] = min(round(comfort, 3), MAX_STRETCH)
    if any(left.limits is not None and left.limits.is_lifted for left, _ in anatomy.legs):
        _shorten(table, HALF)  # their feet come nearer to their hips by as little as farther
    for number in range(SHORTENINGS):
        try:
            made = tuned(table)
            found = plan_advice(CreatureDef.model_validate(made))
        except ValidationError as error:
            if number + 1 == SHORTENINGS or not any(
                one in str(error) for one in ("stride", "trigger")
            ):
                raise
        else:
            if not any("joints" in one.key and one.reason.startswith("a stride") for one in found):
                return made
        _shorten(table, SHORTER)
    return made


def _shorten(table: dict[str, Any], part: float) -> None:
    """Shorter strides, as many of them in a second."""
    gait, motion = table["gait"], table["motion"]
    for cycle in (gait, *gait.get("faster", [])):
        for key in ("stride_length", "trigger_distance"):
            if key in cycle:
                cycle[key] = _digits(part * cycle[key])
    for key in ("speed", "strafe_speed", "turn_rate"):
        if key in motion:
            motion[key] = _digits(part * motion[key])


def _highest(leg: Leg, origin: Floats, ground: float) -> float:
    """How high the body's centre may be so that a leg is not too straight [m]."""
    hip, foot = leg.joints[0], leg.joints[-1]
    reach = (UPRIGHT if leg.sole else STRETCH) * longest(leg, GIVES[0])
    beside = foot - hip
    aside = float(beside[0] * beside[0] + beside[1] * beside[1])
    down = float(np.sqrt(max(0.04 * reach * reach, reach * reach - aside)))
    return down - float(hip[2] - origin[2])


def _is_sideways(anatomy: Anatomy) -> bool:
    """Whether it walks as crabs do: many legs, and a body broader than long."""
    hips = np.array([leg.joints[0] for pair in anatomy.legs for leg in pair])
    return len(anatomy.legs) > 2 and float(np.ptp(hips[:, 1])) > 1.2 * float(np.ptp(hips[:, 0]))


def _head(anatomy: Anatomy, origin: Floats) -> dict[str, Any]:
    """The table of a head: its neck, and the box that its skin fills."""
    assert anatomy.head is not None
    neck = anatomy.skeleton.heads[anatomy.head]
    skin = np.concatenate([anatomy.skeleton.skins[anatomy.head], neck[None]])
    length = float(skin[:, 0].max() - neck[0])
    width = 2.0 * float(np.abs(skin[:, 1] - neck[1]).max())
    least = 0.02 * anatomy.skeleton.extent
    size = [max(part, least) for part in (length, width, float(np.ptp(skin[:, 2])))]
    mount = neck - origin
    return {
        "mount": [_rounded(part) for part in mount],
        "size": [_rounded(part) for part in size],
    }


def _segments(body: Body) -> list[dict[str, Any]]:
    """Tables of the trunk behind its first box; those alike are counted."""
    found: list[dict[str, Any]] = []
    for size in body.sizes[1:]:
        given = [_rounded(part) for part in size]
        if found and found[-1]["size"] == given:
            found[-1]["count"] = found[-1].get("count", 1) + 1
        else:
            found.append({"size": given})
    return found


def _pair(leg: Leg, pair: int, body: Body) -> dict[str, Any]:
    """The table of a pair of legs."""
    origin, box = body.of_pair(pair), body.carriers[pair]
    found: dict[str, Any] = {"segment": box} if box else {}
    found |= {
        "mount": [_rounded(part) for part in leg.joints[0] - origin],
        "bones": [_rounded(part) for part in leg.lengths],
        "home": [_rounded(part) for part in _home(leg, origin, body.is_biped)],
        "pole": list(leg.pole),
        "joints": [],
    }
    if leg.thickness:
        found["thickness"] = [_rounded(part) for part in leg.thickness]
    if leg.sole:
        heel, toe = leg.sole
        found["foot"] = {"heel": _rounded(heel), "toe": _rounded(toe)}
    return found


def _home(leg: Leg, origin: Floats, is_biped: bool) -> Floats:
    """Where a foot rests [m]: where it is in the model, or nearer where that is too far."""
    hip, foot = leg.joints[0], leg.joints[-1]
    out = (foot - hip)[:2]
    found: Floats = (foot - origin)[:2]
    down = float(hip[2] - foot[2])
    most = SPREAD * leg.reach
    size = float(np.hypot(*out))
    if leg.limits is None and leg.pole[2] and size * size + down * down > most * most > down * down:
        found = (hip - origin)[:2] + out * (float(np.sqrt(most * most - down * down)) / size)
    least = STANCE * leg.reach
    if leg.limits is None and not leg.pole[2] and not is_biped:
        least = max(least, float(abs(hip[1] - origin[1])) + SPLAY * leg.reach)
    return np.array([found[0], float(np.copysign(max(abs(found[1]), least), hip[1] - origin[1]))])


def _model(anatomy: Anatomy, body: Body) -> dict[str, Any]:
    """The table of the model: its frame, and which bone follows what."""
    skeleton, frame = anatomy.skeleton, anatomy.frame

    def in_file(point: Floats) -> list[float]:
        return [float(f"{part:.6g}") + 0.0 for part in frame.in_file(point)]

    legs = [leg for pair in anatomy.legs for leg in pair]
    found: dict[str, Any] = {
        "scale": frame.scale,
        "up": frame.up,
        "forward": frame.forward,
        "origin": in_file(body.middles[0]),
        "trunk": [skeleton.names[bone] for bone in body.bones],
    }
    if anatomy.head is not None:
        found["head"] = skeleton.names[anatomy.head]
    found["legs"] = [[skeleton.names[bone] for bone in leg.bones] for leg in legs]
    found["tips"] = [in_file(leg.joints[-1]) for leg in legs]
    swings = _swings(anatomy)
    return found | ({"swings": swings} if swings else {})


def _swings(anatomy: Anatomy) -> list[dict[str, Any]]:
    """Arms of two-legged animals that swing against their legs: from the first bone that hangs."""
    if len(anatomy.legs) != 1:
        return []
    skeleton, found = anatomy.skeleton, []
    for limb in anatomy.arms:
        heads = np.concatenate([skeleton.heads[list(limb.bones)], limb.end[None]])
        ways = heads[1:] - heads[:-1]
        hangs = -ways[:, 2] > HANGS * np.linalg.norm(ways, axis=1)
        side = heads[0, 1] - skeleton.middle
        if hangs.any() and limb.length > LONG_ARM * anatomy.legs[0][0].reach:
            node = skeleton.names[limb.bones[int(hangs.argmax())]]
            found.append({"node": node, "leg": int(side > 0.0), "gain": SWING})
    return found


def _rounded(value: float) -> float:
    """A length, to a hundredth of a millimetre [m]."""
    return round(float(value), 5) + 0.0


def _digits(value: float) -> float:
    """Three digits, as people write them."""
    return float(f"{value:.3g}")


def _with_digits(value: Any) -> Any:  # noqa: ANN401 - a table holds any
    """A table whose numbers have three digits."""
    if isinstance(value, dict):
        return {key: _with_digits(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_with_digits(part) for part in value]
    return _digits(value) if isinstance(value, float) else value
