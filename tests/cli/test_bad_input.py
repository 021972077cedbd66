"""Bad input of every kind gets one message that says what is wrong, and nothing is lost."""

import os
from pathlib import Path

import pytest

from tests.commands import Command, process, sim
from tests.marks import THOROUGH

SHORT = """
name = "stubby"
body = { size = [1.2, 0.5, 0.3], ride_height = 0.22, mass = 60 }
motion = { speed = 0.2, turn_rate = 0.3, acceleration = 0.6, turn_acceleration = 1.5 }
gait = { kind = "phase", pattern = "trot", stride_length = 0.1, step_height = 0.03 }
leg_pairs = [
    { mount = [0.45, 0.25, -0.1], bones = [0.06, 0.09, 0.09], home = [0.47, 0.37] },
    { mount = [-0.45, 0.25, -0.1], bones = [0.06, 0.09, 0.09], home = [-0.47, 0.37] },
]
"""
FOLDS = """
name = "long"
body = { size = [0.5, 0.2, 0.1], ride_height = 0.26, mass = 6 }
motion = { speed = 0.2, turn_rate = 0.3, acceleration = 0.6, turn_acceleration = 1.5 }
gait = { kind = "phase", pattern = "wave", stride_length = 0.1, step_height = 0.03 }
leg_pairs = [
    { mount = [0.16, 0.1, 0.0], bones = [0.1, 0.45, 0.2, 0.2], home = [0.30, 0.32] },
    { mount = [-0.16, 0.1, 0.0], bones = [0.1, 0.24, 0.3], home = [-0.30, 0.32] },
]
"""
GOOD = Path(__file__).parents[2] / "creature_sim" / "library" / "creatures" / "spider4.toml"
BIPED = GOOD.with_name("biped.toml")
HEXAPOD = GOOD.with_name("hexapod.toml")
REACTIVE = GOOD.with_name("spider8.toml")
WORLD = 'name = "w"\nterrain = { kind = "flat" }\n[[creatures]]\ncreature = "spider4"\n'
SWEEP = 'creatures = ["spider4"]\nworlds = ["meadow"]\n'

CRATE = """
[[props]]
shape = "box"
size = [1.0, 1.0, 1.0]
position = [5.0, 0.0, {z}]
motion = "dynamic"
mass = 5.0
"""
IN_A_ROOM = WORLD.replace('"flat"', '"room", length = 8.0, width = 6.0, height = 2.4')

