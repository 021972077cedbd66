"""Writes commented definitions to start from."""

from math import isqrt

from creature_sim.errors import DefinitionError
from creature_sim.library.loader import builtin_names, schema_path

LEGS_MOST = 40

_CREATURE = """\
#:schema {schema}
# A creature. Lengths in metres, angles in radians; X forward, Y left, Z up.
# Try it:   creature-sim run meadow --creature {name}.toml
# Check it: creature-sim check {name}.toml
name = "{name}"

[body]
size = [{length:.2f}, 0.24, 0.14]   # length, width, height
ride_height = 0.25            # centre of the body above the ground
mass = 4.0                    # kg

[motion]                      # what a fully deflected stick asks for
speed = 0.6                   # m/s
turn_rate = {turn_rate:.2f}              # rad/s
acceleration = 1.5            # m/s^2
turn_acceleration = 4.0       # rad/s^2

# A cycle that advances with the distance walked. The other kind of gait reacts instead:
#   kind = "reactive", trigger_distance, step_duration, step_height, alternation = "side"
[gait]
kind = "phase"
# Place of each leg in the cycle, from 0 up to but not including 1: {order}
offsets = [{offsets}]
duty_factor = 0.6             # share of the cycle that a foot is on the ground
stride_length = 0.36          # way of the body in one cycle
step_height = 0.08            # lift in the middle of a swing
"""

_PAIR = """
[[leg_pairs]]                 # pair {number}; the right leg mirrors the left one written here
mount = [{x:.3f}, 0.12, 0.0]     # hip, from the centre of the body
bones = [0.09, 0.24, 0.32]    # hip to tip, any number from 2 to 12
home = [{home_x:.3f}, {home_y:.3f}]         # x, y where the foot rests on level ground
pole = [0.0, 0.0, 1.0]        # knees point up
"""

_SINGLE = """
[[legs]]                      # a leg of its own, in the middle of the tail
mount = [{x:.3f}, 0.0, 0.0]
bones = [0.09, 0.24, 0.32]
home = [{home_x:.3f}, 0.0]
side = "left"
pair = {number}
"""

_COLOURS = """
[colours]
body = "#c8673c"
legs = "#4a5a6a"
feet = "#e8d8b8"
"""

_WORLD = """\
#:schema {schema}
# A world: 64 x 64 m of ground, and who walks on it.
# Try it:   creature-sim run {name}.toml
# Check it: creature-sim check {name}.toml
name = "{name}"
seed = 1                      # another number, other ground
tick_rate = 60                # ticks per second
driver = "wander"             # or "forward 5; forward left 2.5; stop 1", or "goto 10,-4"

[terrain]
{terrain}

[[creatures]]                 # as many as you like
creature = "hexapod"          # {creatures}, or a path like "my_bug.toml"
position = [0.0, 0.0]
heading = 0.0                 # from X towards Y
"""

