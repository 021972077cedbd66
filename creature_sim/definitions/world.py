"""A world: ground, seed, creatures and who drives them."""

from typing import Annotated

from pydantic import Field, field_validator, model_validator

from creature_sim.definitions.base import Definition, Name, Number, Vector2
from creature_sim.definitions.creature import CreatureDef
from creature_sim.definitions.drive import parse_drive
from creature_sim.definitions.terrain import TerrainDef
from creature_sim.errors import DefinitionError


class PlacementDef(Definition):
    """One creature and where it starts."""

    creature: str = Field(
        min_length=1, description="name of a built-in creature or of a plan, or a path to a file"
    )
    position: Vector2 = Field((0.0, 0.0), description="x, y of the start [m, world]")
    heading: Number = Field(0.0, description="from X towards Y [rad]")


class WorldDef(Definition):
    """Everything that a run depends on, but for the inputs."""

    name: Name
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**63)] = 0
    tick_rate: Annotated[int, Field(strict=True, ge=10, le=1000)] = Field(
        60, description="ticks per second"
    )
    driver: str = Field("wander", description='"forward 5; left 2.5; stop 1", "wander", "goto X,Y"')
    terrain: TerrainDef
    creatures: Annotated[tuple[PlacementDef, ...], Field(min_length=1)]
    plans: dict[Name, CreatureDef] = Field(
        default_factory=dict,
        description="creatures written out in place; loading fills in all others by name",
    )

    @field_validator("driver")
    @classmethod
    def _driver_is_valid(cls, value: str) -> str:
        try:
            parse_drive(value)
        except DefinitionError as error:
            raise ValueError(str(error)) from None
        return value

    @model_validator(mode="after")
    def _starts_inside(self) -> "WorldDef":
        """Refuse a start beyond the border."""
        for index, placement in enumerate(self.creatures):
            if max(abs(placement.position[0]), abs(placement.position[1])) > 30.0:
                raise ValueError(
                    f"creatures[{index}].position: expected x and y between -30 and 30 (the ground "
                    f"ends at 32 m), found {list(placement.position)}"
                )
        return self

    def plan_of(self, placement: PlacementDef) -> CreatureDef:
        """The resolved definition of a placed creature; KeyError before loading resolved it."""
        return self.plans[placement.creature]
