"""Tables on disk: opened as they were built, refused if they are not that, safe from builders."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nardy
from nardy import bearoff, cli
from nardy.bearoff import store
from nardy.bearoff.variants import variant_of

SMALL: dict[str, Any] = {"points": 6, "checkers": 4}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one small table of each kind."""
    bearoff.one_sided(**SMALL, path=tmp_path)
    bearoff.two_sided(**SMALL, path=tmp_path)
    return tmp_path


def the_array(folder: Path, kind: str) -> Path:
    (found,) = folder.glob(f"{kind}-*.npy")
    return found


@pytest.mark.parametrize("kind", [bearoff.one_sided, bearoff.two_sided])
def test_what_is_opened_is_what_was_built(kind: Any, tmp_path: Path) -> None:
    heard: list[int] = []
    table = kind(**SMALL, path=tmp_path, progress=lambda done, _: heard.append(done))
    built = type(table).build(**SMALL)
    assert heard and np.array_equal(table.data, built.data, equal_nan=True)
    heard.clear()
    again = kind(**SMALL, path=tmp_path, progress=lambda done, _: heard.append(done))
    assert not heard and np.array_equal(again.data, built.data, equal_nan=True)
    assert isinstance(again.data.base.base, np.memmap) or again.file == table.file
    assert not again.data.flags.writeable
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".json", ".npy"]


def test_the_sidecar_says_what_it_is(folder: Path) -> None:
    said = json.loads((folder / "one-sided-6x4.json").read_text())
    assert said["table"] == {"kind": "one-sided", "points": 6, "checkers": 4, "options": {}}
    assert said["version"] == nardy.__version__
    assert said["file"] == the_array(folder, "one-sided").name
    assert said["sha256"].startswith(said["file"].removesuffix(".npy").rpartition("-")[2])
    assert said["shape"] == [210, 6 + said["width"] + 8]


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 8)


def alter(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-9] ^= 1
    path.write_bytes(content)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def foreign(path: Path) -> None:
    path.write_text("no table at all")


@pytest.mark.parametrize("kind", ["one-sided", "two-sided"])
@pytest.mark.parametrize("spoil", [truncate, alter, empty, foreign, Path.unlink])
def test_a_spoilt_file_is_refused_with_the_command_that_mends_it(
    spoil: Any, kind: str, folder: Path
) -> None:
    spoil(the_array(folder, kind))
    opened = {"one-sided": bearoff.one_sided, "two-sided": bearoff.two_sided}[kind]
    with pytest.raises(ValueError, match="to build it anew: nardy bearoff build") as caught:
        opened(**SMALL, path=folder)
    command = str(caught.value).partition("anew: ")[2].split()
    assert command[:4] == ["nardy", "bearoff", "build", kind]
    assert cli.main(command[1:]) == 0
    assert opened(**SMALL, path=folder).points == 6


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": 99}, "has format 99, where 1 is wanted"),
        ({"index": 0}, "has index 0"),
        ({"table": None}, "has table None"),
        ({"file": "../elsewhere.npy"}, "does not name its file"),
        ({"file": None}, "does not name its file"),
        ({"shape": [1, 1]}, "is an array of float64"),
        ({"sha256": "0" * 64}, "truncated or altered"),
        *(
            ({"width": width}, "not what its sidecar says")
            for width in (8, 24, -8, 10**9, 16.0, None)
        ),
    ],
)
def test_a_foreign_sidecar_is_refused(change: Any, said: str, folder: Path) -> None:
    path = folder / "one-sided-6x4.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ValueError, match=said):
        bearoff.one_sided(**SMALL, path=folder)


