"""Heads look into turns before bodies go there."""

import numpy as np
import pytest

from creature_sim.snapshots.snapshot import CreatureState
from tests.scenes import at_rest, heading_of, scene, walk


def yaw_of(creature: CreatureState) -> float:
    """Of the head, to the left [rad, body]."""
    return float(creature.herd.parts["head"]["records"]["yaw"][creature.row])


@pytest.mark.slow
@pytest.mark.parametrize(("turn", "sign"), [("left", 1.0), ("right", -1.0)])
def test_the_head_is_in_a_turn_before_the_body(turn: str, sign: float) -> None:
    world = at_rest(scene("meadow", "hexapod", driver=f"forward 3; forward {turn} 3; forward 4"))
    creatures = [snapshot.creatures[0] for snapshot in walk(world, 600)]
    heads = sign * np.array([yaw_of(creature) for creature in creatures])
    start = heading_of(creatures[180].orientation)
    turned = sign * (
        np.unwrap([heading_of(creature.orientation) for creature in creatures]) - start
    )
    looks = int(np.argmax(heads > np.radians(5.0)))
    goes = int(np.argmax(turned[180:] > np.radians(5.0))) + 180
    assert 180 < looks < goes - 3  # a twentieth of a second
    neck = creatures[0].definition.head
    assert neck is not None
    assert np.radians(10.0) < heads.max() <= 0.6 * neck.yaw + 1e-9
    assert abs(np.diff(heads)).max() < np.radians(3.0)
    assert abs(heads[:180]).max() < 1e-12
    assert abs(heads[-60:]).max() < np.radians(0.1)


@pytest.mark.parametrize("name", ["hexapod", "spider4", "spider8", "ant"])
@pytest.mark.parametrize(("turn", "sign"), [("left", 1.0), ("right", -1.0)])
def test_on_the_spot_it_looks_then_bends_then_turns(name: str, turn: str, sign: float) -> None:
    """The head is nearly half-way, and the body bent, before its feet carry it round."""
    world = at_rest(scene("meadow", name, driver=f"stop 0.3; {turn} 1"))
    creatures = [snapshot.creatures[0] for snapshot in walk(world, 60)]
    looks = sign * np.array([yaw_of(creature) for creature in creatures])
    hung = [one.herd.parts["suspension"]["records"][one.row, 0] for one in creatures]
    bends = sign * np.array([one["turn"][2] for one in hung])
    turned = sign * np.array([2.0 * one["orientation"][2] for one in hung])
    turns = int(np.argmax(turned > np.radians(0.5)))
    assert 18 < turns < 18 + 15  # within a quarter of a second
    assert looks[turns] > 0.4 * looks.max()
    assert bends[turns] > np.radians(1.2)
    begins = [int(np.argmax(one > 0.1 * one.max())) for one in (looks, bends, turned)]
    assert begins == sorted(begins)


def test_the_head_looks_ahead_on_the_way_back() -> None:
    world = at_rest(scene("meadow", "hexapod", driver="back left 4"))
    yaws = [yaw_of(snapshot.creatures[0]) for snapshot in walk(world, 240)]
    assert np.abs(yaws).max() < np.radians(2.0)  # before it goes, it knows no better
    assert np.abs(yaws[90:]).max() < 1e-12
