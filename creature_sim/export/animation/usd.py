"""A stage as Universal Scene Description, `.usda`: Z up, metres, skeletons by UsdSkel.

Time codes are ticks since the first one. Needs the extra `usd`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pxr import Gf, Usd, UsdGeom, UsdSkel, Vt

from creature_sim.export.animation.stage import GroundMesh, Played, Stage, is_prop
from creature_sim.export.animation.usd_materials import Pictures, add_material, add_places
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices

WORLD = "/world"
FAMILY = "materialBind"
"""Of the parts of a mesh that have a material each."""


def usda_of(stage: Stage, about: Mapping[str, str], stem: str) -> tuple[bytes, dict[str, bytes]]:
    """The text of a file, and the pictures that lie beside it, by their names.

    Args:
        stage: what it shows.
        about: what its metadata say of the recording.
        stem: with which names of pictures begin.
    """
    pictures = Pictures(stem)
    layer = _opened({**about, **_flat(stage.extras)})
    layer.SetTimeCodesPerSecond(stage.rate)
    layer.SetFramesPerSecond(stage.rate)
    codes = np.rint(stage.times * stage.rate)
    layer.SetStartTimeCode(0.0)
    layer.SetEndTimeCode(float(codes[-1]))
    if stage.ground:
        _add_ground(layer, stage.ground)
    kinds: dict[int, str] = {}  # paths of skins
    for played in stage.cast:
        if id(played.skin) not in kinds:
            kinds[id(played.skin)] = _add_kind(layer, played, len(kinds), pictures)
        kind = kinds[id(played.skin)]
        if is_prop(played.actor):
            _add_prop(layer, played, codes, kind)
        else:
            _add_skeleton(layer, played, codes, kind)
    return _text(layer), pictures.files


def ground_usda(ground: GroundMesh, about: Mapping[str, str]) -> bytes:
    """The text of a file with nothing but ground."""
    layer = _opened(about)
    _add_ground(layer, ground)
    return _text(layer)


def _opened(about: Mapping[str, Any]) -> Any:  # noqa: ANN401 - pxr has no types
    layer = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageUpAxis(layer, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(layer, 1.0)
    layer.SetDefaultPrim(UsdGeom.Xform.Define(layer, WORLD).GetPrim())
    layer.GetRootLayer().customLayerData = dict(about)
    return layer


def _text(layer: Any) -> bytes:  # noqa: ANN401
    text: str = layer.GetRootLayer().ExportToString()
    return text.encode()


def _flat(extras: Mapping[str, Any]) -> dict[str, Any]:
    """Extras as values that USD has; events as one text each."""
    found = {key: value for key, value in extras.items() if not isinstance(value, list)}
    if "events" in extras:
        events = extras["events"]
        found["events"] = Vt.StringArray(
            [f"{event['time']} {event['name']} {event['leg']}" for event in events]
        )
    return found


def _path(*names: str) -> str:
    return "/".join((WORLD, *(_identifiers([name])[0] for name in names)))


def _identifiers(names: Sequence[str]) -> list[str]:
    """Different names of letters, digits and _ that begin with no digit."""
    found: list[str] = []
    for name in names:
        own = re.sub(r"[^A-Za-z0-9_]", "_", name)
        own = own if own and not own[0].isdigit() else f"_{own}"
        while own in found:
            own += "_"
        found.append(own)
    return found


def _add_skeleton(layer: Any, played: Played, codes: Floats, kind: str) -> None:  # noqa: ANN401
    actor, skeleton = played.actor, played.actor.skeleton
    top = UsdSkel.Root.Define(layer, _path(actor.name))
    if not actor.is_there.all():
        seen = UsdGeom.Imageable(top).CreateVisibilityAttr()
        for index in np.flatnonzero(np.diff(actor.is_there.astype(np.int8), prepend=2)):
            token = UsdGeom.Tokens.inherited if actor.is_there[index] else UsdGeom.Tokens.invisible
            seen.Set(token, float(codes[index]))
    labels = _identifiers(skeleton.names)
    joints = [_joint(labels, skeleton.parents, bone) for bone in range(1, len(labels))]
    bones = Vt.TokenArray(joints)
    drawn = UsdSkel.Skeleton.Define(layer, _path(actor.name, "skeleton"))
    drawn.CreateJointsAttr(bones)
    drawn.CreateBindTransformsAttr(Vt.Matrix4dArray([_matrix(row) for row in actor.rest[1:]]))
    rest = skeleton.locals_of(actor.rest)
    drawn.CreateRestTransformsAttr(Vt.Matrix4dArray([_matrix(row) for row in rest[1:]]))
    moves = UsdSkel.Animation.Define(layer, _path(actor.name, "animation"))
    moves.CreateJointsAttr(bones)
    places, turns = moves.CreateTranslationsAttr(), moves.CreateRotationsAttr()
    moves.CreateScalesAttr(Vt.Vec3hArray(len(bones), Gf.Vec3h(1.0)))
    frames = skeleton.locals_of(actor.frames)[:, 1:].astype(np.float32)
    for index in np.unique(np.concatenate([track.ticks for track in played.tracks])).tolist():
        code = float(codes[index])
        places.Set(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(frames[index, :, :3])), code)
        x, y, z, w = frames[index, :, 3:].T.tolist()
        found = [Gf.Quatf(*quaternion) for quaternion in zip(w, x, y, z, strict=True)]
        turns.Set(Vt.QuatfArray(found), code)
    UsdSkel.BindingAPI.Apply(drawn.GetPrim()).CreateAnimationSourceRel().SetTargets(
        [moves.GetPrim().GetPath()]
    )
    binding = UsdSkel.BindingAPI.Apply(_add_skin(layer, kind, actor.name).GetPrim())
    binding.CreateSkeletonRel().SetTargets([drawn.GetPrim().GetPath()])
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1.0))


def _joint(names: Sequence[str], parents: Sequence[int], bone: int) -> str:
    """The path of a joint: its name after those of all above it, but for the first node."""
    above = parents[bone]
    return names[bone] if above <= 0 else f"{_joint(names, parents, above)}/{names[bone]}"


def _matrix(frame: Floats) -> Any:  # noqa: ANN401
    """A frame (7,) as a matrix, which has the position in its last row."""
    found = np.eye(4)
    found[:3, :3] = rotation_matrices(frame[3:]).T
    found[3, :3] = frame[:3]
    return Gf.Matrix4d(found.tolist())


def _add_prop(layer: Any, played: Played, codes: Floats, kind: str) -> None:  # noqa: ANN401
    actor = played.actor
    top = UsdGeom.Xform.Define(layer, _path(actor.name))
    place = top.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble)
    turn = top.AddOrientOp(UsdGeom.XformOp.PrecisionDouble)
    ticks = played.tracks[0].ticks
    for index in ticks.tolist():
        code = Usd.TimeCode.Default() if len(ticks) == 1 else Usd.TimeCode(float(codes[index]))
        x, y, z, *turned, w = actor.frames[index, 0].tolist()
        place.Set(Gf.Vec3d(x, y, z), code)
        turn.Set(Gf.Quatd(w, *turned), code)
    _add_skin(layer, kind, actor.name)


def _add_skin(layer: Any, kind: str, name: str) -> Any:  # noqa: ANN401
    """The mesh of an actor: that of its kind, which the file has once."""
    mesh = UsdGeom.Mesh.Define(layer, _path(name, "skin"))
    mesh.GetPrim().GetReferences().AddInternalReference(kind)
    return mesh


def _add_kind(layer: Any, played: Played, number: int, pictures: Pictures) -> str:  # noqa: ANN401
    """Add the mesh of an actor's kind, which is not seen by itself; returns its path."""
    path, skin = f"/skins/kind_{number}", played.skin
    layer.CreateClassPrim("/skins")
    triangles = np.concatenate(list(skin.parts.values()))
    mesh = _add_mesh(layer, path, skin.vertices, skin.normals, triangles)
    if skin.shades is None:
        colours = np.concatenate(
            [np.tile(skin.colours[name], (len(part), 1)) for name, part in skin.parts.items()]
        )
        _colour(mesh, colours, UsdGeom.Tokens.uniform)
    else:
        _colour(mesh, skin.vertex_colours(), UsdGeom.Tokens.vertex)
    if skin.thin:
        mesh.CreateDoubleSidedAttr(True)
    if skin.places is not None:
        add_places(mesh, skin)
    UsdGeom.Subset.SetFamilyType(mesh, FAMILY, UsdGeom.Tokens.partition)
    first = 0
    for name, part in skin.parts.items():
        indices = Vt.IntArray(list(range(first, first + len(part))))
        subset = UsdGeom.Subset.CreateGeomSubset(
            mesh, _identifiers([name])[0], UsdGeom.Tokens.face, indices, FAMILY
        )
        if name in skin.pictures:
            add_material(layer, subset, skin, name, pictures.add(skin.pictures[name]))
        first += len(part)
    if not is_prop(played.actor):
        binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
        count = skin.bones.shape[1]
        indices = Vt.IntArray((skin.bones - 1).clip(0).ravel().tolist())
        binding.CreateJointIndicesPrimvar(False, count).Set(indices)
        shares = Vt.FloatArray(skin.weights.ravel().tolist())
        binding.CreateJointWeightsPrimvar(False, count).Set(shares)
    return path


def _add_ground(layer: Any, ground: GroundMesh) -> None:  # noqa: ANN401
    mesh = _add_mesh(layer, _path("ground"), ground.vertices, ground.normals, ground.triangles)
    _colour(mesh, ground.colours, UsdGeom.Tokens.vertex)


def _add_mesh(
    layer: Any,  # noqa: ANN401
    path: str,
    vertices: Floats,
    normals: Floats,
    triangles: np.ndarray[Any, Any],
) -> Any:  # noqa: ANN401
    mesh = UsdGeom.Mesh.Define(layer, path)
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(vertices.astype(np.float32)))
    mesh.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(normals.astype(np.float32)))
    mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    mesh.CreateFaceVertexCountsAttr(Vt.IntArray(len(triangles), 3))
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray(triangles.ravel().tolist()))
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    mesh.CreateExtentAttr([Gf.Vec3f(*low.tolist()), Gf.Vec3f(*high.tolist())])
    return mesh


def _colour(mesh: Any, colours: Floats, kind: str) -> None:  # noqa: ANN401
    shown = mesh.CreateDisplayColorPrimvar(kind)
    shown.Set(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(colours, np.float32)))
