"""Tables of the angles of one creature's joints, `.csv` or `.parquet`: what its robot's motors get.

Columns, in this order; the joints are those of the creature's URDF and MJCF, in their order:

    time    [s] since the start
    tick    ticks since the start
    x, y, z     centre of the body [m, world]
    qx, qy, qz, qw  its orientation, a unit quaternion
    L1_hip_yaw, ...     angle of each joint [rad]
    L1_hip_yaw_velocity, ...    how fast each joint turns [rad/s]
    L1_foot_contact, ...    1 where a foot stands, 0 where it is in the air or lost
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef
from creature_sim.export.animation.takes import CreatureTake, take_of
from creature_sim.export.formats import Choice, Progress
from creature_sim.export.moments import checked_fps
from creature_sim.export.robots import the_only
from creature_sim.files.output import check_output, writing
from creature_sim.maths import Floats
from creature_sim.replay import Replay
from creature_sim.robots.angles import angles_of
from creature_sim.robots.building import robot_of

Columns = dict[str, NDArray[np.float64] | NDArray[np.int64]]


def write_angles(
    replay: Replay,
    path: Path,
    about: Mapping[str, str],
    choice: Choice,
    force: bool,
    progress: Progress,
) -> str:
    """Write the angles of a creature's joints, a row for every tick at which it is there.

    Args:
        replay: the run; it is simulated again, or else its poses are taken.
        path: of the file.
        about: what a Parquet table says of the recording.
        choice: which part of it, and which creature.
        force: whether another file may be replaced.
        progress: called with the number of ticks done.

    Returns:
        Why the states are not exact; nothing if they are.

    Raises:
        DefinitionError: the recording has nothing of what was chosen.
        OutputError: the file exists or cannot be written.
    """
    check_output(path, force)
    every = 1.0 if choice.fps is None else replay.tick_rate / checked_fps(choice.fps)
    count = range(len(replay.world.creatures))
    if len(count) < 2 or choice.creature is not None:
        the_only(count, choice.creature, path)  # before all is simulated
    take = take_of(replay, choice.start, choice.end, progress)
    number = the_only(take.creatures, choice.creature, path)
    plan = replay.world.species_of(replay.world.creatures[number])
    columns = _columns(plan, take.creatures[number], take.ticks, take.rate)
    since = take.ticks - take.ticks[0]
    rows = np.flatnonzero(take.creatures[number].is_there & _is_chosen(since, every))
    chosen = {name: column[rows] for name, column in columns.items()}
    with writing(path, force) as stream:
        if path.suffix.lower() == ".parquet":
            _write_parquet(stream, chosen, {**about, "creature": plan.name})
        else:
            _write_csv(stream, chosen)
    return take.notice


def _is_chosen(since: NDArray[np.int64], every: float) -> NDArray[np.bool_]:
    """Which ticks (T,) are those nearest to every so many."""
    found: NDArray[np.bool_] = np.round(np.round(since / every) * every) == since
    return found | (every <= 1.0)


def _columns(plan: CreatureDef, take: CreatureTake, ticks: NDArray[np.int64], rate: int) -> Columns:
    """All columns, (T,) each."""
    robot = robot_of(plan)
    angles = angles_of(plan, take.orientations, take.joints, take.headings)
    times = ticks / rate
    rates: Floats = np.gradient(angles, times, axis=0) if len(times) > 1 else np.zeros_like(angles)
    names = [joint.name for joint in robot.joints]
    found: Columns = {"time": times, "tick": ticks}
    found |= dict(zip("xyz", take.positions[:, 0].T, strict=True))
    found |= dict(zip(("qx", "qy", "qz", "qw"), take.orientations[:, 0].T, strict=True))
    found |= dict(zip(names, angles.T, strict=True))
    found |= {f"{name}_velocity": rates[:, k] for k, name in enumerate(names)}
    for leg, foot in enumerate(robot.feet):
        found[f"{robot.links[foot].name}_contact"] = take.is_planted[:, leg].astype(np.int64)
    return found


def _write_csv(stream: IO[bytes], columns: Columns) -> None:
    stream.write((",".join(columns) + "\n").encode())
    lists = [column.tolist() for column in columns.values()]
    for row in zip(*lists, strict=True):
        stream.write((",".join(map(repr, row)) + "\n").encode())


def _write_parquet(stream: IO[bytes], columns: Columns, about: Mapping[str, str]) -> None:
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table(columns, metadata={"creature_sim": json.dumps(dict(about))})
    parquet.write_table(table, stream, compression="zstd")
