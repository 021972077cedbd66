"""Time becomes ticks: nothing is lost, nothing is made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.view.shows.ticks import LONGEST_FRAME, TickClock


@pytest.mark.slow
@given(st.sampled_from((20, 60, 100, 200)), st.lists(st.floats(0.0, 2.0), max_size=60))
def test_time_is_paid_out_in_ticks_saved_or_dropped(rate: int, frames: list[float]) -> None:
    clock = TickClock(rate)
    ticks, lost = 0, 0.0
    for seconds in frames:
        due, dropped = clock.advance(seconds)
        assert 0 <= due <= LONGEST_FRAME * rate + 1e-6
        assert dropped >= 0.0
        ticks, lost = ticks + due, lost + dropped
    assert abs(ticks / rate + clock.fraction / rate + lost - sum(frames)) < 1e-6
    assert lost == 0.0 or max(frames) > LONGEST_FRAME - 1.0 / rate
