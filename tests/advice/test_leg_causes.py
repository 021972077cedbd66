"""What mends legs that pass through others, the ground and their limits, and feet that hurry."""

from collections.abc import Mapping

import pytest

from creature_sim.advice import Advice, mends_of, mends_text
from creature_sim.advice.causes import hindered
from creature_sim.definitions import CreatureDef
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.score import Metric, Surface, Walk, tracks
from creature_sim.score.registry import metric_specs
from tests.advice.spoiling import columns, followed, spoilt
from tests.climbers import in_room
from tests.rays import rays_on
from tests.scenes import walk
from tests.score.leg_walkers import popping, tangling, whipping


def walked(changes: dict[str, object]) -> Walk:
    """Three seconds of a hexapod whose file was changed, on level ground."""
    return walked_by(spoilt("hexapod", changes))


def walked_by(creature: CreatureDef) -> Walk:
    """Three seconds of a creature on level ground."""
    made = with_creature(load_world("meadow"), creature)
    made = made.model_copy(update={"terrain": made.terrain.model_copy(update={"amplitude": 0.0})})
    (track,) = tracks(walk(made, 180), made.tick_rate)
    return Walk(track, Surface(rays_on(made.terrain, made.seed)), "meadow")


def mend(found: Walk, key: str) -> list[Advice]:
    metrics: Mapping[str, Metric] = {key: metric_specs()[key].measure(found)}
    assert metrics[key].verdict == "fail"
    return mends_of(found, metrics)[key]


def test_bones_that_are_too_thick_are_named_with_what_is_usual() -> None:
    found = walked({"leg_pairs[1].thickness": [0.09, 0.2, 0.2]})
    advice = mend(Walk(tangling(found.track), found.ground), "M22")
    assert [one.key for one in advice] == ["leg_pairs[1].thickness"]
    assert advice[0].better == [0.045, 0.045, 0.045]
    assert mends_text({"M22": advice, "M27": advice}) == [
        "M22, M27: the bones are 0.2 m thick, 0.31 of the reach: change leg_pairs[1].thickness "
        "from [0.09, 0.2, 0.2] to [0.045, 0.045, 0.045]"
    ]


def test_knees_that_meet_are_seen_in_the_walk_and_no_more_where_their_pole_is_changed() -> None:
    advice = mend(walked_by(columns()), "M22")
    assert [one.key for one in advice] == ["leg_pairs[1].pole"]
    mended = walked_by(followed(columns(), advice))
    assert metric_specs()["M22"].measure(mended).verdict == "excellent"


def test_feet_that_rest_near_each_other_take_shorter_strides() -> None:
    homes: dict[str, object] = {
        f"leg_pairs[{i}].home": [x, 0.42] for i, x in enumerate((0.12, 0.0, -0.12))
    }
    found = walked(homes)
    (advice,) = mend(Walk(tangling(found.track), found.ground), "M22")
    assert advice.key == "gait.stride_length"
    assert advice.remedy.endswith("or move home of the leg pairs apart")


def test_feet_that_hurry_go_lower_or_slower() -> None:
    high = walked({"gait.step_height": 0.35})
    (lower,) = mend(Walk(whipping(high.track), high.ground), "M24")
    assert (lower.key, lower.better) == ("gait.step_height", 0.091)
    usual = walked({})
    (slower,) = mend(Walk(whipping(usual.track), usual.ground), "M24")
    assert slower.key == "motion.speed"
    assert isinstance(slower.better, float)
    assert slower.better < 0.7


def test_joints_that_forbid_a_stride_are_named() -> None:
    narrow = {"kind": "hinge", "axis": [0.0, 0.0, 1.0], "lo": -0.1, "hi": 0.1}
    found = walked({"leg_pairs[1].joints[0]": narrow})
    advice = mend(Walk(popping(found.track), found.ground), "M26")
    assert advice[0].key == "leg_pairs[1].joints[0]"
    assert "widen its limits" in advice[0].remedy


@pytest.mark.slow
def test_who_climbs_is_sent_to_no_gentler_ground() -> None:
    """Of one that went up a wall it said that it walked on slopes of more than 90 degrees."""
    world = in_room(load_creature("ant").climbing, position=(2.9, 0.0))
    world = world.model_copy(update={"driver": "forward 9"})
    (track,) = tracks(walk(world, 360), world.tick_rate)
    assert rotation_matrices(track.level_rotation)[-1].reshape(-1, 3, 3)[0, 2, 2] < 0.5
    found = Walk(track, Surface(rays_on(world.terrain, world.seed)), "room")
    assert not [advice for advice in hindered(found) if "slopes" in advice.reason]
