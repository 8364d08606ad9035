"""The only SQL: tables by subject, migrations, one class per port."""
