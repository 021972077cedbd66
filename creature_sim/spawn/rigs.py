"""Chains and trees become entities; `spawn.py` calls this after the creatures are there."""

from collections.abc import Iterator

import esper
import numpy as np

from creature_sim.components import (
    EASE_EACH,
    EASE_NONE,
    EASE_WHOLE,
    PLACED,
    SPLINE,
    Bones,
    Carrier,
    ChainPlan,
    Rig,
    Spawned,
    TargetRecord,
    Targets,
    TrackRecord,
    Tracks,
    TreePlan,
    lay_together,
    zeros,
)
from creature_sim.definitions import (
    BallDef,
    BodyTargetDef,
    ChainDef,
    CommandDef,
    ElbowDef,
    HingeDef,
    LimitDef,
    MouseDef,
    RigDef,
    SplineDef,
    TargetDef,
    TipTargetDef,
    TreeDef,
    WorldDef,
    targets_of,
)
from creature_sim.errors import DefinitionError
from creature_sim.ik.angles import reach_forward
from creature_sim.ik.limits import SHOULDER, WRIST, Limit, elbow, tabulate
from creature_sim.ik.tree import Tree
from creature_sim.maths import add, along, norm, put, sub, unit, vec
from creature_sim.spawn.entities import find_creature, parts_of, saved_of

UP = (0.0, 0.0, 1.0)
BRACE_WEIGHT = 10.0
"""Of a brace against the heaviest target: bodies keep their shape before targets are met."""
_EASES = {"each": EASE_EACH, "whole": EASE_WHOLE, "none": EASE_NONE}


def spawn_rigs(world: WorldDef) -> None:
    """Create an entity for every chain and tree of a world, in its start pose."""
    problems = world.rig_problems()  # the creatures may have been replaced since it was read
    if problems:
        raise DefinitionError("\n".join(problems))
    entities = [_spawn_rig(index, rig) for index, rig in enumerate(world.rigs)]
    tips = {chain.name: entity for chain, entity in zip(world.chains, entities, strict=False)}
    for entity, rig in zip(entities, world.rigs, strict=True):
        _hang_up(esper.component_for_entity(entity, Rig), rig, tips)


def remember_rigs() -> None:
    """Remember how chains and trees start, for a reset, once they are posed."""
    for entity, _ in esper.get_component(Rig):
        saved = {type(part): saved_of(part) for part in parts_of(entity)}
        esper.add_component(entity, Spawned(saved))


def _spawn_rig(index: int, rig: RigDef) -> int:
    """Create an entity in its start pose."""
    plan = chain_plan(rig) if isinstance(rig, ChainDef) else tree_plan(rig)
    count = len(plan.start) - isinstance(rig, ChainDef)
    bones = Bones(
        plan.start[None].copy(),
        np.zeros((1, count if isinstance(rig, ChainDef) else 0, 3)),
        plan.start[None].copy(),
        np.zeros((1, count, 4)),
    )
    bones.rotations[..., 3] = 1.0
    if isinstance(plan, ChainPlan) and plan.has_limits:  # begin with the nearest legal pose
        reach_forward(plan.model, bones.angles[0], bones.local[0], bones.rotations[0].copy())
    targets = Targets(zeros(TargetRecord, 1, len(targets_of(rig))))
    targets.records["ticks"] = -1  # targets are placed once before the first tick
    tracks = _tracks(targets_of(rig), targets)
    entity: int = esper.create_entity(Rig(rig, index, None), plan, tracks, targets, bones)
    lay_together(parts_of(entity))
    return entity


def _hang_up(hung: Rig, rig: RigDef, tips: dict[str, int]) -> None:
    """Tie a rig to the bodies and chains that it hangs on."""
    if rig.creature is not None:
        hung.carrier = Carrier(*find_creature(rig.creature))
    followed: list[tuple[int, Carrier | int]] = []
    for number, target in enumerate(targets_of(rig)):
        if isinstance(target, BodyTargetDef):
            followed.append((number, Carrier(*find_creature(target.creature), target.offset)))
        elif isinstance(target, TipTargetDef):
            followed.append((number, tips[target.chain]))
    hung.followed = tuple(followed)


