"""What a session carries (specification 004) and what its fields accept."""
