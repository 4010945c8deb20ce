"""The public face for Python: what `import grpo_lint` offers, used as a caller would, and from a fresh interpreter."""

import dataclasses
import enum
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

import grpo_lint
from grpo_lint import ConfigError

ROOT = Path(__file__).parents[1]
BAD = ROOT / "examples/bad/trl-grpo-7-gpus.yaml"
SETTINGS = {"per_device_train_batch_size": 1, "num_generations": 8, "learning_rate": 1e-6}
STATED = {"framework": "trl", "version": "1.16.0"}


@pytest.fixture(autouse=True)
def no_world_size(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)


def test_a_mapping_is_checked():
    report = grpo_lint.check(SETTINGS, **STATED, world_size=7)
    (error,) = report.errors
    assert (error.code, error.name, error.severity, error.stage) == (
        "GRPO203",
        "rollout-holds-whole-groups",
        "error",
        "config",
    )
    assert (error.key, error.line, error.column) == ("num_generations", 2, 1)
    assert "7 processes" in error.message
    assert (report.framework, report.version, report.skipped) == ("trl", "1.16.0", None)
    assert report.plan["completions_per_rollout"] == 7
    with pytest.raises(ConfigError, match="GRPO203") as raised:
        report.raise_if_errors()
    assert raised.value.findings == report.errors


def test_every_fix_makes_the_error_go_away():
    (error,) = grpo_lint.check(SETTINGS, **STATED, world_size=7).errors
    assert error.fixes
    for fix in error.fixes:
        if "world_size" not in fix.changes:
            changed = {**SETTINGS, **fix.changes}
            assert grpo_lint.check(changed, **STATED, world_size=7).errors == ()


def test_what_is_in_order_raises_nothing():
    report = grpo_lint.check(SETTINGS, **STATED, world_size=8)
    assert report.findings == ()
    report.raise_if_errors()


def test_the_number_of_processes_is_that_of_the_environment(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "7")
    assert [finding.code for finding in grpo_lint.check(SETTINGS, **STATED).errors] == ["GRPO203"]
    assert grpo_lint.check(SETTINGS, **STATED, world_size=8).errors == ()


def test_what_is_no_plain_value_is_not_judged():
    class Kind(enum.Enum):
        COSINE = "cosine"

    odd = {
        "lr_scheduler_type": Kind.COSINE,
        "output_dir": Path("out"),
        "reward_weights": (1.0, 2.0),
        "run_name": lambda: 1,
    }
    assert grpo_lint.check({**SETTINGS, **odd}, **STATED, world_size=8).findings == ()


def test_texts_of_several_lines_keep_their_value():
    report = grpo_lint.check({**SETTINGS, "run_name": "a: b\n# c\n- d", "output_dir": "ä: 'x'"}, **STATED, world_size=8)
    assert report.findings == ()


# --- instances ------------------------------------------------------------------------------------------------------


def config_class(module="trl.trainer.grpo_config", name="GRPOConfig"):
    """A class that computes as GRPOConfig does, without the package."""

    @dataclasses.dataclass
    class Config:
        per_device_train_batch_size: int = 8
        gradient_accumulation_steps: int = 1
        num_generations: int = 8
        steps_per_generation: "int | None" = None
        generation_batch_size: "int | None" = None
        reward_weights: "list | None" = None

        def __post_init__(self):
            self.steps_per_generation = self.steps_per_generation or self.gradient_accumulation_steps
            self.generation_batch_size = self.per_device_train_batch_size * self.steps_per_generation

    Config.__module__, Config.__name__ = module, name
    return Config


def test_an_instance_of_the_frameworks_class_says_which_it_is():
    report = grpo_lint.check(config_class()(num_generations=3), version="1.16.0", world_size=1)
    assert [finding.code for finding in report.errors] == ["GRPO203"]
    assert grpo_lint.check(config_class()(), version="1.16.0", world_size=1).findings == ()


def test_what_the_class_makes_of_a_switch_is_no_setting_of_the_caller():
    """transformers 4.57 makes the text "no" of include_num_input_tokens_seen=False."""
    Config = config_class()
    config = dataclasses.make_dataclass(
        "GRPOConfig", [("include_num_input_tokens_seen", bool, dataclasses.field(default=False))], bases=(Config,)
    )(include_num_input_tokens_seen="no")
    type(config).__module__ = Config.__module__
    report = grpo_lint.check(config, version="0.24.0", transformers="4.57.1", world_size=1)
    assert report.findings == ()


