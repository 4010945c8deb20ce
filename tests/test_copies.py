"""A run of verl or EasyR1 in a checkout that holds a copy of it: judged by the copy's own tree and classes, and in everything else by the
releases that are most like it."""

import pytest
import yaml
from copies import OF_SWIFT, OF_TRL, class_of_swift, class_of_trl, tree_of, write_checks, write_copy, write_easyr1_copy

from conftest import plan_of
from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint_path
from grpo_lint.files import disk
from grpo_lint.frameworks.registry import framework
from grpo_lint.launch import files, pins
from grpo_lint.launch.files import read_text
from grpo_lint.launch.source import Source
from grpo_lint.report import json
from grpo_lint.report.messages import message
from grpo_lint.report.text import TextPrinter
from grpo_lint.source.yaml import parsing

SETTINGS = {
    "algorithm.adv_estimator": "grpo",
    "data.train_batch_size": 64,
    "data.train_files": "a.parquet",
    "actor_rollout_ref.rollout.n": 8,
    "actor_rollout_ref.rollout.name": "vllm",
    "actor_rollout_ref.rollout.tensor_model_parallel_size": 1,
    "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu": 4,
    "actor_rollout_ref.actor.ppo_mini_batch_size": 64,
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": 4,
    "trainer.n_gpus_per_node": 8,
}


def judged(checkout, *words, head="", module="verl.trainer.main_ppo", **changes):
    """The report of a script that starts a run of the copy."""
    settings = {path: changes.get(path.rpartition(".")[2], value) for path, value in SETTINGS.items()}
    told = [f"{path}={value}" for path, value in settings.items() if value is not None]
    script = checkout / "run.sh"
    start = module if " " in module or "/" in module else f"-m {module}"
    script.write_text(head + " \\\n    ".join([f"python3 {start}", *told, *words]) + "\n", encoding="utf-8")
    disk.forget_what_was_asked_for()
    return lint_path(str(script), Around().of(str(script)), fixes=False)


def found(report):
    return {finding.rule.name: finding for finding in report.findings if finding.severity != "info"}


def release(report):
    return report.launches[0].candidates[0].text


def test_a_copy_is_named_with_the_release_that_it_is_most_like(tmp_path):
    write_copy(tmp_path, "0.6.1", version="0.7.0.dev")
    report = judged(tmp_path)
    assert not found(report) and release(report) == "0.7.0.dev@./verl"
    assert str(report.launches[0].version_source) == "most like 0.6.1, in 98 % of its settings"


MAIN_DAPO = """import hydra
@hydra.main(config_path="config", config_name="dapo_trainer")
def main(config):
    run(config)
"""


@pytest.mark.parametrize("module", ["verl.trainer.main_ppo", "recipe.dapo.main_dapo"])
def test_a_copy_is_read_once_for_all_scripts_that_start_it(tmp_path, monkeypatch, module):
    """Its trees are composed, and its files read, as often for many scripts as for one, whichever of its programs they start and however
    many keys they have that it has not."""
    composed, read = [], []
    compose, run = Source.composed, parsing.EventReading.run
    monkeypatch.setattr(Source, "composed", lambda *words, **more: composed.append(words[2]) or compose(*words, **more))
    monkeypatch.setattr(parsing.EventReading, "run", lambda reading, by: read.append(by) or run(reading, by))
    counts = []
    for number, scripts in enumerate((1, 5)):
        checkout = tmp_path / str(number)
        checkout.mkdir()
        write_copy(checkout, more={f"data.mine{number}": 1})
        folder = checkout / "verl" / "trainer" / "config"
        usual = (folder / "ppo_trainer.yaml").read_text(encoding="utf-8")
        (folder / "mine_trainer.yaml").write_text(f"{usual}mine: {{key: {number}}}\n", encoding="utf-8")
        own = checkout / "recipe" / "dapo" / "config"
        own.mkdir(parents=True)
        text = "hydra: {searchpath: ['file://verl/trainer/config']}\ndefaults: [ppo_trainer, _self_]\ndata: {ours: 1}\n"
        (own / "dapo_trainer.yaml").write_text(text, encoding="utf-8")
        (own.parent / "main_dapo.py").write_text(MAIN_DAPO, encoding="utf-8")
        keys = [f"mine.key{each}=1" for each in range(scripts)]
        judged(checkout, *keys, module=module)
        told = (checkout / "run.sh").read_text(encoding="utf-8")
        for each in range(1, scripts):
            (own.parent / f"run{each}.sh").write_text(told.replace("=64", f"={64 * each}"), encoding="utf-8")
        around = Around()
        composed.clear(), read.clear(), files.named.clear()
        for path in [*sorted(checkout.rglob("run*.sh")), own / "dapo_trainer.yaml"]:
            lint_path(str(path), around.of(str(path)), fixes=False)
        counts.append((composed.copy(), len(read)))
    assert counts[0] == counts[1] and counts[0][1] > 0


def test_a_stated_release_counts_more(tmp_path):
    write_copy(tmp_path, "0.6.1", more={"data.mine": 1})
    report = judged(tmp_path, "data.mine=2", head="# grpo-lint: version=0.6.1\n")
    assert release(report) == "0.6.1" and "key-is-known" in found(report)


@pytest.mark.parametrize("parts", [(), ("actor_rollout_ref.actor", "data")])
def test_keys_are_those_of_the_copy(tmp_path, parts):
    write_copy(tmp_path, more={"data.mine": 1}, without=["data.seed", "data.shuffle"], parts=parts)
    report = judged(tmp_path, "data.mine=2", "data.shuffle=True", "+data.seed=3", "data.min=3")
    keys = [finding for finding in report.findings if finding.rule.name == "key-is-known"]
    assert [finding.at.name for finding in keys] == ["data.shuffle", "data.min"]
    assert {finding.severity for finding in keys} == {"error"}
    assert "data.shuffle is not a key of verl 0.6.1@./verl" in message(keys[0])


def test_fields_are_those_of_the_classes_of_the_copy(tmp_path):
    write_copy(tmp_path, fields={"actor_rollout_ref.actor": ["mine"]})
    assert not found(judged(tmp_path, "+actor_rollout_ref.actor.mine=2"))
    assert "appended-key-is-a-field" in found(judged(tmp_path, "+actor_rollout_ref.actor.min=2"))


@pytest.mark.parametrize(("words", "is_known"), [((), True), (("--config-name=ppo_trainer",), False)])
def test_the_program_of_a_copy_may_start_from_another_file(tmp_path, words, is_known):
    write_copy(tmp_path)
    folder = tmp_path / "verl" / "trainer"
    mine = (folder / "config" / "ppo_trainer.yaml").read_text(encoding="utf-8") + "mine: {key: 1}\n"
    (folder / "config" / "my_trainer.yaml").write_text(mine, encoding="utf-8")
    main = 'import hydra\n@hydra.main(config_path="config", config_name="my_trainer")\ndef main(config):\n    run(config)\n'
    (folder / "main_ppo.py").write_text(main, encoding="utf-8")
    assert ("key-is-known" not in found(judged(tmp_path, *words, "mine.key=2"))) is is_known


@pytest.mark.parametrize(
    ("file", "text", "is_of_the_copy"),
    [
        ("setup.py", "setup(package_dir={'': 'src'})", True),
        ("pyproject.toml", '[tool.setuptools.packages.find]\nwhere = ["src"]\n', True),
        ("setup.py", "setup()", False),
        ("README.md", "see src", False),
    ],
)
def test_a_copy_that_is_installed_from_src_is_the_one_that_runs(tmp_path, file, text, is_of_the_copy):
    (tmp_path / "src").mkdir()
    write_copy(tmp_path / "src", more={"data.mine": 1})
    (tmp_path / "src" / ".git").rmdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / file).write_text(text, encoding="utf-8")
    assert ("key-is-known" not in found(judged(tmp_path, "data.mine=2"))) is is_of_the_copy


def test_keys_that_another_config_of_a_copy_has_are_one_error_that_names_it(tmp_path):
    write_copy(tmp_path)
    folder = tmp_path / "verl" / "trainer" / "config"
    usual = (folder / "ppo_trainer.yaml").read_text(encoding="utf-8")
    (folder / "mine_trainer.yaml").write_text(f"{usual}mine: {{key: 1, more: 2}}\n", encoding="utf-8")
    (folder / "part.yaml").write_text("mine: {key: 1, more: 2, other: 3}\n", encoding="utf-8")
    report = judged(tmp_path, "mine.key=2", "mine.more=3", "mine.other=4", "data.nowhere=5")
    told = [
        (each.at.name, "mine_trainer" in message(each)) for each in report.findings if each.rule.name == "key-is-known"
    ]
    assert told == [("mine.key", True), ("mine.other", False), ("data.nowhere", False)]
    assert "key-is-known" not in found(judged(tmp_path, "--config-name=mine_trainer", "mine.key=2", "mine.more=3"))
    chosen = judged(tmp_path, "--config-name=ppo_trainer", "mine.key=2")
    assert "mine_trainer" not in message(found(chosen)["key-is-known"])


