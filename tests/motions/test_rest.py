"""Creatures sit, fold their legs, and stand up again."""

import json
from pathlib import Path

import numpy as np
import pytest

from creature_sim.components import FOLDED, OVERTURNED, REFUSALS, SITTING, STANDING, WALKING
from creature_sim.definitions import WorldDef
from creature_sim.definitions.drive import parse_drive
from creature_sim.errors import CreatureSimError, DefinitionError
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature
from creature_sim.library.variants import with_creature
from creature_sim.replay import open_replay, record, verify
from creature_sim.replay.codec import decode_input, encode_input
from creature_sim.score import score_track, tracks
from creature_sim.score.summary import Odometer
from creature_sim.score.surface import Surface
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import CreatureState
from tests.marks import sample_of
from tests.scenes import scene

ALL = ("hexapod", "spider4", "spider8", "ant", "crab", "biped", "centipede", "millipede")
SOME = sample_of(ALL, slow=("hexapod", "spider4", "crab", "biped", "centipede"))
"""One of each build."""
STILL = Input.of([()])


def ask(kind: str, creature: int = 0) -> Input:
    """A tick in which a creature that stands is asked for something."""
    return Input.of([()], [Event(kind, creature)])


def go(simulation: Simulation, seconds: float, given: Input = STILL) -> list[CreatureState]:
    """The first creature, tick by tick, while the same drives it."""
    found = []
    for _ in range(round(seconds * simulation.world.tick_rate)):
        simulation.step(given)
        found.append(simulation.snapshot.creatures[0])
    return found


def flat(creature: str, terrain: dict[str, object] | None = None, **placement: object) -> WorldDef:
    """Level ground, or other ground, with one creature that stands."""
    whole = {
        "name": "here",
        "driver": "stop 1",
        "terrain": terrain or {"kind": "flat"},
        "creatures": [{"creature": creature, **placement}],
    }
    return with_creature(WorldDef.model_validate(whole), load_creature(creature))


