"""`nardy play`, driven as people drive it: by lines typed at a terminal."""

from __future__ import annotations

import os
import random
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import nardy
from nardy import cli, events
from nardy.endings import Result
from nardy.telling import header, told

pty: Any = pytest.importorskip("pty")

PATIENCE = 30.0  # seconds; a busy machine is slow
ROOT = Path(nardy.__file__).resolve().parents[1]


class Terminal:
    """A terminal with `nardy play` on it."""

    def __init__(self, *words: str) -> None:
        # The inner end stays open here too: closed by the last process, it may take with it what
        # that one wrote last.
        self.fd, self.inside = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nardy", "play", *words],
            stdin=self.inside,
            stdout=self.inside,
            stderr=self.inside,
            start_new_session=True,
            # Where the tests run in the background the signal is ignored, and that is inherited.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"},
        )
        self.shown = ""

    def see(self, pattern: str) -> str:
        """Read until a pattern is shown; return what was up to its end, and look on from there."""
        until = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.shown)):
            left = until - time.monotonic()
            assert left > 0 and self.read(left), f"{pattern!r} is not shown in\n{self.shown}"
        seen, self.shown = self.shown[: found.end()], self.shown[found.end() :]
        return seen

    def read(self, seconds: float) -> bool:
        """Read what is shown next; false if nothing comes any more, or not in time."""
        until = time.monotonic() + seconds
        while not select.select([self.fd], [], [], 0.05)[0]:
            if self.process.poll() is not None and not select.select([self.fd], [], [], 0.05)[0]:
                return False
            if time.monotonic() > until:
                return False
        self.shown += os.read(self.fd, 65536).decode().replace("\r\n", "\n")
        return True

    def say(self, line: str) -> None:
        os.write(self.fd, f"{line}\n".encode())

    def ask(self, line: str) -> str:
        """Type a line at the question that stands there; return the screen with the next one."""
        self.say(line)
        return self.see(r"\[[^]]*\]: ").rpartition("\x1b[H\x1b[2J")[2]

    def end(self, seconds: float = PATIENCE) -> int | None:
        """Read to the end and return the exit code; None if it does not come in time."""
        while self.read(seconds):
            pass
        return self.process.poll()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.inside)
        os.close(self.fd)


@pytest.fixture
def sit() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(*words: str) -> Terminal:
        opened.append(Terminal(*words))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


# --- a turn


def test_two_people_move_take_back_and_end_the_turn(sit: Callable[..., Terminal]) -> None:
    table = sit("--rules", "short", "--seed", "3")
    assert "short nardy for money, game 1, X 0, O 0, seed 3" in table.see(r"\[roll, help, quit\]: ")
    seen = table.ask("")
    assert "one die each: X 5, O 3: X starts" in seen
    assert seen.endswith("X 5-3 [a play, done, plays, help, quit]: ")
    # One checker, and back again.
    seen = table.ask("13/8")
    assert "moved: 13/8\n" in seen and "undo" in seen
    assert "13/8: the 3 is still to be played" in table.ask("done")
    # Of a line that cannot be done as a whole nothing is done.
    seen = table.ask("13/10 24/1")
    assert "24/1: " in seen and "moved: 13/8\n" in seen
    seen = table.ask("undo")
    assert "moved:" not in seen and "undo" not in seen
    # What is illegal says why, and changes nothing.
    seen = table.ask("24/18")
    assert "24/18: " in seen and "moved:" not in seen
    assert "no half-move" in table.ask("24-19")
    listed = re.findall(r"^(\d+)\. (\S.*)$", table.ask("plays"), re.MULTILINE)
    assert [words for _, words in listed] == [
        str(play) for play in nardy.Position.start("short").plays("53")
    ]
    assert "play number 99: there are" in table.ask("99")
    # A whole play, or its number.
    number = next(number for number, words in listed if words == "8/3 6/3")
    assert "moved: 8/3 6/3\n" in table.ask(number)
    assert "undo what is moved" in table.ask(number)
    table.ask("undo")
    assert "moved:" not in table.ask("undo")
    assert "moved: 8/3 6/3\n" in table.ask("6/3 8/3")
    seen = table.ask("")
    assert "X plays 8/3 6/3" in seen and seen.endswith("O [roll, double, help, quit]: ")
    # O sees the board from its side, and the letters stay: X's point 3 is O's 22.
    assert re.search(r"^\| O           X    \|   \| X        X     O \|$", seen, re.MULTILINE)
    table.say("quit")
    assert table.see("left the table") and table.end() == 0


