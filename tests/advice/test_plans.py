"""`check` warns where a creature or a world is valid and poor, and only there."""

import json
import random
import re
import tomllib
from math import sqrt
from pathlib import Path

import pytest
from pydantic import ValidationError

from creature_sim.advice import crowd_advice, file_advice, plan_advice
from creature_sim.advice.plans import crowded
from creature_sim.advice.shape import Shape
from creature_sim.definitions import CreatureDef, PhaseGaitDef, PlacementDef, WorldDef
from creature_sim.definitions.body import SegmentDef
from creature_sim.ground.rays import Physics
from creature_sim.inputs import Input
from creature_sim.library.loader import (
    Kind,
    builtin_folder,
    builtin_names,
    check,
    load_creature,
    load_world,
)
from creature_sim.library.scaffold import new_creature
from creature_sim.library.variants import with_creature
from creature_sim.score import Surface, score_track, tracks
from creature_sim.simulation import Simulation
from creature_sim.terrain import build_terrain
from tests.advice.spoiling import LONG_LEGS, columns, followed, put, spoilt, table_of
from tests.commands import process, sim
from tests.scenes import herd, walk

BUILT_IN: list[tuple[Kind, str]] = [
    (kind, name) for kind in ("creature", "world") for name in builtin_names(kind)
]

