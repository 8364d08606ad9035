"""What flows may ask of the world: small Protocols, their values and their errors."""
