"""Inputs: what is quantised, what fits a world."""

from dataclasses import replace
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.definitions.drive import AXES, Blow, Goto, Segment, Timeline, parse_drive
from creature_sim.definitions.target import FARTHEST
from creature_sim.errors import DefinitionError
from creature_sim.input_checks import FASTEST_PUSH, LARGEST_ANGLE, Roster, check_input
from creature_sim.inputs import FULL, Event, Input, largest, quantised

LEG_COUNTS = (6, 4, 8)
SETTABLE = ((True,), (False, True))
ROSTER = Roster(LEG_COUNTS, settable=SETTABLE, prop_count=2)

axes = st.lists(st.floats(-1e9, 1e9), max_size=len(AXES))
counts = st.tuples(*[st.integers(-FULL, FULL)] * len(AXES))


def triples(most: float) -> st.SearchStrategy[tuple[float, float, float]]:
    return st.tuples(*[st.floats(-most, most)] * 3)


creatures = st.integers(0, len(LEG_COUNTS) - 1)
events = st.one_of(
    st.builds(Event, st.just("reset"), creatures),
    st.builds(Event, st.just("reset"), chain=st.integers(0, 1)),
    st.builds(Event, st.just("set_target"), chain=st.just(0), point=triples(FARTHEST)),
    st.builds(
        Event, st.just("set_target"), chain=st.just(1), target=st.just(1), point=triples(FARTHEST)
    ),
    st.builds(Event, st.just("disable_leg"), creatures, leg=st.integers(0, min(LEG_COUNTS) - 1)),
    st.builds(Event, st.just("push"), creatures, velocity=triples(FASTEST_PUSH)),
    st.builds(
        Event,
        st.just("set_foot"),
        creatures,
        leg=st.integers(0, min(LEG_COUNTS) - 1),
        point=st.none() | triples(FARTHEST),
        rotation=st.none() | st.tuples(*[st.floats(-1.0, 1.0)] * 3, st.just(1.0)),
    ),
    st.builds(
        Event,
        st.just("set_pole"),
        creatures,
        leg=st.integers(0, min(LEG_COUNTS) - 1),
        point=st.none() | triples(FARTHEST),
        on=st.sampled_from(["body", "world"]),
    ),
    st.builds(
        Event,
        st.just("set_pole"),
        creatures,
        leg=st.just(0),
        point=triples(FARTHEST),
        on=st.just("prop"),
        prop=st.integers(0, 1),
    ),
    st.builds(
        Event,
        st.sampled_from(["set_joints", "shift_joints"]),
        creatures,
        angles=st.none() | st.lists(st.floats(-LARGEST_ANGLE, LARGEST_ANGLE)).map(tuple),
    ),
    *[
        st.builds(
            Event,
            st.just("shift_footholds"),
            st.just(number),
            offsets=st.none() | st.tuples(*[st.floats(-FARTHEST, FARTHEST)] * 2 * count),
        )
        for number, count in enumerate(LEG_COUNTS)
    ],
    st.just(Event("reset_props")),
)
inputs = st.builds(
    Input,
    st.tuples(*[counts] * len(LEG_COUNTS)),
    st.lists(events, max_size=5).map(tuple),
)
"""All that can drive a tick of three creatures and two chains."""


@given(axes)
def test_an_axis_is_off_by_half_a_step_at_the_most_and_ends_at_the_ends(
    values: list[float],
) -> None:
    found = quantised(*values)
    assert len(found) == len(AXES)
    assert found[len(values) :] == (0,) * (len(AXES) - len(values))
    for value, number, axis in zip(values, found, AXES, strict=False):
        assert abs(number / FULL - max(-1.0, min(largest(axis), value))) <= 0.5001 / FULL


@given(axes)
def test_left_is_quantised_as_right_is(values: list[float]) -> None:
    values = [max(-1.0, min(1.0, value)) for value in values]  # nobody runs backwards
    mirrored = tuple(-number for number in quantised(*values))
    assert quantised(*(-value for value in values)) == mirrored


