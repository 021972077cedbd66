"""Inverse kinematics of chains: FABRIK, exact, with poles and limits, usable on its own."""
