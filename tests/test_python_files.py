"""Files of Python: calls that make configs are judged like files of settings; what the text does not say is unknown."""

import subprocess
import sys
import time

import pytest
from processor_time import unit

from conftest import lint_text, names, told
from grpo_lint import engine
from grpo_lint.checker.contexts import Around
from grpo_lint.fixes.edits import apply
from grpo_lint.launch.context import Context
from grpo_lint.report.messages import message
from grpo_lint.source.entry import loaded
from grpo_lint.source.text import Text
from grpo_lint.unknown import UNKNOWN

FACTS = "# grpo-lint: version=1.16.0 world-size=1\n"
IMPORT = "from trl import GRPOConfig\n"


def lint(text, **settings):
    return lint_text(text, path="train.py", **settings)


def values(report, launch=0):
    """{name: value} of the settings of a launch."""
    return {name: loaded(entry.value) for name, entry in report.launches[launch].entries.items()}


def value(expression, before="", call="GRPOConfig(num_generations={})\n"):
    """What an expression is worth as a setting."""
    report = lint(IMPORT + before + call.format(expression))
    return values(report)["num_generations"]


# --- which calls are ours -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "from trl import GRPOConfig\nGRPOConfig(num_generations=3)",
        "from trl import GRPOConfig as C\nC(num_generations=3)",
        "from trl.trainer.grpo_config import GRPOConfig\nGRPOConfig(num_generations=3)",
        "from trl.trainer import GRPOConfig\nGRPOConfig(num_generations=3)",
        "import trl\ntrl.GRPOConfig(num_generations=3)",
        "import trl as t\nt.trainer.GRPOConfig(num_generations=3)",
        "from trl import *\nGRPOConfig(num_generations=3)",
        "from trl import trainer\ntrainer.GRPOConfig(num_generations=3)",
        "def f():\n    from trl import RLOOConfig\n    return RLOOConfig(num_generations=3)",
        "try:\n    from trl import GRPOConfig\nexcept ImportError:\n    GRPOConfig = None\nGRPOConfig(num_generations=3)",
        "from unsloth import GRPOConfig\nGRPOConfig(num_generations=3)",
        "from trl.experimental.gmpo import GMPOConfig\nGMPOConfig(num_generations=3)",
        "import trl\nclass GRPOConfig(trl.GRPOConfig): pass\nGRPOConfig(num_generations=3)",
        "from trl import GRPOConfig\nclass GRPOConfig(GRPOConfig): pass\nGRPOConfig(num_generations=3)",
        "import trl\nclass A(trl.GRPOConfig): pass\nclass B(A): pass\nB(num_generations=3)",
        "import trl\nC = trl.GRPOConfig\nC(num_generations=3)",
        "@app.cell\ndef one():\n    from trl import GRPOConfig\n    return (GRPOConfig,)\n\n@app.cell\ndef two(GRPOConfig):\n    GRPOConfig(num_generations=3)",
    ],
)
def test_a_call_of_a_config_class_is_a_launch(text):
    report = lint(text)
    assert [launch.framework.name for launch in report.launches] == ["trl"]
    assert values(report)["num_generations"] == 3
    assert report.launches[0].loader == "kwargs"


@pytest.mark.parametrize(
    "text",
    [
        "from verifiers import GRPOConfig\nGRPOConfig(num_generations=3)",
        "class GRPOConfig: pass\nGRPOConfig(num_generations=3)",
        "from .config import GRPOConfig\nGRPOConfig(num_generations=3)",
        "from trl import GRPOConfig\nparser = TrlParser((GRPOConfig,))",
        '"""GRPOConfig(num_generations=3)"""',
        "# GRPOConfig(num_generations=3)",
        "from trl import GRPOConfig\nGRPOConfig()",
        "from swift import RLHFArguments\nRLHFArguments(rlhf_type='dpo')",
        "from swift import RLHFArguments\nRLHFArguments(rlhf_type=kind)",
        "from trl import GRPOConfig\nwith pytest.raises(ValueError):\n    GRPOConfig(num_generations=1)",
        "from trl import GRPOConfig\n@pytest.mark.xfail(strict=True)\ndef test_one():\n    GRPOConfig(num_generations=1)",
        "from trl import GRPOConfig\n@xfail\nclass TestOne:\n    def test_one(self):\n        GRPOConfig(num_generations=1)",
        "from trl import GRPOConfig\nclass T:\n    @unittest.expectedFailure\n    def test_one(self):\n        GRPOConfig(num_generations=1)",
        "from trl import GRPOConfig\nself.assertRaises(ValueError, lambda: GRPOConfig(num_generations=1))",
        "from trl import GRPOConfig\na = GRPOConfig(num_generations=1)\nwith self.assertRaises(ValueError):\n    GRPOTrainer(args=a)",
        "from trl import GRPOConfig\ntry:\n    a = GRPOConfig(max_promt=1)\nexcept TypeError:\n    a = GRPOConfig()",
        "from trl import GRPOConfig\nclass C(GRPOConfig):\n    def __init__(self, n): pass\nC(num_generations=1)",
        "from trl import GRPOConfig\nclass C(GRPOConfig):\n    def __post_init__(self): pass\nC(num_generations=1)",
    ],
)
def test_other_calls_are_none(text):
    report = lint(text)
    assert report.launches == [] and report.findings == []
    assert report.skipped


def test_ms_swift_is_called_with_its_arguments():
    report = lint(
        "from swift.llm import RLHFArguments, rlhf_main\n# grpo-lint: version=4.6.0 world-size=1\n"
        "rlhf_main(RLHFArguments(rlhf_type='grpo', model='x', num_generations=8, per_device_train_batch_size=4))\n"
    )
    assert [launch.framework.name for launch in report.launches] == ["swift"]
    assert "rollout-holds-whole-groups" in names(report, "error")


def test_megatron_swift_is_called_with_its_arguments():
    report = lint(
        "from swift.megatron import MegatronRLHFArguments, megatron_rlhf_main\n# grpo-lint: version=4.6.0 world-size=16\n"
        "megatron_rlhf_main(MegatronRLHFArguments(rlhf_type='grpo', micro_batch_size=1, global_batch_size=8, num_generations=4))\n"
    )
    assert [launch.framework.name for launch in report.launches] == ["megatron"]
    assert names(report, "error")