def test_fields_of_a_class_of_ones_own_are_not_those_of_the_framework():
    @dataclasses.dataclass
    class Own(config_class()):
        my_own_field: int = 3

    report = grpo_lint.check(Own(my_own_field=4, num_generations=3), version="1.16.0", world_size=1)
    assert [finding.code for finding in report.findings] == ["GRPO203"]


def test_an_instance_is_judged_by_the_installed_release(monkeypatch):
    from importlib import metadata

    versions = {"trl": "1.16.0", "transformers": "5.0.0"}

    def version(name):
        if name not in versions:
            raise metadata.PackageNotFoundError(name)
        return versions[name]

    monkeypatch.setattr(metadata, "version", version)
    assert grpo_lint.check(config_class()(), world_size=1).version == "1.16.0"
    assert grpo_lint.check(SETTINGS, framework="trl", version="installed", world_size=8).version == "1.16.0"
    del versions["trl"]
    with pytest.raises(ValueError, match="trl is not installed"):
        grpo_lint.check(config_class()())
    assert "framework= says what reads it" in (grpo_lint.check(SETTINGS, version="installed").skipped or "")


def test_a_plain_dataclass_is_its_settings():
    kind = config_class("my.package")
    report = grpo_lint.check(
        kind(num_generations=3, steps_per_generation=2, gradient_accumulation_steps=2), **STATED, world_size=1
    )
    assert report.framework == "trl"


@pytest.mark.parametrize("config", [None, 3, ["a"], dict, config_class(), types.SimpleNamespace(a=1)])
def test_other_things_are_no_configs(config):
    with pytest.raises(TypeError, match="a config is a mapping"):
        grpo_lint.check(config)


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ({"framework": "tlr"}, "framework is one of .* did you mean"),
        ({"world_size": 0}, "world-size"),
        ({"worldsize": 3}, "unknown fact"),
        ({"framework": "trl", "version": "no"}, "version"),
    ],
)
def test_facts_that_cannot_be(facts, text):
    with pytest.raises(ValueError, match=text):
        grpo_lint.check(SETTINGS, **facts)


def test_the_class_says_which_algorithm_it_is_for():
    assert grpo_lint.check(config_class(name="RLOOConfig")(), version="1.16.0", world_size=1).framework == "trl"
    told = grpo_lint.explain(config_class(name="RLOOConfig")(), version="1.16.0", world_size=1)
    assert "RLOO" in told.splitlines()[1]


@pytest.mark.parametrize(("module", "name"), [("trl.trainer.dpo_config", "DPOConfig"), ("swift.llm", "SftArguments")])
def test_a_config_of_other_training_is_skipped(module, name):
    """Its loss_type and the like are none of ours: nothing is an error, and a guard lets it pass."""
    config = dataclasses.make_dataclass(name, [("loss_type", str, "sigmoid")])("hinge")
    type(config).__module__ = module
    report = grpo_lint.check(config, framework="trl", version="1.16.0", world_size=1)
    assert (report.findings, report.framework) == ((), None)
    assert report.skipped == f"{name} of {module.partition('.')[0]} is no config of GRPO-family training"
    report.raise_if_errors()
    assert name in grpo_lint.explain(config)


def test_the_class_of_an_older_trainer_is_skipped():
    """RLOOConfig of TRL before 0.22 has rloo_k."""
    config = dataclasses.make_dataclass("RLOOConfig", [("rloo_k", int, 2)])(4)
    type(config).__module__ = "trl.trainer.rloo_config"
    assert grpo_lint.check(config, version="0.20.0").skipped


def test_arguments_for_another_kind_of_training_are_skipped():
    """RLHFArguments of ms-swift are for DPO as well: rlhf_type says which."""
    kind = dataclasses.make_dataclass("RLHFArguments", [("rlhf_type", str, "dpo"), ("num_generations", int, 8)])
    kind.__module__ = "swift.llm.argument.rlhf_args"
    assert "another rlhf_type than grpo" in (grpo_lint.check(kind(), version="4.6.0").skipped or "")
    assert grpo_lint.check(kind("grpo"), version="4.6.0", world_size=1).framework == "swift"


