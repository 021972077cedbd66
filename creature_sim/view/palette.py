"""Colours of data, distinct to colour-blind eyes (Okabe and Ito 2008)."""

PAPER = (244, 246, 247, 255)
"""Of text."""
ORANGE = "#E69F00"
SKY_BLUE = "#56B4E9"
GREEN = "#009E73"
YELLOW = "#F0E442"
BLUE = "#0072B2"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"
