"""`python -m coterie` is the `coterie` command."""

from coterie.app.main import main

main()