def test_an_unknown_keyword_is_refused_by_the_class():
    report = lint(FACTS + IMPORT + "GRPOConfig(output_dir='x', num_generation=8)\n")
    assert names(report, "error") == ["key-is-known"]
    start, end = report.findings[0].at.key
    assert report.text.text[start:end] == "num_generation"


def test_a_key_that_no_release_has_known_may_be_of_a_copy():
    text = IMPORT + "GRPOConfig(output_dir='x', num_generations=8, surprise_weight=8)\n"
    assert names(lint(text), "error", "warning") == ["key-is-known"]
    assert names(lint(text), "error") == []
    assert names(lint(FACTS + text), "error") == ["key-is-known"]


# --- values ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "before", "expected"),
    [
        ("8", "", 8),
        ("-8", "", -8),
        ("2 * 4 + 1", "", 9),
        ("2 ** 3", "", 8),
        ("16 // 3", "", 5),
        ("max(2, 4)", "", 4),
        ("int(8.0)", "", 8),
        ("N", "N = 8\n", 8),
        ("N * M", "N = 2\nM = N * 2\n", 8),
        ("N", "N: int = 8\n", 8),
        ("N", "N = 4\nN = 8\n", 8),
        ("CONFIG['n']", "CONFIG = {'n': 8}\n", 8),
        ("CONFIG['a']['n']", "CONFIG = {'a': {'n': 8}}\n", 8),
        ("CFG.n", "class CFG:\n    n = 8\n", 8),
        ("cfg.n", "@dataclass\nclass Cfg:\n    n: int = 8\ncfg = Cfg()\n", 8),
        ("cfg.n", "@dataclass\nclass Cfg:\n    n: int = field(default=8)\ncfg = Cfg()\n", 8),
        ("cfg.n", "@dataclass\nclass Cfg:\n    n: int = 4\ncfg = Cfg(n=8)\n", 8),
        ("cfg.n", "class Cfg:\n    def __init__(self):\n        self.n = 8\ncfg = Cfg()\n", 8),
        ("8 if flag else 8", "", 8),
        ("[8]", "", [8]),
        ("{'a': 1}", "", {"a": 1}),
        ("'auto'", "", "auto"),
        ("None", "", None),
    ],
)
def test_what_the_text_says_is_known(expression, before, expected):
    assert value(expression, before) == expected


@pytest.mark.parametrize(
    ("expression", "before"),
    [
        ("n", ""),
        ("f(8)", ""),
        ("f'{8}'", ""),
        ("8 if flag else 4", ""),
        ("torch.cuda.device_count()", ""),
        ("N", "if flag:\n    N = 8\nelse:\n    N = 4\n"),
        ("N", "N = 8\nN += 1\n"),
        ("N", "for N in (1, 2):\n    pass\n"),
        ("N", "N = 8\ndef f():\n    global N\n    N = 4\n"),
        ("N", "N = 8\nexec(open('configurator.py').read())\n"),
        ("N", "N = N + 1\n"),
        ("N", "import sys\nN = int(sys.argv[1])\n"),
        ("N", "N, M = x, 4\n"),
        ("N", "with open(x) as N:\n    pass\n"),
        ("CONFIG['n']", "CONFIG = {'n': 8}\nCONFIG['n'] = 4\n"),
        ("CONFIG['n']", "CONFIG = {'n': 8}\nCONFIG.update(x)\n"),
        ("CONFIG['n']", "CONFIG = yaml.safe_load(x)\n"),
        ("CFG.n", "class CFG:\n    n = 8\nCFG.n = 4\n"),
        ("cfg.n", "@dataclass\nclass Cfg:\n    n: int = 8\ncfg = Cfg(**x)\n"),
        ("cfg.n", "class Cfg:\n    def __init__(self):\n        if x:\n            self.n = 8\ncfg = Cfg()\n"),
        ("args.n", "parser.add_argument('--n', type=int, required=True, default=3)\n"),
        ("args.n", "parser.add_argument('--n', type=int)\n"),
        ("args.n", "parser.add_argument('--n', type=int, default=None)\n"),
        ("args.n", "parser.add_argument('--n', type=int, default=8)\nargs.n = 4\n"),
        ("9 ** 9 ** 9", ""),
        ("1 / 0", ""),
        ("(1, 2)", ""),
        ("b'x'", ""),
        ("2 ** 70", ""),
    ],
)
def test_what_it_does_not_say_is_unknown(expression, before):
    assert value(expression, before) is UNKNOWN


ARGUMENTS = """
import argparse
from trl import GRPOConfig
# grpo-lint: version=1.16.0 world-size=1

def main(args):
    return GRPOConfig(output_dir="x", per_device_train_batch_size=4, num_generations=args.n)

parser = argparse.ArgumentParser()
parser.add_argument("-n", "--n", type=int, default=8)
main(parser.parse_args())
"""


def test_a_default_of_the_command_line_is_assumed():
    report = lint(ARGUMENTS)
    assert values(report)["num_generations"] == 8
    assert names(report, "error") == []
    (finding,) = [finding for finding in report.findings if finding.severity == "warning"]
    assert finding.assumes == ["arguments"] and "--n has its default" in finding.note


@pytest.mark.parametrize(
    ("before", "argument"),
    [
        ("def make(n=8):\n    return ", "n"),
        ("@dataclass\nclass Args:\n    n: int = 8\nargs, more = HfArgumentParser((Args, Other)).parse_args_into_dataclasses()\n", "args.n"),
        ("@dataclass\nclass Args:\n    n: int = 8\ndef main(args: Args):\n    return ", "args.n"),
    ],
)  # fmt: skip
def test_other_defaults_are_assumed_as_well(before, argument):
    call = f"GRPOConfig(output_dir='x', per_device_train_batch_size=4, num_generations={argument})\n"
    report = lint(FACTS + IMPORT + before + call)
    assert values(report)["num_generations"] == 8
    assert names(report, "error") == [] and names(report, "warning") == ["rollout-holds-whole-groups"]


