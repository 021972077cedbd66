"""Numbers, angles and colours as attributes of XML."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from math import atan2, hypot

from creature_sim.maths import Quat, Vec, X, Y, Z, rotate

STEEP = 1e-8
"""Cosine of a pitch up to which roll and yaw turn about the same axis."""


def text_of(numbers: Sequence[float]) -> str:
    """Numbers with all the digits that tell them from any other, a blank between them."""
    return " ".join(repr(float(number) + 0.0).removesuffix(".0") for number in numbers)


def rpy_of(turn: Quat) -> Vec:
    """Roll, pitch and yaw of a rotation, about fixed X, then Y, then Z [rad], as URDF has them."""
    x, y, z = rotate(turn, X)
    ahead, left, up = rotate(turn, Y)
    level = hypot(x, y)
    pitch = atan2(-z, level)
    if level <= STEEP:
        return 0.0, pitch, atan2(-ahead, left)
    return atan2(up, rotate(turn, Z)[2]), pitch, atan2(y, x)


def rgba_of(colour: str) -> str:
    """A colour #rrggbb as four numbers from 0 to 1; grey where there is none."""
    digits = (colour or "#808080").removeprefix("#")
    return text_of([*(round(int(digits[i : i + 2], 16) / 255.0, 4) for i in (0, 2, 4)), 1.0])


def xml_of(root: ET.Element, comment: str) -> bytes:
    """A document, indented, with a comment above it."""
    ET.indent(root)
    said = re.sub("-(?=-)", "- ", comment)  # no comment has two dashes
    head = f'<?xml version="1.0" encoding="utf-8"?>\n<!-- {said} -->\n'
    return (head + ET.tostring(root, encoding="unicode") + "\n").encode()
