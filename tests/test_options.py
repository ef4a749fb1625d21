"""Options and presets: docs/rules.md §9 to the letter."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nardy.errors import REASONS, IllegalPlay, InvalidNotation, InvalidPosition
from nardy.options import LONG, PRESETS, SHORT, Rules, rules

# §9 again, as data of the test: option -> (games that have it, default, further values).
BOTH, ONLY_LONG, ONLY_SHORT = ("long", "short"), ("long",), ("short",)
SECTION_9: dict[str, tuple[tuple[str, ...], object, list[object]]] = {
    "opening": (BOTH, "reroll", ["use_rolloff"]),
    "next_starter": (BOTH, "winner", ["other", "roll"]),
    "cube": (BOTH, False, [True]),
    "cube_from_turn": (BOTH, 2, [1, 3]),
    "cube_max": (BOTH, None, [1, 2, 64, 1024]),
    "beaver": (BOTH, False, [True]),
    "raccoon": (BOTH, False, [True]),
    "raccoon_owner": (BOTH, "raccooner", ["beaverer"]),
    "jacoby": (BOTH, False, [True]),
    "crawford": (BOTH, True, [False]),
    "automatic_doubles": (BOTH, 0, [1, 7, 1000]),
    "last_roll": (BOTH, "none", ["second_player", "openspiel"]),
    "resign": (BOTH, False, [True]),
    "clock": (BOTH, None, ["blitz", "normal", "slow", (15, 90), (12.5, 0)]),
    "checkers": (ONLY_LONG, 15, [*range(5, 15)]),
    "doubles_moves": (ONLY_LONG, 4, [2]),
    "head": (
        ONLY_LONG,
        "blocked",
        [
            "blocked_double",
            "named",
            "listed",
            "any_double_first",
            "any_double",
            "none",
            "free",
        ],
    ),
    "head_doubles": (ONLY_LONG, {3, 4, 6}, [{4, 6}, set(), {1, 2, 3, 4, 5, 6}]),
    "head_side": (ONLY_LONG, "both", ["second"]),
    "block": (ONLY_LONG, "ahead", ["home", "never", "strict", "free"]),
    "block_check": (ONLY_LONG, "step", ["turn_end"]),
    "bearoff_overshoot": (ONLY_LONG, "farthest", ["any", "exact"]),
    "bearoff_mandatory": (ONLY_LONG, False, [True]),
    "koks": (ONLY_LONG, "none", ["first_quarter", "no_home"]),
    "layout": (ONLY_LONG, "head", []),
    "drinkgammon": (ONLY_SHORT, False, [True]),
    "drink_doubles": (ONLY_SHORT, False, [True]),
}
BY_GAME = {"long": LONG, "short": SHORT}
CASES = [
    (game, name, value)
    for name, (games, default, more) in SECTION_9.items()
    for game in games
    for value in (default, *more)
]

some_rules = st.sampled_from(["long", "short"]).flatmap(
    lambda game: st.fixed_dictionaries(
        {},
        optional={
            name: st.sampled_from([default, *more])
            for name, (games, default, more) in SECTION_9.items()
            if game in games
        },
    ).map(lambda chosen: Rules(game, **chosen))
)


def evaluated(text: str) -> object:
    return eval(text, {"Rules": Rules})


@pytest.mark.parametrize("game", ["long", "short"])
def test_every_option_of_section_9_is_an_attribute_with_its_default(game: str) -> None:
    chosen = Rules(game)
    for name, (_, default, _) in SECTION_9.items():
        expected = {"opening": "use_rolloff", "cube": True}.get(name, default)
        assert getattr(chosen, name) == (expected if game == "short" else default), name
    assert {field.name for field in fields(Rules)} == {*SECTION_9, "game", "codes", "_text"}


@pytest.mark.parametrize(("game", "name", "value"), CASES)
def test_every_value_of_section_9_is_accepted_and_kept(game: str, name: str, value: Any) -> None:
    chosen = BY_GAME[game].replace(**{name: value})
    assert getattr(chosen, name) == value
    assert chosen == Rules(game, **{name: value})
    assert evaluated(repr(chosen)) == chosen


@pytest.mark.parametrize(("game", "name"), [("short", "head"), ("long", "drinkgammon")])
def test_an_option_of_the_other_game_says_which_game_has_it(game: str, name: str) -> None:
    value = SECTION_9[name][1]
    other = "long" if game == "short" else "short"
    with pytest.raises(ValueError, match=f"'{name}' is an option of {other} nardy"):
        BY_GAME[game].replace(**{name: value})


def test_an_unknown_option_is_answered_with_those_of_the_game() -> None:
    with pytest.raises(ValueError) as error:
        LONG.replace(heads="named")
    named = [name for name, (games, _, _) in SECTION_9.items() if "long" in games]
    assert "'heads'" in str(error.value)
    assert all(name in str(error.value) for name in named)
    assert "drinkgammon" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("head", "Blocked", "'blocked', 'blocked_double', 'named', 'listed'"),
        ("opening", "", "'reroll', 'use_rolloff'"),
        ("clock", "fast", "None, 'blitz', 'normal', 'slow' or"),
        ("clock", (15,), "None, 'blitz', 'normal', 'slow' or"),
        ("clock", (-1, 10), "finite"),
        ("clock", (0, 0), "some time"),
        ("clock", (1, float("nan")), "finite"),
        ("clock", (float("inf"), 1), "finite"),
        ("clock", (10**400, 1), "finite"),
        ("cube_max", 3, "a power of two"),
        ("cube_max", 0, "a power of two"),
        ("cube_max", -2, "a power of two"),
        ("cube_from_turn", 0, ">= 1"),
        ("automatic_doubles", -1, "0..1000"),
        ("automatic_doubles", 1001, "0..1000"),
        ("checkers", 4, "5..15"),
        ("checkers", 16, "5..15"),
        ("doubles_moves", 3, "4, 2"),
        ("head_doubles", {0, 3}, "1..6"),
        ("head_doubles", [7], "1..6"),
        ("layout", "off_board", "named by a source that gives no rule"),
        ("layout", "stack", "'head'"),
    ],
)
def test_a_wrong_value_is_a_value_error_with_those_allowed(
    name: str, value: Any, wanted: str
) -> None:
    with pytest.raises(ValueError) as error:
        LONG.replace(**{name: value})
    assert name in str(error.value)
    assert wanted in str(error.value)
    assert repr(value) in str(error.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("head", 3),
        ("head", None),
        ("block", np.array(["ahead", "home"])),
        ("layout", np.zeros(2)),
        ("cube", 1),
        ("crawford", None),
        ("bearoff_mandatory", np.bool_(True)),
        ("checkers", 15.0),
        ("checkers", "15"),
        ("checkers", True),
        ("checkers", np.array([15, 15])),
        ("doubles_moves", 4.0),
        ("cube_max", 64.0),
        ("automatic_doubles", False),
        ("head_doubles", 3),
        ("head_doubles", "346"),
        ("head_doubles", [3.0]),
        ("head_doubles", [True]),
        ("clock", 15),
        ("clock", ("15", "90")),
        ("clock", (True, 90)),
        ("clock", np.array([15, 90])),
    ],
)
def test_a_wrong_kind_is_a_type_error(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=name):
        LONG.replace(**{name: value})


@pytest.mark.parametrize("game", ["Long", "narde", ""])
def test_an_unknown_game_is_refused(game: str) -> None:
    with pytest.raises(ValueError, match="game must be one of 'long', 'short'"):
        Rules(game)


def test_the_game_is_no_option() -> None:
    with pytest.raises(ValueError, match="no option"):
        LONG.replace(game="short")


def test_whole_numbers_and_iterables_are_stored_in_one_form() -> None:
    chosen = LONG.replace(checkers=np.int64(9), head_doubles=iter([6, 4, 6]), clock=[15, 90])
    assert type(chosen.checkers) is int
    assert chosen.head_doubles == frozenset({4, 6}) and type(chosen.head_doubles) is frozenset
    assert chosen.clock == (15, 90)
    assert repr(chosen) == ("Rules('long', clock=(15.0, 90.0), checkers=9, head_doubles={4, 6})")


@given(some_rules)
def test_rules_survive_repr_pickle_and_copy(chosen: Rules) -> None:
    copies = [
        evaluated(repr(chosen)),
        pickle.loads(pickle.dumps(chosen)),
        copy.copy(chosen),
        copy.deepcopy(chosen),
        chosen.replace(),
    ]
    for other in copies:
        assert isinstance(other, Rules)
        assert other == chosen and hash(other) == hash(chosen)
        assert repr(other) == repr(chosen) and other.codes == chosen.codes


@given(some_rules, some_rules)
def test_equality_and_order_go_by_value(one: Rules, two: Rules) -> None:
    alike = all(getattr(one, name) == getattr(two, name) for name in ("game", *SECTION_9))
    assert (one == two) is alike
    assert (one < two) + (one > two) + (one == two) == 1
    assert one != repr(one)


@given(some_rules, st.sampled_from([*SECTION_9]))
def test_replace_changes_one_option_and_no_other(chosen: Rules, name: str) -> None:
    games, _, more = SECTION_9[name]
    if chosen.game not in games or not more:
        return
    changed = chosen.replace(**{name: more[-1]})
    assert getattr(changed, name) == more[-1]
    for other in SECTION_9:
        if other != name:
            assert getattr(changed, other) == getattr(chosen, other)


def test_rules_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        LONG.head = "named"  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        LONG.novel = 1  # type: ignore[attr-defined]


def test_codes_are_the_places_of_the_values_in_section_9() -> None:
    assert LONG.codes == (0, 15, 4, 0, 0b1011000, 0, 0, 0, 0, 0, 0)
    assert SHORT.replace(jacoby=True, drinkgammon=True).codes == (1, 15, 4, *[0] * 8)
    places = {"head": 3, "head_side": 5, "block": 6, "block_check": 7}
    places |= {"bearoff_overshoot": 8, "bearoff_mandatory": 9, "koks": 10}
    for name, place in places.items():
        _, default, more = SECTION_9[name]
        values = [default, *more]
        assert [LONG.replace(**{name: value}).codes[place] for value in values] == [
            *range(len(values))
        ]
    assert LONG.replace(checkers=5, doubles_moves=2).codes[1:3] == (5, 2)
    assert LONG.replace(head_doubles={1, 6}).codes[4] == 1 << 1 | 1 << 6


def test_presets_are_those_of_section_9() -> None:
    assert dict(PRESETS) == {
        "long": Rules("long"),
        "long-fnr2026": Rules(
            "long",
            opening="use_rolloff",
            next_starter="roll",
            head="named",
            head_side="second",
            block="ahead",
            block_check="step",
            bearoff_overshoot="farthest",
            koks="none",
            cube=True,
        ),
        "long-ua": Rules("long", block="home"),
        "long-by": Rules("long", head="any_double", bearoff_overshoot="any"),
        "long-az": Rules("long", head="named", head_doubles={4, 6}),
        "long-portal": Rules("long", head="blocked_double"),
        "long-openspiel": Rules("long", opening="use_rolloff", head="none"),
        "short": Rules("short"),
        "short-money": Rules("short", jacoby=True, beaver=True),
        "short-match": Rules("short", crawford=True),
    }
    assert all(rules(name) is preset for name, preset in PRESETS.items())
    with pytest.raises(TypeError):
        PRESETS["mine"] = LONG  # type: ignore[index]


def test_rules_takes_a_name_or_rules_and_nothing_else() -> None:
    mine = LONG.replace(koks="no_home")
    assert rules(mine) is mine
    with pytest.raises(ValueError) as error:
        rules("long-fnr")
    assert all(repr(name) in str(error.value) for name in PRESETS)
    for wrong in (None, 1, ("long",), b"long"):
        with pytest.raises(TypeError, match="rules must be"):
            rules(wrong)  # type: ignore[arg-type]


def test_errors_are_value_errors_and_carry_their_reason() -> None:
    for kind in (InvalidPosition, InvalidNotation, IllegalPlay):
        assert issubclass(kind, ValueError)
    for reason in REASONS:
        error = pickle.loads(pickle.dumps(IllegalPlay("24/18: no", reason=reason)))
        assert (error.reason, str(error)) == (reason, "24/18: no")
    assert len(REASONS) == len(set(REASONS)) == 16
    with pytest.raises(ValueError, match="reason must be one of not_your_checker"):
        IllegalPlay("24/18: no", reason="bad")
