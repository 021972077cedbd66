"""Where two recordings part: in their worlds, in what drove them, and in what became of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from creature_sim.definitions.drive import AXES
from creature_sim.replay.codec import encode_input
from creature_sim.replay.digests import OWNERS
from creature_sim.replay.replay import Replay
from creature_sim.replay.verify import why_not
from creature_sim.snapshots.parts import PartState
from creature_sim.snapshots.snapshot import Snapshot


@dataclass(frozen=True)
class Difference:
    """The first difference of a kind between two recordings.

    Attributes:
        where: a key of the world, an axis or event of the input, or the part and field of a state.
        a: what the first recording has there.
        b: what the second one has there.
        tick: of an input or a state; None: of the world.
        owner: "creature 0", "chain 1", "prop 2"; empty where nobody's.
    """

    where: str
    a: object
    b: object
    tick: int | None = None
    owner: str = ""


@dataclass(frozen=True)
class Differences:
    """The first difference of each kind; None where there is none.

    Attributes:
        world: in what was simulated.
        inputs: in what drove it.
        states: in the states that both have.
        first: tick of each that it begins at: parts of a run begin at others than 0.
        ticks: how many ticks each has.
        note: why states, or their fields, could not be compared; empty where they could.
    """

    world: Difference | None
    inputs: Difference | None
    states: Difference | None
    first: tuple[int, int]
    ticks: tuple[int, int]
    note: str = ""

    @property
    def is_equal(self) -> bool:
        """Whether they are the same run."""
        found = (self.world, self.inputs, self.states)
        is_same_stretch = self.first[0] == self.first[1] and self.ticks[0] == self.ticks[1]
        return found == (None, None, None) and is_same_stretch


def diff(a: Replay, b: Replay) -> Differences:
    """Compare two recordings, tick by tick, as far as both have them."""
    reason = why_not(a) or why_not(b)
    note = f"fields are not compared: {reason}" if reason else ""
    ticks = range(max(a.first, b.first), min(a.last, b.last) + 1)
    if not ticks:
        note = "states and inputs are not compared: no tick is in both"
    return Differences(
        _first_key(orjson.loads(a.world_bytes), orjson.loads(b.world_bytes), ""),
        _first_input(a, b, ticks),
        _first_state(a, b, ticks, has_fields=not reason),
        (a.first, b.first),
        (a.ticks, b.ticks),
        note,
    )


def _first_key(a: object, b: object, path: str) -> Difference | None:
    """The first key of two JSON documents whose values differ."""
    if a == b:
        return None
    if isinstance(a, dict) and isinstance(b, dict):
        for key in dict.fromkeys((*a, *b)):
            found = _first_key(a.get(key), b.get(key), f"{path}.{key}" if path else key)
            if found:
                return found
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for index, (x, y) in enumerate(zip(a, b, strict=True)):
            found = _first_key(x, y, f"{path}[{index}]")
            if found:
                return found
    return Difference(path, a, b)


def _first_input(a: Replay, b: Replay, ticks: range) -> Difference | None:
    """The first axis or event that differs."""
    for tick in ticks[1:]:
        one, other = a.inputs.raw(tick - a.first - 1), b.inputs.raw(tick - b.first - 1)
        if one == other:
            continue
        x, y = a.inputs[tick - a.first - 1], b.inputs[tick - b.first - 1]
        for number, (p, q) in enumerate(zip(x.commands, y.commands, strict=False)):
            for axis, m, n in zip(AXES, p, q, strict=True):
                if m != n:
                    return Difference(axis, m, n, tick, f"creature {number}")
        if len(x.commands) != len(y.commands):
            return Difference("number of commands", len(x.commands), len(y.commands), tick)
        if x.events != y.events:
            said = [orjson.loads(encode_input(tick, given))["events"] for given in (x, y)]
            return Difference("events", said[0], said[1], tick)
    return None


def _first_state(a: Replay, b: Replay, ticks: range, *, has_fields: bool) -> Difference | None:
    """The first part that differs, and with its fields the first value."""
    for tick in ticks:
        one, other = a.digests[tick - a.first], b.digests[tick - b.first]
        if all(one.get(kind, []) == other.get(kind, []) for kind in OWNERS):
            continue
        if has_fields:
            return _first_field(a.state_at(tick), b.state_at(tick))
        for kind in OWNERS:
            there = a.numbers_at(tick) if kind == "creatures" else range(len(one.get(kind, [])))
            found = _first_part(one.get(kind, []), other.get(kind, []), kind, there, tick)
            if found:
                return found
    return None


def _first_part(
    a: list[dict[str, str]],
    b: list[dict[str, str]],
    kind: str,
    there: Sequence[int],
    tick: int,
) -> Difference | None:
    """The first part whose hashes differ."""
    if len(a) != len(b):
        return Difference(f"number of {kind}", len(a), len(b), tick)
    parts = dict.fromkeys(part for digests in (*a, *b) for part in digests)
    for part in parts:
        for number, x, y in zip(there, a, b, strict=True):
            if x.get(part) != y.get(part):
                owner = f"{kind.removesuffix('s')} {number}"
                return Difference(part, x.get(part), y.get(part), tick, owner)
    return None


def _first_field(a: Snapshot, b: Snapshot) -> Difference | None:
    """The first value of two states of the same tick that differs, in the order of the tick."""
    tick = int(a.tick)
    owners, others = dict(_owners(a)), dict(_owners(b))
    if list(owners) != list(others):
        return Difference("who is there", list(owners), list(others), tick)
    parts = dict.fromkeys(part for found, _ in owners.values() for part in found)
    for part in parts:
        for owner, (mine, row) in owners.items():
            theirs, other_row = others[owner]
            if part not in mine and part not in theirs:
                continue
            if part not in mine or part not in theirs:
                return Difference(part, part in mine, part in theirs, tick, owner)
            for where, x, y in _values(mine[part], row, theirs[part], other_row):
                return Difference(f"{part}.{where}", x, y, tick, owner)
    return None


def _owners(snapshot: Snapshot) -> Iterator[tuple[str, tuple[Mapping[str, PartState], int]]]:
    """The parts of all creatures, chains and props, and the row of each in them."""
    for creature in snapshot.creatures:
        yield f"creature {creature.number}", (creature.herd.parts, creature.row)
    for index, chain in enumerate(snapshot.chains):
        yield f"chain {index}", (chain.parts, 0)
    if snapshot.props is not None:
        for row in range(len(snapshot.props.definitions)):
            yield f"prop {row}", (snapshot.props.parts, row)


def _values(
    a: PartState, row: int, b: PartState, other_row: int
) -> Iterator[tuple[str, object, object]]:
    """Fields with their indices, and both values, where they differ."""
    for field in a:
        x, y = a[field][row], b[field][other_row]
        for name, p, q in _columns(field, x, y):
            if p.shape != q.shape:
                yield f"{name}: shape", p.shape, q.shape
                continue
            for index in np.argwhere(p != q).tolist():
                place = "".join(f"[{i}]" for i in index)
                yield name + place, p[tuple(index)].item(), q[tuple(index)].item()


def _columns(
    field: str, x: NDArray[Any], y: NDArray[Any]
) -> Iterator[tuple[str, NDArray[Any], NDArray[Any]]]:
    """The fields of records; an array of numbers is one."""
    names = x.dtype.names
    if names is None:
        yield field, np.asarray(x), np.asarray(y)
        return
    for name in names:
        yield name, np.asarray(x[name]), np.asarray(y[name])
