"""Print one number that stays the same as long as the behaviour of the kernel does.

It covers the rows met in seeded games, their after-states for all rolls in order, the outcomes and
lengths of seeded playouts, and perft; long nardy under two sets of rules, and short nardy. It is
the same on every machine and in every width.
"""

import hashlib

import numpy as np

import nardy

RULES = (
    nardy.LONG,
    nardy.LONG.replace(head="named", block_check="turn_end", bearoff_mandatory=True),
    nardy.SHORT,
)
POSITIONS = 2000


def signature() -> str:
    """Return 16 hex digits."""
    digest = hashlib.sha256()
    for rules in RULES:
        rows = nardy.random_rows(POSITIONS, rules=rules, seed=1)
        after, offsets = nardy.after_states_all_rolls(rows, rules=rules)
        games = nardy.playouts(rows, rules=rules, seed=2)
        paths = nardy.perft(nardy.Position.start(rules), 2)
        for part in (rows, after, offsets, games.outcomes, games.turns, np.int64(paths)):
            digest.update(part.astype(part.dtype.newbyteorder("<")).tobytes())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    print(signature())
