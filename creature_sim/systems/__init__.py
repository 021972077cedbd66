"""The tick, in order. Systems keep no state: it is all in components."""

import esper

from creature_sim.systems.apply_inputs import ApplyInputs
from creature_sim.systems.carry_bodies import CarryBodies
from creature_sim.systems.carry_feet import CarryFeet
from creature_sim.systems.choose_footholds import ChooseFootholds
from creature_sim.systems.choose_gait import ChooseGait
from creature_sim.systems.find_neighbours import FindNeighbours
from creature_sim.systems.fly_bodies import FlyBodies
from creature_sim.systems.follow_twins import FollowTwins
from creature_sim.systems.lead_feet import LeadFeet
from creature_sim.systems.load_ground import LoadGround
from creature_sim.systems.look_up import LookUp
from creature_sim.systems.move_bodies import MoveBodies
from creature_sim.systems.move_motions import MoveMotions
from creature_sim.systems.move_props import MoveProps
from creature_sim.systems.move_targets import MoveTargets
from creature_sim.systems.move_twins import MoveTwins
from creature_sim.systems.place_bodies import PlaceBodies
from creature_sim.systems.plan_flights import PlanFlights
from creature_sim.systems.plan_probes import PlanProbes
from creature_sim.systems.pose_bodies import PoseBodies
from creature_sim.systems.rest_bodies import RestBodies
from creature_sim.systems.schedule_steps import ScheduleSteps
from creature_sim.systems.sense_ground import SenseGround
from creature_sim.systems.solve_chains import SolveChains
from creature_sim.systems.solve_legs import SolveLegs
from creature_sim.systems.solve_trees import SolveTrees
from creature_sim.systems.swing_feet import SwingFeet
from creature_sim.systems.turn_heads import TurnHeads

SYSTEMS: tuple[type[esper.Processor], ...] = (
    PlaceBodies,  # where they are planned, without their weight
    FollowTwins,  # from where those are whose bodies obey forces
    ApplyInputs,  # events, then command -> velocity, within what the legs can follow
    MoveProps,  # along their paths, or as they are pushed
    CarryFeet,  # whoever stands on a prop moves with it
    FindNeighbours,  # who is near to whom, and the planes between bodies and legs
    PlanFlights,  # leaps that were asked for, and falls of who finds no ground
    MoveBodies,  # along the surface, as far as planted legs and others let them
    ChooseGait,  # cycle by speed, stroke by direction, order of the legs that are left
    PlanProbes,  # every ray that this tick needs
    LookUp,  # rays begin below what hangs over
    LoadGround,  # of ground without end a piece at a time, ahead of need
    SenseGround,  # one ray batch
    ChooseFootholds,  # of what was sensed, clear of edges and of other feet
    ScheduleSteps,  # who lifts a foot
    SwingFeet,  # arcs over the sampled ground, touchdown
    PoseBodies,  # height and tilt
    RestBodies,  # of who sits or lies: down, legs in, legs out, up; over, where they fell
    FlyBodies,  # of who leaps or falls: crouch, stretch, flight, landing
    MoveMotions,  # what they do besides walking: how they are held against that
    CarryBodies,  # as masses on the springs of their legs
    TurnHeads,  # to what they look at
    LeadFeet,  # and knees, to where events want them
    SolveLegs,  # FABRIK -> joints, bone and foot orientations
    MoveTwins,  # by torques of their joints, as far as forces let them
    MoveTargets,  # of chains and trees: along splines, with bodies and tips
    SolveChains,  # with poles and limits, on the bodies as they are now
    SolveTrees,  # several targets at once
)

POSING: tuple[type[esper.Processor], ...] = (MoveTargets, SolveChains, SolveTrees)
"""What also poses chains and trees before the first tick."""

__all__ = [
    "POSING",
    "SYSTEMS",
    "ApplyInputs",
    "CarryBodies",
    "CarryFeet",
    "ChooseFootholds",
    "ChooseGait",
    "FindNeighbours",
    "FlyBodies",
    "FollowTwins",
    "LeadFeet",
    "LoadGround",
    "LookUp",
    "MoveBodies",
    "MoveMotions",
    "MoveProps",
    "MoveTargets",
    "MoveTwins",
    "PlaceBodies",
    "PlanFlights",
    "PlanProbes",
    "PoseBodies",
    "RestBodies",
    "ScheduleSteps",
    "SenseGround",
    "SolveChains",
    "SolveLegs",
    "SolveTrees",
    "SwingFeet",
    "TurnHeads",
]
