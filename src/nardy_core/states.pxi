# After-states: fresh or into the caller's rows, in one thread or several. Included by
# nardy_core.pyx.

from nardy_core.bits cimport rows_stream

from threading import Condition


cdef object fresh_states(Work work, Batch* batch, Py_ssize_t pairs, Py_ssize_t first):
    """New arrays (rows, offsets, steps or None) for a batch, in one thread.

    Its row 0 is row `first` of the call. The rows are written to the stack until that is full, then
    to an array of as many as the pairs so far let expect: untouched memory costs nothing, and
    counting first would cost more (150 M after-states/s instead of 246).
    """
    cdef int8_t[WIDTH * FIRST_ROOM] room
    cdef int8_t[STEPS_WIDTH * FIRST_ROOM] step_room
    cdef int8_t* rows = room
    cdef int8_t* steps = step_room
    cdef int8_t* to
    cdef int8_t* steps_to
    cdef const int8_t* limit
    cdef bint want_steps = work.want_steps
    cdef Py_ssize_t pair = 0, chunk
    cdef int64_t capacity = FIRST_ROOM
    cdef object offsets = new_line(pairs + 1, NPY_INT64), states, steps_of
    cdef int64_t* numbers = <int64_t*> data_of(offsets)
    cdef Growing grown = None, grown_steps = None
    numbers[0] = 0
    batch.total = 0
    while True:
        chunk = min(pair + PAIRS_A_CHUNK, pairs)
        to = rows + WIDTH * batch.total
        steps_to = steps + STEPS_WIDTH * batch.total if want_steps else NULL
        limit = rows + WIDTH * (capacity - PAIR_ROOM)
        if pairs <= FEW_PAIRS:
            pair = fill_some(batch, to, steps_to, pair, chunk, limit, numbers + 1)
        else:
            with nogil:
                pair = fill_some(batch, to, steps_to, pair, chunk, limit, numbers + 1)
        if batch.problem != NO_PROBLEM:
            raise problem_of(batch, pair, first, work.rules)
        if pair == pairs:
            break
        go_on(&work.stopped)
        if pair < chunk:
            # As many rows a pair as so far, an eighth more, and one largest pair.
            capacity = batch.total + PAIR_ROOM + <int64_t> (
                1.125 * (pairs - pair) * (batch.total + 1) / (pair + 1)
            )
            if grown is None:
                grown = Growing(WIDTH)
                grown.hold(capacity, 0)
                memcpy(grown.data, rows, WIDTH * batch.total)
                if want_steps:
                    grown_steps = Growing(STEPS_WIDTH)
                    grown_steps.hold(capacity, 0)
                    memcpy(grown_steps.data, steps, STEPS_WIDTH * batch.total)
            else:
                grown.hold(capacity, batch.total)
                if want_steps:
                    grown_steps.hold(capacity, batch.total)
            rows = grown.data
            if want_steps:
                steps = grown_steps.data
    if grown is not None:
        states = grown.cut(batch.total)
        steps_of = grown_steps.cut(batch.total) if want_steps else None
    else:
        states = new_rows(batch.total, WIDTH, NPY_INT8)
        memcpy(data_of(states), rows, WIDTH * batch.total)
        steps_of = None
        if want_steps:
            steps_of = new_rows(batch.total, STEPS_WIDTH, NPY_INT8)
            memcpy(data_of(steps_of), steps, STEPS_WIDTH * batch.total)
    return states, offsets, steps_of


cdef object out_states(Work work, int8_t* out, int64_t capacity):
    """Fill the caller's rows, in one thread: the offsets."""
    cdef Batch* batch = &work.batch
    cdef Py_ssize_t pairs = work.n * work.rolls
    cdef int8_t[WIDTH * FIRST_ROOM] room
    cdef object offsets = new_line(pairs + 1, NPY_INT64)
    cdef int64_t* numbers = <int64_t*> data_of(offsets)
    cdef Py_ssize_t pair = 0, chunk
    cdef int64_t before
    cdef const int8_t* limit = NULL
    if capacity >= PAIR_ROOM:
        limit = out + WIDTH * (capacity - PAIR_ROOM)
    numbers[0] = 0
    batch.total = 0
    while True:
        chunk = min(pair + PAIRS_A_CHUNK, pairs)
        with nogil:
            pair = fill_some(
                batch, out + WIDTH * batch.total, NULL, pair, chunk, limit, numbers + 1
            )
            if pair < chunk and batch.problem == NO_PROBLEM:
                # A largest pair might not fit any more: by way of a room of our own.
                before = batch.total
                pair = fill_some(
                    batch, room, NULL, pair, chunk, room + WIDTH * (FIRST_ROOM - PAIR_ROOM),
                    numbers + 1,
                )
                if batch.total <= capacity:
                    memcpy(out + WIDTH * before, room, WIDTH * (batch.total - before))
        if batch.total > capacity:
            while pair < pairs and batch.problem == NO_PROBLEM:
                go_on(&work.stopped)
                with nogil:
                    pair = count_some(batch, pair, min(pair + PAIRS_A_CHUNK, pairs), numbers + 1)
        if batch.problem != NO_PROBLEM:
            raise problem_of(batch, pair, 0, work.rules)
        if batch.total > capacity:
            raise too_small(batch.total, capacity)
        if pair == pairs:
            return offsets
        go_on(&work.stopped)


