"""A dog, a bird, a person and an arm: legs that stand below the body, or none."""

from tests.tools.models.body import Body
from tests.tools.models.crawlers import LEFT, RIGHT, SIDES


def dog() -> Body:
    """Four legs, a neck, a head and a tail; names as in Blender's rigs of animals."""
    body = Body("dog", {"coat": (0.45, 0.26, 0.12), "dark": (0.06, 0.04, 0.03)})
    body.bone("hips", None, (-0.26, 0.0, 0.52), (-0.05, 0.0, 0.54))
    body.bone("spine", "hips", (-0.05, 0.0, 0.54), (0.12, 0.0, 0.54))
    body.bone("chest", "spine", (0.12, 0.0, 0.54), (0.3, 0.0, 0.56))
    rear = [(-0.36, 0.53, 0.0, 0.0), (-0.34, 0.53, 0.05, 0.06), (-0.25, 0.53, 0.095, 0.1)]
    front = [(0.25, 0.52, 0.105, 0.13), (0.34, 0.55, 0.06, 0.08), (0.37, 0.56, 0.0, 0.0)]
    middle = [(-0.08, 0.53, 0.09, 0.09), (0.1, 0.51, 0.11, 0.13)]
    body.trunk(["hips", "spine", "chest"], [*rear, *middle, *front], "coat")
    body.limb("chest", ["neck"], [(0.28, 0.0, 0.57), (0.42, 0.0, 0.72)], [0.085, 0.062], "coat", 12)
    body.bone("head", "neck", (0.42, 0.0, 0.72), (0.62, 0.0, 0.7))
    body.ball("head", (0.45, 0.0, 0.73), (0.1, 0.075, 0.075), "coat", 12, 8)
    body.ball("head", (0.56, 0.0, 0.7), (0.1, 0.042, 0.04), "coat", 10, 6)
    body.ball("head", (0.65, 0.0, 0.715), (0.02, 0.022, 0.018), "dark", 6, 4)
    points = [(-0.33, 0.0, 0.56), (-0.46, 0.0, 0.58), (-0.58, 0.0, 0.66), (-0.66, 0.0, 0.77)]
    names = ["tail.1", "tail.2", "tail.3"]
    body.limb("hips", names, points, [0.03, 0.026, 0.02, 0.01], "coat", 8)
    for side, letter in SIDES:
        body.ball("head", (0.52, side * 0.045, 0.75), (0.012, 0.012, 0.014), "dark", 6, 4)
        points = [(0.4, side * 0.06, 0.78), (0.4, side * 0.1, 0.7)]
        body.limb("head", [f"ear.{letter}"], points, [0.03, 0.02], "dark", 6)
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


def bird() -> Body:
    """Two legs with three toes, wings that are folded, a neck and a tail."""
    colours = {"feathers": (0.1, 0.2, 0.35), "chest": (0.7, 0.45, 0.15), "legs": (0.6, 0.35, 0.06)}
    body = Body("bird", colours)
    body.bone("Hips", None, (-0.06, 0.0, 0.46), (0.04, 0.0, 0.48))
    body.bone("Chest", "Hips", (0.04, 0.0, 0.48), (0.18, 0.0, 0.53))
    front = [(0.08, 0.48, 0.115, 0.12), (0.18, 0.52, 0.075, 0.08), (0.23, 0.54, 0.0, 0.0)]
    rear = [(-0.26, 0.45, 0.0, 0.0), (-0.22, 0.45, 0.04, 0.04), (-0.08, 0.46, 0.1, 0.1)]
    body.trunk(["Hips", "Chest"], [*rear, *front], "chest")
    points = [(0.17, 0.0, 0.54), (0.21, 0.0, 0.65), (0.2, 0.0, 0.74)]
    body.limb("Chest", ["Neck1", "Neck2"], points, [0.06, 0.042, 0.04], "feathers", 10)
    body.bone("Head", "Neck2", (0.2, 0.0, 0.74), (0.3, 0.0, 0.76))
    body.ball("Head", (0.21, 0.0, 0.77), (0.075, 0.055, 0.055), "feathers")
    body.limb("Head", ["Beak"], [(0.26, 0.0, 0.765), (0.37, 0.0, 0.75)], [0.026, 0.004], "legs", 7)
    points = [(-0.2, 0.0, 0.46), (-0.3, 0.0, 0.47), (-0.45, 0.0, 0.46)]
    body.limb("Hips", ["Tail1", "Tail2"], points, [0.05, 0.055, 0.02], "feathers", 9)
    for side, name in ((LEFT, "Left"), (RIGHT, "Right")):
        body.ball("Head", (0.24, side * 0.045, 0.79), (0.011, 0.011, 0.011), "legs", 6, 4)
        points = [(0.13, 0.1, 0.54), (-0.03, 0.135, 0.51), (-0.2, 0.12, 0.47), (-0.33, 0.09, 0.44)]
        points = [(x, side * y, z) for x, y, z in points]
        names = [f"{name}Wing{number}" for number in (1, 2, 3)]
        body.limb("Chest", names, points, [0.06, 0.05, 0.04, 0.008], "feathers", 8)
        y = side * 0.075
        points = [(-0.01, side * 0.065, 0.44), (0.08, y, 0.31), (-0.07, y, 0.17), (0.0, y, 0.024)]
        names = [f"{name}UpLeg", f"{name}Leg", f"{name}Foot"]
        body.limb("Hips", names, points, [0.055, 0.032, 0.016, 0.014], "legs", 8)
        points = [(0.0, y, 0.02), (0.1, y, 0.01)]
        body.limb(names[-1], [f"{name}ToeBase"], points, [0.014, 0.007], "legs", 6)
        toes = (("Toe1", 0.09, 0.03), ("Toe3", 0.09, -0.03), ("Spur", -0.05, 0.0))
        for toe, far, aside in toes:
            points = [(0.0, y, 0.02), (far, y + side * aside, 0.01)]
            body.limb(f"{name}ToeBase", [f"{name}{toe}"], points, [0.014, 0.007], "legs", 6)
    return body


