"""Why a play is refused: cases made by hand for every reason, and the play that is right."""

import json
import re
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import nardy
from nardy.errors import REASONS
from proof.reading import Law, routes

Case = dict[str, Any]

PATH = Path(__file__).parent / "data" / "refusals.json"
CASES: list[Case] = json.loads(PATH.read_text(encoding="utf-8"))
LONG_ONLY = {"must_bear_off", "head_rule", "block"}
SHORT_ONLY = {"bar_first", "ambiguous"}

each_case = pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])


def position_of(case: Case, make_rules: Any) -> nardy.Position:
    sides = (
        {p if p == "bar" else int(p): count for p, count in case[side].items()}
        for side in ("own", "opponent")
    )
    return nardy.Position.from_points(*sides, rules=make_rules(case["game"], **case["options"]))


def ways_of(text: str) -> list[tuple[int, ...]]:
    """Read "24/18/13 13/8(2)"; the words are the test's own, so they are plain."""
    ways = []
    for word in [] if text == "pass" else text.replace("*", "").split():
        way, _, count = word.rstrip(")").partition("(")
        points = [
            {"bar": 25, "off": 0}.get(p) or int(p.replace("off", "0")) for p in way.split("/")
        ]
        ways += [tuple(points)] * int(count or 1)
    return ways


def in_path_points(text: str) -> str:
    return re.sub(r"(?<!\()\d+", lambda found: str(25 - int(found[0])), text)


def law_of(case: Case, make_rules: Any) -> Law:
    position = position_of(case, make_rules)
    return Law(position.row.tolist(), case["roll"], position.rules)


# --- the cases against the law


@each_case
def test_the_reference_refuses_it(case: Case, make_rules: Any) -> None:
    law = law_of(case, make_rules)
    assert law.read(ways_of(case["play"])).reasons == {case["reason"]}


@each_case
def test_the_referee_says_the_same_of_some_order(case: Case, make_rules: Any) -> None:
    law = law_of(case, make_rules)
    ways = ways_of(case["play"])
    if all(len(way) == 2 and max(map(len, routes(*way, law.dice)), default=1) == 1 for way in ways):
        play = tuple((way[0], way[1]) for way in ways)
        reasons = (
            {law.fault(play[:1])} if len(play) == 1 else set(map(law.fault, permutations(play)))
        )
        assert case["reason"] in reasons and None not in reasons


@each_case
def test_the_reference_takes_the_right_one(case: Case, make_rules: Any) -> None:
    law = law_of(case, make_rules)
    if case["right"] is None:
        assert not law.plays
    else:
        assert law.read(ways_of(case["right"])).after in law.plays


def test_every_reason_has_three_cases_in_each_game_that_has_it() -> None:
    reasons = Counter(case["reason"] for case in CASES)
    assert reasons.keys() == {*REASONS} and min(reasons.values()) >= 3
    for game, others in (("long", SHORT_ONLY), ("short", LONG_ONLY)):
        assert {case["reason"] for case in CASES if case["game"] == game} == {*REASONS} - others


# --- the package


@each_case
@pytest.mark.parametrize("numbering", ["distance", "path"])
def test_it_is_refused(case: Case, numbering: str, make_rules: Any) -> None:
    position = position_of(case, make_rules)
    if numbering == "path" and case["game"] == "short":
        with pytest.raises(ValueError, match="path"):
            position.plays(case["roll"]).find(case["play"], numbering=numbering)
        return
    text = in_path_points(case["play"]) if numbering == "path" else case["play"]
    for seen in (position, position.flip().flip()):
        plays = seen.plays(case["roll"])
        with pytest.raises(nardy.IllegalPlay) as caught:
            plays.find(text, numbering=numbering)
        assert caught.value.reason == case["reason"], caught.value
        assert numbering == "path" or case["phrase"] in str(caught.value)
        assert text not in plays or numbering == "path"
        with pytest.raises(nardy.IllegalPlay) as caught:
            seen.play(text, roll=case["roll"], numbering=numbering)
        assert caught.value.reason == case["reason"]


def test_the_message_counts_as_the_text_does() -> None:
    # Rules 1: the other head, distance 12, is path point 13.
    position = nardy.Position.from_points({24: 14, 18: 1}, {24: 14, 22: 1}, rules="long")
    with pytest.raises(nardy.IllegalPlay, match="13 is closed"):
        position.play("1/6 7/13", roll=(6, 5), numbering="path")


@each_case
def test_the_right_one_is_taken(case: Case, make_rules: Any) -> None:
    position, text = position_of(case, make_rules), case["right"]
    plays = position.plays(case["roll"])
    if text is None:
        assert len(plays) == 0
        return
    after = law_of(case, make_rules).read(ways_of(text)).after
    assert text in plays
    assert tuple(plays.find(text).after.row.tolist()) == after
    assert position.play(text, roll=case["roll"]) == plays.find(text).after
    if case["game"] == "long":
        assert plays.find(in_path_points(text), numbering="path") == plays.find(text)


@pytest.mark.parametrize(
    ("game", "roll", "text"),
    [
        ("long", (6, 5), "24/18*/13"),  # rules 1: nothing is ever hit
        ("long", (6, 5), "24/13*"),
        ("short", (3, 1), "8/5* 6/5"),
        ("short", (6, 5), "24/18*/13"),
        ("short", (6, 5), "24/13 off"),
        ("short", (6, 5), "24-13"),
        ("short", (6, 5), "24"),
        ("short", (6, 5), "26/20 24/19"),
        ("long", (6, 5), ""),
    ],
)
def test_what_is_no_wording_is_no_illegal_play(game: str, roll: tuple[int, int], text: str) -> None:
    plays = nardy.Position.start(game).plays(roll)
    with pytest.raises(nardy.InvalidNotation):
        plays.find(text)
