"""Text from files, as it is shown."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.figures.labels import leg_name, printable
from creature_sim.library.loader import load_creature


@pytest.mark.slow
@given(st.text())
def test_what_is_shown_holds_no_control_characters(text: str) -> None:
    shown = printable(text)
    assert not {unicodedata.category(letter)[0] for letter in shown} & {"C"}
    assert len(shown.splitlines()) <= 1


@pytest.mark.parametrize("code", [*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), 0x2028])
def test_control_characters_and_turns_of_direction_are_written_as_escapes(code: int) -> None:
    shown = printable(f"a{chr(code)}b")
    assert shown.isprintable()
    assert int(shown[3:-1], 16) == code


@pytest.mark.parametrize("text", ["hexapod-2.mcap", "Käfer, übergroß", "甲虫", "a < b & c"])
def test_words_of_any_language_stay_as_they_are(text: str) -> None:
    assert printable(text) == text


def test_legs_are_named_by_side_and_pair() -> None:
    names = [leg_name(leg) for leg in load_creature("hexapod").all_legs]
    assert names == ["L1", "R1", "L2", "R2", "L3", "R3"]