@pytest.mark.parametrize(
    ("head", "of_a_name", "of_a_slip"),
    [
        ("", "error", "error"),
        ("cd /opt/verl && ", "info", "warning"),
        ("docker run --gpus all image:1 ", "info", "warning"),
    ],
)
def test_where_a_command_runs_elsewhere_the_copy_that_is_here_is_assumed(tmp_path, head, of_a_name, of_a_slip):
    write_copy(tmp_path)
    for key, severity in [("data.mine", of_a_name), ("data.max_prompt_lenght", of_a_slip)]:
        findings = judged(tmp_path, f"{key}=1", head=head).findings
        assert [each.severity for each in findings if each.rule.name == "key-is-known"] == [severity]


@pytest.mark.parametrize(("setting", "is_told"), [("reward_model.mine", False), ("data.train_batch_size", True)])
def test_a_number_of_a_copy_alone_may_be_a_word(tmp_path, setting, is_told):
    write_copy(tmp_path, more={"reward_model.mine": 0.1})
    report = judged(tmp_path, f"{setting}=decay")
    assert ("value-has-the-type-of-its-key" in found(report)) is is_told


@pytest.mark.parametrize(("annotation", "is_taken"), [("str | float", True), ("float", False)])
def test_the_part_of_a_class_says_what_its_settings_take(tmp_path, annotation, is_taken):
    write_copy(tmp_path, "0.7.0")
    parts = tmp_path / "verl" / "workers" / "config" / "parts.py"
    text = f"\n@dataclass\nclass Part(BaseConfig):\n    rollout_is_threshold: {annotation} = 2.0\n"
    named = "class Algorithm(BaseConfig):\n    rollout_correction: Optional[Part] = None\n"
    parts.write_text(
        parts.read_text(encoding="utf-8").replace("class Algorithm(BaseConfig):\n", named) + text, encoding="utf-8"
    )
    report = judged(tmp_path, "algorithm.rollout_correction.rollout_is_threshold=0.5_4.0")
    assert ("value-has-the-type-of-its-key" not in found(report)) is is_taken


def test_a_key_whose_like_is_set_as_well_is_meant_for_something_else(tmp_path):
    write_copy(tmp_path, "0.8.0")
    assert "train_batch_size" not in message(found(judged(tmp_path, "data.gen_batch_size=1"))["key-is-known"])


def test_a_copy_with_a_new_trainer_is_like_no_release_before_it(tmp_path):
    write_copy(tmp_path, "0.8.0", more={"trainer.use_v1": True})
    assert judged(tmp_path).launches[0].framework.copies.alike[0] == "0.9.0"


def test_a_size_that_may_be_that_of_all_is_no_count(tmp_path):
    write_copy(tmp_path, fields={"actor_rollout_ref.actor": ["my_fsdp_size"]})
    assert not found(judged(tmp_path, "+actor_rollout_ref.actor.my_fsdp_size=-1"))


def test_of_a_class_that_is_not_here_nobody_knows_the_fields(tmp_path):
    write_copy(tmp_path)
    (tmp_path / "verl" / "workers" / "config" / "parts.py").unlink()
    assert not found(judged(tmp_path, "+actor_rollout_ref.actor.min=2"))


def test_a_base_of_a_class_that_is_not_here_may_have_any_field(tmp_path):
    write_copy(tmp_path)
    (tmp_path / "verl" / "workers" / "config" / "base.py").unlink()
    assert not found(judged(tmp_path, "+actor_rollout_ref.actor.min=2"))


@pytest.mark.parametrize("switch", [True, False])
def test_a_reference_that_a_switch_of_the_copy_leaves_out_needs_no_micro_batch(tmp_path, switch):
    write_copy(tmp_path, "0.3.0.post1", more={"algorithm.use_kl_in_reward": False} if switch else None)
    assert ("micro-batches-are-given" not in found(judged(tmp_path))) is switch


@pytest.mark.parametrize(("epochs", "is_told"), [(0, False), (1, True)])
def test_a_run_of_no_epoch_trains_no_group(tmp_path, epochs, is_told):
    write_copy(tmp_path, "0.6.1")
    told = found(judged(tmp_path, f"trainer.total_epochs={epochs}", n=1))
    assert ("group-has-two-completions" in told) is is_told


def test_defaults_are_those_of_the_copy(tmp_path):
    write_copy(tmp_path, more={"actor_rollout_ref.rollout.n": 3})
    assert plan_of(judged(tmp_path, n=None)).value("group_size") == 3


def test_what_is_refused_is_as_in_the_nearest_release(tmp_path):
    write_copy(tmp_path, "0.6.1", version="0.2.0.dev")
    broken = found(judged(tmp_path, ppo_micro_batch_size_per_gpu=3))["rank-update-holds-whole-micro-batches"]
    assert broken.severity == "error"


def test_what_only_a_release_surely_refuses_is_a_warning_for_a_copy_that_is_much_changed(tmp_path):
    write_copy(tmp_path, more={f"mine.key{number}": number for number in range(100)})
    report = judged(tmp_path, "mine.key=1", ppo_micro_batch_size_per_gpu=3)
    broken = found(report)["rank-update-holds-whole-micro-batches"]
    assert broken.severity == "warning" and "80 % of its settings" in str(broken.note)
    assert found(report)["key-is-known"].severity == "error"  # by its own tree


MICRO = "rank-update-holds-whole-micro-batches"
SAME_CHECK = [MICRO, "critic-update-holds-whole-micro-batches", "rank-rows-hold-whole-micro-batches"]


@pytest.mark.parametrize(
    ("code", "is_held"),
    [
        ("", True),
        ("# assert self.config.actor.ppo_mini_batch_size % self.config.actor.ppo_micro_batch_size_per_gpu == 0", True),
        ("assert self.config.actor.ppo_mini_batch_size % self.config.actor.ppo_micro_batch_size_per_gpu == 0", False),
        ("raise E('normalized ppo_mini_batch_size 1 should be divisible by ppo_micro_batch_size_per_gpu 2')", False),
    ],
    ids=["nothing", "a comment", "the check", "its words"],
)
def test_a_check_that_is_not_in_the_code_of_a_copy_refuses_nothing(tmp_path, code, is_held):
    write_copy(tmp_path, "0.6.1")
    write_checks(tmp_path / "verl", without=SAME_CHECK)
    (tmp_path / "verl" / "workers" / "mine.py").write_text(f"{code}\n", encoding="utf-8")
    report = judged(tmp_path, ppo_micro_batch_size_per_gpu=3)
    assert (MICRO not in found(report)) is is_held
    assert [str(each.held_by) for each in report.held if each.rule.name == MICRO] == (
        ["the code of ./verl has no such check"] if is_held else []
    )


@pytest.mark.parametrize(
    "check",
    [
        "assert self.config.actor.ppo_mini_batch_size % self.config.actor.ppo_micro_batch_size_per_gpu == 0",
        "assert (\n        self.config.actor.ppo_mini_batch_size % self.config.actor.ppo_micro_batch_size_per_gpu == 0\n    )",
    ],
    ids=["on a line", "formatted"],
)
def test_a_finding_names_the_line_of_the_check_in_the_copy(tmp_path, monkeypatch, check):
    monkeypatch.chdir(tmp_path)
    write_copy(tmp_path, "0.6.1")
    write_checks(tmp_path / "verl", without=SAME_CHECK)
    module = tmp_path / "verl" / "workers" / "mine.py"
    module.write_text(f"import os\n\n\ndef check(self):  # the sizes\n    {check}\n", encoding="utf-8")
    report = judged(tmp_path, ppo_micro_batch_size_per_gpu=3)
    shown = TextPrinter(width=200).file(report)
    assert "  code: verl/workers/mine.py:5\n" in shown

    (told,) = [each for each in json.file(report)["diagnostics"] if each["data"]["rule"] == MICRO]
    (place,) = [each["location"] for each in told["relatedInformation"] if each["message"] == "the check"]
    assert place["uri"] == module.as_uri() and place["range"]["start"] == {"line": 4, "character": 4}


CHECK = "assert self.config.actor.ppo_mini_batch_size % self.config.actor.ppo_micro_batch_size_per_gpu == 0"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"# normalized ppo_mini_batch_size 1 should be divisible by ppo_micro_batch_size_per_gpu 2\n{CHECK}\n", 2),
        (f"# a \x0c page\nX = 1  # \x85 \u2028\n{CHECK}\n", 3),
        (f"self.config.actor.ppo_mini_batch_size\n{CHECK}\n", 2),
    ],
)
def test_the_line_of_a_check_is_that_of_an_editor(tmp_path, text, line):
    write_copy(tmp_path, "0.6.1")
    write_checks(tmp_path / "verl", without=SAME_CHECK)
    (tmp_path / "verl" / "workers" / "mine.py").write_text(text, encoding="utf-8")
    module, span = found(judged(tmp_path, ppo_micro_batch_size_per_gpu=3))[MICRO].check
    assert module.position(span.start)[0] + 1 == line


