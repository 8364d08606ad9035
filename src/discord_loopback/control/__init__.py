"""The internal API: what people and admins do, faults, and looking at everything. Never reached through Discord's own routes."""
