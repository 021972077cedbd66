"""Animals that walk on four, six or eight legs, and a bird on two."""

from math import hypot

from creature_sim.maths import sin_cos
from tests.tools.models.body import Body
from tests.tools.models.shapes import Point

SIDES = ((1.0, "L"), (-1.0, "R"))


def spider() -> Body:
    """Eight legs of four bones, an abdomen and feelers; names as in Blender."""
    body = Body("spider", {"skin": (0.12, 0.08, 0.06), "legs": (0.2, 0.12, 0.07), "eyes": (0.6, 0.05, 0.03)})
    body.bone("body", None, (0.0, 0.0, 0.2), (0.16, 0.0, 0.2))
    body.bone("abdomen", "body", (-0.12, 0.0, 0.21), (-0.5, 0.0, 0.27))
    body.bone("head", "body", (0.14, 0.0, 0.2), (0.24, 0.0, 0.2))
    body.trunk(["body"], [(-0.19, 0.2, 0.0, 0.0), (-0.16, 0.2, 0.075, 0.05), (0.0, 0.2, 0.13, 0.075), (0.12, 0.205, 0.115, 0.075), (0.17, 0.205, 0.06, 0.05), (0.19, 0.2, 0.0, 0.0)], "skin")
    body.trunk(["abdomen"], [(-0.52, 0.25, 0.0, 0.0), (-0.49, 0.255, 0.07, 0.06), (-0.36, 0.27, 0.18, 0.15), (-0.22, 0.24, 0.14, 0.11), (-0.12, 0.21, 0.04, 0.035), (-0.1, 0.21, 0.0, 0.0)], "skin")
    body.ball("head", (0.18, 0.0, 0.21), (0.06, 0.07, 0.055), "skin")
    for side, letter in SIDES:
        for x, y, z, size in ((0.225, 0.02, 0.23, 0.016), (0.205, 0.05, 0.225, 0.012)):
            body.ball("head", (x, side * y, z), (size, size, size), "eyes", 6, 4)
        points = [(0.2, side * 0.04, 0.18), (0.28, side * 0.06, 0.2), (0.33, side * 0.05, 0.13)]
        body.limb("head", [f"feeler.{letter}", f"feeler_tip.{letter}"], points, [0.014, 0.012, 0.006], "legs", 6)
        for number, (turn, reach, at) in enumerate(
            ((0.95, 0.58, 0.13), (0.33, 0.54, 0.045), (-0.3, 0.54, -0.045), (-0.9, 0.6, -0.13)), 1
        ):
            sine, cosine = sin_cos(turn)
            root = (at, side * 0.11)

            def out(far: float, z: float) -> Point:
                return (root[0] + far * sine, root[1] + side * far * cosine, z)  # noqa: B023

            points = [out(0.0, 0.19), out(0.08, 0.2), out(0.28, 0.36), out(0.46, 0.22), out(reach - 0.06, 0.0)]
            names = [f"{part}.{number}.{letter}" for part in ("coxa", "femur", "tibia", "claw")]
            body.limb("body", names, points, [0.03, 0.027, 0.022, 0.016, 0.008], "legs", 7)
    return body


def dog() -> Body:
    """Four legs, a neck, a head and a tail; names as in Blender's rigs of animals."""
    body = Body("dog", {"coat": (0.45, 0.26, 0.12), "dark": (0.06, 0.04, 0.03)})
    body.bone("hips", None, (-0.26, 0.0, 0.52), (-0.05, 0.0, 0.54))
    body.bone("spine", "hips", (-0.05, 0.0, 0.54), (0.12, 0.0, 0.54))
    body.bone("chest", "spine", (0.12, 0.0, 0.54), (0.3, 0.0, 0.56))
    body.trunk(
        ["hips", "spine", "chest"],
        [(-0.36, 0.53, 0.0, 0.0), (-0.34, 0.53, 0.05, 0.06), (-0.25, 0.53, 0.095, 0.1), (-0.08, 0.53, 0.09, 0.09), (0.1, 0.51, 0.11, 0.13), (0.25, 0.52, 0.105, 0.13), (0.34, 0.55, 0.06, 0.08), (0.37, 0.56, 0.0, 0.0)],
        "coat",
    )
    body.limb("chest", ["neck"], [(0.28, 0.0, 0.57), (0.42, 0.0, 0.72)], [0.085, 0.062], "coat", 12)
    body.bone("head", "neck", (0.42, 0.0, 0.72), (0.62, 0.0, 0.7))
    body.ball("head", (0.45, 0.0, 0.73), (0.1, 0.075, 0.075), "coat", 12, 8)
    body.ball("head", (0.56, 0.0, 0.7), (0.1, 0.042, 0.04), "coat", 10, 6)
    body.ball("head", (0.65, 0.0, 0.715), (0.02, 0.022, 0.018), "dark", 6, 4)
    points = [(-0.33, 0.0, 0.56), (-0.46, 0.0, 0.58), (-0.58, 0.0, 0.66), (-0.66, 0.0, 0.77)]
    body.limb("hips", ["tail.1", "tail.2", "tail.3"], points, [0.03, 0.026, 0.02, 0.01], "coat", 8)
    for side, letter in SIDES:
        body.ball("head", (0.52, side * 0.045, 0.75), (0.012, 0.012, 0.014), "dark", 6, 4)
        body.limb("head", [f"ear.{letter}"], [(0.4, side * 0.06, 0.78), (0.4, side * 0.1, 0.7)], [0.03, 0.02], "dark", 6)
        y = side * 0.11
        points = [(0.24, side * 0.09, 0.48), (0.17, y, 0.3), (0.21, y, 0.1), (0.235, y, 0.02)]
        names = [f"front_{part}.{letter}" for part in ("thigh", "shin", "foot")]
        body.limb("chest", names, points, [0.065, 0.04, 0.027, 0.024], "coat", 9)
        points = [(0.235, y, 0.022), (0.3, y, 0.014)]
        body.limb(names[-1], [f"front_toe.{letter}"], points, [0.024, 0.014], "dark", 7)
        points = [(-0.25, side * 0.09, 0.5), (-0.17, y, 0.32), (-0.32, y, 0.16), (-0.29, y, 0.02)]
        names = [f"{part}.{letter}" for part in ("thigh", "shin", "foot")]
        body.limb("hips", names, points, [0.08, 0.048, 0.026, 0.024], "coat", 9)
        points = [(-0.29, y, 0.022), (-0.225, y, 0.014)]
        body.limb(names[-1], [f"toe.{letter}"], points, [0.024, 0.014], "dark", 7)
    return body


ANIMALS = {"spider": spider, "dog": dog}
_ = hypot
