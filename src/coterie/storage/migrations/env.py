"""Run by Alembic with the connection that `migrate` gives it, inside that connection's transaction."""

from alembic import context

from coterie.storage.migrations import VERSION_TABLE

context.configure(connection=context.config.attributes["connection"], version_table=VERSION_TABLE, transactional_ddl=True)
context.run_migrations()
