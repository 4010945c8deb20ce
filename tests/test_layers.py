"""A setting that several places say: which one counts, where the others stand, and that both are told."""

import json
import re

import pytest

from grpo_lint.checker.contexts import Around
from grpo_lint.cli.main import main
from grpo_lint.engine import lint_path
from grpo_lint.lsp.definition import definition
from grpo_lint.lsp.hover import hover
from grpo_lint.lsp.numbers import headline

CONFIG = """\
# grpo-lint: dialect=trl version=1.16.0
model_name_or_path: Qwen/Qwen2.5-0.5B
per_device_train_batch_size: 8
num_generations: 4
learning_rate: 1.0e-6
"""
SCRIPT = """\
#!/bin/bash
accelerate launch --num_processes 7 train_grpo.py --config run.yaml --per_device_train_batch_size 1 --num_generations 8
"""
SWIFT = """\
#!/bin/bash
# grpo-lint: version={version}
swift rlhf --config run.yaml --rlhf_type grpo --num_generations 8
"""
VERL = """\
#!/bin/bash
# grpo-lint: version=0.9.1
python3 -m verl.trainer.main_ppo --config-path=. --config-name=run data.train_batch_size=64
"""
VERL_CONFIG = (
    "defaults:\n  - ppo_trainer\n  - _self_\ndata:\n  train_batch_size: 32\nactor_rollout_ref:\n  rollout:\n    n: 8\n"
)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def write(repository):
    def write(config=CONFIG, script=SCRIPT):
        (repository / "run.yaml").write_text(config)
        (repository / "run.sh").write_text(script)

    return write


def linted(path):
    return lint_path(path, Around({}).of(path))


def launch_of(path):
    (launch,) = linted(path).launches
    return launch


def said(launch, name):
    """[(value, file, line from 1 where it is not the judged one)] of what is said of a setting, what counts first."""
    return [(str(each.value), each.text.path if each.text else None) for each in launch.all_occurrences(name)]


# --- which one counts -----------------------------------------------------------------------------------------------


def test_a_command_lies_over_its_file(write):
    write()
    assert said(launch_of("run.yaml"), "num_generations") == [("8", "run.sh"), ("4", None)]
    assert said(launch_of("run.sh"), "num_generations") == [("8", None), ("4", "run.yaml")]
    assert said(launch_of("run.sh"), "learning_rate") == [("1e-06", "run.yaml")]
    assert said(launch_of("run.sh"), "max_steps") == []


@pytest.mark.parametrize(("version", "counts"), [("3.10.3", "4"), ("4.0.4", "4"), ("4.1.3", "8"), ("4.6.0", "8")])
def test_the_release_says_which_lies_on_top(write, version, counts):
    write("rlhf_type: grpo\nnum_generations: 4\nmodel: m\n", SWIFT.format(version=version))
    (first, _), (second, _) = said(launch_of("run.yaml"), "num_generations")
    assert (first, second) == (counts, "8" if counts == "4" else "4")


def test_a_shortened_key_is_the_setting_that_it_is_taken_for(write):
    """The parser of ms-swift takes the beginning of a name, in its files as well."""
    script = SWIFT.format(version="4.6.0").replace("--num_generations", "--steps_per_generation")
    write("rlhf_type: grpo\nsteps_per_gen: 4\nmodel: m\n", script)
    assert said(launch_of("run.sh"), "steps_per_generation") == [("8", None), ("4", "run.yaml")]


def test_an_old_name_wins_over_the_new_one_wherever_it_stands(write):
    """TRL 0.22 - 0.24 copies what stands under the old name."""
    config = "# grpo-lint: dialect=trl version=0.22.2 algorithm=rloo\nrloo_k: 4\nper_device_train_batch_size: 8\n"
    write(config, SCRIPT.replace("train_grpo", "train_rloo"))
    assert said(launch_of("run.sh"), "num_generations") == [("4", "run.yaml"), ("8", None)]


def test_sections_of_a_file_and_overrides_of_a_command(write):
    write(VERL_CONFIG, VERL)
    assert said(launch_of("run.sh"), "data.train_batch_size") == [("64", None), ("32", "run.yaml")]
    assert said(launch_of("run.yaml"), "data.train_batch_size") == [("64", "run.sh"), ("32", None)]


def test_a_config_that_the_script_writes_is_a_layer_of_the_same_file(write):
    script = SCRIPT.replace("accelerate", f"cat > run.yaml <<'EOF'\n{CONFIG}EOF\naccelerate")
    write(script=script)
    found = launch_of("run.sh").all_occurrences("num_generations")
    assert [(str(each.value), each.text, script[each.span.start : each.span.end]) for each in found] == [
        ("8", None, "8"),
        ("4", None, "4"),
    ]