SPOILT: dict[str, tuple[str, dict[str, object], list[str]]] = {
    "stretched": ("hexapod", {"body.ride_height": 0.42}, ["body.ride_height"]),
    "short of bones": (
        "hexapod",
        {"leg_pairs[*].joints": [], "leg_pairs[*].bones": [0.06, 0.2, 0.24],
         "body.ride_height": 0.14},
        [f"leg_pairs[{i}].bones" for i in range(3)],
    ),
    "strides that hips do not turn for": (
        "hexapod", {"gait.stride_length": 0.9}, ["gait.stride_length", "gait.stride_length"],
    ),
    "legs that fold no farther": (
        "hexapod",
        {"leg_pairs[*].joints": [], "leg_pairs[*].bones": [0.06, 0.3, 0.1, 0.3, 0.12, 0.1],
         "leg_pairs[*].thickness": [0.03] * 6},
        [f"leg_pairs[{i}].home" for i in range(3)],
    ),
    "uncomfortable": ("hexapod", {"leg_pairs[1].comfort": 0.66}, ["leg_pairs[1].comfort"]),
    "too fast for its strides": ("hexapod", {"motion.speed": 1.6}, ["motion.speed"]),
    "too fast for its swings": ("spider8", {"gait.step_duration": 0.6}, ["motion.speed"]),
    "too fast for its legs": (
        "biped", {"motion.speed": 1.8, "gait.stride_length": 0.6}, ["motion.speed"],
    ),
    "feet under the body": (
        "spider8", {"leg_pairs[1].joints": [], "leg_pairs[1].home": [0.15, 0.1]},
        ["leg_pairs[1].home"],
    ),
    "feet close together": (
        "hexapod", {"leg_pairs[*].joints": []}
        | {f"leg_pairs[{i}].home": [x, 0.05] for i, x in enumerate((0.4, 0.0, -0.4))},
        [f"leg_pairs[{i}].home" for i in range(3)],
    ),
    "strides that tip": (
        "hexapod", {f"leg_pairs[{i}].home": [x, 0.33] for i, x in enumerate((0.24, 0.0, -0.24))},
        ["gait.stride_length"],
    ),
    "knees in the ground": (
        "spider4", {"leg_pairs[*].joints": [], "leg_pairs[*].pole": [0.0, 0.0, -1.0]},
        ["leg_pairs[0].pole", "leg_pairs[1].pole"],
    ),
    "a belly in the ground": (
        "hexapod", {"body.ride_height": 0.03, "motion.turn_rate": 4.0}, ["body.ride_height"],
    ),
    "a body at the ground": ("spider4", {"body.ride_height": 1e-6}, ["body.ride_height"]),
    "a segment in the ground": (
        "centipede", {"segments[0].size": [0.34, 0.2, 0.44]}, ["body.ride_height"],
    ),
    "scraping": ("ant", {"gait.step_height": 0.02}, ["gait.step_height"]),
    "kicking": ("ant", {"gait.step_height": 0.5}, ["gait.step_height"]),
    "whirling": ("biped", {"motion.turn_rate": 4.0}, ["motion.turn_rate"]),
    "leaning": ("crab", {"motion.lean": 1.0, "motion.acceleration": 3.0}, ["motion.lean"]),
    "bobbing": ("biped", {"motion.bob": 0.08}, ["motion.bob"]),
    "running too fast": ("spider4", {"motion.run_speed": 3.0}, ["motion.run_speed"]),
    "running too fast on two legs": ("biped", {"motion.run_speed": 5.0}, ["motion.run_speed"]),
    "running faster than its feet swing": (
        "spider4", {"gait.step_height": 0.2, "motion.run_speed": 2.0}, ["motion.run_speed"],
    ),
    "running in no cycle": ("biped", {"motion.run_speed": 0.6}, ["motion.run_speed"]),
    "hopping": (
        "biped", {"gait.faster[0].offsets": [0.0, 0.0]}, ["gait.faster[0].offsets"],
    ),
    "flying for too long": (
        "spider4", {"gait.faster[2].pattern": "pronk", "gait.faster[2].duty_factor": 0.35},
        ["gait.faster[2].stride_length"],
    ),
    "soft": ("hexapod", {"motion.frequency": 0.5}, ["motion.frequency"]),
    "long and soft": ("millipede", {"motion.frequency": 4.0}, ["motion.frequency"]),
    "long and laden": ("millipede", {"motion.load": 1.0}, ["motion.load"]),
    "long and heavy": ("millipede", {"motion.weight": 1.5}, ["motion.weight"]),
    "body in centimetres": ("hexapod", {"body.size": [56.0, 26.0, 14.0]}, ["body.size"]),
    "length in inches": ("hexapod", {"body.size": [22.0, 0.26, 0.14]}, ["body.size"]),
    "tiny body": ("spider4", {"body.size": [0.0034, 0.0026, 0.0016]}, ["body.size"]),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name"), BUILT_IN, ids=lambda value: value)
def test_what_is_built_in_gives_no_warning(kind: Kind, name: str) -> None:
    file = builtin_folder(kind) / f"{name}.toml"
    assert [str(note) for note in file_advice(file, check(file))] == []


@pytest.mark.slow
@pytest.mark.parametrize("legs", [2, 3, 4, 6, 9, 16, 40])
def test_new_creatures_give_no_warning(legs: int) -> None:
    made = CreatureDef.model_validate(tomllib.loads(new_creature("bug", legs)))
    assert [str(advice) for advice in plan_advice(made)] == []


@pytest.mark.slow
@pytest.mark.parametrize("case", SPOILT)
def test_a_spoilt_key_is_named_and_following_the_advice_ends_it(case: str) -> None:
    name, changes, keys = SPOILT[case]
    made = spoilt(name, changes)
    advice = plan_advice(made)
    assert [one.key for one in advice] == keys
    assert all(one.better != one.found for one in advice)
    assert all(one.key in one.remedy for one in advice)
    for _ in range(3):  # a shorter stride carries less speed
        made = followed(made, plan_advice(made))
    assert [str(one) for one in plan_advice(made)] == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("hexapod", "no cycle of its gait (gait.faster) lifts all feet at once"),
        ("spider8", "a reactive gait has no cycle with a flight"),
        ("centipede", "its trunk has 3 segments, and those that run have one"),
    ],
)
def test_a_speed_to_run_at_of_one_that_cannot_run_is_named(name: str, why: str) -> None:
    (advice,) = plan_advice(spoilt(name, {"motion.run_speed": 50.0}))
    assert str(advice) == f"it never runs: {why}: leave motion.run_speed out"


def test_a_belly_below_ground_is_told_with_the_height_that_the_body_rides_at() -> None:
    made = spoilt("hexapod", {"body.ride_height": 0.03})
    (advice,) = plan_advice(made)
    assert str(advice) == (
        "the underside of a trunk 0.14 m high is 0.04 m below ground at rest, and its middle rides "
        "at 0.07 m or more: raise body.ride_height from 0.03 to 0.21"
    )
    world = with_creature(load_world("meadow"), made).model_dump() | {"terrain": {"kind": "flat"}}
    with Simulation(WorldDef.model_validate(world)) as simulation:
        for _ in range(60):
            simulation.step(Input.of([()]))
        height = simulation.snapshot.creatures[0].position[2]
    assert height == pytest.approx(0.07, abs=1e-3)
    assert not plan_advice(spoilt("hexapod", {"body.ride_height": 0.21}))


