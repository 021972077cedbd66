"""One ground of every kind, which tests of terrain share."""

from functools import cache

from creature_sim.ground.rays import Physics
from creature_sim.terrain import GroundDef, Terrain, build_terrain, read_ground
from tests.rays import rays_on

SEED = 7


def made(**table: object) -> GroundDef:
    """The ground of a table `[terrain]`."""
    return read_ground(table)


KINDS: dict[str, GroundDef] = {
    "flat": made(kind="flat"),
    "hills": made(kind="hills", amplitude=1.5, wavelength=12.0, octaves=6, gain=0.45),
    "slope": made(kind="slope", grade=0.3, heading=0.7),
    "stairs": made(kind="stairs", riser=0.12, tread=0.31, count=6, landing=2.0),
    "steps": made(kind="steps", cell=0.7, height=0.2),
    "rough": made(kind="rough", amplitude=0.1, spacing=0.4, clearing=1.1),
    "wave": made(kind="wave", amplitude=0.3, wavelength=2.5, clearing=1.1),
    "obstacles": made(kind="obstacles", height=0.3, size=1.2, spacing=1.5, clearing=1.1),
    "tilted_grid": made(kind="tilted_grid", cell=0.7, grade=0.4, clearing=1.1),
    "stepping_stones": made(
        kind="stepping_stones", size=0.3, gap=0.11, depth=1.5, extent=9.3, clearing=1.1
    ),
    "gap": made(kind="gap", width=0.45, depth=1.5, spacing=1.3, clearing=1.1),
    "pit": made(kind="pit", depth=0.5, size=1.4, spacing=1.2, clearing=1.1),
    "rails": made(kind="rails", height=0.2, thickness=0.09, spacing=0.8, clearing=1.1),
    "ridged": made(
        kind="hills", amplitude=1.5, wavelength=12.0, octaves=5, gain=0.45, shape="ridged"
    ),
    "billowed": made(
        kind="hills", amplitude=1.5, wavelength=12.0, octaves=5, gain=0.45, shape="billowed"
    ),
    "warped": made(kind="hills", amplitude=1.5, wavelength=12.0, octaves=5, gain=0.45, warp=5.0),
    "dunes": made(
        kind="dunes", height=1.2, wavelength=8.0, heading=0.4, lee=0.3, bend=2.0, clearing=1.1
    ),
    "canyon": made(kind="canyon", depth=3.0, width=4.0, wall=5.0, bend=8.0, wavelength=20.0),
    "craters": made(kind="craters", depth=0.6, rim=0.15, size=4.0, spacing=4.5, clearing=1.1),
    "terraces": made(kind="terraces", amplitude=1.5, wavelength=14.0, riser=0.3, ramp=0.4),
    "islands": made(kind="islands", size=9.0, depth=0.8, shore=0.5, clearing=1.1),
    "pyramid": made(kind="pyramid", riser=0.12, tread=0.31, count=6, landing=2.0),
    "wall": made(kind="wall", height=2.0, distance=3.0, thickness=0.3, gate=2.5),
    "tunnel": made(kind="tunnel", width=2.5, height=1.2, length=12.0, thickness=0.3),
    "overhang": made(kind="overhang", height=1.2, distance=3.0, depth=4.0, thickness=0.4),
    "pillar": made(kind="pillar", radius=0.4, height=2.0, spacing=3.0),
    "sphere": made(kind="sphere", radius=8.0),
    "solids": made(
        kind="solids",
        solids=[
            {
                "shape": "box",
                "size": (0.8, 0.8, 0.8),
                "position": (3.0, 1.0, 0.4),
                "count": 3,
                "step": (0.1, -1.0, 0.0),
                "rotation": (0.0, 0.0, 0.3),
            },
            {
                "shape": "cylinder",
                "radius": 1.1,
                "bore": 1.0,
                "length": 4.0,
                "position": (-5.0, 0.0, 1.0),
                "rotation": (0.0, 1.5708, 0.0),
            },
        ],
    ),
    "room": made(
        kind="room",
        length=8.0,
        width=6.0,
        height=2.4,
        doorway=(1.4, 1.6),
        solids=[{"shape": "box", "size": (1.8, 1.2, 0.1), "position": (-2.0, -1.6, 0.75)}],
    ),
    "cave": made(kind="cave", length=20.0, radius=2.0, rough=0.35, bend=3.0),
}
KINDS["layers"] = made(
    kind="layers",
    layers=[
        {"how": "add", "ground": KINDS["hills"]},
        {"how": "multiply", "ground": KINDS["wave"]},
        {"how": "mask", "ground": KINDS["warped"], "ease": 0.5},
        {"how": "blend", "ground": KINDS["dunes"], "near": 6.0, "far": 14.0, "centre": (2.0, -3.0)},
    ],
)
KINDS["patches"] = made(
    kind="patches",
    size=7.3,
    border=1.1,
    columns=5,
    patches=[
        KINDS[kind] for kind in ("hills", "steps", "tilted_grid", "obstacles", "stairs", "layers")
    ],
)