def test_one_place_alone_overrides_nothing(repository):
    (repository / "run.yaml").write_text(CONFIG)
    found = launch_of("run.yaml")
    assert len(found.layers) == 1 and found.entries is found.layers[0].entries
    assert found.overridden("num_generations") == []
    assert found.entries_in_this_file == found.entries


def test_what_counts_and_stands_here(write):
    write()
    assert sorted(launch_of("run.sh").entries_in_this_file) == ["num_generations", "per_device_train_batch_size"]
    assert sorted(launch_of("run.yaml").entries_in_this_file) == ["learning_rate", "model_name_or_path"]


# --- what is told ---------------------------------------------------------------------------------------------------


def diagnostics(capsys):
    main(["check", "--output-format", "json", "run.yaml", "run.sh"])
    return {file["path"]: file["diagnostics"] for file in json.loads(capsys.readouterr().out)["files"]}


def test_a_finding_stands_at_what_counts_and_names_what_that_overrides(write, capsys):
    write()
    found = diagnostics(capsys)
    assert found["run.yaml"] == []
    (error,) = found["run.sh"]
    related = {each["message"]: each["location"] for each in error["relatedInformation"]}
    lost = related["num_generations: 4 (run.yaml, line 4, overridden)"]
    assert lost["uri"].endswith("/run.yaml") and lost["range"]["start"] == {"line": 3, "character": 0}
    assert "per_device_train_batch_size: 8 (run.yaml, line 3, overridden)" in related


def test_a_finding_of_the_file_tells_its_own_key_that_does_not_count(write, capsys):
    write(
        script=SCRIPT.replace(" --num_generations 8", ""),
        config=CONFIG.replace("num_generations: 4", "num_generations: 3"),
    )
    found = diagnostics(capsys)
    (error,) = found["run.yaml"]
    assert error["range"]["start"]["line"] == 3
    told = [each["message"] for each in error["relatedInformation"]]
    assert told[:2] == [
        "per_device_train_batch_size: 1 (run.sh, line 2)",
        "per_device_train_batch_size: 8 (overridden)",
    ]
    main(["check", "-v", "run.yaml"])
    printed = capsys.readouterr().out
    assert "per_device_train_batch_size 8 (overridden)" in " ".join(printed.split())
    assert "3 | per_device" not in printed  # a line that does not count is not shown as one that does


def test_what_does_not_count_is_not_judged(write, capsys):
    write(CONFIG.replace("num_generations: 4", "num_generations: many"))
    assert all(each["code"] == "GRPO203" for each in diagnostics(capsys)["run.sh"])
    assert diagnostics(capsys)["run.yaml"] == []


def test_the_same_value_twice_is_told_once(write, capsys):
    write(CONFIG.replace("num_generations: 4", "num_generations: 8"))
    (error,) = diagnostics(capsys)["run.sh"]
    told = [each["message"] for each in error["relatedInformation"]]
    assert not any(each.startswith("num_generations: 8 (run.yaml") for each in told)


@pytest.mark.parametrize(("in_file", "is_offered"), [("", True), ("generation_batch_size: 64\n", False)])
def test_no_fix_takes_what_it_would_uncover_for_a_default(write, capsys, in_file, is_offered):
    """Without the flag the size of the file would count, and no default: two updates of each rollout instead of one."""
    config = CONFIG.replace("num_generations: 4", "num_generations: 8\ngradient_accumulation_steps: 4")
    flags = "--generation_batch_size 36"
    write(config + in_file, f"#!/bin/bash\naccelerate launch --num_processes 1 train.py --config run.yaml {flags}\n")
    fixes = [fix["set"] for each in diagnostics(capsys)["run.sh"] for fix in each["data"]["fixes"]]
    assert fixes and ({"generation_batch_size": None} in fixes) == is_offered


def test_explain_tells_both_places(write, capsys):
    write()
    for path, where in (
        ("run.yaml", "run.sh, line 2, in place of 4 in line 4"),
        ("run.sh", "flag, line 2, in place of 4 in run.yaml, line 4"),
    ):
        main(["explain", path])
        assert where in " ".join(capsys.readouterr().out.split())
    main(["explain", "--lang", "zh-CN", "run.sh"])
    assert "取代4（run.yaml，第4行）" in "".join(capsys.readouterr().out.split())


# --- in an editor ---------------------------------------------------------------------------------------------------


def hovered(path, word):
    report = linted(path)
    return hover(report, report.text.text.index(word) + 1, "utf-16")["contents"]["value"]