def test_long_nardy_by_the_path(sit: Callable[..., Terminal]) -> None:
    table = sit("--numbering", "path", "--seed", "1")
    table.see(r"\]: ")
    while not (seen := table.ask("")).endswith("help, quit]: ") or "a play" not in seen:
        pass
    assert " 12 11 10  9  8  7       6  5  4  3  2  1\n" in seen
    first = re.findall(r"^1\. (\S.*)$", table.ask("plays"), re.MULTILINE)[0]
    assert first.startswith("1/")
    assert f"moved: {first}\n" in table.ask(first)
    assert f"plays {first}\n" in table.ask("done")


def test_beginnings_of_words_and_what_cannot_be_done(sit: Callable[..., Terminal]) -> None:
    table = sit("--rules", "short", "--seed", "3", "--set", "resign=true")
    table.see(r"\]: ")
    assert "take: one die each has to say first who starts; try roll" in table.ask("take")
    assert "'foo' cannot be done now; try roll" in table.ask("foo")
    table.ask("r")
    assert "beginnings will do; Enter: done" in table.ask("h")
    table.ask("8/3 6/3")
    table.ask("do")
    assert "'r' may be roll or resign" in table.ask("r")
    assert "O doubles to 2" in table.ask("dou")


def test_what_has_its_moment_says_why_it_is_not_now(sit: Callable[..., Terminal]) -> None:
    table = sit("--rules", "short", "--seed", "3")
    table.see(r"\]: ")
    table.ask("roll")
    assert "double: the dice are thrown: play them; try done" in table.ask("double")
    assert "resign: these rules know no giving up" in table.ask("resign")
    table.ask("8/3 6/3")
    table.ask("done")
    table.ask("double")
    table.ask("take")
    table.ask("roll")
    table.ask("1")
    table.ask("done")
    table.ask("roll")
    table.ask("1")
    table.ask("done")
    assert "double: the cube is X's; try roll" in table.ask("double")


# --- the cube, the end of a game, the match


def test_double_take_and_drop(sit: Callable[..., Terminal]) -> None:
    table = sit("--rules", "short", "--seed", "3", "--length", "3")
    table.see(r"\]: ")
    for line in ("", "8/3 6/3", ""):
        table.ask(line)
    seen = table.ask("double")
    assert "O doubles to 2" in seen and seen.endswith("X [take, drop, help, quit]: ")
    seen = table.ask("take")
    assert "X takes at 2" in seen and "cube 2 owned by X" in seen
    assert seen.endswith("O [roll, help, quit]: ")
    table.ask("")
    table.ask("1")
    assert table.ask("").endswith("X [roll, double, help, quit]: ")
    assert "X doubles to 4" in table.ask("double")
    seen = table.ask("drop")
    assert "O drops\nX wins 2 points\n" in seen and seen.endswith("\n[next, help, quit]: ")
    # The winner starts, the game is Crawford's, and nobody may double in it.
    seen = table.ask("")
    assert "game 2, X 2, O 0" in seen and "Crawford game: no cube" in seen
    table.ask("")
    table.ask("1")
    assert table.ask("").endswith("O [roll, help, quit]: ")


