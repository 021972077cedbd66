"""Writes commented definitions to start from."""

from math import isqrt

from creature_sim.definitions.walkable import MAX_LEGS
from creature_sim.errors import DefinitionError
from creature_sim.files.hints import hint
from creature_sim.files.problems import shown
from creature_sim.library.examples import example_of
from creature_sim.library.loader import Kind, builtin_names
from creature_sim.terrain.plugins import plugin_names
from creature_sim.terrain.registry import built_in, find_kind, kind_names

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

# [climb]                     # its feet hold on walls and ceilings, see docs/climbing.md
# overhang = 3.1416           # steepest ground that they hold on to: 1.5708 walls, 3.1416 ceilings
# grip = 0.5                  # pull that one of them holds, as a multiple of its weight
# hold = 0.0                  # narrowest ground that they step onto
# weight_keeps = true         # it falls where those that stand hold less than its weight

# A cycle that advances with the distance walked. The other kind of gait reacts instead:
#   kind = "reactive", trigger_distance, step_duration, step_height, alternation = "side"
[gait]
kind = "phase"
# Position of each leg in the cycle, from 0 up to but not including 1: {order}
offsets = [{offsets}]
duty_factor = 0.6             # fraction of the cycle that a foot is on the ground
stride_length = 0.36          # distance walked in one cycle
step_height = 0.08            # height of the foot in the middle of a swing
"""

_PAIR = """
[[leg_pairs]]                 # pair {number}; the right leg mirrors the left one written here
mount = [{x:.3f}, 0.12, 0.0]     # hip, from the centre of the body
bones = [0.09, 0.24, 0.32]    # hip to tip, any number from 2 to 12
home = [{home_x:.3f}, {home_y:.3f}]         # x, y where the foot rests on level ground
pole = [0.0, 0.0, 1.0]        # knees point up
joints = [                    # of each bone; 0 is straight on from the one before it
    {{ kind = "hinge", axis = [0.0, 0.0, 1.0], lo = -1.05, hi = 1.05 }},  # turns fore and aft
    {{ kind = "hinge", axis = [0.0, 1.0, 0.0], lo = -2.1, hi = 1.5 }},    # up and down
    {{ kind = "hinge", axis = [0.0, 1.0, 0.0], lo = 0.05, hi = 2.65 }},   # the knee, down only
]
"""

_SINGLE = """
[[legs]]                      # a leg of its own, behind, in the middle
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
# climb = true                # its feet hold on walls and ceilings
"""


def new_creature(name: str, leg_count: int) -> str:
    """The text of a creature with legs in pairs, and one behind where the count is odd."""
    if not 2 <= leg_count <= MAX_LEGS:
        raise DefinitionError(f"--legs: expected 2 to {MAX_LEGS}, found {leg_count}")
    pairs, has_tail = divmod(leg_count, 2)
    spacing = 0.24 if pairs <= 3 else 0.20
    half = 0.5 * spacing * (pairs - 1)
    order = ", ".join(f"left {i + 1}, right {i + 1}" for i in range(min(pairs, 3)))
    offsets = [f"{0.5 * ((i + side) % 2)}" for i in range(pairs) for side in range(2)]
    text = _CREATURE.format(
        schema=schema_name("creature"),
        name=name,
        length=2.0 * half + 0.12,
        turn_rate=min(1.0, 0.7 / (half + 0.4)),
        order=order + (", ..." if pairs > 3 else "") + (", the one behind" if has_tail else ""),
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
    """The text of a world with one kind of ground, built in or of a package."""
    if kind not in kind_names():
        known = [*world_kinds(), *plugin_names()]
        raise DefinitionError(
            f"--kind: expected a kind of ground, found {shown(kind)}{hint(kind, known)}"
        )
    try:
        example = example_of(find_kind(kind))
    except DefinitionError as error:  # of a package
        raise DefinitionError(f"--{error}") from None
    if not example:
        raise DefinitionError(
            f"--kind: expected a kind whose keys have values to begin with, found {kind!r}, which "
            f"needs yours; there are {', '.join(world_kinds())}"
        )
    return _WORLD.format(
        schema=schema_name("world"),
        name=name,
        terrain=example,
        creatures=", ".join(builtin_names("creature")),
    )


def schema_name(kind: Kind) -> str:
    """File beside new definitions that editors complete them with: it moves with their folder."""
    return f"./{kind}.schema.json"


def world_kinds() -> list[str]:
    """The built-in kinds of ground that have an example for a new world."""
    return [name for name, kind in built_in().items() if kind.example]
