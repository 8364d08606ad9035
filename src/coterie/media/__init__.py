"""Pictures: normalised once, kept by content, found again."""
