"""NeMo-RL: what its releases call otherwise, and what a file says together with the example on which it builds."""

import pytest
import yaml

from conftest import lint_text, names, plan_of, said
from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint_path
from grpo_lint.frameworks.registry import framework
from grpo_lint.report.messages import message

COMMAND = "uv run examples/run_grpo.py --config examples/configs/grpo_math_1B.yaml cluster.gpus_per_node=8"
FILE = "# grpo-lint: version={}\ndefaults: grpo_math_1B.yaml\n{}grpo: {{num_prompts_per_step: 32, max_num_steps: 9}}\npolicy: {{train_global_batch_size: 512}}\n"


def codes(report):
    return [(each.rule.code, each.severity) for each in report.findings if each.severity != "info"]


@pytest.mark.parametrize(("version", "told"), [("0.4.0", []), ("0.5.0", []), ("0.6.0", "error"), ("0.7.0", "error")])
def test_settings_of_data_have_moved(version, told):
    """0.5 is the last release with data.dataset_name; then a file's is dropped, and a plain override of it is refused."""
    file = FILE.format(version, "data: {dataset_name: squad}\n")
    assert codes(lint_text(file)) == ([("GRPO103", "warning")] if told else [])
    script = f"# grpo-lint: version={version}\n{COMMAND} data.dataset_name=squad\n".replace(
        "run_grpo", "run_grpo_math" if version < "0.5" else "run_grpo"
    )
    report = lint_text(script, path="run.sh")
    assert codes(report) == ([("GRPO103", told)] if told else [])
    if told:
        assert said(report, "key-is-of-this-version").values["rename"] == "data.train.dataset_name"


@pytest.mark.parametrize(
    ("version", "stage"), [("0.2.1", "init"), ("0.3.1", "run"), ("0.4.0", "init"), ("0.7.0", "init")]
)
def test_a_cluster_without_a_node_is_one_finding(version, stage):
    """Nothing is said of ranks and engines that it would have; 0.3 notices it after a whole rollout."""
    program = COMMAND if version >= "0.5" else COMMAND.replace("run_grpo", "run_grpo_math")
    report = lint_text(f"# grpo-lint: version={version}\n{program} cluster.num_nodes=0\n", path="run.sh")
    assert codes(report) == [("GRPO838", "error")] and report.findings[0].stage == stage


def test_a_setting_is_there_up_to_its_last_release():
    text = f"# grpo-lint: version={{}}\n{COMMAND} policy.megatron_cfg.converter_type=LlamaForCausalLM\n"
    assert [codes(lint_text(text.format(version), path="run.sh")) for version in ("0.6.0", "0.7.0")] == [
        [],
        [("GRPO103", "error")],
    ]


def test_the_processes_of_a_file_are_those_of_its_base_where_it_says_a_part():
    """Nodes are the example's; who starts it is taken to set nothing else."""
    report = lint_text(FILE.format("0.7.0", "cluster: {gpus_per_node: 8}\n").replace("512", "508"))
    assert plan_of(report).value("dp_size") == 8 and codes(report) == [("GRPO802", "warning")]


@pytest.mark.parametrize(
    ("nodes", "environment", "processes"),
    [
        (5, "env: {reward_model: {enabled: true, resources: {gpus_per_node: 8, num_nodes: 1}}}", 32),
        (5, "env: {reward_model: {enabled: false, resources: {gpus_per_node: 8, num_nodes: 1}}}", 40),
        (1, "env: {reward_model: {enabled: true, resources: {gpus_per_node: 2, num_nodes: 1}}}", 6),
        (5, "env: {reward_model: {enabled: true}}", None),
        (
            5,
            "env: {reward_model: {resources: {gpus_per_node: 8, num_nodes: 1}}}\ndata: {default: {env_name: reward_model}}",
            32,
        ),
    ],
)
def test_a_reward_model_takes_gpus_of_its_own(nodes, environment, processes):
    """Since 0.4 it has whole nodes, or of one node as many GPUs as are written; the policy is trained on the others."""
    text = FILE.format("0.6.0", f"cluster: {{gpus_per_node: 8, num_nodes: {nodes}}}\n{environment}\n")
    (launch,) = lint_text(text, path="grpo.yaml").launches
    assert (launch.facts["world_size"].value if "world_size" in launch.facts else None) == processes


