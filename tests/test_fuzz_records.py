"""The driver of damaged match files and ids: it goes on where it was stopped, and it can fail."""

import time
from random import Random

import pytest

import fuzz_records
from fuzz_records import Target
from nardy import InvalidNotation
from proof.mangle_text import MOST_BYTES, MUTATIONS, RARE, damaged, smallest

SEEDS = {
    "mat": [b" Game 1\n a : 0    b : 0\n  1) 31: 8/5 6/5      65: 24/13\n"],
    "id": [b"4HPw"],
    "json": [b"{}"],
    "sgf": [b"(;GM[6];W[66])"],
}


@pytest.fixture(autouse=True)
def _few_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_records, "seeds_of", lambda seed: SEEDS)


def run(parse: object, *words: str, **expected: object) -> int:
    target = Target(parse, ("mat",), **expected)  # type: ignore[arg-type]
    return fuzz_records.main(["--seed=3", *words], {"it": target})


def test_the_readers_hold_on_some_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--inputs=300", "--seed=2", "--target=mat", "--target=sgf", "--target=gnubg"]
    assert fuzz_records.main(words) == 0
    said = capsys.readouterr().out
    assert "300 inputs from 0, no fault" in said and "mat read" in said and "gnubg Inv" in said


@pytest.mark.parametrize(
    "data",
    [
        b'; [Player 1 "A"]\n 1 point match\n Game 1\n A : 0    b : 0\n 1) 31: 8/5 6/5\n',
        b"Game 1\n31: 8/5 \x19",
        b"Game 1\n31: 21/1" + b"9" * 5000,
        b';[Player 1"\x11"]\n;\x04\n;["\r"]\nGame 1\na:0 \x00:0',
        "Game 1\na\u2028b\u200b:0 \ufeff:0\n31: 8/5\u00a06/5".encode(),
        b"(;PW[a\xa0\x07]RU[J]AE[a:y]AW[a]",
    ],
    ids=["good", "control", "digits", "header", "signs", "a board of another variation"],
)
def test_records_are_read_again(data: bytes) -> None:
    assert fuzz_records.first_fault(fuzz_records.TARGETS["records"], data) is None


def test_inputs_depend_on_seed_and_number_alone() -> None:
    def parts(*words: str) -> list[bytes]:
        got: list[bytes] = []
        assert (
            run(lambda data: got.append(data) if not got or got[-1] != data else None, *words) == 0
        )
        return got

    whole = parts("--inputs=30")
    assert parts("--inputs=12") + parts("--first=12", "--inputs=18") == whole
    assert parts("--inputs=30", "--seed=4") != whole


def test_a_stopped_run_says_where_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    def slow(data: bytes) -> None:
        time.sleep(0.02)

    assert run(slow, "--inputs=1000", "--seconds=0.1") == 0
    assert "; --first " in capsys.readouterr().out


def read_no_nul(data: bytes) -> None:
    if b"\x00" in data:
        raise KeyError("nul")
    if b"/" not in data:
        raise InvalidNotation("no play")


def test_an_error_that_is_not_named_is_found_and_made_small(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(read_no_nul, "--inputs=1500") == 1
    told, said = capsys.readouterr()[::-1]
    assert "KeyError at test_fuzz_records.py:" in told and r"b'\x00'" in told
    assert "1 kinds of faults" in said and "it InvalidNotation" in said
    assert run(read_no_nul, "--inputs=1500", errors=(InvalidNotation, KeyError)) == 0


def test_slowness_greed_and_what_does_not_end_are_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def toil(data: bytes) -> None:
        end = time.process_time() + 0.02 * (b"24" in data)
        while time.process_time() < end:
            pass

    def keep(data: bytes) -> object:
        return [bytes(2_000_000)] if b"24" in data else None

    def turn(data: bytes) -> None:
        while b"24" in data:
            pass

    monkeypatch.setattr(fuzz_records, "SECONDS_OF_ANY", 0.01)
    monkeypatch.setattr(fuzz_records, "MEASURED", 1)
    assert run(toil, "--inputs=4") == 1
    assert "takes too long" in capsys.readouterr().err
    assert run(keep, "--inputs=4") == 1
    assert "takes too much memory" in capsys.readouterr().err
    monkeypatch.setattr(fuzz_records, "STOPPED_AFTER", 0.02)
    assert run(turn, "--inputs=4") == 1
    assert "does not end" in capsys.readouterr().err


@pytest.mark.parametrize("mutation", [*dict.fromkeys(MUTATIONS), *RARE], ids=lambda m: m.__name__)
def test_every_damage_is_done_to_any_text(mutation: object) -> None:
    text = SEEDS["mat"][0]
    made = {mutation(Random(n), text, b"x y\nz") for n in range(60)}  # type: ignore[operator]
    assert made - {text}
    for odd in (b"", b"\n", b"\xff\x00", b"7"):
        for n in range(20):
            mutation(Random(n), odd, odd)  # type: ignore[operator]


def test_damaged_texts_stay_bounded_and_some_are_whole() -> None:
    made = [damaged(Random(n), SEEDS["mat"]) for n in range(400)]
    assert max(map(len, made)) <= MOST_BYTES
    assert SEEDS["mat"][0] in made and len({*made}) > 250


def test_an_input_is_made_as_small_as_it_can_be() -> None:
    assert smallest(b"a lot of words, and :: in it", lambda text: b"::" in text) == b"::"
    assert smallest(b"x" * 1000, lambda text: len(text) >= 7) == b"x" * 7
