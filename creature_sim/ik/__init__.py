"""Inverse kinematics on plain joint arrays."""