def test_hover_on_a_key_that_does_not_count_says_what_overrides_it(write):
    write()
    told = hovered("run.yaml", "num_generations")
    assert "**num_generations** · whole number" in told
    assert (
        "Overridden by num\\_generations: 8 in run.sh, line 2." in told
        or "Overridden by num_generations: 8 in run.sh, line 2." in told
    )
    assert "7 completions" in told  # the numbers are those of the run
    assert "overrid" not in hovered("run.yaml", "learning_rate").lower()


def test_hover_on_what_counts_says_what_it_overrides(write):
    write()
    assert "Overrides" in (told := hovered("run.sh", "num_generations")) and "4 in run.yaml, line 4." in told


def test_hover_tells_of_each_command_that_overrides_a_key(write, repository):
    write()
    (repository / "other.sh").write_text(SCRIPT.replace("--num_generations 8", "--num_generations 16"))
    (repository / "third.sh").write_text(SCRIPT.replace("--num_generations 8", ""))
    told = hovered("run.yaml", "num_generations")
    assert (
        "8 in run.sh, line 2." in told and "16 in other.sh, line 2." in told and "third.sh" in told.partition("---")[2]
    )


def test_a_secret_is_not_shown_by_its_double(write):
    token = "hf_" + "a" * 34
    write(CONFIG + f"hub_token: {token}\n", SCRIPT.replace("--num_gen", "--hub_token other --num_gen"))
    assert token not in hovered("run.sh", "hub_token")


@pytest.mark.parametrize(
    ("here", "word", "there", "line"),
    [("run.yaml", "num_generations", "run.sh", 1), ("run.sh", "num_generations", "run.yaml", 3)],
)
def test_from_one_place_to_the_other(write, here, word, there, line):
    write()
    report = linted(here)
    (found,) = definition(report, here, "uri", report.text.text.index(word) + 1, "utf-16")
    assert found["uri"].endswith(f"/{there}") and found["range"]["start"]["line"] == line


@pytest.mark.parametrize(("here", "there", "line"), [("run.yaml", "run.sh", 2), ("run.sh", "run.yaml", 4)])
def test_from_one_place_to_the_other_through_sections(write, here, there, line):
    write(VERL_CONFIG, VERL)
    report = linted(here)
    (found,) = definition(report, here, "uri", report.text.text.index("train_batch_size") + 1, "utf-16")
    assert found["uri"].endswith(f"/{there}") and found["range"]["start"]["line"] == line


def test_a_section_of_the_same_last_name_is_no_double(write):
    """A key that no run takes from there is not gone to: the places are those of the layers, not of a search in a text."""
    write(CONFIG + "extra:\n  max_steps: 3\n", SCRIPT.replace("--num_gen", "--max_steps 5 --num_gen"))
    report = linted("run.sh")
    assert definition(report, "run.sh", "uri", report.text.text.index("max_steps") + 1, "utf-16") == []


def test_a_launch_whose_keys_all_stand_elsewhere_still_has_a_place(write):
    write("# grpo-lint: dialect=trl version=1.16.0\nnum_generations: 4\nper_device_train_batch_size: 8\n")
    found = linted("run.yaml")
    assert found.launches[0].entries_in_this_file == {}
    assert "TRL 1.16.0" in headline(found.launches[0])


# --- parts of one file ----------------------------------------------------------------------------------------------

RAY = """\
# grpo-lint: dialect=megatron version=4.6.0
rlhf_type: grpo
model: m
micro_batch_size: 4
global_batch_size: 32
num_generations: 8
vllm_tensor_parallel_size: 4
train:
  gpus: 4
  micro_batch_size: 2
rollout:
  gpus: 4
  vllm_tensor_parallel_size: 2
"""


def test_a_section_of_the_ray_layout_lies_over_the_top_of_the_file(repository):
    (repository / "run.yaml").write_text(RAY)
    found = launch_of("run.yaml")
    assert said(found, "micro_batch_size") == [("2", None), ("4", None)]
    assert said(found, "vllm_tensor_parallel_size") == [("2", None), ("4", None)]
    told = hovered("run.yaml", "micro_batch_size")
    assert "Overridden by" in told and "2 in run.yaml, line 10." in told


def test_a_command_lies_over_both(repository):
    (repository / "run.yaml").write_text(RAY)
    (repository / "run.sh").write_text("#!/bin/bash\nmegatron rlhf run.yaml --micro_batch_size 1\n")
    assert said(launch_of("run.sh"), "micro_batch_size") == [("1", None), ("2", "run.yaml"), ("4", "run.yaml")]


