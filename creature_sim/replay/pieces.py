"""Cuts recordings into parts, and joins the parts again."""

import contextlib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from creature_sim.errors import ReplayCorrupt, ReplayVersion
from creature_sim.replay.copying import Piece, copy, has_poses
from creature_sim.replay.keyframes import encode_keyframe
from creature_sim.replay.replay import Replay
from creature_sim.replay.verify import why_not


def trim(replay: Replay, path: Path, first: int, last: int, *, force: bool = False) -> None:
    """Write some ticks of a recording into a file of their own; they keep their numbers.

    Args:
        replay: the recording.
        path: of the new file.
        first: tick of the state that it begins with.
        last: its last tick.
        force: whether an older file may be replaced.

    Raises:
        ValueError: the recording has no such ticks, or no pose in them.
        ReplayVersion: there is no keyframe at the first tick, and none can be made: the recording
            cannot be simulated here, or its physics has state that no keyframe holds.
        OutputError: the file exists or cannot be written.
    """
    if not replay.ticks:
        raise ValueError("expected ticks to trim, found none in the recording")
    if not replay.first <= first < last <= replay.last:
        raise ValueError(
            f"expected ticks within {replay.first} to {replay.last}, the first before the last; "
            f"found {first} to {last}"
        )
    keyframe, digest, reason = None, "", why_not(replay)
    if first and first not in replay.keyframes.ticks:
        obstacle = reason
        if replay.world.exactness == "machine":
            obstacle = "no keyframe holds the physics of dynamic props and physical creatures"
        if obstacle:
            near = max((tick for tick in replay.keyframes.ticks if tick < first), default=0)
            raise ReplayVersion(
                f"{replay.path}: tick {first} has no keyframe, and none can be made here, for "
                f"{obstacle}; tick {near} can be the first"
            )
        keyframe = encode_keyframe(replay.state_at(first))
    if not reason and last < replay.last:
        with contextlib.suppress(ReplayCorrupt):  # what was recorded is copied as it is
            digest = replay.state_at(last).digest
    piece = Piece(replay, first, last, keyframe, digest)
    if not has_poses([piece]):
        raise ValueError(f"expected a pose in the ticks {first} to {last}, found none")
    copy([piece], path, force=force)


def concat(replays: Sequence[Replay], path: Path, *, force: bool = False) -> None:
    """Join recordings of which each goes on where the one before it ends.

    Where two overlap, the earlier one is left at the first tick of the later one.

    Args:
        replays: in their order.
        path: of the new file.
        force: whether an older file may be replaced.

    Raises:
        ReplayCorrupt: one does not go on where the one before it ends.
        OutputError: the file exists or cannot be written.
    """
    for before, after in pairwise(replays):
        _check_follows(before, after)
    firsts = [replay.first for replay in replays]
    lasts = [*firsts[1:], replays[-1].last]
    pieces = [Piece(*both) for both in zip(replays, firsts, lasts, strict=True)]
    copy(pieces, path, force=force)


def _check_follows(before: Replay, after: Replay) -> None:
    """Refuse a recording that does not go on where another one ends."""
    expected = f"{after.path}: expected the recording to go on where {before.path} ends"
    if before.world_bytes != after.world_bytes:
        raise ReplayCorrupt(f"{expected}, found another world")
    for key in ("math_profile", "systems", "heights", "format"):
        if before.metadata.get(key) != after.metadata.get(key):
            raise ReplayCorrupt(f"{expected}, found another {key}")
    if not before.first <= after.first <= before.last:
        raise ReplayCorrupt(
            f"{expected}, at tick {before.last} or before, found that it begins at {after.first}"
        )
    if before.digests[after.first - before.first] != after.digests[0]:
        raise ReplayCorrupt(f"{expected}, found another state at tick {after.first}")