def _tracks(given: tuple[TargetDef, ...], targets: Targets) -> Tracks:
    """What targets run along; writes where those start that are set from outside."""
    splines = [target for target in given if isinstance(target, SplineDef)]
    longest = max((len(spline.keyframes) for spline in splines), default=1)
    tracks = Tracks(zeros(TrackRecord, len(given)), np.zeros((len(given), longest, 3)))
    for track, keys, target, record in zip(
        tracks.records, tracks.keys, given, targets.records[0], strict=True
    ):
        track.kind = PLACED
        if isinstance(target, SplineDef):
            track.kind = SPLINE
            track.key_count = len(target.keyframes)
            track.is_closed = target.closed
            track.ease = _EASES[target.ease]
            track.period, track.shift = target.period, target.shift
            keys[: track.key_count] = target.keyframes
        elif isinstance(target, MouseDef | CommandDef):
            put(record.point, target.start)
    return tracks


def chain_plan(chain: ChainDef) -> ChainPlan:
    """The numbers that the kernels need of a chain."""
    count = len(chain.bones)
    rest = unit(chain.direction, UP)
    directions = np.array([unit(bone, UP) for bone in chain.pose or (chain.direction,) * count])
    lengths = np.array(chain.bones, np.float64)
    start = np.zeros((count + 1, 3))
    put(start[0], chain.root)
    for i in range(count):
        put(start[i + 1], along(vec(start[i]), vec(directions[i]), float(lengths[i])))
    limits = [_limit(limit) for limit in chain.limits] or [None]
    if len(limits) == 1:
        limits *= count
    model = tabulate(directions, lengths, limits, rest, chain.planar)
    pole = unit(chain.pole, UP) if chain.pole else (0.0, 0.0, 0.0)
    return ChainPlan(start, model, pole, bool(chain.limits), chain.planar)


def _limit(limit: LimitDef) -> Limit | None:
    """A limit as the solver knows it."""
    if isinstance(limit, BallDef):
        return Limit.ball(limit.cone, limit.twist, limit.axis)
    if isinstance(limit, HingeDef):
        return Limit.hinge(limit.axis, limit.lo, limit.hi)
    if isinstance(limit, ElbowDef):
        return elbow(limit.axis)
    return {"free": None, "shoulder": SHOULDER, "wrist": WRIST}[limit.kind]


def tree_plan(tree: TreeDef) -> TreePlan:
    """The numbers that the kernels need of a tree.

    A brace is a bone from one of its joints to a joint that a loop keeps on the other one.
    """
    parents = list(tree.parents)
    start = np.zeros((len(parents) + len(tree.braces), 3))
    put(start[0], tree.root)
    for k, joint in enumerate(tree.joints, start=1):
        put(start[k], add(vec(start[parents[k]]), joint.offset))
    ends = [(tree.number_of(effector.joint), -1) for effector in tree.targets]
    for first, second in tree.braces:
        put(start[len(parents)], vec(start[tree.number_of(second)]))
        ends.append((len(parents), tree.number_of(second)))
        parents.append(tree.number_of(first))
    count = len(parents)
    lengths = np.zeros(count)
    for k in range(1, count):
        lengths[k] = norm(sub(vec(start[k]), vec(start[parents[k]])))
    signs = np.zeros((len(ends), count))
    for e, (pulled, partner) in enumerate(ends):
        for k in _path(pulled, parents):
            signs[e, k] += 1.0 if partner < 0 else -1.0
        for k in _path(partner, parents):
            signs[e, k] += 1.0
    heaviest = max(effector.weight for effector in tree.targets)
    weights = [effector.weight / heaviest for effector in tree.targets]
    weights += [BRACE_WEIGHT] * len(tree.braces)
    knees = [
        (parents[k], k, parents.index(k))
        for k, joint in enumerate(tree.joints, start=1)
        if joint.pole
    ]
    poles = [unit(joint.pole, UP) for joint in tree.joints if joint.pole]
    reaches = np.zeros(len(tree.targets))
    for e, (joint_number, _) in enumerate(ends[: len(reaches)]):
        for k in _path(joint_number, parents):
            reaches[e] += lengths[k]
    return TreePlan(
        start,
        Tree(
            np.arange(count),
            np.array(parents, np.int64),
            lengths,
            np.array(ends, np.int64).reshape(-1, 2),
            np.array(weights),
            signs,
        ),
        reaches,
        np.array(knees, np.int64).reshape(-1, 3),
        np.array(poles, np.float64).reshape(-1, 3),
    )


def _path(joint: int, parents: list[int]) -> Iterator[int]:
    """The joints from one up to the first below the root; none from no joint, -1."""
    while joint > 0:
        yield joint
        joint = parents[joint]
