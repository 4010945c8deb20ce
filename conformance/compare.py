"""Compare the linter's findings with the verdict of the real framework, as sets of refusals.

The linter counts a run as refused when a finding of severity error is enforced before the first step, at stage `read`
or `config`. For ms-swift and Megatron-SWIFT stage `init` counts too, because the start of the trainer was run. For TRL
0.15 - 0.17 the batch checks of the trainer count too (2xx, 3xx, and values of batch sizes). A run that fails later
(stage `run`) starts. Megatron's first rollout and first evaluation were run as well, and are compared with the findings
of stage `run`.
"""

import re
from collections import Counter, defaultdict
from types import SimpleNamespace
from typing import NamedTuple

import cases

LATE_TRL = ("0.15", "0.16", "0.17")
BATCH = ("num_generations", "per_device_train_batch_size", "gradient_accumulation_steps", "per_device_eval_batch_size")
LATE_RULES = {
    "rollout": "2",
    "evaluation": "23",
}  # the hundreds of the rules about sizes of rollouts: only these were tried
STAGES = {"trainer": "init", "step": "run"}
EXAMPLE_WIDTH = 110


class Comparison(NamedTuple):
    """One case, the framework's verdict and the linter's. `kind`: which question was compared."""

    case: object
    verdict: dict
    ours: list  # findings of a refusal
    kind: str = "start"

    @property
    def refused(self):
        return refused(self.verdict, self.kind)

    @property
    def false_alarm(self):
        crashed = any(isinstance(finding, Crash) for finding in self.ours)
        return crashed or (bool(self.ours) and not self.refused)

    @property
    def miss(self):
        return self.refused and not self.ours


def refused(verdict, kind):
    return not verdict["accepted"] if kind == "start" else bool(verdict["late"][kind])


# ---------------------------------------------------------------- asking the linter


class Crash:
    """Replaces the findings where the linter itself failed, which is a false alarm whatever the framework says."""

    severity, stage, at = "error", "read", None

    def __init__(self, error):
        self.rule = SimpleNamespace(code="CRASH", name=f"{type(error).__name__}: {error}"[:EXAMPLE_WIDTH])


def lint(text):
    from grpo_lint import engine
    from grpo_lint.source.text import Text

    try:
        return engine.lint(Text(text, "config.yaml"), fixes=False).findings
    except Exception as error:  # must not happen, but must not end the other cases
        return [Crash(error)]


def refusals(case, findings, kind="start"):
    """The findings that predict that the framework refuses the case."""
    return [finding for finding in findings if finding.severity == "error" and counts(case, finding, kind)]


def counts(case, finding, kind):
    if kind in STAGES:
        return finding.stage == STAGES[kind]
    if kind != "start":
        return finding.stage == "run" and finding.rule.code[4] in LATE_RULES[kind]
    if case.dialect != "trl":
        return finding.stage in ("read", "config", "init")
    late = case.version.startswith(LATE_TRL) and (
        finding.rule.code[4] in "23" or getattr(finding.at, "name", None) in BATCH
    )
    return finding.stage in ("read", "config") or (late and finding.stage == "init")


def compare(case, verdict, codes=(), linter=lint):
    """The comparisons of one case: whether it starts, and for Megatron how far it gets."""

    def ours(case, kind):
        findings = linter(cases.text_of(case))
        return [
            finding for finding in refusals(case, findings, kind) if not codes or finding.rule.code.startswith(codes)
        ]

    yield Comparison(case, verdict, ours(case, "start"))
    late = verdict.get("late") or {}
    if "trainer" in late:
        # a trainer may refuse early what the linter expects to fail in the first step
        yield Comparison(
            case, verdict, ours(case, "trainer") or (ours(case, "step") if late["trainer"] else []), "trainer"
        )
    elif verdict["accepted"] and late:
        yield Comparison(case, verdict, ours(case, "rollout"), "rollout")
        if not verdict["late"]["rollout"]:
            evaluating = case.with_settings({**case.settings, "val_dataset": ["held-out"]})
            yield Comparison(evaluating, verdict, ours(evaluating, "evaluation"), "evaluation")


# ---------------------------------------------------------------- grouping disagreements


def label(comparison):
    """What disagreements with one cause share: the linter's codes, or the framework's words without values."""
    if comparison.false_alarm:
        return " + ".join(sorted({f"{finding.rule.code} {finding.rule.name}" for finding in comparison.ours}))
    if comparison.kind != "start":
        return skeleton(comparison.verdict["late"][comparison.kind])
    verdict = comparison.verdict
    return f"[{verdict['stage']}] {verdict['error_type']}: {skeleton(verdict['error'])}"


