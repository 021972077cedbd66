"""What moves in a part of a recording, as arrays over its ticks: exact where it can be."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.errors import DefinitionError
from creature_sim.export.moments import ticks_between
from creature_sim.export.states import UnrepeatableError, exact_states
from creature_sim.maths import Floats
from creature_sim.replay import Replay
from creature_sim.snapshots.poses import CreaturePose, Pose

MAX_NUMBERS = 100_000_000
"""Of all states of a take; more do not fit into the memory of a usual machine."""


@dataclass(frozen=True)
class CreatureTake:
    """A creature over T ticks; the arrays are those of `HerdPose`.

    While it is not there, it is where it came, or where it went.

    Attributes:
        positions: (T, S, 3) [m, world].
        orientations: (T, S, 4) xyzw.
        joints: (T, L, J, 3) [m, world].
        normals: (T, L, 3) of its feet.
        headings: (T, L, 3) of its feet.
        is_planted: (T, L) whether each foot stands.
        is_there: (T,).
    """

    positions: Floats
    orientations: Floats
    joints: Floats
    normals: Floats
    headings: Floats
    is_planted: NDArray[np.bool_]
    is_there: NDArray[np.bool_]


@dataclass(frozen=True)
class Take:
    """All that moves, over T ticks.

    Attributes:
        ticks: (T,) ascending.
        rate: ticks per second.
        creatures: by number.
        chains: joints (T, J, 3) and targets (T, E, 3) of each chain and tree [m, world].
        props: positions and orientations, (T, P, 7) [m, world].
        notice: why the states are not exact; empty where they are.
    """

    ticks: NDArray[np.int64]
    rate: int
    creatures: dict[int, CreatureTake]
    chains: tuple[tuple[Floats, Floats], ...]
    props: Floats
    notice: str = ""

    @property
    def times(self) -> Floats:
        """Of each tick since the first one, (T,) [s]."""
        found: Floats = (self.ticks - self.ticks[0]) / self.rate
        return found


def take_of(
    replay: Replay, start: float | None, end: float | None, progress: Callable[[int], None]
) -> Take:
    """The states of a recording from a second to another one, those of both ends included.

    Args:
        replay: it is simulated again; where that gives another run, its poses are taken.
        start: seconds after its first state; None: all from there.
        end: likewise; None: to its last state.
        progress: called with the number of ticks done.

    Raises:
        DefinitionError: it is not that long, or too long.
    """
    first, last = ticks_between(replay, start, end)
    try:
        states = _kept(exact_states(replay), first, last, progress, replay.first)
        return _taken(states, replay.tick_rate)
    except UnrepeatableError as error:
        states = _kept(replay.poses, first, last, progress, replay.first)
        reason = f"it has the recorded poses, rounded to 0.1 mm, not every tick: {error}"
    return _taken(states, replay.tick_rate, reason)


def _kept(
    states: Iterable[Pose], first: int, last: int, progress: Callable[[int], None], origin: int
) -> list[Pose]:
    found, count = [], 0
    for pose in states:
        progress(int(pose.tick) - origin)
        if pose.tick > last:
            break
        if pose.tick >= first:
            count += sum(herd.joints.size for herd in pose.herds) + 7 * len(pose.props.positions)
            if count > MAX_NUMBERS:
                raise DefinitionError(
                    f"--to: expected at most {MAX_NUMBERS:,} coordinates, found more after "
                    f"{(pose.tick - first) / max(1, last - first):.0%} of the time: take a shorter "
                    "range (--from, --to)"
                )
            found.append(pose)
    if not found:
        raise DefinitionError("--from, --to: expected a time with a recorded pose, found none")
    return found


def _taken(poses: list[Pose], rate: int, notice: str = "") -> Take:
    seen: dict[int, list[CreaturePose | None]] = {}
    for index, pose in enumerate(poses):
        for herd in pose.herds:
            for row in np.flatnonzero(herd.is_there).tolist():
                mine = seen.setdefault(int(herd.members[row]), [None] * len(poses))
                mine[index] = CreaturePose(herd, row)
    return Take(
        np.array([int(pose.tick) for pose in poses]),
        rate,
        {number: _creature(seen[number]) for number in sorted(seen)},
        tuple(
            (
                np.array([pose.chains[index].joints for pose in poses]),
                np.array([pose.chains[index].targets for pose in poses]),
            )
            for index in range(len(poses[0].chains))
        ),
        np.array([np.hstack((pose.props.positions, pose.props.orientations)) for pose in poses]),
        notice,
    )


def _creature(poses: list[CreaturePose | None]) -> CreatureTake:
    is_there = np.array([pose is not None for pose in poses])
    known = np.flatnonzero(is_there)
    nearest = known[np.searchsorted(known, np.arange(len(poses)), side="right").clip(1) - 1]
    chosen: list[Any] = [poses[index] for index in nearest.tolist()]
    return CreatureTake(
        np.array([pose.positions for pose in chosen]),
        np.array([pose.orientations for pose in chosen]),
        np.array([pose.joints for pose in chosen]),
        np.array([pose.normals for pose in chosen]),
        np.array([pose.headings for pose in chosen]),
        ~np.array([pose.is_swinging for pose in chosen]),
        is_there,
    )
