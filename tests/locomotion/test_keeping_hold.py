"""Who climbs keeps hold: feet wait for others, hang out of the way, and the body goes back."""

from itertools import product

import numpy as np
import pytest

from creature_sim.components import (
    FLYING,
    FOUND,
    HELD_BY_GROUND,
    LIFTING,
    LOST,
    NOT_FOUND,
    STANDING,
    CommandRecord,
    GravityRecord,
    zeros,
)
from creature_sim.locomotion.arcs import fly
from creature_sim.locomotion.balance import hangs_beside
from creature_sim.locomotion.clearance import ALOFT, LEAST_GAP, leg_that_meets
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.flight import draw_in, hovers, stalls
from creature_sim.locomotion.frames import into_frame
from creature_sim.locomotion.gripping import ENDLESS, FIRM, LONG, TOO_LONG, may_let_go
from creature_sim.locomotion.landing import is_free, is_held
from creature_sim.locomotion.reach import reach_in_world
from creature_sim.locomotion.search import AIM_UNTIL
from creature_sim.locomotion.steps import holds_on, is_blocked
from creature_sim.locomotion.trunk import carry_feet
from creature_sim.locomotion.urgency import ADRIFT, CALMS, HURRIES, IMPATIENCE, update_urgency
from creature_sim.locomotion.wishes import (
    CAUGHT,
    GOES_BACK,
    TAUT,
    WAITED,
    is_caught,
    is_stretched,
    reaches_nothing,
    wish,
)
from creature_sim.maths import Z, add, along, distance, mix, put, quat, rotate, vec
from tests.climbers import standing

DT = 1.0 / 60.0


def lift(creature: Creature, *legs: int, reaches: bool = True) -> None:
    """Let feet hang in the air; far from where they want to go, if they do not reach that."""
    for i in legs:
        creature.feet[i].phase = FLYING
        if not reaches:
            put(creature.feet[i].goal, add(vec(creature.feet[i].goal), (0.0, 0.0, -3.0)))


@pytest.mark.parametrize(("name", "most"), [("ant", 3), ("spider8", 5), ("spider4", 2)])
def test_no_foot_lifts_that_would_leave_too_few(name: str, most: int) -> None:
    """Over bars feet that found nothing let go one after the other, until none held."""
    creature, _ = standing(name)
    last = creature.legs.shape[0] - 1
    for up in range(last):
        assert may_let_go(creature, last, DT) == (up < most)
        lift(creature, up)


@pytest.mark.parametrize("name", ["ant", "spider8"])
def test_no_foot_lifts_that_would_leave_one_side(name: str) -> None:
    """Ants hung beside three feet of one side, where the others had found nothing."""
    creature, _ = standing(name)
    left, right = (np.flatnonzero(creature.legs["side"] == side) for side in (1, -1))
    lift(creature, *left[:-1])
    assert not may_let_go(creature, left[-1], DT)
    assert may_let_go(creature, right[-1], DT)
    lift(creature, *left[:-1], reaches=False)
    foot, foothold = creature.feet[left[-1]], creature.footholds[left[-1]]
    foot.urgency = 1.1 * LONG
    for status in (FOUND, NOT_FOUND):  # it takes a step that it knows: it stood for minutes
        foothold.status = status
        assert may_let_go(creature, left[-1], DT) == (status == FOUND)
    for lost in left[:-1]:
        creature.feet[lost].phase = LOST
    assert may_let_go(creature, left[-1], DT)  # it has no other on its side


def test_no_foot_lifts_without_which_a_body_hangs_beside_the_others() -> None:
    """Feet over an edge reached nothing, and let one more of their side go: it hung there."""
    creature, gravity = standing("hexapod")
    foot = creature.feet[4]
    lift(creature, 0, 2, reaches=False)  # two of three on the left
    foot.urgency, creature.gait.pace = 1.1 * ADRIFT, 0.0
    assert hangs_beside(creature, gravity, 4, DT)
    assert not hangs_beside(creature, gravity, 3, DT)
    assert not holds_on(creature, gravity, 4, DT)
    creature.feet[3].urgency = 1.1 * ADRIFT
    assert holds_on(creature, gravity, 3, DT)
    foot.urgency = 1.1 * TOO_LONG  # it would keep its body there for ever
    assert holds_on(creature, gravity, 4, DT)
    lift(creature, 5, reaches=False)  # now two others stand: only to a place that it knows
    foothold = creature.footholds[4]
    for status, away in ((NOT_FOUND, 0.2), (FOUND, 0.0), (FOUND, 0.2)):
        foothold.status = status
        put(foothold.position, add(vec(foot.position), (away, 0.0, 0.0)))
        assert holds_on(creature, gravity, 4, DT) == (status == FOUND and away > 0.0)


