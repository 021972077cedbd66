"""Damping of least squares that follows the error: the numbers that both descents share.

A step's damping is `DAMPING` times the squared error, times a factor that shrinks while steps help
and grows when one does not (Levenberg 1944, Marquardt 1963; that damping follows the error is
Sugihara 2011). It is never less than `FLOOR` times the squared reach.
"""

DAMPING = 0.02
"""Damping over the squared error, at a factor of 1."""

FLOOR = 1e-9
"""Smallest damping over the squared reach: a straight chain's matrix is singular."""

EASE = 0.2
"""The factor is multiplied by this after a step that led nearer."""

TIGHTEN = 8.0
"""The factor is multiplied by this after a step that did not, and is then at least 1."""

SLOW = 0.98
"""A step is slow that leaves more than this fraction of the error."""
