"""What the search for fixes does on random failing launches: how many findings it cures, how long it takes, and against
brute force.

    python benchmarks/fixes.py                                  # the tables of docs/fixes.md; takes some minutes
    python benchmarks/fixes.py --launches 300 --compared 20     # a quick look

Times are CPU milliseconds of this process. Only the ratio to a plain check of the same files is comparable between
machines.
"""

import argparse
import statistics
import sys
import time
from collections import Counter
from itertools import combinations, islice, product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from launches import launches, text_of

from grpo_lint.checker.verdict import conditions, decide, one_per_regime, unblocked
from grpo_lint.engine import lint, offering
from grpo_lint.fixes.search import PROCESSES, Change, Search
from grpo_lint.frameworks.all_rules import RULES
from grpo_lint.source.text import Text

ARITHMETIC = "234"  # the hundreds of the codes that are about sizes
SINGLE, PAIR = range(1, 1025), range(1, 33)  # what brute force tries


def failing(count, seed=0):
    """(text, report) of the launches that fail, with no fixes searched yet."""
    for facts, settings in launches(count, seed):
        text = text_of(facts, settings)
        report = lint(Text(text, "config.yaml"), fixes=False)
        if any(map(is_arithmetic, report.findings)):
            yield text, report


def is_arithmetic(finding):
    return finding.severity != "info" and finding.rule.broken is not None and finding.rule.code[4] in ARITHMETIC


# --- brute force ----------------------------------------------------------------------------------------------------


class BruteForce:
    """Tries every value of every setting that a fix may change, then every pair, judged by all rules, without caching
    or pruning.

    `single`: the values of one setting; `pair`: those of two, None for the values that the search tries in pairs.
    """

    def __init__(self, launch, single=SINGLE, pair=None):
        self.launch = launch
        self.single = single
        self.pair = pair
        self.search = Search(launch)  # for the order, and for the values of pairs
        self.candidates = one_per_regime(launch)
        self.before = self.broken({})
        self.hidden = set.intersection(*({rule.name for rule in state.hidden} for state in self.search.states))

    def broken(self, changes):
        """Names of the rules that report a finding in any candidate release."""
        names = set()
        for candidate in self.candidates:
            rules = conditions(self.launch, candidate, changes)
            found = decide(rules, self.launch.plan(candidate, changes))[0]
            enforced = candidate.enforced
            for rule in unblocked(found, candidate.enforced.refuses):
                if (enforced[rule.name].severity if rule.name in enforced else rule.harm) != "info":
                    names.add(rule.name)
        return names

    def knobs(self):
        fields = self.launch.fields(self.launch.candidates[0])
        for knob in self.search.names:
            if (knob == PROCESSES or fields[knob]) and (knob != "generation_batch_size" or knob in self.launch.entries):
                yield knob

    def values(self, knob, numbers):
        if numbers is None:
            return self.search._near(knob)
        field = self.launch.fields(self.launch.candidates[0])[knob]
        if field and field.type == "bool":
            return [False] if knob in self.launch.entries else []
        if knob in self.launch.framework.knobs.dividing_the_model:
            return self.search._values(knob)
        current = self.search.before.value(knob)
        removed = [None] if field and field.default is None and knob in self.launch.entries else []
        return [number for number in numbers if number != current] + removed

    def changes(self, rule, keys, numbers):
        """The Changes of these keys after which the rule holds and no other rule is newly broken."""
        for values in product(*(self.values(key, numbers) for key in keys)):
            change = dict(zip(keys, values))
            broken = self.broken(change)
            after = self.launch.plan(self.candidates[0], change)
            if (
                rule.name not in broken
                and broken <= self.before | self.hidden
                and not self.search._cuts_an_update(after)
            ):
                stays = {RULES[name] for name in broken}
                left = self.search._touched(stays, change)
                order = self.search._ranking.order(change, left, after, len(stays) - len(left))
                yield Change(change, left, order, self.search.before, after, stays - left)

    def best(self, rule):
        """The best of all single changes; where none is clean, of all pairs as well; None when there is none."""
        self.search._look_at(rule)
        found = [change for knob in self.knobs() for change in self.changes(rule, (knob,), self.single)]
        if not any(self.search._is_clean(change, rule) for change in found):
            knobs = [knob for knob in self.knobs() if knob != PROCESSES]
            found += [change for keys in combinations(knobs, 2) for change in self.changes(rule, keys, self.pair)]
        return min(found, key=lambda change: change.order, default=None)


