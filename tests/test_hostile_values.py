"""What a stranger wrote as a value, at every key that a framework knows: aliases that stand for more than any memory
holds, and numbers without end."""

import json
import os
import re
import resource
import subprocess
import sys
from itertools import cycle

import pytest

from grpo_lint.cli.hook_entry import NotAdded, Origin, with_hook
from grpo_lint.cli.main import main
from grpo_lint.engine import lint
from grpo_lint.frameworks.registry import framework as framework_named
from grpo_lint.launch.context import Context
from grpo_lint.plan.formula import unrolled
from grpo_lint.plan.plan import Plan
from grpo_lint.report.explain import document as explain_document, explanation, html, svg
from grpo_lint.report.json import as_json, document
from grpo_lint.report.messages import message
from grpo_lint.report.text import TextPrinter
from grpo_lint.settings import files as settings_files
from grpo_lint.source.entry import MOST_EXPANDED, MOST_LEVELS, loaded
from grpo_lint.source.text import Text
from grpo_lint.source.yaml.reader import read_yaml
from grpo_lint.unknown import LARGEST_NUMBER, UNKNOWN

pytestmark = pytest.mark.slow

FIRST = {"trl": "output_dir: out\n", "swift": "rlhf_type: grpo\n", "megatron": "rlhf_type: grpo\n"}


def lint_text(text, path="config.yaml", fixes=False):
    return lint(Text(text, path), Context(), fixes=fixes)


# --- bombs ----------------------------------------------------------------------------------------------------------