def test_a_default_of_a_function_that_is_called_otherwise_is_unknown():
    text = "def make(n=8):\n    return GRPOConfig(num_generations=n)\nmake(4)\n"
    assert values(lint(IMPORT + text))["num_generations"] is UNKNOWN


# --- what makes a config --------------------------------------------------------------------------------------------


def test_mappings_are_unpacked():
    text = "common = {'num_generations': 8, 'max_steps': 3}\nGRPOConfig(**common, **dict(seed=1), **{'beta': 0.1})\n"
    report = lint(IMPORT + text)
    assert values(report) == {"num_generations": 8, "max_steps": 3, "seed": 1, "beta": 0.1}
    assert not report.launches[0].incomplete


FILTER = "{k: v for k, v in given.items() if k in known}"


@pytest.mark.parametrize(
    "make",
    [
        "def make(**given):\n    known = inspect.signature(GRPOConfig).parameters\n    kept = " + FILTER + "\n    return GRPOConfig(**kept)\nmake(num_generations=8, no_key=1)",
        "given = dict(num_generations=8, no_key=1)\nkept = " + FILTER + "\nGRPOConfig(**kept)",
    ],
)  # fmt: skip
def test_of_keys_that_are_given_where_they_are_known_none_is_unknown(make):
    report = lint(FACTS + IMPORT + make + "\n")
    assert values(report)["num_generations"] == 8 and "key-is-known" not in names(report)


@pytest.mark.parametrize("word, is_told", [("no_key", False), ("other", True)])
def test_a_key_that_is_given_where_it_is_known_is_none_that_is_unknown(word, is_told):
    text = f"given = dict(num_generations=8)\nif '{word}' in inspect.signature(GRPOConfig).parameters:\n    given['no_key'] = 1\nGRPOConfig(**given)\n"
    assert ("key-is-known" in names(lint(FACTS + IMPORT + text))) is is_told


def test_a_function_that_hands_all_its_keywords_on_makes_a_config():
    report = lint(
        FACTS + IMPORT + "def make(**given):\n    return GRPOConfig(**given)\nmake(num_generations=8, no_key=1)\n"
    )
    assert values(report)["num_generations"] == 8 and "key-is-known" in names(report)


def test_keys_that_are_set_later_are_unknown():
    text = "common = dict(num_generations=8, max_steps=3)\nif x:\n    common['max_steps'] = 4\nGRPOConfig(**common)\n"
    report = lint(IMPORT + text)
    assert values(report) == {"num_generations": 8, "max_steps": UNKNOWN}


@pytest.mark.parametrize("rest", ["**kwargs", "**vars(args)", "*args", "**{key: 1}", "**{**x}"])
def test_what_is_not_known_may_be_anything(rest):
    report = lint(FACTS + IMPORT + f"GRPOConfig(num_generations=8, per_device_train_batch_size=4, {rest})\n")
    assert report.launches[0].incomplete
    assert names(report, "error", "warning") == []  # the accumulation is unknown, and so is the output


def test_a_class_of_ones_own_has_fields_and_defaults():
    report = lint(
        FACTS + IMPORT + "@dataclass\nclass Mine(GRPOConfig):\n    num_generations: int = 8\n    curriculum: str = 'a'\n    beta: float = 0.1\n"
        "Mine(output_dir='x', per_device_train_batch_size=4, curriculum='b', beta=0.2)\n"
    )  # fmt: skip
    assert values(report)["num_generations"] == 8 and values(report)["beta"] == 0.2
    assert names(report, "error") == ["rollout-holds-whole-groups"]  # nothing about curriculum
    assert report.launches[0].program.declares == {"num_generations", "curriculum", "beta"}


@pytest.mark.parametrize(
    "mine",
    [
        "class Mine(GRPOConfig):\n    num_generations: int = 4\n",
        "@dataclass\nclass Mine(GRPOConfig):\n    num_generations = 4\n",
    ],
)
def test_what_is_no_field_changes_no_default(mine):
    report = lint(FACTS + IMPORT + mine + "Mine(output_dir='x', per_device_train_batch_size=4)\n")
    assert "num_generations" not in values(report)
    assert names(report, "error") == ["rollout-holds-whole-groups"]


def test_what_its_constructor_sets_is_unknown():
    report = lint(
        FACTS + IMPORT + "class Mine(GRPOConfig):\n    def __post_init__(self):\n        super().__post_init__()\n        self.num_generations = f()\n"
        "Mine(output_dir='x', per_device_train_batch_size=4, num_generations=8)\n"
    )  # fmt: skip
    assert names(report, "error", "warning") == []


def test_later_assignments_count():
    text = "c = GRPOConfig(output_dir='x', per_device_train_batch_size=4, num_generations=4)\nc.num_generations = 8\n"
    report = lint(FACTS + IMPORT + text)
    assert values(report)["num_generations"] == 8
    (finding,) = [finding for finding in report.findings if finding.severity == "warning"]
    assert finding.assumes == ["arguments"] and "set after the config is made" in finding.note


@pytest.mark.parametrize(
    "later",
    ["if x:\n    c.num_generations = 8\n", "c.num_generations += 4\n", "def f():\n    c.num_generations = 8\n", "setattr(c, 'num_generations', 8)\n"],
)  # fmt: skip
def test_assignments_in_branches_are_unknown(later):
    assert values(lint(IMPORT + "c = GRPOConfig(num_generations=4)\n" + later))["num_generations"] is UNKNOWN


def test_assignments_to_another_config_of_the_same_name_do_not_count():
    text = "c = GRPOConfig(num_generations=4)\nc.max_steps = 1\nc = GRPOConfig(num_generations=8)\nc.max_steps = 2\n"
    report = lint(IMPORT + text)
    assert [values(report, number) for number in (0, 1)] == [
        {"num_generations": 4, "max_steps": 1},
        {"num_generations": 8, "max_steps": 2},
    ]


def test_an_argument_that_somebody_sets_makes_no_error():
    text = "c = GRPOConfig(output_dir='x', per_device_train_batch_size=4, num_generations=8)\n"
    assert names(lint(FACTS + IMPORT + text), "error") == ["rollout-holds-whole-groups"]
    assert names(lint(FACTS + IMPORT + text + "def f(args):\n    args.num_generations = 4\n"), "error") == []


