"""What holds for a whole MJCF: its units, its classes of defaults, and its assets."""

from dataclasses import dataclass, field
from math import pi
from pathlib import Path

from creature_sim.maths import Quat, Vec, norm, quat_about, scale
from creature_sim.robots.reading.elements import Element, parsed
from creature_sim.robots.reading.turns import NONE, TINY, from_euler, from_quat, from_xy, from_z

YES_NO = {"true": "true", "false": "false", "auto": "auto"}
MAX_FILES = 32
MAX_CLASSES = 500


def included(root: Element) -> None:
    """Put the content of included files where they are included.

    Raises:
        DefinitionError: one is missing, outside the file's folder, or included twice.
    """
    folder = root.file.parent.resolve()
    seen = {root.file.resolve()}
    waiting = [root]
    for element in waiting:  # it grows meanwhile
        found: list[Element] = []
        for child in element.children:
            if child.tag != "include":
                found.append(child)
                continue
            name = child.text("file")
            try:
                path = (folder / name).resolve()
            except (OSError, ValueError):
                raise child.refused("file", "the name of a file") from None
            if not path.is_relative_to(folder):
                raise child.refused("file", "a file in the folder of the robot, or below")
            if path in seen:
                raise child.refused("file", "a file that is not included already")
            if len(seen) >= MAX_FILES:
                raise child.refused("", f"at most {MAX_FILES} files", "more")
            seen.add(path)
            inner = parsed(path)
            if inner.tag not in ("mujoco", "mujocoinclude"):
                raise inner.refused("", "<mujoco> or <mujocoinclude>", inner.shown)
            for one in inner.children:
                one.above = element
            # files that it includes are beside the first one, too
            pending = Element(element.file, element.tag, element.attributes, element.line)
            pending.children = inner.children
            waiting.append(pending)
            found.append(pending)
        element.children = found
        waiting += [child for child in found if child not in waiting]
    _flatten(root)


def _flatten(root: Element) -> None:
    """Take apart what only holds the content of a file."""
    waiting = [root]
    for element in waiting:  # it grows meanwhile
        flat: list[Element] = []
        stack = element.children[::-1]
        while stack:
            child = stack.pop()
            if child.above is None:
                stack += child.children[::-1]
            else:
                flat.append(child)
        element.children = flat
        waiting += flat


@dataclass
class Settings:
    """What a file sets once.

    Attributes:
        angle: radians of one unit of its angles.
        order: of its Euler angles.
        has_auto_limits: whether a range alone limits a joint.
        from_geoms: whether geoms weigh, although a body says what it weighs.
        total: mass of all bodies [kg]; 0: as they are.
        classes: attributes by class, then by tag.
        meshes: (path, factors) by name; an empty path where there is no file.
        colours: of materials, by name.
        notes: what was left out.
    """

    angle: float = pi / 180.0
    order: str = "xyz"
    has_auto_limits: bool = True
    from_geoms: str = "auto"
    total: float = 0.0
    classes: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)
    meshes: dict[str, tuple[str, tuple[float, ...]]] = field(default_factory=dict)
    colours: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def with_defaults(self, element: Element, inherited: str) -> Element:
        """An element with the attributes that its class gives it."""
        name = element.attributes.get("class", inherited)
        if name not in self.classes:
            raise element.refused("class", f"one of {', '.join(list(self.classes)[:8])}")
        written = element.attributes
        given = dict(self.classes[name].get(element.tag, {}))
        for group in ({"euler", "quat", "axisangle", "xyaxes", "zaxis"}, {"type", "fromto"}):
            if group & set(written):  # what says the same in other words
                given = {key: value for key, value in given.items() if key not in group}
        found = Element(element.file, element.tag, {**given, **written}, element.line)
        found.above = element.above
        found.children = element.children
        return found

    def turn(self, element: Element) -> Quat:
        """How an element is turned against the frame around it."""
        written = element.attributes
        found: Quat | None = NONE
        key = next((one for one in TURNS if one in written), "")
        if key == "quat":
            found = from_quat(element.numbers(key, 4, 4))
        elif key == "euler":
            x, y, z = (self.angle * part for part in element.vector(key))
            found = from_euler((x, y, z), self.order)
        elif key == "axisangle":
            x, y, z, angle = element.numbers(key, 4, 4)
            size = norm((x, y, z))
            found = (
                quat_about(scale((x, y, z), 1.0 / size), self.angle * angle)
                if size > TINY
                else None
            )
        elif key == "xyaxes":
            found = from_xy(element.numbers(key, 6, 6))
        elif key == "zaxis":
            found = from_z(element.vector(key))
        if found is None:
            raise element.refused(key, "a direction")
        return found