def test_the_figures_of_too_fast_a_run_are_told() -> None:
    (advice,) = plan_advice(spoilt("spider4", {"motion.run_speed": 3.0}))
    assert "a Froude number of 1.2; up to 0.55, 2.1 m/s" in str(advice)
    assert not plan_advice(spoilt("spider4", {"motion.run_speed": 2.0}))
    assert not plan_advice(spoilt("biped", {"motion.run_speed": 2.6}))


@pytest.mark.slow
def test_the_head_of_a_long_trunk_rises_and_falls_as_far_as_advice_says() -> None:
    made = spoilt("millipede", {"motion.load": 1.0})
    (advice,) = plan_advice(made)
    with Simulation(with_creature(load_world("meadow"), made)) as simulation:
        heights = []
        for tick in range(420):
            simulation.step(Input.of([(1.0,) if tick > 60 else ()]))
            heights.append(simulation.snapshot.creatures[0].position[2])
    half = 50.0 * (max(heights) - min(heights)) / made.body.ride_height
    said = re.search(r"by about (\d+) %", str(advice))
    assert said
    assert half == pytest.approx(float(said[1]), rel=0.25)


def test_a_joint_that_forbids_a_stride_is_named_with_a_stride_that_it_allows() -> None:
    changes: dict[str, object] = {"leg_pairs[1].joints[0].lo": -0.2}
    (advice,) = plan_advice(spoilt("hexapod", changes))
    assert advice.key == "leg_pairs[1].joints[0]"
    assert "a stride takes the foot 0.12 m from home, for which this joint needs -0.3" in str(
        advice
    )
    stride = float(advice.other.rpartition(" ")[2])
    assert "or lower gait.stride_length to" in advice.other
    shorter = spoilt("hexapod", {**changes, "gait.stride_length": stride})
    (slower,) = plan_advice(shorter)  # shorter strides are slower ones
    assert slower.key == "motion.speed"
    assert plan_advice(followed(shorter, [slower])) == []


def test_legs_that_stand_upright_are_lowered_no_farther_than_strides_need() -> None:
    made = spoilt("biped", {"leg_pairs[0].joints": [], "body.ride_height": 0.53})
    (advice,) = plan_advice(made)
    assert advice.key == "body.ride_height"
    assert Shape(followed(made, [advice])).stretch > 0.8
    assert "or lower gait.stride_length to 0.33" in advice.remedy


def test_knees_that_meet_in_a_stride_are_told_with_a_pole_for_which_they_do_not() -> None:
    advice = [one for one in plan_advice(columns()) if "knees of" in one.reason]
    assert [(one.key, one.better) for one in advice] == [("leg_pairs[1].pole", [-1.0, 0.0, 0.0])]
    assert not [one for one in plan_advice(followed(columns(), advice)) if "knees of" in one.reason]


FROG: dict[str, object] = {
    "name": "frog",
    "body": {"size": [0.3, 0.24, 0.12], "ride_height": 0.14, "mass": 1.2},
    "motion": {"speed": 0.19, "turn_rate": 0.8, "acceleration": 1.0, "turn_acceleration": 3.0},
    "gait": {
        "kind": "phase", "pattern": "wave", "duty_factor": 0.8, "stride_length": 0.18,
        "step_height": 0.06,
    },
    "leg_pairs": [
        {"mount": [0.1, 0.1, -0.02], "bones": [0.12, 0.13, 0.04], "home": [0.17, 0.22],
         "pole": [-0.4, 1.0, 0.3], "foot": {"heel": 0.02, "toe": 0.06}},
        {"mount": [-0.13, 0.08, 0.0], "bones": [0.2, 0.22, 0.12], "home": [-0.12, 0.24],
         "pole": [1.0, 0.6, 0.4], "foot": {"heel": 0.03, "toe": 0.12}},
    ],
}  # fmt: skip


