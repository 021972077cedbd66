"""The states of a recording: exact ones, by simulating it again; else its poses."""

from collections.abc import Iterator, Mapping
from typing import Any

from creature_sim.errors import CreatureSimError
from creature_sim.replay import Replay
from creature_sim.snapshots.poses import Pose, pose_of
from creature_sim.snapshots.snapshot import Snapshot


class NotRepeatable(Exception):
    """A recording cannot be simulated here, or not as it was recorded; the text says why."""


def exact_states(replay: Replay) -> Iterator[Pose]:
    """The states of all ticks, each proven by the recorded digests of its tick.

    Raises:
        NotRepeatable: a state differs from the recorded one, or cannot be simulated.
    """
    try:
        for snapshot, recorded in zip(replay.rerun(), replay.digests, strict=False):
            if not _is_as_recorded(snapshot, recorded):
                raise NotRepeatable(
                    f"simulated here, the run differs from the recording at tick {snapshot.tick}"
                )
            yield pose_of(snapshot)
    except CreatureSimError as error:
        raise NotRepeatable(f"it cannot be simulated here: {error}") from None


def _is_as_recorded(snapshot: Snapshot, recorded: Mapping[str, Any]) -> bool:
    return (
        list(snapshot.digests) == recorded["creatures"]
        and list(snapshot.chain_digests) == recorded.get("chains", [])
        and list(snapshot.prop_digests) == recorded.get("props", [])
    )