def skeleton(error):
    """An error text without the values in it."""
    text = " ".join(error.split())
    text = re.sub(r"(got an unexpected keyword argument) .*", r"\1 ...", text)
    text = re.sub(r"^argument --\S+: ", "argument --...: ", text)
    text = re.sub(r"expected: got .*? but expected", "expected: got ... but expected", text)
    text = re.sub(r"invalid (\w+) value: .*", r"invalid \1 value", text)
    text = re.sub(r"^.*? is not a valid (\w+), please.*", r"... is not a valid \1", text)
    text = re.sub(r"\[[^\]]*\]|'[^']*'|\"[^\"]*\"|-?\d+(\.\d+)?(e-?\d+)?", "...", text)
    return text[:EXAMPLE_WIDTH]


def grouped(comparisons):
    """{(what, label): comparisons}, the largest groups first."""
    groups = defaultdict(list)
    for comparison in comparisons:
        if comparison.false_alarm or comparison.miss:
            what = "false alarm" if comparison.false_alarm else "miss"
            groups[what, label(comparison)].append(comparison)
    return dict(sorted(groups.items(), key=lambda group: (group[0][0], -len(group[1]), group[0][1])))


# ---------------------------------------------------------------- making an example small


def minimise(examples, ask, codes=(), linter=lint):
    """Drop keys of each case as long as the same disagreement stays; `ask(cases)` answers many at once.

    All examples shrink side by side, so that a round costs one start of the framework, however many they are. First
    every key is dropped alone. Then those that can be dropped are dropped together, or as many of them as possible.
    """
    smallest = dict(examples)
    growing = set(smallest)
    while growing:
        alone = _dropping(
            {key: [[name] for name in smallest[key].case.settings] for key in growing}, smallest, ask, codes, linter
        )
        spare = {key: [chunk[0] for chunk, _ in found] for key, found in alone.items() if found}
        together = _dropping(
            {key: list(_prefixes(names)) for key, names in spare.items()}, smallest, ask, codes, linter
        )
        smallest.update({key: found[0][1] for key, found in together.items() if found})
        growing = {key for key, found in together.items() if found and len(found[0][0]) < len(spare[key])}
    return smallest


def _dropping(chunks, examples, ask, codes, linter):
    """{key: [(chunk, smaller comparison)]}: the chunks of keys without which the example still disagrees in the same
    way."""
    flat = [(key, chunk, _without(examples[key].case, chunk)) for key, several in chunks.items() for chunk in several]
    verdicts = ask([case for _, _, case in flat]) if flat else []
    found = {key: [] for key in chunks}
    for (key, chunk, case), verdict in zip(flat, verdicts, strict=True):
        smaller = _same(examples[key], case, verdict, codes, linter)
        if smaller:
            found[key].append((chunk, smaller))
    return found


def _prefixes(names):
    """The whole list, its first half, the first quarter, ... down to the first one."""
    length = len(names)
    while length:
        yield names[:length]
        length //= 2


def _without(case, names):
    return case.with_settings({name: value for name, value in case.settings.items() if name not in names})


def _same(example, case, verdict, codes, linter):
    """The comparison of a smaller case, when it disagrees in the same way."""
    if example.kind != "start":
        return None
    found = next(compare(case, verdict, codes, linter))
    alike = (found.false_alarm, found.miss) == (example.false_alarm, example.miss) and label(found) == label(example)
    return found if alike else None


# ---------------------------------------------------------------- words


def table_row(version, loader, comparisons, excluded):
    counted = Counter()
    for comparison in comparisons:
        counted["cases"] += 1
        counted["accepted"] += not comparison.refused
        counted["false alarms"] += comparison.false_alarm
        counted["misses"] += comparison.miss
    return (version, loader, *(counted[name] for name in ("cases", "accepted", "false alarms", "misses")), excluded)


HEADER = ("version", "loader", "cases", "accepted", "false alarms", "misses", "excluded")


def markdown(rows):
    lines = [HEADER, ["---"] * 2 + ["---:"] * 5, *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def example_text(comparison):
    if comparison.kind != "start":
        said = comparison.verdict["late"][comparison.kind] or "goes on"
    else:
        said = comparison.verdict["error"] if comparison.refused else "accepted"
    findings = ", ".join(
        f"{finding.rule.code} at {finding.at.name if finding.at else 'the file'}" for finding in comparison.ours
    )
    return (f"```yaml\n{cases.text_of(comparison.case)}```\n\n"
            f"framework: `{' '.join(said.split())[:300]}`; ours: {findings or 'nothing'}")  # fmt: skip
