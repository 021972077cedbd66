"""One trial: a creature is steered along its course, and judged."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from creature_sim.definitions import CreatureDef
from creature_sim.drivers import towards
from creature_sim.inputs import Input
from creature_sim.lab.course import Course, Trial
from creature_sim.replay import Recorder
from creature_sim.score import TITLES, Metric, Surface, Track, tracks
from creature_sim.score.bodies import is_falling, support_margin
from creature_sim.score.feet import penetration, reach_use, touchdown_error
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot

LOOKAHEAD = 4.0
"""Whoever steers looks this many reaches ahead on the straight course."""
CHECK, WINDOW = 1.0, 1.6
"""A fall is looked for so often, in what happened over so long: it takes half a second [s]."""
STILL = 3.0
"""A creature that comes no farther for so long does not move on [s]."""
NEEDED = ("M3", "M4", "M6")
"""Metrics that have to pass for a success."""


@dataclass(frozen=True)
class Outcome:
    """What a trial came to.

    Attributes:
        trial: what was run.
        verdict: "success": across, with sound feet and legs; "fall"; "stuck": neither.
        cause: of a failure; empty for a success.
        way: how far it came along the course [m].
        seconds: how long it walked.
        metrics: M3, M4, M6.
        digest: of the last state.
        replay: where the replay of a failure is, if one was asked for.
    """

    trial: Trial
    verdict: Literal["success", "fall", "stuck"]
    cause: str
    way: float
    seconds: float
    metrics: dict[str, Metric]
    digest: str
    replay: str | None


def replay_path(folder: Path, trial: Trial) -> Path:
    """Where the replay of a failed trial is left."""
    return folder / f"{trial.name}.mcap"


def run_trial(
    creature: CreatureDef, trial: Trial, failures: Path | None = None, *, force: bool = False
) -> Outcome:
    """Run a trial until it is decided.

    Args:
        creature: who walks.
        trial: over what.
        failures: folder in which a failed run leaves its replay; None: nowhere.
        force: whether an older replay there may be replaced.

    Raises:
        OutputError: the replay cannot be written.
    """
    course = Course.of(creature)
    with Simulation(course.world(creature, trial)) as simulation, ExitStack() as stack:
        recorder = None
        if failures:
            path = replay_path(failures, trial)
            recorder = stack.enter_context(Recorder(path, simulation, force=force))
        states = _walk(simulation, course, recorder)
        outcome = _judge(trial, course, simulation, states, str(path) if recorder else None)
        if recorder and outcome.verdict == "success":
            recorder.discard()
        return outcome


def _walk(simulation: Simulation, course: Course, recorder: Recorder | None) -> list[Snapshot]:
    """Every state of a run, up to where its outcome is decided."""
    rate = simulation.world.tick_rate

    def drive(snapshot: Snapshot) -> Input:
        body = snapshot.creatures[0]
        way = (LOOKAHEAD * course.reach, -float(body.position[1]), 0.0)
        forward, turn, _ = towards(body, snapshot, way)
        return Input.of([(forward, turn)])

    session = Session(simulation, drive, (recorder,) if recorder else ())
    surface = Surface(simulation.physics)
    states = [simulation.snapshot]
    last = round(course.seconds * rate)
    for tick in range(1, last + 1):
        states.append(session.advance())
        left = course.length - states[-1].creatures[0].position[0]
        if left <= 0.0 or left > course.top_speed * (last - tick) / rate:
            break
        if tick % round(CHECK * rate) == 0 and _fall(
            states[-round(WINDOW * rate) :], rate, surface
        ):
            break
    return states


def _fall(states: list[Snapshot], rate: int, surface: Surface) -> str:
    """How the creature fell in these states; empty if it did not."""
    (track,) = tracks(states, rate)
    return is_falling(track, surface, support_margin(track))


def _judge(
    trial: Trial, course: Course, simulation: Simulation, states: list[Snapshot], path: str | None
) -> Outcome:
    """The outcome of a run that is over."""
    rate = simulation.world.tick_rate
    surface = Surface(simulation.physics)
    (track,) = tracks(states, rate)
    heights = surface.nearest_heights(track.tips, track.ups_at(track.tips))
    metrics = {
        "M3": touchdown_error(track, heights),
        "M4": penetration(track, heights),
        "M6": reach_use(track),
    }
    failed = [number for number in NEEDED if metrics[number].verdict == "fail"]
    way = float(track.position[-1, 0])
    verdict: Literal["success", "fall", "stuck"] = "stuck"
    cause = is_falling(track, surface, support_margin(track))
    if cause:
        verdict = "fall"
    elif way < course.length:
        cause = _delay(track)
    elif failed:
        cause = ", ".join(f"{number} {TITLES[number]}" for number in failed)
    else:
        verdict = "success"
    return Outcome(
        trial,
        verdict,
        cause,
        way,
        (len(states) - 1) / rate,
        metrics,
        simulation.digest,
        path if verdict != "success" else None,
    )


def _delay(track: Track) -> str:
    """Why a creature that did not fall did not arrive."""
    before = track.position[: -round(STILL * track.tick_rate), 0]
    if len(before) and track.position[-1, 0] - before[-1] < 0.1 * track.reach.mean():
        return "it came no farther"
    return "it was too slow"