def test_giving_up_wants_a_yes_and_ends_the_match(sit: Callable[..., Terminal]) -> None:
    table = sit("--seed", "1", "--set", "resign=true", "--length", "2")
    table.see(r"\]: ")
    while not (seen := table.ask("")).endswith("resign, help, quit]: "):
        pass
    side = seen.rpartition("\n")[2][0]
    other = "XO"["XO".index(side) - 1]
    assert "resign: say oin, mars, koks, not 'everything'" in table.ask("resign everything")
    table.say("resign mars")
    table.see(f"{other}: {side} gives up, mars: yes or no\\? ")
    assert f"{other} plays on" in table.ask("no")
    table.say("resign mars")
    table.see("yes or no")
    table.say("yes")
    seen = table.see("wins the match, 2 to 0")
    assert f"{side} gives up: mars\n{other} wins 2 points, mars\n" in seen
    assert table.end() == 0


@pytest.mark.parametrize("rules", ["long", "short"])
def test_a_whole_game_against_chance(sit: Callable[..., Terminal], rules: str) -> None:
    table = sit("--rules", rules, "--seed", "5", "--random", "o", "--length", "1")
    seen = table.see(r"\]: ")
    for _ in range(1000):
        assert "O [" not in seen, "chance was asked"
        table.say(
            "1" if "a play" in seen and "undo" not in seen and "no checker" not in seen else ""
        )
        seen = table.see(r"\]: |wins the match.*\n")
        if "wins the match" in seen:
            break
    won = re.search(r"^([XO]) wins the match, [123] to 0$", seen, re.MULTILINE)
    assert won and re.search(rf"^{won[1]} wins [123] points?", seen, re.MULTILINE)
    assert f"{won[1]} 15" in seen.rpartition("off: ")[2].partition("\n")[0]
    assert table.end() == 0


# --- the clock


def test_the_time_of_a_side_runs_out_while_it_thinks(sit: Callable[..., Terminal]) -> None:
    table = sit("--rules", "short", "--seed", "3", "--set", "clock=1,0.5")
    assert "clock: X 1 s + 0:00, O 1 s + 0:00" in table.see(r"\]: ")
    table.ask("")
    # Nothing is typed any more.
    seen = table.see(r"\[next, help, quit\]: ")
    assert "the time of X is up\nO wins 1 point\n" in seen


def test_where_no_alarm_can_be_set_the_time_is_looked_at_after_the_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def typed(question: str) -> str:
        asked.append(question)
        if "next" in question or len(asked) > 10:
            raise EOFError
        time.sleep(0.05)
        return ""

    monkeypatch.delattr(signal, "setitimer")
    monkeypatch.setattr("builtins.input", typed)
    clock = ("--set", "clock=0.01,0.01")
    assert cli.main(["play", "--rules", "short", "--seed", "3", *clock]) == 0
    assert "the time of X is up\nO wins 1 point\n" in capsys.readouterr().out


def test_what_a_turn_took_is_counted(sit: Callable[..., Terminal]) -> None:
    table = sit("--rules", "short", "--seed", "3", "--set", "clock=0,3600")
    assert "clock: X 0 s + 60:00, O 0 s + 60:00" in table.see(r"\]: ")
    for line in ("", "8/3 6/3"):
        table.ask(line)
    time.sleep(1.1)
    assert re.search(r"clock: X 0 s \+ 59:5\d, O 0 s \+ 60:00", table.ask(""))


# --- leaving


def test_the_end_of_what_is_typed_leaves_the_table(sit: Callable[..., Terminal]) -> None:
    table = sit()
    table.see(r"\]: ")
    os.write(table.fd, b"\x04")
    assert table.see("left the table") and table.end() == 0


def test_an_interruption_is_said(sit: Callable[..., Terminal]) -> None:
    table = sit()
    table.see(r"\]: ")
    # Between the prompt and the wait for a line an interruption may come too early to end the
    # wait; people press again, and so does this.
    for _ in range(6):
        table.process.send_signal(signal.SIGINT)
        if table.end(PATIENCE / 6) == 130:
            break
    assert "nardy: interrupted" in table.shown


def test_wrong_use_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["play", "--rules", "short", "--numbering", "path"]) == 2
    assert "numbering 'path' is for long nardy" in capsys.readouterr().err
    assert cli.main(["play", "--length", "0"]) == 2
    assert "must be an int >= 1, not '0'" in capsys.readouterr().err


