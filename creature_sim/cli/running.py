"""`creature-sim run` and `demo`."""

import json
import sys
from collections.abc import Mapping
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from creature_sim.cli.app import MISMATCH, Force, Json, app
from creature_sim.cli.progress import progress
from creature_sim.cli.references import (
    Climb,
    Creature,
    Physical,
    World,
    creature_of,
    driver_of,
    peopled_world,
)
from creature_sim.cli.signals import Stopped, held
from creature_sim.cli.summary import print_run
from creature_sim.cli.verifying import print_verification
from creature_sim.cli.watch import Watch
from creature_sim.errors import DefinitionError

if TYPE_CHECKING:
    from creature_sim.definitions import WorldDef
    from creature_sim.drivers import Driver
    from creature_sim.library.loader import Written
    from creature_sim.session import Session
    from creature_sim.snapshots.snapshot import Snapshot
    from creature_sim.view.shows.source import Source

DEMO_FILE = Path("creature-sim-demo.mcap")
DEMO_PAGE = Path("creature-sim-demo.html")
DEMO_DRIVE = "forward 6; forward left 3; forward 5; forward right 4; forward 2"
MAX_SECONDS = 86_400.0


@app.command()
def run(
    world: World = "hills",
    creature: Creature = None,
    climb: Climb = False,
    physical: Physical = False,
    twin: Annotated[
        bool,
        typer.Option("--twin", help="As --physical, with what no force moves translucent over it."),
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(help="How long to run. Default with --headless: 20.", metavar="S"),
    ] = None,
    ticks: Annotated[int | None, typer.Option(help="How many ticks to run.", metavar="N")] = None,
    headless: Annotated[bool, typer.Option("--headless", help="Run without a window.")] = False,
    drive: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help='"forward 5; forward left 2.5; stop 1", "wander", "goto X,Y" or "goto X,Y,Z".',
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Replaces the world's seed.", metavar="N")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="X,Y,Z", help="Where chains reach to, in metres."),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a replay (.mcap).")
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Run a world: in a window, steered by keys and mouse, or headless.

    Ctrl-C and SIGTERM end the run: what was recorded up to then is complete. Exit codes then: 130
    and 143.
    """
    from creature_sim.library.loader import files_of, located_in, written_creature, written_species
    from creature_sim.library.variants import with_seed, with_target

    if twin and headless:
        raise DefinitionError(
            "--twin: expected a window, found --headless; record with --physical, and see both "
            "with score --compare"
        )

    def load() -> tuple["WorldDef", "Driver | None"]:
        """Read all files; refuse a bad driver before anything is built."""
        forces = "--twin" if twin else "--physical" if physical else ""
        found = peopled_world(world, creature, climb, physical=forces)
        if seed is not None:
            found = with_seed(found, seed)
        if target is not None:
            found = with_target(found, target)
        return found, None if drive is None else driver_of(found, drive)

    def plans() -> "Mapping[str, Written]":
        """Where each body plan is written."""
        if creature is None:
            return written_species(world)
        return {creature_of(creature, climb).name: written_creature(creature)}

    definition, driver = load()
    source = None
    if not headless:
        from creature_sim.view.shows.source import Source

        paths = files_of("world", world) + (files_of("creature", creature) if creature else [])
        source = Source(paths, load, is_recorded=record is not None, plans=plans)
    count = tick_count(seconds, ticks, definition.tick_rate, 20.0 if headless else None)
    with located_in(world) if creature is None else nullcontext():
        summary = _run(
            definition,
            count,
            headless,
            driver,
            record,
            force,
            quiet=as_json,
            source=source,
            has_companion=twin,
        )
    _tell(summary, as_json)


def _tell(summary: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(summary))
    else:
        print_run(summary)
        for slow in summary["slow"]:
            print(slow["text"])


def _run(
    definition: "WorldDef",
    count: int | None,
    headless: bool,
    driver: "Driver | None",
    path: Path | None,
    force: bool,
    *,
    quiet: bool,
    source: "Source | None" = None,
    has_companion: bool = False,
) -> dict[str, Any]:
    """Simulate, headless without a driver with the world's own; the summary of `run --json`.

    Raises:
        Stopped: by a signal; the summary is printed, and a recording is complete.
    """
    from creature_sim.session import Session
    from creature_sim.simulation import Simulation

    if path:
        _check_recording(path, force)
    watch = None
    try:
        with ExitStack() as stack:
            simulation = stack.enter_context(Simulation(definition))
            if headless and driver is None:
                driver = driver_of(definition, None)
            recorder = None
            with held():
                if path:
                    from creature_sim.replay import Recorder

                    recorder = stack.enter_context(Recorder(path, simulation, force=force))
                watch = Watch(definition, simulation.snapshot)
            if recorder:
                watch.sinks.append(recorder)
            if headless:
                assert count is not None
                assert driver is not None
                _walk(Session(simulation, driver, [watch]), count, quiet=quiet)
                end = watch.end
            else:
                from creature_sim.view.open import show_simulation

                end = show_simulation(
                    simulation,
                    driver,
                    [watch],
                    max_ticks=count,
                    source=source,
                    has_companion=has_companion,
                )
            with held():
                if recorder:
                    recorder.close()
        return _with_ways(watch.summary(end, path), driver, end.snapshot)
    except Stopped as stop:
        stop.done = "before the first tick"
        if watch is not None:
            # A window may have gone on with another world since.
            summary = watch.summary(watch.end, path, has_chains=headless)
            _tell(summary if quiet else {**summary, "replay": None}, quiet)
            stop.done = _how_far(summary, path)
        raise


def _with_ways(
    summary: dict[str, Any], driver: "Driver | None", last: "Snapshot"
) -> dict[str, Any]:
    """The summary of a run that says who is not at the goal of its driver, and if no way leads."""
    from creature_sim.drivers import Led

    if not isinstance(driver, Led):
        return summary
    creatures = summary["creatures"]
    for number, tick in driver.lost.items():
        told = {"tick": tick, "motion": "goto", "reason": "no way leads there"}
        creatures[number].setdefault("refused", []).append(told)
    for number, far in driver.left(last).items():
        creatures[number]["left"] = round(far, 6)
    return summary


def _walk(session: "Session", count: int, *, quiet: bool) -> None:
    """So many ticks without a window."""
    with progress("running", count, quiet=quiet) as show:
        for done in range(1, count + 1):
            session.advance()
            show(done)


def _how_far(summary: dict[str, Any], path: Path | None) -> str:
    """How far a run came that was stopped, and what is left of it."""
    kept = "nothing was recorded"
    if path:
        kept = f"recorded in {path}, {summary['ticks']:,} ticks, can be verified"
    return f"at {summary['seconds']:.1f} s; {kept}"


def _check_recording(path: Path, force: bool) -> None:
    """Refuse a file that cannot be written, or whose name is not that of a replay."""
    from creature_sim.files.output import check_name, check_output

    check_output(path, force)
    check_name("--record", path, [".mcap"])


@app.command()
def demo() -> None:
    """Let a hexapod walk for 20 s, record it, verify it, and write a page for a browser."""
    from creature_sim.export.page import write_page
    from creature_sim.library.loader import load_world
    from creature_sim.replay import open_replay
    from creature_sim.replay import verify as verify_replay

    world = load_world("hills")
    print("1. A hexapod walks hills for 20 s, headless (the first run compiles the kernels).")
    driver = driver_of(world, DEMO_DRIVE)
    summary = _run(world, 20 * world.tick_rate, True, driver, DEMO_FILE, True, quiet=False)
    print_run(summary)
    print("2. The recording is simulated again from the file alone.")
    with progress("verifying", summary["ticks"]) as show:
        result = verify_replay(DEMO_FILE, progress=show)
    print_verification(result, world)
    if not result.ok:
        raise typer.Exit(MISMATCH)
    print("3. A page is written that plays the recording in any browser.")
    write_page(open_replay(DEMO_FILE), DEMO_PAGE, "A hexapod on hills", force=True)
    print(f"The replay is {DEMO_FILE.resolve()}")
    print(f"The page is   {DEMO_PAGE.resolve()}")
    command = sys.argv[0] if sys.argv[0].endswith("creature-sim") else "creature-sim"
    print(f"Watch it:         {command} replay {DEMO_FILE}")
    print(f"Steer one:        {command} run hills")
    print(f"How good it is:   {command} score {DEMO_FILE}")


def tick_count(
    seconds: float | None, ticks: int | None, rate: int, default: float | None
) -> int | None:
    """Number of ticks that the options ask for; None: until the window is closed."""
    if seconds is not None and ticks is not None:
        raise DefinitionError("--seconds: expected only one of --seconds and --ticks, found both")
    if ticks is not None:
        if not 0 <= ticks <= MAX_SECONDS * rate:
            raise DefinitionError(
                f"--ticks: expected a number from 0 to {MAX_SECONDS * rate:.0f}, found {ticks}"
            )
        return ticks
    if seconds is None:
        seconds = default
    if seconds is None:
        return None
    if not 0.0 <= seconds <= MAX_SECONDS:
        raise DefinitionError(
            f"--seconds: expected a number from 0 to {MAX_SECONDS:.0f}, found {seconds}"
        )
    return round(seconds * rate)
