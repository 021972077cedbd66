"""Robots from files: pybullet and mujoco, who read the same files, are the oracles."""

from pathlib import Path
from random import Random

import numpy as np
import pybullet
import pytest

from creature_sim.anatomy.robots.machine import Machine
from creature_sim.errors import DefinitionError
from creature_sim.files.silence import silence
from creature_sim.robots.reading import read_robot
from creature_sim.robots.reading.solids import matrix_of
from tests.robots.files import DATA, DOGS, GYM

pytest.importorskip("pybullet_data")

MJCFS = [DATA / "mjcf/ant.xml", DATA / "mjcf/humanoid.xml"]
if GYM is not None:
    MJCFS += [
        GYM / name for name in ("ant.xml", "humanoid.xml", "half_cheetah.xml", "walker2d.xml")
    ]


@pytest.mark.slow
@pytest.mark.parametrize("file", [*DOGS, "quadruped/minitaur.urdf"])
def test_links_of_a_urdf_are_where_pybullet_has_them(file: str) -> None:
    machine = Machine(read_robot(DATA / file).robot)
    rng = Random(file)
    client = pybullet.connect(pybullet.DIRECT)
    try:
        with silence():
            body = pybullet.loadURDF(str(DATA / file), useFixedBase=True, physicsClientId=client)
        angles = [0.0] * len(machine.names)
        groups = {}
        written = {link.name: link.mass for link in machine.robot.links}
        mass = machine.robot.links[0].mass  # a fixed base weighs nothing there
        for joint in range(pybullet.getNumJoints(body, physicsClientId=client)):
            info = pybullet.getJointInfo(body, joint, physicsClientId=client)
            name = info[12].decode()
            if written[name]:  # it takes a link that says nothing for one of 1 kg
                mass += pybullet.getDynamicsInfo(body, joint, physicsClientId=client)[0]
            if name in machine.names:
                group = machine.names.index(name)
                groups[joint] = group
                angles[group] = rng.uniform(-1.0, 1.0)
                pybullet.resetJointState(body, joint, angles[group], physicsClientId=client)
                made = machine.joint(group)
                if made.kind == "revolute":
                    assert (made.lo, made.hi) == pytest.approx(info[8:10])
        pose = machine.posed(angles, np.eye(3))
        for joint, group in groups.items():
            state = pybullet.getLinkState(
                body, joint, computeForwardKinematics=True, physicsClientId=client
            )
            assert np.abs(pose.places[group] - state[4]).max() < 1e-6
        assert machine.robot.mass == pytest.approx(mass)
    finally:
        pybullet.disconnect(client)


