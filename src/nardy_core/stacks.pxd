# How high own checkers stand, and in how many ways they can play several half-moves of one number.
#
# The plain rule is that of doubles.pxd: origins in falling order, one after the other. Where every
# board is legal and off is at most one more open point (bit 0), the ways need not be gone through
# to be counted. A set of origins, some of them several times, can be played if each origin has so
# many checkers, those included that come from the origin `die` above it: so the ways differ only in
# how often each origin is used, and in which origins lean on the one above.
from libc.stdint cimport uint32_t

from nardy_core.halfmoves cimport landing
from nardy_core.lanes cimport Mask, count_of

# Own checkers by point, as far as four half-moves can tell: bit p of `k` says that k or more
# checkers may leave p. Origins fall, so points farther than the last one are done with: only
# bearing off asks who stands there.
ctypedef struct Stacks:
    uint32_t one
    uint32_t two
    uint32_t three
    uint32_t four
    uint32_t farther


cdef inline Stacks moved_on(const Stacks* stacks, uint32_t origin, int die) noexcept nogil:
    """The stacks after one checker has gone from `origin` by `die`, the farthest one to move on."""
    cdef Stacks after
    cdef uint32_t to = landing(origin, die), nearer = origin - 1
    after.farther = stacks.farther | (stacks.one & ~(origin | nearer))
    after.one = (stacks.one & nearer) | (stacks.two & origin)
    after.two = (stacks.two & nearer) | (stacks.three & origin)
    after.three = (stacks.three & nearer) | (stacks.four & origin)
    after.four = stacks.four & nearer
    after.four |= after.three & to
    after.three |= after.two & to
    after.two |= after.one & to
    after.one |= to
    return after


cdef inline Mask far_out(const Stacks* stacks, Mask point) noexcept nogil:
    """Checkers on this point or beyond, as far as the stacks tell."""
    return (
        count_of(stacks.one >> point) + count_of(stacks.two >> point)
        + count_of(stacks.three >> point) + count_of(stacks.four >> point)
    )


# In all three: `origins` are those from which a checker can move now (a); `on` those of them whose
# checker can go on to a point where nobody else is.


cdef inline Mask ways_of_two(
    const Stacks* stacks, Mask open, uint32_t allowed, Mask die
) noexcept nogil:
    cdef Mask origins = stacks.one & (open << die) & allowed
    cdef Mask on = origins & ~(stacks.one << die) & (open << 2 * die)
    cdef Mask a = count_of(origins)
    return (a * (a - 1) >> 1) + count_of(origins & stacks.two) + count_of(on)


cdef inline Mask ways_of_three(
    const Stacks* stacks, Mask open, uint32_t allowed, Mask die
) noexcept nogil:
    cdef Mask origins = stacks.one & (open << die) & allowed
    cdef Mask on = origins & ~(stacks.one << die) & (open << 2 * die)
    cdef Mask twice = origins & stacks.two
    cdef Mask a = count_of(origins)
    return (
        # Three origins; one of them twice, or one leaning on another.
        a * (a - 1) * (a - 2) // 6
        + (a - 1) * (count_of(twice) + count_of(on))
        # Three times the same; twice the same and on; on and on; twice, the second one leaning.
        + count_of(origins & stacks.three)
        + count_of(twice & on)
        + count_of(on & ~(stacks.one << 2 * die) & (open << 3 * die))
        + count_of(origins & ~twice & (origins >> die))
    )


cdef inline Mask ways_of_four(
    const Stacks* stacks, Mask open, uint32_t allowed, Mask die
) noexcept nogil:
    cdef Mask origins = stacks.one & (open << die) & allowed
    cdef Mask on = origins & ~(stacks.one << die) & (open << 2 * die)
    cdef Mask on_on = on & ~(stacks.one << 2 * die) & (open << 3 * die)
    cdef Mask twice = origins & stacks.two, thrice = origins & stacks.three
    cdef Mask above = origins >> die           # the origin above moves too
    cdef Mask a = count_of(origins), pairs = (a - 1) * (a - 2) >> 1
    cdef Mask two = count_of(twice), one_on = count_of(on), two_on = count_of(twice & on)
    return (
        # Each origin once: none leans, one does, two do, three do.
        pairs * a * (a - 3) // 12
        + pairs * one_on
        + (one_on * (one_on - 1) >> 1)
        + (a - 1) * count_of(on_on)
        + count_of(on_on & ~(stacks.one << 3 * die) & (open << 4 * die))
        # One of them twice, with two others: of its own, and neither or one of the others leaning.
        + two * pairs
        + two_on * (a - 1) + (two * one_on - two_on)
        + count_of(twice & on_on)
        # The second time leaning on the one above, which has its own checker, or leans itself.
        + (a - 2) * count_of(origins & ~twice & above)
        + count_of(on & ~twice & above)
        + count_of(origins & ~twice & (above >> die) & ~(stacks.one >> die))
        # Two of them twice.
        + (two * (two - 1) >> 1)
        + count_of(origins & ~twice & (twice >> die))
        + two_on
        # One three times; four times.
        + (a - 1) * count_of(thrice)
        + count_of(thrice & on)
        + count_of(twice & ~thrice & above)
        + count_of(origins & stacks.four)
    )


cdef inline Mask ways(
    const Stacks* stacks, Mask open, uint32_t allowed, Mask die, int moves
) noexcept nogil:
    """In how many ways exactly `moves` half-moves can be played, from origins in `allowed`: all up
    to some point."""
    if moves == 4:
        return ways_of_four(stacks, open, allowed, die)
    if moves == 3:
        return ways_of_three(stacks, open, allowed, die)
    if moves == 2:
        return ways_of_two(stacks, open, allowed, die)
    return count_of(stacks.one & (open << die) & allowed)