def humanoid() -> Body:
    """A person whose arms hang; names as Mixamo's."""
    colours = {"shirt": (0.15, 0.3, 0.45), "trousers": (0.08, 0.08, 0.1), "skin": (0.6, 0.4, 0.3)}
    body = Body("humanoid", colours)
    spine = (("Hips", 0.96), ("Spine", 1.08), ("Spine1", 1.2), ("Spine2", 1.34), ("Neck", 1.5))
    above: str | None = None
    for (name, low), (_, high) in zip(spine, (*spine[1:], ("Head", 1.58)), strict=True):
        body.bone(f"mixamorig:{name}", above, (0.0, 0.0, low), (0.0, 0.0, high))
        above = f"mixamorig:{name}"
    names = [f"mixamorig:{name}" for name, _ in spine]
    body.skin(names[:4], [0.135, 0.12, 0.13, 0.155, 0.08], "shirt", 14)
    body.skin(names[4:], [0.06, 0.055], "skin", 10)
    body.bone("mixamorig:Head", names[-1], (0.0, 0.0, 1.58), (0.0, 0.0, 1.78))
    body.ball("mixamorig:Head", (0.02, 0.0, 1.67), (0.1, 0.078, 0.115), "skin", 12, 10)
    body.ball("mixamorig:Head", (0.12, 0.0, 1.66), (0.022, 0.014, 0.02), "skin", 6, 4)
    for side, name in ((LEFT, "Left"), (RIGHT, "Right")):
        arm = [(0.0, 0.04, 1.44), (0.0, 0.19, 1.44), (-0.02, 0.24, 1.17), (0.03, 0.27, 0.93)]
        points = [(x, side * y, z) for x, y, z in (*arm, (0.05, 0.27, 0.76))]
        names = [f"mixamorig:{name}{part}" for part in ("Shoulder", "Arm", "ForeArm", "Hand")]
        body.limb("mixamorig:Spine2", names[:3], points[:4], [0.06, 0.062, 0.045, 0.036], "shirt")
        body.limb(names[2], names[3:], points[3:], [0.036, 0.03], "skin")
        leg = [(0.0, 0.1, 0.93), (0.03, 0.11, 0.51), (-0.02, 0.11, 0.1)]
        points = [(x, side * y, z) for x, y, z in leg]
        names = [f"mixamorig:{name}{part}" for part in ("UpLeg", "Leg", "Foot", "ToeBase")]
        body.limb("mixamorig:Hips", names[:2], points, [0.1, 0.066, 0.045], "trousers", 10)
        y = side * 0.115
        points = [(-0.02, side * 0.11, 0.1), (0.09, y, 0.04), (0.18, y, 0.03)]
        body.limb(names[1], names[2:], points, [0.045, 0.04, 0.03], "skin")
        body.ball(names[2], (-0.045, side * 0.11, 0.045), (0.05, 0.04, 0.045), "skin", 8, 5)
    return body


def arm() -> Body:
    """An arm on a base: no legs."""
    colours = {"paint": (0.75, 0.4, 0.05), "steel": (0.25, 0.27, 0.3)}
    body = Body("arm", colours)
    body.bone("base", None, (0.0, 0.0, 0.0), (0.0, 0.0, 0.12))
    body.skin(["base"], [0.16, 0.12], "steel", 16)
    points = [(0.0, 0.0, 0.12), (0.0, 0.0, 0.55), (0.3, 0.0, 0.85), (0.62, 0.0, 0.75)]
    body.limb("base", ["shoulder", "elbow", "wrist"], points, [0.1, 0.08, 0.065, 0.05], "paint", 14)
    points = [(0.62, 0.0, 0.75), (0.75, 0.0, 0.71)]
    body.limb("wrist", ["hand"], points, [0.055, 0.045], "steel", 12)
    for side, letter in SIDES:
        points = [(0.75, side * 0.02, 0.71), (0.82, side * 0.05, 0.69), (0.89, side * 0.02, 0.67)]
        names = [f"finger.1.{letter}", f"finger.2.{letter}"]
        body.limb("hand", names, points, [0.02, 0.018, 0.008], "steel", 8)
    return body
