"""What creature_sim needs of a machine, checked one by one. No check raises.

Everything that may be missing is imported inside the check that looks for it.
"""

import ctypes
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata

WINDOW_SECONDS = 30.0
"""A window that takes longer than this to open never will [s]."""
PYBULLETS = ("pybullet", "pybullet-arm64")
"""Two distributions of one module; either is enough."""


@dataclass(frozen=True)
class Check:
    """The result of a check.

    Attributes:
        name: of what was checked.
        is_there: whether it works.
        found: its version, or what is wrong.
        is_needed: whether it is needed here; otherwise it is for an extra, or for windows on a
            machine without a screen.
        remedy: how to get it.
    """

    name: str
    is_there: bool
    found: str
    is_needed: bool = True
    remedy: str = ""


@dataclass(frozen=True)
class Library:
    """A library of the system, by platform.

    Attributes:
        name: for people.
        file: its name on Linux.
        debian: the Debian package that has it.
        is_for_windows: whether only windows need it.
    """

    name: str
    file: str
    debian: str
    is_for_windows: bool = False


LIBRARIES = (
    Library("EGL library", "libEGL.so.1", "libegl1"),
    Library("OpenGL library", "libGL.so.1", "libgl1"),
    Library("FreeType library", "libfreetype.so.6", "libfreetype6", is_for_windows=True),
    Library("Fontconfig library", "libfontconfig.so.1", "libfontconfig1", is_for_windows=True),
)
DRIVER = "apt-get install libgl1-mesa-dri"
MAC_EGL = "brew install mesa"


def checkup() -> Iterator[Check]:
    """Make all checks, the quickest first."""
    yield Check("Python", sys.version_info >= (3, 11), platform.python_version())
    yield Check("system", True, f"{platform.system()} {platform.release()}, {platform.machine()}")
    yield from _packages()
    if sys.platform.startswith("linux"):
        yield from map(_library, LIBRARIES)
    remedy = MAC_EGL if sys.platform == "darwin" else DRIVER
    yield _tried("OpenGL without a screen", _opengl, remedy)
    yield _tried("test frame", _frame, remedy)
    yield _tried("test tick", _tick, "reinstall creature-sim")
    yield _window()


def _packages() -> Iterator[Check]:
    """The distributions that creature-sim needs, and one check for each of its extras."""
    try:
        found = metadata.distribution("creature-sim")
    except metadata.PackageNotFoundError:
        yield Check("creature-sim", False, "not installed", remedy="pip install creature-sim")
        return
    yield Check("creature-sim", True, found.version)
    extras: dict[str, list[str]] = {
        name: [] for name in found.metadata.get_all("Provides-Extra") or ()
    }
    for line in found.requires or ():
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", line)
        if extra:
            extras[extra[1]].append(line)
            continue
        name = _name(line)
        if name not in PYBULLETS[1:]:
            version = next(filter(None, map(_version, _alternatives(name))), None)
            yield Check(
                name, version is not None, version or "not installed", remedy=f"pip install {name}"
            )
    for name in extras:
        yield _extra(name, extras)


def _extra(name: str, extras: dict[str, list[str]]) -> Check:
    """Whether everything that an extra brings is there."""
    versions = {package: _version(package) for package in _members(name, extras)}
    missing = [package for package, version in versions.items() if version is None]
    if missing:
        found = f"not installed: {', '.join(missing)}"
    else:
        found = ", ".join(f"{package} {version}" for package, version in versions.items())
    remedy = f"pip install 'creature-sim[{name}]'"
    return Check(f"extra {name}", not missing, found, False, remedy)


def _members(name: str, extras: dict[str, list[str]]) -> list[str]:
    """The distributions of an extra, with those of other extras that it names."""
    found = []
    for line in extras[name]:
        others = re.match(r"creature-sim\[([^\]]*)\]", line)
        if others:
            for other in others[1].split(","):
                found += _members(other.strip(), extras)
        else:
            found.append(_name(line))
    return list(dict.fromkeys(found))


