"""Conditions of ms-swift and Megatron-SWIFT, one at a time, recorded by `conformance/deaths-swift`: what dies has an error, what goes well
none."""

import importlib.machinery
import importlib.util
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@cache
def program():
    path = HERE.parents[1] / "conformance" / "deaths-swift"
    loader = importlib.machinery.SourceFileLoader("deaths_swift", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("deaths_swift", loader))
    loader.exec_module(module)
    return module


RECORDED = program().kept_in(HERE)


def test_the_oldest_the_newest_and_both_sides_of_the_fourth_release_are_there():
    assert {"3.8.3", "3.11.3", "3.12.6", "4.0.4", "4.6.0"} <= RECORDED.keys()
    assert sum(len(verdicts) for verdicts in RECORDED.values()) > 150


@pytest.mark.parametrize("release", RECORDED)
def test_errors_are_where_runs_die(release):
    compared = program().compare(release, RECORDED[release])
    assert [
        (verdict["dialect"], verdict["name"], verdict["text"], [each.rule.name for each in errors])
        for verdict, errors in compared
        if bool(errors) != verdict["dies"]
    ] == []


@pytest.mark.parametrize("release", RECORDED)
def test_the_wording_is_that_of_the_release(release):
    """The row that tells a death has its words: what stands around the numbers of a run."""
    for verdict, errors in program().compare(release, RECORDED[release]):
        if verdict["dies"] and errors[0].enforced is not None and "message" not in errors[0].enforced.wording:
            ways = [way.split("...") for way in errors[0].enforced.wording.split(" / ")]
            assert any(all(part in verdict["text"] for part in way) for way in ways), (
                verdict,
                errors[0].enforced.wording,
            )