def test_unsloth_changes_the_batch_where_it_does_not_fit():
    text = "c = GRPOConfig(output_dir='x', per_device_train_batch_size=4, num_generations=8, unsloth_num_chunks=-1, vllm_sampling_params=p)\n"
    assert names(lint(FACTS + IMPORT + text), "error") != []
    assert names(lint(FACTS + "from unsloth import FastLanguageModel\n" + IMPORT + text), "error", "warning") == []


def test_a_trainer_that_is_tried_out_checks_in_its_own_way():
    text = "GRPOConfig(output_dir='x', num_generations=8, importance_sampling_level='sequence_token')\n"
    assert names(lint(FACTS + IMPORT + text), "error") == ["value-is-a-choice"]
    own = "from trl.experimental.gspo_token import GRPOTrainer\n"
    report = engine.lint(Text(FACTS + own + IMPORT + text, "train.py"), Around().of("train.py"), fixes=False)
    assert names(report, "error", "warning") == [] and "value-is-a-choice" in names(report, "info")


# --- fixes ----------------------------------------------------------------------------------------------------------


def fixed(text, number=0):
    """A text with a fix of its first finding made."""
    report = lint(text, fixes=True)
    finding = next(finding for finding in report.findings if finding.fixes)
    return apply(report.text, finding.fixes[number].edits).text


BATCH = "GRPOConfig(\n    output_dir='x',\n    per_device_train_batch_size=4,  # small\n    num_generations=8{}\n"


def test_a_keyword_is_put_in_on_a_line_of_its_own():
    text = FACTS + IMPORT + "args = " + BATCH.format(",  # group\n)")
    assert fixed(text) == text.replace("# group\n", "# group\n    gradient_accumulation_steps=2,\n")


def test_behind_the_last_one_without_a_comma():
    text = FACTS + IMPORT + "args = " + BATCH.format(")")
    assert fixed(text) == text.replace("=8)", "=8,\n    gradient_accumulation_steps=2)")


def test_in_a_line_in_the_style_of_the_place():
    text = FACTS + IMPORT + "GRPOConfig(output_dir='x', per_device_train_batch_size = 4, num_generations = 8, seed=1)\n"
    assert "num_generations = 8, gradient_accumulation_steps = 2, seed=1)" in fixed(text)


def test_windows_line_ends_stay():
    text = (FACTS + IMPORT + "args = " + BATCH.format(",\n)")).replace("\n", "\r\n")
    assert fixed(text) == text.replace("=8,\r\n", "=8,\r\n    gradient_accumulation_steps=2,\r\n")


def test_a_value_is_edited_where_it_is_written():
    text = (
        FACTS
        + IMPORT
        + "ACC = 1\nGRPOConfig(output_dir='x', per_device_train_batch_size=4, num_generations=8, gradient_accumulation_steps=ACC)\n"
    )
    assert fixed(text) == text.replace("ACC = 1", "ACC = 2")


def test_a_constant_that_others_read_is_left_alone():
    text = (
        FACTS
        + IMPORT
        + "ACC = 1\nprint(ACC)\nGRPOConfig(output_dir='x', per_device_train_batch_size=4, num_generations=8, gradient_accumulation_steps=ACC)\n"
    )
    report = lint(text, fixes=True)
    assert all(
        "ACC = 1\n" in apply(report.text, fix.edits).text for finding in report.findings for fix in finding.fixes
    )


REMOVED = {
    "GRPOConfig(output_dir='x', max_prompt_length=3, seed=1)\n": "GRPOConfig(output_dir='x', seed=1)\n",
    "GRPOConfig(output_dir='x', max_prompt_length=3)\n": "GRPOConfig(output_dir='x')\n",
    "GRPOConfig(\n    output_dir='x',\n    max_prompt_length=3,\n    seed=1,\n)\n": "GRPOConfig(\n    output_dir='x',\n    seed=1,\n)\n",
    "GRPOConfig(\n    output_dir='x',\n    max_prompt_length=3,  # long\n)\n": "GRPOConfig(\n    output_dir='x',\n    # long\n)\n",
    "GRPOConfig(\n    output_dir='x',\n    max_prompt_length=3)\n": "GRPOConfig(\n    output_dir='x')\n",
    "GRPOConfig(max_prompt_length=3, output_dir='x')\n": "GRPOConfig(output_dir='x')\n",
}


@pytest.mark.parametrize("before", REMOVED)
def test_a_keyword_goes_with_its_comma(before):
    from grpo_lint.fixes.python_edits import removal

    report = lint(FACTS + IMPORT + before)
    edits = removal(report.code, report.launches[0].setting("max_prompt_length"))
    assert apply(report.text, edits).text == FACTS + IMPORT + REMOVED[before]


def test_a_misspelt_keyword_is_renamed():
    text = FACTS + IMPORT + "GRPOConfig(output_dir='x', num_generation=8, per_device_train_batch_size=8)\n"
    assert fixed(text) == text.replace("num_generation=", "num_generations=")


def test_texts_are_written_as_python_writes_them():
    text = FACTS + IMPORT + "GRPOConfig(output_dir='x', lr_scheduler_type='Cosine', num_generations=8)\n"
    assert fixed(text) == text.replace("'Cosine'", '"cosine"')


def test_check_repairs_a_file(tmp_path):
    path = tmp_path / "train.py"
    text = FACTS + IMPORT + "args = " + BATCH.format(",\n)\n# é \U0001f600\n")
    path.write_bytes(text.encode())
    words = ["check", "--fix", "--unsafe-fixes", "train.py"]
    result = subprocess.run(
        [sys.executable, "-m", "grpo_lint", *words], cwd=tmp_path, capture_output=True, encoding="utf-8"
    )
    assert result.returncode == 0, result.stdout
    assert path.read_bytes().decode() == text.replace("=8,\n", "=8,\n    gradient_accumulation_steps=2,\n")


# --- comments -------------------------------------------------------------------------------------------------------


def test_comments_state_facts_but_texts_do_not():
    report = lint(
        IMPORT + '"""\n# grpo-lint: version=0.14.0\n"""\n# grpo-lint: world-size=4\nGRPOConfig(num_generations=8)\n'
    )
    assert set(report.launches[0].facts) == {"world_size", "loader", "algorithm"}