_TERRAINS = {
    "flat": 'kind = "flat"',
    "hills": """\
kind = "hills"
amplitude = 1.0               # height of the largest waves
wavelength = 14.0             # and their length
octaves = 5                   # each has half the wavelength of the one before
gain = 0.4                    # and this share of its height
shape = "rolling"             # or "ridged" or "billowed"
warp = 0.0                    # noise is looked up this far aside, which winds it""",
    "dunes": """\
kind = "dunes"
height = 1.0                  # from trough to crest
wavelength = 9.0              # from crest to crest
heading = 0.4                 # where the wind blows to
lee = 0.35                    # share of the wavelength on the steep side
bend = 2.0                    # crests wander this far
clearing = 1.0                # level ground around the start""",
    "canyon": """\
kind = "canyon"
depth = 3.0                   # from the plain to the floor
width = 4.0                   # of the floor
wall = 5.0                    # width of each of its sides
bend = 6.0                    # it winds this far to each side
wavelength = 20.0             # length of its bends""",
    "craters": """\
kind = "craters"
depth = 0.5                   # of the largest
rim = 0.1                     # and how high it stands above level ground
size = 4.0                    # they are half of this to this wide
spacing = 5.0                 # one in each square of this side
clearing = 1.0                # level ground around the start""",
    "terraces": """\
kind = "terraces"
amplitude = 1.2               # height of the largest waves of the hills that are cut
wavelength = 16.0             # and their length
octaves = 2                   # each has half the wavelength of the one before
gain = 0.3                    # and this share of its height
riser = 0.25                  # from one terrace to the next
ramp = 0.5                    # share of the height that slopes keep""",
    "islands": """\
kind = "islands"
size = 9.0                    # from island to island, about
depth = 0.8                   # of the sea bed below the islands
sea = 0.0                     # -1 is all land, 1 all sea
shore = 0.5                   # how wide shores are
octaves = 2                   # more of them make shores ragged
clearing = 1.0                # level ground around the start""",
    "layers": """\
kind = "layers"               # grounds without edges, one applied to the next

[[terrain.layers]]
how = "add"                   # or "multiply"
ground = { kind = "hills", amplitude = 1.0, wavelength = 14.0, octaves = 4 }

[[terrain.layers]]
how = "mask"                  # hills stay where this lies above 0
ease = 0.4                    # and fade over so much of its height
ground = { kind = "hills", amplitude = 1.0, wavelength = 20.0, octaves = 1 }

[[terrain.layers]]
how = "blend"                 # all that up to 8 m from the start, this from 16 m on
near = 8.0
far = 16.0
ground = { kind = "wave", amplitude = 0.3, wavelength = 4.0 }""",
    "patches": """\
kind = "patches"              # squares of any kind in a level plain
size = 12.0                   # side of a patch
border = 2.0                  # level ground between patches
columns = 2                   # patches in a row along X
fade = 2.0                    # rolling ground sinks to the plain over this way inside a patch
patches = [
  { kind = "hills", amplitude = 0.5, wavelength = 6.0, octaves = 4 },
  { kind = "stairs", riser = 0.1, tread = 0.31, count = 5, landing = 2.0 },
  { kind = "steps", cell = 0.5, height = 0.1 },
  { kind = "rails", height = 0.08, thickness = 0.1, spacing = 1.0, clearing = 1.0 },
]""",
    "slope": """\
kind = "slope"
grade = 0.25                  # rise over run
heading = 0.0                 # direction of the rise""",
    "stairs": """\
kind = "stairs"
riser = 0.10                  # height of a step
tread = 0.31                  # and its depth
count = 8                     # steps in a flight
landing = 2.4                 # level ground between flights""",
    "pyramid": """\
kind = "pyramid"
riser = 0.10                  # height of a step; below 0 they go down first
tread = 0.31                  # and its depth
count = 8                     # steps in a flight, to all four sides
landing = 2.4                 # level ground in the middle and between flights""",
    "steps": """\
kind = "steps"
cell = 0.5                    # side of a box
height = 0.10                 # heights lie between 0 and this""",
    "rough": """\
kind = "rough"
amplitude = 0.06              # heights lie within +- this
spacing = 0.25                # distance of neighbouring random heights
clearing = 1.0                # level ground around the start""",
    "wave": """\
kind = "wave"
amplitude = 0.15              # heights lie within +- this
wavelength = 2.5              # from crest to crest
clearing = 1.0                # level ground around the start""",
    "obstacles": """\
kind = "obstacles"
height = 0.12                 # boxes are half of this to this high
size = 1.0                    # and half of this to this long and wide
spacing = 2.0                 # one in each square of this side
clearing = 1.0                # level ground around the start""",
    "tilted_grid": """\
kind = "tilted_grid"
cell = 0.6                    # side of a tile
grade = 0.2                   # steepest rise over run of a tile
clearing = 1.0                # level ground around the start""",
    "stepping_stones": """\
kind = "stepping_stones"
size = 0.6                    # side of a stone
gap = 0.08                    # way from one stone to the next
depth = 1.0                   # from their tops to the ground
extent = 16.0                 # they lie this far from the start
clearing = 1.0                # level ground before and behind the start""",
    "gap": """\
kind = "gap"
width = 0.20                  # of a ditch, from edge to edge
depth = 1.0
spacing = 1.5                 # level ground between ditches
clearing = 1.0                # level ground before and behind the start""",
    "pit": """\
kind = "pit"
depth = 0.10
size = 1.5                    # side of a pit
spacing = 1.5                 # level ground between pits
clearing = 1.0                # level ground before and behind the start""",
    "wall": """\
kind = "wall"
height = 2.0                  # of the wall before and the one behind the start
distance = 4.0                # from the start to them
thickness = 0.3
gate = 2.5                    # width of the opening in their middle""",
    "tunnel": """\
kind = "tunnel"
width = 2.5                   # from wall to wall
height = 1.2                  # from floor to ceiling
length = 12.0                 # along X; its middle is the start
thickness = 0.3               # of walls and roof""",
    "overhang": """\
kind = "overhang"
height = 1.2                  # of the underside of the ledge
distance = 5.0                # from the start to the cliff
depth = 4.0                   # how far the ledge juts out from it
thickness = 0.4               # of the ledge""",
    "pillar": """\
kind = "pillar"
radius = 0.4
height = 2.0
spacing = 3.0                 # from axis to axis; the start is in the middle of four""",
    "sphere": """\
kind = "sphere"
radius = 8.0                  # of a small planet; the start is on its top""",
    "rails": """\
kind = "rails"
height = 0.08
thickness = 0.10              # of a bar, along X
spacing = 1.0                 # level ground between bars
clearing = 1.0                # level ground before and behind the start""",
}


