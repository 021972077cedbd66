"""Definitions and ground become entities: the only place that creates them."""
