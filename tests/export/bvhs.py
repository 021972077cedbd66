"""Reads `.bvh` as its description says, with nothing of the writer's: for tests."""

from math import cos, radians, sin
from pathlib import Path
from typing import Any

import numpy as np

AXES = {"X": 0, "Y": 1, "Z": 2}


class Bvh:
    """A file: joints in their order, and the numbers of every frame."""

    def __init__(self, path: Path) -> None:
        words = path.read_text().split()
        self.names: list[str] = []
        self.parents: list[int] = []
        self.offsets: list[Any] = []
        self.channels: list[list[str]] = []
        at, is_end = 0, False
        open_joints: list[int] = []
        assert words[0] == "HIERARCHY"
        while words[at] != "MOTION":
            word = words[at]
            if word in ("ROOT", "JOINT"):
                assert (word == "ROOT") == (not self.names)
                self.parents.append(open_joints[-1] if open_joints else -1)
                self.names.append(words[at + 1])
                open_joints.append(len(self.names) - 1)
                at += 1
            elif word == "End":
                is_end = True
                open_joints.append(-2)
                at += 1
            elif word == "OFFSET":
                offset = np.array([float(number) for number in words[at + 1 : at + 4]])
                if is_end:
                    assert np.abs(offset).max() > 0.0
                else:
                    self.offsets.append(offset)
                is_end = False
                at += 3
            elif word == "CHANNELS":
                count = int(words[at + 1])
                self.channels.append(words[at + 2 : at + 2 + count])
                at += 1 + count
            elif word == "}":
                open_joints.pop()
            at += 1
        assert words[at + 1] == "Frames:"
        count = int(words[at + 2])
        assert words[at + 3 : at + 5] == ["Frame", "Time:"]
        self.frame_time = float(words[at + 5])
        width = sum(map(len, self.channels))
        self.frames = np.array([float(word) for word in words[at + 6 :]]).reshape(count, width)

    def positions(self, frame: int) -> dict[str, Any]:
        """Where all joints are, Z up, by name [m]."""
        numbers = iter(self.frames[frame].tolist())
        turns: list[Any] = []
        places: list[Any] = []
        found = {}
        for name, parent, offset, channels in zip(
            self.names, self.parents, self.offsets, self.channels, strict=True
        ):
            turn, place = np.eye(3), np.array(offset)
            for channel in channels:
                axis, number = AXES[channel[0]], next(numbers)
                if channel.endswith("position"):
                    place[axis] = number
                else:
                    turn = turn @ _about(axis, radians(number))
            if parent >= 0:
                place = places[parent] + turns[parent] @ place
                turn = turns[parent] @ turn
            turns.append(turn)
            places.append(place)
            found[name] = np.array([place[0], -place[2], place[1]])
        return found


def _about(axis: int, angle: float) -> Any:
    found = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    found[i, i] = found[j, j] = cos(angle)
    found[j, i], found[i, j] = sin(angle), -sin(angle)
    return found