def test_legs_that_rest_folded_up_are_sent_out_to_where_they_do_not_meet_the_body() -> None:
    """Through the body they went for a tenth of the time, and feet that had to step found nothing.

    Nothing was said of that leg, and all that was said mended nothing.
    """
    plan = CreatureDef.model_validate(FROG)
    (advice,) = [one for one in plan_advice(plan) if "ankle" in one.reason]
    assert (advice.key, advice.better) == ("leg_pairs[1].home", [-0.11, 0.37])
    hind = plan.leg_pairs[1].model_copy(update={"home": (-0.11, 0.37)})
    better = plan.model_copy(update={"leg_pairs": (plan.leg_pairs[0], hind)})
    assert not [one for one in plan_advice(better) if "ankle" in one.reason]
    assert through_itself(plan) > 0.05
    assert through_itself(better) < 0.005


def through_itself(plan: CreatureDef) -> float:
    """Fraction of ten seconds in which legs are in each other or in the body."""
    world = with_creature(load_world("meadow"), plan)
    (track,) = tracks(list(walk(world, 600)), 60)
    with Physics(build_terrain(world.terrain, world.seed)) as physics:
        value = score_track(track, Surface(physics), world)["M22"].value
    assert value is not None
    return value


def test_a_tail_that_draws_the_weight_off_the_feet_is_thinned() -> None:
    plan = load_creature("spider4")
    assert not plan_advice(plan)
    heavy = SegmentDef(size=(0.25, 0.16, 0.1), bend=0.4, count=3)
    tailed = plan.model_copy(update={"segments": (heavy,)})
    (advice,) = [one for one in plan_advice(tailed) if "tail" in one.reason]
    assert advice.key == "segments[0].size"
    assert isinstance(advice.better, list)
    long, wide, high = advice.better
    thin = heavy.model_copy(update={"size": (long, wide, high)})
    thinned = plan.model_copy(update={"segments": (thin,)})
    assert not [one for one in plan_advice(thinned) if "tail" in one.reason]


def test_no_body_on_soles_is_lowered_until_its_ankles_are_as_high_as_its_hips() -> None:
    table = columns().model_dump(mode="json")
    table["body"] |= {"size": [0.3, 0.24, 0.12], "ride_height": 0.14}
    table["gait"] |= {"duty_factor": 0.8, "stride_length": 0.18}
    rows = (([0.1, 0.1, -0.02], [0.09, 0.1, 0.04], [0.13, 0.2], [-0.4, 1.0, 0.3]),
            ([-0.13, 0.08, 0.0], [0.2, 0.22, 0.12], [-0.12, 0.24], [1.0, 0.6, 0.4]))  # fmt: skip
    for leg, row in zip(table["leg_pairs"], rows, strict=True):
        leg |= dict(zip(("mount", "bones", "home", "pole"), row, strict=True))
    advice = plan_advice(CreatureDef.model_validate(table))
    named = [one.key for one in advice if "at rest" in one.reason]
    assert named == ["leg_pairs[0].bones", "leg_pairs[1].home"]


def _star(side: float = -1.0, **gait: object) -> CreatureDef:
    """Five single legs around a body; right ones are on the right if the side is -1."""
    rows = [("left", 0, 0.13, 0.0, 0.4, 0.0)]
    for pair, x, y, home_x, home_y in ((1, 0.04, 0.124, 0.124, 0.38), (2, -0.1, 0.08, -0.32, 0.24)):
        rows.append(("left", pair, x, y, home_x, home_y))
        rows.append(("right", pair, x, side * y, home_x, side * home_y))
    table = table_of("hexapod")
    del table["leg_pairs"]
    table["body"] |= {"size": [0.28, 0.28, 0.1], "ride_height": 0.22}
    table["motion"]["speed"] = 0.15
    table["gait"] = {"kind": "phase", "stride_length": 0.25, "step_height": 0.09} | gait
    table["legs"] = [
        {
            "side": name, "pair": pair, "mount": [x, y, 0.0], "home": [home_x, home_y],
            "bones": [0.1, 0.28, 0.35],
        }
        for name, pair, x, y, home_x, home_y in rows
    ]  # fmt: skip
    return CreatureDef.model_validate(table)


def test_single_legs_that_are_written_as_if_mirrored_are_told_and_nothing_else() -> None:
    made = _star(1.0, pattern="wave")
    advice = plan_advice(made)
    assert [one.key for one in advice] == [
        f"legs[{leg}].{key}" for leg in (2, 4) for key in ("mount", "home")
    ]
    assert "it is a right leg, and its hip and its foot are on the left" in str(advice[0])
    assert plan_advice(followed(made, advice)) == []


