# Where plays go: the one generator serves rows, counts, a later pick and rows with their half-
# moves. The type of the sink says which; what a sink does not need (the trail, mostly) is compiled
# away.
from libc.stdint cimport int8_t, int64_t, uint32_t

from nardy_core.bits cimport (
    GUARD, ORIGINS, POINTS, WIDTH, bit_count, bit_lowest, row_add, row_load, row_store, row_t,
)
from nardy_core.stacks cimport Stacks, ways

cdef enum:
    MOST_STATES = 3060         # after-states of one roll: 4 steps spread over 15 checkers, C(18, 4)
    SPARE_STATES = 6           # rows that RowSink may write behind the last one
    TURN_ROOM = WIDTH * (MOST_STATES + SPARE_STATES)       # bytes for the after-states of one roll
    MOST_STEPS = 4
    MOST_LEAVES = MOST_STATES + 1

# The half-moves before the last one. Steps are written out as (from, to).
ctypedef struct Trail:
    int n
    int8_t[4] origin
    int8_t[4] die

ctypedef struct RowSink:
    int8_t* out

ctypedef struct CountSink:
    int64_t n

# After-states of which one will be wanted (picks.pxd), held as masks until it is known which.
# Those that share all half-moves but the last:
ctypedef struct Leaf:
    Trail trail
    int die                    # of the last half-move
    int n                      # after-states
    uint32_t origins           # of the last half-move; bit 0: there is none

# All plays of a double, where every board is legal and off at most one more open point: what
# `ways` counts.
ctypedef struct Ways:
    int n
    Trail entered              # from the bar, before all else
    Stacks stacks
    uint32_t open
    int moves
    int die

ctypedef struct LeafSink:
    int64_t n                  # of both; only one of them has any
    Ways ways
    Leaf* first
    Leaf* end

ctypedef struct StepSink:
    int8_t* out
    int8_t* steps              # MOST_STEPS pairs (from, to) an after-state

ctypedef fused Sink:
    RowSink
    CountSink
    LeafSink
    StepSink


cdef inline int64_t filled(Sink* sink) noexcept nogil:
    """Changes whenever the sink takes something."""
    if Sink is CountSink or Sink is LeafSink:
        return sink.n
    else:
        return <int64_t> sink.out


cdef inline int8_t* write_step(int8_t* step, int origin, int die) noexcept nogil:
    step[0] = origin
    step[1] = origin - die if origin > die else 0
    return step + 2


cdef inline void write_steps(int8_t* steps, const Trail* trail, int last, int die) noexcept nogil:
    """The trail, then the last half-move (origin 0: none); -1 where nothing was played."""
    cdef int8_t* step = steps
    cdef int k
    for k in range(trail.n):
        step = write_step(step, trail.origin[k], trail.die[k])
    if last:
        step = write_step(step, last, die)
    while step < steps + 2 * MOST_STEPS:
        step[0] = -1
        step += 1


cdef inline void open_leaves(LeafSink* sink, Leaf* room) noexcept nogil:
    """Nothing is in the sink yet; `room` holds MOST_LEAVES."""
    sink.n = 0
    sink.ways.n = 0
    sink.first = sink.end = room


cdef inline void add_leaf(
    LeafSink* sink, int n, uint32_t origins, const Trail* trail, int die
) noexcept nogil:
    """Take n after-states; none of them leave no leaf."""
    cdef Leaf* leaf = sink.end
    leaf.trail = trail[0]
    leaf.die = die
    leaf.n = n
    leaf.origins = origins
    sink.end += n != 0
    sink.n += n


cdef inline int put_ways(
    Sink* sink, const Stacks* stacks, uint32_t open, int moves, const Trail* entered, int die
) noexcept nogil:
    """Take all plays of `moves` half-moves that follow the trail, where every board is legal and
    off at most one more open point; how many there are. For the sinks that need no rows."""
    cdef int n = ways[uint32_t](stacks, open, POINTS, die, moves)
    if Sink is CountSink:
        sink.n += n
    elif Sink is LeafSink:
        sink.n += n
        sink.ways.n = n
        sink.ways.entered = entered[0]
        sink.ways.stacks = stacks[0]
        sink.ways.open = open
        sink.ways.moves = moves
        sink.ways.die = die
    return n


cdef inline void put(
    Sink* sink, row_t row, const int8_t* table, uint32_t origins, const Trail* trail, int die,
    int batch,
) noexcept nogil:
    """Take the after-states `row + table[i]`, one for each bit i of `origins` (bar or points),
    lowest first; `batch` of them are written between two tests, SPARE_STATES at most."""
    cdef int8_t* out
    cdef uint32_t scan
    cdef size_t i
    cdef int k
    if Sink is CountSink:
        sink.n += bit_count(origins)
    elif Sink is RowSink:
        # Several rows a test, the guard bits absorbing what is too much: six are 55 % faster than a
        # loop with a test a row.
        out = sink.out
        sink.out = out + WIDTH * <size_t> bit_count(origins)
        scan = origins | <uint32_t> GUARD
        while True:
            for k in range(batch):
                i = bit_lowest(scan)
                scan &= scan - 1
                row_store(out + WIDTH * k, row_add(row, row_load(table + WIDTH * i)))
            out += WIDTH * batch
            if not scan & ORIGINS:
                break
    elif Sink is LeafSink:
        add_leaf(sink, bit_count(origins), origins, trail, die)
    else:
        while origins:
            i = bit_lowest(origins)
            origins &= origins - 1
            row_store(sink.out, row_add(row, row_load(table + WIDTH * i)))
            write_steps(sink.steps, trail, i, die)
            sink.out += WIDTH
            sink.steps += 2 * MOST_STEPS


cdef inline void put_one(
    Sink* sink, row_t row, const Trail* trail, int last, int die
) noexcept nogil:
    """Take one after-state, complete already; its last half-move starts at `last` (0: none)."""
    if Sink is CountSink:
        sink.n += 1
    elif Sink is LeafSink:
        add_leaf(sink, 1, <uint32_t> 1 << last, trail, die)
    else:
        row_store(sink.out, row)
        sink.out += WIDTH
        if Sink is StepSink:
            write_steps(sink.steps, trail, last, die)
            sink.steps += 2 * MOST_STEPS


cdef inline void put_row(Sink* sink, row_t row, const Trail* trail) noexcept nogil:
    """Take one after-state of which the trail is the whole play."""
    put_one(sink, row, trail, 0, 0)