@pytest.mark.parametrize(
    "text",
    [
        "args = GRPOConfig(output_dir='x', per_device_train_batch_size=4,\n    num_generations=8)  # grpo-lint: ignore[GRPO203]\n",
        "# grpo-lint: ignore[GRPO203]\nargs = GRPOConfig(\n    output_dir='x',\n    per_device_train_batch_size=4,\n    num_generations=8,\n)\n",
        "args = GRPOConfig(\n    output_dir='x',\n    per_device_train_batch_size=4,\n    # grpo-lint: ignore[GRPO203]\n    num_generations=8,\n)\n",
        "# grpo-lint: ignore-file[GRPO203]\nargs = GRPOConfig(output_dir='x', per_device_train_batch_size=4, num_generations=8)\n",
    ],
)
def test_comments_suppress_findings(text):
    report = lint(FACTS + IMPORT + text)
    assert names(report, "error", "warning") == [], told(report)


def test_a_comment_beside_another_call_does_not():
    calls = "GRPOConfig(output_dir='x', num_generations=8, per_device_train_batch_size=8)  # grpo-lint: ignore[GRPO203]\n" + \
        "GRPOConfig(output_dir='x', num_generations=8, per_device_train_batch_size=4)\n"  # fmt: skip
    assert sorted(names(lint(FACTS + IMPORT + calls), "error", "warning")) == ["rollout-holds-whole-groups", "suppression-is-needed"]  # fmt: skip


def test_expectations_hold_for_calls():
    text = "# grpo-lint: expect completions_per_update=16\nGRPOConfig(output_dir='x', num_generations=8, per_device_train_batch_size=8)\n"
    assert names(lint(FACTS + IMPORT + text), "error") == ["expectation-holds"]


# --- what stands around a file --------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lint_path(path):
    return engine.lint_path(path, Around().of(path), fixes=False)


CALL = "GRPOConfig(output_dir='x', per_device_train_batch_size=4, num_generations=8)\n"


def test_processes_come_from_the_script_that_starts_the_file(repository):
    (repository / "train.py").write_text(FACTS.replace(" world-size=1", "") + IMPORT + CALL)
    (repository / "run.sh").write_text("accelerate launch --num_processes 3 train.py\n")
    report = lint_path("train.py")
    assert [launch.world_size for launch in report.launches] == [3]
    assert report.launches[0].facts["world_size"].where[0] == "run.sh"
    assert names(report, "error") == ["rollout-holds-whole-groups"] and report.linked == ["run.sh"]


def test_and_from_the_file_for_accelerate(repository):
    (repository / "train.py").write_text(IMPORT + CALL)
    (repository / "zero.yaml").write_text("distributed_type: DEEPSPEED\nnum_processes: 3\n")
    (repository / "run.sh").write_text("accelerate launch --config_file zero.yaml train.py\n")
    assert [launch.world_size for launch in lint_path("train.py").launches] == [3]


def test_and_from_the_readme(repository):
    (repository / "train.py").write_text(IMPORT + CALL)
    (repository / "README.md").write_text("```sh\naccelerate launch --num_processes 3 train.py\n```\n")
    report = lint_path("train.py")
    assert [launch.world_size for launch in report.launches] == [3]
    assert names(report, "error") == []  # whoever reads it changes the number


def test_each_command_is_a_launch(repository):
    (repository / "train.py").write_text(FACTS.replace(" world-size=1", "") + IMPORT + CALL)
    (repository / "run.sh").write_text(
        "accelerate launch --num_processes 2 train.py\naccelerate launch --num_processes 3 train.py\n"
    )
    report = lint_path("train.py")
    assert [launch.world_size for launch in report.launches] == [2, 3]
    assert names(report, "error") == ["rollout-holds-whole-groups"]


@pytest.mark.parametrize(
    ("flags", "expected", "severities"),
    [
        ("--n 4", 4, []),
        ("--n 8", 8, ["error"]),
        ("", 8, ["error"]),
        ('"$@"', 8, ["warning"]),
        ('--n "$N"', UNKNOWN, []),
    ],
)
def test_flags_of_the_command_are_what_the_file_reads(repository, flags, expected, severities):
    (repository / "train.py").write_text(ARGUMENTS.replace(" world-size=1", ""))
    (repository / "run.sh").write_text(f"python train.py {flags}\n")
    report = lint_path("train.py")
    assert values(report)["num_generations"] == expected
    assert [finding.severity for finding in report.findings if finding.severity != "info"] == severities


@pytest.mark.parametrize(
    ("declared", "flags", "expected"),
    [
        ("'--x', action='store_true'", "--x", True),
        ("'--x', action='store_true'", "", False),
        ("'--x', action='store_true', default=True", "", True),
        ("'--no_x', action='store_false', dest='x'", "--no_x", False),
        ("'--no_x', action='store_false', dest='x'", "--no-x", False),
        ("'--no_x', action='store_false', dest='x'", "", True),
        ("'--x', action=argparse.BooleanOptionalAction, default=True", "--no-x", False),
        ("'--x', action=argparse.BooleanOptionalAction, default=False", "--x", True),
        ("'--x', action=argparse.BooleanOptionalAction, default=True", "", True),
        ("'--x', action=Own, default=True", "", UNKNOWN),
        ("'--x', action='store_const', const=True, default=False", "--x", UNKNOWN),
        ("'--x', action='count', default=0", "--x --x", UNKNOWN),
        ("'--x', type=str2bool, default=False", "--x", UNKNOWN),
        ("'--x', type=str2bool, default=False", "--x yes", UNKNOWN),
        ("'--x', type=str", "--x", UNKNOWN),  # argparse refuses that
        ("'--x', type=str, nargs='?', const='a', default='b'", "--x", UNKNOWN),
        ("'--x', '-y', type=int, default=1", "-y 2", 2),
        ("'--x', '-y', type=int, default=1", "-y 2 --x 3", UNKNOWN),
        ("'--x_long', dest='x', type=int, default=1", "--x_long 2", 2),
        ("'--x_long', dest='x', type=int, default=1", "--x_l 2", UNKNOWN),  # argparse takes the beginning of a name
        ("'--x_long', dest='x', type=int, default=1", "--n 2", 1),
    ],
)
def test_a_flag_means_what_its_declaration_says(repository, declared, flags, expected):
    text = ARGUMENTS.replace(" world-size=1", "").replace("main(p", f"parser.add_argument({declared})\nmain(p")
    text = text.replace("num_generations=args.n", "num_generations=4, disable_dropout=args.x")
    (repository / "train.py").write_text(text)
    (repository / "run.sh").write_text(f"python train.py {flags}\n")
    report = lint_path("train.py")
    assert values(report)["disable_dropout"] == expected
    assert type(expected) is int or names(report, "error", "warning") == []