@pytest.mark.parametrize(
    ("program", "severity"),
    [
        ("JOBS = 'config.yaml'", "info"),
        ("import json", "warning"),
        ("from nemo_rl.algorithms.grpo import setup", "warning"),
        ("PROGRAM = 'run_grpo.py'", "warning"),
    ],
)
def test_a_file_beside_a_program_that_does_not_train_weighs_less(tmp_path, program, severity):
    (tmp_path / ".git").mkdir()
    (tmp_path / "run.py").write_text(f"{program}\nif __name__ == '__main__':\n    pass\n", encoding="utf-8")
    text = (
        FILE.format("0.6.0", "")
        .replace("max_num_steps", "num_generations_per_prompt: 1, max_num_steps")
        .replace("512", "32")
    )
    (tmp_path / "config.yaml").write_text(text, encoding="utf-8")
    report = lint_path(str(tmp_path / "config.yaml"), Around().of(str(tmp_path / "config.yaml")), fixes=False)
    finding = said(report, "group-has-two-completions")
    assert finding.severity == severity and ("unless run.py beside this file" in message(finding)) is (
        severity == "info"
    )


@pytest.mark.parametrize(
    ("program", "severity"),
    [
        ("from jobs.judge import main\nif __name__ == '__main__':\n    main()\n", "info"),
        ("from jobs import judge as it\nif __name__ == '__main__':\n    it.main()\n", "info"),
        ("import runpy\nrunpy.run_path(str(HERE.parents[1] / 'jobs' / 'judge.py'), run_name='__main__')\n", "info"),
        ("from jobs.train import main\nif __name__ == '__main__':\n    main()\n", "warning"),
        ("from jobs.judge import score\nif __name__ == '__main__':\n    print(score)\n", "warning"),
    ],
)
def test_a_program_beside_a_file_may_be_started_from_another(tmp_path, program, severity):
    """What it hands everything to tells whether it reads the file, and whether it trains."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "jobs").mkdir()
    (tmp_path / "one").mkdir()
    reads = "import argparse\nargparse.ArgumentParser().add_argument('--config')\ndef main(): pass\n"
    (tmp_path / "jobs" / "judge.py").write_text(reads, encoding="utf-8")
    (tmp_path / "jobs" / "train.py").write_text(f"import nemo_rl\n{reads}", encoding="utf-8")
    (tmp_path / "one" / "run.py").write_text(program, encoding="utf-8")
    text = FILE.format("0.6.0", "").replace("max_num_steps", "num_generations_per_prompt: 1, max_num_steps")
    path = tmp_path / "one" / "config.yaml"
    path.write_text(text.replace("512", "32"), encoding="utf-8")
    report = lint_path(str(path), Around().of(str(path)), fixes=False)
    assert said(report, "group-has-two-completions").severity == severity


def test_a_program_tells_the_releases_that_have_it():
    report = lint_text(COMMAND.replace("run_grpo", "run_grpo_math"), path="run.sh")
    assert [each.text for each in report.launches[0].candidates][0] == "0.5.0" and codes(report) == []


@pytest.mark.parametrize("words", ["--policy.precision=float32", "--policy.precision float32"])
def test_overrides_are_written_without_dashes(words):
    assert codes(lint_text(f"{COMMAND} {words}\n", path="run.sh")) == [("GRPO704", "error")]


@pytest.mark.parametrize("start", ["uv run", "coverage run -a", "uv run coverage run -a --source=$R/nemo_rl"])
def test_a_program_in_an_unknown_folder_is_known_by_its_end(start):
    report = lint_text(
        f"{start} $R/examples/run_grpo.py grpo.num_generations_per_prompt=1 cluster.gpus_per_node=2 $@\n", path="run.sh"
    )
    assert len(report.launches) == 1 and ("GRPO201", "warning") in codes(report)


def test_what_runs_a_program_takes_words_of_its_own():
    """`set -eou pipefail` sets no argument of the script, and `run` is one of coverage's commands."""
    text = f"set -eou pipefail\npython -m coverage run -a $ROOT/examples/run_grpo.py {COMMAND.partition('.yaml ')[2]} policy.train_global_batch_size=512 grpo.num_prompts_per_step=32 $@\n"
    assert codes(lint_text(text, path="run.sh")) == []


def test_a_data_plane_may_be_null():
    """0.7 declares it as optional, and an example of it says null; other sections are needed."""
    told = [codes(lint_text(FILE.format("0.7.0", f"{name}: null\n"))) for name in ("data_plane", "logger")]
    assert told[0] == [] and told[1] != []