@pytest.mark.parametrize("unread", ["a link", "a folder", "no text"])
def test_a_check_may_be_in_what_cannot_be_read(tmp_path, unread):
    write_copy(tmp_path, "0.6.1")
    write_checks(tmp_path / "verl", without=SAME_CHECK)
    assert MICRO not in found(judged(tmp_path, ppo_micro_batch_size_per_gpu=3))
    outside = tmp_path.parent / f"outside-{tmp_path.name}"
    outside.mkdir()
    (outside / "mine.py").write_text(CHECK, encoding="utf-8")
    workers = tmp_path / "verl" / "workers"
    if unread == "no text":
        (workers / "mine.py").write_bytes(bytes(range(256)) * 9)
    else:
        name, target = ("mine.py", outside / "mine.py") if unread == "a link" else ("mine", outside)
        (workers / name).symlink_to(target)
    broken = found(judged(tmp_path, ppo_micro_batch_size_per_gpu=3))[MICRO]
    assert broken.check is None


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        ("pass", False),
        ('object.__setattr__(self.engine, "strategy", self.strategy)', True),
        ('# object.__setattr__(self.engine, "strategy", self.strategy)', False),
    ],
    ids=["nothing", "the statement", "a comment"],
)
def test_a_copy_replaces_a_setting_only_by_the_statement_of_releases(tmp_path, code, is_told):
    write_copy(tmp_path, "0.8.0")
    (tmp_path / "verl" / "actor.py").write_text(f"{code}\n", encoding="utf-8")
    report = judged(tmp_path, "actor_rollout_ref.actor.fsdp_config.strategy=fsdp2")
    assert ("value-is-kept" in found(report)) is is_told


@pytest.mark.parametrize(("code", "severity"), [("pass", "info"), ("config.ppo_mini_batch_size", "warning")])
def test_a_harm_of_a_setting_that_the_copy_does_not_read_is_an_info(tmp_path, code, severity):
    write_copy(tmp_path, "0.6.1")
    (tmp_path / "verl" / "checks.py").write_text(f"{code}\n", encoding="utf-8")
    report = judged(tmp_path, "actor_rollout_ref.actor.use_dynamic_bsz=True", train_batch_size=32)
    told = [each for each in report.findings if each.rule.name == "dynamic-rollout-holds-an-update"]
    assert [each.severity for each in told] == [severity]


def test_releases_that_are_as_near_may_both_be_meant(tmp_path):
    catalogue = framework("verl").catalogue
    older, newer = (
        set(catalogue.fields(("dp",), catalogue.releases.index(each)).names())
        for each in ("0.3.0.post0", "0.3.0.post1")
    )
    assert older == newer
    write_copy(tmp_path, "0.3.0.post1", version="0.2.0.dev")
    assert "0.3.0.post0, 0.3.0.post1" in str(judged(tmp_path).launches[0].version_source)


def test_a_tree_that_cannot_be_composed_tells_nothing(tmp_path):
    write_copy(tmp_path, parts=("data",))
    (tmp_path / "verl" / "trainer" / "config" / "data" / "usual_data.yaml").unlink()
    assert "@" not in release(judged(tmp_path))


def test_a_tree_without_what_every_verl_has_is_none_of_verl(tmp_path):
    write_copy(tmp_path, without=["actor_rollout_ref.rollout.n"])
    assert "@" not in release(judged(tmp_path))


COUNTS = ["agent_grpo.n", "actor_rollout_ref.rollout.n_agent", "actor_rollout_ref.rollout.n_repeat", "data.n_samples"]


@pytest.mark.parametrize("setting", COUNTS)
@pytest.mark.parametrize("size, is_told", [(16, False), (1, True)])
def test_a_copy_may_size_its_groups_by_a_setting_of_its_own(tmp_path, setting, size, is_told):
    write_copy(tmp_path, more={setting: size})
    assert ("group-has-two-completions" in found(judged(tmp_path, n=1))) is is_told


def test_what_a_copy_counts_in_trajectories_is_not_counted_in_prompts(tmp_path):
    write_copy(tmp_path, "0.2.0.post2", more={"actor_rollout_ref.rollout.n_agent": 16})
    of_prompts = {"rows-divide-over-generation", "dynamic-rollout-holds-an-update"}
    assert of_prompts.isdisjoint(found(judged(tmp_path, train_batch_size=2, ppo_mini_batch_size=4)))


@pytest.mark.parametrize("mode, is_told", [("own", False), ("vanilla", True)])
def test_a_loss_of_a_copy_may_compare_no_group(tmp_path, mode, is_told):
    write_copy(tmp_path)
    report = judged(tmp_path, f"actor_rollout_ref.actor.policy_loss.loss_mode={mode}", n=1)
    assert ("group-has-two-completions" in found(report)) is is_told


@pytest.mark.parametrize("annotation, is_told", [("Optional[str | int]", False), ("Optional[int]", True)])
def test_what_a_class_of_a_copy_takes_counts_more_than_what_the_nearest_release_does(tmp_path, annotation, is_told):
    write_copy(tmp_path, "0.7.0")
    parts = tmp_path / "verl/workers/config/parts.py"
    text, name = parts.read_text(encoding="utf-8"), "class ActorRolloutRefActor(BaseConfig):\n"
    assert name in text
    parts.write_text(text.replace(name, f"{name}    loss_scale_factor: {annotation} = None\n"), encoding="utf-8")
    report = judged(tmp_path, "actor_rollout_ref.actor.loss_scale_factor=auto")
    assert ("value-has-the-type-of-its-key" in found(report)) is is_told


KEYS_OF_LATER_RELEASES = (
    "data.filter_overlong_prompts=true",
    "data.truncation=left",
    "data.shuffle=false",
    "data.image_key=images",
    "data.reward_fn_key=kind",
)


@pytest.mark.parametrize("number", [2, 3, 5])
def test_a_command_for_a_later_release_than_the_copy_is_one_mistake(tmp_path, number):
    lacking = [each.partition("=")[0] for each in KEYS_OF_LATER_RELEASES]
    write_copy(tmp_path, "0.4.1", without=lacking)
    report = judged(tmp_path, *KEYS_OF_LATER_RELEASES[:number], n=1)
    keys = [each for each in report.findings if each.rule.name == "key-is-known"]
    assert len(keys) == (2 if number == 2 else 1) and keys[0].severity == "error"
    assert ("has it, as it has data.truncation" in message(keys[0])) is (number > 2)
    groups = [each.severity for each in report.findings if each.rule.name == "group-has-two-completions"]
    assert groups == ["warning" if number == 2 else "info"]


@pytest.mark.parametrize("folder, severity", [("mine", "error"), ("old/verl", "warning")])
def test_a_command_for_another_tree_of_the_checkout_is_one_mistake(tmp_path, folder, severity):
    keys = ("data.one", "data.two", "data.three", "data.four", "data.five")
    write_copy(tmp_path, more=dict.fromkeys(keys, 1))
    (tmp_path / folder).parent.mkdir(exist_ok=True)
    (tmp_path / "verl").rename(tmp_path / folder)
    write_copy(tmp_path)
    report = judged(tmp_path, *(f"{key}=2" for key in keys), n=1)
    (told,) = [each for each in report.findings if each.rule.name == "key-is-known"]
    assert f"./{folder} has it, as it has data.two, data.three, data.four and 1 more" in message(told)
    assert told.severity == severity and found(report) == {"key-is-known": told}


@pytest.mark.parametrize("own, severity", [("", "info"), ("data.train_batch_size=8 ", "warning")])
def test_of_a_command_that_only_passes_on_all_is_an_info(tmp_path, own, severity):
    write_copy(tmp_path)
    script = tmp_path / "run.sh"
    script.write_text(f'python3 -m verl.trainer.main_ppo --config-name ppo_trainer {own}"$@"\n', encoding="utf-8")
    findings = lint_path(str(script), Around().of(str(script))).findings
    assert {each.severity for each in findings if each.rule.name == "micro-batches-are-given"} == {severity}


def test_a_fix_is_proven_by_the_copy(tmp_path):
    write_copy(tmp_path, more={"data.max_prompts": 1})
    judged(tmp_path, "data.max_prompst=2")
    script = str(tmp_path / "run.sh")
    (fix,) = found(lint_path(script, Around().of(script)))["key-is-known"].fixes
    assert [edit.new for edit in fix.edits] == ["data.max_prompts"]


def test_what_changes_in_the_copy_is_read_again(tmp_path):
    write_copy(tmp_path)
    judged(tmp_path, "data.mine=2")
    script, tree = str(tmp_path / "run.sh"), tmp_path / "verl" / "trainer" / "config" / "ppo_trainer.yaml"
    around = Around()
    assert "key-is-known" in found(lint_path(script, around.of(script)))
    tree.write_text(tree.read_text(encoding="utf-8").replace("\ndata:\n", "\ndata:\n  mine: 1\n"), encoding="utf-8")
    around.repository.changed(str(tree))
    assert not found(lint_path(script, around.of(script)))


# --- verl-agent, and other forks that count environments --------------------------------------------------------------