ENTERED = """\
from trl import GRPOConfig
{before}
def main(n: int = 6, size: int = 8):
    return GRPOConfig(output_dir="x", per_device_train_batch_size=8, num_generations=n)
{after}
"""


@pytest.mark.parametrize(
    ("before", "after", "flag"),
    [
        ("", "fire.Fire(main)", 8),
        ("", "fire.Fire({'train': main})", 8),
        ("", "fire.Fire()", 8),
        ("", "tyro.cli(main)", 8),
        ("", "typer.run(main)", 8),
        ("app = typer.Typer()\n@app.command()", "app()", 8),
        ("@app.command", "app()", 8),
        ("@click.command()\n@click.option('--n', default=6)", "main()", 8),
        ("@ray.remote", "main.remote(8)", UNKNOWN),
        ("", "notebook_launcher(main, (8,))", UNKNOWN),
    ],
)
def test_a_function_that_something_else_calls_has_the_flag_or_an_unknown_value(repository, before, after, flag):
    (repository / "train.py").write_text(ENTERED.format(before=before, after=after))
    for flags, expected in (
        ("--n 8", flag),
        ("--n=8", flag),
        ("", UNKNOWN),
        ("8", UNKNOWN),
        ("--n", UNKNOWN),
        ("--n x", UNKNOWN),
    ):
        (repository / "run.sh").write_text(f"# grpo-lint: version=1.16.0\npython train.py {flags}\n")
        assert values(lint_path("train.py"))["num_generations"] == expected
    assert values(lint(ENTERED.format(before=before, after=after)))["num_generations"] is UNKNOWN


@pytest.mark.parametrize(
    ("before", "after"), [("", "main()"), ("@record", "main()"), ("", "fire.Fire(other)\nmain(size=4)"), ("", "")]
)
def test_a_function_that_the_file_calls_has_its_default(before, after):
    assert values(lint(ENTERED.format(before=before, after=after)))["num_generations"] == 6


def test_a_field_of_what_a_command_line_fills_may_be_set_by_a_longer_flag(repository):
    text = "import tyro\nfrom trl import GRPOConfig\n@dataclass\nclass Args:\n    n: int = 6\ndef main(args: Args):\n    GRPOConfig(output_dir='x', num_generations=args.n)\ntyro.cli(main)\n"
    (repository / "train.py").write_text(text)
    (repository / "run.sh").write_text("python train.py --args.n 8\n")
    assert values(lint_path("train.py"))["num_generations"] is UNKNOWN


def test_a_default_that_a_call_replaces_is_unknown():
    report = lint(ARGUMENTS.replace("main(p", "parser.set_defaults(n=4)\nmain(p"))
    assert values(report)["num_generations"] is UNKNOWN


def test_a_text_where_a_switch_belongs_is_called_by_its_name():
    report = lint(
        FACTS
        + IMPORT
        + "GRPOConfig(output_dir='x', num_generations=4, per_device_train_batch_size=4, disable_dropout='True')\n"
    )
    (finding,) = [each for each in report.findings if each.rule.name == "value-has-the-type-of-its-key"]
    assert "the text 'True', not true or false, and nothing converts it" in message(finding)


LOADED = "import yaml\nfrom pathlib import Path\nfrom trl import GRPOConfig\n# grpo-lint: version=0.24.0 world-size=1\n"
IN_YAML = (
    "output_dir: o\nper_device_train_batch_size: 8\nnum_generations: 6\nlearning_rate: 1e-6\nmax_completion_len: 2\n"
)


@pytest.mark.parametrize(
    "load",
    [
        "cfg = yaml.safe_load(open('c.yaml'))\nGRPOConfig(**cfg)\n",
        "GRPOConfig(**yaml.safe_load(open('c.yaml', encoding='utf-8')))\n",
        "with open('c.yaml') as f:\n    cfg = yaml.safe_load(f)\nprint(cfg, cfg['beta'], cfg.get('beta'))\nGRPOConfig(**cfg)\n",
        "NAME = 'c.yaml'\ncfg = yaml.load(Path(NAME).read_text(), Loader=yaml.SafeLoader)\nGRPOConfig(**cfg)\n",
    ],
)
def test_what_a_call_takes_out_of_a_file_is_judged(repository, load):
    (repository / "c.yaml").write_text(IN_YAML)
    (repository / "train.py").write_text(LOADED + load)
    report = lint_path("train.py")
    assert values(report)["learning_rate"] == "1e-6" and not report.launches[0].incomplete
    found = {each.rule.name: (each.severity, each.note) for each in report.findings if each.severity != "info"}
    assert found == {
        "key-is-known": ("error", "max_completion_len is set in c.yaml, line 5"),
        "rollout-holds-whole-groups": ("error", "num_generations is set in c.yaml, line 3"),
        "value-has-the-type-of-its-key": ("warning", "learning_rate is set in c.yaml, line 4"),
    }


@pytest.mark.parametrize(
    ("call", "severities"),
    [
        ("GRPOConfig(**cfg['train'])", ["error"]),
        ("GRPOConfig(**{**cfg['train'], 'num_generations': 8})", []),
        ("GRPOConfig(**cfg['other'])", []),
        ("inner = cfg['train']\ninner['num_generations'] = 8\nGRPOConfig(**cfg['train'])", []),
        ("cfg['train']['num_generations'] = 8\nGRPOConfig(**cfg['train'])", []),
        ("cfg['train'].update(x)\nGRPOConfig(**cfg['train'])", []),
    ],
)
def test_what_stands_in_a_section_of_a_file(repository, call, severities):
    (repository / "c.yaml").write_text(
        "train: {output_dir: o, per_device_train_batch_size: 8, num_generations: 6}\nmodel: m\n"
    )
    (repository / "train.py").write_text(f"{LOADED}cfg = yaml.safe_load(open('c.yaml'))\n{call}\n")
    assert [each.severity for each in lint_path("train.py").findings if each.severity != "info"] == severities