@pytest.mark.parametrize("text", ["", "{", "[]", "\x00\xff", "[" * 100_000])
def test_a_sidecar_that_is_no_json_is_refused(text: str, folder: Path) -> None:
    (folder / "one-sided-6x4.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="to build it anew"):
        bearoff.one_sided(**SMALL, path=folder)


@pytest.mark.parametrize("kind", [bearoff.one_sided, bearoff.two_sided])
def test_the_array_of_another_table_is_refused(kind: Any, tmp_path: Path) -> None:
    few, more = (kind(6, checkers, path=tmp_path) for checkers in (3, 4))
    name = f"{few.kind}-6x"
    path, other = tmp_path / f"{name}3.json", tmp_path / f"{name}4.json"
    said, its = json.loads(path.read_text()), json.loads(other.read_text())
    path.write_text(json.dumps(its | {"table": said["table"]}))
    with pytest.raises(ValueError, match="an array of another table"):
        kind(6, 3, path=tmp_path)
    # Under the name of ours it has still another shape.
    renamed = few.file.name.rpartition("-")[0] + more.file.name[-21:]
    more.file.rename(tmp_path / renamed)
    path.write_text(json.dumps(its | {"table": said["table"], "file": renamed}))
    with pytest.raises(ValueError, match="not what its sidecar says"):
        kind(6, 3, path=tmp_path)


def test_an_object_array_is_never_unpickled(folder: Path) -> None:
    path = the_array(folder, "one-sided")
    np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    sidecar = folder / "one-sided-6x4.json"
    said = json.loads(sidecar.read_text())
    said["sha256"] = store._digest(path)
    sidecar.write_text(json.dumps(said))
    with pytest.raises(ValueError, match="is no array of numpy"):
        bearoff.one_sided(**SMALL, path=folder)


def test_each_variant_has_a_file_of_its_own() -> None:
    base = nardy.LONG
    distinct = [
        variant_of("one-sided", 6, 15, rules)
        for rules in (
            base,
            base.replace(bearoff_overshoot="any"),
            base.replace(bearoff_overshoot="exact"),
            base.replace(bearoff_mandatory=True),
            base.replace(doubles_moves=2),
            base.replace(block="strict"),
            base.replace(block="strict", block_check="turn_end"),
        )
    ]
    assert len({variant.name for variant in distinct}) == len(distinct)
    same = [base, nardy.SHORT, base.replace(head="free", block="home", koks="no_home", cube=True)]
    assert len({variant_of("one-sided", 6, 15, rules) for rules in same}) == 1
    few = base.replace(checkers=6)
    assert variant_of("two-sided", 6, 6, few) != variant_of("two-sided", 6, 6, base)
    assert variant_of("one-sided", 6, 6, few) == variant_of("one-sided", 6, 6, base)


def test_the_folder_is_where_the_platform_keeps_such_things(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NARDY_CACHE", str(tmp_path / "own"))
    assert store.cache_folder() == tmp_path / "own"
    monkeypatch.delenv("NARDY_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert store.cache_folder() == tmp_path / "nardy"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert store.cache_folder() == Path.home() / ".cache" / "nardy"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert store.cache_folder() == Path.home() / "Library" / "Caches" / "nardy"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert store.cache_folder() == tmp_path / "nardy" / "cache"


def test_a_position_looks_in_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NARDY_CACHE", str(tmp_path))
    race = nardy.Position.from_points({6: 15}, {1: 15}, rules=nardy.LONG)
    assert round(race.bearoff.mean, 6) == 12.266187
    assert race.bearoff.distribution.sum() == pytest.approx(1)
    assert race.flip().bearoff.mean == pytest.approx(6.979592, abs=1e-6)
    assert (tmp_path / "one-sided-6x15.json").exists()
    with pytest.raises(ValueError, match=r"^position is not in this table"):
        nardy.Position.start("long").bearoff  # noqa: B018


def test_a_position_needs_no_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("NARDY_CACHE", str(tmp_path / "file" / "below"))
    race = nardy.Position.from_points({6: 1}, {1: 15}, rules=nardy.SHORT)
    assert race.bearoff.mean == 1.25
    with pytest.raises(OSError, match="file"):
        bearoff.one_sided(**SMALL)


# --- builders that are killed, or at it together

BUILDER = """
import sys
import nardy
nardy.bearoff.one_sided(6, 9, path=sys.argv[1], rebuild=True)
nardy.bearoff.two_sided(6, 4, path=sys.argv[1], rebuild=True)
print("built", flush=True)
"""
posix = pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")


def builder(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", BUILDER, str(folder)], stdout=subprocess.PIPE, text=True
    )


def check(folder: Path) -> None:
    """What is there opens right; what is not is built."""
    one = bearoff.one_sided(6, 9, path=folder)
    two = bearoff.two_sided(6, 4, path=folder)
    assert np.array_equal(one.data, bearoff.OneSided.build(6, 9).data)
    assert np.array_equal(two.data, bearoff.TwoSided.build(6, 4).data, equal_nan=True)


def kill_at_random(folder: Path, times: int) -> int:
    rng = np.random.default_rng(times)
    started = time.monotonic()
    assert builder(folder).communicate()[0] == "built\n"
    whole = time.monotonic() - started
    killed = 0
    for _ in range(times):
        child = builder(folder)
        # Most of the time goes into the import: aim at what follows.
        time.sleep(whole * rng.uniform(0.4, 1.0))
        child.send_signal(signal.SIGKILL)
        killed += child.communicate()[0] == ""
        check(folder)
    return killed


@posix
def test_a_builder_that_is_killed_spoils_nothing(tmp_path: Path) -> None:
    kill_at_random(tmp_path, 4)  # which checks what each has left


@posix
@pytest.mark.slow
def test_a_hundred_builders_that_are_killed_spoil_nothing(tmp_path: Path) -> None:
    assert kill_at_random(tmp_path, 100) >= 20


def test_builders_at_the_same_time_agree(tmp_path: Path) -> None:
    children = [builder(tmp_path) for _ in range(3)]
    assert [child.communicate()[0] for child in children] == ["built\n"] * 3
    check(tmp_path)
    assert not [*tmp_path.glob("*.part")]


def test_what_was_left_long_ago_is_swept(tmp_path: Path) -> None:
    old, new = (tmp_path / f"one-sided-6x4.npy.{n}-0.part" for n in (1, 2))
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (1e9, 1e9))
    bearoff.one_sided(**SMALL, path=tmp_path)
    assert not old.exists() and new.exists()


def test_an_array_is_named_only_once_it_is_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever step fails, the folder holds the old table or none."""
    real = os.replace

    def fail(*names: Any) -> None:
        if str(names[1]).endswith(".json"):
            raise OSError("the disk is full")
        real(*names)

    bearoff.one_sided(**SMALL, path=tmp_path)
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="full"):
        bearoff.one_sided(**SMALL, path=tmp_path, rebuild=True)
    monkeypatch.undo()
    assert not [*tmp_path.glob("*.part")]
    assert bearoff.one_sided(**SMALL, path=tmp_path).checkers == 4