REFERENCE = "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=4"
OF_AGENTS = {
    "data.train_batch_size": 16,
    "actor_rollout_ref.actor.ppo_mini_batch_size": 256,
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": 16,
    "actor_rollout_ref.rollout.n": None,
    "actor_rollout_ref.rollout.name": None,
}
ITS_OWN = {"env.env_name": "Maze", "env.max_steps": 20, "env.rollout.n": 8}
WRITTEN = [f"{path}={value}" for path, value in ITS_OWN.items()]


def played(checkout, *words, head="", **changes):
    """The report of a script that starts a run of verl-agent."""
    own = {path.rpartition(".")[2]: value for path, value in OF_AGENTS.items()}
    return judged(checkout, REFERENCE, "data.val_batch_size=64", *words, head=head, **{**own, **changes})


@pytest.mark.parametrize("has_copy", [False, True])
@pytest.mark.parametrize("is_written", [False, True])
def test_a_batch_of_environments_is_none_of_prompts(tmp_path, has_copy, is_written):
    """A group is env.rollout.n environments, a mini batch counts steps of all of them, and a fork may have other environments."""
    (tmp_path / ".git").mkdir()
    if has_copy:
        write_copy(tmp_path, "0.3.0.post1", version="0.3.1.dev", more=ITS_OWN)
    report = played(tmp_path, *(WRITTEN if is_written or not has_copy else ()))
    assert not found(report)
    assert report.launches[0].framework.name == "verl-agent"
    assert plan_of(report).value("completions_per_rollout") == 128


@pytest.mark.parametrize("release", framework("verl-agent").catalogue.releases)
def test_a_copy_of_verl_agent_is_none_of_the_verl_that_it_calls_itself(tmp_path, release):
    write_copy(tmp_path, release, version="0.3.1.dev", of="verl-agent")
    report = played(tmp_path, "env.rollout.n=8")
    (launch,) = report.launches
    assert launch.framework.name == "verl-agent" and not found(report)
    assert f"{release}@./verl" in [candidate.text for candidate in launch.candidates]


def test_keys_are_those_of_the_copy_of_verl_agent(tmp_path):
    more = {"env.maze.size": 5, "algorithm.adv_estimator": "mine", "reward_model.reward_manager": "own"}
    write_copy(tmp_path, "2026.2.27", version="0.3.1.dev", of="verl-agent", more=more)
    report = played(tmp_path, "env.maze.size=7", "env.rollout.n=8", "env.maze.sise=7", adv_estimator=None)
    assert [*found(report)] == ["key-is-known"]


def test_a_fork_that_takes_several_answers_of_an_environment_has_as_many_rows_in_an_update(tmp_path):
    write_copy(tmp_path, "2025.9.25", of="verl-agent")
    plan = plan_of(judged(tmp_path, "env.env_name=search", n=4))
    assert plan.value("written_update") == 4 * 64


def test_a_size_that_a_copy_is_told_to_have_elsewhere_is_not_missing(tmp_path):
    write_copy(tmp_path, "2026.2.27", of="verl-agent", more={"agent.own": None})
    words = ["env.rollout.n=8", "+agent.own.actor.ppo_micro_batch_size_per_gpu=[4,8]"]
    assert not found(played(tmp_path, *words, ppo_micro_batch_size_per_gpu="null"))
    assert "micro-batches-are-given" in found(played(tmp_path, *words, ppo_micro_batch_size_per_gpu=None))


@pytest.mark.parametrize("more", [{"env.rollout.n": 1}, {"env.env_name": "Maze"}])
def test_a_copy_with_some_of_its_settings_is_another_fork(tmp_path, more):
    """Nothing is said of its batches, whatever the command sets."""
    write_copy(tmp_path, "0.3.0.post1", more=more)
    ((setting, value),) = more.items()
    report = played(tmp_path, f"{setting}={value}", train_batch_size=10)
    assert report.launches[0].framework.name == "verl" and not found(report)


UNKNOWN = ("algorithm.adv_estimator=mine", "env.env_name=Maze", "reward_model.reward_manager=own")


@pytest.mark.parametrize(
    "head", ["", "# grpo-lint: dialect=verl-agent\n", "# grpo-lint: dialect=verl-agent version=2026.2.27\n"]
)
def test_names_that_a_fork_may_add_are_refused_where_it_is_stated(tmp_path, head):
    (tmp_path / ".git").mkdir()
    report = played(tmp_path, *UNKNOWN, "env.rollout.n=8", head=head, adv_estimator=None)
    wanted = ["advantage-estimator-is-known", "environment-is-known", "rewards-are-of-episodes"] if head else []
    assert sorted(found(report)) == wanted


def test_a_setting_that_it_never_had_is_one_of_a_fork(tmp_path):
    (tmp_path / ".git").mkdir()
    words = ["env.rollout.n=8", "env.maze.size=7"]
    assert not found(played(tmp_path, *words))
    assert "key-is-known" in found(played(tmp_path, *words, head="# grpo-lint: version=2026.2.27\n"))


def test_what_somebody_says_counts_more_than_its_settings(tmp_path):
    (tmp_path / ".git").mkdir()
    for name in ("verl", "verl-agent"):
        for words in ([], WRITTEN):
            report = played(tmp_path, *words, head=f"# grpo-lint: dialect={name}\n")
            assert report.launches[0].framework.name == name


def test_a_group_of_one_environment_is_told_and_mended(tmp_path):
    (tmp_path / ".git").mkdir()
    played(tmp_path, "env.max_steps=50")
    script = str(tmp_path / "run.sh")
    broken = found(lint_path(script, Around().of(script)))["group-has-two-completions"]
    assert broken.severity == "warning" and "env.rollout.n must be at least 2" in message(broken)
    assert "set env.rollout.n to 8" in str(broken.fixes[0].title)


@pytest.mark.parametrize(
    ("section", "name"),
    [
        ("{env_name: Webshop, rollout: {n: 8}}", "verl-agent"),
        ("{max_steps: 5}", "verl-agent"),
        ("{name: frozen_lake}", "verl"),
        ("frozen_lake", "verl"),
    ],
)
def test_a_file_of_settings_is_known_by_its_section(tmp_path, section, name):
    script = tmp_path / "run.yaml"
    script.write_text(
        f"env: {section}\ndata: {{train_batch_size: 16}}\nactor_rollout_ref: {{rollout: {{n: 1}}}}\n", encoding="utf-8"
    )
    report = lint_path(str(script), Around().of(str(script)), fixes=False)
    assert report.launches[0].framework.name == name


def test_what_hangs_on_no_batch_holds_in_forks_that_count_environments_as_well(tmp_path):
    write_copy(tmp_path, "0.3.0.post1", more={"env.rollout.n": 1})
    assert "engines-divide-gpus" in found(judged(tmp_path, REFERENCE, tensor_model_parallel_size=3))


# --- EasyR1 ---------------------------------------------------------------------------------------------------------


def trained(checkout, *words):
    """The report of a script that starts EasyR1 with its dataclasses alone."""
    script = checkout / "run.sh"
    started = ["python3 -m verl.trainer.main", "data.rollout_batch_size=64", "worker.actor.global_batch_size=64"]
    script.write_text(" ".join([*started, *words]) + "\n", encoding="utf-8")
    disk.forget_what_was_asked_for()
    return lint_path(str(script), Around().of(str(script)), fixes=False)


@pytest.mark.parametrize("release", framework("easyr1").catalogue.releases)
def test_the_fields_of_easyr1_are_those_of_its_classes(tmp_path, release):
    write_easyr1_copy(tmp_path, release)
    catalogue = trained(tmp_path).launches[0].framework.catalogue
    known = framework("easyr1").catalogue
    index = known.releases.index(release)
    own, theirs = catalogue.fields(("easyr1",), len(catalogue.releases) - 1), known.fields(("easyr1",), index)
    assert release in catalogue.releases
    for name in known.names():
        assert (own[name] and (own[name].type, own[name].default)) == (
            theirs[name] and (theirs[name].type, theirs[name].default)
        )


def test_keys_are_those_of_the_copy_of_easyr1(tmp_path):
    more = {
        "worker.rollout.mine": ("int", 1),
        "worker.mine.alpha": ("Optional[float]", None),
        "data.anything": ("dict", None),
    }
    write_easyr1_copy(tmp_path, more=more, without=["data.shuffle"])
    words = [
        "worker.rollout.mine=2",
        "worker.mine.alpha=0.5",
        "data.anything.a=1",
        "data.shuffle=true",
        "worker.mine.beta=1",
    ]
    report = trained(tmp_path, *words)
    keys = [finding for finding in report.findings if finding.rule.name == "key-is-known"]
    assert [(finding.at.name, finding.severity) for finding in keys] == [
        ("data.shuffle", "error"),
        ("worker.mine.beta", "error"),
    ]


def test_what_was_asked_of_the_releases_does_not_count_for_a_copy(tmp_path):
    assert framework("easyr1").reader.keys.launch_key("worker.actor.model.override_config.a", (), "") is not None
    write_easyr1_copy(tmp_path, more={"data.anything": ("dict", None)})
    assert "key-is-known" not in found(trained(tmp_path, "data.anything.a=1"))


