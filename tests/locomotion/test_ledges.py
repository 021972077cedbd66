"""Feet in the air clear the edges of steps: where goals move late, and where legs keep them off."""

import numpy as np
import pytest

from creature_sim.components import FLYING
from creature_sim.locomotion.footholds import go_to
from creature_sim.locomotion.giving_way import give_way
from creature_sim.locomotion.landing import is_awaited, is_kept_off
from creature_sim.locomotion.search import Find
from creature_sim.maths import put, vec
from tests.locomotion.test_footholds import DT, Standing
from tests.rays import rays_on
from tests.scenes import Footprints, scene, walk


@pytest.mark.parametrize(
    ("elapsed", "low", "rise", "again"),
    [
        (0.7, 0.02, 0.08, True),
        (0.7, 0.02, -0.08, True),  # down: the edge of what it leaves is as high
        (0.7, 0.02, 0.01, False),  # no ledge
        (0.7, 0.2, 0.08, False),  # well above
        (0.3, 0.02, 0.08, False),  # it still rises
    ],
)
def test_a_foot_that_comes_down_rises_again_where_its_goal_moves_past_a_ledge(
    elapsed: float, low: float, rise: float, again: bool
) -> None:
    standing = Standing()
    foot, goal = standing.lift(2, 1.0), vec(standing.feet[0, 2].goal)
    foot.elapsed = elapsed
    put(foot.position, (goal[0], goal[1], max(0.0, rise) + low))
    there = (goal[0] + 0.1, goal[1], rise)
    go_to(standing.creature, 2, Find(there, (0.0, 0.0, 1.0), 0.5, True, True, True, -1))
    assert vec(foot.goal) == there
    assert foot.elapsed == (1.0 - elapsed if again else elapsed)


def test_a_foot_that_a_leg_keeps_off_its_goal_stays_up_and_that_leg_may_lift() -> None:
    """It came down beside its goal, where it knew of no ground, and into the edges of steps."""
    standing = Standing()
    creature, i, other = standing.creature, 2, 4
    foot, stands = creature.feet[i], creature.feet[other]
    foot.phase, foot.elapsed, foot.progress, foot.rate = FLYING, 0.7, 0.8, 4.0
    put(foot.goal, vec(stands.position))
    creature.footholds[i].aim[:] = foot.goal
    was_kept = False
    for _ in range(12):
        before = vec(foot.position)
        ahead = 0.2 * (np.array(foot.goal) - foot.position)
        there = (before[0] + ahead[0], before[1] + ahead[1], before[2] - 0.004)
        put(foot.position, there)
        put(foot.track, there)
        give_way(creature, i, before)
        is_kept = vec(foot.position)[:2] != there[:2]
        assert foot.position[2] == pytest.approx(before[2] if is_kept else there[2], abs=1e-12)
        was_kept |= is_kept
    assert was_kept
    assert not is_kept_off(creature, i)
    foot.limit = 5.0
    assert not is_kept_off(creature, i)
    foot.limit = 0.5  # it would take as long as two swings
    assert is_kept_off(creature, i)
    assert is_awaited(creature, other, DT)
    foot.limit, foot.elapsed = 5.0, 1.0 - float(foot.late_hold)
    assert is_kept_off(creature, i)
    put(foot.track, vec(foot.goal))
    assert not is_kept_off(creature, i)


@pytest.mark.parametrize(("creature", "seed"), [("crab", 27), ("crab", 5), ("spider8", 0)])
def test_no_foot_in_the_air_flies_into_the_edge_of_a_stair(creature: str, seed: int) -> None:
    """One went 10 cm into a riser beside which another leg kept it."""
    made = scene("stairs", creature)
    made = made.model_copy(update={"seed": made.seed + seed})
    prints = Footprints(walk(made, 1200))
    up = np.array([0.0, 0.0, 0.5])
    tips = prints.tips[prints.is_swinging]
    reach = np.broadcast_to(prints.reach, prints.is_swinging.shape)[prints.is_swinging]
    fractions, _ = rays_on(made.terrain, made.seed).cast(tips + up, tips - up)
    assert (0.5 - fractions <= 0.01 * reach).all()