def test_lines_from_a_pipe_are_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = iter(["roll", "quit"])
    monkeypatch.setattr(
        "builtins.input", lambda question: (print(question, end=""), next(lines))[1]
    )
    assert cli.main(["play", "--rules", "short", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    assert "[roll, help, quit]: roll\n" in out and "\x1b" not in out


NONSENSE = (
    "roll done double take drop beaver raccoon resign help next undo plays yes no pass 1 2 3 99 0 "
    "-1 24/18 13/7 bar/20 6/off x/y 24/ / é ² 24/18* 8/5(20) 24/24 p r"
).split()


@pytest.mark.parametrize("seed", range(8))
def test_no_line_breaks_the_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    choices, left = random.Random(seed), iter(range(400))

    def typed(question: str) -> str:
        if next(left, None) is None:
            raise EOFError
        return choices.choice(["", "1", *NONSENSE, " ".join(choices.choices(NONSENSE, k=3))])

    monkeypatch.setattr("builtins.input", typed)
    rules = "short-money" if seed % 2 else "long"
    options = ["--set", "resign=true", "--set", "cube=true", "--set", "raccoon=true"]
    words = ["play", "--seed", str(seed), "--rules", rules, *options]
    words += ["--set", "clock=0.001,0.2"] if seed % 4 >= 2 else []
    assert cli.main([*words, "--random", "x"] if seed >= 4 else words) == 0
    out, err = capsys.readouterr()
    assert err == "" and out.count("\n") > 400 and "Traceback" not in out


# --- words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (events.RolledOff((3, 3)), "one die each: X 3, O 3: a tie"),
        (events.RolledOff((3, 4)), "one die each: X 3, O 4: O starts"),
        (events.Rolled(1, (6, 5)), "O rolls 6-5"),
        (events.Offered(0, 2), "X doubles to 2"),
        (events.Taken(1, 2), "O takes at 2"),
        (events.Dropped(1), "O drops"),
        (events.Beavered(1, 4), "O beavers to 4"),
        (events.Raccooned(0, 8), "X raccoons to 8"),
        (events.Resigned(0, "koks"), "X gives up: koks"),
        (events.Flagged(1), "the time of O is up"),
        (events.Drank(0, 1), "X drinks 1 glass"),
        (events.Drank(0, 4), "X drinks 4 glasses"),
        (events.Scored(Result(1, 1, "oin", "dropped")), "O wins 1 point"),
        (events.Scored(Result(0, 6, "koks", "borne_off")), "X wins 6 points, koks"),
        (events.Scored(Result(None, 0, None, "draw")), "a draw"),
        (events.GameStarted(1, (2, 0), 0, True), "game 2, the Crawford game"),
        (events.GameStarted(1, (2, 0), 0, False), "game 2"),
        (events.MatchWon(1, (3, 5)), "O wins the match, 5 to 3"),
    ],
)
def test_events_in_words(event: events.Event, words: str) -> None:
    assert told(event) == words


def test_every_event_of_a_game_has_words() -> None:
    match = nardy.Match(nardy.SHORT.replace(drinkgammon=True), length=3, seed=11)
    said: list[str] = []
    match.subscribe(lambda event: said.append(told(event)))
    while not match.is_over:
        if match.game.is_over:
            match.next_game()
        match.game.roll()
        match.game.push(match.game.plays[0])
    assert any("drinks" in line for line in said) and any("passes" in line for line in said)
    assert said[-1].startswith(("X wins the match", "O wins the match"))


def test_what_is_no_event_is_refused() -> None:
    with pytest.raises(TypeError, match="event must be one that games tell"):
        told("rolled")  # type: ignore[arg-type]


def test_clocks_in_the_header() -> None:
    match = nardy.Match("short", length=None, seed=0, clock=nardy.Clock.fischer(125, 5))
    assert "clock: X 2:05, O 2:05" in header(match, 0)
