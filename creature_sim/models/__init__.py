"""Models from files: skeletons, rest poses and skins that others made.

model.open_model   a .glb or .gltf as a `Model`
binding.bind       it, bound to the bones of a creature
packing.packed     its file, whole in itself
glb.Glb            a file that is written
hierarchy          its nodes, checked to be trees
materials, images  its colours
accessors          its arrays, checked to lie in the file
container          the file, its JSON and its buffers
fields             values of the JSON, checked one by one, with their place in it

Nothing is believed of a file: every count, index and length is checked before it is used, nothing
outside the file's folder is read, and what is wrong becomes one message.
"""

from creature_sim.models.model import Model, Part, open_model

__all__ = ["Model", "Part", "open_model"]