@pytest.mark.parametrize("word", ["++data.validation.mine=2", "policy.optimizer.name=own", "data.validation.mine=2"])
def test_a_config_of_which_no_example_is_known_is_judged(tmp_path, word):
    (tmp_path / ".git").mkdir()
    text = FILE.format("0.7.0", "").replace("defaults: grpo_math_1B.yaml\n", "")
    (tmp_path / "own.yaml").write_text(text, encoding="utf-8")
    script = tmp_path / "run.sh"
    script.write_text(f"python examples/run_grpo.py --config own.yaml {word}\n", encoding="utf-8")
    report = lint_path(str(script), Around().of(str(script)), fixes=False)
    assert len(report.launches) == 1 and [launch.groups for launch in report.launches] == [("declared",)]


# --- a copy ---------------------------------------------------------------------------------------------------------

PADDED = "policy.megatron_cfg.enabled=true policy.dtensor_cfg.enabled=false policy.megatron_cfg.context_parallel_size=2 " \
    "policy.sequence_packing.enabled=true policy.make_sequence_length_divisible_by=1"  # fmt: skip
ASKED = {
    "a check that its code has": (PADDED, "assert f'make_sequence_length_divisible_by ({x}) is not a multiple of minimum_pad_factor ({y}).'", ["GRPO823"]),
    "one that it gave up": (PADDED, "pad = 1", []),
    "one that is in a comment": (
        PADDED,
        "# assert 'make_sequence_length_divisible_by (2) is not a multiple of minimum_pad_factor (3).'\n"
        "check('make_sequence_length_divisible_by (2) is not a multiple of minimum_pad_factor (3).')",
        [],
    ),
    "an estimator of its own": ("grpo.adv_estimator.name=own", "if adv_estimator_name == 'own': raise ValueError(f'Invalid adv_estimator name: {name}')", []),
    "one of nobody": ("grpo.adv_estimator.name=own", "raise ValueError(f'Invalid adv_estimator name: {adv_estimator}')", ["GRPO821"]),
    "an engine of its own": ("policy.generation.backend=own", "if backend in ('vllm', 'own'): pass", []),
    "an engine of nobody": ("policy.generation.backend=own", "backend = 1", ["GRPO813"]),
    "a setting of its own": ("grpo.own_size=3", "", []),
    "a setting of nobody": ("grpo.own_siz=3", "", ["GRPO102"]),
}  # fmt: skip


def copy_of(folder, release, pre=""):
    """A checkout with the usual example of a release, and a setting of its own."""
    catalogue = framework("nemo-rl").catalogue
    fields = catalogue.fields(("1B",), catalogue.releases.index(release))
    tree = {}
    for path in [*fields.names(), "grpo.own_size"]:
        *sections, key = path.split(".")
        inner = tree
        for section in sections:
            inner = inner.setdefault(section, {})
        inner[key] = fields[path].default if fields[path] else 1
    (folder / "examples" / "configs").mkdir(parents=True)
    (folder / "nemo_rl" / "algorithms").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "examples" / "run_grpo.py").write_text("")
    (folder / "examples" / "configs" / "grpo_math_1B.yaml").write_text(yaml.safe_dump(tree))
    major, minor, patch = release.split(".")
    text = f'MAJOR = {major}\nMINOR = {minor}\nPATCH = {patch}\nPRE_RELEASE = "{pre}"\n'
    (folder / "nemo_rl" / "package_info.py").write_text(text)


