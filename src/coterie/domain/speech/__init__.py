"""From a stream of characters to lines that a platform can show."""
