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
    with pytest.raises(AttributeError):
        _ = grpo_lint.no_such_name


CALLER = """\
import grpo_lint
from grpo_lint import Finding, Report


def guard(settings: dict[str, object]) -> tuple[str, ...]:
    report: Report = grpo_lint.check(settings, framework="trl", version="1.16.0", world_size=8)
    report.raise_if_errors()
    errors: tuple[Finding, ...] = report.errors
    return tuple(finding.code for finding in errors if finding.severity == "error" and finding.fixes)


reveal_type(grpo_lint.check_text("a: 1").plan)
guard({})
"""


@pytest.mark.slow
def test_a_caller_is_checked_by_mypy_strict(tmp_path):
    (tmp_path / "caller.py").write_text(CALLER, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--follow-imports=silent",
        "--cache-dir",
        str(tmp_path / "cache"),
        "caller.py",
    ]
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=tmp_path, check=False)
    assert ended.returncode == 0, ended.stdout
    assert 'Revealed type is "typing.Mapping[str, object]"' in ended.stdout