@given(st.lists(st.tuples(*[st.floats(-3.0, 3.0)] * len(AXES)), min_size=1, max_size=4))
def test_all_at_once_are_quantised_as_one_by_one(rows: list[tuple[float, ...]]) -> None:
    assert Input.of_all(np.array(rows)) == Input.of(rows)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("axes", "message"),
    [
        ([[0, 0, 0, 0], [0, np.nan, 0, 0]], "axes[1]: turn: expected a finite number, found nan"),
        ([[-np.inf, 0, 0, 0]], "axes[0]: forward: expected a finite number, found -inf"),
        ([[1.0, 0, 0]], "axes: expected an array of numbers (C, 4), found float64 (1, 3)"),
        ([1.0, 0, 0, 0], "axes: expected an array of numbers (C, 4), found float64 (4,)"),
        ([["a"] * 4], "axes: expected an array of numbers (C, 4), found <U1 (1, 4)"),
    ],
)
def test_axes_of_all_that_are_no_numbers_are_refused(axes: list[Any], message: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        Input.of_all(np.array(axes))
    assert str(caught.value) == message


@pytest.mark.slow
@given(counts)
def test_what_is_quantised_already_stays(numbers: tuple[int, ...]) -> None:
    assert Input.of([tuple(number / FULL for number in numbers)]).commands == (numbers,)


@pytest.mark.slow
@given(inputs)
def test_every_input_that_fits_is_taken(given_input: Input) -> None:
    check_input(given_input, ROSTER)


@pytest.mark.slow
@given(
    inputs, st.integers(0, 2), st.integers(0, 3), st.sampled_from((2 * FULL + 1, -FULL - 1, 10**9))
)
def test_an_axis_beyond_its_ends_is_refused_and_named(
    given_input: Input, creature: int, axis: int, value: int
) -> None:
    commands = [list(command) for command in given_input.commands]
    commands[creature][axis] = value
    wrong = replace(given_input, commands=tuple(map(tuple, commands)))
    with pytest.raises(DefinitionError, match=rf"commands\[{creature}\]: expected whole numbers"):
        check_input(wrong, ROSTER)


@pytest.mark.slow
@given(inputs, st.one_of(st.integers(max_value=-1), st.integers(min_value=len(LEG_COUNTS))))
def test_an_event_for_nobody_is_refused_and_named(given_input: Input, creature: int) -> None:
    wrong = replace(given_input, events=(*given_input.events, Event("reset", creature)))
    place = len(given_input.events)
    with pytest.raises(DefinitionError, match=rf"events\[{place}\]\.creature: expected 0 to 2"):
        check_input(wrong, ROSTER)


@pytest.mark.parametrize(
    ("kind", "creature", "fields", "told"),
    [
        ("disable_leg", 0, {"leg": np.int64(1)}, r"leg: expected an int from 0 to .*int64\(1\)"),
        ("reset", 0.0, {}, "creature: expected an int from 0 to 2, found 0.0"),
        ("push", 0, {"velocity": np.ones(3)}, "velocity: expected a tuple of numbers, found array"),
        ("leap", 0, {"point": [1, 0, 0]}, r"point: expected a tuple of numbers, found \[1, 0, 0\]"),
    ],
)
def test_a_number_of_another_type_is_told_as_that(
    kind: str, creature: Any, fields: dict[str, Any], told: str
) -> None:
    event = Event(kind, creature, **fields)
    with pytest.raises(DefinitionError, match=rf"^events\[0\]\.{told}"):
        check_input(Input.of([()] * len(LEG_COUNTS), [event]), ROSTER)


@pytest.mark.parametrize("axes", [1.0, (1.0, 0.2), [("a",)], [None]])
def test_axes_of_no_creature_are_told(axes: Any) -> None:
    with pytest.raises(DefinitionError, match=r"^axes: expected numbers for each creature, like"):
        Input.of(axes)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), pytest.param(10**400, id="huge")])