@pytest.mark.parametrize(("words", "code", "told"), ASKED.values(), ids=ASKED)
def test_a_copy_is_judged_by_its_own_settings_names_and_checks(tmp_path, words, code, told):
    copy_of(tmp_path, "0.6.0")
    (tmp_path / "nemo_rl" / "algorithms" / "grpo.py").write_text(code)
    script = tmp_path / "run.sh"
    script.write_text(f"{COMMAND} {words}\n")
    report = lint_path(str(script), Around().of(str(script)), fixes=False)
    assert report.launches[0].candidates[0].text == "0.6.0@./nemo_rl"
    assert [code for code, _ in codes(report)] == told


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ('raise ValueError(f"World size ({n}) must be divisible by PP * CP * TP ({m}). Please adjust")', ["GRPO401"]),
        ('# raise ValueError(f"World size ({n}) must be divisible by PP * CP * TP ({m}). Please adjust")', []),
        ("", []),
    ],
)
def test_a_copy_with_the_check_of_a_later_release_may_refuse_what_that_does(tmp_path, code, told):
    copy_of(tmp_path, "0.2.1")
    (tmp_path / "examples" / "run_grpo.py").rename(tmp_path / "examples" / "run_grpo_math.py")
    (tmp_path / "nemo_rl" / "algorithms" / "grpo.py").write_text(code)
    script = tmp_path / "run.sh"
    words = COMMAND.replace("run_grpo", "run_grpo_math")
    script.write_text(f"{words} policy.dtensor_cfg.enabled=true policy.dtensor_cfg.tensor_parallel_size=3\n")
    report = lint_path(str(script), Around().of(str(script)), fixes=False)
    assert report.launches[0].candidates[0].text == "0.2.1@./nemo_rl"
    assert codes(report) == [(code, "warning") for code in told]
    assert not told or "the check is in the code of ./nemo_rl" in message(said(report, "model-parallel-divides-world"))


def test_a_copy_that_is_before_a_release_is_like_the_one_before(tmp_path):
    copy_of(tmp_path, "0.6.0", pre="rc0")
    lock = '[[package]]\nname = "nemo-rl"\nsource = { editable = "." }\n'
    (tmp_path / "uv.lock").write_text(f'version = 1\n\n{lock}\n[[package]]\nname = "vllm"\nversion = "0.9.0"\n')
    script = tmp_path / "run.sh"
    script.write_text(f"{COMMAND}\n")
    report = lint_path(str(script), Around().of(str(script)), fixes=False)
    assert report.launches[0].candidates[0].text == "0.6.0rc0@./nemo_rl" and not codes(report)
    assert "most like 0.6.0" in str(report.launches[0].version_source)


@pytest.mark.parametrize(("size", "is_told"), [(1, False), (2, True)])
def test_a_parallel_size_of_one_that_nothing_reads_is_not_told(size, is_told):
    """It divides nothing, whoever trains."""
    text = f"# grpo-lint: version=0.6.0\n{COMMAND} policy.megatron_cfg.tensor_model_parallel_size={size} policy.dtensor_cfg.enabled=true\n"
    assert ("settings-have-an-effect" in names(lint_text(text, path="run.sh"))) == is_told


@pytest.mark.parametrize(
    ("example", "word", "is_refused"),
    [
        ("grpo_math_1B_megatron.yaml", "policy.optimizer.name=torch.optim.AdamW", True),
        ("grpo_math_1B_megatron.yaml", "+policy.optimizer.name=torch.optim.AdamW", False),
        ("grpo_math_1B.yaml", "policy.optimizer.name=torch.optim.AdamW", False),
    ],
)
def test_a_section_that_the_example_removed_holds_what_is_appended(example, word, is_refused):
    command = COMMAND.replace("grpo_math_1B.yaml", example)
    report = lint_text(f"# grpo-lint: version=0.7.0\n{command} {word}\n", path="run.sh")
    assert bool([each for each in report.findings if each.severity == "error"]) == is_refused


def test_no_setting_is_removed_where_the_base_is_not_known():
    """What then holds nobody knows, and the finding would only be hidden."""
    sizes = "grpo.num_prompts_per_step=48 grpo.num_generations_per_prompt=12 policy.train_global_batch_size=512"
    text = f"# grpo-lint: dialect=nemo-rl version=0.7.0\nuv run examples/run_grpo.py --config grpo_8b.yaml {sizes}\n"
    (finding,) = [each for each in lint_text(text, path="run.sh", fixes=True).findings if each.severity == "error"]
    assert finding.rule.code == "GRPO802"
    assert finding.fixes and all(value is not None for fix in finding.fixes for value in fix.changes.values())


APART = "policy: {generation: {colocated: {enabled: false, resources: {gpus_per_node: 1}}}}\n"


@pytest.mark.parametrize(
    ("cluster", "found"),
    [
        ("", []),
        ("cluster: {gpus_per_node: 1, num_nodes: 1}\n", []),
        ("cluster: {gpus_per_node: 1, num_nodes: 2}\n", [("GRPO812", "warning")]),
        ("cluster: {gpus_per_node: 2}\n", []),
    ],
)
def test_the_one_gpu_of_the_usual_example_is_left_to_the_command(cluster, found):
    """Nobody generates on GPUs of their own with one: those of the run come with the command, which is not known here."""
    assert codes(lint_text(f"# grpo-lint: version=0.6.0\ndefaults: grpo_math_1B.yaml\n{cluster}{APART}")) == found


