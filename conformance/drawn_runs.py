"""Random wishes for `plan`, and what a user sees who writes down what is proposed and checks it: for `conversions`, and for the tests."""

import random
import subprocess
from itertools import islice

from grpo_lint.engine import lint
from grpo_lint.frameworks.registry import framework
from grpo_lint.planning.batches import Wish, proposals
from grpo_lint.planning.contradictions import alternatives, contradiction
from grpo_lint.planning.convert import CannotConvert, convert
from grpo_lint.report.planning import written
from grpo_lint.source.text import Text

FRAMEWORKS = ("trl", "swift", "megatron", "verl", "easyr1", "nemo-rl", "openrlhf", "slime")
DENSE = (
    "Qwen/Qwen2.5-0.5B-Instruct", "Qwen/Qwen2.5-1.5B-Instruct", "Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-14B-Instruct",
    "Qwen/Qwen2.5-32B-Instruct", "Qwen/Qwen3-4B", "Qwen/Qwen3-8B", "meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-70B-Instruct",
)  # fmt: skip
EXPERTS = ("Qwen/Qwen3-30B-A3B-Instruct-2507", "Qwen/Qwen3-235B-A22B", "deepseek-ai/DeepSeek-V3")
GPUS = (1, 2, 3, 4, 6, 7, 8, 8, 8, 12, 16, 16, 24, 32, 64, 128)


def wishes(count, seed, dialects=FRAMEWORKS, version=""):
    """Wishes as people have them: few sizes, mostly of powers of two, some that nothing can have."""
    draw = random.Random(seed)
    for number in range(count):
        dialect = dialects[number % len(dialects)]
        releases = framework(dialect).catalogue.releases
        drawn = releases[-1] if draw.random() < 0.5 else draw.choice(releases)
        yield Wish(dialect, version or drawn, **_sizes(draw, dialect))


def _sizes(draw, dialect):
    sizes = {"processes": draw.choice(GPUS)}
    spreads = dialect in ("megatron", "verl", "nemo-rl", "slime")
    of_experts = spreads and draw.random() < 0.3
    if draw.random() < 0.75:
        sizes["model"] = draw.choice(EXPERTS if of_experts else DENSE)
        if draw.random() < 0.4:
            sizes["gpu_memory"] = draw.choice((24, 40, 48, 80, 141))
    for kind, share in (("tensor", 0.4), ("pipeline", 0.25), ("context", 0.15)):
        if draw.random() < (share if spreads else 0.05):
            sizes[kind] = draw.choice((2, 2, 4, 8, 3))
    if of_experts:
        sizes["expert"] = draw.choice((2, 4, 8))
    engines = framework(dialect).arithmetic.backends()
    if engines and draw.random() < 0.3:
        sizes["backend"] = draw.choice(engines)
    for name, values in (
        ("groups", (4, 5, 6, 7, 8, 16, 32)),
        ("micros", (1, 2, 3, 4, 8, 16)),
        ("reuses", (1, 2, 3, 4)),
    ):
        if draw.random() < 0.3:
            sizes[name] = [draw.choice(values)]
    if draw.random() < 0.35:
        sizes["update"] = draw.choice((32, 64, 96, 100, 128, 256, 320, 512, 1024, 1280))
    if draw.random() < 0.3:
        sizes["rows"], sizes["epochs"] = draw.choice((500, 7473, 17_000, 72_441)), draw.choice((1, 2, 15))
    if draw.random() < 0.3:
        sizes["memory"] = draw.choice(("tight", "free"))
    return sizes


def answers(wish, most=1):
    """(what is proposed, whether it is what was asked for): the best, or what is nearest to it."""
    found = proposals(wish, most)
    return (found, True) if found else (alternatives(wish, contradiction(wish)), False)


def texts(proposal):
    """{path: text} of a proposal as it is written: a config, and the command."""
    start = proposal.wish.start()
    found = {start.path: written(proposal, as_command=False)}
    return {**found, "run.sh": written(proposal, as_command=True)} if start.reads_files else found


def what_check_says(path, text):
    """The errors and warnings of a text that says everything itself; what bash says of a script that it cannot read."""
    report = lint(Text(text, path), fixes=False)
    found = [f"{each.severity} {each.rule.code}: {each.message}" for each in report.findings if each.severity != "info"]
    if not report.launches:
        found.append("no run is found in it")
    if path.endswith(".sh"):
        shell = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
        found += [shell.stderr.strip()] if shell.returncode else []
    return found


def shown(wish):
    """A wish in a line."""
    return f"{wish.framework} {wish.version}, {wish.processes} GPUs, {wish.asked}, {wish.memory or '-'}, {wish.rows or '-'} rows"


def disagreements(found):
    """(wish, path, text, what is wrong with it) of proposals that our own check does not take as they are written."""
    for wish in found:
        proposed, _ = answers(wish)
        for proposal in islice(proposed, 2):
            for path, text in texts(proposal).items():
                if wrong := what_check_says(path, text):
                    yield wish, path, text, wrong


def carried_over(found, targets=FRAMEWORKS):
    """(wish, target, text, what is wrong with it) of conversions of what is proposed: what nothing can read, or what only a second look refuses."""
    for wish in found:
        for proposal in islice(answers(wish)[0], 1):
            start = proposal.wish.start()
            report = lint(Text(start.written(proposal.settings, wish.processes), start.path), fixes=False)
            for target in targets:
                if target == wish.framework:
                    continue
                try:
                    made = convert(report, target, framework(target).catalogue.releases[-1])
                except CannotConvert:
                    continue
                told = {each.rule.code for each in made.findings}
                seen = what_check_says("run.sh" if made.is_command else "config.yaml", made.text)
                wrong = [each for each in seen if each.partition(":")[0].split()[-1] not in told]
                named = (
                    {line.source for line in made.lines}
                    | {each.name for each in made.dropped}
                    | {name for name, _ in made.look_at}
                )
                wrong += [
                    f"{name} is named nowhere"
                    for name in report.launches[0].entries
                    if name not in named | {*made.taken_over}
                ]
                if wrong:
                    yield wish, target, made.text, wrong