@pytest.mark.parametrize("file", MJCFS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_bodies_of_an_mjcf_are_as_mujoco_has_them(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mujoco = pytest.importorskip("mujoco")
    monkeypatch.chdir(tmp_path)  # mujoco writes its warnings to a file there
    machine = Machine(read_robot(file).robot)
    model = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)
    rng = Random(file.name)
    joints = {machine.joint(group).name: group for group in range(1, len(machine.names))}
    angles = [0.0] * len(machine.names)
    for index in range(model.njnt):
        group = joints.get(model.joint(index).name)
        if group is not None:
            angles[group] = rng.uniform(-1.0, 1.0)
            data.qpos[model.jnt_qposadr[index]] += angles[group]
            if model.jnt_limited[index]:
                joint = machine.joint(group)
                assert (joint.lo, joint.hi) == pytest.approx(tuple(model.jnt_range[index]))
    mujoco.mj_forward(model, data)
    pose = machine.posed(angles, np.eye(3))
    seen = 0
    for index in range(1, model.nbody):
        name = model.body(index).name
        if name not in machine.names:
            continue
        group = machine.names.index(name)
        link, turn = machine.link(group), pose.turns[group]
        assert np.abs(turn @ link.centre + pose.places[group] - data.xipos[index]).max() < 1e-9
        axes = data.ximat[index].reshape(3, 3)
        wanted = axes @ np.diag(model.body_inertia[index]) @ axes.T
        assert np.allclose(turn @ matrix_of(link.inertia) @ turn.T, wanted, atol=1e-12)
        seen += 1
    assert seen > 3
    assert machine.robot.mass == pytest.approx(float(model.body_mass.sum()))


HEAD = '<robot name="x"><link name="a"/><link name="b"/>'
JOINT = '<joint name="j" type="revolute"><parent link="a"/><child link="b"/>'
LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
LOOP = '<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>'
TWO = '<joint name="k" type="fixed"><parent link="a"/><child link="b"/></joint>'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: expected XML, found an empty file"),
        (" \n", "line 1: expected XML, found an empty file"),
        ("<robot>", "line 1: expected XML, found its end before that of its elements"),
        ("<html/>", "expected <robot> of a URDF or <mujoco> of an MJCF, found <html>"),
        ('<!DOCTYPE x [<!ENTITY a "a">]><robot/>', "expected XML without DOCTYPE"),
        ("<robot/>", "<robot>: expected a <link>, found none"),
        (f'{HEAD}<link name="a"/></robot>', "name: expected another, for line 1 has it, found"),
        (f'{HEAD}<joint name="j" type="odd"/></robot>', "type: expected one of fixed, revolute"),
        (f"{HEAD}{JOINT}</joint></robot>", 'name="j">: expected a <limit>'),
        (f'{HEAD}{JOINT}<axis xyz="0 0 0"/>{LIMIT}</robot>', "<axis> xyz: expected a direction"),
        (f'{HEAD}{JOINT}<axis xyz="0 1"/>{LIMIT}</robot>', "xyz: expected 3 numbers, found '0 1'"),
        (f"{HEAD}{JOINT}{LIMIT}{LOOP}</robot>", "that none holds, found joints in a circle"),
        (f"{HEAD}{JOINT}{LIMIT}{TWO}</robot>", "child: expected a link with one parent"),
        (f"{HEAD}{JOINT.replace('b', 'c')}{LIMIT}</robot>", "<child> link: expected the name of a"),
        (f"{HEAD}{JOINT}{LIMIT.replace('-1', 'nan')}</robot>", "lower: expected numbers up to"),
        ("<mujoco/>", "<mujoco>: expected a <body> in a <worldbody>, found none"),
        ('<mujoco><include file="../x.xml"/></mujoco>', "file: expected a file in the folder"),
        (
            '<mujoco><worldbody><body><geom size="a"/></body></worldbody></mujoco>',
            "<body> <geom> size: expected 1 to 3 numbers, found 'a'",
        ),
        (
            '<mujoco><worldbody><body><geom class="no" size="1"/></body></worldbody></mujoco>',
            "<geom> class: expected one of main, found 'no'",
        ),
    ],
)
def test_messages_name_file_line_element_and_attribute(
    text: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.urdf"
    path.write_text(text)
    with pytest.raises(DefinitionError) as error:
        read_robot(path)
    assert str(error.value).startswith(f"{path}: line 1: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_entities_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "bomb.urdf"
    bomb = "".join(f'<!ENTITY a{k} "&a{k - 1};&a{k - 1};">' for k in range(1, 60))
    path.write_text(f'<!DOCTYPE r [<!ENTITY a0 "x">{bomb}]><robot name="&a59;"/>')
    with pytest.raises(DefinitionError, match="without DOCTYPE"):
        read_robot(path)


def test_what_forces_would_refuse_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.urdf"
    inertia = '<inertia ixx="1" iyy="1" izz="{}"/>'
    path.write_text(
        '<robot name="x"><link name="a"/>\n'
        f'<link name="b"><inertial><mass value="1"/>{inertia.format(3)}</inertial></link>\n'
        f'<link name="c"><inertial><mass value="1"/>{inertia.format(-1)}</inertial></link>\n'
        '<link name="d"/>\n'
        + "".join(
            f'<joint name="j{one}" type="revolute"><parent link="a"/><child link="{one}"/>'
            f'<limit lower="0" upper="1" effort="{int(one != "b")}" velocity="1"/></joint>\n'
            for one in "bcd"
        )
        + "</robot>"
    )
    faults = "\n".join(read_robot(path).faults)
    assert 'line 2: <link name="b"> inertia: expected moments of which none is larger' in faults
    assert 'line 3: <link name="c"> inertia: expected one above 0 about all axes' in faults
    assert 'line 4: <link name="d"> mass: expected more than 0, for it moves' in faults
    assert '<joint name="jb"> <limit> effort: expected more than 0, or none, found 0' in faults


def test_meshes_are_found_in_packages_above(tmp_path: Path) -> None:
    folder = tmp_path / "robot_description" / "urdf"
    (folder.parent / "meshes").mkdir(parents=True)
    folder.mkdir()
    (folder.parent / "meshes" / "a.stl").write_bytes(b"solid")
    shape = "<visual><geometry><mesh filename='package://{}'/></geometry></visual>"
    found = shape.format("robot_description/meshes/a.stl")
    lost = shape.format("robot_description/meshes/b.stl")
    (folder / "x.urdf").write_text(f"<robot name='x'><link name='a'>{found}{lost}</link></robot>")
    reading = read_robot(folder / "x.urdf")
    first, second = reading.robot.links[0].shapes
    assert Path(first.file).samefile(folder.parent / "meshes" / "a.stl")
    assert second.file == ""
    assert "no file 'package://robot_description/meshes/b.stl'" in reading.notes[0]


def test_classes_frames_and_includes_of_an_mjcf(tmp_path: Path) -> None:
    (tmp_path / "legs.xml").write_text(
        "<mujocoinclude><body name='leg' childclass='leg' pos='0 1 0'>"
        "<joint name='knee'/><geom/></body></mujocoinclude>"
    )
    (tmp_path / "x.xml").write_text(
        "<mujoco><compiler angle='radian' autolimits='true'/>"
        "<default><default class='leg'><joint axis='0 2 0' range='-1 .5'/>"
        "<geom type='capsule' fromto='0 0 0 0 0 -2' size='.1' mass='3'/></default></default>"
        "<worldbody><body name='base'><freejoint/><geom size='.2' mass='5'/>"
        "<frame pos='1 0 0' euler='0 0 1.5707963267948966'><include file='legs.xml'/></frame>"
        "</body></worldbody>"
        "<actuator><motor joint='knee' gear='20' ctrlrange='-2 1'/></actuator></mujoco>"
    )
    base, leg = read_robot(tmp_path / "x.xml").robot.links
    assert (base.mass, leg.mass) == pytest.approx((5.0, 3.0))
    assert leg.parent == 0
    assert leg.position == pytest.approx((0.0, 0.0, 0.0))
    assert leg.joint is not None
    assert (leg.joint.axis, leg.joint.lo, leg.joint.hi) == ((0.0, 1.0, 0.0), -1.0, 0.5)
    assert leg.joint.effort == 40.0
    assert leg.shapes[0].size == pytest.approx((0.1, 2.0))