BAD_INPUT: dict[str, tuple[dict[str, str | bytes], list[str], list[str]]] = {
    "unknown world": ({}, ["run", "hils", "--headless"], ["'hils'", "did you mean hills"]),
    "unknown world, nothing near": ({}, ["run", "qqqq"], ["'qqqq'", "meadow"]),
    "unknown creature": ({}, ["run", "--creature", "hexpod"], ["did you mean hexapod"]),
    "missing file": ({}, ["run", "no/such.toml"], ["no/such.toml", "readable"]),
    "broken TOML": (
        {"w.toml": "name = "},
        ["check", "w.toml"],
        ["w.toml", "TOML", "w.toml:1: expected TOML, found 'name =': invalid value"],
    ),
    "binary junk": ({"w.toml": b"\xff\xfe\x00\x01"}, ["check", "w.toml"], ["w.toml", "UTF-8"]),
    "empty file": (
        {"w.toml": ""},
        ["check", "w.toml"],
        ["w.toml", "name: expected text, found none"],
    ),
    "a folder": ({}, ["check", "."], ["expected a readable TOML file"]),
    "unknown key": (
        {"w.toml": "gravity = 9\n" + WORLD},
        ["run", "w.toml", "--headless"],
        ["gravity: expected no such key, found 9"],
    ),
    "wrong type": (
        {"w.toml": 'seed = "one"\n' + WORLD},
        ["run", "w.toml", "--headless"],
        ["seed: expected a whole number, found 'one'"],
    ),
    "unknown terrain": (
        {"w.toml": WORLD.replace("flat", "lava")},
        ["check", "w.toml"],
        ["terrain.kind: expected a known one", "'lava'"],
    ),
    "creature of a world": (
        {"w.toml": WORLD.replace("spider4", "spyder4")},
        ["check", "w.toml"],
        ["creatures[0].creature", "did you mean spider4"],
    ),
    "start beyond the border": (
        {"w.toml": WORLD + "position = [40.0, 0.0]\n"},
        ["check", "w.toml"],
        ["creatures[0].position", "[40.0, 0.0]"],
    ),
    "too far out for wide legs": (
        {
            "wide.toml": GOOD.read_text()
            .replace("[0.10, 0.30, 0.38]", "[0.10, 2.30, 2.38]")
            .replace("0.34, 0.34", "2.34, 0.34"),
            "w.toml": WORLD.replace('"spider4"', '"wide.toml"') + "position = [29.9, 0.0]\n",
        },
        ["run", "w.toml", "--headless", "--ticks", "1"],
        ["creatures[0].position: expected x and y between", "[29.9, 0.0]"],
    ),
    "a start beside a planet": (
        {"w.toml": WORLD.replace('"flat"', '"sphere", radius = 4.0') + "position = [3.9, 1.0]\n"},
        ["check", "w.toml"],
        [
            "creatures[0].position: expected a position on the planet of terrain, at most 3.96 m",
            "[3.9, 1.0]",
        ],
    ),
    "a ceiling without climb": (
        {"w.toml": IN_A_ROOM + "up = [0.0, 0.0, -1.0]\nheight = 1.2\n"},
        ["check", "w.toml"],
        ["w.toml:5: creatures[0].up: expected a creature that climbs"],
    ),
    "a start inside a wall": (
        {"w.toml": IN_A_ROOM + "position = [4.1, 0.0]\n"},
        ["check", "w.toml"],
        ["w.toml:5: creatures[0].position: expected"],
    ),
    "a crate in the ground": (
        {"w.toml": WORLD + CRATE.format(z=0.0)},
        ["check", "w.toml"],
        ["w.toml:9: props[0].position: expected ground below the middle", "[5.0, 0.0, 0.0]"],
    ),
    "a crate beside all ground": (
        {"w.toml": WORLD + CRATE.format(z=1.0).replace("5.0", "500.0")},
        ["check", "w.toml"],
        ["w.toml:9: props[0].position: expected ground below the middle", "[500.0, 0.0, 1.0]"],
    ),
    "endless brackets": (
        {"w.toml": "a = " + "[" * 3000},
        ["check", "w.toml"],
        ["w.toml: expected a TOML file, found brackets or keys thousands deep in each other"],
    ),
    "endless digits": (
        {"w.toml": "a = " + "1" * 5000},
        ["check", "w.toml"],
        ["w.toml: expected a TOML file, found a number of thousands of digits"],
    ),
    "a byte order mark": (
        {"w.toml": "\ufeff" + WORLD},
        ["check", "w.toml"],
        ["w.toml:1: expected TOML text in UTF-8 without a byte order mark"],
    ),
    "a replay that shall run": (
        {"walk.mcap": "# text"},
        ["run", "walk.mcap"],
        ["error: walk.mcap: that is a replay: replay walk.mcap"],
    ),
    "a replay that shall cross": (
        {"walk.mcap": "# text"},
        ["trial", "walk.mcap"],
        ["error: walk.mcap: that is a replay: replay walk.mcap"],
    ),
    "a replay that is not there": (
        {},
        ["check", "walk.mcap"],
        ["walk.mcap: expected ", "found none"],
    ),
    "a walk without a foot on the ground": (
        {"c.toml": SHORT.replace('"trot"', '"pronk"')},
        ["check", "c.toml"],
        ["c.toml:5: gait.pattern: expected a foot on the ground at all times", "found 'pronk'"],
    ),
    "a walk that stands too short": (
        {"c.toml": SHORT.replace('"trot"', '"trot", duty_factor = 0.4')},
        ["check", "c.toml"],
        ["c.toml:5: gait.duty_factor: expected a foot on the ground at all times", "found 0.4"],
    ),
    "a walk whose feet lift together": (
        {"c.toml": BIPED.read_text().replace("offsets = [0.0, 0.5]", "offsets = [0.1, 0.1]", 1)},
        ["check", "c.toml"],
        ["gait.offsets: expected a foot on the ground at all times"],
    ),
    "a hip at its limit": (
        {"c.toml": HEXAPOD.read_text().replace("lo = -1.05", "lo = 0.0", 1)},
        ["check", "c.toml"],
        ["leg_pairs[0]: expected a leg that can stand at its home", "% is the most"],
    ),
    "a hip at its limit on level ground": (
        {"c.toml": HEXAPOD.read_text().replace("lo = -1.05", "lo = 0.0", 1)},
        ["run", "meadow", "--creature", "c.toml", "--headless", "--ticks", "1"],
        ["creature: left 1 (leg 0): expected a leg that can stand at its home on level ground"],
    ),
    "a leg that folds too little": (
        {"c.toml": FOLDS},
        ["check", "c.toml"],
        ["leg_pairs[0]: expected a leg that can stand at its home", "fold to 0."],
    ),
    "a body on the ground": (
        {"c.toml": SHORT.replace("ride_height = 0.22", "ride_height = 1e-80")},
        ["check", "c.toml"],
        ["body.ride_height: expected at least 1e-06, found 1e-80"],
    ),
    "a replay that is a device": (
        {},
        ["verify", "/dev/null"],
        ["/dev/null: expected a replay file, found something that is no file"],
    ),
    "a device without end": (
        {},
        ["check", "/dev/zero"],
        ["/dev/zero: expected a TOML file, found something that is no file"],
    ),
    "endless keys": ({"w.toml": "a." * 2000 + "b = 1"}, ["check", "w.toml"], ["w.toml"]),
    "zero in a path": (
        {"w.toml": WORLD.replace("spider4", "a\\u0000b.toml")},
        ["check", "w.toml"],
        ["creatures[0].creature"],
    ),
    "heading without end": (
        {"w.toml": WORLD + "heading = 1e19\n"},
        ["check", "w.toml"],
        ["creatures[0].heading: expected at most 1000"],
    ),
    "bad driver": (
        {"w.toml": 'driver = "fly 3"\n' + WORLD},
        ["check", "w.toml"],
        ["driver: expected directions", "'fly'"],
    ),
    "negative bone": (
        {"c.toml": GOOD.read_text().replace("[0.10, 0.30, 0.38]", "[0.10, -0.30, 0.38]", 1)},
        ["check", "c.toml"],
        ["leg_pairs[0].bones[1]: expected more than 0, found -0.3"],
    ),
    "nan bone": (
        {"c.toml": GOOD.read_text().replace("[0.10, 0.30, 0.38]", "[0.10, nan, 0.38]", 1)},
        ["check", "c.toml"],
        ["leg_pairs[0].bones[1]: expected a finite number, found nan"],
    ),
    "legs too short": (
        {"c.toml": GOOD.read_text().replace("[0.10, 0.30, 0.38]", "[0.05, 0.10, 0.12]")},
        ["run", "--creature", "c.toml", "--headless"],
        ["leg_pairs[0].bones", "expected a foot that stands at most", "0.257 m"],
    ),
    "trigger too far": (
        {
            "c.toml": REACTIVE.read_text().replace(
                "trigger_distance = 0.2", "trigger_distance = 0.9"
            )
        },
        ["check", "c.toml"],
        ["gait.trigger_distance", "0.9"],
    ),
    "phase outside": (
        {
            "c.toml": (GOOD.parent / "hexapod.toml")
            .read_text()
            .replace("[0.0, 0.5, 0.5", "[0.0, 1.0, 0.5")
        },
        ["check", "c.toml"],
        ["c.toml:22: gait.offsets[1] (right 1): expected less than 1, found 1.0"],
    ),
    "phases of other legs": (
        {
            "c.toml": (GOOD.parent / "hexapod.toml")
            .read_text()
            .replace("[0.0, 0.5, 0.5, ", "[0.0, ")
        },
        ["check", "c.toml"],
        ["gait.offsets: expected one number per leg, 6 of leg_pairs, found 4"],
    ),
    "gait of no kind": (
        {"c.toml": REACTIVE.read_text().replace('kind = "reactive"', 'kind = "hop"')},
        ["check", "c.toml"],
        ["gait.kind", "'hop'"],
    ),
    "no legs": (
        {"c.toml": GOOD.read_text().split("[[leg_pairs]]")[0]},
        ["check", "c.toml"],
        ["leg_pairs: expected 2 to 40 legs of leg_pairs, found 0"],
    ),
    "two faults at once": (
        {
            "c.toml": GOOD.read_text()
            .replace("mass = 3.0", "mass = -1")
            .replace("speed = 0.6", "sped = 1")
        },
        ["check", "c.toml"],
        ["body.mass", "motion.sped: expected no such key", "did you mean speed"],
    ),
    "bad SPEC word": (
        {},
        ["run", "--drive", "hop 3", "--headless"],
        ["--drive: expected directions, found 'hop' in 'hop 3'"],
    ),
    "bad SPEC number": (
        {},
        ["run", "--drive", "forward x", "--headless"],
        ["--drive: expected a number, found 'x'"],
    ),
    "SPEC without seconds": (
        {},
        ["run", "--drive", "forward", "--headless"],
        ["--drive: ", "'forward'"],
    ),
    "empty SPEC": ({}, ["run", "--drive", " ", "--headless"], ["--drive: expected a drive"]),
    "SPEC against itself": ({}, ["run", "--drive", "left right 3"], ["--drive: ", "left right 3"]),
    "SPEC of a motion between directions": (
        {},
        ["run", "--drive", "forward look 3"],
        ["--drive: expected directions, found 'look' in 'forward look 3'; there are forward"],
    ),
    "SPEC wander and more": (
        {},
        ["run", "--drive", "wander; forward 3"],
        ["--drive: expected 'wander' alone, found 'wander; forward 3'"],
    ),
    "SPEC of a leg that is not there": (
        {"w.toml": 'driver = "stop 1"\n' + WORLD},
        ["run", "w.toml", "--headless", "--drive", "lose 9"],
        ["error: --drive: lose.leg: expected 0 to 3, found 9"],
    ),
    "SPEC of an export": (
        {},
        ["export", "hexapod", "-o", "a.glb", "--drive", "hop 3"],
        ["--drive: expected directions, found 'hop'"],
    ),
    "what is exported is nothing": (
        {},
        ["export", "hexapot", "-o", "a.glb"],
        [
            "FILE: expected a file, or the name of a built-in world or creature, found 'hexapot'",
            "n hexapod?",
        ],
    ),
    "ground out of reach": (
        {"c.toml": SHORT},
        ["run", "hills", "--creature", "c.toml", "--headless", "--ticks", "1"],
        ["expected ground in reach of every leg", "which reaches 0.24 m: level ground has it"],
    ),
    "seconds nan of an export": (
        {},
        ["export", "hexapod", "-o", "a.glb", "--seconds", "nan"],
        ["--seconds: expected a number from 0 to 86400, found nan"],
    ),
    "seconds without end of an export": (
        {},
        ["export", "hexapod", "-o", "a.glb", "--seconds", "1e9"],
        ["--seconds: expected a number from 0 to 86400, found 1000000000.0"],
    ),
    "SPEC nan": ({}, ["run", "--drive", "forward nan"], ["'nan'"]),
    "SPEC goto": ({}, ["run", "--drive", "goto 3"], ["--drive: expected 'goto X,Y'"]),
    "SPEC goto beyond the border": (
        {},
        ["run", "--drive", "goto 1000,1000", "--headless"],
        ["--drive: expected 'goto X,Y' with X and Y from -30 to 30", "border", "1000,1000"],
    ),
    "goto of a world beyond the border": (
        {"w.toml": 'driver = "goto 0,-31"\n' + WORLD},
        ["run", "w.toml", "--headless"],
        ["driver: expected 'goto X,Y'", "0,-31"],
    ),
    "what a world's driver asks for": (
        {"w.toml": 'driver = "goto 0,-31"\n' + WORLD},
        ["check", "w.toml"],
        ["w.toml:1: driver: expected 'goto X,Y'", "0,-31"],
    ),
    "a creature as WORLD": (
        {},
        ["run", "hexapod"],
        ["error: hexapod: that is a creature: run hills --creature hexapod"],
    ),
    "a creature's file as WORLD": (
        {"c.toml": GOOD.read_text()},
        ["run", "c.toml"],
        ["error: c.toml: that is a creature: run hills --creature c.toml"],
    ),
    "a creature as WORLD of a survey": (
        {},
        ["world", "info", "hexapod"],
        ["error: hexapod: that is a creature"],
    ),
    "a world as CREATURE": (
        {},
        ["run", "--creature", "stairs"],
        ["error: stairs: that is a world: run stairs"],
    ),
    "a world that is its own creature": (
        {"w.toml": WORLD.replace("spider4", "w.toml")},
        ["check", "w.toml"],
        ["w.toml:4: creatures[0].creature: expected the file", "found 'w.toml', which is a world"],
    ),
    "a world's file as CREATURE": (
        {"w.toml": WORLD},
        ["trial", "w.toml"],
        ["error: w.toml: that is a world: run w.toml"],
    ),
    "a creature's file as SWEEP": (
        {"c.toml": GOOD.read_text()},
        ["sweep", "c.toml", "-o", "rows"],
        ["error: c.toml: that is a creature: run hills --creature c.toml"],
    ),
    "a world's file as SWEEP": (
        {"w.toml": WORLD},
        ["sweep", "w.toml", "-o", "rows"],
        ["error: w.toml: that is a world: run w.toml"],
    ),
    "a sweep as WORLD": (
        {"s.toml": SWEEP},
        ["run", "s.toml"],
        ["error: s.toml: that is a sweep: sweep s.toml -o DIR"],
    ),
    "a sweep that is checked": (
        {"s.toml": SWEEP},
        ["check", "s.toml"],
        ["error: s.toml: that is a sweep: sweep s.toml -o DIR"],
    ),
    "a replay that shall be tuned": (
        {"walk.mcap": "# text"},
        ["tune", "walk.mcap", "-o", "a.toml"],
        ["error: walk.mcap: that is a replay: replay walk.mcap"],
    ),
    "a world that shall be tuned": (
        {},
        ["tune", "stairs", "-o", "a.toml"],
        ["error: stairs: that is a world: run stairs"],
    ),
    "a creature to be tuned on": (
        {"c.toml": GOOD.read_text()},
        ["tune", "hexapod", "-o", "a.toml", "--worlds", "hills,c.toml"],
        ["error: --worlds: c.toml: that is a creature: run hills --creature c.toml"],
    ),
    "a creature to be held out": (
        {},
        ["tune", "hexapod", "-o", "a.toml", "--held-out", "ant"],
        ["error: --held-out: ant: that is a creature"],
    ),
    "a creature to evolve on": (
        {},
        ["evolve", "-o", "a.toml", "--worlds", "ant"],
        ["error: --worlds: ant: that is a creature"],
    ),
    "a creature as objective": (
        {"c.toml": GOOD.read_text()},
        ["evolve", "-o", "a.toml", "--objective", "c.toml"],
        ["error: c.toml: that is a creature"],
    ),
    "a recording of another kind": (
        {},
        ["run", "--headless", "--record", "x.txt"],
        ["--record: expected a name that ends in .mcap, found 'x.txt'"],
    ),
    "SPEC goto off a planet": (
        {},
        ["run", "planet", "--drive", "goto 3,-3", "--headless"],
        ["--drive: expected 'goto X,Y' on the planet, at most 4 m", "3,-3"],
    ),
    "seconds nan": ({}, ["run", "--seconds", "nan", "--headless"], ["--seconds", "nan"]),
    "seconds inf": ({}, ["run", "--seconds", "inf", "--headless"], ["--seconds", "inf"]),
    "seconds negative": ({}, ["run", "--seconds", "-1", "--headless"], ["--seconds", "-1"]),
    **{
        f"{words[0]} --jobs": (
            {},
            [*words, "--jobs", "99999999"],
            ["error: --jobs: expected at most 1024, found '99999999'"],
        )
        for words in (
            ["verify", "a.mcap"],
            ["score", "a.mcap"],
            ["trial", "hexapod"],
            ["sweep", "s.toml", "-o", "rows"],
            ["tune", "hexapod", "-o", "a.toml"],
            ["evolve", "-o", "a.toml"],
        )
    },
    "verify by both": (
        {},
        ["verify", "a.mcap", "--jobs", "2", "--cluster", "local:1"],
        ["--jobs: expected only one of --jobs and --cluster, found both"],
    ),
    "score by both": (
        {},
        ["score", "a.mcap", "--jobs", "1", "--cluster", "local:1"],
        ["--jobs: expected only one of --jobs and --cluster, found both"],
    ),
    "jobs 0": ({}, ["verify", "a.mcap", "--jobs", "0"], ["--jobs: expected at least 1, found '0'"]),
    "ticks no number": ({}, ["run", "--ticks", "1.5"], ["--ticks: expected a whole number, found"]),
    "no such camera": (
        {},
        ["render", "a.mcap", "-o", "a.png", "--camera", "drone"],
        ["--camera: expected one of chase, orbit, side, top, found 'drone'"],
    ),
    "no file": ({}, ["verify"], ["FILE: expected a path, found none"]),
    "no kind of schema": (
        {},
        ["schema"],
        ["KIND: expected one of world, creature, sweep, objective, found none"],
    ),
    "no camera after its option": (
        {},
        ["render", "a.mcap", "-o", "a.png", "--camera"],
        ["--camera: expected one of chase, orbit, side, top, found none"],
    ),
    "no number of seconds": (
        {},
        ["run", "--seconds"],
        ["--seconds: expected a number, found none"],
    ),
    "no name": ({}, ["new", "creature"], ["NAME: expected a value, found none"]),
    "no output": ({}, ["trim", "a.mcap"], ["-o: expected a path, found none"]),
    "no number after an option": (
        {},
        ["run", "--ticks"],
        ["--ticks: expected a whole number, found none"],
    ),
    "a picture that is none": (
        {},
        ["trial", "hexapod", "--plot", "a.txt"],
        ["--plot: expected a name that ends in .png, .svg, .pdf, found 'a.txt'"],
    ),
    "a part that is no replay": (
        {},
        ["trim", "a.mcap", "-o", "a.txt"],
        ["-o: expected a name that ends in .mcap, found 'a.txt'"],
    ),
    "what is recovered is no replay": (
        {},
        ["recover", "a.mcap", "-o", "a.txt"],
        ["-o: expected a name that ends in .mcap, found 'a.txt'"],
    ),
    "limits that are none": (
        {"limits.toml": ""},
        ["score", "a.mcap", "--fail-under", "limits.toml"],
        ['limits.toml: expected limits, such as M1 = "pass", found none'],
    ),
    "nobody who climbs": (
        {},
        ["run", "arm", "--climb", "--headless"],
        ["--climb: expected a world"],
    ),
    "feet that hold and only push": (
        {},
        ["run", "room", "--climb", "--physical", "--headless"],
        ["--physical: expected creatures that hold on to nothing", "found --climb beside it"],
    ),
    "nobody beside its twin": ({}, ["run", "arm", "--twin"], ["--twin: expected a world with"]),
    "nobody whom forces move": ({}, ["run", "arm", "--physical"], ["--physical: expected a world"]),
    "legs of a model": (
        {},
        ["new", "creature", "rex", "--from", "dog", "--legs", "6"],
        ["--legs: expected none beside --from MODEL, found 6"],
    ),
    "ground of a model": (
        {},
        ["new", "world", "rex", "--from", "arm", "--kind", "hills"],
        ["--kind: expected none beside --from MODEL, found hills"],
    ),
    "seconds no number": (
        {},
        ["run", "--seconds", "long"],
        ["--seconds: expected a number, found 'long'"],
    ),
    "negative ticks": ({}, ["run", "--ticks", "-5", "--headless"], ["--ticks", "-5"]),
    "seconds and ticks": ({}, ["run", "--ticks", "5", "--seconds", "1"], ["only one of"]),
    "negative seed": (
        {},
        ["run", "--seed", "-1", "--headless"],
        ["--seed: expected a number from 0 to", "-1"],
    ),
    "existing output": (
        {"a.mcap": "mine"},
        ["run", "--headless", "--record", "a.mcap"],
        ["a.mcap", "--force"],
    ),
    "output is a folder": ({}, ["run", "--headless", "--record", "."], ["folder"]),
    "no such folder": ({}, ["run", "--headless", "--record", "x/a.mcap"], ["x/a.mcap", "folder"]),
    "unwritable path": (
        {},
        ["run", "--headless", "--ticks", "1", "--record", "/proc/a.mcap"],
        ["/proc/a.mcap"],
    ),
    "name too long": (
        {},
        ["run", "--headless", "--ticks", "1", "--record", "a" * 300],
        ["aaa"],
    ),
    "verify missing": ({}, ["verify", "no.mcap"], ["no.mcap", "readable"]),
    "verify empty": ({"a.mcap": ""}, ["verify", "a.mcap"], ["a.mcap", "empty"]),
    "verify foreign": ({"a.mcap": "# text"}, ["verify", "a.mcap"], ["a.mcap", "another kind"]),
    "replay foreign": ({"a.mcap": "# text"}, ["replay", "a.mcap"], ["a.mcap", "another kind"]),
    "info foreign": ({"a.mcap": "# text"}, ["info", "a.mcap"], ["a.mcap", "another kind"]),
    "check a replay": ({"a.mcap": "# text"}, ["check", "a.mcap"], ["a.mcap: that is a replay"]),
    "check a model": (
        {"a.glb": "glTF"},
        ["check", "a.glb"],
        ["a.glb: that is a model: new creature NAME"],
    ),
    "run a robot": (
        {"a.urdf": "<robot/>"},
        ["run", "--creature", "a.urdf"],
        ["a.urdf: that is a robot: new creature NAME --from a.urdf"],
    ),
    "check an unknown name": (
        {},
        ["check", "hexapo"],
        ["FILE: expected a file, or the name of a built-in", "'hexapo'; did you mean hexapod?"],
    ),
    "score a built-in creature": (
        {},
        ["score", "hexapod"],
        ["error: hexapod: that is a creature: run hills --creature hexapod --record walk.mcap"],
    ),
    "render a built-in world": (
        {},
        ["render", "meadow", "-o", "a.png"],
        ["error: meadow: that is a world: run meadow --record walk.mcap"],
    ),
    "verify a creature's file": (
        {"c.toml": GOOD.read_text()},
        ["verify", "c.toml", "ant", "--jobs", "2"],
        ["error: c.toml: that is a creature: run", "error: ant: that is a creature"],
    ),
    "recover a built-in world": (
        {},
        ["recover", "stairs", "-o", "a.mcap"],
        ["error: stairs: that is a world: run stairs --record walk.mcap"],
    ),
    "check nothing": ({}, ["check", ""], ["error: FILE: expected a path, found ''"]),
    "verify nothing": ({}, ["verify", "a.mcap", ""], ["error: FILE: expected a path, found ''"]),
    "record nowhere": (
        {},
        ["run", "--headless", "--record", ""],
        ["error: --record: expected a path, found ''"],
    ),
    "export nothing": ({}, ["export", "", "-o", "a.glb"], ["FILE: expected a file, or", "''"]),
    "verify a folder": ({}, ["verify", "."], ["readable"]),
    "new existing": ({"a.toml": "mine"}, ["new", "world", "a"], ["a.toml", "--force"]),
    "new kind": ({}, ["new", "world", "a", "--kind", "lava"], ["--kind", "'lava'"]),
    "new legs": ({}, ["new", "creature", "a", "--legs", "1"], ["--legs", "found 1"]),
    "new name": ({}, ["new", "creature", "../a"], ["NAME", "'../a'"]),
    "schema kind": (
        {},
        ["schema", "planet"],
        ["KIND: expected one of world, creature,", "found 'planet'"],
    ),
    "unknown command": ({}, ["rnu"], ["a command of creature-sim, found 'rnu'; did you mean run?"]),
    "unknown command below": (
        {},
        ["world", "fly"],
        ["expected a command of creature-sim world, found 'fly'; there are map, info"],
    ),
    "unknown option": (
        {},
        ["diff", "--jsn"],
        ["--jsn: expected an option of creature-sim diff, found no such one; did you mean --json?"],
    ),
    "option without a value": ({}, ["trim", "a.mcap", "-o"], ["-o: expected a path, found none"]),
    "a word too many": (
        {},
        ["trim", "a.mcap", "b.mcap", "-o", "c.mcap"],
        ["expected no more words after those of creature-sim trim, found b.mcap"],
    ),
    "a name of two lines": (
        {},
        ["diff", "a\nerror: b.mcap", "c.mcap"],
        ["error: a\\nerror: b.mcap: expected a readable replay file"],
    ),
    "no name of a walker": (
        {},
        ["world", "info", "meadow", "--creature", ""],
        ["expected a built-in creature or the path of a .toml file, found ''"],
    ),
    "no display": ({}, ["run"], ["display", "--headless"]),
}


