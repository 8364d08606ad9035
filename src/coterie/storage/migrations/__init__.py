"""How the tables became what they are: numbered, forward only, each run in the transaction that `migrate` opens."""

VERSION_TABLE = "coterie_schema"
"""Alembic's own table, under a name that no other program has."""

NEWEST = "0009"
"""The last of `versions`, so that nobody needs Alembic to know that nothing is to be done."""
