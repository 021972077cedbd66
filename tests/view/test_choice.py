"""Which layers of the overlay keys show."""

from creature_sim.view.flat.choice import Choice


def test_the_key_of_a_layer_shows_it_whatever_was_chosen_before() -> None:
    choice = Choice()
    assert choice.press("gait")  # chosen from the beginning, and hidden like all others
    assert choice.shows("gait")
    assert choice.shows("feet")
    assert choice.press("gait")
    assert not choice.shows("gait")
    assert choice.press("overlay")
    assert not choice.shows("feet")
    assert choice.press("rays")
    assert choice.shows("rays")
    assert choice.shows("feet")
    assert not choice.press("forward")