def test_a_command_that_is_known_sets_no_other_gpus():
    words = "policy.generation.colocated.enabled=false policy.generation.colocated.resources.gpus_per_node=1"
    text = f"# grpo-lint: version=0.6.0\n{COMMAND.replace(' cluster.gpus_per_node=8', '')} {words}\n"
    assert codes(lint_text(text, path="run.sh")) == [("GRPO812", "error")]


@pytest.mark.parametrize(
    ("version", "name", "is_refused"),
    [
        ("0.3.1", "policy.max_grad_norm", False),
        ("0.5.0", "policy.max_grad_norm", True),
        ("0.3.1", "policy.megatron_cfg.optimizer.weight_decay", False),
        ("0.5.0", "policy.megatron_cfg.optimizer.weight_decay", True),
        ("0.5.0", "policy.optimizer.kwargs.eps", False),
    ],
)
def test_what_the_example_refers_to_cannot_be_deleted(version, name, is_refused):
    """By what `examples/configs/grpo_math_1B.yaml` of each release refers to, which the catalogue holds."""
    program = COMMAND if version >= "0.5" else COMMAND.replace("run_grpo", "run_grpo_math")
    report = lint_text(f"# grpo-lint: version={version}\n{program} '~{name}'\n", path="run.sh")
    assert (("GRPO833", "error") in codes(report)) == is_refused


@pytest.mark.parametrize(
    "there, named, found",
    [
        (("examples/run_grpo.py",), "examples/configs/mine.yaml", ["GRPO009"]),
        (("examples/run_grpo.py", "examples/configs/mine.yaml"), "examples/configs/mine.yaml", []),
        ((), "examples/configs/mine.yaml", []),  # the program is in another checkout, and the config may be there
        (("examples/run_grpo.py",), "/of/this/machine.yaml", []),
    ],
)
def test_a_config_that_a_command_of_nemo_rl_names_is_there(tmp_path, there, named, found):
    (tmp_path / ".git").mkdir()
    for name in there:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("import sys\n" if name.endswith("py") else "defaults: grpo_math_1B.yaml\n")
    path = tmp_path / "run.sh"
    path.write_text(
        f"uv run examples/run_grpo.py --config {named} grpo.num_prompts_per_step=8 cluster.gpus_per_node=8\n"
    )
    report = lint_path(str(path), Around().of(str(path)))
    assert [each.rule.code for each in report.findings if each.rule.code == "GRPO009"] == found


# --- programs of somebody's own -------------------------------------------------------------------------------------

IMPORTS = "from nemo_rl.algorithms.grpo import grpo_train, setup\nfrom nemo_rl.utils.config import load_config, parse_hydra_overrides\n"
READS = "config = parse_hydra_overrides(load_config(args.config), overrides)\n"
TRAINS = "grpo_train(*setup(config))\n"
PROGRAMS = {
    "hands on what it reads": (IMPORTS + READS + TRAINS, "error"),
    "changes what the examples change": (IMPORTS + READS + 'config["logger"]["log_dir"] = next_folder()\nconfig["policy"]["generation"] = whole()\n' + TRAINS, "error"),
    "keeps data under the name of a setting": (IMPORTS + READS + 'row = {}\nrow["grpo"] = 1\n' + TRAINS, "warning"),
    "sets a setting": (IMPORTS + READS + 'config["grpo"]["num_prompts_per_step"] = 8\n' + TRAINS, "warning"),
    "sets an attribute": (IMPORTS + READS + "config.policy.train_global_batch_size = 8\n" + TRAINS, "warning"),
    "sets one of a section": (IMPORTS + READS + 'own = config["grpo"]\nown["max_num_steps"] = 8\n' + TRAINS, "warning"),
    "adds several": (IMPORTS + READS + 'config["grpo"].update(own)\n' + TRAINS, "warning"),
    "merges": ("from omegaconf import OmegaConf\n" + IMPORTS + READS + "config = OmegaConf.merge(own, config)\n" + TRAINS, "warning"),
    "reads itself": (IMPORTS + "config = yaml.safe_load(open(args.config))\n" + TRAINS, "warning"),
    "trains with something else": ("from nemo_rl.algorithms.sft import sft_train\n" + READS + "sft_train(config)\n", None),
    "is not here": (None, None),  # and no word of its command shows whose it is
}  # fmt: skip


