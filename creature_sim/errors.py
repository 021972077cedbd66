"""Every error that a user can cause, and nothing else.

    CreatureSimError
    ├── DefinitionError      a world, creature, drive or option that is not valid
    ├── TerrainError         ground that cannot be built or stood on
    ├── ReplayError          a replay file that cannot be used
    │   ├── ReplayCorrupt    bytes that fail their checksum, or no replay at all
    │   ├── ReplayTruncated  a recording that ends before its end mark
    │   ├── ReplayVersion    made by other kernels, systems or heights: cannot be verified here
    │   └── PluginMissing    needs systems or a kind of ground that are not installed here
    ├── VerifyMismatch       a re-simulation that differs from its recording
    ├── OutputError          a file that cannot be written
    │   └── OutputExists     there is one already, and nobody has said that it may be replaced
    ├── TrialError           a sweep of trials whose processes do not survive it
    ├── ClusterError         a cluster that cannot be reached, or cannot do the work
    ├── SimulationError      a state that left the numbers (NaN): a defect, reported at its tick
    └── DisplayUnavailable   no screen or no OpenGL to draw on

The text of an error names the file, the key or place, what was expected and what was found.
"""


class CreatureSimError(Exception):
    """Root of all errors that creature_sim raises on purpose."""


class DefinitionError(CreatureSimError):
    """A definition, drive or option is not valid."""


class TerrainError(CreatureSimError):
    """Ground cannot be built, or a creature cannot stand on it."""


class ReplayError(CreatureSimError):
    """A replay file cannot be used."""


class ReplayCorrupt(ReplayError):
    """A replay's bytes fail their checksum, or the file is no replay."""


class ReplayTruncated(ReplayError):
    """A replay ends before its end mark."""


class ReplayVersion(ReplayError):
    """A replay was made by other kernels, systems or heights than those here."""


class PluginMissing(ReplayError):
    """A replay needs systems or a kind of ground that are not installed here."""


class VerifyMismatch(CreatureSimError):
    """A re-simulation differs from its recording."""


class OutputError(CreatureSimError):
    """A file cannot be written."""


class OutputExists(OutputError):
    """There is a file already, and nobody has said that it may be replaced.

    Attributes:
        in_shell: the text for those who gave a command, and not an argument of Python.
    """

    def __init__(self, text: str, in_shell: str = "") -> None:
        """Take both texts."""
        super().__init__(text)
        self.in_shell = in_shell or text


class TrialError(CreatureSimError):
    """A process that ran trials has died."""


class ClusterError(CreatureSimError):
    """A cluster cannot be reached, or cannot do the work."""


class SimulationError(CreatureSimError):
    """The state of a simulation holds a value that is not a finite number."""


class DisplayUnavailable(CreatureSimError):
    """There is no screen, or no OpenGL, to draw on."""
