"""What people can ask for with commands on Discord: one module per command, registered by `catalogue`, answered through `answering`."""
