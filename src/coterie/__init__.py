"""Coterie: a cast of AI personas for a community's own chat."""

__version__ = "0.1.0"
