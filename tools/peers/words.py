"""What each mode delivers, and why sets may differ, in words of the page."""

DELIVERS = {
    ("nardy", "fill"): "as many rows of 32 bytes filled",
    ("nardy", "copy"): "as many rows of 32 bytes copied",
    ("nardy", "batch"): "rows of 32 int8, one call, `out=` reused",
    ("nardy", "fresh"): "rows of 32 int8, one call, a fresh array",
    ("nardy", "single"): "rows, one position a call",
    ("gnubg-nn", "keys"): "keys of 20 letters",
    ("gnubg-nn", "boards"): "keys decoded to boards",
    ("bgsage", "boards"): "lists of 26 numbers",
    ("open_spiel", "actions"): "numbers of actions, of doubles the first half",
    ("open_spiel", "boards"): "states at the end of each play, told apart in Python (every 20th)",
    ("gnubg", "valued"): "plays, each valued by its network",
}

STORES = ("fill", "copy")

EXPLAINED = {
    "an after-state twice": "Two plays lead to one board and both are listed.",
    "a win with one die beside plays of both": (
        "With the last man one die is enough to win; the rules want both dice where both can be "
        "played, and this play stands beside those."
    ),
}