def test_what_stands_in_no_file_is_no_yaml():
    kind = dataclasses.make_dataclass("RLHFArguments", [("rlhf_type", str, "dpo"), ("num_generations", int, 8)])
    kind.__module__ = "swift.llm.argument.rlhf_args"
    codes = [finding.code for finding in grpo_lint.check(kind("grpo"), version="3.8.3", world_size=1).findings]
    assert codes and "GRPO006" not in codes  # ms-swift read YAML from 3.10 on


def test_a_class_that_adds_fields_of_its_own_gives_way_to_the_one_below():
    """GFPOConfig of TRL has fields that no catalogue knows."""
    kind = dataclasses.make_dataclass("GFPOConfig", [("num_remains_in_group", int, 4)], bases=(config_class(),))
    kind.__module__ = "trl.experimental.gfpo.gfpo_config"
    report = grpo_lint.check(kind(num_remains_in_group=3, num_generations=3), version="1.16.0", world_size=1)
    assert [finding.code for finding in report.findings] == ["GRPO203"]


def test_the_defaults_of_ones_own_class_count():
    @dataclasses.dataclass
    class Own:
        per_device_train_batch_size: int = 6
        num_generations: int = 4

    assert [finding.code for finding in grpo_lint.check(Own(), **STATED, world_size=1).errors] == ["GRPO203"]


def test_of_a_class_made_from_transformers_only_what_is_changed_counts():
    @dataclasses.dataclass
    class TrainingArguments:
        per_device_train_batch_size: int = 8
        warmup_ratio: float = -1.0  # wrong, but nobody wrote it
        fsdp: object = ""

        def __post_init__(self):
            self.fsdp = self.fsdp or []  # as transformers does

    TrainingArguments.__module__ = "transformers.training_args"

    @dataclasses.dataclass
    class Own(TrainingArguments):
        num_generations: int = 4

    assert grpo_lint.check(Own(), **STATED, world_size=1).findings == ()
    (error,) = grpo_lint.check(Own(per_device_train_batch_size=6), **STATED, world_size=1).errors
    assert "groups of 4" in error.message


# --- values and facts -----------------------------------------------------------------------------------------------


def test_what_a_config_holds_raises_nothing():
    around = {**SETTINGS}
    around["around"] = [around]
    deep = []
    for _ in range(2000):
        deep = [deep]
    huge = {"seed": 10**5000, "adam_beta1": -(10**5000)}
    for odd in (around, {**SETTINGS, "reward_weights": deep}, {**SETTINGS, **huge}, {1: 2, None: 3, "\udc80": "\0"}):
        grpo_lint.check(odd, **STATED, world_size=8).raise_if_errors()
    report = grpo_lint.check({**SETTINGS, **huge}, **STATED, world_size=8)
    assert ["beyond" in finding.message for finding in report.findings] == [True, True]


def test_a_value_that_cannot_be_compared_is_no_default():
    class Array:
        def __eq__(self, other):
            raise ValueError("The truth value of an array with more than one element is ambiguous")

    config = config_class()(reward_weights=Array())
    assert grpo_lint.check(config, version="1.16.0", world_size=1).findings == ()


def test_numbers_of_numpy_are_numbers():
    class Number:
        """Stands for numpy.int64, which is no int."""

        shape = ()

        def item(self):
            return 3

    Number.__module__ = "numpy"
    settings = {**SETTINGS, "num_generations": Number()}
    (error,) = grpo_lint.check(settings, **STATED, world_size=1).errors
    assert "groups of 3" in error.message


def test_a_config_of_omegaconf_is_taken_as_it_is_written(monkeypatch):
    """A reference is not resolved, nor does a missing value raise."""

    class DictConfig(dict):
        def __getitem__(self, name):
            raise AssertionError("resolved")

        items = values = __getitem__

    DictConfig.__module__ = "omegaconf.dictconfig"
    contained = {"data": {"train_batch_size": "???"}, "actor_rollout_ref": {"rollout": {"n": 8, "m": "${data.x}"}}}
    of_omegaconf = types.SimpleNamespace(OmegaConf=types.SimpleNamespace(to_container=lambda config: contained))
    monkeypatch.setitem(sys.modules, "omegaconf", of_omegaconf)
    assert grpo_lint.check(DictConfig(), framework="verl", version="0.9.1").plan["group_size"] == 8


