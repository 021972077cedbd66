"""One trial: a creature is steered along its course, and judged."""

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from creature_sim.definitions import CreatureDef
from creature_sim.guides import Guide
from creature_sim.inputs import Input
from creature_sim.lab.course import Course, Trial
from creature_sim.lab.way import Way
from creature_sim.replay import Recorder
from creature_sim.score import Metric, Surface, Walk, metric_specs, title_of, tracks
from creature_sim.score.bodies import SOUND, fall_of
from creature_sim.score.climbs import CROSSES
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot

CHECK, WINDOW = 1.0, 1.6
"""A fall is looked for at this interval, in a window of this length; it takes half a second [s]."""
STILL = 3.0
"""A creature that comes no farther for this long is stuck [s]."""


@dataclass(frozen=True)
class Outcome:
    """The result of a trial.

    Attributes:
        trial: what was run.
        verdict: "success": it crossed and passes M3, M4 and M6; "fall"; "stuck": anything else.
        cause: of a failure; empty for a success.
        distance: how far it came along the course [m].
        seconds: how long it walked.
        metrics: M3, M4, M6; of a course that leaves the floor also M21, M33 to M36 and M44;
            and those that were asked for besides.
        digest: of the last state.
        replay: path of the replay of a failure, if one was asked for.
    """

    trial: Trial
    verdict: Literal["success", "fall", "stuck"]
    cause: str
    distance: float
    seconds: float
    metrics: dict[str, Metric]
    digest: str
    replay: str | None


def replay_path(folder: Path, trial: Trial) -> Path:
    """Path of the replay of a failed trial."""
    return folder / f"{trial.name}.mcap"


def run_trial(
    creature: CreatureDef,
    trial: Trial,
    failures: Path | None = None,
    *,
    also: Iterable[str] = (),
) -> Outcome:
    """Run a trial until it is decided.

    Args:
        creature: who walks.
        trial: on which ground.
        failures: folder for the replay of a failed run; None: there is none.
        also: metrics to measure besides; the verdict does not ask for them.

    Raises:
        OutputError: the replay cannot be written.
    """
    course = Course.of(creature)
    way = course.way(trial)
    with Simulation(course.world(creature, trial)) as simulation, ExitStack() as stack:
        if way.points:
            way.guide = Guide(simulation.world, simulation.terrain)
        recorder = None
        if failures:
            path = replay_path(failures, trial)
            recorder = stack.enter_context(Recorder(path, simulation))
        before = simulation.physics.ray_count
        states, left, asked = _walk(simulation, course, way, recorder)
        cast = simulation.physics.ray_count - before - asked
        outcome = _judge(
            trial, left, way, simulation, states, str(path) if recorder else None, cast, also
        )
        if recorder and outcome.verdict == "success":
            recorder.discard()
        return outcome


def _walk(
    simulation: Simulation, course: Course, way: Way, recorder: Recorder | None
) -> tuple[list[Snapshot], list[float], int]:
    """All states of a run until its outcome is decided, and how much of the way is left [m].

    Also how many rays looked for falls.
    """
    rate = simulation.world.tick_rate

    def drive(snapshot: Snapshot) -> Input:
        return Input.of([way.lead(snapshot.creatures[0], snapshot)])

    session = Session(simulation, drive, (recorder,) if recorder else ())
    surface = Surface(simulation.physics)
    states = [simulation.snapshot]
    left, asked = [way.left(states[0].creatures[0])], 0
    last = round(course.seconds_for(way) * rate)
    for tick in range(1, last + 1):
        states.append(session.advance())
        left.append(way.left(states[-1].creatures[0]))
        if left[-1] <= 0.0 or left[-1] > course.top_speed * (last - tick) / rate:
            break
        if tick % round(CHECK * rate) == 0:
            before = simulation.physics.ray_count
            fell = _fall(states[-round(WINDOW * rate) :], rate, surface)
            asked += simulation.physics.ray_count - before
            if fell:
                break
    return states, left, asked


def _fall(states: list[Snapshot], rate: int, surface: Surface) -> str:
    """How the creature fell in these states; empty if it did not."""
    (track,) = tracks(states, rate)
    return fall_of(Walk(track, surface))


def _judge(
    trial: Trial,
    left: list[float],
    way: Way,
    simulation: Simulation,
    states: list[Snapshot],
    path: str | None,
    cast: int,
    also: Iterable[str],
) -> Outcome:
    """The outcome of a run that is over."""
    rate = simulation.world.tick_rate
    (track,) = tracks(states, rate)
    rays = cast / track.is_swinging.size
    walk = Walk(track, Surface(simulation.physics), trial.kind, rays)
    asked = {**SOUND, **CROSSES} if way.points else SOUND
    metrics = {key: measure(walk) for key, measure in asked.items()}
    metrics |= {key: metric_specs()[key].measure(walk) for key in also}
    failed = [key for key in SOUND if metrics[key].verdict == "fail"]
    verdict: Literal["success", "fall", "stuck"] = "stuck"
    cause = fall_of(walk)
    if cause:
        verdict = "fall"
    elif left[-1] > 0.0:
        cause = _delay(left, rate, float(track.reach.mean()))
    elif failed:
        cause = ", ".join(f"{key} {title_of(key)}" for key in failed)
    else:
        verdict = "success"
    return Outcome(
        trial,
        verdict,
        cause,
        way.length - left[-1],
        (len(states) - 1) / rate,
        metrics,
        simulation.digest,
        path if verdict != "success" else None,
    )


def _delay(left: list[float], rate: int, reach: float) -> str:
    """Why a creature that did not fall did not arrive.

    Args:
        left: of the way after each tick [m].
        rate: ticks per second.
        reach: of its legs [m].
    """
    before = left[: -round(STILL * rate)]
    if before and before[-1] - left[-1] < 0.1 * reach:
        return "it came no farther"
    return "it was too slow"