cdef class Relay:
    """The after-states of a batch in several threads, in the order of the rows.

    A chunk of rows goes to whoever is free. Where its after-states begin is known once those before
    it are counted; so a thread fills a room of its own, which stays in its cache, waits for its
    turn, and passes the turn on before it copies. For two threads: where one thread joined arrays
    that the others had filled, both together took 1.7 times the processor time of one alone; so
    1.16-1.25 times. The copy goes past the cache: with `memcpy`, and one lock more, 1.25-1.45.
    """

    cdef Work work
    cdef object turn           # a Condition: guards what follows, and tells of changes
    cdef Py_ssize_t taken      # chunks handed out
    cdef Py_ssize_t passed     # chunks that have their place: the number of the one in turn
    cdef int copying           # threads
    cdef object error          # what ended the work of one of them
    cdef int64_t total         # after-states that have their place
    cdef int8_t* out           # the caller's, or NULL: then `grown`
    cdef int64_t capacity
    cdef Growing grown, grown_steps
    cdef object offsets
    cdef int64_t* numbers

    def __cinit__(self, Work work):
        self.work = work
        self.turn = Condition()
        self.grown, self.grown_steps = Growing(WIDTH), Growing(STEPS_WIDTH)
        self.offsets = new_line(work.n * work.rolls + 1, NPY_INT64)
        self.numbers = <int64_t*> data_of(self.offsets)
        self.numbers[0] = 0

    def join(self, Py_ssize_t first, Py_ssize_t last):
        """Take chunks until there are no more; one thread's part."""
        cdef int8_t* room = <int8_t*> malloc((WIDTH + STEPS_WIDTH) * CHUNK_ROOM)
        try:
            if room == NULL:
                raise MemoryError("after-states: no room for one chunk")
            while self.do_chunk(room, room + WIDTH * CHUNK_ROOM):
                go_on(&self.work.stopped)
        except BaseException as error:
            # The others end too, with an error of theirs: the first one counts.
            with self.turn:
                if self.error is None:
                    self.error = error
                self.work.stopped = 1
                self.turn.notify_all()
        finally:
            free(room)

    cdef bint do_chunk(self, int8_t* room, int8_t* step_room) except -1:
        """One chunk; false if all are taken."""
        cdef Work work = self.work
        cdef Batch part = work.batch
        cdef Py_ssize_t rows = max(PAIRS_OF_A_THREAD // work.rolls, 1)
        cdef Py_ssize_t chunk, first, pair = 0, pairs, i
        cdef int64_t before = 0, start = 0, at
        cdef int8_t* steps = step_room if work.want_steps else NULL
        cdef int64_t* numbers
        with self.turn:
            chunk = self.taken
            self.taken += 1
        first = chunk * rows
        if first >= work.n:
            return False
        pairs = min(rows, work.n - first) * work.rolls
        numbers = self.numbers + first * work.rolls + 1
        part.rows += WIDTH * first
        if part.rolls != NULL:
            part.rolls += 2 * first
        part.total = 0
        while True:
            before = part.total
            with nogil:
                pair = fill_some(
                    &part, room, steps, pair, pairs, room + WIDTH * (CHUNK_ROOM - PAIR_ROOM),
                    numbers,
                )
            at = self.place(
                chunk, part.total - before, first * work.rolls + pair, pair == pairs
            )
            if part.problem != NO_PROBLEM:
                raise problem_of(&part, pair, first, work.rules)
            if before == 0:
                start = at
            with nogil:
                self.copy(room, steps, at, part.total - before)
            with self.turn:
                self.copying -= 1
                self.turn.notify_all()
            if pair == pairs:
                break
        for i in range(pairs):
            numbers[i] += start
        return True

    cdef int64_t place(
        self, Py_ssize_t chunk, int64_t rows, Py_ssize_t done, bint last
    ) except -1:
        """Wait until all chunks before this one have their place, find room for so many
        after-states and pass the turn on after the `last` of them: where they begin. The caller
        copies."""
        cdef Py_ssize_t pairs = self.work.n * self.work.rolls
        cdef int64_t guess, at
        with self.turn:
            while self.passed != chunk:
                go_on(&self.work.stopped)
                self.turn.wait(0.1)
            at = self.total
            self.total = at + rows
            if self.out == NULL and self.total > self.grown.room:
                while self.copying:
                    go_on(&self.work.stopped)
                    self.turn.wait(0.1)
                guess = self.total + PAIR_ROOM + <int64_t> (
                    1.125 * (pairs - done) * (self.total + 1) / (done + 1)
                )
                self.grown.hold(guess, at)
                if self.work.want_steps:
                    self.grown_steps.hold(guess, at)
            self.copying += 1
            if last:
                self.passed = chunk + 1
                self.turn.notify_all()
        return at

    cdef void copy(
        self, const int8_t* room, const int8_t* steps, int64_t at, int64_t rows
    ) noexcept nogil:
        if self.out == NULL:
            rows_stream(self.grown.data + WIDTH * at, room, WIDTH * rows)
            if steps != NULL:
                memcpy(self.grown_steps.data + STEPS_WIDTH * at, steps, STEPS_WIDTH * rows)
        elif at + rows <= self.capacity:
            rows_stream(self.out + WIDTH * at, room, WIDTH * rows)


cdef int64_t likely_room(Work work) except -1:
    """After-states to expect, and an eighth more: counts of one row in 64, or of 4,096 rows.

    Untouched memory costs nothing; and this thread gets it, since what the C library keeps warm, it
    keeps for each thread by itself.
    """
    cdef Batch one = work.batch
    cdef int64_t[ALL_ROLLS] numbers
    cdef Py_ssize_t row = 0, step = max(64, work.n // 4096)
    cdef int64_t total = 0, rows = 0
    with nogil:
        while row < work.n:
            one.rows = work.batch.rows + WIDTH * row
            if one.rolls != NULL:
                one.rolls = work.batch.rolls + 2 * row
            one.total = 0
            # What is wrong with a row is told in its turn.
            count_some(&one, 0, work.rolls, numbers)
            total += one.total
            rows += 1
            row += step
    return PAIR_ROOM + <int64_t> (1.125 * total / rows * work.n)


cdef object shared_states(Work work, int8_t* out, int64_t capacity):
    """The arrays of a batch in several threads: (rows or None if `out` was given, offsets, steps or
    None)."""
    cdef Relay relay = Relay(work)
    relay.out, relay.capacity = out, capacity
    if out == NULL:
        relay.grown.hold(likely_room(work), 0)
        if work.want_steps:
            relay.grown_steps.hold(relay.grown.room, 0)
    shared(work.threads, 1, work.threads, relay.join, work.end)
    if relay.error is not None:
        raise relay.error
    work.batch.total = relay.total
    if out != NULL:
        if relay.total > capacity:
            raise too_small(relay.total, capacity)
        return None, relay.offsets, None
    return (
        relay.grown.cut(relay.total),
        relay.offsets,
        relay.grown_steps.cut(relay.total) if work.want_steps else None,
    )


cdef object states_of(Work work, object out, object steps):
    """The arrays that `after_states` returns, rows and rolls being open."""
    cdef object states, offsets, half_moves
    cdef bint alone = work.threads == 1 or work.n * work.rolls <= FEW_PARTS * PAIRS_A_PART
    cdef int8_t* to = NULL
    cdef int64_t room = 0
    if steps is not True and steps is not False:
        raise TypeError(f"steps: wanted True or False; got {steps!r}")
    work.want_steps = steps
    if out is not None:
        room = work.open_out(out)
        to = <int8_t*> data_of(out)
        if not steps:
            if alone:
                offsets = out_states(work, to, room)
            else:
                _, offsets, _ = shared_states(work, to, room)
            return out[:work.batch.total], offsets
    if alone:
        states, offsets, half_moves = fresh_states(work, &work.batch, work.n * work.rolls, 0)
    else:
        states, offsets, half_moves = shared_states(work, NULL, 0)
    if not steps:
        return states, offsets
    if to != NULL:
        # Half-moves are asked for to be shown or replayed: the copy does not matter there.
        if len(states) > room:
            raise too_small(len(states), room)
        memcpy(to, data_of(states), WIDTH * len(states))
        states = out[:len(states)]
    return states, offsets, half_moves.reshape(-1, MOST_STEPS, 2)