def compared(report, **grid):
    """[(rule, best change of the search, best change of brute force)] of the findings of a report."""
    launch = report.launches[0]
    search, force = Search(launch), BruteForce(launch, **grid)
    for finding in filter(is_arithmetic, report.findings):
        yield finding.rule, next(iter(search.alternatives(finding.rule)), None), force.best(finding.rule)


def agreement(count, **grid):
    """Counter of how the best change of the search compares with that of brute force, over the findings of `count`
    failing launches."""
    counted = Counter()
    for _, report in islice(failing(10 * count, seed=1), count):
        for _, ours, theirs in compared(report, **grid):
            if (ours is not None and len(ours.values) > 2) or ours is theirs is None:
                continue  # brute force stops at two keys
            better = "same order" if ours and theirs and ours.order == theirs.order else "search better"
            counted["brute force better" if theirs and (not ours or theirs.order < ours.order) else better] += 1
    return counted


# --- the tables -----------------------------------------------------------------------------------------------------


def search_all(count):
    """Search for fixes in `count` launches. Returns ({code: [findings, with a fix, with one that can be applied]},
    times of searches, times of checks)."""
    cured, searches, checks = {}, [], []
    for text, report in failing(count):
        findings = [finding for finding in report.findings if finding.severity != "info"]
        started = time.process_time()
        offering(report).add(report.findings)
        searches.append((time.process_time() - started) * 1000 / len(findings))
        started = time.process_time()
        lint(Text(text, "config.yaml"), fixes=False)
        checks.append((time.process_time() - started) * 1000)
        for finding in filter(is_arithmetic, findings):
            row = cured.setdefault(finding.rule.code, [finding.rule.name, 0, 0, 0, 0])
            row[1] += 1
            row[2] += bool(finding.fixes)
            row[3] += any(fix.edits for fix in finding.fixes)
            row[4] += finding.search_stopped
    return cured, searches, checks


def print_tables(count, compare):
    cured, searches, checks = search_all(count)
    print("| code | rule | findings | with a fix | that can be applied |\n|---|---|---:|---:|---:|")
    for code, (name, *numbers, _) in sorted(cured.items()):
        print(f"| {code} | {name} | {' | '.join(map(str, numbers))} |")
    totals = [sum(row[column] for row in cured.values()) for column in range(1, 5)]
    print(f"| all | | {' | '.join(map(str, totals[:3]))} |\n\nsearches that were stopped: {totals[3]}\n")
    searches.sort()
    check = statistics.median(checks)
    print("| of one finding | CPU ms | x check of the file |\n|---|---:|---:|")
    for name, place in (("median", 0.5), ("90th percentile", 0.9), ("99th percentile", 0.99), ("longest", 1)):
        spent = searches[min(int(place * len(searches)), len(searches) - 1)]
        print(f"| {name} | {spent:.2f} | {spent / check:.1f} |")
    print("\n| brute force over | same order | search better | brute force better |\n|---|---:|---:|---:|", flush=True)
    for name, grid in (("the bounded grid", {}), (f"pairs of all values up to {PAIR[-1]}", {"pair": PAIR})):
        counted = agreement(compare, **grid)
        print(
            f"| {name} | {counted['same order']} | {counted['search better']} | {counted['brute force better']} |",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--launches", type=int, default=3000, help="random launches, of which most fail (%(default)s)")
    parser.add_argument(
        "--compared", type=int, default=100, help="failing launches that are compared with brute force (%(default)s)"
    )
    wanted = parser.parse_args()
    print_tables(wanted.launches, wanted.compared)


if __name__ == "__main__":
    main()
