"""What names of bones say: their side and their part; customs differ, and many say nothing."""

import re

LEFT, RIGHT = 1, -1
WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
"""Words of a name: `mixamorig:LeftUpLeg`, `thigh.L`, `calf_l`, `J_Bip_R_Foot`, `Bip001 L Thigh`."""
SIDES = {
    **dict.fromkeys(("fl", "rl", "hl", "bl", "lf", "lr", "lh", "lb"), LEFT),  # of robots' legs
    **dict.fromkeys(("fr", "rr", "hr", "br", "rf", "rh", "rb"), RIGHT),
    "l": LEFT,
    "left": LEFT,
    "lft": LEFT,
    "r": RIGHT,
    "right": RIGHT,
    "rgt": RIGHT,
    "rt": RIGHT,
}
PARTS = {
    part: frozenset(words.split())
    for part, words in {
        "head": "head skull cranium",
        "neck": "neck",
        "tail": "tail",
        "leg": "leg legs upperleg lowerleg thigh thighs calf calves shin knee foot toe toes ankle "
        "coxa trochanter femur patella tibia tarsus metatarsus paw hoof hock upleg lowleg foreleg "
        "hindleg",
        "shin": "shin calf calves crus lowleg lowerleg knee",
        "foot": "foot ankle",
        "arm": "arm forearm upperarm lowerarm elbow wrist hand palm finger thumb index middle ring "
        "pinky claw pincer chela",
        "wing": "wing feather fin flipper",
        "feeler": "feeler antenna antennae palp pedipalp mandible chelicera fang",
        "girdle": "clavicle scapula shoulder collar pelvis",
        "face": "eye ear jaw brow lip tongue hair eyelid nose tooth teeth",
        "trunk": "spine body chest torso hips hip abdomen thorax waist root",
    }.items()
}


def words_of(name: str) -> list[str]:
    """The words of a name, in small letters."""
    return [word.lower() for word in WORDS.findall(name)]


def side_of(name: str) -> int:
    """`LEFT`, `RIGHT`, or 0 where a name does not say it."""
    found = {SIDES[word] for word in words_of(name) if word in SIDES}
    return found.pop() if len(found) == 1 else 0


def parts_of(name: str) -> set[str]:
    """The kinds of parts that a name speaks of."""
    words = set(words_of(name))
    if {"lower", "leg"} <= words:
        words.add("lowerleg")
    return {part for part, known in PARTS.items() if words & known}


def mirrored(name: str) -> tuple[str, ...]:
    """The words of a name, with those that say a side as 0: those of a pair are alike."""
    return tuple("0" if word in SIDES else word for word in words_of(name))
