"""What creatures do besides walking.

A motion is a name, the forms of its event, and a kernel that says, tick by tick, how it wants the
body held and the legs led. The walk goes on below it. One of your own is a file that makes a
`Motion` and gives it to `register` before worlds are made; `pose.py` is the simplest example.
"""

from creature_sim.motions.idle import IDLE
from creature_sim.motions.look import LOOK
from creature_sim.motions.motion import MOTIONS, NUMBERS, Actors, Motion, begin, register
from creature_sim.motions.pose import POSE
from creature_sim.motions.reach import REACH
from creature_sim.motions.strike import STRIKE

for _motion in (IDLE, POSE, REACH, STRIKE, LOOK):
    register(_motion)

__all__ = ["MOTIONS", "NUMBERS", "Actors", "Motion", "begin", "register"]
