"""What is wrong, in our words: paths, values, and what may have been meant."""

import datetime
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, ValidationError, create_model, model_validator
from pydantic_core import PydanticCustomError

from creature_sim.definitions import CreatureDef, WorldDef, explain
from creature_sim.files.definition import Definition
from creature_sim.files.hints import hint
from creature_sim.files.problems import Problem, path_of, problem_in, shown
from creature_sim.library.loader import load_creature, load_world


def explained(model: type[Definition], table: dict[str, Any]) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(table)
    return explain(caught.value)


def test_paths_have_one_form() -> None:
    assert path_of(("legs", 2, "bones", 0)) == "legs[2].bones[0]"
    assert path_of(("species", "my.bug", "a\x1bb")) == "species.'my.bug'.'a\\x1bb'"
    assert problem_in("legs[2].bones: expected a, found b") == Problem(
        ("legs", 2, "bones"), "expected a, found b"
    )
    assert problem_in("expected a: b") == Problem((), "expected a: b")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "none"),
        (True, "true"),
        ("a\x1b\n", r"'a\x1b\n'"),
        ([1, "b", (2.0, False)], "[1, 'b', [2.0, false]]"),
        ({"a": 1, "b c": {}}, "{a = 1, 'b c' = {}}"),
        (datetime.date(2020, 1, 2), "2020-01-02"),
        ("x" * 99, "'" + "x" * 56 + "..."),
    ],
)
def test_values_are_shown_as_files_write_them(value: object, text: str) -> None:
    assert shown(value) == text


def test_values_without_end_are_shown() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert shown(loop) == "something too deep to show"
    assert shown(16**5000) == "a number too long to show"


@pytest.mark.slow
@given(st.text(max_size=80), st.lists(st.text(min_size=1, max_size=8), max_size=4))
def test_hints_end_a_message(text: str, names: list[str]) -> None:
    assert bool(hint(text, names)) == bool(names)


def test_hints_name_what_is_nearest() -> None:
    assert hint("hils", ["hills", "rails", "wall"]) == "; did you mean hills?"
    assert hint("Hexapod", ["hexapod", "biped"]) == "; did you mean hexapod?"
    assert hint("xyz", ["a", "b"]) == "; there are a, b"
    assert hint("none", ["canyon", "hills"]) == "; there are canyon, hills"
    assert hint(3, ["a", "b"]) == "; there are a, b"


def hexapod(**changes: object) -> dict[str, Any]:
    return load_creature("hexapod").model_dump() | changes


def test_misspelt_keys_kinds_and_values_say_what_was_meant() -> None:
    body = hexapod()["body"]
    mass = body.pop("mass")
    assert explained(CreatureDef, hexapod(body=body | {"mas": mass})) == [
        "body.mas: expected no such key, found 4.0; did you mean mass?"
    ]
    gait = hexapod()["gait"]
    assert explained(CreatureDef, hexapod(gait=gait | {"kind": "phas"})) == [
        "gait.kind: expected a known one, found 'phas'; did you mean phase?"
    ]
    leg = load_creature("hexapod").all_legs[0].model_dump() | {"side": "lef"}
    assert explained(CreatureDef, hexapod(legs=[leg])) == [
        "legs[0].side: expected 'left' or 'right', found 'lef'; did you mean left?"
    ]
    del gait["kind"]
    assert explained(CreatureDef, hexapod(gait=gait | {"knd": "phase"})) == [
        "gait.kind: expected a known one, found none; did you mean it by knd?"
    ]
    assert explained(CreatureDef, hexapod(gait=gait)) == [
        "gait.kind: expected a known one, found none; there are reactive, phase"
    ]


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (float, "a number"),
        (int | None, "a whole number"),
        (bool, "true or false"),
        (str, "text"),
        (Annotated[float, Field(gt=0.0)], "a number"),
        (Literal["left", "right"], "'left' or 'right'"),
        (Literal["+X", "+Y", "+Z"], "'+X', '+Y' or '+Z'"),
        (Literal["all"] | Annotated[int, Field(ge=0)], "'all' or a whole number"),
        (tuple[float, float, float], "a list of 3 values"),
        (tuple[float, ...], "a list"),
        (dict[str, float], "a table"),
        (CreatureDef, "a table"),
        (Any, "a value"),
    ],
)
def test_a_missing_value_says_what_it_would_be(annotation: Any, expected: str) -> None:
    model = create_model(f"Asked{annotation}", __base__=Definition, key=(annotation, ...))
    assert explained(model, {}) == [f"key: expected {expected}, found none"]


def test_a_key_in_the_wrong_table_is_sent_to_its_own() -> None:
    body = hexapod()["body"] | {"speed": 1.0, "name": "a"}
    assert explained(CreatureDef, hexapod(body=body)) == [
        "body.speed: expected no such key, found 1.0; did you mean motion.speed?",
        "body.name: expected no such key, found 'a'; "
        "did you mean name at the top of the file, above all tables?",
    ]


