"""Robots from files: URDF and MJCF as one neutral description.

read.read_robot  a file as a `Robot`, with what was left out and what no physics would take
urdf             links, joints, shapes and mass of a URDF
urdf_parts       places, masses and colours of it
mjcf             bodies, joints and geoms of an MJCF, with its classes and included files
mjcf_settings    its compiler, its classes, its assets
mjcf_parts       one body of it as links
turns            quaternions from what files write of turns
faults           mass, inertia and effort that a simulation with forces would refuse
solids           mass and inertia of shapes
meshes           triangles of .obj and .stl files
elements         XML with lines, and its attributes checked one by one

Nothing is believed of a file: sizes are bounded, entities are refused, no file outside the folders
that a description names is read, and what is wrong becomes one message with file, line, element
and attribute.
"""

from creature_sim.robots.reading.read import Reading, is_robot, read_robot

__all__ = ["Reading", "is_robot", "read_robot"]