def belly(creature: CreatureState) -> float:
    """Height of the lowest corner of a trunk over ground at 0 [m]."""
    lowest = np.inf
    for segment, plan in zip(creature.segments, creature.plan.segments, strict=True):
        x, y, z, w = segment.orientation
        row = (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
        drop = plan.front * abs(row[0]) + plan.side * abs(row[1]) + plan.top * abs(row[2])
        lowest = min(lowest, float(segment.position[2] - drop))
    return lowest


def up(creature: CreatureState) -> float:
    """How much of its up is up, -1 to 1."""
    x, y, _, _ = creature.orientation
    return float(1.0 - 2.0 * (x * x + y * y))


def nose(creature: CreatureState) -> float:
    """How far it looks up, the sine."""
    x, y, z, w = creature.orientation
    return float(2.0 * (x * z - w * y))


@pytest.mark.slow
def test_four_legs_sit_with_their_hind_down_and_stand_up_before_they_fold() -> None:
    with Simulation(flat("spider4")) as simulation:
        go(simulation, 0.5)
        simulation.step(ask("sit"))
        sits = go(simulation, 2.0)
        assert sits[-1].flight.stage == SITTING
        assert 0.3 < nose(sits[-1]) < 0.5
        assert belly(sits[-1]) > 0.0
        simulation.step(ask("fold"))
        folds = go(simulation, 4.0)
        assert max(float(one.position[2]) for one in folds) > 0.28
        assert folds[-1].flight.stage == FOLDED
        assert abs(nose(folds[-1])) < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("creature", SOME)
def test_a_creature_sits_on_feet_that_do_not_move_and_stands_up_again(creature: str) -> None:
    with Simulation(flat(creature)) as simulation:
        before = go(simulation, 0.5)[-1]
        simulation.step(ask("sit"))
        sits = go(simulation, 3.0)
        simulation.step(ask("stand"))
        stands = go(simulation, 3.0)
    reach = before.plan.body[0].reach
    assert sits[-1].flight.stage == SITTING
    assert before.position[2] - sits[-1].position[2] > 0.3 * before.position[2]
    for one in (*sits, *stands):
        assert np.abs(one.tips - before.tips).max() < 1e-8 * reach
        assert belly(one) > 0.0
    assert stands[-1].flight.stage == WALKING
    assert stands[-1].position[2] == pytest.approx(before.position[2], abs=0.01 * reach)


@pytest.mark.slow
@pytest.mark.parametrize("creature", SOME)
def test_a_creature_lies_on_its_belly_with_its_legs_drawn_in(creature: str) -> None:
    with Simulation(flat(creature)) as simulation:
        before = go(simulation, 0.5)[-1]
        simulation.step(ask("fold"))
        folds = go(simulation, 4.0)
        lies = folds[-1]
        simulation.step(ask("stand"))
        stands = go(simulation, 4.0)
        walks = go(simulation, 2.0, Input.of([(0.5,)]))
    assert lies.flight.stage == FOLDED
    reach = before.plan.body[0].reach
    assert min(belly(one) for one in (*folds, *stands)) > 0.0
    if creature != "biped":  # who lies over its feet
        assert belly(lies) < 0.02 * reach
    width = np.abs(before.tips[:, :2] - before.position[:2]).max(axis=0)
    assert (np.abs(lies.tips[:, :2] - lies.position[:2])[:, 1] < width[1] + 1e-6).all()
    assert stands[-1].flight.stage == WALKING
    assert stands[-1].position[2] == pytest.approx(before.position[2], abs=0.01 * reach)
    assert (stands[-1].feet["phase"] == STANDING).all()
    assert np.linalg.norm(walks[-1].position - stands[-1].position) > 0.5 * reach


@pytest.mark.slow
@pytest.mark.parametrize("creature", SOME)
def test_who_starts_on_its_back_turns_over_and_stands_up(creature: str) -> None:
    with Simulation(flat(creature, overturned=True)) as simulation:
        states = go(simulation, 7.0)
        walks = go(simulation, 2.0, Input.of([(0.5,)]))
    reach = states[0].plan.body[0].reach
    assert states[0].flight.stage == OVERTURNED
    assert up(states[0]) < -0.9
    assert belly(states[0]) < 0.02 * reach
    for one in states:
        assert belly(one) > -1e-9
        assert one.joints[..., 2].min() > -0.02 * reach
    assert states[-1].flight.stage == WALKING
    height = states[-1].definition.body.ride_height
    assert states[-1].position[2] == pytest.approx(height, abs=0.02 * reach)
    assert (states[-1].feet["phase"] == STANDING).all()
    assert np.linalg.norm(walks[-1].position - states[-1].position) > 0.5 * reach


@pytest.mark.slow
def test_who_starts_on_its_back_and_folded_turns_over_and_lies() -> None:
    with Simulation(flat("spider4", overturned=True, folded=True)) as simulation:
        lies = go(simulation, 6.0)[-1]
    assert lies.flight.stage == FOLDED
    assert up(lies) > 0.999


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "spider8"])
def test_who_is_thrown_over_a_ledge_comes_down_tumbling_and_gets_up(creature: str) -> None:
    terrain: dict[str, object] = {
        "kind": "gap",
        "width": 6.0,
        "depth": 2.0,
        "spacing": 2.0,
        "clearing": 0.9,
    }
    with Simulation(flat(creature, terrain)) as simulation:
        go(simulation, 0.5)
        simulation.step(Input.of([()], [Event("push", 0, velocity=(6.0, 0.0, 0.0))]))
        states = go(simulation, 6.0)
    assert OVERTURNED in {int(one.flight.stage) for one in states}
    reach = states[0].plan.body[0].reach
    for one in states[-400:]:
        if one.position[2] < -1.0:
            assert belly(one) > -2.0 - 1e-9
            assert one.joints[..., 2].min() > -2.0 - 0.03 * reach
    assert states[-1].flight.stage == WALKING
    assert up(states[-1]) > 0.99
    height = states[-1].definition.body.ride_height
    assert states[-1].position[2] == pytest.approx(-2.0 + height, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("creature", SOME)
def test_joints_keep_their_limits_and_bones_stay_out_of_the_ground(creature: str) -> None:
    drive = "stop 0.5; sit; stop 1.5; stand; stop 1; fold; stop 2.5; stand; stop 2.5"
    world = flat(creature).model_copy(update={"driver": drive})
    with Simulation(world) as simulation:
        states = [simulation.snapshot]
        for _ in range(480):
            simulation.step()
            states.append(simulation.snapshot)
        (track,) = tracks(states, world.tick_rate)
        metrics = score_track(track, Surface(simulation.physics), world)
    for key in ("M1", "M6", "M13", "M22", "M27"):
        assert metrics[key].verdict != "fail", (key, metrics[key])


def test_a_body_rises_beyond_its_height_and_comes_back() -> None:
    with Simulation(flat("hexapod")) as simulation:
        before = go(simulation, 0.5)[-1].position[2]
        simulation.step(ask("sit"))
        go(simulation, 2.0)
        simulation.step(ask("stand"))
        heights = np.array([one.position[2] for one in go(simulation, 2.5)])
    assert 0.001 < heights.max() - before < 0.03
    assert np.abs(np.diff(heights, n=2)).max() < 0.003


@pytest.mark.slow
def test_who_is_told_to_walk_stands_up_first() -> None:
    with Simulation(flat("hexapod")) as simulation:
        simulation.step(ask("fold"))
        here = go(simulation, 3.0)[-1].position
        walks = go(simulation, 4.0, Input.of([(1.0,)]))
    assert here[2] < 0.1
    assert walks[0].gait.rest == 0
    assert walks[-1].position[0] > 1.0
    for one in walks:
        if one.flight.stage == FOLDED:
            assert np.linalg.norm(one.position - here) < 1e-9


@pytest.mark.slow
def test_one_rest_follows_another() -> None:
    with Simulation(flat("spider4")) as simulation:
        for kind, stage in (("sit", SITTING), ("fold", FOLDED), ("sit", SITTING)):
            simulation.step(ask(kind))
            assert go(simulation, 3.0)[-1].flight.stage == stage


def test_who_starts_folded_lies_until_it_is_told_otherwise_and_again_after_a_reset() -> None:
    with Simulation(flat("spider4", folded=True)) as simulation:
        lies = go(simulation, 1.0)
        assert {int(one.flight.stage) for one in lies} == {FOLDED}
        assert max(np.abs(one.position - lies[0].position).max() for one in lies) < 1e-9
        assert belly(lies[0]) < 0.02
        simulation.step(ask("stand"))
        assert go(simulation, 3.0)[-1].position[2] == pytest.approx(0.3, abs=0.01)
        simulation.step(ask("reset"))
        assert go(simulation, 0.1)[-1].flight.stage == FOLDED


def test_a_newcomer_may_start_folded() -> None:
    with Simulation(flat("spider4")) as simulation:
        simulation.spawn(load_creature("hexapod"), (2.0, 0.0), folded=True)
        simulation.step(Input.of([(), ()]))
        assert simulation.snapshot.creatures[1].flight.stage == FOLDED


def test_nobody_starts_folded_where_no_ground_is_below_its_belly() -> None:
    world = flat("hexapod", folded=True)
    terrain = {"kind": "gap", "width": 0.5, "depth": 2.0, "spacing": 2.0, "clearing": 0.25}
    whole = world.model_dump() | {"terrain": terrain}
    whole["creatures"] = [{"creature": "hexapod", "folded": True, "position": [0.5, 0.0]}]
    with pytest.raises(CreatureSimError, match="position: expected ground"):
        Simulation(with_creature(WorldDef.model_validate(whole), load_creature("hexapod")))


@pytest.mark.parametrize(
    ("before", "kind", "why"),
    [
        (Input.of([(1.0,)]), "sit", "it is told to walk"),
        (
            Input.of([()], [Event("leap", 0, point=(1.0, 0.0, 0.0))]),
            "fold",
            "it leaps or falls",
        ),
    ],
)
def test_a_rest_is_refused_with_a_reason(before: Input, kind: str, why: str) -> None:
    world = flat("hexapod")
    with Simulation(world) as simulation:
        odometer = Odometer(world, [simulation.snapshot.creatures[0].position])
        go(simulation, 0.2)
        simulation.step(before)
        go(simulation, 0.2)
        simulation.step(Input(before.commands, (Event(kind, 0),)))
        odometer.write(simulation.input, simulation.snapshot)
        creature = simulation.snapshot.creatures[0]
        assert REFUSALS[creature.flight.refusal] == why
        assert creature.gait.rest == 0
    assert odometer.summary()["creatures"][0]["refused"] == [
        {"tick": 26, "motion": kind, "reason": why}
    ]


@pytest.mark.parametrize("event", [Event("sit", 0, turn=(0.1, 0.0, 0.0)), Event("stand", 0, leg=1)])
def test_a_rest_takes_no_numbers(event: Event) -> None:
    with (
        Simulation(flat("hexapod")) as simulation,
        pytest.raises(DefinitionError, match="expected nothing, found"),
    ):
        simulation.step(Input.of([()], [event]))


def test_words_of_a_drive() -> None:
    drive = parse_drive("stop 1; sit; stop 1; stand; fold; stop 1")
    assert [blow.motion for blow in drive.blows] == ["sit", "stand", "fold"]
    for wrong in ("fold 1", "fold now"):
        with pytest.raises(DefinitionError, match=f"expected 'fold' alone, found '{wrong}'"):
            parse_drive(f"stop 1; {wrong}")


@pytest.mark.slow
def test_a_recording_of_rests_is_verified(tmp_path: Path) -> None:
    given = ask("fold")
    assert decode_input(json.loads(encode_input(3, given))) == given
    world = scene("hills", "spider8", driver="stop 0.2; fold; stop 2; stand; stop 1.5; forward 1")
    path = tmp_path / "rest.mcap"
    record(world, path, 300)
    assert verify(open_replay(path)).ok is True


def test_an_earlier_state_goes_on_as_it_did() -> None:
    with Simulation(flat("hexapod", folded=True)) as simulation:
        simulation.step(ask("stand"))
        go(simulation, 0.4)
        state = simulation.snapshot
        go(simulation, 2.0)
        digest = simulation.digest
        simulation.restore(state)
        go(simulation, 2.0)
        assert simulation.digest == digest
