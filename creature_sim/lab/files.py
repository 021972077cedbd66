"""Scores and proofs of many replay files at once: workers get their bytes, and no folder."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeVar

from creature_sim.advice import Advice, mends_of
from creature_sim.definitions import WorldDef
from creature_sim.errors import CreatureSimError, DefinitionError, ReplayError
from creature_sim.files.output import temporary, write_output
from creature_sim.inputs import Input
from creature_sim.library.variants import (
    has_twins,
    moved_by_forces,
    with_twins,
    without_twins,
)
from creature_sim.replay import Replay, Verification, open_replay, verify
from creature_sim.score import Metric, Surface, Walk, score_run, shortfalls
from creature_sim.score import plot as draw
from creature_sim.score.limits import Limits
from creature_sim.score.registry import load_plugins
from creature_sim.simulation import Simulation
from creature_sim.workers import Died, Workers, results

Result = TypeVar("Result")


class Score(NamedTuple):
    """What is said of a creature's walk.

    Attributes:
        name: of the creature.
        metrics: by key.
        mends: what usually mends those that failed, by key.
        short: what is below the limits.
        is_physical: whether forces move any creature of its world.
        other: metrics of the same creature, moved by forces if none move this one, or by none.
    """

    name: str
    metrics: dict[str, Metric]
    mends: dict[str, list[Advice]]
    short: list[str]
    is_physical: bool
    other: dict[str, Metric] | None


class Scored(NamedTuple):
    """The scores of a file's creatures, and the notice that it came with."""

    scores: list[Score]
    notice: str


class Proof(NamedTuple):
    """The verification of a file, and its world where something differs."""

    verification: Verification
    world: WorldDef


class Task(NamedTuple):
    """What a worker needs for a file.

    Attributes:
        path: as the user calls it.
        data: its bytes, or why it cannot be read.
        limits: below which a score is short.
        first: tick from which on it is verified; None: the first.
        last: up to which it is; None: the last.
        compare: whether creatures are scored with and without forces.
    """

    path: Path
    data: bytes | str
    limits: Limits
    first: int | None = None
    last: int | None = None
    compare: bool = False


def in_order(
    workers: Workers, call: Callable[[Task], Result | str], tasks: Iterator[Task]
) -> Iterator[Result | str]:
    """What workers say of files, in the order of the files; text says what is wrong with one."""
    found: dict[int, Result | str] = {}
    following = 0
    for index, result in results(workers, call, tasks):
        found[index] = str(result) if isinstance(result, Died) else result
        while following in found:
            yield found.pop(following)
            following += 1


def tasks_of(
    paths: Sequence[Path],
    limits: Limits | None = None,
    first: int | None = None,
    last: int | None = None,
    *,
    compare: bool = False,
) -> Iterator[Task]:
    """Tasks of files, which are read one by one."""
    for path in paths:
        try:
            data: bytes | str = path.read_bytes() if path.is_file() else _why_not(path)
        except OSError:
            data = _why_not(path)
        yield Task(path, data, limits or {}, first, last, compare)


def _why_not(path: Path) -> str:
    """Why a file cannot be read."""
    try:
        open_replay(path)
    except ReplayError as error:
        return str(error)
    return f"{path}: expected a file that stays as it is, found one that changed meanwhile"


def score_replay(
    found: Replay,
    limits: Limits,
    progress: Callable[[int], None] | None = None,
    plot: Path | None = None,
    *,
    compare: bool = False,
) -> list[Score]:
    """Simulate a replay again and score each of its creatures.

    Args:
        found: as it was opened.
        limits: what is wanted of metrics, by key.
        progress: called with the number of ticks done, after each.
        plot: a picture of the first creature's walk to write.
        compare: whether they are scored with and without forces.

    Raises:
        DefinitionError: they are to be compared, and no forces can move them in this world.
        ReplayError: nothing has moved.
    """
    if not found.ticks:
        raise ReplayError(f"{found.path}: expected ticks to score, found none")
    with found.simulation() as simulation:
        runs = score_run(simulation, found.inputs, progress)
        surface, kind = Surface(simulation.physics), found.world.terrain.kind
        is_physical = has_twins(found.world)
        others = _of_the_other(found) if compare else [None] * len(runs)
        scores = [
            Score(
                track.definition.name,
                metrics,
                mends_of(Walk(track, surface, kind), metrics),
                shortfalls(metrics, limits),
                is_physical,
                other,
            )
            for (track, metrics), other in zip(runs, others, strict=True)
        ]
        if plot:
            draw(runs[0][0], surface, plot, found.path.name)
    return scores


def _of_the_other(replay: Replay) -> Sequence[dict[str, Metric]]:
    """Metrics of a replay's creatures with its inputs, moved by forces if none move them there.

    Where any of them is, none of the others is.
    """
    is_physical = not has_twins(replay.world)
    other = with_twins(replay.start) if is_physical else without_twins(replay.start)
    inputs = (_with_comers(given, is_physical) for given in replay.inputs)
    with Simulation(other) as simulation:
        return [metrics for _, metrics in score_run(simulation, inputs)]


def _with_comers(given: Input, is_physical: bool) -> Input:
    """An input whose creatures that come are moved by forces, or by none."""
    if all(event.placement is None for event in given.events):
        return given
    events = (
        replace(event, placement=moved_by_forces(event.placement, is_physical))
        if event.placement is not None
        else event
        for event in given.events
    )
    return replace(given, events=tuple(events))


def score_file(task: Task) -> Scored | str:
    """Score a file, on a worker; text says what is wrong with it."""
    load_plugins()
    with TemporaryDirectory(prefix="creature_sim-") as folder:
        try:
            found = open_replay(_copy(task, folder))
            scores = score_replay(found, task.limits, compare=task.compare)
        except CreatureSimError as error:
            return _named(str(error), task, folder)
        return Scored(scores, _named(found.notice, task, folder))


def verify_file(task: Task) -> Proof | str:
    """Verify a file, on a worker; text says what is wrong with it."""
    with TemporaryDirectory(prefix="creature_sim-") as folder:
        try:
            with open_replay(_copy(task, folder)) as found:
                check_range(found, task.first, task.last)
                result = verify(found, first=task.first, last=task.last)
        except CreatureSimError as error:
            return _named(str(error), task, folder)
        reason = _named(result.reason, task, folder)
        return Proof(replace(result, path=task.path, reason=reason), found.world)


def check_range(found: Replay, first: int | None, last: int | None) -> tuple[int, int]:
    """The ticks that are asked for; DefinitionError if the recording does not have them."""
    begin = found.first if first is None else first
    end = found.last if last is None else last
    if not found.first <= begin <= end <= found.last:
        raise DefinitionError(
            f"{found.path}: --from, --to: expected ticks within {found.first} to {found.last}, "
            f"found {begin} to {end}"
        )
    return begin, end


def _copy(task: Task, folder: str) -> Path:
    """The file of a task, here."""
    if isinstance(task.data, str):
        raise ReplayError(task.data)
    path = Path(folder) / task.path.name
    with temporary(f"a copy of {task.path}"):
        write_output(path, task.data, force=True)
    return path


def _named(text: str, task: Task, folder: str) -> str:
    """A text about a copy, with the name that the user knows."""
    return text.replace(str(Path(folder) / task.path.name), str(task.path))
