"""Runs as Universal Scene Description, opened with usd-core."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from creature_sim.drivers import make_driver
from creature_sim.replay import Replay, open_replay, record
from creature_sim.snapshots.poses import pose_of
from tests.commands import sim
from tests.export.recordings import COMES, GOES, joint_error, with_changes
from tests.export.test_loops import steady
from tests.scenes import scene

pxr = pytest.importorskip("pxr")
from pxr import Usd, UsdGeom, UsdSkel  # noqa: E402

NEAR = 1e-5
"""Joints at keys are as near to those of the run [m]."""


def written(recording: Path, *words: str) -> Any:
    folder = recording.parent
    done = sim("export", recording.name, "-o", "out.usda", "--force", *words, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return Usd.Stage.Open(str(folder / "out.usda"))


def joints_at(stage: Any, path: str, code: float) -> dict[str, Any]:
    """Where all joints of a skeleton are, by their own names, [m, world]."""
    prim = UsdSkel.Skeleton(stage.GetPrimAtPath(f"{path}/skeleton"))
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root(stage.GetPrimAtPath(path)), Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(prim)
    matrices = query.ComputeJointWorldTransforms(UsdGeom.XformCache(code))
    return {
        str(token).rsplit("/", 1)[-1]: np.array(matrix)[3, :3]
        for token, matrix in zip(query.GetJointOrder(), matrices, strict=True)
    }


def check(stage: Any, replay: Replay, number: int, tick: int, path: str) -> None:
    (state,) = [state for state in replay.rerun() if state.tick == tick]
    plan = replay.world.species_of(replay.world.creatures[number])
    creature = pose_of(state).creature(number)
    assert joint_error(joints_at(stage, path, tick), plan, creature) < NEAR


@pytest.mark.slow
def test_skeletons_ground_and_skins(tmp_path: Path) -> None:
    world = scene("hills", "hexapod")
    record(world, tmp_path / "walk.mcap", 60, driver=make_driver(world))
    stage = written(tmp_path / "walk.mcap")
    assert UsdGeom.GetStageUpAxis(stage) == "Z"
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert (stage.GetTimeCodesPerSecond(), stage.GetEndTimeCode()) == (60.0, 60.0)
    assert stage.GetRootLayer().customLayerData["recording"] == "walk.mcap"
    replay = open_replay(tmp_path / "walk.mcap")
    for tick in (0, 30, 60):
        check(stage, replay, 0, tick, "/world/_0_hexapod")
    assert UsdGeom.Mesh(stage.GetPrimAtPath("/world/ground")).GetPointsAttr().Get()
    skin = stage.GetPrimAtPath("/world/_0_hexapod/skin")
    binding = UsdSkel.BindingAPI(skin)
    points = UsdGeom.Mesh(skin).GetPointsAttr().Get()
    assert len(binding.GetJointIndicesPrimvar().Get()) == len(points)
    # Its bones move it: baked by usd-core, the pads stand where the tips are.
    UsdSkel.BakeSkinning(UsdSkel.Root(stage.GetPrimAtPath("/world/_0_hexapod")))
    baked = np.array(UsdGeom.Mesh(skin).GetPointsAttr().Get(60.0))
    (state,) = [state for state in replay.rerun() if state.tick == 60]
    for tip in pose_of(state).creature(0).joints[:, -1]:
        assert np.sqrt(((baked - tip) ** 2).sum(axis=1)).min() < 0.05


@pytest.mark.slow
def test_creatures_of_a_kind_share_a_skin(tmp_path: Path) -> None:
    stage = written(with_changes(tmp_path / "walk.mcap"))
    kinds = stage.GetPrimAtPath("/skins").GetAllChildren()
    skins = [stage.GetPrimAtPath(f"/world/_{name}/skin") for name in ("0_hexapod", "1_hexapod")]
    assert len(kinds) == 2
    assert not [prim for prim in stage.Traverse() if prim.GetPath().HasPrefix("/skins")]
    for skin in skins:
        assert (
            UsdSkel.BindingAPI(skin)
            .GetSkeletonRel()
            .GetTargets()[0]
            .HasPrefix(skin.GetParent().GetPath())
        )
        assert len(UsdGeom.Mesh(skin).GetPointsAttr().Get()) > 100
        assert len(UsdSkel.BindingAPI(skin).GetJointIndicesPrimvar().Get()) > 100


@pytest.mark.slow
def test_it_is_a_sound_file(tmp_path: Path) -> None:
    world = scene("platforms", "hexapod")
    record(world, tmp_path / "walk.mcap", 30, driver=make_driver(world))
    stage = written(tmp_path / "walk.mcap")
    checks = pytest.importorskip("pxr.UsdValidation")  # of later versions
    context = checks.ValidationContext(checks.ValidationRegistry().GetOrLoadAllValidators())
    assert [error.GetMessage() for error in context.Validate(stage)] == []


@pytest.mark.slow
def test_props_move_as_in_the_run(tmp_path: Path) -> None:
    world = scene("platforms", "hexapod")
    record(world, tmp_path / "walk.mcap", 240, driver=make_driver(world))
    stage = written(tmp_path / "walk.mcap")
    states = list(open_replay(tmp_path / "walk.mcap").rerun())
    for tick in (0, 120, 240):
        cache = UsdGeom.XformCache(tick)
        for number, prop in enumerate(world.props):
            prim = stage.GetPrimAtPath(f"/world/prop_{number}_{prop.shape}")
            place = np.array(cache.GetLocalToWorldTransform(prim))[3, :3]
            assert np.abs(place - states[tick].props.records["position"][number]).max() < 6e-5


@pytest.mark.slow
def test_creatures_that_come_and_go_are_seen_meanwhile(tmp_path: Path) -> None:
    replay = open_replay(with_changes(tmp_path / "changes.mcap"))
    stage = written(tmp_path / "changes.mcap")
    second = UsdGeom.Imageable(stage.GetPrimAtPath("/world/_1_hexapod"))
    for tick in (0, COMES, COMES + 1, GOES, GOES + 1):
        seen = second.ComputeVisibility(tick) == UsdGeom.Tokens.inherited
        assert seen == (COMES < tick <= GOES)
    check(stage, replay, 1, COMES + 1, "/world/_1_hexapod")
    check(stage, replay, 2, 60, "/world/_2_spider4")


@pytest.mark.slow
def test_a_loop_says_what_it_is(tmp_path: Path) -> None:
    steady(tmp_path / "walk.mcap", "hexapod", "forward 20")
    done = sim("export", "walk.mcap", "-o", "loop.usda", "--loop", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    stage = Usd.Stage.Open(str(tmp_path / "loop.usda"))
    data = stage.GetRootLayer().customLayerData
    assert data["loop"] is True
    assert data["speed"] > 0.1
    assert any(event.endswith("lift-off L1") for event in data["events"])
