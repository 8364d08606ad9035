"""Places where people talk; each may be deleted without a trace."""
