"""The command ``nardy bearoff``."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import nardy
from nardy import bearoff, cli
from nardy.draw.bars import svg_bars, text_bars


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.main(["bearoff", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_build_says_the_size_first_and_where_the_table_is(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["build", "one-sided", "--checkers", "5", "--path", str(tmp_path)]
    code, out, err = run(capsys, *words)
    assert code == 0
    assert err.startswith("140.4 kB; to build it takes")
    table = bearoff.one_sided(6, 5, path=tmp_path)
    assert out == f"{table.file}: 462 x {table.data.shape[1]} numbers\n"
    assert run(capsys, *words, "--json")[1].strip() == json.dumps(
        {"file": str(table.file), "shape": list(table.data.shape)}
    )


def test_build_takes_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(
        capsys, "build", "two-sided", "--checkers", "5", "--path", str(tmp_path),
        "--set", "checkers=5", "--set", "bearoff_overshoot=any", "--threads", "2",
    )  # fmt: skip
    assert code == 0 and "two-sided-6x5-bearoff_overshoot=any-total=5-" in out
    rules = nardy.LONG.replace(checkers=5, bearoff_overshoot="any")
    assert bearoff.two_sided(6, 5, rules, path=tmp_path).has_mars


def test_the_number_of_checkers_has_a_default(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert "two-sided-2x6-" in run(
        capsys, "build", "two-sided", "--points", "2", "--path", str(tmp_path)
    )[1]  # fmt: skip
    few = ["--points", "2", "--set", "checkers=7", "--path", str(tmp_path)]
    assert "one-sided-2x7-" in run(capsys, "build", "one-sided", *few)[1]


def test_build_refuses_what_is_too_large(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "build", "two-sided", "--checkers", "10", "--limit", "500")
    assert (code, out) == (2, "")
    assert "2.1 GB; to build it takes 2.1 GB" in err
    assert "nardy: error: limit: the two-sided table of 6 points" in err


@pytest.mark.parametrize(
    "words",
    [
        ["build"],
        ["build", "three-sided"],
        ["build", "one-sided", "--points", "11"],
        ["build", "one-sided", "--checkers", "0"],
        ["show", "start"],
        ["show", "7:1/1:1"],
        [],
    ],
    ids=str,
)
def test_wrong_usage_is_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "") and err


def test_show_prints_numbers_and_bars(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "show", "6:15 / 1:15")
    assert (code, err) == (0, "")
    assert "rolls          12.2662, standard deviation 1.5125" in out
    assert "effective pips 100.17 of 90" in out
    assert "first one off  1.6161" in out
    assert "\nwin            0.3781%" in out and "\nlose mars      0.0004%" in out
    assert out.rstrip().splitlines()[-1].split()[0].isdigit()


def test_show_leaves_the_chances_out_where_the_other_side_is_not_covered(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = run(capsys, "show", "6:1 / 12:15")
    assert code == 0 and "win" not in out
    assert json.loads(run(capsys, "show", "6:1 / 12:15", "--json")[1])["race"] is None


def test_show_writes_json(capsys: pytest.CaptureFixture[str]) -> None:
    said = json.loads(run(capsys, "show", "6:1 / 6:1", "--rules", "short", "--json")[1])
    assert said["mean"] == 1.25 and said["distribution"][:3] == [0, 0.75, 0.25]
    assert said["race"]["win"] == pytest.approx(0.8125)


def test_show_writes_a_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bars.svg"
    assert run(capsys, "show", "6:15 / 1:15", "--svg", str(path))[0] == 0
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    bars = [part for part in root.iter() if part.tag.endswith("rect")]
    assert len(bars) > 5 and root[0].text == "90 pips, 12.266 rolls"


def test_bars_leave_out_what_is_next_to_nothing() -> None:
    chances = [0, 1e-9, 0.5, 0, 0.5, 1e-9]
    assert [line.split()[0] for line in text_bars(chances, what="rolls").splitlines()] == [
        "rolls", "2", "3", "4",
    ]  # fmt: skip
    assert svg_bars(chances, title="a < b & c", what="rolls").count("<rect") == 3
    assert "a &lt; b &amp; c" in svg_bars(chances, title="a < b & c", what="rolls")


@pytest.mark.parametrize("chances", [[1.0], [0, 1.0]])
def test_one_bar_is_drawn(chances: list[float]) -> None:
    assert "100.00%" in text_bars(chances, what="rolls")
    ElementTree.fromstring(svg_bars(chances, title="", what="rolls"))
