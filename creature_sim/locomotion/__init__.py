"""The kernels of walking: pure functions of arrays that know nothing of esper."""