def test_values_are_of_the_types_of_the_copy_of_easyr1(tmp_path):
    write_easyr1_copy(tmp_path, more={"worker.rollout.mine": ("int", 1)})
    assert "value-has-the-type-of-its-key" in found(trained(tmp_path, "worker.rollout.mine=many"))


@pytest.mark.parametrize("is_started", [False, True])
def test_a_file_that_a_program_with_classes_of_its_own_may_read_is_no_file_of_easyr1(tmp_path, is_started):
    """Where a command starts it with EasyR1 itself, it is."""
    write_easyr1_copy(tmp_path)
    (tmp_path / "verl" / "trainer" / "main.py").write_text("OmegaConf.structured(PPOConfig())\nOmegaConf.from_cli()\n")
    sizes = "worker: {rollout: {n: 5}, actor: {global_batch_size: 128, micro_batch_size_per_device_for_update: 1, micro_batch_size_per_device_for_experience: 1}}"
    config = tmp_path / "grpo.yaml"
    config.write_text(f"data: {{rollout_batch_size: 128, mine: 1}}\ntrainer: {{n_gpus_per_node: 8}}\n{sizes}\n")

    def keys():
        disk.forget_what_was_asked_for()
        report = lint_path(str(config), Around().of(str(config)), fixes=False)
        return [finding for finding in report.findings if finding.rule.name == "key-is-known"]

    assert keys()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "main.py").write_text("OmegaConf.structured(Mine())\nOmegaConf.from_cli()\n")
    if is_started:
        (tmp_path / "run.sh").write_text("python3 -m verl.trainer.main config=grpo.yaml\n")
    assert bool(keys()) == is_started


@pytest.mark.parametrize("annotation", ["Any", "Union[str, list]", "Optional[Literal['a', 'b']]"])
def test_a_setting_of_easyr1_of_a_type_that_takes_more_takes_any_value(tmp_path, annotation):
    write_easyr1_copy(tmp_path, more={"data.mine": (annotation, "")})
    for value in ("[a, b]", "null", "1", "text", "{a: 1}"):
        told = found(trained(tmp_path, f"data.mine={value}", "data.mine.a=1"))
        assert told.keys() <= {"group-has-two-completions"}, value


def test_a_class_of_easyr1_that_is_not_here_tells_nothing(tmp_path):
    write_easyr1_copy(tmp_path, more={"worker.rollout.mine": ("int", 1)})
    (tmp_path / "verl" / "workers" / "parts" / "all.py").unlink()
    assert "@" not in release(trained(tmp_path, "worker.rollout.mine=2"))


DAPO = "hydra:\n  searchpath:\n    - file://verl/trainer/config\ndefaults:\n  - ppo_trainer\n  - _self_\n"


def test_another_program_starts_from_its_own_file_beside_the_copy(tmp_path):
    write_copy(tmp_path, "0.4.1", more={"data.mine": 1})
    folder = tmp_path / "recipe" / "dapo" / "config"
    folder.mkdir(parents=True)
    text = f"{DAPO}data:\n  gen_batch_size: 64\n  ours: 1\nalgorithm:\n  filter_groups:\n    enable: false\n"
    (folder / "dapo_trainer.yaml").write_text(text, encoding="utf-8")
    report = judged(tmp_path, "data.mine=2", "data.ours=3", "data.min=4", module="recipe.dapo.main_dapo")
    keys = [finding for finding in report.findings if finding.rule.name == "key-is-known"]
    assert [finding.at.name for finding in keys] == ["data.min"] and release(report) == "0.4.1@./verl"


@pytest.mark.parametrize("engine", ["", "megatron_"])
def test_another_program_may_start_from_a_file_with_a_name_of_its_own(tmp_path, engine):
    write_copy(tmp_path, "0.4.1", more={"data.mine": 1})
    tree = tree_of("0.4.1", "megatron")[0] | {"defaults": ["_self_"]}
    tree["data"]["mine"] = 1
    (tmp_path / "verl" / "trainer" / "config" / "ppo_megatron_trainer.yaml").write_text(yaml.safe_dump(tree))
    folder = tmp_path / "recipe" / "dapo" / "config"
    folder.mkdir(parents=True)
    head = DAPO.replace("ppo_trainer", f"ppo_{engine}trainer")
    text = f"{head}data:\n  gen_batch_size: 64\n  ours: 1\nalgorithm:\n  filter_groups:\n    enable: false\n"
    (folder / "ours.yaml").write_text(text, encoding="utf-8")
    words = ["--config-name=ours", "data.mine=2", "data.ours=3", "data.min=4"]
    report = judged(tmp_path, *words, module="recipe.dapo.main_dapo")
    keys = [finding for finding in report.findings if finding.rule.name == "key-is-known"]
    assert [finding.at.name for finding in keys] == ["data.min"] and release(report) == "0.4.1@./verl"


USUAL = """import hydra
from verl.trainer.ppo.ray_trainer import {trainer}
@hydra.main(config_path='config', config_name='ppo_trainer', version_base=None)
def main(config):
    {trainer}(config).fit()
"""


@pytest.mark.parametrize("module", ["-m mine.verl.trainer.main_ppo", "mine/verl/trainer/main_ppo.py"])
def test_a_copy_may_be_part_of_another_package(tmp_path, module):
    (tmp_path / "mine").mkdir()
    write_copy(tmp_path / "mine", "0.6.1", more={"data.mine": 1}, fields={"actor_rollout_ref.actor": ["ours"]})
    (tmp_path / "mine" / ".git").rmdir()
    (tmp_path / ".git").mkdir()
    tree = tmp_path / "mine" / "verl" / "trainer"
    (tree / "main_ppo.py").write_text(USUAL.format(trainer="RayPPOTrainer"), encoding="utf-8")
    for path in (tree / "config" / "ppo_trainer.yaml", tree.parent / "workers" / "config" / "parts.py"):
        path.write_text(path.read_text().replace("verl.workers", "mine.verl.workers"), encoding="utf-8")
    words = ["data.mine=2", "data.min=3", "+actor_rollout_ref.actor.ours=1", "+actor_rollout_ref.actor.our=1"]
    report = judged(tmp_path, *words, module=module)
    assert release(report) == "0.6.1@./mine/verl"
    assert {"key-is-known", "appended-key-is-a-field"} == {*found(report)}
    assert "program-is-known" not in {finding.rule.name for finding in report.findings}


@pytest.mark.parametrize(("trainer", "is_known"), [("RayPPOTrainer", True), ("RayOwnTrainer", False)])
def test_a_sibling_of_the_usual_program_with_its_trainer_is_a_changed_copy_of_it(tmp_path, trainer, is_known):
    write_copy(tmp_path, "0.6.1", more={"data.mine": 1})
    program = tmp_path / "verl" / "trainer" / "main_ppo_mine.py"
    program.write_text(USUAL.format(trainer=trainer), encoding="utf-8")
    program.with_name("main_ppo.py").write_text(USUAL.format(trainer="RayPPOTrainer"), encoding="utf-8")
    report = judged(tmp_path, "data.mine=2", module="verl.trainer.main_ppo_mine", ppo_micro_batch_size_per_gpu=3)
    assert ("rank-update-holds-whole-micro-batches" in found(report)) == is_known
    assert ("program-is-known" not in {finding.rule.name for finding in report.findings}) == is_known


def test_a_file_that_no_command_starts_is_of_the_only_copy(tmp_path):
    """A script may copy it into the tree of the copy before it starts it."""
    (tmp_path / "lib").mkdir()
    write_copy(tmp_path / "lib", "0.6.1", more={"data.mine": 1})
    (tmp_path / "lib" / ".git").rmdir()
    (tmp_path / ".git").mkdir()
    worker = tmp_path / "lib" / "verl" / "workers" / "actor.py"
    worker.write_text("if config.policy_loss.loss_mode == 'mine':\n    pass\n", encoding="utf-8")
    config = tmp_path / "configs" / "mine.yaml"
    config.parent.mkdir()
    actor = "{policy_loss: {loss_mode: mine}, ppo_mini_batch_size: 8, ppo_micro_batch_size_per_gpu: 8}"
    config.write_text(f"defaults: [ppo_trainer, _self_]\ndata: {{mine: 1}}\nactor_rollout_ref: {{actor: {actor}, rollout: {{n: 8}}}}\n"
                      "algorithm: {adv_estimator: grpo}\n")  # fmt: skip
    report = lint_path(str(config), Around().of(str(config)), fixes=False)
    assert release(report) == "0.6.1@./lib/verl" and not found(report)
    (tmp_path / "other").mkdir()
    write_copy(tmp_path / "other", "0.7.0")
    disk.forget_what_was_asked_for()
    assert "@" not in release(lint_path(str(config), Around().of(str(config)), fixes=False))


