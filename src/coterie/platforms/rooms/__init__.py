"""Rooms inside this process: the base of the web page, the terminal and most tests."""
