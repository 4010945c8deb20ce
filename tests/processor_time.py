"""Processor time in the measure of this machine: what may take how long is said in units of a piece of work that is
timed here, in the same run."""

import functools
import math
import time

_ROUNDS = 500_000


@functools.cache
def unit():
    """Processor seconds of a piece of work of calls, texts and tables, a quarter of one on a machine of today. The
    slowest of three counts."""
    return max(_timed() for _ in range(3))


def _timed():
    began = time.process_time()
    table = {}
    for number in range(_ROUNDS):
        name = _name(number)
        table[name] = table.get(name, 0) + len(name.split("-"))
    return time.process_time() - began


def _name(number):
    return f"name-{number % 1000}"


def whole_seconds(units):
    """So many units as `setrlimit` takes them."""
    return math.ceil(units * unit())
