"""Physical twins: creatures whose bodies obey forces, driven by the walks of the others."""
