"""How fast files of matches are read, each play checked, and written.

Megabytes of text a second are ``bytes / min``; every bench asserts what came out.
"""

from __future__ import annotations

import io
from typing import Any

import pytest

import nardy

MATCHES = 12  # of seeds 11 and on
PLAYS = {"long": 3_997, "short": 2_208}


@pytest.fixture(scope="module", params=["long", "short"])
def records(request: pytest.FixtureRequest) -> list[nardy.MatchRecord]:
    found = []
    for number in range(MATCHES):
        match = nardy.Match(request.param, length=3, seed=11 + number)
        match.game.play_out()
        while not match.is_over:
            match.next_game()
            match.game.play_out()
        found.append(nardy.record_of(match))
    return found


def text_of(records: list[nardy.MatchRecord], form: str) -> str:
    stream = io.StringIO()
    nardy.write(records, stream, form=form)
    return stream.getvalue()


@pytest.mark.benchmark(group="records: read, every play checked")
@pytest.mark.parametrize("form", ["mat", "json"])
def bench_read(benchmark: Any, records: list[nardy.MatchRecord], form: str) -> None:
    data = text_of(records, form).encode()
    read = benchmark(lambda: [*nardy.read(io.BytesIO(data))])
    plays = sum(len(game.nodes) for match in read for game in match.games)
    benchmark.extra_info["bytes"] = len(data)
    benchmark.extra_info["plays"] = plays
    assert (plays, read) == (PLAYS[records[0].rules.game], records)


@pytest.mark.benchmark(group="records: written")
@pytest.mark.parametrize("form", ["mat", "json"])
def bench_write(benchmark: Any, records: list[nardy.MatchRecord], form: str) -> None:
    text = benchmark(text_of, records, form)
    assert [*nardy.read(io.StringIO(text))] == records
