"""What happens to creatures, and why they step, as replays tell it."""

import json
from pathlib import Path

import numpy as np
import pytest
from mcap.reader import make_reader

from creature_sim.components import REASONS
from creature_sim.definitions import CreatureDef
from creature_sim.definitions.drive import Timeline, parse_drive
from creature_sim.drivers import make_driver
from creature_sim.errors import DefinitionError
from creature_sim.inputs import Event
from creature_sim.lab import push_recovery
from creature_sim.library.loader import load_creature
from creature_sim.replay import open_replay, record, verify
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Refusal
from tests.commands import sim
from tests.scenes import scene


def steps_of(path: Path) -> list[dict[str, object]]:
    with path.open("rb") as file:
        messages = make_reader(file).iter_messages(topics=["/event"])
        return [json.loads(message.data) for _, _, message in messages]


@pytest.mark.slow
def test_every_step_of_a_replay_says_why_and_where_to(tmp_path: Path) -> None:
    path = tmp_path / "walk.mcap"
    record(scene("steps", "spider8", driver="forward 3; stop 3"), path, 360)
    steps = steps_of(path)
    assert len(steps) > 15
    assert {step["reason"] for step in steps} <= set(REASONS[1:])
    assert {"distance", "settle"} <= {step["reason"] for step in steps}
    assert all(0.0 <= float(step["score"]) <= 1.0 for step in steps)  # type: ignore[arg-type]
    assert {step["leg"] for step in steps} == set(range(8))
    first = open_replay(path).poses[0]
    assert np.linalg.norm(np.array(steps[0]["foothold"]) - first.creatures[0].position) < 1.2


def test_a_phase_gait_steps_by_phase(tmp_path: Path) -> None:
    record(scene("meadow", "hexapod", driver="forward 6"), tmp_path / "walk.mcap", 360)
    reasons = [step["reason"] for step in steps_of(tmp_path / "walk.mcap")]
    assert reasons.count("phase") > 0.9 * len(reasons)


@pytest.mark.slow
def test_a_replay_says_why_a_leap_was_refused(tmp_path: Path) -> None:
    path = tmp_path / "far.mcap"
    record(scene("meadow", "hexapod", driver="stop 0.5; leap 8,0,0; stop 0.5"), path, 60)
    refusals = [event for event in open_replay(path).events if isinstance(event, Refusal)]
    assert refusals == [Refusal(31, 0, "leap", "too far")]
    assert {"kind": "refusal", "tick": 31}.items() <= steps_of(path)[-1].items()
    assert verify(path).ok


@pytest.mark.slow
def test_blows_of_a_timeline_are_recorded_and_verified(tmp_path: Path) -> None:
    path = tmp_path / "blows.mcap"
    words = ["run", "meadow", "--headless", "--seconds", "4", "--record", str(path)]
    done = sim(*words, "--drive", "forward 1; lose 2; push 0,0.5; forward 3")
    assert done.returncode == 0, done.stderr
    replay = open_replay(path)
    events = [(tick, e.kind) for tick, given in enumerate(replay.inputs) for e in given.events]
    assert events == [(60, "disable_leg"), (60, "push")]
    assert verify(path).ok


def test_a_timeline_leads_feet_and_knees_and_lets_them_go() -> None:
    drive = "foot 2 0.1,0.5,0.4; forward 0.1; foot 2; knee 1 -1,0.5,0; stop 0.1; knee 1"
    timeline = parse_drive(drive)
    assert isinstance(timeline, Timeline)
    driver = make_driver(scene("meadow", "hexapod"), drive)
    with Simulation(scene("meadow", "hexapod")) as simulation:
        found = []
        for tick in range(14):
            given = driver(simulation.snapshot)
            found += [(tick, event) for event in given.events]
            simulation.step(given)
    assert found == [
        (0, Event("set_foot", 0, leg=2, point=(0.1, 0.5, 0.4))),
        (6, Event("set_foot", 0, leg=2)),
        (6, Event("set_pole", 0, leg=1, point=(-1.0, 0.5, 0.0), on="body")),
        (12, Event("set_pole", 0, leg=1, on="body")),
    ]


