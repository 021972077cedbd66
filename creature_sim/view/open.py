"""Opens a window with a run or a replay."""

from collections.abc import Sequence

from creature_sim.drivers import Driver
from creature_sim.replay.playback import Playable
from creature_sim.session import End, Sink
from creature_sim.simulation import Simulation
from creature_sim.view.shows.live import LiveShow
from creature_sim.view.shows.player import ReplayShow
from creature_sim.view.shows.source import Source


def show_simulation(
    simulation: Simulation,
    driver: Driver | None = None,
    sinks: Sequence[Sink] = (),
    *,
    max_ticks: int | None = None,
    source: Source | None = None,
    has_companion: bool = False,
) -> End:
    """Run a simulation in a window until the user closes it.

    Args:
        simulation: continues from where it is; it stays open afterwards.
        driver: steers every creature that no key has taken over; None: they stand.
        sinks: see every tick.
        max_ticks: the window closes by itself after this many.
        source: files of the world; when one is saved, another simulation continues from here.
        has_companion: whether the same creatures walk there translucent, moved by no force.

    Returns:
        How the simulation that ran last ended.

    Raises:
        DisplayUnavailable: there is no screen, or no OpenGL 3.3 on it.
    """
    from creature_sim.view.gl.display import open_window

    show = LiveShow(simulation, driver, sinks, max_ticks, source, has_companion=has_companion)
    advice = "run with --headless instead (--record FILE keeps the run), or set DISPLAY"
    native = open_window(f"creature_sim - {show.world.name}", advice)
    from creature_sim.view.window import run  # it uses OpenGL, which exists only now

    try:
        show.begin()
        run(native, show)
        return End(show.world, show.simulation.snapshot)
    finally:
        show.close()


def show_replay(
    replay: Playable, other: Playable | None = None, *, is_beside: bool = False
) -> None:
    """Play a replay in a window until the user closes it, another replay over it or beside it.

    Raises:
        DefinitionError: the other replay is on other ground.
        DisplayUnavailable: there is no screen, or no OpenGL 3.3 on it.
    """
    from creature_sim.view.gl.display import open_window

    show = ReplayShow(replay, other, is_beside=is_beside)
    advice = "use --headless --json for a summary instead, or set DISPLAY"
    native = open_window(f"creature_sim - replay of {show.world.name}", advice)
    from creature_sim.view.window import run  # it uses OpenGL, which exists only now

    run(native, show)
