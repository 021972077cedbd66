"""An anatomy as the table of a creature's file: body, legs, gait, and its model."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from pydantic import ValidationError

from creature_sim.advice.plans import plan_advice
from creature_sim.anatomy.anatomy import Anatomy
from creature_sim.anatomy.gaits import walk_of
from creature_sim.anatomy.legs import GIVES, Leg, joints_of, longest
from creature_sim.anatomy.tuning import tuned
from creature_sim.definitions import CreatureDef
from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats

STRETCH, UPRIGHT = 0.75, 0.85
"""At rest legs are stretched this far at most, over their reach: bodies of straighter ones
sink; those that stand on soles stand straighter."""
SPREAD = 0.68
"""Feet beside the body stand so far from their hips, over the reach, or they are drawn in."""
COMFORT = 0.9
"""Legs are comfortable up to this stretch, over how far their joints let them be stretched."""
STANCE = 0.11
"""Feet stand this far beside the middle of the body, at least, over the reach."""
BELLY, BACK = 0.65, 0.3
"""A body above its legs hangs down to this part of their height at most, and rises by this part."""
DENSITY = 300.0
"""Of the box of a body, with all that hangs on it [kg/m^3]."""
HANGS, LONG_ARM, SWING = 0.7, 0.4, 0.6
"""Arms hang so far down, over their length; they are as long as this part of a leg at least; and
swing by this part of its angle."""
SLIM = 0.05
"""Radius of a leg at its hip over its reach: bodies are narrower, so that legs pass them."""


def table_of(anatomy: Anatomy, name: str, file: str) -> dict[str, Any]:
    """The whole table of a creature, with numbers that `check` has little to say of.

    Args:
        anatomy: of the model.
        name: of the creature.
        file: of the model, from the folder of the creature's file.
    """
    origin, size = _body(anatomy)
    legs = [left for left, _ in anatomy.legs]
    count = 2 * len(legs)
    reach = max(float(leg.lengths.sum()) for leg in legs)
    rise = float(origin[2]) - anatomy.ground
    height = min(rise, *(_highest(leg, origin, anatomy.ground) for leg in legs))
    wide = max(float(np.hypot(*(leg.joints[-1] - origin)[:2])) for leg in legs)
    motion, gait = walk_of(count, reach, wide, _is_sideways(anatomy))
    table: dict[str, Any] = {
        "name": name,
        "body": {
            "size": [_rounded(part) for part in size],
            "ride_height": _rounded(height),
            "mass": _digits(max(0.1, DENSITY * float(size[0] * size[1] * size[2]) * 2.0)),
        },
    }
    if anatomy.head is not None:
        table["head"] = _head(anatomy, origin)
    table["motion"] = {key: _digits(value) for key, value in motion.items()}
    table["gait"] = _with_digits(gait)
    table["leg_pairs"] = [_pair(leg, origin) for leg in legs]
    table["colours"] = {"body": "#8a6f52", "legs": "#5b4a3a", "feet": "#2f2a26"}
    try:
        table = tuned(_standing(table, legs))
    except ValidationError as error:
        why = str(error.errors()[0]["msg"]).splitlines()[0].removeprefix("Value error, ")
        raise DefinitionError(
            f"{anatomy.file}: expected legs that the creature could stand on, found {why}"
        ) from None
    return {**table, "model": {"file": file, **_model(anatomy, origin)}}


def _standing(table: dict[str, Any], legs: Sequence[Leg]) -> dict[str, Any]:
    """A table whose legs stand and step: joints that would not let them give more."""
    for give in GIVES:
        for pair, leg in zip(table["leg_pairs"], legs, strict=True):
            pair["joints"] = joints_of(leg, give)
            comfort = COMFORT * longest(leg, give) / float(leg.lengths.sum())
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


def _highest(leg: Leg, origin: Floats, ground: float) -> float:
    """How high the body's centre may be so that a leg is not too straight [m]."""
    hip, foot = leg.joints[0], leg.joints[-1]
    reach = (UPRIGHT if leg.sole else STRETCH) * longest(leg, GIVES[0])
    beside = foot - hip
    aside = float(beside[0] * beside[0] + beside[1] * beside[1])
    down = float(np.sqrt(max(0.04 * reach * reach, reach * reach - aside)))
    return down - float(hip[2] - origin[2])