FIRST = {words[0]: case for case, (_, words, _) in reversed(BAD_INPUT.items())}
APART = ("broken TOML", "verify missing", "new existing", "no display")


@pytest.mark.parametrize(
    ("case", "command"),
    [
        # This process may have found a display before.
        *((case, sim) for case in BAD_INPUT if case != "no display"),
        *(
            pytest.param(case, process, marks=pytest.mark.slow if case in APART else THOROUGH)
            for case in (*FIRST.values(), "no display")
        ),
    ],
)
def test_bad_input_gives_one_message(
    case: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, words, expected = BAD_INPUT[case]
    monkeypatch.delenv("DISPLAY", raising=False)
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        (tmp_path / name).write_bytes(data)
    done = command(*words, cwd=tmp_path)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    for part in expected:
        assert part in done.stderr
    left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert left == {
        name: content.encode() if isinstance(content, str) else content
        for name, content in files.items()
    }


def test_a_file_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it is typer that finds it so; root may read all."""
    (tmp_path / "a.mcap").write_text("")
    monkeypatch.setattr(os, "access", lambda *_: False)
    done = sim("info", "a.mcap", cwd=tmp_path)
    assert done.returncode == 2
    assert "error: a.mcap: expected a readable file, found none (Permission denied)" in done.stderr
