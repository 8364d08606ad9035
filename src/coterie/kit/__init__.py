"""Could be libraries of their own; know no chat, no persona and no database."""
