"""What is true and what follows from it: no I/O, no clock, no chance, no log."""