@pytest.mark.parametrize(("pin", "expected"), [("0.1", "0.1.0@./verl/verl"), ("0.3.0.post1", "0.3.0.post1")])
def test_a_pin_of_what_a_copy_calls_itself_means_the_copy(tmp_path, pin, expected):
    (tmp_path / ".git").mkdir()
    (tmp_path / "verl").mkdir()
    write_copy(tmp_path / "verl", "0.2", version="0.1")
    (tmp_path / "verl" / ".git").rmdir()
    (tmp_path / "environment.yml").write_text(f"dependencies:\n  - pip:\n    - verl=={pin}\n", encoding="utf-8")
    assert release(judged(tmp_path)) == expected


# --- which copy -----------------------------------------------------------------------------------------------------


def _two_copies(checkout):
    """Copies in ./verl, which lacks a key, and in ./third_party/verl, which has it."""
    (checkout / ".git").mkdir()
    for folder in (checkout, checkout / "third_party" / "verl"):
        folder.mkdir(parents=True, exist_ok=True)
        write_copy(folder, "0.6.1", more={} if folder == checkout else {"data.mine": 1})
    (checkout / "third_party" / "verl" / ".git").rmdir()


@pytest.mark.parametrize(
    ("head", "is_the_other"),
    [
        ("", False),
        ("cd third_party/verl\n", True),
        ("cd ./third_party/verl && ", True),
        ('cd "$(dirname "$0")/third_party/verl"\n', True),
        ("cd $ELSEWHERE\n", False),
        ("cd ../outside\n", False),
        ("export PYTHONPATH=third_party/verl:$PYTHONPATH\n", True),
        ("export PYTHONPATH=$PYTHONPATH:$PWD/third_party/verl\n", True),
        ('PYTHONPATH="$(pwd)/third_party/verl" ', True),
        ("export PYTHONPATH=.:third_party\n", False),
        ("export PYTHONPATH=${ROOT}/third_party/verl\n", True),
        ("export PYTHONPATH=$ELSEWHERE\n", False),
    ],
)
def test_a_command_says_which_copy_it_imports(tmp_path, head, is_the_other):
    _two_copies(tmp_path)
    report = judged(tmp_path, "data.mine=2", head=head)
    assert release(report) == ("0.6.1@./third_party/verl/verl" if is_the_other else "0.6.1@./verl")
    assert ("key-is-known" in found(report)) is not is_the_other


def test_the_copy_of_a_command_counts_more_than_a_release_that_is_pinned(tmp_path):
    _two_copies(tmp_path)
    (tmp_path / "verl").rename(tmp_path / "old")
    (tmp_path / "requirements.txt").write_text("verl==0.3.0.post1\n", encoding="utf-8")
    assert release(judged(tmp_path)) == "0.3.0.post1"
    assert release(judged(tmp_path, head="cd third_party/verl\n")) == "0.6.1@./third_party/verl/verl"


def test_a_copy_without_a_release_of_its_own_is_most_like_one(tmp_path):
    _two_copies(tmp_path)
    for folder in (tmp_path / "verl", tmp_path / "third_party" / "verl" / "verl"):
        (folder / "version" / "version").unlink()
        (folder / "__init__.py").write_text("", encoding="utf-8")
    assert release(judged(tmp_path)) == "0.6.1@./verl"
    assert release(judged(tmp_path, head="cd third_party/verl\n")) == "0.6.1@./third_party/verl/verl"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements.txt", "torch\n-e ./third_party/verl[vllm]\n"),
        ("requirements.txt", "verl==0.3.0.post1\n--editable third_party/verl/\n"),
        ("requirements.txt", "torch\n./third_party/verl\n"),
        ("requirements.txt", '-e "file:third_party/verl"\n'),
        ("environment.yml", "dependencies:\n  - pip:\n    - -e ./third_party/verl\n"),
        ("Dockerfile", "RUN pip install torch && pip install --no-deps -e third_party/verl\n"),
        ("Dockerfile", "RUN pip install ./third_party/verl\n"),
        ("pyproject.toml", '[tool.uv.sources]\nverl = { path = "third_party/verl", editable = true }\n'),
        ("install.sh", "cd third_party/verl && pip install -e .\n"),
        ("setup_env.sh", "cd third_party\ncd verl\npip install --no-deps -e .[gpu]\n"),
    ],
)
def test_what_is_installed_from_a_folder_is_the_copy_there(tmp_path, name, text):
    _two_copies(tmp_path)
    (tmp_path / name).write_text(text, encoding="utf-8")
    report = judged(tmp_path, "data.mine=2")
    assert release(report) == "0.6.1@./third_party/verl/verl" and not found(report)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements.txt", "# -e ./third_party/verl\n"),
        ("requirements.txt", "-e ../third_party/verl\n"),
        ("requirements.txt", "-e ./third_party/verl\n-e .\n"),
        ("install.sh", 'echo -e "./third_party"\ncd $HOME\npip install -e third_party/verl\n'),
        ("install.sh", "cd /workspace\npip install -e third_party/verl\n"),
    ],
)
def test_what_no_file_installs_for_certain_is_the_nearest_copy(tmp_path, name, text):
    _two_copies(tmp_path)
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert release(judged(tmp_path)) == "0.6.1@./verl"


MODULE = '[submodule "verl"]\n\tpath = third_party/verl\n\turl = {}\n'


@pytest.mark.parametrize(
    ("url", "is_fork"),
    [
        ("https://example.org/me/verl.git", True),
        ("git@example.org:me/own-work.git", True),
        ("https://github.com/volcengine/verl", False),
        ("git@github.com:verl-project/verl.git", False),
    ],
)
def test_a_submodule_that_is_not_here_is_of_the_repository_at_its_address(tmp_path, url, is_fork):
    (tmp_path / ".git").mkdir()
    (tmp_path / "third_party" / "verl").mkdir(parents=True)
    (tmp_path / ".gitmodules").write_text(MODULE.format(url), encoding="utf-8")
    report = judged(tmp_path, "data.mine=2")
    assert ("key-is-known" in found(report)) is not is_fork
    assert bool(report.launches[0].reader) is is_fork
    assert ["program-is-known"] * is_fork == [
        each.rule.name for each in report.findings if each.rule.name == "program-is-known"
    ]


def test_a_submodule_that_is_here_is_the_copy(tmp_path):
    _two_copies(tmp_path)
    (tmp_path / "verl").rename(tmp_path / "old")
    (tmp_path / "third_party" / "verl" / ".git").write_text("gitdir: ../../.git/modules/verl\n", encoding="utf-8")
    (tmp_path / ".gitmodules").write_text(MODULE.format("https://example.org/me/verl.git"), encoding="utf-8")
    report = judged(tmp_path, "data.mine=2")
    assert release(report) == "0.6.1@./third_party/verl/verl" and not found(report)
    (tmp_path / "requirements.txt").write_text("verl==0.3.0.post1\n", encoding="utf-8")
    pins.forget()
    assert release(judged(tmp_path)) == "0.3.0.post1"


# --- a tree that is not all here ------------------------------------------------------------------------------------


def _without_a_group(checkout):
    """A copy whose folder `data` git ignores, with the whole tree in one file beside it, before a key was added."""
    write_copy(checkout / "before", "0.6.1")
    write_copy(checkout, "0.6.1", more={"trainer.mine": 1}, parts=("data",))
    config = checkout / "verl" / "trainer" / "config"
    whole = checkout / "before" / "verl" / "trainer" / "config" / "ppo_trainer.yaml"
    whole.rename(config / "_generated_ppo_trainer.yaml")
    (config / "data" / "usual_data.yaml").unlink()
    (checkout / "verl" / "trainer" / "main_ppo.py").write_text("", encoding="utf-8")
    return config


def test_the_tree_that_a_copy_keeps_in_one_file_counts_where_a_part_is_not_here(tmp_path):
    _without_a_group(tmp_path)
    report = judged(tmp_path, "data.shuffle=True", "data.min=3", "trainer.mine=2", "trainer.other=2")
    keys = [finding for finding in report.findings if finding.rule.name == "key-is-known"]
    assert [(finding.at.name, finding.severity) for finding in keys] == [
        ("data.min", "error"),
        ("trainer.other", "error"),
    ]
    assert release(report) == "0.6.1@./verl"


def test_the_tree_in_one_file_starts_no_run(tmp_path, monkeypatch):
    config = _without_a_group(tmp_path)
    path = str(config / "_generated_ppo_trainer.yaml")
    context = Around().of(path)
    context.is_met = True
    report = lint_path(path, context, fixes=False)
    assert report.launches == [] and "start no run of their own" in str(report.skipped)


@pytest.mark.parametrize(
    "name, is_head", [("ppo_megatron_trainer", True), ("_generated_ppo_trainer", True), ("mine", False)]
)
def test_the_head_of_a_tree_that_was_taken_over_starts_no_run(tmp_path, name, is_head):
    write_copy(tmp_path, "0.6.1", parts=("actor_rollout_ref.actor", "actor_rollout_ref.rollout"))
    config = tmp_path / "server" / "config"
    config.parent.mkdir()
    (tmp_path / "verl" / "trainer" / "config").rename(config)
    (config / "ppo_trainer.yaml").rename(config / f"{name}.yaml")
    context = Around().of(str(config / f"{name}.yaml"))
    context.is_met = True
    report = lint_path(str(config / f"{name}.yaml"), context, fixes=False)
    assert ("start no run of their own" in str(report.skipped)) is is_head


