"""A spider, a beetle, a crab and a centipede: legs that stand beside the body."""

from collections.abc import Sequence

from creature_sim.maths import sin_cos
from tests.tools.models.body import Body
from tests.tools.models.shapes import Point

LEFT, RIGHT = 1.0, -1.0
SIDES = ((LEFT, "L"), (RIGHT, "R"))


def _spread(
    root: Point, turn: float, side: float, way: Sequence[tuple[float, float]]
) -> list[Point]:
    """Points beside a root, in the upright plane that is turned ahead by an angle [rad].

    Args:
        root: of a left leg [m].
        turn: from straight aside [rad].
        side: `LEFT` or `RIGHT`.
        way: how far from the root, and how high each point is [m].
    """
    sine, cosine = sin_cos(turn)
    return [(root[0] + far * sine, side * (root[1] + far * cosine), z) for far, z in way]


def spider() -> Body:
    """Eight legs of four bones, an abdomen and feelers; sides as Blender names them."""
    colours = {"skin": (0.12, 0.08, 0.06), "legs": (0.2, 0.12, 0.07), "eyes": (0.6, 0.05, 0.03)}
    body = Body("spider", colours)
    body.bone("body", None, (0.0, 0.0, 0.2), (0.16, 0.0, 0.2))
    body.bone("abdomen", "body", (-0.14, 0.0, 0.21), (-0.5, 0.0, 0.27))
    body.bone("head", "body", (0.14, 0.0, 0.2), (0.24, 0.0, 0.2))
    front = [(0.0, 0.2, 0.13, 0.075), (0.12, 0.205, 0.115, 0.075), (0.17, 0.205, 0.06, 0.05)]
    front = [(-0.19, 0.2, 0.0, 0.0), (-0.16, 0.2, 0.075, 0.05), *front, (0.19, 0.2, 0.0, 0.0)]
    body.trunk(["body"], front, "skin")
    back = [(-0.36, 0.27, 0.18, 0.15), (-0.22, 0.24, 0.14, 0.11), (-0.14, 0.21, 0.04, 0.035)]
    back = [(-0.52, 0.25, 0.0, 0.0), (-0.49, 0.255, 0.07, 0.06), *back, (-0.12, 0.21, 0.0, 0.0)]
    body.trunk(["abdomen"], back, "skin")
    body.ball("head", (0.18, 0.0, 0.21), (0.06, 0.07, 0.055), "skin")
    for side, letter in SIDES:
        for x, y, z, size in ((0.225, 0.02, 0.23, 0.016), (0.205, 0.05, 0.225, 0.012)):
            body.ball("head", (x, side * y, z), (size, size, size), "eyes", 6, 4)
        points = [(0.2, side * 0.04, 0.18), (0.28, side * 0.06, 0.2), (0.33, side * 0.05, 0.13)]
        names = [f"feeler.{letter}", f"feeler_tip.{letter}"]
        body.limb("head", names, points, [0.014, 0.012, 0.006], "legs", 6)
        legs = ((0.95, 0.52, 0.13), (0.33, 0.48, 0.045), (-0.3, 0.48, -0.045), (-0.9, 0.54, -0.13))
        for number, (turn, far, x) in enumerate(legs, 1):
            way = ((0.0, 0.19), (0.08, 0.2), (0.28, 0.36), (0.46, 0.22), (far, 0.0))
            names = [f"{part}.{number}.{letter}" for part in ("coxa", "femur", "tibia", "claw")]
            points = _spread((x, 0.11, 0.0), turn, side, way)
            body.limb("body", names, points, [0.03, 0.027, 0.022, 0.016, 0.008], "legs", 6)
    return body


def beetle() -> Body:
    """Six legs of three bones, wing cases and antennae; sides as Unreal names them."""
    colours = {"shell": (0.03, 0.16, 0.1), "legs": (0.05, 0.04, 0.04), "eyes": (0.5, 0.4, 0.1)}
    body = Body("beetle", colours)
    body.bone("thorax", None, (0.0, 0.0, 0.2), (0.14, 0.0, 0.19))
    body.bone("abdomen", "thorax", (-0.06, 0.0, 0.2), (-0.36, 0.0, 0.19))
    body.bone("head", "thorax", (0.2, 0.0, 0.18), (0.33, 0.0, 0.16))
    back = [(-0.3, 0.2, 0.13, 0.09), (-0.12, 0.22, 0.175, 0.13), (0.03, 0.21, 0.14, 0.11)]
    back = [(-0.42, 0.17, 0.0, 0.0), (-0.4, 0.175, 0.05, 0.04), *back, (0.08, 0.2, 0.0, 0.0)]
    body.trunk(["abdomen", "thorax"], back, "shell", 16)
    front = [(0.03, 0.2, 0.12, 0.08), (0.12, 0.195, 0.125, 0.085), (0.21, 0.185, 0.08, 0.06)]
    front = [(-0.02, 0.2, 0.0, 0.0), *front, (0.23, 0.18, 0.0, 0.0)]
    body.trunk(["thorax"], front, "shell")
    body.ball("head", (0.26, 0.0, 0.17), (0.07, 0.07, 0.05), "shell")
    for side, name in ((LEFT, "l"), (RIGHT, "r")):
        body.ball("head", (0.28, side * 0.055, 0.19), (0.02, 0.018, 0.018), "eyes", 6, 4)
        points = [(0.31, side * 0.03, 0.19), (0.4, side * 0.1, 0.24), (0.5, side * 0.16, 0.23)]
        names = [f"antenna_01_{name}", f"antenna_02_{name}"]
        body.limb("head", names, points, [0.009, 0.007, 0.01], "legs", 6)
        points = [
            (0.31, side * 0.025, 0.15),
            (0.36, side * 0.035, 0.14),
            (0.39, side * 0.005, 0.14),
        ]
        names = [f"mandible_01_{name}", f"mandible_02_{name}"]
        body.limb("head", names, points, [0.016, 0.013, 0.005], "legs", 6)
        legs = ((0.75, 0.4, 0.16, 0.09), (-0.1, 0.36, 0.0, 0.11), (-0.8, 0.44, -0.15, 0.1))
        for number, (turn, far, x, y) in enumerate(legs, 1):
            way = ((0.0, 0.15), (0.07, 0.155), (0.07 + 0.45 * (far - 0.07), 0.27), (far, 0.0))
            names = [f"{part}_{number:02}_{name}" for part in ("coxa", "femur", "tibia")]
            points = _spread((x, y, 0.0), turn, side, way)
            body.limb("thorax", names, points, [0.034, 0.028, 0.022, 0.008], "legs", 7)
    return body


