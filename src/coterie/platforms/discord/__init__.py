"""Discord: the gateway, translation at its door, and how personas speak there. Nothing else of the product knows Discord."""