def test_the_last_foot_on_what_a_body_faces_does_not_let_go() -> None:
    """Round the rim of a plate: it was tipped over against the one side that was left."""
    creature, _ = standing("hexapod")
    creature.feet["goal_normal"] = (0.0, 1.0, 0.0)
    put(creature.feet[0].goal_normal, Z)
    assert [may_let_go(creature, i, DT) for i in range(6)] == [False] + 5 * [True]
    put(creature.feet[1].goal_normal, Z)
    assert may_let_go(creature, 0, DT)
    creature.feet["goal_normal"] = (0.0, 1.0, 0.0)  # who is tipped over already waits for nothing
    assert may_let_go(creature, 0, DT)
    for i in range(3):  # and who clamps something thin faces where it likes
        put(creature.feet[i].goal_normal, (0.0, -1.0, 0.0))
    assert may_let_go(creature, 0, DT)


def test_a_foot_that_has_waited_too_long_lets_go_as_long_as_another_one_holds() -> None:
    """One that held its body where it could go nowhere did so for ever."""
    creature, _ = standing("ant")
    lift(creature, 0, 1, 3, 4, reaches=False)
    for urgency, may in ((0.9 * TOO_LONG, False), (1.1 * TOO_LONG, True)):
        creature.feet[5].urgency = urgency
        assert may_let_go(creature, 5, DT) == may
    lift(creature, 2)
    assert not may_let_go(creature, 5, DT)


def test_the_last_foot_of_a_side_waits_until_others_stand_and_for_a_place() -> None:
    """Ants let go of a jamb as another foot came down: they hung beside three of one side."""
    creature, _ = standing("ant")
    foot = 2
    left, right = (np.flatnonzero(creature.legs["side"] == side).tolist() for side in (1, -1))
    assert foot in left
    lift(creature, *(i for i in left if i != foot), reaches=False)
    creature.feet[foot].urgency = 1.1 * TOO_LONG
    lift(creature, right[0])  # it is about to land
    for status in (FOUND, NOT_FOUND):
        creature.footholds[foot].status = status
        assert not may_let_go(creature, foot, DT)
    creature.feet[right[0]].phase = STANDING
    for status in (FOUND, NOT_FOUND):
        creature.footholds[foot].status = status
        assert may_let_go(creature, foot, DT) == (status == FOUND)
    creature.feet[foot].urgency = 1.1 * ENDLESS  # but not for ever
    assert may_let_go(creature, foot, DT)
    creature.feet[foot].urgency = 1.1 * TOO_LONG
    lift(creature, right[0], reaches=False)  # it is held where it can go nowhere
    assert may_let_go(creature, foot, DT)


def test_who_stands_waits_for_no_foot_whose_place_is_taken() -> None:
    """A foot waited for one that could not land, and held its body back for three seconds."""
    creature, _ = standing("ant")
    foot, up = 5, 4  # of one pair
    other = next(int(k) for k in creature.legs[up].meets if k >= 0 and k not in (foot, up))
    lift(creature, up)
    for pace, waits in ((0.4, True), (0.0, False)):
        creature.gait.commanded_pace, creature.gait.pace = 0.5, pace
        own, taken = (vec(creature.feet[k].position) for k in (up, other))
        put(creature.feet[up].goal, own)
        assert is_blocked(creature, foot, DT)
        goals = (mix(own, taken, part) for part in np.linspace(0.0, 1.0, 21))
        while is_free(creature, up):
            put(creature.feet[up].goal, next(goals))
        assert is_held(creature, up)
        assert is_blocked(creature, foot, DT) == waits


