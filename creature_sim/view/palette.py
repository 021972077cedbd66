"""Colours of data, distinct to colour-blind eyes (Okabe and Ito 2008)."""

ORANGE = "#E69F00"
SKY_BLUE = "#56B4E9"
GREEN = "#009E73"
YELLOW = "#F0E442"
PURPLE = "#CC79A7"
