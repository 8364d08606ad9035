"""What owners can ask for: bring a persona in, take one along. Short and in order; the rules are in `domain`."""
