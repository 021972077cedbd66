"""How legs move and what they pass through, read off poses alone: no code of the score is used.

`python -m tests.tools.poses` walks every built-in creature for 30 s and prints a line per walk:

- `feet`: largest speed of each swing: median, worst [m/s]; frames with a foot above 4 m/s [%];
  largest acceleration of each swing: median, worst [g]; farthest in a frame [cm];
- `ends`: speed at lift-off and, along the ground's normal, at touchdown: median, worst [m/s];
- `swing`: time in the air: median, shortest, longest [s];
- `legs`, `body`, `ground`: frames with a leg more than 2 mm in another leg, in the body, or in the
  ground [%], and the deepest [mm], at the radii and with the bodies that are drawn. The first bone
  of a leg does not count against its body, nor against another first bone of its segment, nor the
  last 5 % of a leg against the ground;
- `home`: distance of feet from home in the middle of their stances, median [mm];
- `out`: frames with the body's centre outside the polygon of its standing feet [%], and with its
  extrapolated centre (Hof 2008) outside that of the feet that stand or come to stand within the
  next half second.

`--creatures`, `--worlds` and `--sticks` pick some, separated by commas; `straight` and `turning`
are sticks held for good, `wander` is the world's driver, the others are those of `tests.scenes`.
`--meet` lets two of each creature walk towards each other and prints how near their centres come.
"""

import argparse
from collections.abc import Iterator
from itertools import combinations, islice, product, repeat

import numpy as np

from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.figures.shapes import hull
from creature_sim.ground.rays import Physics
from creature_sim.inputs import Input
from creature_sim.library.loader import builtin_names
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import CreaturePose, pose_of
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.terrain import build_terrain
from tests.scenes import VIOLENT, herd, scene, violent

HELD = {"straight": (1.0,), "turning": (1.0, 1.0)}
STICKS = ("wander", *VIOLENT, *HELD)
WORLDS = ("hills", "stairs", "steps", "proving_ground")
FAST, SEEN, PAD, GRAVITY = 4.0, 0.002, 0.05, 9.81
UP = np.array([0.0, 0.0, 1.0])


def inputs(kind: str) -> Iterator[Input | None]:
    """Inputs at 60 Hz, to no end; None: those of the world's driver."""
    if kind == "wander":
        return repeat(None)
    return violent(kind) if kind in VIOLENT else repeat(Input.of([HELD[kind]]))


