"""Colours of the ground, and of data: distinct to colour-blind eyes (Okabe and Ito 2008)."""

ROLLING = {"level_colour": "#7f9a72", "high_colour": "#b9b58b", "steep_colour": "#9c8a74"}
EDGED = {"level_colour": "#a9a49b", "high_colour": "#c9bfae", "steep_colour": "#958d82"}
"""Colours of ground, by height and slope."""
PAPER = (244, 246, 247, 255)
"""Colour of text..."""
DIM, AMBER = (200, 211, 219, 255), (230, 159, 0, 255)
"""...that matters less, and of what should be seen: ORANGE below."""
SHADE, COVER = (16, 22, 28, 190), (16, 22, 28, 235)
"""What texts stand on: the picture shows through the first."""
PROP_COLOURS = {"static": "#8f8a80", "kinematic": "#5f86a3", "dynamic": "#c08a4f"}
"""Colours of props, by their motion."""
ORANGE = "#E69F00"
SKY_BLUE = "#56B4E9"
GREEN = "#009E73"
YELLOW = "#F0E442"
BLUE = "#0072B2"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"
