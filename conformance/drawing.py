"""Random cases from a function that draws one: any number of them, reproducible by seed."""

import argparse
import json
import random


def drawn(draw, count, seed):
    chance = random.Random(seed)
    return [draw(chance, number) for number in range(count)]


def main(draw, description):
    """Print cases, one a line."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for case in drawn(draw, options.cases, options.seed):
        print(json.dumps(case))
