"""What a stranger wrote as a value or as a path, at every key of the frameworks whose settings stand in sections."""

import time
from itertools import cycle
from shlex import quote

import pytest
from processor_time import unit
from test_hostile_values import BOMBS

from grpo_lint.engine import lint
from grpo_lint.frameworks.registry import NAMES, framework as framework_named
from grpo_lint.launch.context import Context
from grpo_lint.report.explain import explanation
from grpo_lint.report.json import as_json, document
from grpo_lint.report.text import TextPrinter
from grpo_lint.source.text import Text

pytestmark = pytest.mark.slow

NESTED = [name for name in NAMES if framework_named(name).reader.configs.nested]
STARTS = {"verl": "python3 -m verl.trainer.main_ppo", "easyr1": "python3 -m verl.trainer.main"}
STARTS["verl-agent"] = f"{STARTS['verl']} env.env_name=sokoban"
STARTS["nemo-rl"] = "uv run examples/run_grpo.py --config examples/configs/grpo_math_1B.yaml"
ODD = (
    "9" * 5000, "-" + "8" * 400, "1e400", "nan", "-inf", "0", "-1", "''", "null", "[[[]]]", "{a: {b: [1]}}", "${a.b}", "${.x}", "${..y}",
    "${oc.select:a,b}", "${${a}}", "${" * 50, "x" * 20000, "true", "no", "2020-01-01", "0x10", "1_0", "[1,", "{", "'", '"', "\\", "a=b", "1,2",
    "日本", "\u202e", "range(1,5)", "~", "!!python/object:os.system x", "*x", "&x 1",
)  # fmt: skip
PATHS = (
    "data." * 3000 + "x", "a" * 20000, ".", "..", "data.", ".data", "data..train_batch_size", "data.train_batch_size.x.y", "data[0]", "+", "++", "~",
    "+++data.x", "data/x", "data@x", "data:x", "worker", "data", "trainer.n_gpus_per_node.x", "actor_rollout_ref", "\u202edata.x", "config",
)  # fmt: skip


def told(text, path):
    """All that is said of a text; nothing of it may fail."""
    report = lint(Text(text, path), Context(), fixes=True)
    assert "linter-does-not-fail" not in {finding.rule.name for finding in report.findings}
    TextPrinter().file(report)
    as_json(document([report]))
    explanation(report, colour=False, width=100, verbose=True)
    return report


def file_of(name, values):
    """A file with a value at every path that any release knows."""
    tree = {}
    for path, value in values:
        node = tree
        *sections, key = path.split(".")
        for section in sections:
            below = node.setdefault(section, {})
            node = below if type(below) is dict else node
        if type(node.get(key)) is not dict:
            node[key] = value
    lines = [f"# grpo-lint: dialect={name}"]

    def write(node, indentation):
        for key, value in node.items():
            if type(value) is dict:
                lines.append(f"{'  ' * indentation}{key}:")
                write(value, indentation + 1)
            else:
                lines.append(f"{'  ' * indentation}{key}: {value}")

    write(tree, 0)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", NESTED)
@pytest.mark.parametrize("bomb", ["lists", "mappings", "merges", "itself", "nearly"])
def test_a_bomb_at_every_key_costs_little(name, bomb):
    paths = framework_named(name).catalogue.names()
    head, _, rest = file_of(name, zip(paths, cycle(("*b11", "[*b11, *b11]")))).partition("\n")
    began = time.process_time()
    told("\n".join([head, *BOMBS[bomb], rest]), "config.yaml")
    assert time.process_time() - began < 60 * unit()


@pytest.mark.parametrize("name", NESTED)
@pytest.mark.parametrize("shift", range(0, len(ODD), 6))
def test_odd_values_at_every_key_of_a_file(name, shift):
    paths = framework_named(name).catalogue.names()
    odd = [
        value
        for value in ODD
        if not value.startswith(("*", "&", "!!", "[1,", "{", "'", '"', "\\")) or value in ("''", "{a: {b: [1]}}")
    ]
    told(file_of(name, zip(paths, cycle(odd[shift % len(odd) :] + odd[: shift % len(odd)]))), "config.yaml")


@pytest.mark.parametrize("name", NESTED)
@pytest.mark.parametrize("odd", range(len(ODD)))
def test_odd_values_behind_the_knobs_of_a_command(name, odd):
    paths = framework_named(name).knobs.names
    words = [quote(f"{path}={ODD[(odd + place) % len(ODD)]}") for place, path in enumerate(paths)]
    told(f"# grpo-lint: dialect={name}\n{STARTS[name]} {' '.join(words)}\n", "run.sh")


@pytest.mark.parametrize("name", NESTED)
@pytest.mark.parametrize("path", PATHS, ids=range(len(PATHS)))
def test_odd_paths_of_a_command(name, path):
    words = " ".join(quote(f"{path}{end}") for end in ("=1", "", "=", "=[1]", "=${x}"))
    told(f"# grpo-lint: dialect={name}\n{STARTS[name]} {words}\n", "run.sh")


@pytest.mark.parametrize("name", NESTED)
def test_sections_in_sections_have_an_end(name):
    deep = "\n".join("  " * level + f"s{level}:" for level in range(400)) + "\n" + "  " * 400 + "x: 1\n"
    told(f"# grpo-lint: dialect={name}\ndata:\n  train_batch_size: 8\n{deep}", "config.yaml")


@pytest.mark.parametrize("name", NESTED)
def test_references_to_each_other_have_an_end(name):
    paths = framework_named(name).knobs.names
    words = " ".join(quote(f"{path}=${{{paths[(place + 1) % len(paths)]}}}") for place, path in enumerate(paths))
    told(f"# grpo-lint: dialect={name}\n{STARTS[name]} {words}\n", "run.sh")
