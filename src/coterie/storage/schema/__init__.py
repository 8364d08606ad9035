"""The tables, by subject. Their history is in `migrations`; a test holds the two together."""