@pytest.mark.parametrize(("program", "severity"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_of_ones_own_is_judged_by_what_it_hands_on(tmp_path, program, severity):
    (tmp_path / ".git").mkdir()
    if program is not None:
        (tmp_path / "mine.py").write_text(program, encoding="utf-8")
    file = FILE.format("0.7.0", "").replace("512", "500")
    (tmp_path / "own.yaml").write_text(file, encoding="utf-8")
    script = tmp_path / "run.sh"
    script.write_text(
        "# grpo-lint: version=0.7.0\nuv run mine.py --config own.yaml policy.logprob_batch_size=4\n", encoding="utf-8"
    )
    config = str(tmp_path / "own.yaml")
    report = lint_path(config, Around().of(config), fixes=False)
    finding = said(report, "rollout-is-whole-updates")
    assert finding.severity == (severity or "warning")
    assert (report.launches[0].origin is not None) is (severity is not None)
    told = "hands its settings to NeMo-RL as they are"
    assert (told in message(finding)) is (severity == "warning")


def test_of_a_program_that_is_not_here_nobody_knows_what_it_hands_on(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "own.yaml").write_text(FILE.format("0.7.0", "").replace("512", "500"), encoding="utf-8")
    words = "uv run mine.py --config own.yaml grpo.num_prompts_per_step=32"
    (tmp_path / "run.sh").write_text(f"# grpo-lint: version=0.7.0\n{words}\n", encoding="utf-8")
    report = lint_path(str(tmp_path / "own.yaml"), Around().of(str(tmp_path / "own.yaml")), fixes=False)
    finding = said(report, "rollout-is-whole-updates")
    assert finding.severity == "warning" and "mine.py, which is not here" in message(finding)


# --- what stands in a file on which a config builds ------------------------------------------------------------------


@pytest.mark.parametrize("is_started", [True, False])
@pytest.mark.parametrize(("line", "told"), [("    context_parallel_size: 3\n", 6), ("    cpu_offload: false\n", 2)])
def test_what_a_base_has_is_said_of_the_config_that_builds_on_it(tmp_path, is_started, line, told):
    """At a setting of the config that has to do with it, else where it names the other file."""
    base = "cluster: {gpus_per_node: 8}\npolicy:\n  sequence_packing: {enabled: false}\n  dtensor_cfg: {context_parallel_size: 3}\n"
    own = f"# grpo-lint: version=0.6.0\ndefaults: base_grpo.yaml\ngrpo: {{max_num_steps: 9}}\npolicy:\n  dtensor_cfg:\n{line}"
    texts = {"base_grpo.yaml": f"defaults: grpo_math_1B.yaml\n{base}", "mine.yaml": own}
    if is_started:
        texts["run.sh"] = "# grpo-lint: dialect=nemo-rl version=0.6.0\nuv run examples/run_grpo.py --config mine.yaml\n"
    (tmp_path / ".git").mkdir()
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    path = str(tmp_path / "mine.yaml")
    report = lint_path(path, Around().of(path), fixes=False)
    (finding,) = (each for each in report.findings if each.rule.code == "GRPO401")
    place = finding.span if finding.at is None else finding.at.key
    assert report.text.position(place.start)[0] + 1 == told


def test_options_of_the_engine_are_its_own():
    """What is below a mapping that is handed on is no misspelling."""
    file = FILE.format("0.6.0", "").replace("policy: {", "policy: {generation: {vllm_kwargs: {attention_backend: X}}, ")
    assert codes(lint_text(file)) == []
    assert codes(lint_text(file.replace("vllm_kwargs", "vllm_kwarg"))) != []


# --- a config that builds on none -------------------------------------------------------------------------------------


def whole(release, **changed):
    """A config with all that a release reads, and nothing else; what is None is taken out."""
    catalogue = framework("nemo-rl").catalogue
    fields = catalogue.fields(("1B",), catalogue.releases.index(release))
    written = {
        path: fields[path].default for path in fields.names() if fields[path] and fields[path].type != "section?"
    }
    for path in [*written]:
        if written[path] is None and "?" not in fields[path].type:
            written[path] = {"list": [], "dict": {}, "int": 1, "float": 1.0, "bool": False}.get(fields[path].type, "a")
    written.update({path.replace("__", "."): value for path, value in changed.items()})
    tree = {}
    for path, value in written.items():
        inner = tree
        *sections, name = path.split(".")
        for section in sections:
            inner = inner.setdefault(section, {})
            inner = inner if isinstance(inner, dict) else {}
        if value != "out":
            inner[name] = value
    return tree


@pytest.mark.parametrize(
    ("release", "out", "told"),
    [
        ("0.4.0", "policy__generation__vllm_cfg__kv_cache_dtype", []),
        ("0.5.0", "policy__generation__vllm_cfg__kv_cache_dtype", [("GRPO107", "init")]),
        ("0.5.0", "checkpointing__checkpoint_dir", [("GRPO107", "read")]),
        ("0.5.0", "grpo__max_rollout_turns", []),
        ("0.7.0", "grpo__max_rollout_turns", [("GRPO107", "read")]),
    ],
)
@pytest.mark.parametrize("program", ["run_grpo.py", "own_grpo.py"])
def test_a_config_that_builds_on_none_has_what_each_run_reads(tmp_path, release, out, told, program):
    """By running each release without each setting (`conformance/nemo_rl/needed.py`); a program of somebody's own may set it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(whole(release, **{out: "out"}), sort_keys=False))
    program = program.replace("run_grpo", "run_grpo_math") if release < "0.5" else program
    start = f"# grpo-lint: dialect=nemo-rl version={release}\nuv run examples/{program} --config own.yaml\n"
    (tmp_path / "run.sh").write_text(start)
    found = []
    for name in ("run.sh", "own.yaml"):
        path = str(tmp_path / name)
        found += lint_path(path, Around().of(path), fixes=False).findings
    lacking = [(each.rule.code, each.stage) for each in found if each.rule.code == "GRPO107"]
    assert lacking == (told if program.startswith("run_") else [])


@pytest.mark.parametrize(
    "others",
    [
        "on_policy_distillation:\n  enabled: true\n  non_colocated_teachers:\n    enabled: true\n",
        "env:\n  nemo_gym:\n    num_gpu_nodes: 4\n",
    ],
)
def test_nodes_that_others_take_are_not_counted_as_those_of_training(others):
    """Teachers have nodes of their own, and a file may count those of environments or not: how many processes train is not known."""
    text = "# grpo-lint: dialect=nemo-rl version=0.7.0\ndefaults: grpo_math_1B.yaml\ncluster:\n  num_nodes: 3\n  gpus_per_node: 8\n"
    assert "world_size" in lint_text(text, fixes=False).launches[0].facts
    assert "world_size" not in lint_text(text + others, fixes=False).launches[0].facts


def test_a_teacher_needs_no_group():
    text = "# grpo-lint: dialect=nemo-rl version=0.7.0\ndefaults: grpo_math_1B.yaml\ngrpo:\n  num_generations_per_prompt: 1\n  num_prompts_per_step: 512\n"
    codes = {}
    for more in ("", "  adv_estimator:\n    name: opd\n"):
        codes[more != ""] = "GRPO201" in [each.rule.code for each in lint_text(text + more, fixes=False).findings]
    assert codes == {False: True, True: False}


def test_a_setting_that_refers_to_one_of_its_own_is_set():
    """A file may keep sizes under names of its own, and refer to them: what they are is not known here."""
    text = (
        "# grpo-lint: dialect=nemo-rl version=0.5.0\ndefaults: grpo_math_1B.yaml\npolicy:\n  tp: 2\n"
        "  dtensor_cfg:\n    enabled: false\n  megatron_cfg:\n    enabled: true\n    tensor_model_parallel_size: ${policy.tp}\n"
    )
    assert "GRPO805" not in [each.rule.code for each in lint_text(text, fixes=False).findings]


@pytest.mark.parametrize("release", ["0.2.1", "0.3.1"])
def test_early_releases_are_known_to_read_settings_without_a_default(release, tmp_path, monkeypatch):
    """They were asked without one setting at a time: each run reads the temperature, which a config that builds on none has to set."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "own.yaml").write_text(
        "grpo:\n  num_prompts_per_step: 32\npolicy: {}\ncluster: {}\nlogger:\n  log_dir: logs\n"
    )
    (tmp_path / "run.sh").write_text(
        f"# grpo-lint: dialect=nemo-rl version={release}\nuv run examples/run_grpo_math.py --config own.yaml\n"
    )
    found = lint_path("run.sh").findings + lint_path("own.yaml").findings
    assert "GRPO107" in [each.rule.code for each in found if each.severity == "error"]