@pytest.mark.parametrize(
    "code",
    [
        "cfg = yaml.safe_load(open('c.yaml'))\nfix(cfg)\nGRPOConfig(num_generations=6, **cfg)\n",
        "cfg = yaml.safe_load(open('c.yaml'))\ncfg.pop('max_completion_len')\nGRPOConfig(num_generations=6, **cfg)\n",
        "cfg = yaml.safe_load(open('c.yaml'))\nother = cfg\nGRPOConfig(num_generations=6, **cfg)\n",
        "cfg = yaml.safe_load(open(sys.argv[1]))\nGRPOConfig(num_generations=6, **cfg)\n",
        "cfg = yaml.safe_load(open('elsewhere.yaml'))\nGRPOConfig(num_generations=6, **cfg)\n",
        "cfg = yaml.safe_load(open('/c.yaml'))\nGRPOConfig(num_generations=6, **cfg)\n",
        "yaml.dump(x, open('c.yaml', 'w'))\ncfg = yaml.safe_load(open('c.yaml'))\nGRPOConfig(num_generations=6, **cfg)\n",
        "cfg = yaml.load(open('c.yaml'), Loader=Mine)\nGRPOConfig(num_generations=6, **cfg)\n",
        "cfg = {k: v for k, v in yaml.safe_load(open('c.yaml')).items() if k in known}\nGRPOConfig(num_generations=6, **cfg)\n",
    ],
)
def test_what_may_not_be_all_of_a_file_is_not_known(repository, code):
    (repository / "c.yaml").write_text(IN_YAML)
    (repository / "train.py").write_text(LOADED + code)
    report = lint_path("train.py")
    assert report.launches[0].incomplete and values(report) == {"num_generations": 6}
    assert names(report, "error", "warning") == []


def test_a_file_that_could_be_one_of_two_is_not_known(repository):
    (repository / "sub").mkdir()
    (repository / "c.yaml").write_text(IN_YAML)
    (repository / "sub" / "c.yaml").write_text(IN_YAML + "seed: 1\n")
    (repository / "sub" / "train.py").write_text(f"{LOADED}GRPOConfig(beta=0.1, **yaml.safe_load(open('c.yaml')))\n")
    assert values(lint_path("sub/train.py")) == {"beta": 0.1}


def test_a_class_of_another_file_of_the_repository(repository):
    (repository / "pkg").mkdir()
    (repository / "pkg" / "configs.py").write_text(
        "import trl\n\n\n@dataclass\nclass GRPOConfig(trl.GRPOConfig):\n    num_generations: int = 8\n    chat: str = ''\n"
    )
    (repository / "train.py").write_text(
        FACTS
        + "from pkg.configs import GRPOConfig\nGRPOConfig(output_dir='x', per_device_train_batch_size=4, chat='a')\n"
    )
    report = lint_path("train.py")
    assert values(report)["num_generations"] == 8
    assert names(report, "error") == ["rollout-holds-whole-groups"]


def test_the_release_that_a_script_asks_for_itself():
    text = '# /// script\n# dependencies = [\n#     "trl==0.19.1",\n# ]\n# ///\n' + IMPORT + CALL
    launch = lint(text).launches[0]
    assert [candidate.text for candidate in launch.candidates] == ["0.19.1"]
    assert launch.version_source == "train.py:3"


# --- files of strangers ---------------------------------------------------------------------------------------------

NESTED = {
    "parentheses": "x = " + "(" * 50_000 + ")" * 50_000,
    "signs": "x = " + "-" * 50_000 + "1",
    "names": "x = a" + ".a" * 50_000,
    "sums": "x = 1" + "+1" * 50_000,
    "calls": "x = f" + "()" * 50_000,
    "branches": "if a: pass\n" + "elif a: pass\n" * 10_000,
    "newer syntax": "def f(:\n",
}


NO_PYTHON = ("parentheses", "newer syntax")  # the others are more than is read of any


@pytest.mark.parametrize("name", NESTED)
def test_what_cannot_be_parsed_is_told_where_it_is_named_and_what_is_too_much_where_it_is_met(name):
    text = IMPORT + NESTED[name] + "\n" + CALL
    named = lint(text)
    assert names(named) == ["file-is-looked-at-to-its-end"] and named.findings[0].severity == "info"
    met = Context()
    met.is_met = True
    report = engine.lint(Text(text, "train.py"), met)
    if name in NO_PYTHON:
        assert report.findings == [] and "is no Python that" in report.skipped
    else:
        assert names(report) == names(named)


@pytest.mark.parametrize("data", [b"GRPOConfig\0", b"# \xe9\nGRPOConfig(num_generations=8)"])
def test_what_is_no_text_is_told(data):
    report = engine.lint_bytes(data, "train.py")
    assert [(each.rule.name, each.severity) for each in report.findings] == [("file-can-be-read", "info")]


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"a{number} = a{number + 1} + a{number + 1}\n" for number in range(3000)) + "GRPOConfig(num_generations=a0)\n",
        "c = GRPOConfig(num_generations=8)\n" + "c.max_steps = 3\n" * 5000,
        "GRPOConfig(num_generations=8)\n" * 5000,
        "n = 4\n" + "print(n)\n" * 5000 + "GRPOConfig(" + ", ".join(f"a{number}=n" for number in range(2000)) + ")\n",
        "D = {'a': 1}\n" + "print(D['a'])\n" * 5000 + "GRPOConfig(" + ", ".join(f"a{number}=D['a']" for number in range(2000)) + ")\n",
        "d = {**d}\ne = dict(**e)\nGRPOConfig(num_generations=8, **d, **e)\n",
        "class A(B): pass\nclass B(A): pass\nA(num_generations=8)\nGRPOConfig(num_generations=8)\n",
        "n = n + 1\nm = k\nk = m\nGRPOConfig(num_generations=n, max_steps=m)\n",
    ],
    ids=["sums of sums", "attributes", "calls", "uses", "items", "mappings of themselves", "classes of each other", "names of each other"],
)  # fmt: skip
def test_work_is_bounded(text):
    began = time.process_time()
    report = lint(IMPORT + text)
    assert report.launches
    assert time.process_time() - began < 30 * unit()


