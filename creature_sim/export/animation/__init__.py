"""Runs as skeletons that move, for game engines and animation tools.

takes       what moved, as arrays over ticks: exact where it can be
skeletons   nodes of bones, and their frames
actors      creatures, chains, trees and props as such skeletons
keys        which ticks become keys
loops       one cycle of a steady walk
skin, skins meshes whose parts follow bones
models, model_skins  the same of creatures that look like a model
stage       all of that, for any format
ground      the ground of a world alone
glb, gltf   binary glTF 2.0
bvh         Biovision Hierarchy
usd         Universal Scene Description
files       writes them
"""