class Poses:
    """One creature's poses over a run: T ticks, S segments, L legs, J joints."""

    def __init__(self, made: WorldDef, seen: list[CreaturePose]) -> None:
        """Take the poses after every tick."""
        self.made, self.rate = made, made.tick_rate
        self.plan: CreatureDef = made.species_of(made.creatures[0])
        self.legs = self.plan.all_legs
        self.joints = np.array([pose.joints for pose in seen])
        self.middles = np.array([pose.positions for pose in seen])
        self.turns = matrices(np.array([pose.orientations for pose in seen]))
        self.normals = np.array([pose.normals for pose in seen])
        self.flies = np.array([pose.is_swinging for pose in seen])
        self.tips = self.joints[:, :, -1]
        height = self.plan.body.size[2]
        self.radii = [np.array(leg.radii(height)) for leg in self.legs]

    def runs(self, flags: np.ndarray) -> Iterator[tuple[int, int, int]]:
        """Leg, first tick and last tick + 1 of the whole runs of true flags (T, L)."""
        for leg in range(flags.shape[1]):
            edges = np.flatnonzero(np.diff(flags[:, leg].astype(int))) + 1
            for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
                if flags[first, leg]:
                    yield leg, first, last

    def spheres(self, leg: int, bone: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Balls along a bone: (T, count, 3) middles and (count,) radii [m]."""
        steps = np.linspace(0.0, 1.0, count)
        a, b = self.joints[:, leg, bone, None], self.joints[:, leg, bone + 1, None]
        first, last = self.radii[leg][bone : bone + 2]
        return a + steps[:, None] * (b - a), first + steps * (last - first)


def matrices(quaternions: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) of (..., 4) xyzw."""
    v, w = quaternions[..., :3], quaternions[..., 3:]
    axes = [e + 2.0 * np.cross(v, np.cross(v, e) + w * e) for e in np.eye(3)]
    return np.stack(axes, axis=-1)


def feet(poses: Poses) -> str:
    """Peaks of feet, speeds at both ends of swings, times of swings."""
    steps = np.diff(poses.tips, axis=0) * poses.rate
    speeds = np.linalg.norm(steps, axis=2)
    bends = np.linalg.norm(np.diff(steps, axis=0), axis=2) * poses.rate / GRAVITY
    peaks, bent, lifts, lands, times = [], [], [], [], []
    for leg, first, last in poses.runs(poses.flies):
        own = speeds[first - 1 : last, leg]
        (moves,) = np.nonzero(own > 1e-7)
        if len(moves) and first > 1 and last < len(speeds):
            peaks.append(own.max())
            bent.append(bends[first - 2 : last, leg].max())
            lifts.append(own[moves[0]])
            lands.append((steps[first - 1 + moves[-1], leg] * poses.normals[last, leg]).sum())
            times.append((last - first) / poses.rate)
    if not peaks:
        return "no whole swing"
    fast = 100.0 * (speeds > FAST).any(axis=1).mean()
    return (
        f"feet {np.median(peaks):.2f} / {max(peaks):.2f} m/s, {fast:.1f} % above 4, "
        f"{np.median(bent):.1f} / {max(bent):.1f} g, {100.0 * speeds.max() / poses.rate:.1f} cm; "
        f"ends {np.median(lifts):.2f} / {max(lifts):.2f}, {np.median(lands):.2f} / {min(lands):.2f}"
        f"; swing {np.median(times):.3f} ({min(times):.3f} to {max(times):.3f})"
    )


def share(name: str, depths: np.ndarray) -> str:
    """Frames with more depth than is seen, and the deepest; depths (T,) [m]."""
    return f"{name} {100 * (depths > SEEN).mean():.2f} % {1e3 * max(0.0, depths.max()):.0f} mm"


def leg_overlaps(poses: Poses) -> np.ndarray:
    """How deep legs are in each other, (T,) [m]: balls of one against bones of the other."""
    found = np.full(len(poses.joints), -1.0)
    middles = poses.joints.mean(axis=2)
    sizes = np.linalg.norm(poses.joints - middles[:, :, None], axis=3).max(axis=2) + 0.05
    for i, j in combinations(range(len(poses.legs)), 2):
        near = np.linalg.norm(middles[:, i] - middles[:, j], axis=1) < sizes[:, i] + sizes[:, j]
        one, other = poses.legs[i], poses.legs[j]
        hips = np.linalg.norm(np.array(one.mount) - np.array(other.mount))
        meet = one.segment == other.segment and hips < poses.radii[i][0] + poses.radii[j][0]
        if not near.any():
            continue
        for b, c in product(range(len(one.bones)), range(len(other.bones))):
            if meet and b == c == 0:
                continue
            balls, radii = poses.spheres(i, b, 33)
            start, end = poses.joints[near, j, c, None], poses.joints[near, j, c + 1, None]
            along, gap = end - start, balls[near] - start
            t = np.clip((gap * along).sum(axis=2) / (along**2).sum(axis=2), 0.0, 1.0)
            first, last = poses.radii[j][c : c + 2]
            apart = np.linalg.norm(gap - t[..., None] * along, axis=2)
            depth = radii + first + t * (last - first) - apart
            found[near] = np.maximum(found[near], depth.max(axis=1))
    return found


def body_overlaps(poses: Poses) -> np.ndarray:
    """How deep legs are in the body that is drawn, (T,) [m]: balls against faces of its hull."""
    corners, faces = hull(2)
    found = np.full(len(poses.joints), -1.0)
    for s, part in enumerate(poses.plan.trunk):
        half = 0.5 * np.array(part.size)
        a, b, c = (corners[faces[:, k], :3] * half for k in range(3))
        normals = np.cross(b - a, c - a)
        kept = np.linalg.norm(normals, axis=1) > 1e-12
        normals = normals[kept] / np.linalg.norm(normals[kept], axis=1)[:, None]
        offsets = (normals * a[kept]).sum(axis=1)
        normals, offsets = np.where((offsets < 0)[:, None], -normals, normals), abs(offsets)
        for i, leg in enumerate(poses.legs):
            for bone in range(leg.segment == s, len(leg.bones)):
                balls, radii = poses.spheres(i, bone, 12)
                own = np.einsum(
                    "tji,tkj->tki", poses.turns[:, s], balls - poses.middles[:, s, None]
                )
                tick, k = np.nonzero((np.abs(own) < half + radii[:, None]).all(axis=2))
                depth = radii[k] - (own[tick, k] @ normals.T - offsets).max(axis=1, initial=-1.0)
                np.maximum.at(found, tick, depth)
    return found


def ground_overlaps(poses: Poses) -> np.ndarray:
    """How deep bones are in the ground in every third tick, (T / 3,) [m]: rings around them."""
    angles = np.arange(8) * np.pi / 4.0
    found = np.full(len(poses.joints[::3]), -1.0)
    with Physics(build_terrain(poses.made.terrain, poses.made.seed)) as physics:
        for i, leg in enumerate(poses.legs):
            for bone in range(len(leg.bones)):
                balls, radii = poses.spheres(i, bone, 9)
                balls = np.moveaxis(balls[::3], 1, 0)
                along = balls[-1] - balls[0]
                along /= np.linalg.norm(along, axis=1)[:, None]
                side = np.cross(along, UP)
                side /= np.maximum(np.linalg.norm(side, axis=1), 1e-9)[:, None]
                top = np.cross(side, along)
                for ball, radius in zip(balls, radii, strict=True):
                    is_leg = np.linalg.norm(poses.tips[::3, i] - ball, axis=1) >= PAD * leg.reach
                    for angle in angles:
                        point = ball + radius * (np.cos(angle) * top + np.sin(angle) * side)
                        fractions, _ = physics.cast(point + 0.5 * UP, point - 0.5 * UP)
                        depth = np.where(is_leg & (fractions < 1.0), 0.5 - fractions, -1.0)
                        # A ledge above the bone is no ground that it is in.
                        roof = np.abs(depth) > 0.1
                        found = np.maximum(found, np.where(roof, found, depth))
    return found


def home_errors(poses: Poses) -> str:
    """How far feet are from home in the middle of their stances."""
    found = []
    for leg, first, last in poses.runs(~poses.flies):
        if first > poses.rate and last - first > 3:
            written, tick = poses.legs[leg], (first + last) // 2
            out = poses.tips[tick, leg] - poses.middles[tick, written.segment]
            out = poses.turns[tick, written.segment].T @ out
            found.append(np.linalg.norm(out[:2] - np.array(written.home)))
    return f"home {1e3 * np.median(found):.0f} mm" if found else "home -"


def outside(poses: Poses) -> str:
    """Frames with the centre outside the standing feet, and with the extrapolated one."""
    centre = poses.middles.mean(axis=1)
    speed = np.gradient(centre, 1.0 / poses.rate, axis=0)
    ahead, out = round(0.5 * poses.rate), [0, 0]
    height = poses.plan.body.ride_height
    extrapolated = centre + speed / np.sqrt(GRAVITY / height)
    for tick in range(poses.rate, len(centre) - ahead):
        stands = ~poses.flies[tick]
        out[0] += not holds(soles(poses, tick, stands), centre[tick, :2])
        points = [soles(poses, tick, stands)]
        for leg in np.flatnonzero(~stands & (~poses.flies[tick : tick + ahead]).any(axis=0)):
            lands = tick + int(np.argmin(poses.flies[tick : tick + ahead, leg]))
            points.append(soles(poses, lands, np.arange(len(stands)) == leg))
        out[1] += not holds(np.concatenate(points), extrapolated[tick, :2])
    count = max(1, len(centre) - ahead - poses.rate)
    return f"out {100 * out[0] / count:.1f} %, extrapolated {100 * out[1] / count:.1f} %"


def soles(poses: Poses, tick: int, which: np.ndarray) -> np.ndarray:
    """Points that feet stand on, seen from above, (P, 2): tips, or heels and toes."""
    found = []
    for leg in np.flatnonzero(which).tolist():
        tip, sole = poses.tips[tick, leg, :2], getattr(poses.legs[leg], "foot", None)
        ahead = poses.turns[tick, 0, :2, 0]
        found += [tip - sole.heel * ahead, tip + sole.toe * ahead] if sole else [tip]
    return np.array(found).reshape(-1, 2)


def holds(points: np.ndarray, centre: np.ndarray) -> bool:
    """Whether the hull of points (P, 2) holds a place: no half plane through it is free of them."""
    if len(points) < 3:
        return False
    angles = np.sort(np.arctan2(*(points - centre).T))
    gaps = np.diff(np.concatenate((angles, angles[:1] + 2.0 * np.pi)))
    return bool(gaps.max() < np.pi)


def passes(snapshot: Snapshot) -> tuple[int, int]:
    """How many legs FABRIK's passes solved in a tick, and how many passes that took."""
    chain = snapshot.creatures[0].herd.parts["leg_chain"]
    if "passes" not in chain:
        return 0, 0
    is_solved = (chain["passes"] > 0) & (chain["is_laid"] == 0)
    return int(is_solved.sum()), int(chain["passes"].sum())


def walked(world: str, creature: str, kind: str, seconds: int) -> str:
    """Walk, and say what the poses tell."""
    made, seen = scene(world, creature), []
    solved = tried = 0
    with Simulation(made) as simulation:
        for given in islice(inputs(kind), seconds * made.tick_rate):
            simulation.step(given) if given else simulation.step()
            herds = pose_of(simulation.snapshot).herds
            seen.append(CreaturePose(herds[0], 0))
            one, all_of = passes(simulation.snapshot)
            solved, tried = solved + one, tried + all_of
    poses = Poses(made, seen)
    told = [
        feet(poses),
        share("legs", leg_overlaps(poses)),
        share("body", body_overlaps(poses)),
        share("ground", ground_overlaps(poses)),
        home_errors(poses),
        outside(poses),
        f"FABRIK {solved} of {poses.flies.size}, {tried / max(1, solved):.1f} passes",
        f"went {np.linalg.norm(np.diff(poses.middles[:, 0], axis=0), axis=1).sum():.1f} m",
    ]
    return "; ".join(told)


def met(creature: str, seconds: int) -> str:
    """Two that walk towards each other: how near their centres come [m]."""
    made = herd("meadow", creature, [(-2.0, 0.0), (2.0, 0.02)])
    first, second = made.creatures
    there = second.model_copy(update={"heading": np.pi})
    made = made.model_copy(update={"creatures": (first, there)})
    nearest = np.inf
    with Simulation(made) as simulation:
        for _ in range(seconds * made.tick_rate):
            simulation.step(Input.of([(1.0,), (1.0,)]))
            a, b = (found.segments["position"] for found in simulation.snapshot.creatures)
            nearest = min(nearest, np.linalg.norm(a[:, None] - b[None], axis=2).min())
    width = made.species_of(first).body.size[1]
    return f"two: centres of bodies {nearest:.3f} m from each other; a body is {width:.2f} m wide"


def main() -> None:
    """Print what poses tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--creatures", default=",".join(builtin_names("creature")))
    parser.add_argument("--worlds", default=",".join(WORLDS))
    parser.add_argument("--sticks", default=",".join(STICKS))
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--meet", action="store_true")
    asked = parser.parse_args()
    creatures = asked.creatures.split(",")
    if asked.meet:
        for creature in creatures:
            print(creature, met(creature, asked.seconds), flush=True)
        return
    for case in product(asked.worlds.split(","), creatures, asked.sticks.split(",")):
        print(*case, walked(*case, asked.seconds), flush=True)


if __name__ == "__main__":
    main()