def test_nothing_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lint(IMPORT + "open('made', 'w')\n__import__('os').mkdir('made')\nGRPOConfig(num_generations=print('x') or 8)\n")
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_something_else_is_not_parsed():
    code = (
        "import sys\nfrom grpo_lint.cli.main import main\nmain(['check', 'other.py'])\n"
        "print('ast' in sys.modules, any(name.endswith('.catalogue') for name in sys.modules if 'frameworks.catalogue' not in name))"
    )
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/other.py", "w") as file:
            file.write("import torch\n\nprint('reward')\n")
        result = subprocess.run(
            [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}"],
            cwd=folder, capture_output=True, encoding="utf-8",
        )  # fmt: skip
    assert result.stdout.splitlines()[-1] == "False False", result.stderr


# --- a trainer without a set to evaluate on --------------------------------------------------------------------------

EVALUATED = """\
from trl import GRPOConfig, GRPOTrainer
args = GRPOConfig(output_dir="out", num_generations=8, per_device_eval_batch_size=8, eval_strategy={strategy})
{made}
"""
MADE = "trainer = GRPOTrainer(model, reward, args, train)"


def lacks_a_set(made=MADE, strategy='"steps"', text=EVALUATED):
    report = lint(FACTS + text.format(made=made, strategy=strategy))
    return [(finding.severity, finding.stage) for finding in report.findings if finding.rule.code == "GRPO463"]


@pytest.mark.parametrize(
    "made",
    [
        MADE,
        "GRPOTrainer(model=model, reward_funcs=reward, args=args, train_dataset=train)",
        "GRPOTrainer(model=model, reward_funcs=reward, args=args, train_dataset=train, eval_dataset=None)",
        "def train(model):\n    GRPOTrainer(model, reward, args=args)",
        "import trl\ntrl.GRPOTrainer(model, reward, args=args)",
        "from trl import GRPOTrainer as Trainer\nTrainer(model, reward, args=args)",
        "from trl.trainer.grpo_trainer import GRPOTrainer\nGRPOTrainer(model, reward, args=args)",
    ],
)
def test_a_trainer_that_evaluates_wants_a_set(made):
    assert lacks_a_set(made) == [("error", "init")]


def test_a_trainer_that_is_made_around_its_config_wants_a_set():
    inline = (
        "from trl import GRPOConfig, GRPOTrainer\n"
        "GRPOTrainer(model, reward, args=GRPOConfig(num_generations=8, per_device_eval_batch_size=8, eval_strategy={strategy}){made})\n"
    )
    assert lacks_a_set("", text=inline) == [("error", "init")]
    assert lacks_a_set(", eval_dataset=test", text=inline) == []


@pytest.mark.parametrize(
    "made",
    [
        "",
        "GRPOTrainer(model, reward, args, train, test)",
        "GRPOTrainer(model=model, reward_funcs=reward, args=args, eval_dataset=test)",
        "GRPOTrainer(model, reward, args=args, **more)",
        "GRPOTrainer(*given, args=args)",
        "class GRPOTrainer(GRPOTrainer): pass\nGRPOTrainer(model, reward, args)",
        "from mine import GRPOTrainer\nGRPOTrainer(model, reward, args)",
        "from trl.experimental.async_grpo import GRPOTrainer\nGRPOTrainer(model, reward, args)",
        "args = other\nGRPOTrainer(model, reward, args)",
        "if test:\n    GRPOTrainer(model, reward, args, train, test)\nelse:\n    GRPOTrainer(model, reward, args, train)",
        "if own:\n    OwnTrainer(args=args)\nelse:\n    GRPOTrainer(model, reward, args, train)",
        "try:\n    GRPOTrainer(model, reward, args)\nexcept ValueError:\n    pass",
        "with pytest.raises(ValueError):\n    GRPOTrainer(model, reward, args)",
        "def train(args):\n    GRPOTrainer(model, reward, args)",
        "args.eval_strategy = 'no'\nGRPOTrainer(model, reward, args)",
    ],
)
def test_a_trainer_that_may_have_a_set_is_left_alone(made):
    assert lacks_a_set(made) == []


@pytest.mark.parametrize("strategy", ['"no"', "strategy", "None", "IntervalStrategy.NO"])
def test_a_trainer_that_may_not_evaluate_needs_no_set(strategy):
    assert lacks_a_set(strategy=strategy) == []


JSON_READERS = (
    "with open('grpo.json') as file:\n    settings = json.load(file)",
    "settings = json.loads(Path('grpo.json').read_text())",
    "settings = json.loads(open('grpo.json').read())",
)


@pytest.mark.parametrize("reads", JSON_READERS)
def test_a_config_made_of_a_file_of_json(tmp_path, reads):
    (tmp_path / ".git").mkdir()
    settings = '{"output_dir": "o", "per_device_train_batch_size": 3, "num_generations": 8, "learning_rate": 1e-6}'
    (tmp_path / "grpo.json").write_text(settings)
    path = tmp_path / "train.py"
    path.write_text(
        f"{FACTS}import json\nfrom pathlib import Path\nfrom trl import GRPOConfig\n{reads}\nGRPOConfig(**settings)\n"
    )
    report = engine.lint_path(str(path), Around().of(str(path)))
    assert names(report, "error", "warning") == ["rollout-holds-whole-groups"]


# --- what is left at the end ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("last", "found"), [("", ["program-saves-its-model"]), ('trainer.save_model("out")\n', [])])
def test_a_program_that_saves_nothing_is_told(last, found):
    text = f'{FACTS}{IMPORT}a = GRPOConfig(save_strategy="no", per_device_train_batch_size=8)\nx(a)\ntrainer.train()\n{last}'
    assert names(lint(text)) == found
