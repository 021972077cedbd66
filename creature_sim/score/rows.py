"""The states of creatures over a run, gathered row by row for their tracks."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    LED,
    LOST,
    STANDING,
    UPRIGHT,
    BodyRecord,
    CommandRecord,
    GaitRecord,
    GravityRecord,
    PropRecord,
    Records,
    RecordTable,
    Solids,
)
from creature_sim.inputs import FULL
from creature_sim.maths import Floats, quat, unrotate, vec
from creature_sim.props.shapes import solids_of
from creature_sim.score.reading import Flags, is_searching, wanted_of
from creature_sim.score.track import PropsTrack, Track, TwinTrack
from creature_sim.snapshots.snapshot import CreatureState, HerdState, Snapshot

KEPT = (
    ("body", "records"),
    ("gait", "records"),
    ("foot_target", "records"),
    ("foothold", "records"),
    ("flight", "records"),
    ("command", "records"),
    ("leg_target", "records"),
    ("leg_chain", "joints"),
    ("leg_chain", "foot_rotation"),
    ("leg_chain", "passes"),
    ("leg_chain", "is_laid"),
)
"""Parts and fields of a creature that a track is made of."""


class Rows:
    """What a creature was in each tick, as it lies in memory: arrays are made of all at once.

    Attributes:
        herd: in its first tick.
        begin: snapshots before that.
    """

    def __init__(self, herd: HerdState, begin: int) -> None:
        """Begin with none."""
        self.herd, self.begin = herd, begin
        self._kept: dict[tuple[str, str], list[bytes]] = {key: [] for key in KEPT}
        self._twins: list[tuple[Floats, float, float, bool]] = []

    def add(self, creature: CreatureState) -> None:
        """Keep its next tick."""
        parts, count = creature.herd.parts, len(creature.herd.members)
        for (part, field), rows in self._kept.items():
            rows.append(parts[part].row(field, creature.row, count))
        if "twin" in parts:
            self._twins.append(_twin_row(creature))

    def _all(self, part: str, field: str = "records") -> Any:  # noqa: ANN401 - records of any type
        """A field in all ticks, (T, ...)."""
        like, rows = self.herd.parts[part][field], self._kept[part, field]
        return np.frombuffer(b"".join(rows), like.dtype).reshape(len(rows), *like.shape[1:])

    def __len__(self) -> int:
        """In how many ticks it was there."""
        return len(self._kept[KEPT[0]])

    def track(
        self, gravity: Records[GravityRecord], tick_rate: int, props: PropsTrack | None
    ) -> Track:
        """The track of the creature.

        Args:
            gravity: (1,) the field of the world.
            tick_rate: ticks per second.
            props: of the world, in the same ticks.
        """
        bodies, gaits, feet = self._all("body"), self._all("gait"), self._all("foot_target")
        leaders = bodies[np.arange(len(self)), gaits["leader"]]
        searches: Flags = is_searching(feet, self._all("foothold"))
        finds_nothing: Flags = np.asarray(searches.any(axis=1))
        velocity, twin = leaders["velocity"][:, :2].copy(), None
        if self._twins:
            velocity, *felt = map(np.array, zip(*self._twins, strict=True))
            twin = TwinTrack(*felt)
        return Track(
            definition=self.herd.definition,
            plan=self.herd.plan,
            gravity=gravity,
            tick_rate=tick_rate,
            position=bodies["position"][:, 0].copy(),
            positions=bodies["position"].copy(),
            orientations=bodies["orientation"].copy(),
            centre=centres_of(bodies),
            velocity=velocity,
            yaw_rate=leaders["yaw_rate"].copy(),
            wanted=wanted_of(self.herd.plan, asked_of(self._all("command"), gaits)),
            duty_factor=gaits["duty_factor"].copy(),
            phase=gaits["phase"].copy(),
            phase_offset=feet["phase_offset"].copy(),
            age=gaits["age"].copy(),
            cycle=gaits["cycle"].copy(),
            joints=self._all("leg_chain", "joints").copy(),
            foot=feet["position"].copy(),
            foot_rotation=self._all("leg_chain", "foot_rotation").copy(),
            foot_roll=feet["roll"].copy(),
            is_swinging=feet["phase"] != STANDING,
            is_lost=feet["phase"] == LOST,
            is_led=self._all("leg_target")["is_led"] == LED,
            is_held_back=(gaits["is_held"] != 0) | finds_nothing,
            progress=feet["progress"].copy(),
            reason=feet["reason"].copy(),
            foot_prop=feet["prop"].copy(),
            passes=self._all("leg_chain", "passes").copy(),
            is_laid=self._all("leg_chain", "is_laid") == 1,
            finds_nothing=finds_nothing,
            is_waiting=gaits["is_waiting"] == 1,
            is_braced=gaits["is_braced"] != 0,
            is_static=gaits["is_static"] == 1,
            flight=self._all("flight")["stage"].copy(),
            run=gaits["run"].copy(),
            props=props,
            twin=twin,
            begin=self.begin,
        )


def tracks(snapshots: Iterable[Snapshot], tick_rate: int) -> list[Track]:
    """The tracks of all creatures of a run, by number: each while it was there."""
    found: dict[int, Rows] = {}
    gravity: Records[GravityRecord] | None = None
    solids: Solids | None = None
    props: list[Records[PropRecord]] = []
    for index, snapshot in enumerate(snapshots):
        gravity = snapshot.gravity
        if snapshot.props:
            solids = solids or solids_of(snapshot.props.definitions)
            props.append(snapshot.props.records)
        for creature in snapshot.creatures:
            if creature.number not in found:
                found[creature.number] = Rows(creature.herd, index)
            found[creature.number].add(creature)
    made = []
    for number in sorted(found):
        assert gravity is not None
        rows, seen = found[number], None
        if solids:
            records: Any = np.array(props[rows.begin :][: len(rows)])
            seen = PropsTrack(solids, records)
        made.append(rows.track(gravity, tick_rate, seen))
    return made


def centres_of(bodies: RecordTable[BodyRecord]) -> Floats:
    """Centres of a trunk's weight (T, 3) [m, world], of segments (T, S)."""
    found: Floats = (bodies["position"] * bodies["share"][..., None]).sum(axis=1)
    return found


def _twin_row(creature: CreatureState) -> tuple[Floats, float, float, bool]:
    """A tick of a `TwinTrack`."""
    base = creature.herd.parts["twin"]["records"][creature.row]
    x, y, _ = unrotate(quat(base["orientation"]), vec(base["velocity"]))
    is_down = bool(base["stage"] != UPRIGHT)
    return np.array((x, y)), float(base["work"]), float(base["strain"]), is_down


def asked_of(commands: Records[CommandRecord], gaits: Records[GaitRecord]) -> NDArray[np.int64]:
    """The axes of commands (T,), (T, 4); where the ground is not to run on nobody is asked to."""
    ahead = commands["forward"]
    forward = np.where(gaits["rough"] > 0.0, np.minimum(ahead, FULL), ahead)
    return np.stack((forward, *(commands[axis] for axis in ("turn", "strafe", "height"))), axis=-1)