def test_a_cycle_that_lifts_two_feet_for_a_moment_is_told_to_stand_longer() -> None:
    made = _star(pattern="wave", duty_factor=0.8)
    (advice,) = plan_advice(made)
    assert (advice.key, advice.found, advice.better) == ("gait.duty_factor", 0.8, 0.84)
    assert plan_advice(followed(made, [advice])) == []


@pytest.mark.parametrize("cone", [0.2, 0.3])
def test_all_strides_that_a_joint_forbids_are_lowered(cone: float) -> None:
    changes: dict[str, object] = {"leg_pairs[0].joints[0].cone": [cone, cone]}
    made = spoilt("biped", changes)
    (advice,) = plan_advice(made)
    walk, run = re.findall(r"(gait\S*\.stride_length) to (\S+)", advice.other)
    assert (walk[0], run[0]) == ("gait.stride_length", "gait.faster[0].stride_length")
    assert isinstance(made.gait, PhaseGaitDef)
    for (_, better), cycle in zip((walk, run), made.gait.cycles, strict=True):
        assert float(better) < cycle.stride_length
    shorter = spoilt("biped", changes | {key: float(better) for key, better in (walk, run)})
    assert not [one for one in plan_advice(shorter) if "a stride takes" in one.reason]


def test_a_stride_that_fits_level_ground_only_is_said_to() -> None:
    advice, _ = plan_advice(spoilt("hexapod", {"gait.stride_length": 0.9}))
    assert advice.reason.endswith(
        "leaves them 0.28 m to step within comfort; a stride needs 0.25 m, and 0.3 m on uneven "
        "ground"
    )


@pytest.mark.parametrize(
    ("low", "high", "need"),
    [
        ([-0.71, -0.7], [1.2, 0.7], "a stride takes the foot 0.13 m from home, for which this "),
        ([-1.9, -0.115], [1.2, 0.7], "for a crouch to a height of 0."),
    ],
)
def test_an_ankle_that_forbids_a_stride_or_a_crouch_is_named(
    low: list[float], high: list[float], need: str
) -> None:
    changes: dict[str, object] = {
        "leg_pairs[0].joints[2].lo": low,
        "leg_pairs[0].joints[2].hi": high,
    }
    (advice,) = plan_advice(spoilt("biped", changes))
    assert advice.key == "leg_pairs[0].joints[2]"
    assert need in str(advice)
    assert f"which its limits {low['out of' in str(advice)]:g} to " in str(advice)


def test_a_joint_that_forbids_a_crouch_is_named() -> None:
    (advice,) = plan_advice(spoilt("hexapod", {"leg_pairs[2].joints[1].lo": -0.45}))
    assert advice.key == "leg_pairs[2].joints[1]"
    assert "for a crouch to a height of" in str(advice)
    assert "this joint needs -0." in str(advice)


def test_the_speed_that_is_named_is_what_the_gait_carries() -> None:
    (advice,) = plan_advice(spoilt("hexapod", {"motion.speed": 1.7}))
    # swings are 0.45 of a cycle, in which a foot of 3.2 m/s goes about half of that on the whole
    assert "carries 0.73 m/s" in advice.reason
    assert advice.better == 0.73
    assert advice.other == ""  # at no stride feet are fast enough for more
    (advice,) = plan_advice(spoilt("crab", {"motion.speed": 0.6}))
    assert "carries 0.58 m/s" in advice.reason
    assert advice.other == "raise gait.stride_length to 0.32"


@pytest.mark.parametrize(("unit", "factor"), [("centimetres", 100.0), ("inches", 1 / 0.0254)])
@pytest.mark.parametrize("name", builtin_names("creature"))
def test_a_creature_all_in_another_unit_is_known(name: str, unit: str, factor: float) -> None:
    table = table_of(name)
    lengths = {"body.size", "body.ride_height", "gait.stride_length", "gait.step_height"}
    lengths |= {"gait.trigger_distance", "motion.speed"}
    for key in lengths:
        room, last = key.split(".")
        if last in table[room]:
            put(table, key, _scaled(table[room][last], factor))
    for part in (*table.get("segments", ()), *table["gait"].get("faster", ()), *table["leg_pairs"]):
        for last in {"size", "stride_length", "mount", "bones", "home"} & part.keys():
            part[last] = _scaled(part[last], factor)
    (advice,) = plan_advice(CreatureDef.model_validate(table))
    assert advice.key == "body.size"
    assert unit in advice.reason
    assert advice.better == pytest.approx(load_creature(name).body.size, rel=0.05)


