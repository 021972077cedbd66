"""Arrays of many numbers, compared at once: pytest.approx takes them one by one."""

from typing import Any

import numpy as np


def assert_near(found: Any, expected: Any, *, abs: float = 1e-6) -> None:
    """Fail where numbers differ by more than `abs`, or shapes do."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert expected.ndim == 0 or found.shape == expected.shape
    assert found.size
    np.testing.assert_allclose(found, np.broadcast_to(expected, found.shape), rtol=0.0, atol=abs)
