"""Robots as creatures: their legs, how they stand, what their joints allow, what they look like.

machine    links that are fixed to one another as one group; where groups are
surfaces   triangles of their shapes
frames     links as a skeleton; what is up and ahead in a file
chains     joints of a limb by what they do
standing   angles at which a leg stands
feet       where it touches the ground
limits     its joints as those of a creature's file
swings     where two hinges let a thigh point, and the largest cone of that
loops      legs of closed loops
found      all of it as an anatomy
open       a file as an anatomy and its model
rigid      the robot as a model whose rigid parts follow bones
"""
