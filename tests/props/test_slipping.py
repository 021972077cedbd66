"""Who does not climb loses its footing on a prop that turns it too steep."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from creature_sim.components import FLYING_FREE, GROUND, STANDING
from creature_sim.inputs import Event, Input
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import Floats
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from tests.props.test_props import local, prop_of, run, world_of
from tests.props.test_turning import CAROUSEL, DRUM

WHEEL = DRUM | {"position": [0.0, 0.0, 2.2], "motion": "kinematic", "spin": [0.0, 0.3, 0.0]}
BOX: dict[str, Any] = {
    "shape": "box",
    "size": [3.0, 3.0, 0.4],
    "position": [0.0, 0.0, 2.0],
    "motion": "kinematic",
    "spin": [0.2, 0.7, 0.3],
}
ROUNDABOUT = CAROUSEL | {"radius": 1.2, "spin": [0.0, 0.0, 1.2]}


def level_of(snapshot: Snapshot) -> float:
    """Cosine of how steep it is, on the whole, where feet stand; of who stands nowhere 1."""
    feet = snapshot.creatures[0].feet
    whole = feet["goal_normal"][feet["phase"] == STANDING].sum(axis=0)
    return float(whole[2] / np.linalg.norm(whole)) if whole.any() else 1.0


def beyond(prop: dict[str, Any], snapshot: Snapshot, points: Floats) -> Floats:
    """How far points (..., 3) are outside of the first prop; less than 0: within it [m]."""
    own = local(prop_of(snapshot), points)
    if prop["shape"] == "cylinder":
        across = np.hypot(own[..., 0], own[..., 1]) - prop["radius"]
        outside = np.stack([across, abs(own[..., 2]) - 0.5 * prop["length"]], axis=-1)
    else:
        outside = abs(own) - 0.5 * np.array(prop["size"])
    far: Floats = np.linalg.norm(np.maximum(outside, 0.0), axis=-1)
    far += np.minimum(outside.max(axis=-1), 0.0)
    return far


@pytest.mark.parametrize("prop", [WHEEL, BOX], ids=["wheel", "box"])
@pytest.mark.parametrize(
    "creature",
    [
        "hexapod",
        pytest.param("ant", marks=pytest.mark.slow),
        pytest.param("biped", marks=pytest.mark.slow),
        pytest.param("centipede", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("driver", ["stop 9; forward 60", "wander"])
def test_who_is_turned_over_falls_clear_of_it_and_walks_on(
    prop: dict[str, Any], creature: str, driver: str
) -> None:
    snapshots = run(world_of(prop, creature=creature, driver=driver), 780)
    assert min(map(level_of, snapshots)) > 0.5
    flies = [s.creatures[0].flight["stage"] == FLYING_FREE for s in snapshots]
    assert sum(b and not a for a, b in pairwise(flies)) == 1
    for snapshot, is_in_flight in zip(snapshots, flies, strict=True):
        state = snapshot.creatures[0]
        if is_in_flight:
            assert beyond(prop, snapshot, state.segments["position"]).min() > -0.05
    last, end = snapshots[-120].creatures[0], snapshots[-1].creatures[0]
    for state in (last, end):
        assert state.flight["stage"] == 0
        assert (state.feet["prop"] == GROUND).all()
    assert level_of(snapshots[-1]) == pytest.approx(1.0)
    assert np.linalg.norm(end.position - last.position) > 0.3


@pytest.mark.parametrize("prop", [BOX, ROUNDABOUT], ids=["box", "roundabout"])
@pytest.mark.parametrize("driver", ["forward 60", "wander"])
def test_feet_on_what_turns_stand_on_it_and_go_with_it(prop: dict[str, Any], driver: str) -> None:
    """Those that let go come back to where it has gone, not to where it was."""
    stood: Floats | None = None
    for snapshot in run(world_of(prop, driver=driver), 600):
        feet = snapshot.creatures[0].feet
        places = feet["position"]
        gaps = beyond(prop, snapshot, places)
        stands = feet["phase"] == STANDING
        on_prop = stands & (places[:, 2] > 1e-3)
        assert abs(gaps[on_prop]).max(initial=0.0) < 1e-6
        now = np.where(on_prop[:, None], local(prop_of(snapshot), places), np.nan)
        if stood is not None:
            assert np.nanmax(np.append(abs(now - stood), 0.0)) < 1e-6
        stood = now


def test_who_stands_on_what_turns_about_the_vertical_keeps_its_footing() -> None:
    snapshots = run(world_of(CAROUSEL, driver="stop 60"), 300)
    assert not any(s.creatures[0].flight["stage"] for s in snapshots)
    assert (snapshots[-1].creatures[0].feet["prop"] == 0).all()


def test_friction_holds_feet_no_longer_than_on_a_slope() -> None:
    slippery = world_of(WHEEL, driver="stop 60", friction=0.5)
    snapshots = run(slippery, 300)
    assert min(map(level_of, snapshots)) == pytest.approx(1.0 / np.hypot(1.0, 0.5), abs=0.02)
    assert min(map(level_of, run(world_of(WHEEL, driver="stop 60"), 300))) == pytest.approx(
        STEEPEST, abs=0.02
    )


@pytest.mark.parametrize("kind", ["sit", "fold"])
def test_who_is_told_to_rest_meanwhile_falls_too_and_rests_on_the_ground(kind: str) -> None:
    slow = BOX | {"spin": [0.1, 0.0, 0.0]}
    told = Input(((0, 0, 0, 0),), (Event(kind, 0),))
    with Simulation(world_of(slow, driver="stop 60")) as simulation:
        for tick in range(900):
            simulation.step(told if tick == 10 else None)
            assert level_of(simulation.snapshot) > 0.5
        end = simulation.snapshot.creatures[0]
    assert end.position[2] < 0.2  # it lies, or sits, on the floor
    assert abs(end.position[0]) < 3.0
