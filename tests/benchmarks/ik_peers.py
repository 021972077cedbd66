"""Others that solve the same chains, for the benchmarks: plain C, pybullet, ikpy, pyfabrik.

Each maker returns a function that follows the targets once and, but for C, returns the largest tip
error. It raises `MissingError` with the reason where a peer is not installed.
"""

import ctypes
from collections.abc import Callable

import numpy as np

from creature_sim.lab.bench import MissingError, plain_c, pointer
from creature_sim.maths import Floats
from tests.ik_scenes import chain


class CPath:
    """Plain FABRIK in C along a path: call it to follow the path once."""

    def __init__(
        self, lengths: Floats, targets: Floats, tolerance: float, max_iterations: int = 100
    ) -> None:
        """Compile the solver, or find it compiled."""
        self._library = plain_c()
        self._lengths, self._targets = lengths, targets
        self._tolerance, self._max_iterations = tolerance, max_iterations
        self._start = chain(lengths)
        self._poses = np.empty((len(targets), *self._start.shape))
        self._iterations = np.empty(len(targets), np.int32)

    def __call__(self) -> None:
        """Follow the path."""
        joints = self._start.copy()
        self._library.solve_path(
            pointer(joints),
            pointer(self._lengths),
            len(self._lengths),
            pointer(self._targets),
            len(self._targets),
            ctypes.c_double(self._tolerance),
            self._max_iterations,
            pointer(self._poses),
            pointer(self._iterations),
        )

    def check(self) -> float:
        """Largest tip error of the last call [m]."""
        return float(np.linalg.norm(self._poses[:, -1] - self._targets, axis=1).max())


def pybullet_path(
    lengths: Floats, targets: Floats, tolerance: float, max_iterations: int = 100
) -> Callable[[], float]:
    """pybullet's damped least squares over two hinges a bone, from the last pose."""
    try:
        import pybullet
    except ImportError as error:
        raise MissingError(f"pybullet: {error}") from None
    client = pybullet.connect(pybullet.DIRECT)
    count = 2 * len(lengths) + 1
    offsets = [[0, 0, 0]] * count
    for i, length in enumerate(lengths):
        offsets[2 * i + 2] = [length, 0, 0]
    axes = [[0, 1, 0], [0, 0, 1]] * len(lengths) + [[1, 0, 0]]
    kinds = [pybullet.JOINT_REVOLUTE] * (count - 1) + [pybullet.JOINT_FIXED]
    none = [-1] * count
    body = pybullet.createMultiBody(
        0,
        linkMasses=[1.0] * count,
        linkCollisionShapeIndices=none,
        linkVisualShapeIndices=none,
        linkPositions=offsets,
        linkOrientations=[[0, 0, 0, 1]] * count,
        linkInertialFramePositions=[[0, 0, 0]] * count,
        linkInertialFrameOrientations=[[0, 0, 0, 1]] * count,
        linkParentIndices=list(range(count)),
        linkJointTypes=kinds,
        linkJointAxis=axes,
        physicsClientId=client,
    )

    def run() -> float:
        worst = 0.0
        for joint in range(count - 1):
            pybullet.resetJointState(body, joint, 0.05, physicsClientId=client)
        for target in targets:
            angles = pybullet.calculateInverseKinematics(
                body,
                count - 1,
                target,
                maxNumIterations=max_iterations,
                residualThreshold=tolerance,
                physicsClientId=client,
            )
            for joint, angle in enumerate(angles):
                pybullet.resetJointState(body, joint, angle, physicsClientId=client)
            tip = pybullet.getLinkState(
                body, count - 1, computeForwardKinematics=1, physicsClientId=client
            )[0]
            worst = max(worst, float(np.linalg.norm(np.subtract(tip, target))))
        return worst

    return run


def ikpy_path(lengths: Floats, targets: Floats, tolerance: float) -> Callable[[], float]:
    """ikpy's optimiser over two hinges a bone, from the last pose."""
    try:
        from ikpy.chain import Chain
        from ikpy.link import OriginLink, URDFLink
    except ImportError as error:
        raise MissingError(f"ikpy: {error}") from None
    links = [OriginLink()]
    for i, length in enumerate([0.0, *lengths]):
        for axis in ([0, 1, 0], [0, 0, 1]):
            at = [length, 0, 0] if axis[1] else [0, 0, 0]
            links.append(
                URDFLink(
                    f"{i}{axis}", origin_translation=at, origin_orientation=[0] * 3, rotation=axis
                )
            )
    arm = Chain(links, active_links_mask=[False] + [True] * (len(links) - 1))

    def run() -> float:
        angles = np.full(len(links), 0.05)
        worst = 0.0
        for target in targets:
            angles = arm.inverse_kinematics(target, initial_position=angles)
            tip = arm.forward_kinematics(angles)[:3, 3]
            worst = max(worst, float(np.linalg.norm(tip - target)))
        return worst

    return run


def pyfabrik_path(lengths: Floats, targets: Floats, tolerance: float) -> Callable[[], float]:
    """Follow the path with pyfabrik, which needs numpy below 2, so an environment of its own."""
    try:
        from pyfabrik import Fabrik3D
        from vectormath import Vector3
    except Exception as error:  # it fails in many ways where numpy is new
        raise MissingError(f"pyfabrik: {type(error).__name__}: {error}") from None
    start = [Vector3(*joint) for joint in chain(lengths)]

    def run() -> float:
        solver = Fabrik3D(start, tolerance)
        worst = 0.0
        for target in targets:
            solver.move_to(Vector3(*target))
            worst = max(worst, float(np.linalg.norm(np.array(solver.joints[-1]) - target)))
        return worst

    return run
