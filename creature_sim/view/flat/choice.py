"""Which layers of the overlay are on."""

from creature_sim.figures.overlay import Layer

SOLID: tuple[Layer, ...] = ("feet", "support", "zones", "rays")
"""Drawn in the world."""
FLAT = ("reasons", "gait", "metrics")
"""Drawn over the picture."""


class Choice:
    """Layers that keys choose one by one, and show or hide together; all are hidden first."""

    def __init__(self) -> None:
        """Begin with what most people want to see."""
        self.is_on = False
        self._chosen = {"feet", "support", "gait"}

    def press(self, action: str) -> bool:
        """Take an action; False where it is none of the overlay's.

        A layer that is not seen is shown, also where it is chosen and all are hidden.
        """
        if action == "overlay":
            self.is_on = not self.is_on
        elif action not in (*SOLID, *FLAT):
            return False
        elif self.shows(action):
            self._chosen.remove(action)
        else:
            self._chosen.add(action)
            self.is_on = True
        return True

    def shows(self, layer: str) -> bool:
        """Whether a layer is to be seen."""
        return self.is_on and layer in self._chosen
