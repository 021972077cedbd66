"""Others that solve the same chains, for the benchmarks: plain C, pybullet, ikpy, pyfabrik.

Each maker returns a function of nothing that follows the targets once and, but for C, returns the
largest tip error; or it raises `Missing` with the reason why it is not here.
"""

import ctypes
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from tests.ik_scenes import chain

SOURCE = Path(__file__).parent / "c" / "fabrik.c"


class Missing(Exception):
    """A peer that is not installed, and why."""


@cache
def plain_c(flags=("-O3",)):
    """The plain C solvers, compiled here; scalar code as -O3 makes it, no fast-math."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise Missing("no C compiler")
    library = Path(tempfile.mkdtemp()) / "fabrik.so"
    command = [compiler, *flags, "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-lm"]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


def pointer(array):
    """Address of an array's data."""
    return array.ctypes.data_as(ctypes.c_void_p)


def c_path(lengths, targets, tolerance, most=100):
    """Plain FABRIK in C along a path; afterwards its `check()` gives the largest tip error."""
    library = plain_c()
    start = chain(lengths)
    poses = np.empty((len(targets), *start.shape))
    iterations = np.empty(len(targets), np.int32)

    def run():
        joints = start.copy()
        library.solve_path(
            pointer(joints),
            pointer(lengths),
            len(lengths),
            pointer(targets),
            len(targets),
            ctypes.c_double(tolerance),
            most,
            pointer(poses),
            pointer(iterations),
        )

    def check():
        return np.linalg.norm(poses[:, -1] - targets, axis=1).max()

    run.check = check
    run.iterations = iterations
    return run


def pybullet_path(lengths, targets, tolerance, most=100):
    """pybullet's damped least squares over two hinges a bone, from the last pose."""
    try:
        import pybullet
    except ImportError as error:
        raise Missing(f"pybullet: {error}") from None
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

    def run():
        worst = 0.0
        for joint in range(count - 1):
            pybullet.resetJointState(body, joint, 0.05, physicsClientId=client)
        for target in targets:
            angles = pybullet.calculateInverseKinematics(
                body,
                count - 1,
                target,
                maxNumIterations=most,
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


def ikpy_path(lengths, targets, tolerance):
    """ikpy's optimiser over two hinges a bone, from the last pose."""
    try:
        from ikpy.chain import Chain
        from ikpy.link import OriginLink, URDFLink
    except ImportError as error:
        raise Missing(f"ikpy: {error}") from None
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

    def run():
        angles = np.full(len(links), 0.05)
        worst = 0.0
        for target in targets:
            angles = arm.inverse_kinematics(target, initial_position=angles)
            tip = arm.forward_kinematics(angles)[:3, 3]
            worst = max(worst, float(np.linalg.norm(tip - target)))
        return worst

    return run


def pyfabrik_path(lengths, targets, tolerance):
    """Follow the path with pyfabrik, which needs numpy below 2, so an environment of its own."""
    try:
        from pyfabrik import Fabrik3D
        from vectormath import Vector3
    except Exception as error:  # it fails in many ways where numpy is new
        raise Missing(f"pyfabrik: {type(error).__name__}: {error}") from None
    start = [Vector3(*joint) for joint in chain(lengths)]

    def run():
        solver = Fabrik3D(start, tolerance)
        worst = 0.0
        for target in targets:
            solver.move_to(Vector3(*target))
            worst = max(worst, float(np.linalg.norm(np.array(solver.joints[-1]) - target)))
        return worst

    return run
