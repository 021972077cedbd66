"""The states of a recording: exact ones, by simulating it again; else its poses."""

from collections.abc import Iterator, Mapping
from typing import Any

from creature_sim.errors import CreatureSimError
from creature_sim.replay import Replay
from creature_sim.replay.plugins import missing_systems
from creature_sim.replay.provenance import system_names
from creature_sim.snapshots.poses import Pose, pose_of
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.systems import SYSTEMS


class UnrepeatableError(Exception):
    """A recording cannot be simulated here, or not as it was recorded; the text says why."""


def exact_states(replay: Replay) -> Iterator[Pose]:
    """The states of all ticks, each proven by the recorded digests of its tick.

    Raises:
        UnrepeatableError: a state differs from the recorded one, or cannot be simulated.
    """
    try:
        for snapshot, recorded in zip(replay.rerun(), replay.digests, strict=False):
            if not _is_as_recorded(snapshot, recorded):
                missing = missing_systems(replay.metadata, system_names(SYSTEMS).split())
                because = f", which was made with {missing}" if missing else ""
                raise UnrepeatableError(
                    f"simulated here, the run differs at tick {snapshot.tick} from the "
                    f"recording{because}"
                )
            yield pose_of(snapshot)
    except CreatureSimError as error:
        raise UnrepeatableError(f"it cannot be simulated here: {error}") from None


def _is_as_recorded(snapshot: Snapshot, recorded: Mapping[str, Any]) -> bool:
    kinds = ("creatures", "chains", "props")
    found = (snapshot.digests, snapshot.chain_digests, snapshot.prop_digests)
    return all(
        list(digests) == list(recorded.get(kind, ()))
        for kind, digests in zip(kinds, found, strict=True)
    )