def _scaled(value: float | list[float], factor: float) -> float | list[float]:
    return [factor * part for part in value] if isinstance(value, list) else factor * value


@pytest.mark.parametrize(
    ("factor", "is_fine"), [(0.02, False), (0.2, True), (5.0, True), (50.0, False)]
)
def test_sizes_are_told_beyond_two_centimetres_and_twenty_metres(
    factor: float, is_fine: bool
) -> None:
    table = table_of("spider4")
    for key in ("body.size", "body.ride_height", "gait.stride_length", "gait.step_height"):
        room, last = key.split(".")
        put(table, key, _scaled(table[room][last], factor))
    for cycle in table["gait"]["faster"]:
        cycle["stride_length"] *= factor
    for pair in table["leg_pairs"]:
        for last in ("mount", "bones", "home"):
            pair[last] = _scaled(pair[last], factor)
    put(table, "body.mass", min(3.0 * factor**3, 9999.0))
    put(table, "motion.speed", 0.6 * min(1.0, factor))
    put(table, "motion.run_speed", 1.6 * sqrt(factor))
    advice = plan_advice(CreatureDef.model_validate(table))
    assert [one.key for one in advice if "walk and window" in one.reason] != [] or is_fine
    assert advice == [] or not is_fine


@pytest.mark.slow
def test_advice_survives_any_plan() -> None:
    rng, seen = random.Random(5), 0
    for _ in range(60):
        table = table_of(rng.choice(builtin_names("creature")))
        key = rng.choice(["body.mass", "body.ride_height", "body.size", "motion.speed",
                          "gait.step_height", "leg_pairs[0].home", "leg_pairs[0].bones",
                          "leg_pairs[0].mount", "motion.lean", "motion.turn_rate"])  # fmt: skip
        room, last = key.replace("[0]", "").split(".")
        holder = table[room][0] if room == "leg_pairs" else table[room]
        value = holder.get(last, 0.2)
        put(table, key, _scaled(value, rng.choice([1e-3, 0.01, 0.3, 0.8, 1.5, 3.0, 40.0, 1e3])))
        try:
            made = CreatureDef.model_validate(table)
        except ValidationError:
            continue
        for one in plan_advice(made):
            json.dumps(one.document(), allow_nan=False)
            seen += str(one) != ""
    assert seen > 15


def test_creatures_on_one_spot_are_sent_apart() -> None:
    world = herd("meadow", "hexapod", [(3.0, -2.0), (3.0, -2.0), (3.2, -2.0), (3.0, 1.0)])
    advice = crowd_advice(world)
    assert [one.key for one in advice] == ["creatures[1].position", "creatures[2].position"]
    assert "creatures[0], at 3, -2" in advice[0].reason
    better = {int(one.key[10]): one.better for one in advice if isinstance(one.better, list)}
    places = tuple(
        placement.model_copy(update={"position": tuple(better.get(index, placement.position))})
        for index, placement in enumerate(world.creatures)
    )
    assert crowd_advice(world.model_copy(update={"creatures": places})) == []


def test_footprints_turn_with_the_heading() -> None:
    world = herd("meadow", "millipede", [(0.0, 0.0), (0.0, 1.0)])
    assert crowd_advice(world) == []
    turned = PlacementDef(creature="millipede", position=(0.0, 1.0), heading=1.5708)
    world = world.model_copy(update={"creatures": (world.creatures[0], turned)})
    assert [one.key for one in crowd_advice(world)] == ["creatures[1].position"]


def test_a_crowd_gets_few_lines() -> None:
    advice = crowd_advice(herd("meadow", "spider4", [(0.0, 0.0)] * 300))
    assert len(advice) == 11
    assert advice[-1].reason == "289 more start in the feet of others"