def new_creature(name: str, leg_count: int) -> str:
    """The text of a creature with legs in pairs, and one behind where the count is odd."""
    if not 2 <= leg_count <= LEGS_MOST:
        raise DefinitionError(f"--legs: expected 2 to {LEGS_MOST}, found {leg_count}")
    pairs, has_tail = divmod(leg_count, 2)
    spacing = 0.24 if pairs <= 3 else 0.20
    half = 0.5 * spacing * (pairs - 1)
    order = ", ".join(f"left {i + 1}, right {i + 1}" for i in range(min(pairs, 3)))
    offsets = [f"{0.5 * ((i + side) % 2)}" for i in range(pairs) for side in range(2)]
    text = _CREATURE.format(
        schema=schema_path("creature").as_uri(),
        name=name,
        length=2.0 * half + 0.12,
        turn_rate=min(1.0, 0.7 / (half + 0.4)),
        order=order + (", ..." if pairs > 3 else ""),
        offsets=", ".join(offsets + ["0.25"] * has_tail),
    )
    for i in range(pairs):
        x = half - spacing * i
        spread = 0.10 * (1 - 2 * i / (pairs - 1)) if pairs > 1 else 0.0
        home_y = 0.12 + isqrt(round(1e6 * (0.33**2 - spread**2))) / 1e3
        text += _PAIR.format(number=i + 1, x=x, home_x=x + spread, home_y=home_y)
    if has_tail:
        text += _SINGLE.format(number=pairs, x=-half - 0.06, home_x=-half - 0.36)
    return text + _COLOURS


def new_world(name: str, kind: str) -> str:
    """The text of a world with one kind of ground."""
    if kind not in _TERRAINS:
        raise DefinitionError(
            f"--kind: expected one of {', '.join(sorted(_TERRAINS))}, found {kind!r}"
        )
    return _WORLD.format(
        schema=schema_path("world").as_uri(),
        name=name,
        terrain=_TERRAINS[kind],
        creatures=", ".join(builtin_names("creature")),
    )
