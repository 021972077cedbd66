"""The states of a recording: exact ones, by simulating it again; else its poses."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from creature_sim.errors import CreatureSimError
from creature_sim.replay import Replay
from creature_sim.replay.plugins import missing_systems
from creature_sim.replay.provenance import system_names
from creature_sim.snapshots.poses import Pose, pose_of
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.systems import SYSTEMS

MAX_NUMBERS = 20_000_000
"""Of the states of a run that are kept; one that has more is simulated again."""


@dataclass(frozen=True)
class KnownReplay(Replay):
    """A recording of a run that was just simulated, with all its states."""

    states: tuple[Pose, ...] = ()


class Kept:
    """The states of a run while it is recorded, if they are not too many."""

    def __init__(self) -> None:
        """Keep none yet."""
        self._poses: list[Pose] = []
        self._count = 0

    def add(self, snapshot: Snapshot) -> None:
        """Keep one."""
        if self._count > MAX_NUMBERS:
            self._poses.clear()
            return
        pose = pose_of(snapshot)
        self._count += sum(herd.joints.size for herd in pose.herds) + 7 * len(pose.props.positions)
        self._poses.append(pose)

    def given_to(self, replay: Replay) -> Replay:
        """The recording of that run, with its states if all of them were kept."""
        if not self._poses:
            return replay
        known = {field.name: getattr(replay, field.name) for field in fields(Replay)}
        return KnownReplay(**known, states=tuple(self._poses))


class UnrepeatableError(Exception):
    """A recording cannot be simulated here, or not as it was recorded; the text says why."""


def exact_states(replay: Replay) -> Iterator[Pose]:
    """The states of all ticks, each known or proven by the recorded digests of its tick.

    Raises:
        UnrepeatableError: a state differs from the recorded one, or cannot be simulated.
    """
    if isinstance(replay, KnownReplay):
        yield from replay.states
        return
    try:
        scheme = replay.scheme()
        for snapshot, recorded in zip(replay.rerun(), replay.digests, strict=False):
            if not scheme.is_state(snapshot, recorded):
                missing = missing_systems(replay.metadata, system_names(SYSTEMS).split())
                because = f", which was made with {missing}" if missing else ""
                raise UnrepeatableError(
                    f"simulated here, the run differs at tick {snapshot.tick} from the "
                    f"recording{because}"
                )
            yield pose_of(snapshot)
    except CreatureSimError as error:
        raise UnrepeatableError(f"it cannot be simulated here: {error}") from None