@pytest.mark.slow
def test_check_prints_warnings_and_exits_with_0(tmp_path: Path) -> None:
    text = (builtin_folder("creature") / "hexapod.toml").read_text()
    (tmp_path / "tall.toml").write_text(text.replace("ride_height = 0.26", "ride_height = 0.42"))
    (tmp_path / "place.toml").write_text(
        'name = "place"\n[terrain]\nkind = "flat"\n'
        '[[creatures]]\ncreature = "tall.toml"\n[[creatures]]\ncreature = "spider4"\n'
    )
    done = process("check", "tall.toml", cwd=tmp_path)
    assert done.returncode == 0
    first, second = done.stdout.splitlines()
    assert first == "ok: tall.toml is a valid creature: 6 legs, phase gait"
    assert second == (
        "warning: tall.toml:7: body.ride_height: the legs are at 82 % of their reach at rest, "
        "which leaves them 0.091 m to step within comfort of the 0.12 m that a stride needs: "
        "lower body.ride_height from 0.42 to 0.27"
    )
    done = sim("check", "--json", "place.toml", cwd=tmp_path)
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert (found["ok"], found["kind"], found["problems"]) == (True, "world", [])
    crowd, tall = found["warnings"]
    assert (crowd["file"], crowd["key"]) == ("place.toml", "creatures[1].position")
    assert tall["file"].endswith("tall.toml")
    assert (tall["key"], tall["found"], tall["better"]) == ("body.ride_height", 0.42, 0.27)


def test_keys_of_a_species_begin_with_its_place_in_the_world(tmp_path: Path) -> None:
    body = (builtin_folder("creature") / "spider4.toml").read_text()
    body = body.replace("step_height = 0.10", "step_height = 0.01")
    species = body.replace("[[", "[[species.bug.").replace("\n[", "\n[species.bug.")
    species = species.replace("[species.bug.[", "[[").replace("\nname =", "\n[species.bug]\nname =")
    (tmp_path / "place.toml").write_text(
        'name = "place"\n[terrain]\nkind = "flat"\n[[creatures]]\ncreature = "bug"\n' + species
    )
    done = sim("check", "place.toml", cwd=tmp_path)
    assert ": species.bug.gait.step_height: feet rise by" in done.stdout


def test_check_json_lists_problems(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text('name = "bad"\n')
    done = sim("check", "--json", "bad.toml", cwd=tmp_path)
    assert done.returncode == 2
    found = json.loads(done.stdout)
    assert found["ok"] is False
    assert found["warnings"] == []
    assert any("body" in problem for problem in found["problems"])


def test_a_long_chain_is_told(tmp_path: Path) -> None:
    text = (builtin_folder("world") / "arm.toml").read_text()
    (tmp_path / "arm.toml").write_text(text.replace("[0.34, 0.30, 0.16]", "[34.0, 30.0, 16.0]"))
    done = sim("check", "arm.toml", cwd=tmp_path)
    assert done.returncode == 0
    assert ": chains[0].bones: 80 m is longer than 20 m" in done.stdout


def test_worlds_of_many_kinds_have_no_crowd() -> None:
    for name in builtin_names("world"):
        assert crowd_advice(load_world(name)) == []


def test_legs_without_room_for_footholds_are_named_with_a_thickness_that_leaves_it() -> None:
    legs = LONG_LEGS.copy()
    advice = list(crowded(Shape(spoilt("hexapod", legs))))
    assert [one.key for one in advice] == [f"leg_pairs[{index}].thickness" for index in range(3)]
    for one in advice:
        assert "so that no foothold is free" in str(one)
        thinner = re.search(r"to \[([\d., ]+)\]", one.remedy)
        assert thinner is not None
        legs[one.key] = [float(word) for word in thinner[1].split(", ")]
    assert list(crowded(Shape(spoilt("hexapod", legs)))) == []


def test_a_body_that_cannot_be_lower_is_not_told_to_be() -> None:
    assert Shape(spoilt("hexapod", {"body.ride_height": 0.42})).is_tall
    stubby: dict[str, object] = {
        "body.size": [1.2, 0.5, 0.3],  # no body comes lower than three quarters of its height
        "body.ride_height": 0.22,
        "leg_pairs[*].joints": [],
        "leg_pairs[*].bones": [0.06, 0.09, 0.09],
    }
    for index, x in enumerate((0.45, 0.0, -0.45)):
        stubby |= {f"leg_pairs[{index}].mount": [x, 0.25, -0.1]}
        stubby |= {f"leg_pairs[{index}].home": [1.05 * x, 0.37]}
    stubby |= {"gait.stride_length": 0.1, "motion.speed": 0.2}
    shape = Shape(spoilt("hexapod", stubby))
    assert shape.stretch > 0.7
    assert not shape.is_tall  # `run` said: lower body.ride_height from 0.22 to 0.22
