"""Windows and pictures: the only importer of pyglet, loaded when something is to be drawn.

live.show_simulation     a simulation under the arrow keys
player.show_replay       recorded poses with pause, speed and scrubbing
offscreen.render         one picture as an array, without a screen
controls.CONTROLS        every key and mouse action

Importing these modules loads no pyglet: `display.py` does, and turns every way in which there may
be nothing to draw on into `DisplayUnavailable`. Only after it has opened something are the modules
that speak OpenGL imported.
"""
