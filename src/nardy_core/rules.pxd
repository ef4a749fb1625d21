# The options that shape legal play and score, as small integers: `Rules.codes` of the Python side,
# in its order. A code is the index of the value in docs/rules.md §9, the default first.

ctypedef struct Rules:
    int game
    int checkers
    int doubles_moves
    int head
    int head_doubles           # bit d: the double d-d is named
    int head_side
    int block
    int block_check
    int overshoot
    int mandatory
    int koks
    int later_cap              # checkers that may leave the head in a turn that is not the first
    int later_cap_of_doubles

cdef enum:
    GAME_LONG, GAME_SHORT

cdef enum:
    HEAD_BLOCKED, HEAD_BLOCKED_DOUBLE, HEAD_NAMED, HEAD_LISTED, HEAD_ANY_DOUBLE_FIRST
    HEAD_ANY_DOUBLE, HEAD_NONE, HEAD_FREE

cdef enum:
    SIDE_BOTH, SIDE_SECOND

cdef enum:
    BLOCK_AHEAD, BLOCK_HOME, BLOCK_NEVER, BLOCK_STRICT, BLOCK_FREE

cdef enum:
    CHECK_STEP, CHECK_TURN_END

cdef enum:
    OVERSHOOT_FARTHEST, OVERSHOOT_ANY, OVERSHOOT_EXACT

cdef enum:
    KOKS_NONE, KOKS_FIRST_QUARTER, KOKS_NO_HOME


cdef inline void set_later_caps(Rules* rules) noexcept nogil:
    """§4 for all turns but the first, worked out once a call."""
    rules.later_cap = rules.checkers if rules.head == HEAD_FREE else 1
    rules.later_cap_of_doubles = 2 if rules.head == HEAD_ANY_DOUBLE else rules.later_cap
