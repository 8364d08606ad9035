"""The room in a terminal; a client of the HTTP API."""