TURNS = ("quat", "euler", "axisangle", "xyaxes", "zaxis")
ORIGIN: Vec = (0.0, 0.0, 0.0)


def settings_of(root: Element) -> Settings:
    """The settings of a file."""
    found = Settings()
    folder = root.file.parent
    places = [folder]
    for compiler in root.all("compiler"):
        degrees = compiler.choice("angle", {"degree": "1", "radian": ""}, "degree")
        found.angle = pi / 180.0 if degrees else 1.0
        compiler.choice("coordinate", {"local": ""}, "local")
        found.order = compiler.text("eulerseq", "xyz")
        if len(found.order) != 3 or set(found.order.lower()) - set("xyz"):
            raise compiler.refused("eulerseq", "three letters of x, y, z, X, Y and Z")
        found.has_auto_limits = compiler.choice("autolimits", YES_NO, "true") == "true"
        found.from_geoms = compiler.choice("inertiafromgeom", YES_NO, "auto")
        found.total = max(0.0, compiler.number("settotalmass", 0.0))
        written = compiler.attributes
        places += [folder / written[key] for key in ("meshdir", "assetdir") if key in written]
    found.classes["main"] = {}
    for element in root.all("default"):
        _take_class(found, element, "main", found.classes["main"])
    for assets in root.all("asset"):
        for material in assets.all("material"):
            material = found.with_defaults(material, "main")
            if "rgba" in material.attributes:
                found.colours[material.attributes.get("name", "")] = colour_of(material)
        for mesh in assets.all("mesh"):
            _take_mesh(found, found.with_defaults(mesh, "main"), places)
    return found


def colour_of(element: Element) -> str:
    """The colour of an element, as #rrggbb."""
    parts = element.numbers("rgba", 3, 4)[:3]
    return "#" + "".join(f"{round(255.0 * min(max(part, 0.0), 1.0)):02x}" for part in parts)


def _take_class(
    settings: Settings, element: Element, name: str, parent: dict[str, dict[str, str]]
) -> None:
    """A class and those in it; each has what that around it has, and more."""
    if len(settings.classes) > MAX_CLASSES:
        raise element.refused("", f"at most {MAX_CLASSES} classes", "more")
    own = {tag: dict(values) for tag, values in parent.items()}
    for child in element.children:
        if child.tag != "default":
            own[child.tag] = {**own.get(child.tag, {}), **child.attributes}
    settings.classes[element.attributes.get("class", name)] = own
    if name == "main":
        settings.classes["main"] = own
    for child in element.all("default"):
        _take_class(settings, child, child.text("class"), own)


def _take_mesh(settings: Settings, mesh: Element, places: list[Path]) -> None:
    """A mesh by its name, or by that of its file."""
    factors = mesh.numbers("scale", 3, 3, (1.0, 1.0, 1.0))
    file = mesh.attributes.get("file", "")
    name = mesh.attributes.get("name") or Path(file).stem
    path = ""
    for place in places:
        try:
            if file and (place / file).is_file():
                path = str(place / file)
        except (OSError, ValueError):
            continue
    if not path:
        settings.notes.append(f"line {mesh.line}: {mesh.shown} file: no file {file!r}")
    settings.meshes[name] = (path, factors)