ROOM = 256 << 20
LEVELS = range(1, 12)
BOMBS = {
    "lists": ["b0: &b0 {x: y}", *(f"b{n}: &b{n} [{', '.join([f'*b{n - 1}'] * 8)}]" for n in LEVELS)],
    "mappings": [
        "b0: &b0 {x: y}",
        *(f"b{n}: &b{n} {{{', '.join(f'k{k}: *b{n - 1}' for k in range(8))}}}" for n in LEVELS),
    ],
    "texts": [
        "b0: &b0 [" + "x" * 5000 + "]",
        *(f"b{n}: &b{n} [[*b{n - 1}, *b{n - 1}], [*b{n - 1}, *b{n - 1}]]" for n in LEVELS),
    ],
    "merges": [
        "b0: &b0 {x: y}",
        *(f"b{n}: &b{n} {{<<: *b{n - 1}, {', '.join(f'{n}k{k}: *b{n - 1}' for k in range(6))}}}" for n in LEVELS),
    ],
    "levels": ["b0: &b0 [x]", *(f"b{n}: &b{n} " + "[" * 90 + f"*b{n - 1}" + "]" * 90 for n in LEVELS)],
    "itself": ["b11: &b11 [*b11, {a: *b11}]"],
    # as much as is looked at
    "nearly": ["b11: &b11 [" + "x," * (MOST_EXPANDED // 2 - 10) + "]"],
}
WAYS = {"an alias": "*b11", "a list": "[*b11, *b11]", "a merge": "{<<: *b11}"}


def config_of_bombs(framework, bomb):
    """A config that gives a bomb to every key that any release of a framework knows."""
    names = [name for name in framework_named(framework).catalogue.names() if name not in ("output_dir", "rlhf_type")]
    ways = [way for way in WAYS.values() if bomb in ("mappings", "merges") or "<<" not in way]
    keys = [f"{name}: {ways[place % len(ways)]}" for place, name in enumerate(names)]
    return (
        f"# grpo-lint: dialect={framework} world-size=4\n{FIRST[framework]}" + "\n".join([*BOMBS[bomb], *keys]) + "\n"
    )


def memory_is_limited():
    resource.setrlimit(resource.RLIMIT_DATA, (ROOM, ROOM))
    resource.setrlimit(resource.RLIMIT_CPU, (100, 100))  # what gives way to a bomb never ends


@pytest.mark.parametrize("words", [("full",), ("json",), ("--fix", "--diff", "--unsafe-fixes")], ids=" ".join)
@pytest.mark.parametrize("framework", FIRST)
def test_a_bomb_at_every_key(tmp_path, framework, words):
    bombs = [bomb for bomb in BOMBS if bomb != "nearly" or "json" in words]  # that one takes as long as all others
    for bomb in bombs:
        (tmp_path / f"{bomb}.yaml").write_text(config_of_bombs(framework, bomb))
    words = words if len(words) > 1 else ("--output-format", *words)
    done = subprocess.run([sys.executable, "-m", "grpo_lint", "check", ".", *words], cwd=tmp_path, capture_output=True, encoding="utf-8",
                          preexec_fn=memory_is_limited)  # fmt: skip
    assert done.returncode in (0, 1), (done.returncode, done.stderr[-500:])
    assert "internal error" not in done.stderr and len(done.stdout) < 2_000_000
    if "json" in words:
        assert {file["path"]: file["skipped"] for file in json.loads(done.stdout)["files"]} == {
            f"{bomb}.yaml": None for bomb in bombs
        }


@pytest.mark.parametrize("bomb", [bomb for bomb in BOMBS if bomb != "nearly"])
def test_what_is_too_large_is_unknown_and_told(bomb):
    text = "\n".join(
        [*BOMBS[bomb], "per_device_train_batch_size: *b11", "num_generations: 8", "max_steps: 3", FIRST["trl"]]
    )
    found = [
        (finding.rule.code, finding.severity, message(finding))
        for finding in lint_text(f"# grpo-lint: dialect=trl\n{text}").findings
    ]
    told = "per_device_train_batch_size holds more than is looked at in one value: lists in lists without end, or a huge number"
    assert [each for each in found if each[2].startswith("per_device")] == [("GRPO905", "info", told)]


def value_at(text, key="k"):
    return loaded(read_yaml(Text(text)).root.get(key).value)


def test_what_is_written_is_known_at_any_length_and_what_aliases_make_of_it_is_not():
    long = "[" + ", ".join(["x"] * MOST_EXPANDED) + "]"
    assert value_at(f"k: {long}") == ["x"] * MOST_EXPANDED
    assert value_at(f"a: &a {long}\nk: *a") is UNKNOWN
    text = "x" * 9 * MOST_EXPANDED
    assert value_at(f"a: &a {text}\nk: *a") == text
    assert value_at("a: &a [1, {b: 2}]\nk: [*a, *a, {<<: {c: *a}}]") == [
        [1, {"b": 2}],
        [1, {"b": 2}],
        {"c": [1, {"b": 2}]},
    ]
    assert value_at("k: " + "[" * MOST_LEVELS + "1" + "]" * MOST_LEVELS) is not UNKNOWN
    assert value_at("k: [" + "[" * MOST_LEVELS + "1" + "]" * MOST_LEVELS + "]") is UNKNOWN


def test_the_same_bomb_twice_is_a_duplicate():
    text = "\n".join(
        [
            *BOMBS["lists"],
            "per_device_train_batch_size: *b11",
            "per_device_train_batch_size: *b10",
            "num_generations: 8",
            FIRST["trl"],
        ]
    )
    (finding,) = [
        finding for finding in lint_text(f"# grpo-lint: dialect=trl\n{text}").findings if finding.rule.code == "GRPO003"
    ]
    assert "the last one, *b10, counts and *b11 has no effect" in message(finding)


def test_a_bomb_among_the_hooks_is_left_alone():
    with pytest.raises(NotAdded):
        with_hook(
            "\n".join([*BOMBS["lists"], "repos:", "- repo: local", "  hooks: *b11"]),
            Origin("https://example.com/a", "v1", True),
        )


def test_a_layout_of_few_characters_has_an_end():
    assert unrolled("E|(t|)*3,L") == "E|t|t|t|L"
    for layout in ("(t*9999)*9999", "t*9999", "(" * 100_000, "(" + "t" * 1500 + ")*2"):
        with pytest.raises(ValueError):
            unrolled(layout)
    text = f"# grpo-lint: dialect=megatron world-size=8\nrlhf_type: grpo\npipeline_model_parallel_layout: '(t*9999)*9999|{'(' * 100_000}'\n"
    lint_text(text + "pipeline_model_parallel_size: 2\nnum_layers: 4\n", fixes=True)


# --- numbers --------------------------------------------------------------------------------------------------------

NINES = "9" * 310
NUMBERS = {
    "a negative one of 310 digits": f"-{NINES}",
    "320 digits": "9" * 320,
    "more digits than Python prints": "9" * 5000,
    "hexadecimal of 4,800 digits": "0x" + "f" * 4000,
    "a text of 4,200 digits": f"'{'9' * 4200}'",
    "base sixty": "1" + ":59" * 1400,
    "infinite": "1.0e+999",
    "an infinite text": "1e999",
    "a float of 309 digits": "-1.0e+308",
    "the largest": str(LARGEST_NUMBER),
    "one more than the largest": str(LARGEST_NUMBER + 1),
    "a list": f"[{'9' * 320}]",
    "a list of texts": f"['{'9' * 4200}']",
}
COUNTED = "per_device_train_batch_size micro_batch_size num_generations steps_per_generation max_steps num_train_epochs".split()
LARGE = 2**62  # products of these have hundreds of digits


def can_be_told(report):
    """Every form of what is said about a file can be made of it."""
    as_json(document([report]))
    TextPrinter().file(report)
    explanation(report, colour=False, width=100, verbose=True, picture=True)
    explain_document.json_document([explain_document.json_part(report)])
    explain_document.markdown(report)
    svg.document([svg.part(report)])
    html.document([html.part(report)])


@pytest.mark.parametrize(("number", "framework"), list(zip(NUMBERS, cycle(FIRST))))
def test_a_number_without_end(number, framework):
    names = framework_named(framework).catalogue.names()
    for name in filter(names.__contains__, COUNTED):
        settings = {
            "num_generations": 8,
            **dict.fromkeys(
                ("gradient_accumulation_steps" if framework != "megatron" else "micro_batch_size", "max_steps"), LARGE
            ),
            name: NUMBERS[number],
        }
        comment = f"# grpo-lint: dialect={framework} world-size=999999999999999 dataset-size=999999999999999\n"
        can_be_told(
            lint_text(comment + FIRST[framework] + "".join(f"{key}: {value}\n" for key, value in settings.items()))
        )


@pytest.mark.parametrize(
    "number", [f"-{NINES}", "9" * 320, "9" * 2000, str(-LARGEST_NUMBER), str(LARGEST_NUMBER), str(LARGE)], ids=len
)
def test_a_number_without_end_is_not_tried_in_fixes(number):
    head = "output_dir: out\nper_device_train_batch_size: 8\nnum_generations: 7\n"
    can_be_told(lint_text(f"{head}steps_per_generation: {number}\n", fixes=True))
    can_be_told(
        lint_text(
            f"# grpo-lint: world-size=8\n{head}steps_per_generation: {number}\ngradient_accumulation_steps: {number}\n",
            fixes=True,
        )
    )


@pytest.mark.parametrize(
    "number", [f"-{NINES}", "9" * 320, "0x" + "f" * 4000, str(LARGEST_NUMBER + 1), f"'{'9' * 400}'"]
)
@pytest.mark.parametrize("framework", FIRST)
def test_a_number_beyond_the_bound_is_told_and_not_reckoned_with(framework, number):
    key = "micro_batch_size" if framework == "megatron" else "per_device_train_batch_size"
    report = lint_text(
        f"# grpo-lint: dialect={framework} world-size=4\n{FIRST[framework]}{key}: {number}\nnum_generations: 8\n"
    )
    told = f"{key} holds a whole number beyond {LARGEST_NUMBER}, with which nothing is reckoned"
    assert [
        (finding.severity, message(finding)) for finding in report.findings if finding.at and finding.at.name == key
    ] == [("warning", told)]


@pytest.mark.parametrize("digits", [20, 320, 5000])
def test_numbers_without_end_in_a_script(digits):
    nines = "9" * digits
    can_be_told(lint_text(
        f"NINES={nines}\nPRODUCT=$(({nines}*{nines})) POWER=$((10**400)) MORE=$(({LARGEST_NUMBER}+1))\nset -- a b\nshift {nines}\n"
        f"torchrun --nproc_per_node {nines} --nnodes 2 --node_rank {nines} train_grpo.py --num_generations {nines} --max_steps ${{{nines}}} "
        f"--per_device_train_batch_size $NINES --steps_per_generation -{nines} --save_steps ${{NINES:{nines}}} --eval_steps ${{{nines}:-4}} "
        f"--gradient_accumulation_steps $POWER --num_iterations $PRODUCT --logging_steps $MORE --num_train_epochs 1e999 --reward_funcs accuracy\n"
        f"NPROC_PER_NODE=$(({nines})) NNODES={nines} swift rlhf --rlhf_type grpo --num_generations {nines} --steps_per_generation $POWER\n"
        f"trl grpo --num_processes {nines} --num_generations {nines} --generation_batch_size 0x{nines}\n",
        path="run.sh", fixes=True,
    ))  # fmt: skip


def test_numbers_without_end_on_the_command_line_in_settings_and_in_comments(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    nines, hexadecimal = "9" * 400, "0x" + "f" * 5000
    config = f"# grpo-lint: dialect=trl world-size={nines} expect completions_per_update={nines}\nper_device_train_batch_size: 8\nnum_generations: 8\n"
    (tmp_path / "config.yaml").write_text(config + "output_dir: out\ndeepspeed: ds.json\n")
    (tmp_path / "ds.json").write_text(
        f'{{"train_batch_size": {nines}, "gradient_accumulation_steps": {"[" * 500}1{"]" * 500}}}'
    )
    for words in (["--world-size", nines], ["--dataset-size", nines * 20], ["--framework-version", f"{nines}.{nines}"]):
        assert main(["check", *words, "config.yaml"]) == 2
        assert "internal error" not in capsys.readouterr().err
    for settings in (f"world-size = {hexadecimal}", f"world-size = [8, {nines}]", f"version = {hexadecimal}", f"fail-on = {hexadecimal}",
                     f'[rules.team-a]\non = "num_generations"\nmax = {hexadecimal}', f"dataset-size = {nines}", "world-size = 1e999"):  # fmt: skip
        (tmp_path / "grpo-lint.toml").write_text(settings)
        settings_files.forget()
        assert main(["check", "config.yaml"]) == 2
        assert "grpo-lint.toml:" in (told := capsys.readouterr().err) and "internal error" not in told
    os.remove(tmp_path / "grpo-lint.toml")
    settings_files.forget()
    assert main(["check", "config.yaml"]) == 1  # the comment
    assert "internal error" not in capsys.readouterr().err
    swift = f"rlhf_type: grpo\nnum_generations: 8\nENV: {{NPROC_PER_NODE: '{nines * 20}', NNODES: '²'}}\nper_device_train_batch_size: 8\n"
    can_be_told(lint_text(swift + f"dataset: [a#{nines * 20}]\n"))


@pytest.mark.parametrize("framework", FIRST)
def test_no_formula_repeats_a_text_or_a_list(framework, monkeypatch):
    """Python takes `[1] * 10**12` at its word."""
    repeated, names, whole = [], set(), Plan.evaluate

    def evaluate(plan, formula):
        for name in re.findall(r"(\w+)\)? (?=\*)|(?<=\*) \(?(\w+)", formula.text):
            if type(dict.get(plan, "".join(name))) in (str, list):
                repeated.append(("".join(name), formula.text))
        return whole(plan, formula)

    monkeypatch.setattr(Plan, "evaluate", evaluate)
    for regime in framework_named(framework).arithmetic.regimes:
        for texts in regime.formulas.values():
            names.update(
                name
                for formula in texts
                if "*" in formula.text
                for name in formula.names
                if framework_named(framework).catalogue.knows(name)
            )
    assert len(names) > 3
    for name in names:
        for value in ("[1, 2]", "words"):
            for loader in ("script", "kwargs"):
                settings = {
                    "per_device_train_batch_size": 8,
                    "num_generations": 8,
                    "gradient_accumulation_steps": 2,
                    name: value,
                }
                comment = f"# grpo-lint: dialect={framework} loader={loader} world-size=8 dataset-size=1000\n"
                can_be_told(
                    lint_text(
                        comment + FIRST[framework] + "".join(f"{key}: {value}\n" for key, value in settings.items())
                    )
                )
    assert repeated == []


@pytest.mark.parametrize(
    ("number", "is_known"), [(LARGEST_NUMBER, True), (LARGEST_NUMBER + 1, False), (-LARGEST_NUMBER - 1, False)]
)
def test_a_plan_knows_no_number_that_is_too_large(number, is_known):
    assert Plan({}, {"max_steps": number}, {}).value("max_steps") == (number if is_known else None)