HANGING = ("tunnel", "overhang", "sphere", "solids", "room", "cave")
"""Those with undersides."""
SMOOTH = (
    *("flat", "hills", "ridged", "billowed", "warped", "slope", "rough", "wave", "dunes"),
    *("canyon", "craters", "terraces", "islands", "layers"),
)
"""Those that are heights at nodes; the others are meshes."""
EDGED = (
    *("stairs", "pyramid", "steps", "obstacles", "tilted_grid", "stepping_stones", "gap", "pit"),
    *("rails", "wall", "pillar"),
)
"""Those of the others that can be endless."""


@cache
def ground(kind: str) -> Terrain:
    """The ground of a kind, built once."""
    return build_terrain(KINDS[kind], SEED)


def rays_on_kind(kind: str) -> Physics:
    """The same ground to cast rays on."""
    return rays_on(KINDS[kind], SEED)


def endless(kind: str) -> GroundDef:
    """The ground of a kind without a border."""
    change = {"endless": True} | ({"extent": None} if kind == "stepping_stones" else {})
    return type(KINDS[kind]).model_validate(KINDS[kind].model_dump() | change)


DIGESTS = {
    "flat": "50a7fbe149344d717fd52de6ad992ff1",
    "hills": "63f407102d2e4844fb45e4e477812391",
    "slope": "ca90b408b6d72c4630bd63059f8ad44b",
    "stairs": "dd6c3956ef8fc6f87048c53d9897d6a5",
    "steps": "9557b70ac5a0fd7f16d0d47d9643d792",
    "rough": "bd5bfd28f6db84eec8c4b8946c266c8a",
    "wave": "0bbd2184a528dfb9973be3b5e7276672",
    "obstacles": "14b227bd6cf7e70d35cbe6ebe7a49233",
    "tilted_grid": "4961f4a05c6332275d2331c2ae3d5bc4",
    "stepping_stones": "afa999a47290b36885969bb6e9c018bf",
    "gap": "99391017cda06cb5a3f674dc82a23379",
    "pit": "be41bdad8f5dfa35cf1859c50da93bd9",
    "rails": "9b15107db0f2d847476192cc68e895dc",
    "ridged": "8265c064c68c5c35046513ede5ff58ab",
    "billowed": "bc909634489b35a3eff2bf723afa5958",
    "warped": "765aedaec380c92893513ac316e4f22a",
    "dunes": "2bcbf7b12632ed8ae7abb247ac21f827",
    "canyon": "1a765adbde3849ccc4e5b3bbec928c7d",
    "craters": "ed68facdbd1b5a9b5b78032b19523269",
    "terraces": "9fb9af9d6417620b8da48ad03a4842b6",
    "islands": "9a47f50f37c93292413be0ad515e2493",
    "pyramid": "080fd8b546c7b103aae7befe7d6b0c68",
    "layers": "ed458a7bbde9b3edcea6c403fffbded2",
    "patches": "4bd88dd5b6f08e75a222abb781475958",
    "wall": "dbe71a9d13aa9beb4d9a86803766d082",
    "tunnel": "03ae6e5f9c823c08b5ea808c9b9bdfb3",
    "overhang": "42439b50aeb9841598227efe5c619e5b",
    "pillar": "5866c061d2873375d6561380413f208a",
    "sphere": "8bc75749dacca566c31bc987b2432d54",
    "solids": "7499893dae5442715b2b5facd3037317",
    "room": "d22f9c1b38f1f4863aa7e95f0c626e7b",
    "cave": "18114c16f2bddfa385fcaa67687dd7b0",
}
"""Of every kind with seed 7: others make replays of such worlds unverifiable."""

ENDLESS_DIGESTS = {
    "flat": "c3035d434c4a31f22ba8a49b9fca0295",
    "hills": "5812f364266b3bd42db9a6f56989c0d3",
    "ridged": "3176698175154abb28a03a1485670440",
    "billowed": "1ffb6eef3d6473eb49a1780152f53224",
    "warped": "c904ba787d110501fda40895d48543a9",
    "slope": "6f2a056f13e819aa410f00116bcb2655",
    "rough": "10f583495dcae681efb58cd8095fd380",
    "wave": "84ac6b2f274bdc50cf989937d895b291",
    "dunes": "5edc85789e5ebe0a955b4151bb614fc1",
    "canyon": "8107aa4b9dd332e2bc5007364618c564",
    "craters": "b7a60ee697dc0b656fced07b8442e6f7",
    "terraces": "c5ae5e74bed48d310881e1bcf2ca5acf",
    "islands": "f00b216e0d140f91fb87c6e69a62154a",
    "layers": "f867c1893ab9c89927b6a351349fe8ff",
    "stairs": "3cd8571be0d0f9d6c1170f4328f09a13",
    "pyramid": "1d985cb05b2d3a26a4d036f24ba3b8d0",
    "steps": "2df4a9a88ebf33450560499b94217156",
    "obstacles": "38fcb359457f0a2685056cd9f25e8ddc",
    "tilted_grid": "6601ffcbfb09b62410f548a63d1860c8",
    "stepping_stones": "5fdf8f64157e35fdc30969933242c53f",
    "gap": "f03856825c3cb49df4b5dffa2a92073c",
    "pit": "90733acd6eb861d3f6663c22b8a1cd8a",
    "rails": "6533a75fd6d51134b626ca7667c8be70",
    "wall": "f8ca5475334e36386f17d2dde6a6123b",
    "pillar": "3117ef0419fadb1a68a874ada5e2c135",
}
"""Of every endless kind with seed 7."""