@pytest.mark.parametrize(
    ("drive", "message"),
    [
        ("lose six", "expected 'lose LEG', counted from 0, found 'lose six'$"),
        ("lose 1; lose six", "counted from 0, found 'lose six' in 'lose 1; lose six'$"),
        ("lose 6", "driver: lose.leg: expected 0 to 5, found 6"),
        ("foot 6 1,2,3", "driver: foot.leg: expected 0 to 5, found 6"),
        ("foot 2 1,2", "expected 'foot LEG X,Y,Z' in metres, or 'foot LEG' to let it go"),
        ("knee two 1,2,3", "expected 'knee LEG X,Y,Z' in metres"),
        ("foot 2 1,b,3", "expected a number, found 'b'"),
        ("foot 2 1,2,30000", "expected numbers from -10000 to 10000, found 'foot 2 1,2,30000'"),
        ("push 1", "expected 'push X,Y' in m/s, found 'push 1'"),
        ("forward 9; push 1e9,0", "driver: push.velocity: expected three numbers from"),
        ("forward 9; pose 9,0,0", "driver: pose.turn: expected three numbers from -3.14159"),
        ("forward 9; look 5", "driver: look.other: expected 0 to 0, found 5"),
        ("forward 9; reach 6,0", "driver: reach.leg: expected 0 to 5, found 6"),
        ("push a,b; forward 1", "expected a number, found 'a'"),
        ("push 1,b", "found 'b' in 'push 1,b': write 'push X,Y' in m/s"),
        ("leap 1,b,3", "found 'b' in 'leap 1,b,3': write 'leap X,Y,Z' in metres"),
        ("leap 1,2", "expected 'leap X,Y,Z' in metres, found 'leap 1,2'"),
        ("stop now", "found 'now' in 'stop now': write directions and seconds, like 'forward"),
    ],
)
def test_blows_that_cannot_be_are_refused(drive: str, message: str) -> None:
    with pytest.raises(DefinitionError, match=message):
        make_driver(scene("meadow", "hexapod"), drive)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gait": {"offsets": (0.0,) * 6}}, r"gait.offsets: expected three feet on the ground"),
        ({"gait": {"offsets": (0.0, 0.5)}}, r"gait.offsets: expected one number per leg, 6"),
        (
            {"leg": {"comfort": 0.99}},
            r"leg_pairs\[0\].comfort: expected at most 0.95",
        ),
        ({"leg": {"comfort": 0.3}}, r"leg_pairs\[0\].comfort: expected more than 0.6"),
        ({"leg": {"home": (3.0, 0.4)}}, r"leg_pairs\[0\].home: expected a foot that stands"),
        ({"leg": {"segment": 1}}, r"leg_pairs\[0\].segment: expected 0 to 0 .*found 1"),
        ({"segments": [{"size": (0.2, 0.2, 0.2), "count": 40}]}, r"segments: expected at most 40"),
        (
            {"gait": {"faster": [{"froude": 0.1, "pattern": "trot", "stride_length": 0.3}]}},
            r"gait.faster\[0\].pattern: expected 4 legs for 'trot', found 6",
        ),
        (
            {
                "gait": {
                    "faster": [
                        {"froude": 0.2, "pattern": "wave", "stride_length": 0.3},
                        {"froude": 0.1, "pattern": "ripple", "stride_length": 0.3},
                    ]
                }
            },
            r"gait.faster\[1\].froude: expected more than 0.2 of gait.faster\[0\], found 0.1",
        ),
    ],
)
def test_plans_that_cannot_walk_are_refused(change: dict[str, object], message: str) -> None:
    table = load_creature("hexapod").model_dump()
    table["leg_pairs"] = list(table["leg_pairs"])
    for key, value in change.items():
        if key == "leg":
            table["leg_pairs"][0] |= value
        elif key == "gait":
            table["gait"] |= value
        else:
            table[key] = value
    with pytest.raises(ValueError, match=message):
        CreatureDef.model_validate(table)


@pytest.mark.slow
def test_a_pushed_creature_recovers_within_two_strides() -> None:
    metric = push_recovery(load_creature("spider4"))
    assert metric.verdict == "pass", metric
    assert metric.value is not None
    assert 0.1 < metric.value <= 2.0