def test_a_foot_that_has_waited_too_long_waits_for_none_that_tries_again() -> None:
    """A hexapod stood in a doorway for half a minute: one foot began its swing again and again."""
    creature, _ = standing("ant")
    foot, up = 5, 4
    lift(creature, up)
    put(creature.feet[up].goal, vec(creature.feet[up].position))
    creature.gait.commanded_pace, creature.gait.pace = 0.5, 0.0
    creature.footholds[foot].status = FOUND
    for far, urgency in product((0.0, 0.2), (0.9 * TOO_LONG, 1.1 * TOO_LONG)):
        place = add(vec(creature.feet[foot].position), (far, 0.0, 0.0))
        put(creature.footholds[foot].position, place)
        creature.feet[foot].urgency = urgency
        assert is_blocked(creature, foot, DT) == (far == 0.0 or urgency < TOO_LONG)


def test_who_does_not_climb_lifts_feet_as_ever() -> None:
    creature, _ = standing("ant")
    lift(creature, 0, 1, 2, 3)
    creature.plan.climbs = 0
    assert may_let_go(creature, 5, DT)


def test_one_that_has_waited_long_goes_where_those_in_the_air_reach_nothing() -> None:
    """Three feet in the air that reached nothing held three that stood where they were for ever."""
    creature, _ = standing("ant")
    foot, foothold = creature.feet[5], creature.footholds[5]
    foothold.status, foot.urgency = FOUND, 1.1 * LONG
    lift(creature, 0, 1, 2)
    assert not may_let_go(creature, 5, DT)  # those in the air land soon
    lift(creature, 0, 1, 2, reaches=False)
    assert may_let_go(creature, 5, DT)
    for status, urgency in ((FOUND, 0.9 * LONG), (NOT_FOUND, 2.0 * LONG)):
        foothold.status, foot.urgency = status, urgency
        assert not may_let_go(creature, 5, DT)
    foothold.status, foot.urgency = FOUND, 2.0 * LONG
    lift(creature, 3)
    assert np.count_nonzero(creature.feet["phase"] == STANDING) < FIRM
    assert not may_let_go(creature, 5, DT)


def test_a_foot_that_reaches_no_place_hangs_out_of_the_way() -> None:
    """It stayed as near to where it could not go as its leg reached, across other legs."""
    creature, _ = standing("ant")
    foot, leg = creature.feet[0], creature.legs[0]
    lift(creature, 0)
    assert not hovers(creature, 0)
    foot.phase, foot.elapsed = LIFTING, ALOFT
    assert is_held(creature, 0)
    assert not hovers(creature, 0)
    lift(creature, 0, reaches=False)
    foot.phase = LIFTING
    assert hovers(creature, 0)
    body = creature.trunk[0]
    hip = add(vec(body.position), rotate(quat(body.orientation), vec(leg.mount)))
    put(foot.position, add(hip, (-0.2, 0.0, -0.1)))  # below the next hip
    goal, before = vec(foot.goal), vec(foot.position)
    ways = []
    for _ in range(60):
        draw_in(creature, 0, DT)
        ways.append(distance(before, vec(foot.position)))
        before = vec(foot.position)
    assert max(ways) < 0.5 * creature.plan.foot_speed * DT
    assert ways[-1] < 1e-9
    home = np.array(add(vec(body.position), rotate(quat(body.orientation), vec(leg.home))))
    assert 0.0 < np.linalg.norm(np.array(before) - hip) < np.linalg.norm(home - hip)
    assert hovers(creature, 0)
    assert vec(foot.goal) == goal


def beside_a_leg() -> Creature:
    """An ant with a leg that stands across its rear one, whose foot found no place."""
    creature, _ = standing("ant")
    reach, body = creature.plan.reach, creature.trunk[0]
    for i, (x, y, z) in ((3, (-0.485, -0.671, -0.309)), (5, (-0.331, -0.404, -0.147))):
        here = rotate(quat(body.orientation), (x * reach, y * reach, z * reach))
        put(creature.feet[i].position, add(vec(body.position), here))
    lift(creature, 5, reaches=False)
    creature.feet[5].phase, creature.feet[5].elapsed = LIFTING, ALOFT
    return creature