# --- defaults of the training script's own classes -----------------------------------------------------------------

PROGRAM = """\
from dataclasses import dataclass, field
import trl
from trl import GRPOTrainer, TrlParser

{classes}
config, = TrlParser(({parsed},)).parse_args_and_config()
GRPOTrainer(model="m", args=config, reward_funcs=[f], train_dataset=d).train()
"""
FOUR = "@dataclass\nclass Mine(trl.GRPOConfig):\n    num_generations: int = {}\n"
BATCH = "# grpo-lint: version=0.20.0\noutput_dir: o\nper_device_train_batch_size: {}\nbeta: 0.0\n"


@pytest.fixture
def with_classes(repository):
    def write(classes, batch, parsed="Mine", more="", **modules):
        (repository / "train_grpo.py").write_text(PROGRAM.format(classes=classes, parsed=parsed))
        for name, text in modules.items():
            (repository / f"{name}.py").write_text(text)
        (repository / "run.yaml").write_text(BATCH.format(batch) + more)
        (repository / "run.sh").write_text("python train_grpo.py --config run.yaml\n")
        report = linted("run.yaml")
        return report, [(each.severity, each.rule.name) for each in report.findings if each.severity != "info"]

    return write


REFUSED = [("error", "rollout-holds-whole-groups")]


@pytest.mark.parametrize(
    ("default", "value"),
    [("4", 4), ("field(default=4)", 4), ('field(default=4, metadata={"help": "x"})', 4), ("-4", -4), ("None", None)],
)
def test_the_default_of_a_class_of_ones_own_lies_below_the_file(with_classes, default, value):
    report, told = with_classes(FOUR.format(default), 4)
    launch = report.launches[0]
    assert (launch.default("num_generations").value, launch.default("num_generations").text.path) == (
        value,
        "train_grpo.py",
    )
    assert "num_generations" not in launch.entries
    if value == 4:
        assert told == []
        assert with_classes(FOUR.format(default), 6)[1] == REFUSED  # the release's own default is 8


def test_it_is_overridden_by_the_file(with_classes):
    report, told = with_classes(FOUR.format(4), 4, more="num_generations: 8\n")
    assert told == REFUSED
    launch = report.launches[0]
    assert said(launch, "num_generations") == [("8", None), ("4", "train_grpo.py")]
    assert launch.default("num_generations") is None


def test_a_fix_writes_into_the_file_what_the_class_says(with_classes):
    report, _ = with_classes(FOUR.format(6), 8)
    assert report.findings[0].at.name == "per_device_train_batch_size"
    fix = next(each for each in report.findings[0].fixes if each.changes == {"num_generations": 8})
    assert [edit.new for edit in fix.edits] == ["num_generations: 8\n"]


def test_a_default_of_the_class_is_nothing_that_somebody_wrote_in_vain(with_classes):
    own = "@dataclass\nclass Mine(trl.ModelConfig):\n    lora_r: int = 64\n"
    assert with_classes(own, 8, parsed="trl.GRPOConfig, Mine")[1] == []
    told = with_classes(own, 8, parsed="trl.GRPOConfig, Mine", more="lora_alpha: 8\n")[1]
    assert told == [("warning", "adapter-is-used")]


def test_an_attribute_of_the_class_is_unknown(with_classes):
    assert with_classes(FOUR.format(4).replace(": int", ": ClassVar[int]"), 4)[1] == []


@pytest.mark.parametrize(
    "default", ["f()", "field(default_factory=lambda: 4)", "field(metadata={})", "LARGE", "'4'", "2 * 2"]
)
def test_a_default_that_cannot_be_read_is_unknown(with_classes, default):
    assert with_classes(FOUR.format(default), 4)[1] == []
    assert (
        linted("run.yaml").launches[0].plan(linted("run.yaml").launches[0].candidates[0]).value("num_generations")
        is None
    )


@pytest.mark.parametrize(
    "classes",
    [
        FOUR.format(4).replace("@dataclass\n", ""),  # annotates, and adds no field
        FOUR.format(4).replace(": int", ""),
        FOUR.format(4).replace("Mine", "Other") + "@dataclass\nclass Mine(trl.GRPOConfig):\n    x: int = 1\n",
    ],
)
def test_what_changes_no_default_leaves_that_of_the_release(with_classes, classes):
    assert with_classes(classes, 4)[1] == REFUSED


