"""Who is called by a message, and how far a cascade may go."""
