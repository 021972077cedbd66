"""Windows and pictures: the only room that imports pyglet, and only when something is to be drawn.

open.show_simulation        a simulation in a window, steered by the arrow keys
open.show_replay            a replay in a window, with pause, speed and scrubbing
offscreen.render            one picture as an array, without a screen
shows.controls.CONTROLS     every key and mouse action

To import these modules loads no pyglet. `gl/display.py` does; where there is nothing to draw on, it
raises `DisplayUnavailable`. The modules that use OpenGL are imported only after it has opened a
window or a context.
"""