def _name(line: str) -> str:
    """The distribution that a line of requirements asks for."""
    return re.split(r"[^\w.-]", line, maxsplit=1)[0]


def _alternatives(name: str) -> tuple[str, ...]:
    return PYBULLETS if name in PYBULLETS else (name,)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _library(library: Library) -> Check:
    is_needed = not library.is_for_windows or _has_display()
    remedy = f"apt-get install {library.debian}"
    try:
        loaded = ctypes.CDLL(library.file)
    except OSError as error:
        return Check(library.name, False, str(error), is_needed, remedy)
    found = library.file
    if library.file.startswith("libEGL"):
        ask = loaded.eglQueryString
        ask.restype, ask.argtypes = ctypes.c_char_p, (ctypes.c_void_p, ctypes.c_int)
        version = ask(None, 0x3054)  # EGL_VERSION of the library: EGL 1.5, section 3.3
        found += f", {version.decode()}" if version else ""
    return Check(library.name, True, found, is_needed, remedy)


def _tried(name: str, attempt: Callable[[], str], remedy: str) -> Check:
    """The result of an attempt; any error of any library is a finding, not a traceback."""
    try:
        return Check(name, True, attempt(), remedy=remedy)
    except Exception as error:
        lines = str(error).strip().splitlines()
        return Check(name, False, lines[0] if lines else type(error).__name__, remedy=remedy)


def _opengl() -> str:
    from creature_sim.view.gl.probe import probe_graphics

    found = probe_graphics()
    return f"{found.version}; {found.renderer}; {found.vendor}"


def _frame() -> str:
    """Draw a chain, whose start pose needs no simulation."""
    import numpy as np

    from creature_sim.figures.subjects import subject_camera
    from creature_sim.library.loader import load_world
    from creature_sim.snapshots.poses import ChainPose, Pose
    from creature_sim.terrain import build_terrain
    from creature_sim.view.offscreen import Studio

    world = load_world("arm")
    (chain,) = world.chains
    offsets = np.cumsum([0.0, *chain.bones])[:, None] * np.array(chain.direction)
    joints = np.array(chain.root) + offsets
    pose = Pose(0, (), (ChainPose(joints, joints[-1:]),))
    with Studio(world, build_terrain(world.terrain, world.seed), (320, 180)) as studio:
        begin = time.perf_counter()
        picture = studio.render(pose, subject_camera(world, 0))
        spent = time.perf_counter() - begin
    colours = len(np.unique(picture.reshape(-1, 3), axis=0))
    if colours < 100:
        raise RuntimeError(f"drew {colours} colours: a blank picture")
    return f"320x180 in {1000 * spent:.0f} ms, {colours} colours"


def _tick() -> str:
    """Simulate a tick: physics and compiled kernels."""
    from creature_sim.library.loader import load_world
    from creature_sim.simulation import Simulation

    with Simulation(load_world("meadow")) as simulation:
        simulation.step()
        return f"digest {simulation.digest}"


def _window() -> Check:
    """Open a window in a process of its own: this one draws without a screen."""
    if not _has_display():
        return Check("window", False, "no display here", False, "set DISPLAY, or use --headless")
    script = (
        "from creature_sim.view.gl.display import open_window; open_window('doctor', '').close()"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", script],
            capture_output=True,
            text=True,
            timeout=WINDOW_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return Check("window", False, f"none after {WINDOW_SECONDS:.0f} s")
    last = (done.stderr.strip().splitlines() or [""])[-1]
    if done.returncode:
        fonts = "apt-get install libfreetype6 libfontconfig1 fonts-dejavu-core"
        return Check(
            "window", False, last.split(": ", 1)[-1], remedy=fonts if "font" in last else DRIVER
        )
    return Check("window", True, os.environ.get("DISPLAY", "opens"))


def _has_display() -> bool:
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY"))
