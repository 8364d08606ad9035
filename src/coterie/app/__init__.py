"""The composition root: environment, wiring, command line."""