def test_an_axis_that_is_no_number_is_told(value: float) -> None:
    with pytest.raises(DefinitionError, match=r"^turn: expected a finite number, found"):
        Input.of([(0.0, value)])


@pytest.mark.parametrize("events", [None, 5])
def test_events_that_are_none_are_told(events: Any) -> None:
    with pytest.raises(DefinitionError, match=r"^events: expected some Event, or \(\), found"):
        Input.of([()], events)


WORDS = {
    "forward": {"": 0.0, "forward": 1.0, "back": -1.0},
    "turn": {"": 0.0, "left": 1.0, "right": -1.0},
    "strafe": {"": 0.0, "strafe-left": 1.0, "strafe-right": -1.0},
    "height": {"": 0.0, "crouch": -1.0, "rise": 1.0},
}
directions = st.tuples(*[st.sampled_from(sorted(WORDS[axis])) for axis in AXES])
lengths = st.floats(1e-3, 86_400.0)
parts = st.one_of(
    st.tuples(st.just("walk"), directions, lengths),
    st.tuples(st.just("lose"), st.integers(0, 39), st.none()),
    st.tuples(st.just("push"), st.floats(-9, 9), st.floats(-9, 9)),
)


@pytest.mark.slow
@given(st.lists(parts, min_size=1, max_size=6), st.booleans())
def test_a_timeline_is_read_as_it_is_written(
    written: list[tuple[str, Any, Any]], is_closed: bool
) -> None:
    words, segments, blows, seconds = [], [], [], 0.0
    for kind, first, second in written:
        if kind == "walk":
            said = " ".join(word for word in first if word) or "stop"
            words.append(f"{said} {second!r}")
            values = tuple(WORDS[axis][word] for axis, word in zip(AXES, first, strict=True))
            segments.append(Segment(values, second))
            seconds += second
        elif kind == "lose":
            words.append(f"lose {first}")
            blows.append(Blow(seconds, leg=first))
        else:
            words.append(f"push {first!r},{second!r}")
            blows.append(Blow(seconds, velocity=(first, second)))
    spec = "; ".join(words) + ";" * is_closed
    assert parse_drive(spec) == Timeline(tuple(segments), tuple(blows))


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(-1e6, 1e6))
def test_a_goal_is_read_as_it_is_written(x: float, y: float) -> None:
    assert parse_drive(f" goto {x!r}, {y!r}") == Goto(x, y)


def test_commands_of_own_kinds_of_tuples_and_whole_numbers_fit() -> None:
    class Stick(IntEnum):
        AHEAD = FULL

    class Sticks(NamedTuple):
        forward: int
        turn: int = 0
        strafe: int = 0
        height: int = 0

    rest = ((0,) * len(AXES),) * 2
    check_input(Input((Sticks(Stick.AHEAD), *rest)), ROSTER)
    with pytest.raises(DefinitionError, match=r"commands\[0\]"):
        check_input(Input((Sticks(True), *rest)), ROSTER)


def test_commands_as_numbers_are_the_same_however_the_input_was_made() -> None:
    quick = Input.of_all(np.array([[1.5, -0.25, 0.0, 1.0], [-2.0, 0.5, 1.0, -1.0]]))
    again = Input(quick.commands)
    assert again == quick
    for given_input in (quick, again):
        numbers = given_input.numbers
        assert numbers is not None
        assert numbers.dtype == np.int64
        assert numbers.tolist() == [list(command) for command in quick.commands]
    assert Input(((0, 0, 0), (0, 0, 0, 0))).numbers is None
    assert Input(((0, 0, 10**30, 0),)).numbers is None
    assert Input(()).numbers is not None


def test_commands_that_may_change_are_refused() -> None:
    commands: Any = [(0,) * len(AXES)] * len(LEG_COUNTS)
    with pytest.raises(DefinitionError, match="commands: expected a tuple"):
        check_input(Input(commands), ROSTER)
