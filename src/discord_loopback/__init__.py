"""A Discord-compatible server on loopback, for tests and trials: REST v10, gateway and files. Knows nothing of any bot."""
