"""Robots: descriptions of bodies with joints, mass and limits, as URDF and MJCF have them."""

from creature_sim.robots.robot import Link, Robot, RobotJoint, Shape

__all__ = ["Link", "Robot", "RobotJoint", "Shape"]
