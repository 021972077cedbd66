"""The models of the library, made from numbers: `python -m tests.tools.models`.

shapes    tubes along bones, and balls, as triangles with weights
body      a skeleton and its skin, piece by piece
glb       both as a binary glTF file, the same bits every time
others    one animal each
"""
