"""The HTTP API under /v1 and the page that talks to nothing else."""