def _body(anatomy: Anatomy) -> tuple[Floats, Floats]:
    """The middle of the body [m, skeleton] and its length, width and height [m]."""
    hips = np.array([leg.joints[0] for pair in anatomy.legs for leg in pair])
    feet = np.array([leg.joints[-1] for pair in anatomy.legs for leg in pair])
    reach = max(float(left.lengths.sum()) for left, _ in anatomy.legs)
    skins = [anatomy.skeleton.skins[bone] for bone in anatomy.trunk]
    skin = np.concatenate([*skins, hips])
    margin = 0.04 * reach  # legs ahead and behind turn about their hips
    low = max(float(skin[:, 0].min()), float(hips[:, 0].min()) - margin)
    high = min(float(skin[:, 0].max()), float(hips[:, 0].max()) + margin)
    near = skin[(skin[:, 0] >= low - 1e-9) & (skin[:, 0] <= high + 1e-9)]
    x = float(feet[:, 0].mean())
    x = min(max(x, low), high)
    y = 0.5 * float(hips[:, 1].max() + hips[:, 1].min())
    bottom, top = float(near[:, 2].min()), float(near[:, 2].max())
    bottom = max(bottom, anatomy.ground + 0.3 * (float(hips[:, 2].min()) - anatomy.ground))
    half = float(np.abs(hips[:, 1] - y).min())
    if abs(anatomy.legs[0][0].pole[2]) < 0.5:  # legs below the body
        rise = float(hips[:, 2].min()) - anatomy.ground
        bottom = max(bottom, anatomy.ground + BELLY * rise)
        if len(anatomy.legs) > 1:  # else it stands upright, its neck above its hips
            top = min(top, float(hips[:, 2].max()) + BACK * rise)
        half = min(half, float(np.abs(feet[:, 1] - y).min()))
        half = max(half - 1.1 * SLIM * reach, 0.3 * half)
    width = 2.0 * min(half, max(float(np.abs(near[:, 1] - y).max()), 0.5 * half))
    size = [2.0 * max(high - x, x - low, 0.1 * reach), width, max(top - bottom, 0.08 * reach)]
    return np.array([x, y, 0.5 * (bottom + top)]), np.array(size)


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


def _pair(leg: Leg, origin: Floats) -> dict[str, Any]:
    """The table of a pair of legs."""
    found: dict[str, Any] = {
        "mount": [_rounded(part) for part in leg.joints[0] - origin],
        "bones": [_rounded(part) for part in leg.lengths],
        "home": [_rounded(part) for part in _home(leg, origin)],
        "pole": list(leg.pole),
        "joints": [],
    }
    if leg.thickness:
        found["thickness"] = [_rounded(part) for part in leg.thickness]
    if leg.sole:
        heel, toe = leg.sole
        found["foot"] = {"heel": _rounded(heel), "toe": _rounded(toe)}
    return found


def _home(leg: Leg, origin: Floats) -> Floats:
    """Where a foot rests [m]: where it is in the model, or nearer where that is too far."""
    hip, foot = leg.joints[0], leg.joints[-1]
    out = (foot - hip)[:2]
    found: Floats = (foot - origin)[:2]
    down = float(hip[2] - foot[2])
    most = SPREAD * float(leg.lengths.sum())
    size = float(np.hypot(*out))
    if leg.pole[2] and size * size + down * down > most * most > down * down:
        found = (hip - origin)[:2] + out * (float(np.sqrt(most * most - down * down)) / size)
    least = STANCE * float(leg.lengths.sum())
    return np.array([found[0], float(np.copysign(max(abs(found[1]), least), hip[1] - origin[1]))])


def _model(anatomy: Anatomy, origin: Floats) -> dict[str, Any]:
    """The table of the model: its frame, and which bone follows what."""
    skeleton, frame = anatomy.skeleton, anatomy.frame

    def in_file(point: Floats) -> list[float]:
        found = np.einsum("ji,j->i", frame.turn, point) / frame.scale
        return [float(f"{part:.6g}") + 0.0 for part in found]

    legs = [leg for pair in anatomy.legs for leg in pair]
    found: dict[str, Any] = {
        "scale": frame.scale,
        "up": frame.up,
        "forward": frame.forward,
        "origin": in_file(origin),
        "trunk": [skeleton.names[anatomy.body]],
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
    skeleton, joints = anatomy.skeleton, anatomy.legs[0][0].joints
    reach, found = float(np.linalg.norm(joints[1:] - joints[:-1], axis=1).sum()), []
    for limb in anatomy.arms:
        heads = np.concatenate([skeleton.heads[list(limb.bones)], limb.end[None]])
        ways = heads[1:] - heads[:-1]
        hangs = -ways[:, 2] > HANGS * np.linalg.norm(ways, axis=1)
        side = heads[0, 1] - skeleton.middle
        if hangs.any() and limb.length > LONG_ARM * reach:
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
