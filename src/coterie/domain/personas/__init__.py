"""Who can speak: personas, who owns which trigger word, the bundled cast, character cards."""