def test_who_says_that_a_creature_climbs_as_in_a_world_is_told_of_the_table() -> None:
    """It was sent to the top of the file, and told there that it is a table."""
    (line,) = explained(CreatureDef, hexapod(gait=hexapod()["gait"] | {"climb": True}))
    assert line.endswith("expected no such key of kind 'phase', found true; did you mean [climb]?")
    (line,) = explained(CreatureDef, hexapod(climb=True))
    assert line == "climb: expected a table, found true; write a table [climb] instead"


def test_a_key_of_another_kind_says_which_kind_it_is() -> None:
    (line,) = explained(CreatureDef, hexapod(gait=hexapod()["gait"] | {"alternation": "side"}))
    assert line.startswith("gait.alternation: expected no such key of kind 'phase', found 'side'")


def test_an_unknown_way_of_a_layer_is_named_and_not_its_kind() -> None:
    layers = [{"how": "sum", "ground": {"kind": "flat"}}]
    table = load_world("meadow").model_dump() | {"terrain": {"kind": "layers", "layers": layers}}
    assert explained(WorldDef, table) == [
        "terrain.layers[0].how: expected a known one, found 'sum'; "
        "there are add, multiply, mask, blend"
    ]


def test_choices_between_types_are_one_line() -> None:
    pairs = [pair | {"segment": "al"} for pair in hexapod()["leg_pairs"][:1]]
    assert explained(CreatureDef, hexapod(leg_pairs=pairs)) == [
        "leg_pairs[0].segment: expected a whole number or 'all', found 'al'"
    ]


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"bones": (9.0, 24.0, 32.0)}, "bones"),
        ({"bones": (0.0009, 0.0024, 0.0032)}, "bones"),
        ({"home": (40.0, 38.0)}, "home"),
        ({"mount": (24.0, 11.0, 0.0)}, "mount"),
    ],
)
@pytest.mark.parametrize("which", [slice(0, 1), slice(0, 3)])
def test_lengths_in_other_units_are_named(
    changes: dict[str, tuple[float, ...]], key: str, which: slice
) -> None:
    table = hexapod()
    pairs = [*table["leg_pairs"]]
    pairs[which] = [pair | changes for pair in pairs[which]]
    lines = explained(CreatureDef, table | {"leg_pairs": pairs})
    assert [line.split(": ")[0] for line in lines] == [
        f"leg_pairs[{index}].{key}" for index in range(which.stop)
    ]


def test_a_ride_height_in_other_units_is_named_once() -> None:
    (line,) = explained(CreatureDef, hexapod(body=hexapod()["body"] | {"ride_height": 26.0}))
    assert line.startswith("body.ride_height: expected a foot that stands at most 0.617 m from")


def test_many_legs_are_counted_before_they_are_made() -> None:
    pair = hexapod()["leg_pairs"][0] | {"segment": "all"}
    segments = [{"size": (0.1, 0.1, 0.1), "count": 39}]
    (line,) = explained(CreatureDef, hexapod(leg_pairs=[pair] * 3000, segments=segments))
    assert line == ("leg_pairs: expected 2 to 40 legs of leg_pairs on all segments, found 240000")


class OwnDef(Definition):
    kind: Literal["own"]
    size: Annotated[int, Field(multiple_of=3)] = 3

    @model_validator(mode="before")
    @classmethod
    def _refuses(cls, value: dict[str, Any]) -> object:
        if "custom" in value:
            raise PydanticCustomError("mine", "expected {a}, found b", {"a": 1})
        if "assertion" in value:
            raise AssertionError("size: expected none, found one")
        return value


def test_models_of_plugins_say_their_own_words_and_none_of_pydantic() -> None:
    assert explained(OwnDef, {"kind": "own", "size": 2}) == [
        "size: expected a valid value, found 2"
    ]
    assert explained(OwnDef, {"custom": 1}) == ["expected 1, found b"]
    assert explained(OwnDef, {"assertion": 1}) == ["size: expected none, found one"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([-1], ["seeds[0]: expected at least 0, found -1"]),
        ([], ["seeds: expected a whole number or a list of at least 1, found []"]),
        (
            ["a", -1],
            [
                "seeds[0]: expected a whole number, found 'a'",
                "seeds[1]: expected at least 0, found -1",
            ],
        ),
    ],
)
def test_a_list_with_a_wrong_element_is_not_called_wrong_itself(
    value: object, said: list[str]
) -> None:
    """Neither too short, for pydantic counts right elements only, nor of the wrong type."""
    seeds = Annotated[tuple[Annotated[int, Field(strict=True, ge=0)], ...], Field(min_length=1)]
    model = create_model(
        "Model", __base__=Definition, seeds=(Annotated[int, Field(strict=True)] | seeds, ...)
    )
    assert explained(model, {"seeds": value}) == said


def test_a_list_with_wrong_elements_only_is_not_called_too_short() -> None:
    table = load_creature("hexapod").model_dump()
    table["leg_pairs"][0]["bones"] = (1e9, -1.0)
    assert explained(CreatureDef, table) == [
        "leg_pairs[0].bones[0]: expected less than 10000, found 1000000000.0",
        "leg_pairs[0].bones[1]: expected more than 0, found -1.0",
    ]
