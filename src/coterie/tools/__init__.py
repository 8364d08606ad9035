"""What a persona can do besides talking: one module per tool."""