def test_a_foot_that_found_no_place_goes_along_with_its_body() -> None:
    """Left where it was it held its body, which had a leg that stands in its way, either way."""
    creature = beside_a_leg()
    body = creature.trunk[0]
    ways = [(x, y, 0.0) for x in (-0.002, 0.002) for y in (-0.002, 0.002)]
    turns = quat(body.orientation)
    there = [np.array([add(vec(body.position), rotate(turns, way))]) for way in ways]
    turned = np.array([turns])
    meets = [leg_that_meets(creature, place, turned, LEAST_GAP, False) >= 0 for place in there]
    assert not all(meets)
    carry_feet(creature, there[0], turned)
    seen = into_frame(vec(there[0][0]), turns, vec(creature.feet[5].position))
    assert np.allclose(np.array(seen) / creature.plan.reach, (-0.331, -0.404, -0.147))
    stands = into_frame(vec(there[0][0]), turns, vec(creature.feet[3].position))
    assert not np.allclose(np.array(stands) / creature.plan.reach, (-0.485, -0.671, -0.309))


def test_a_foot_that_is_kept_from_its_goal_begins_again() -> None:
    """The later it was the faster it had to go, and its time passed ever slower: for minutes."""
    creature, _ = standing("ant")
    foot = creature.feet[0]
    before = vec(foot.position)
    lift(creature, 0)
    foot.elapsed, foot.progress, foot.rate, foot.late_hold = 0.6, AIM_UNTIL + 0.1, 3.0, 0.15
    put(foot.goal, add(before, (0.2, 0.0, 0.0)))
    for _ in range(60):
        fly(creature.plan, foot, creature.plan.step_height, 3.0, 1.0, np.inf, 0.0, Z, DT)
        put(foot.track, before)  # something keeps it there
        if stalls(creature, 0):
            break
    assert stalls(creature, 0)
    assert foot.elapsed < 1.0
    foot.limit = 3.0
    assert not stalls(creature, 0)


def test_who_is_caught_goes_back() -> None:
    """In the corner of a cage an ant stood for minutes: its feet reached nothing there."""
    creature, gravity = standing("ant")
    gait, command = creature.gait, zeros(CommandRecord, 1)[0]
    gait.commanded_pace, gait.pace, gait.stuck = 0.5, 0.0, 0
    lift(creature, 0)
    assert not reaches_nothing(creature)  # it lands soon
    lift(creature, 0, reaches=False)
    assert reaches_nothing(creature)
    assert is_caught(creature, True)
    seen = stuck_for(creature, gravity, command, CAUGHT + 0.1)
    assert max(seen) == pytest.approx(CAUGHT / DT, abs=1.0)
    assert min(seen) == -round(GOES_BACK / DT)
    assert stuck_for(creature, gravity, command, GOES_BACK + 0.1)[-1] > 0  # tries again
    gait.pace, gait.stuck = 0.4, 0
    assert not is_caught(creature, True)
    gait.pace = gait.commanded_pace = 0.0  # it is told to stand
    assert not is_caught(creature, True)


def test_who_gets_nowhere_on_feet_that_hold_goes_back_later() -> None:
    """Among bars an ant stood with all its feet where they reached, and its body could not go."""
    creature, gravity = standing("ant")
    gait, command = creature.gait, zeros(CommandRecord, 1)[0]
    gait.commanded_pace, gait.pace, gait.stuck, gait.is_held = 0.5, 0.0, 0, 0
    seen = stuck_for(creature, gravity, command, WAITED + 0.1)
    assert max(seen) == pytest.approx(WAITED / DT, abs=1.0)
    assert min(seen) == -round(GOES_BACK / DT)
    put(creature.trunk[0].tilt_rate, (0.0, 0.5, 0.0))  # it turns up a wall
    assert not is_caught(creature, False)
    put(creature.trunk[0].tilt_rate, (0.0, 0.0, 0.0))
    gait.is_held = HELD_BY_GROUND
    assert not is_caught(creature, False)


def test_whom_a_stretched_leg_holds_goes_back_sooner() -> None:
    """In most of its short stops a leg at full stretch held the body, and found no place to go."""
    creature, gravity = standing("ant")
    gait, command, body = creature.gait, zeros(CommandRecord, 1)[0], creature.trunk[0]
    leg, foot = creature.legs[0], creature.feet[0]
    out = rotate(quat(body.orientation), vec(leg.out))
    for _ in range(1000):
        pose = vec(body.position), quat(body.orientation)
        if reach_in_world(*pose, leg, vec(foot.position))[1] > TAUT:
            break
        put(foot.position, along(vec(foot.position), out, 0.001 * leg.reach))
    for status, seconds in ((NOT_FOUND, CAUGHT), (FOUND, WAITED)):
        creature.footholds[0].status = status
        gait.commanded_pace, gait.pace, gait.stuck, gait.is_held = 0.5, 0.0, 0, 0
        assert is_stretched(creature) == (status == NOT_FOUND)
        seen = stuck_for(creature, gravity, command, seconds + 0.1)
        assert max(seen) == pytest.approx(seconds / DT, abs=1.0)