@pytest.mark.parametrize(
    ("made", "is_refused"),
    [
        ("rollout = omega_conf_to_dataclass(self.config.model)", False),
        ("# actor = omega_conf_to_dataclass(self.config.actor)\n    omega_conf_to_dataclass(config.model)", False),
        ("actor = omega_conf_to_dataclass(self.config.actor)", True),
        ("actor = omega_conf_to_dataclass(\n        config.actor_rollout_ref.actor, dataclass_type=Actor\n    )", True),
        ("validate_config(config=config, use_critic=False)", True),  # which makes all of them
        ("self._validate_config()", True),  # nothing that is known makes a class: so nothing is shown
    ],
)
def test_a_class_that_nothing_makes_refuses_no_field(tmp_path, made, is_refused):
    write_copy(tmp_path)
    worker = tmp_path / "verl" / "workers" / "fsdp_workers.py"
    worker.write_text(f"def start(self, config):\n    {made}\n", encoding="utf-8")
    helper = tmp_path / "verl" / "utils" / "config.py"
    helper.parent.mkdir()
    helper.write_text(
        "def omega_conf_to_dataclass(config):\n    return config\n\n\n"
        "def validate_config(config):\n    omega_conf_to_dataclass(config.actor_rollout_ref.actor)\n",
        encoding="utf-8",
    )
    report = judged(tmp_path, "+actor_rollout_ref.actor.mine=2")
    assert ("appended-key-is-a-field" in found(report)) is is_refused


# --- a file that builds on the copy -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "item", ["../lib/verl/trainer/config/ppo_trainer@", "../lib/verl/trainer/config/ppo_trainer.yaml@_global_"]
)
def test_a_file_that_builds_on_the_file_of_a_copy_is_judged_by_it(tmp_path, item):
    (tmp_path / "lib").mkdir()
    write_copy(tmp_path / "lib", "0.5.0", more={"data.mine": 1})
    (tmp_path / "lib" / ".git").rename(tmp_path / ".git")
    config = tmp_path / "configs" / "grpo.yaml"
    config.parent.mkdir()
    settings = "data: {train_batch_size: 64, mine: 2}\nactor_rollout_ref: {rollout: {n: 8, mode: sync}, actor: {ppo_mini_batch_size: 64}}\n"
    config.write_text(
        f"defaults:\n  - {item}\n  - _self_\nalgorithm: {{adv_estimator: grpo}}\n{settings}", encoding="utf-8"
    )
    disk.forget_what_was_asked_for()
    report = lint_path(str(config), Around().of(str(config)), fixes=False)
    assert release(report) == "0.5.0@./lib/verl" and not found(report)


# --- TRL ------------------------------------------------------------------------------------------------------------


def trained_by_trl(checkout, *lines, version="0.21.0", text=OF_TRL.format(group=8)):
    """The report of a config of TRL beside a copy of it."""
    folder = checkout / "trl" / "trainer"
    folder.mkdir(parents=True, exist_ok=True)
    (checkout / ".git").mkdir(exist_ok=True)
    (checkout / "trl" / "__init__.py").write_text(f'__version__ = "{version}"\n', encoding="utf-8")
    (folder / "grpo_config.py").write_text(text, encoding="utf-8")
    config = checkout / "grpo.yaml"
    config.write_text(
        "\n".join(["# grpo-lint: dialect=trl", "max_completion_length: 64", "beta: 0.1", "loss_type: grpo", *lines])
        + "\n",
        encoding="utf-8",
    )
    return lint_path(str(config), Around().of(str(config)), fixes=False)


@pytest.mark.parametrize("version", ["0.21.0", "0.21.0.dev0"])
def test_fields_that_a_copy_of_trl_added_are_known(tmp_path, version):
    report = trained_by_trl(tmp_path, "own_size: 4", "own_list: [a]", "own_siz: 4", "warmup_steps: 3", version=version)
    keys = [finding for finding in report.findings if finding.rule.name == "key-is-known"]
    assert [finding.at.name for finding in keys] == ["own_siz"] and release(report) == f"{version}@./trl"


def test_values_are_of_the_types_that_a_copy_of_trl_declares(tmp_path):
    assert "value-has-the-type-of-its-key" in found(trained_by_trl(tmp_path, "own_size: many"))


def test_defaults_are_those_of_the_copy_of_trl(tmp_path):
    assert plan_of(trained_by_trl(tmp_path, text=OF_TRL.format(group=5))).value("group_size") == 5


@pytest.mark.parametrize(
    ("of", "version", "expected"),
    [
        ("0.18.2", "0.25.0", "0.18.2"),
        ("1.12.0", "1.12.0", "1.12.0"),
        ("1.16.0", "1.12.0.dev0", "1.10.0, 1.11.0, 1.12.0"),
    ],
)
def test_a_copy_of_trl_is_most_like_the_release_with_its_fields(tmp_path, of, version, expected):
    report = trained_by_trl(tmp_path, version=version, text=class_of_trl(of))
    assert release(report) == f"{version}@./trl" and not found(report)
    assert str(report.launches[0].version_source).startswith(f"most like {expected}, in ")


def test_a_field_that_a_copy_of_trl_kept_is_known_although_the_release_it_is_most_like_has_dropped_it(tmp_path):
    text = class_of_trl(
        "0.22.2",
        [
            "    min_prompts: int = 1",
            "    max_prompt_length: Optional[int] = 512",
            "    ds3_gather_for_generation: bool = True",
        ],
    )
    reports = [
        trained_by_trl(tmp_path, "max_prompt_length: 64", text=each)
        for each in (class_of_trl("1.16.0"), class_of_trl("1.16.0") + text.rpartition("min_prompts: int = 1\n")[2])
    ]
    told = [
        {finding.at.name for finding in report.findings if finding.rule.name.startswith("key-is")} for report in reports
    ]
    assert told == [{"max_prompt_length"}, set()]


@pytest.mark.parametrize("words", ['"server", "ours"', '"server"'])
def test_a_copy_of_trl_takes_the_names_that_its_code_knows(tmp_path, words):
    (tmp_path / "trl").mkdir()
    (tmp_path / "trl" / "engine.py").write_text(f"assert args.vllm_mode in ({words},)\n")
    report = trained_by_trl(tmp_path, "use_vllm: true", "vllm_mode: ours", text=class_of_trl("0.22.2"))
    assert ("vllm-mode-is-known" in found(report)) is ("ours" not in words)


_GROUP = "raise ValueError('GRPO requires at least 2 generations per prompt to calculate the advantages. You provided {n}')\n"


@pytest.mark.parametrize(
    "own, code, severity", [(0, _GROUP, "error"), (0, "", "info"), (60, _GROUP, "warning"), (60, "", "info")]
)
def test_what_only_a_release_surely_refuses_is_a_warning_for_a_copy_of_trl_that_is_much_changed(
    tmp_path, own, code, severity
):
    text = class_of_trl("0.20.0", [f"    own_{number}: int = 0" for number in range(own)]) + code
    report = trained_by_trl(tmp_path, "num_generations: 1", "temperature: often", version="0.21.0", text=text)
    told = [each for each in report.findings if each.rule.name == "group-has-two-completions"]
    assert [each.severity for each in told] == [severity]
    assert ("nothing in the code of ./trl shows this" in str(told[0].note)) is (severity == "info")
    assert found(report)["value-has-the-type-of-its-key"].severity == "error"


# --- ms-swift -------------------------------------------------------------------------------------------------------

PLACES_OF_SWIFT = {
    "swift": ["llm/argument", "arguments"],
    "megatron": ["megatron/argument", "megatron/arguments"],
}


@pytest.mark.parametrize(
    ("code", "severity"),
    [
        ("raise NotImplementedError('Liger Kernels currently only support token-level importance sampling.')", "error"),
        ("pass", "info"),
    ],
)
def test_a_check_that_a_copy_of_trl_gave_up_refuses_nothing(tmp_path, code, severity):
    """TRL holds this check in its own code: where the words are nowhere in a copy, the check is gone."""
    (tmp_path / "trl" / "trainer").mkdir(parents=True)
    (tmp_path / "trl" / "trainer" / "grpo_trainer.py").write_text(
        f"class GRPOTrainer:\n    def __init__(self):\n        {code}\n"
    )
    lines = ("importance_sampling_level: sequence", "use_liger_loss: true")
    report = trained_by_trl(tmp_path, *lines, version="0.24.0", text=class_of_trl("0.24.0"))
    told = [finding for finding in report.findings if finding.rule.name == "liger-has-token-ratios"]
    assert [finding.severity for finding in told] == [severity]