@pytest.mark.parametrize("told", ["", "0", "-3", "٣", "8.0", "many", "9" * 50])
def test_an_environment_that_says_no_number_says_nothing(told, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", told)
    assert grpo_lint.check(SETTINGS, **STATED).plan["world_size"] is None


def test_what_tells_no_framework_is_told_how_to():
    skipped = grpo_lint.check({"num_generations": 8}).skipped
    assert (
        skipped
        == "no config of GRPO-family training; framework= says what reads it: trl, swift, megatron, verl, easyr1, verl-agent, nemo-rl, slime and openrlhf"
    )


@pytest.mark.parametrize("facts", [{"framework": "trl", "dialect": "swift"}, {"world_size": 8, "world-size": 7}])
def test_what_is_stated_twice(facts):
    with pytest.raises(ValueError, match="is stated twice"):
        grpo_lint.check(SETTINGS, **facts)


def test_a_text_is_no_path():
    with pytest.raises(ValueError, match="check_text takes the text"):
        grpo_lint.check("num_generations: 8\nbeta: 0.1\n")


def test_the_installed_release_of_a_framework_that_the_config_tells(monkeypatch):
    from importlib import metadata

    monkeypatch.setattr(metadata, "version", lambda name: {"trl": "0.20.0", "transformers": "4.54.1"}.get(name, "1.0"))
    settings = {**SETTINGS, "reward_funcs": ["accuracy"], "max_completion_length": 64, "scale_rewards": True}
    report = grpo_lint.check(settings, version="installed", world_size=8)
    assert (report.framework, report.version) == ("trl", "0.20.0")
    assert grpo_lint.check_text("num_generations: 8\n", framework="trl", version="installed").version == "0.20.0"


# --- files and texts ------------------------------------------------------------------------------------------------


def test_a_file_is_checked_as_on_the_command_line():
    by_path, by_text = grpo_lint.check(str(BAD)), grpo_lint.check(BAD)
    assert by_path == by_text == grpo_lint.check_file(BAD)
    assert [finding.code for finding in by_path.errors] == ["GRPO203"]
    assert by_path.errors[0].path == str(BAD)
    assert by_path.errors[0].line == 32
    text = BAD.read_text(encoding="utf-8")
    assert [finding.code for finding in grpo_lint.check_text(text).errors] == ["GRPO203"]


def test_a_file_that_is_not_there_is_a_finding():
    assert [finding.code for finding in grpo_lint.check("no/such/file.yaml").errors] == ["GRPO002"]


def test_a_text_that_is_none_of_ours_is_skipped():
    report = grpo_lint.check_text("a: 1\n")
    assert (report.framework, report.findings, report.plan) == (None, (), {})
    assert report.skipped


def test_a_script_is_checked_by_its_first_line():
    script = "#!/bin/bash\n# grpo-lint: version=4.6.0\ntorchrun --nproc_per_node 7 -m swift.cli.rlhf --rlhf_type grpo --per_device_train_batch_size 1 --num_generations 8\n"
    report = grpo_lint.check_text(script, path="train.sh")
    assert report.framework == "swift"
    assert report.errors


def test_the_plan_is_explained_in_words():
    told = grpo_lint.explain(SETTINGS, **STATED, world_size=8)
    assert "completions_per_rollout" in told.replace(" ", "_") or "rollout" in told
    assert grpo_lint.explain(BAD).splitlines()[0].endswith("trl-grpo-7-gpus.yaml")


def test_settings_of_a_call_stand_in_no_line():
    told = grpo_lint.explain(SETTINGS, **STATED)
    assert "line " not in told and "--dataset-size, or" not in told and "say it with dataset_size=" in told
    assert "line 2" in grpo_lint._api.explain_text("output_dir: out\nnum_generations: 8\n", **STATED)


# --- the package ----------------------------------------------------------------------------------------------------


def run(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, **environment},
        cwd=ROOT,
    ).stdout


def test_importing_the_package_loads_nothing_of_it():
    assert (
        run("import sys, grpo_lint; print([name for name in sys.modules if name.startswith('grpo_lint.')])") == "[]\n"
    )
    assert run("import grpo_lint; print(sorted(set(grpo_lint.__all__) - set(dir(grpo_lint))))") == "[]\n"


def test_all_names_are_there_and_no_others():
    for name in grpo_lint.__all__:
        assert getattr(grpo_lint, name) is not None
    unknown = "no_such_name"
    with pytest.raises(AttributeError):
        getattr(grpo_lint, unknown)
