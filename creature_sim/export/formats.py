"""What `creature-sim export` writes: the end of a file's name says which."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError, OutputError
from creature_sim.figures.labels import printable
from creature_sim.files.output import check_apart
from creature_sim.replay import Replay

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Choice:
    """Which part of a recording is written, and how finely; None: not chosen.

    Attributes:
        start: seconds after its first state.
        end: likewise.
        fps: frames a second.
        creature: number of the only creature that is wanted.
        is_loop: whether one cycle of its gait is wanted.
        has_angles: whether the angles of its joints are wanted.
    """

    start: float | None = None
    end: float | None = None
    fps: float | None = None
    creature: int | None = None
    is_loop: bool = False
    has_angles: bool = False

    @property
    def options(self) -> dict[str, object]:
        """What was chosen, by the option's name."""
        given = {
            "--from": self.start,
            "--to": self.end,
            "--fps": self.fps,
            "--creature": self.creature,
            "--loop": self.is_loop or None,
            "--angles": self.has_angles or None,
        }
        return {name: value for name, value in given.items() if value is not None}


WHOLE = Choice()


@dataclass(frozen=True)
class Order:
    """How a file shall be written.

    Attributes:
        about: what it says of the recording, where it has metadata.
        proof: what a page may say of a recording that was verified; empty where it was not.
        force: whether another file may be replaced.
        progress: called with the number of ticks done.
        choice: which part of the recording.
    """

    about: Mapping[str, str]
    proof: str
    force: bool
    progress: Progress
    choice: Choice = WHOLE


Write = Callable[[Replay, Path, Order], str]
"""Writes a file; returns what a user should know about it."""
WriteGround = Callable[[WorldDef, Path, bool], None]
"""Writes the ground of a world into a file, which may exist if the last argument is true."""
WriteRobot = Callable[[WorldDef, Path, int | None, bool], None]
"""Writes a creature of a world, by its number, likewise; None: the only one."""


@dataclass(frozen=True)
class Format:
    """A kind of file.

    Attributes:
        write: writes it.
        hint: what to do with it.
        extra: the extra that brings its modules; "": it needs none.
        modules: that it needs.
        options: of `Choice` that it knows.
        ground: writes the ground of a world alone; None: it cannot.
        robot: writes a creature that does not move; None: it cannot.
    """

    write: Write
    hint: str
    extra: str = ""
    modules: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    ground: WriteGround | None = None
    robot: WriteRobot | None = None


def _page(replay: Replay, path: Path, order: Order) -> str:
    from creature_sim.export.page import write_page

    write_page(replay, path, replay.path.stem, proof=order.proof, force=order.force)
    order.progress(replay.ticks)
    return ""


def _scene(replay: Replay, path: Path, order: Order) -> str:
    from creature_sim.export.scene import write_scene

    write_scene(replay, path, order.about, force=order.force, progress=order.progress)
    return ""


def _table(replay: Replay, path: Path, order: Order) -> str:
    from creature_sim.export.tables import write_table

    return write_table(
        replay,
        path,
        order.about,
        force=order.force,
        progress=order.progress,
        start=order.choice.start,
        end=order.choice.end,
        fps=order.choice.fps,
    )


def _animation(replay: Replay, path: Path, order: Order) -> str:
    from creature_sim.export.animation.files import write_animation

    return write_animation(replay, path, order.about, order.choice, order.force, order.progress)


def _ground(world: WorldDef, path: Path, force: bool) -> None:
    from creature_sim.export.animation.files import write_ground

    write_ground(world, path, force)


def _angles(replay: Replay, path: Path, order: Order) -> str:
    from creature_sim.export.angles import write_angles

    return write_angles(replay, path, order.about, order.choice, order.force, order.progress)


def _robot(world: WorldDef, path: Path, creature: int | None, force: bool) -> None:
    from creature_sim.export.robots import write_robot

    write_robot(world, path, creature, force)


def _robot_of(replay: Replay, path: Path, order: Order) -> str:
    _robot(replay.world, path, order.choice.creature, order.force)
    return ""


