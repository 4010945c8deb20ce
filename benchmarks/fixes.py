"""What the search for fixes does on random failing launches: how many findings it cures, how long it takes, and against brute force.

    python benchmarks/fixes.py                                  # the tables of docs/fixes.md; takes some minutes
    python benchmarks/fixes.py --launches 300 --compared 20     # a quick look

Times are CPU milliseconds of this process. Only the ratio to a plain check of the same files means anything elsewhere.
"""

import argparse
import statistics
import sys
import time
from collections import Counter
from itertools import combinations, product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from launches import launches, text_of  # noqa: E402

from grpo_lint.engine import Surroundings, lint  # noqa: E402
from grpo_lint.fixes import offer_fixes  # noqa: E402
from grpo_lint.fixes.search import Change, Search, ranked  # noqa: E402
from grpo_lint.judge import conditions, decide, one_per_regime, unblocked  # noqa: E402
from grpo_lint.source.text import Text  # noqa: E402

ARITHMETIC = "234"  # the hundreds of the codes that are about sizes
SINGLE, PAIR = range(1, 1025), range(1, 33)  # what brute force tries


def failing(count, seed=0):
    """(text, report) of the launches that fail, not yet with fixes."""
    for facts, settings in launches(count, seed):
        text = text_of(facts, settings)
        report = lint(Text(text, "config.yaml"), fixes=False)
        if any(map(is_arithmetic, report.findings)):
            yield text, report


def is_arithmetic(finding):
    return finding.severity != "info" and finding.rule.broken is not None and finding.rule.code[4] in ARITHMETIC


# --- brute force ----------------------------------------------------------------------------------------------------


class BruteForce:
    """Every value of every knob, then every pair, judged by all rules: nothing is guessed, remembered or left out."""

    def __init__(self, launch, single=SINGLE, pair=PAIR):
        self.launch = launch
        self.single = single
        self.pair = pair
        self.search = Search(launch)  # for the order alone
        self.candidates = one_per_regime(launch)
        self.before = self.broken({})

    def broken(self, changes):
        """Names of the rules that speak in any candidate release."""
        names = set()
        for candidate in self.candidates:
            rules = conditions(self.launch, candidate, changes)
            found = decide(rules, self.launch.plan(candidate, changes))[0]
            enforced = candidate.regime.enforced
            for rule in unblocked(found, candidate.regime.refuses):
                if (enforced[rule.name].severity if rule.name in enforced else rule.harm) != "info":
                    names.add(rule.name)
        return names

    def knobs(self):
        fields = self.launch.fields(self.launch.candidates[0])
        for knob in self.search.names:
            if (knob == "world_size" or fields[knob]) and (knob != "generation_batch_size" or knob in self.launch.entries):
                yield knob

    def values(self, knob, numbers):
        field = self.launch.fields(self.launch.candidates[0])[knob]
        if field and field[0] == "bool":
            return [False] if knob in self.launch.entries else []
        current = self.search.before.value(knob)
        removed = [None] if field and field[1] is None and knob in self.launch.entries else []
        return [number for number in numbers if number != current] + removed

    def changes(self, rule, keys, numbers):
        """The Changes of these keys after which the rule holds and no other newly breaks."""
        for values in product(*(self.values(key, numbers) for key in keys)):
            change = dict(zip(keys, values))
            left = self.broken(change)
            if rule.name not in left and left <= self.before:
                after = self.launch.plan(self.candidates[0], change)
                yield Change(change, left, self.search._order(change, left, after), self.search.before, after)

    def best(self, rule):
        """The best of all single changes; when none is clean, of all pairs as well; None when there is none."""
        found = [change for knob in self.knobs() for change in self.changes(rule, (knob,), self.single)]
        if not any(change.left <= self.search._incurable(rule) for change in found):
            found += [change for keys in combinations(self.knobs(), 2) for change in self.changes(rule, keys, self.pair)]
        return min(found, key=lambda change: change.order, default=None)


def compared(report):
    """[(rule, best change of the search, best change of brute force)] of the findings of a report."""
    launch = report.launches[0]
    search, force = Search(launch), BruteForce(launch)
    for finding in filter(is_arithmetic, report.findings):
        yield finding.rule, next(iter(ranked(search.alternatives(finding.rule))), None), force.best(finding.rule)


if __name__ == "__main__":
    n, c = int(sys.argv[1]), 0
    tally = Counter()
    for text, report in failing(n):
        t0 = time.time()
        for rule, ours, theirs in compared(report):
            size = len(theirs.values) if theirs else 0
            if (ours and ours.order) == (theirs and theirs.order):
                tally["same", size] += 1
            else:
                kind = "theirs better" if theirs and (not ours or theirs.order < ours.order) else "ours better"
                tally[kind, size] += 1
                if kind == "theirs better":
                    print(text.split("learning_rate")[0], rule.name, ours and (ours.values, ours.order), theirs and (theirs.values, theirs.order), flush=True)
    print(tally)
