"""The brain of a twin in another simulator: the exported hexapod in MuJoCo."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import esper
import numpy as np
import pytest

from creature_sim.inputs import Input
from creature_sim.library.loader import load_creature
from creature_sim.maths import Quat, Vec
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.robots.building import robot_of
from creature_sim.robots.mjcf import mjcf_of
from creature_sim.simulation import Simulation
from creature_sim.twin.motion import BASE
from creature_sim.twin.stage import Stage
from creature_sim.twin.twins import Twins
from tests.twin.test_twins import AHEAD, LEVEL, first, physical, upright, way

mujoco = pytest.importorskip("mujoco", reason="mujoco is in the extra robots")
TICKS = 480


class Exported:
    """An exported creature in MuJoCo, with what a twin asks of its body in pybullet."""

    centre: Vec = (0.0, 0.0, 0.0)
    axes: Quat = (0.0, 0.0, 0.0, 1.0)

    def __init__(self, creature: str, names: Sequence[str], step: float) -> None:
        made = mjcf_of(robot_of(load_creature(creature)), "a test")
        self.model = mujoco.MjModel.from_xml_string(made.decode())
        self.model.opt.timestep = step
        self.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
        self.data = mujoco.MjData(self.model)
        self._bodies = {self.model.body(name).id: link for link, name in enumerate(names)}

    def place(self, state: Sequence[float]) -> None:
        base, hinges = np.array(state[:BASE]), np.array(state[BASE:])
        turn = base[3:7]
        angles, rates = np.split(hinges, 2)
        self.data.qpos[:] = *base[:3], turn[3], *turn[:3], *angles
        spin = rotation_matrices(turn).T @ base[10:]  # MuJoCo has it in the frame of the body
        self.data.qvel[:] = *base[7:10], *spin, *rates

    def turn(self, torques: Sequence[float]) -> None:
        self.data.qfrc_applied[6:] = torques

    def step(self) -> None:
        mujoco.mj_step(self.model, self.data)

    def read(self) -> list[float]:
        qpos, qvel = self.data.qpos, self.data.qvel
        turn = qpos[[4, 5, 6, 3]]
        spin = rotation_matrices(turn) @ qvel[3:6]
        return [*qpos[:3], *turn, *qvel[:3], *spin, *qpos[7:], *qvel[6:]]

    def touched(self) -> list[tuple[float, ...]]:
        found = []
        for number in range(self.data.ncon):
            contact, wrench = self.data.contact[number], np.zeros(6)
            mujoco.mj_contactForce(self.model, self.data, number, wrench)
            up = contact.frame[:3].tolist()  # from the floor, which comes first
            link = self._link_of(int(self.model.geom_bodyid[contact.geom[1]]))
            found.append((link, float(wrench[0]), *up))
        return found

    def _link_of(self, body: int) -> int:
        """The twin's link that a body of the file is, or is fixed to."""
        while body not in self._bodies:
            body = int(self.model.body_parentid[body])
        return self._bodies[body]


def run_in_mujoco(creature: str, inputs: Input) -> list[Any]:
    """Snapshots of a walk whose forces act in MuJoCo."""
    with Simulation(physical(creature=creature, terrain=LEVEL)) as simulation:
        with simulation.context():
            ((_, twins),) = esper.get_component(Twins)
            ((_, stage),) = esper.get_component(Stage)
        names = [link.name for link in twins.machine.robot.links]
        exported: Any = Exported(creature, names, simulation.dt / stage.count)
        twins.bodies[0] = exported
        stage.step = exported.step  # type: ignore[method-assign]
        found = [simulation.snapshot]
        for _ in range(TICKS):
            simulation.step(inputs)
            found.append(simulation.snapshot)
        return found


@pytest.mark.slow
def test_the_same_brain_goes_as_far_in_both_simulators(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # MuJoCo writes its warnings to a file there
    theirs = run_in_mujoco("hexapod", AHEAD)
    with Simulation(physical(terrain=LEVEL)) as simulation:
        ours = [simulation.snapshot]
        for _ in range(TICKS):
            simulation.step(AHEAD)
            ours.append(simulation.snapshot)
    assert way(ours) > 2.0
    assert 0.85 < way(theirs) / way(ours) < 1.15
    ends = [np.array(first(found[-1]).body.position[:2]) for found in (ours, theirs)]
    assert np.linalg.norm(ends[0] - ends[1]) < 0.15 * way(ours)
    assert min(map(upright, theirs)) > 0.95