def crab() -> Body:
    """Eight legs of three bones, two claws, and a shell that is broader than long."""
    colours = {"shell": (0.45, 0.09, 0.04), "legs": (0.4, 0.13, 0.06), "eyes": (0.02, 0.02, 0.02)}
    body = Body("crab", colours)
    body.bone("carapace", None, (0.0, 0.0, 0.2), (0.12, 0.0, 0.2))
    shell = [(-0.1, 0.2, 0.15, 0.065), (0.0, 0.21, 0.24, 0.085), (0.09, 0.21, 0.22, 0.07)]
    shell = [(-0.16, 0.19, 0.0, 0.0), (-0.145, 0.19, 0.08, 0.03), *shell]
    body.trunk(["carapace"], [*shell, (0.14, 0.2, 0.12, 0.03), (0.15, 0.2, 0.0, 0.0)], "shell", 18)
    for side, letter in SIDES:
        points = [(0.13, side * 0.05, 0.22), (0.16, side * 0.06, 0.28)]
        body.limb("carapace", [f"EyeStalk_{letter}"], points, [0.012, 0.016], "eyes", 7)
        points = [(0.1, 0.17, 0.2), (0.18, 0.28, 0.2), (0.3, 0.22, 0.18), (0.44, 0.1, 0.19)]
        points = [(x, side * y, z) for x, y, z in points]
        names = [f"Claw{part}_{letter}" for part in ("Arm", "Palm", "Pincer")]
        body.limb("carapace", names, points, [0.03, 0.034, 0.055, 0.012], "shell", 9)
        body.ball(f"ClawPincer_{letter}", (0.32, side * 0.2, 0.18), (0.08, 0.05, 0.06), "shell", 8)
        legs = ((0.5, 0.36, 0.12), (0.17, 0.38, 0.04), (-0.17, 0.38, -0.04), (-0.5, 0.36, -0.12))
        for number, (turn, far, x) in enumerate(legs, 1):
            way = ((0.0, 0.19), (0.07, 0.2), (0.07 + 0.6 * (far - 0.07), 0.31), (far, 0.0))
            names = [f"Leg{number}{part}_{letter}" for part in ("Hip", "Upper", "Lower")]
            points = _spread((x, 0.19, 0.0), turn, side, way)
            body.limb("carapace", names, points, [0.03, 0.026, 0.02, 0.008], "legs", 6)
    return body


def centipede() -> Body:
    """Six segments with a pair of legs each, a head and feelers."""
    colours = {"skin": (0.3, 0.1, 0.04), "legs": (0.5, 0.3, 0.08), "head": (0.4, 0.06, 0.03)}
    body = Body("centipede", colours)
    names = [f"segment.{number}" for number in range(1, 7)]
    for number, name in enumerate(names):
        x = 0.45 - 0.18 * number
        above = names[number - 1] if number else None
        body.bone(name, above, (x + 0.09, 0.0, 0.13), (x - 0.09, 0.0, 0.13))
    for number, name in enumerate(names):
        x, wide = 0.45 - 0.18 * number, 0.08 - 0.003 * number
        plate = [(x + 0.06, 0.133, wide, 0.04), (x - 0.06, 0.132, wide, 0.039)]
        plate = [(x + 0.1, 0.13, 0.0, 0.0), *plate, (x - 0.105, 0.13, 0.0, 0.0)]
        body.trunk([name], plate, "skin", 10)
    body.bone("head", names[0], (0.54, 0.0, 0.13), (0.68, 0.0, 0.12))
    body.ball("head", (0.6, 0.0, 0.13), (0.085, 0.075, 0.04), "head", 8, 5)
    for side, letter in SIDES:
        points = [(0.65, side * 0.04, 0.14), (0.77, side * 0.12, 0.19), (0.88, side * 0.22, 0.17)]
        feelers = [f"antenna.1.{letter}", f"antenna.2.{letter}"]
        body.limb("head", feelers, points, [0.011, 0.009, 0.005], "legs", 5)
        way = ((0.0, 0.12), (0.05, 0.125), (0.17, 0.2), (0.28, 0.0))
        for number, name in enumerate(names):
            parts = [f"{part}.{number + 1}.{letter}" for part in ("coxa", "femur", "tibia")]
            points = _spread((0.45 - 0.18 * number, 0.07, 0.0), 0.0, side, way)
            body.limb(name, parts, points, [0.02, 0.018, 0.014, 0.006], "legs", 5)
    return body