@pytest.mark.parametrize(
    ("classes", "told"),
    [
        ("class Base(trl.GRPOConfig):\n    num_generations: int = 4\n@dataclass\nclass Mine(Base):\n    x: int = 1\n", []),
        ("class Base(trl.GRPOConfig):\n    num_generations: int = 3\n@dataclass\nclass Mine(Base):\n    num_generations: int = 4\n", []),
        ("class Base:\n    num_generations: int = 4\n@dataclass\nclass Mine(Base, trl.GRPOConfig):\n    x: int = 1\n", []),
        ("class Base:\n    num_generations: int = 3\n@dataclass\nclass Mine(trl.GRPOConfig, Base):\n    x: int = 1\n", []),  # unknown
        ("class Base(trl.GRPOConfig):\n    num_generations: int = 3\n@dataclass\nclass Mine(Base):\n    x: int = 1\n", REFUSED),
    ],
)  # fmt: skip
def test_classes_are_made_from_one_another(with_classes, classes, told):
    assert with_classes(f"@dataclass\n{classes}", 4)[1] == told


def test_the_class_stands_in_another_module_by_the_name_of_the_frameworks(with_classes):
    configs = FOUR.format(4).replace("Mine", "GRPOConfig")
    configs = f"from dataclasses import dataclass\nimport trl\n\ndef f(x):\n    a = 1\n    return a\n\n{configs}"
    report, told = with_classes("from configs import GRPOConfig", 4, "GRPOConfig", configs=configs)
    assert told == []
    found = report.launches[0].default("num_generations")
    line = found.text.position(found.key.start)[0] + 1
    assert (found.text.path, configs.splitlines()[line - 1].strip()) == ("configs.py", "num_generations: int = 4")


@pytest.mark.parametrize(
    "classes",
    [
        "".join(f"@dataclass\nclass A{n + 1}({', '.join([f'A{n}'] * 30)}):\n    x: int = 1\n" for n in range(3000)) + FOUR.format(4),
        "class Mine(Other):\n    x: int = 1\nclass Other(Mine):\n    x: int = 1\n",
        "@dataclass\nclass A:\n" + "".join(f"    a{n}: int = 1\n" for n in range(3000))
        + "".join(f"@dataclass\nclass B{n}(A):\n    x: int = {n}\n" for n in range(3000)) + FOUR.format(4),
    ],
    ids=["deep", "in a circle", "wide"],
)  # fmt: skip
def test_classes_that_are_made_from_one_another_in_every_way_cost_little(with_classes, classes):
    names = re.findall(r"(?m)^class (\w+)", classes)
    with_classes(classes, 4, ", ".join(names))


def test_it_is_imported_by_another_name(with_classes):
    configs = f"from dataclasses import dataclass\nimport trl\n{FOUR.format(4)}"
    assert with_classes("from configs import Mine as GRPOConfig", 4, "GRPOConfig", configs=configs)[1] == []


def test_a_class_that_is_not_here_may_have_other_defaults(with_classes):
    report, told = with_classes("from elsewhere.configs import GRPOConfig", 4, "GRPOConfig")
    assert told == [("warning", "rollout-holds-whole-groups")]
    assert "GRPOConfig, which is not here and may have other defaults" in report.findings[0].note
    more = "num_generations: 3\ngradient_accumulation_steps: 1\nsteps_per_generation: 1\n"
    assert with_classes("from elsewhere.configs import GRPOConfig", 4, "GRPOConfig", more)[1] == REFUSED
    for classes, parsed in (
        ("from trl import GRPOConfig", "GRPOConfig"),
        ("import trl as t", "t.GRPOConfig"),
        ("from trl import *", "GRPOConfig"),
    ):
        assert with_classes(classes, 4, parsed)[1] == REFUSED


@pytest.mark.parametrize(
    "more", ["p = TrlParser((Mine,))\np.set_defaults(num_generations=4)\n", "{}    def __post_init__(self):\n        self.num_generations = 4\n        super().__post_init__()\n"]
)  # fmt: skip
def test_what_may_replace_a_default_makes_it_unknown(with_classes, more):
    mine = "@dataclass\nclass Mine(trl.GRPOConfig):\n    x: int = 1\n"
    assert with_classes(more.format(mine) if "{}" in more else mine + more, 4)[1] == []


def test_a_file_that_nothing_starts_is_warned_of_at_most(repository):
    (repository / "train_grpo.py").write_text(
        PROGRAM.format(classes=FOUR.format(4), parsed="Mine") + "def main(): pass\n"
    )
    (repository / "run.yaml").write_text(BATCH.format(4).replace("version", "dialect=trl world-size=1 version"))
    (finding,) = [each for each in linted("run.yaml").findings if each.severity != "info"]
    assert finding.severity == "warning" and "defaults of its own for num_generations" in finding.note
