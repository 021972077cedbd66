"""When a frame of the window appears."""

from typing import Any

import pytest

from creature_sim.view.gl.display import open_offscreen
from tests.shows import replay_show

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("is_software", "expected"),
    [(False, ["ticks", "shown"] * 3), (True, ["ticks", "ticks", "shown", "ticks", "shown"])],
)
def test_what_a_cpu_draws_appears_once_the_next_ticks_are_done(
    is_software: bool, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    native = open_offscreen()
    import pyglet

    from creature_sim.view import window  # it uses OpenGL, which exists only now

    happened: list[str] = []

    def noted(name: str, call: Any) -> Any:
        def noting(*given: Any) -> Any:
            happened.append(name)
            return call(*given)

        return noting

    show = replay_show(9)
    monkeypatch.setattr(show, "advance", noted("ticks", show.advance))
    monkeypatch.setattr(native, "flip", noted("shown", native.flip))
    monkeypatch.setattr(window, "is_software", lambda: is_software)
    monkeypatch.setattr(pyglet.app, "run", lambda interval: [pyglet.clock.tick() for _ in range(3)])
    window.run(native, show)
    assert happened == expected