@pytest.mark.parametrize(
    "start", ["{command} rlhf", "torchrun scripts/train.py", "PYTHONPATH=. python -m swift.cli.rlhf"]
)
@pytest.mark.parametrize(
    ("dialect", "place"), [(dialect, place) for dialect, places in PLACES_OF_SWIFT.items() for place in places]
)
def test_fields_that_a_copy_of_ms_swift_added_are_known(tmp_path, dialect, place, start):
    if dialect == "megatron" and "{command}" not in start:
        pytest.skip("its programs are other ones")
    folder = tmp_path / "swift" / place
    folder.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "train.py").write_text("from swift.llm import rlhf_main\nrlhf_main()\n")
    (tmp_path / "swift" / "version.py").write_text("__version__ = '3.12.6'\n")
    name = "RLHFArguments" if dialect == "swift" else "MegatronRLHFArguments"
    (folder / "rlhf_args.py").write_text(OF_SWIFT.format(name=name, group=6))
    script = tmp_path / "train.sh"
    started = start.format(command=dialect)
    flags = "--O3 true --own_rate 0.5 --own_names a b --own_kind b --own_nam 1"
    script.write_text(f"{started} --rlhf_type grpo --model m --dataset d --reward_funcs format {flags}\n")
    disk.forget_what_was_asked_for()
    report = lint_path(str(script), Around().of(str(script)), fixes=False)
    told = [finding for finding in report.findings if finding.rule.name == "key-is-known"]
    assert not told and plan_of(report).value("group_size") == 6
    script.write_text(script.read_text().replace("--own_rate 0.5", "--own_rate much"))
    report = lint_path(str(script), Around().of(str(script)), fixes=False)
    assert "value-has-the-type-of-its-key" in found(report)
    (folder / "rlhf_args.py").write_text(
        OF_SWIFT.format(name=name, group=6).replace(
            "    O3: bool", '    loss_type: Literal["grpo", "ours"] = "grpo"\n    O3: bool'
        )
    )
    script.write_text(script.read_text().replace("--own_kind b", "--own_kind c --loss_type ours"))
    assert "loss-type-is-known" not in found(lint_path(str(script), Around().of(str(script)), fixes=False))
    assert "value-is-a-choice" in found(lint_path(str(script), Around().of(str(script)), fixes=False))


def test_fields_that_a_copy_removed_are_unknown_and_those_that_it_added_are_known(tmp_path):
    """What it takes over from transformers it has by a class that is not in it; of a class of another package nobody knows the fields."""
    folder = tmp_path / "swift" / "llm" / "argument"
    folder.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "swift" / "version.py").write_text("__version__ = '3.8.3'\n")
    script = tmp_path / "train.sh"
    flags = "--own_size 2 --dynamic_sample true --seed 1"
    script.write_text(f"swift rlhf --rlhf_type grpo --model m --dataset d --reward_funcs format {flags}\n")
    text = class_of_swift("3.8.3", ["    own_size: int = 3"], without=["dynamic_sample"])
    others = text.replace("from transformers", "from trl")
    whole = class_of_swift("3.8.3", ["    own_size: int = 3"])
    for written, expected in ((text, ["dynamic_sample"]), (others, []), (whole, [])):
        (folder / "rlhf_args.py").write_text(written)
        disk.forget_what_was_asked_for()
        report = lint_path(str(script), Around().of(str(script)), fixes=False)
        told = [finding for finding in report.findings if finding.rule.name.startswith("key")]
        assert [finding.at.name for finding in told] == expected and {f.severity for f in told} <= {"error"}
        assert release(report) == "3.8.3@./swift"


def test_of_several_classes_that_one_is_made_from_the_first_counts(tmp_path):
    (tmp_path / "own").mkdir()
    made = "class A:\n    size: int = 1\n\n@dataclass\nclass B:\n    size: int = 2\n\n@dataclass\nclass C(A, B):\n    pass\n"
    (tmp_path / "own" / "parts.py").write_text(f"from dataclasses import dataclass\n\n@dataclass\n{made}")
    assert Source(str(tmp_path / "own"), read_text).fields_of("own.parts.C")["size"].default == 1


@pytest.mark.parametrize(
    ("flags", "code", "is_known"),
    [
        ("--reward_funcs format own", "orms = {'format': print, 'own': print}", True),
        ("--reward_funcs format own", "orms = {'format': print}\norms['own'] = print", True),
        ("--reward_funcs format own", "orms = {'format': print}", False),
        ("--reward_funcs own", "rm_plugins = {'own': print}", False),
        ("--reward_funcs format --multi_turn_scheduler own", "multi_turns = {'own': print}", True),
        ("--reward_funcs format --multi_turn_scheduler own", "multi_turns = {}", False),
    ],
)
def test_names_are_looked_up_in_the_registries_of_a_copy_of_ms_swift(tmp_path, flags, code, is_known):
    folder = tmp_path / "swift" / "llm" / "argument"
    folder.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "swift" / "version.py").write_text("__version__ = '3.8.3'\n")
    (folder / "rlhf_args.py").write_text(class_of_swift("3.8.3"))
    (tmp_path / "swift" / "plugin.py").write_text(code + "\n")
    script = tmp_path / "train.sh"
    script.write_text(
        f"swift rlhf --rlhf_type grpo --model m --dataset d --use_vllm true --vllm_mode server --vllm_server_host h {flags}\n"
    )
    report = lint_path(str(script), Around().of(str(script)), fixes=False)
    names = {"reward-functions-are-registered", "scheduler-is-registered"}
    assert names.isdisjoint(found(report)) is is_known


# --- names that the code of a copy knows -----------------------------------------------------------------------------

KNOWING = {
    "registered": '@register_policy_loss("own")\ndef loss_mode(): ...\n',
    "registered by another word": "loss_mode = 1\nOWN_REGISTRY.register(name='own')(print)\n",
    "an entry of a table": 'LOSSES = {"own": print}  # of loss_mode\n',
    "written into a table": "LOSSES['own'] = loss_mode\n",
    "compared": "mode = config.loss_mode\nif mode == 'own':\n    pass\n",
    "one of some": 'assert loss_mode in ("vanilla", "own")\n',
    "a case": 'match loss_mode:\n    case "own":\n        pass\n',
    "a member": "class LossMode(str, Enum):  # loss_mode\n    OWN = 'own'\n",
    "of a type": 'loss_mode: Literal["vanilla", "own"]\n',
    "no Python of this age": "loss_mode ==\n'own'\n",
}
NOT_KNOWING = {
    "told": 'loss_mode = 1\nprint("own")\n',
    "a comment": "loss_mode = 1  # or 'own'\n",
    "told in a text": '"""loss_mode: not "own"."""\n',
    "of something else": 'OTHERS = {"own": print}\n',
    "what a key leads to": 'NAMES = {"loss_mode": "own"}\n',
}


@pytest.mark.parametrize("text", [*KNOWING.values(), *NOT_KNOWING.values()], ids=[*KNOWING, *NOT_KNOWING])
def test_a_copy_takes_the_names_that_its_code_knows(tmp_path, text):
    write_copy(tmp_path, "0.6.1")
    (tmp_path / "verl" / "losses.py").write_text(text)
    told = found(judged(tmp_path, "actor_rollout_ref.actor.policy_loss.loss_mode=own"))
    assert ("loss-mode-is-known" in told) is (text in NOT_KNOWING.values())


@pytest.mark.parametrize("around", ["trl", "lib/trl", "lib"])
def test_programs_of_a_framework_itself_leave_room_for_those_of_the_repository(tmp_path, around):
    examples = tmp_path / around / "examples"
    examples.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    package = tmp_path / around if around.endswith("trl") else tmp_path / around / "trl"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").write_text("")
    text = "from trl import GRPOConfig, GRPOTrainer, TrlParser\n(args,) = TrlParser((GRPOConfig,)).parse_args_and_config()\n"
    program = f"if __name__ == '__main__':\n    {text.replace(chr(10), chr(10) + '    ')}GRPOTrainer(args=args)\n"
    for number in range(60):
        (examples / f"train_{number}.py").write_text(program)
    (tmp_path / "z_train.py").write_text(program)
    reports = []
    for config in (tmp_path / "grpo.yaml", examples / "grpo.yaml"):
        config.write_text(
            "num_generations: 8\nper_device_train_batch_size: 8\nmax_completion_length: 64\nloss_type: grpo\nmine: 1\n"
        )
        disk.forget_what_was_asked_for()
        reports.append(lint_path(str(config), Around().of(str(config)), fixes=False))
    own, copied = ({finding.rule.name for finding in report.findings} for report in reports)
    assert all(report.launches for report in reports) and "linter-does-not-fail" not in own | copied
    assert "file-is-looked-at-to-its-end" not in own and "file-is-looked-at-to-its-end" in copied


def test_a_copy_that_is_far_from_all_releases_counts_in_its_own_way(tmp_path):
    write_copy(tmp_path, more={f"mine.key{number}": number for number in range(400)})
    report = judged(tmp_path, "mine.kee=1", ppo_micro_batch_size_per_gpu=3, train_batch_size=32)
    assert {*found(report)} == {"key-is-known"}  # by its own tree
    told = [each for each in report.findings if each.rule.name == "rollout-holds-an-update"]
    assert [each.severity for each in told] == ["info"] and "% of its settings" in str(told[0].note)
