"""Coterie: a cast of AI personas for a community's own chat."""