def test_who_has_just_stopped_lets_no_foot_go_but_on_enough_others() -> None:
    """As it was told to stand, a foot far from home had a need of 15, and let go: two others stood,
    both on its left, and a hexapod hung beside them."""
    creature, _ = standing("hexapod")
    lift(creature, 1, 3, 5)
    gait, foot = creature.gait, creature.feet[4]
    gait.commanded_pace = gait.pace = 0.0
    put(creature.footholds[4].aim, add(vec(foot.position), (0.2, 0.0, 0.0)))
    gait.stroke = 0.02
    update_urgency(creature, 4, DT)
    assert 1.0 < foot.urgency <= ADRIFT
    assert not may_let_go(creature, 4, DT)


def test_who_rocks_to_and_fro_remembers_how_urgent_a_step_was() -> None:
    """At the corner of a doorway a leg was stretched, then not, and its body stood for good."""
    creature, _ = standing("ant")
    gait, foot = creature.gait, creature.feet[0]
    gait.commanded_pace, gait.pace = 0.5, 0.0
    foot.urgency = 1.8
    for _ in range(60):
        update_urgency(creature, 0, DT)
    assert foot.urgency == 1.8
    gait.pace = 0.4  # it gets on: the longer, the less urgent
    update_urgency(creature, 0, DT)
    assert foot.urgency == pytest.approx(1.8 - CALMS * DT)
    for _ in range(round(0.8 / CALMS / DT)):
        update_urgency(creature, 0, DT)
    assert foot.urgency < 1.0


def growth_of_need(name: str, hanging: tuple[int, ...], pace: float) -> float:
    """How fast the need of a step of the first foot grows, as others hang [1/s]."""
    creature, _ = standing(name)
    lift(creature, *hanging)
    for i in hanging:
        creature.feet[i].elapsed = ALOFT
    gait, foot = creature.gait, creature.feet[0]
    gait.commanded_pace, gait.pace, gait.stroke = 0.5, pace, 0.02
    put(creature.footholds[0].aim, add(vec(foot.position), (0.2, 0.0, 0.0)))
    foot.urgency = before = 50.0
    update_urgency(creature, 0, DT)
    return float(foot.urgency - before) / DT


@pytest.mark.parametrize(
    ("name", "hanging", "is_few"),
    [
        ("ant", (1, 3, 5), True),
        ("ant", (1, 3), True),
        ("ant", (1,), False),
        ("spider4", (1,), False),
    ],
)
def test_where_feet_hang_the_need_of_a_step_grows_faster(
    name: str, hanging: tuple[int, ...], is_few: bool
) -> None:
    """An ant hung on three feet of one side for three quarters of a minute, on four for 27 s."""
    rate = IMPATIENCE * (HURRIES if is_few else 1.0)
    assert growth_of_need(name, hanging, pace=0.0) == pytest.approx(rate)


@pytest.mark.parametrize(
    ("hanging", "rate"), [((1, 2, 3, 4), IMPATIENCE * HURRIES), ((1, 3, 5), -CALMS)]
)
def test_who_hangs_on_two_feet_does_not_get_on_however_it_moves(
    hanging: tuple[int, ...], rate: float
) -> None:
    """A hexapod rocked on two feet for two minutes: as it moved, neither wanted to step."""
    assert growth_of_need("ant", hanging, pace=0.4) == pytest.approx(rate)


def stuck_for(
    creature: Creature, gravity: GravityRecord, command: CommandRecord, seconds: float
) -> list[int]:
    """What `gait.stuck` is in each tick of a time."""
    seen = []
    for _ in range(round(seconds / DT)):
        wish(creature, command, gravity, DT)
        seen.append(int(creature.gait.stuck))
    return seen