PAGE = Format(_page, "open it in a browser")
PART = ("--from", "--to", "--fps")
FORMATS = {
    ".html": PAGE,
    ".htm": PAGE,
    ".mcap": Format(
        _scene,
        "open it in Foxglove or Lichtblick",
        "scene",
        ("foxglove_schemas_protobuf", "mcap_protobuf"),
    ),
    ".glb": Format(
        _animation,
        "import it into Blender, Godot, Unreal, Unity or three.js",
        options=(*PART, "--creature", "--loop"),
        ground=_ground,
    ),
    ".bvh": Format(
        _animation, "retarget it onto another skeleton", options=(*PART, "--creature", "--loop")
    ),
    ".usda": Format(
        _animation,
        "open it in usdview, Blender or Omniverse",
        "usd",
        ("pxr",),
        options=(*PART, "--creature", "--loop"),
        ground=_ground,
    ),
    ".csv": Format(_table, "one row per joint and tick", options=PART),
    ".parquet": Format(_table, "one row per joint and tick", "tables", ("pyarrow",), options=PART),
    ".xml": Format(
        _robot_of, "a robot that stands in MuJoCo", options=("--creature",), robot=_robot
    ),
    ".urdf": Format(
        _robot_of, "a robot for ROS, pybullet and others", options=("--creature",), robot=_robot
    ),
}
ANGLES = (*PART, "--creature", "--angles")
ANGLE_FORMATS = {
    ".csv": Format(_angles, "one row per tick", options=ANGLES),
    ".parquet": Format(_angles, "one row per tick", "tables", ("pyarrow",), options=ANGLES),
}
"""Those of tables of angles."""


def format_of(path: Path, choice: Choice = WHOLE) -> Format:
    """The format of a file by its name's end.

    Raises:
        DefinitionError: no format has this end, or it does not know what was chosen.
        OutputError: a module that it needs is not installed.
    """
    end = path.suffix.lower()
    found = FORMATS.get(end)
    if choice.has_angles:
        found = ANGLE_FORMATS.get(end, found)
    if found is None:
        raise DefinitionError(
            f"-o: expected a name that ends in {', '.join(FORMATS)}, found {path.name!r}"
        )
    for option in choice.options:
        if option not in found.options:
            formats = ANGLE_FORMATS if option == "--angles" else FORMATS
            known = ", ".join(end for end, other in formats.items() if option in other.options)
            raise DefinitionError(f"{option}: expected a file {known}, found {path.name!r}")
    for name in found.modules:
        try:
            import_module(name)
        except ImportError:
            raise OutputError(
                f"{path}: expected the module {name} to write it with, found none; "
                f"pip install 'creature-sim[{found.extra}]'"
            ) from None
    return found


def write_export(
    replay: Replay,
    path: Path,
    *,
    proof: str = "",
    force: bool,
    progress: Progress,
    choice: Choice = WHOLE,
    origin: str = "",
) -> str:
    """Write a replay in the format of a file's name.

    Args:
        replay: what is written.
        path: of the file.
        proof: what it may say of a recording that was verified; empty where it was not.
        force: whether another file may be replaced.
        progress: called with the number of ticks done.
        choice: which part of the recording.
        origin: name of what it was recorded for, if the recording is not kept.

    Returns:
        What a user should know about the file; mostly nothing.

    Raises:
        DefinitionError: no format has this end.
        OutputError: the file exists, is the recording itself, cannot be written, or needs what is
            not installed.
    """
    wanted = format_of(path, choice)
    check_apart(path, [replay.path], "the recording")
    made_of = {"source": origin} if origin else {"recording": replay.path.name}
    about = {**made_of, "world": replay.world.name, "digest": replay.digest}
    if replay.notice:
        about["notice"] = replay.notice
    if proof:
        about["proof"] = proof
    about = {key: printable(text) for key, text in about.items()}  # names of files are any bytes
    return wanted.write(replay, path, Order(about, proof, force, progress, choice))


def ground_writer(path: Path) -> WriteGround:
    """Writes the ground of a world alone into a file of this name.

    Raises:
        DefinitionError: files with this end hold no ground alone.
        OutputError: a module that it needs is not installed.
    """
    writer = format_of(path).ground
    if writer is None:
        known = ", ".join(end for end, other in FORMATS.items() if other.ground)
        raise DefinitionError(
            f"-o: expected a name that ends in {known} for the ground of a world, "
            f"found {path.name!r}; --seconds writes a run of it"
        )
    return writer
