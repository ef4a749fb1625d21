"""Other generators of short nardy, each asked in a process and an environment of its own."""
