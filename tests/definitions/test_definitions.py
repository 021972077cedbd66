"""Definitions: what is filled in, what is refused, and that errors name their keys."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from creature_sim.definitions import CreatureDef, Goto, Timeline, Wander, WorldDef, parse_drive
from creature_sim.errors import DefinitionError
from creature_sim.input_checks import Roster, check_input
from creature_sim.inputs import FULL, Event, Input, quantised
from creature_sim.library.loader import builtin_names, load_creature, load_world
from creature_sim.spawn.plans import plan_of


def test_pairs_become_mirrored_legs_left_before_right() -> None:
    legs = load_creature("hexapod").all_legs
    assert [(leg.side, leg.pair) for leg in legs] == [
        (side, pair) for pair in range(3) for side in ("left", "right")
    ]
    for left, right in zip(legs[::2], legs[1::2], strict=True):
        assert right.mount == (left.mount[0], -left.mount[1], left.mount[2])
        assert right.home == (left.home[0], -left.home[1])
        assert right.bones == left.bones


@pytest.mark.parametrize("name", builtin_names("creature"))
def test_plans_hold_what_was_written(name: str) -> None:
    creature = load_creature(name)
    plan = plan_of(creature)
    for leg, written, lengths in zip(plan.legs, creature.all_legs, plan.lengths, strict=True):
        count = leg["bone_count"]
        assert lengths[:count].tolist() == list(written.bones)
        assert not lengths[count:].any()
        assert leg["reach"] == pytest.approx(sum(written.bones))
        assert leg["home"][2] == -creature.body.ride_height
    assert plan.body["ride_height"][0] == creature.body.ride_height


@pytest.mark.parametrize("name", builtin_names("world"))
def test_resolved_worlds_survive_json(name: str) -> None:
    world = load_world(name)
    assert WorldDef.model_validate_json(world.model_dump_json()) == world
    assert set(world.species) == {placement.creature for placement in world.creatures}


def test_definitions_are_frozen() -> None:
    with pytest.raises(ValidationError):
        load_creature("spider4").body.mass = 1.0  # type: ignore[misc]


def test_a_world_may_write_its_creatures_in_place(tmp_path: object) -> None:
    plan = load_creature("spider4").model_copy(update={"name": "mine"})
    world = load_world("meadow")
    table = world.model_dump() | {
        "species": {"mine": plan.model_dump()},
        "creatures": [{"creature": "mine"}],
    }
    assert (
        WorldDef.model_validate(table).species_of(WorldDef.model_validate(table).creatures[0])
        == plan
    )


def test_a_world_finds_creatures_beside_its_file(tmp_path: Path) -> None:
    bug = tmp_path / "bugs" / "bug.toml"
    bug.parent.mkdir()
    source = load_creature("spider4")
    from creature_sim.library.loader import builtin_folder

    bug.write_text((builtin_folder("creature") / "spider4.toml").read_text())
    (tmp_path / "w.toml").write_text(
        'name = "w"\nterrain = { kind = "flat" }\n[[creatures]]\ncreature = "bugs/bug.toml"\n'
    )
    world = load_world(tmp_path / "w.toml")
    assert world.species_of(world.creatures[0]) == source


@pytest.mark.parametrize(
    ("spec", "drive"),
    [
        ("wander", Wander()),
        (" goto 3, -4.5 ", Goto(3.0, -4.5)),
    ],
)
def test_drives_are_read(spec: str, drive: object) -> None:
    assert parse_drive(spec) == drive


def test_timelines_are_read() -> None:
    drive = parse_drive("forward 5; back left 2.5; stop 1;")
    assert isinstance(drive, Timeline)
    assert [(s.axes, s.seconds) for s in drive.segments] == [
        ((1.0, 0.0, 0.0, 0.0), 5.0),
        ((-1.0, 1.0, 0.0, 0.0), 2.5),
        ((0.0, 0.0, 0.0, 0.0), 1.0),
    ]


@pytest.mark.slow
@given(st.text(max_size=30))
def test_any_text_is_a_drive_or_an_error(text: str) -> None:
    with contextlib.suppress(DefinitionError):  # nothing else may come out
        assert parse_drive(text)


@pytest.mark.slow
@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(-1, 1))
def test_axes_are_quantised(forward: float, turn: float) -> None:
    a, b, *others = quantised(forward, turn)
    assert -FULL <= a <= 2 * FULL
    assert b == round(turn * FULL)
    assert others == [0, 0]


def test_axes_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(DefinitionError, match="turn: expected a finite number"):
        Input.of([(0.0, float("nan"))])


@pytest.mark.parametrize(
    ("given_input", "message"),
    [
        (Input(()), "expected one per creature, 1, found 0"),
        (Input(((70_000, 0, 0, 0),)), r"commands\[0\]"),
        (Input(((0.5, 0, 0, 0),)), r"commands\[0\]"),  # type: ignore[arg-type]
        (Input(((0, 0),)), r"commands\[0\]"),
        (Input.of([()], [Event("jump", 0)]), r"events\[0\].kind"),
        (Input.of([()], [Event("reset", 1)]), r"events\[0\].creature"),
        (Input.of([()], [Event("disable_leg", 0, leg=6)]), r"events\[0\].leg: expected 0 to 5"),
        (
            Input.of([()], [Event("disable_leg", 0)]),
            r"events\[0\].leg: expected an int from 0 to 5, found None",
        ),
        (Input.of([()], [Event("push", 0)]), r"events\[0\].velocity: expected three numbers"),
        (Input.of([()], [Event("push", 2, velocity=(0, 0, 0))]), r"events\[0\].creature"),
        (
            Input.of([()], [Event("push", 0, velocity=(0.0, float("nan"), 0.0))]),
            r"events\[0\].velocity",
        ),
    ],
)
def test_inputs_that_do_not_fit_are_refused(given_input: Input, message: str) -> None:
    with pytest.raises(DefinitionError, match=message):
        check_input(given_input, Roster((6,)))


def test_the_error_of_a_plan_lists_every_leg_that_is_too_short() -> None:
    table = load_creature("hexapod").model_dump()
    for pair in table["leg_pairs"]:
        pair["bones"], pair["joints"] = (0.05, 0.1), ()
    with pytest.raises(ValidationError) as caught:
        CreatureDef.model_validate(table)
    for index in range(3):
        assert f"leg_pairs[{index}].bones" in str(caught.value)
