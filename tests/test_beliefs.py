"""Each belief that holds something back has a line of `-v` with the place that shows it, and `--strict` reports what it holds back: the
beliefs are read in the code, so that a new one without a case here fails."""

import ast
from pathlib import Path

import pytest
from copies import write_copy
from test_openrlhf import SIZED
from test_readers import OWN, RECIPE, SETS, USUAL, YAML_OF_ITS_OWN
from test_too_large import CUT, notebook

import grpo_lint
from grpo_lint.checker.contexts import Around
from grpo_lint.cli.main import main
from grpo_lint.engine import lint_path
from grpo_lint.files import disk

VERL = (
    "# grpo-lint: {version}\npython3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=64 "
    "actor_rollout_ref.rollout.n=8 actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.tensor_model_parallel_size=1 "
    "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4 actor_rollout_ref.actor.ppo_mini_batch_size=64 "
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 trainer.n_gpus_per_node={gpus} {more}\n"
)
OLD = RECIPE.replace("version=1.16.0", "version=0.15.2")
PATCH = "FIELD = 'patience: float = 0.0'\ndef patch(path):\n    path.write_text(path.read_text() + FIELD)\n"
KEPT = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo trainer.default_local_dir=kept trainer.save_freq=-1\n"
UNREAD = notebook(CUT["many cells"]())


class Case:
    """Files, the code of what is held back, and the words of the belief with the place that shows it."""

    def __init__(self, code, belief, path="run.sh", **files):
        self.code, self.belief, self.path = code, belief, path
        self.files = {name.replace("__", "/"): text for name, text in files.items()}


def recipe(text, code, belief, **programs):
    files = {f"{name}.py": program for name, program in programs.items()}
    case = Case(code, belief, "recipes/grpo.yaml")
    case.files = {"recipes/grpo.yaml": text, **files}
    return case


def script(text, code, belief, **files):
    case = Case(code, belief)
    case.files = {"run.sh": text, **{f"{name}.py": program for name, program in files.items()}}
    return case


def folder(code, belief, **files):
    case = Case(code, belief, ".")
    case.files = files
    return case


CASES = {
    "{reader} reads this file": recipe(RECIPE, "GRPO111", "the parser of train.py reads this file", train=YAML_OF_ITS_OWN),
    "{program} trains with {trainer}, not a trainer of {framework}": recipe(
        RECIPE.replace("version=1.16.0", "version=0.16.0"), "GRPO203", "train.py trains with MyTrainer", train=OWN
    ),
    "{program} sets {names} itself": recipe(
        OLD.replace("report_too: wandb\nmy_key: 3\nloss_type: foo\n", ""),
        "GRPO203",
        "train.py sets per_device_train_batch_size itself",
        train=SETS.format(test=""),
    ),
    "{program} declares {name} itself": recipe(
        RECIPE.replace("my_key: 3", "lora_r: 16"),
        "GRPO533",
        "train.py declares lora_r itself",
        train=USUAL.format(field="lora_r", trainer="GRPOTrainer"),
    ),
    "{place} may register this name": script(
        VERL.format(version="version=0.9.1", gpus=8, more="algorithm.adv_estimator=mine"),
        "GRPO722",
        "mine.py may register this name",
        mine="from verl.trainer.ppo.core_algos import register_adv_est\n@register_adv_est('mine')\ndef f(): pass\n",
    ),
    "{place}, which the script runs before, declares {field}": script(
        "python3 patch_it.py\n" + VERL.format(version="version=0.9.0", gpus=8, more="+actor_rollout_ref.rollout.multi_turn.patience=1"),
        "GRPO702",
        "patch_it.py, which the script runs before, declares patience",
        patch_it=PATCH,
    ),
    "the code of {folder} has no such check": script(
        VERL.format(version="world-size=7", gpus=7, more=""), "GRPO", "the code of ./verl has no such check"
    ),
    "{variable}, filled in line {line}, may set {names}": script(
        SIZED.format(others="--vllm_num_engines 4"), "GRPO847", "sizes, filled in line 3, may set vllm_num_engines"
    ),
    "the same is said of {path} beside it": folder(
        "GRPO778", "the same is said of a.sh beside it", **{"a.sh": KEPT, "b.sh": KEPT}
    ),
    "{path} beside it is said not to be read to its end either": folder(
        "GRPO905", "a.ipynb beside it is said", **{"a.ipynb": UNREAD, "b.ipynb": UNREAD}
    ),
}  # fmt: skip


def beliefs():
    """The templates of all that may be assigned to `held_by`."""
    found = set()
    for path in Path(grpo_lint.__file__).parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "held_by" in text or "_take_out(" in text:
            tree = ast.parse(text)
            for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
                for expression in _held_in(function):
                    found |= _templates(expression, function)
    return found


def _held_in(function):
    """What a function assigns to `held_by`, or hands on to be assigned."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(getattr(each, "attr", "") == "held_by" for each in node.targets):
            yield node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_take_out":
            yield from node.args


def _templates(expression, function, depth=0):
    """The templates of the Messages that an expression, or what its names stand for in the function, is made of."""
    found = set()
    for node in ast.walk(expression):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Message":
            found |= {each.value for each in node.args[:1] if isinstance(each, ast.Constant)}
        elif isinstance(node, ast.Name) and depth < 3:
            for each in ast.walk(function):
                if isinstance(each, ast.Assign) and any(
                    getattr(target, "id", "") == node.id for target in each.targets
                ):
                    found |= _templates(each.value, function, depth + 1)
    return found


def test_each_belief_has_a_case():
    assert beliefs() == {*CASES}


@pytest.mark.parametrize("belief", CASES)
def test_a_belief_is_told_with_the_place_that_shows_it(belief, tmp_path, monkeypatch, capsys):
    case = CASES[belief]
    (tmp_path / ".git").mkdir()
    for name, text in case.files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    if "no such check" in belief:
        write_copy(tmp_path)
        refused = [each for each in lint_path("run.sh", Around().of("run.sh")).findings if each.severity == "error"]
        code = tmp_path / "verl" / "trainer" / "checks.py"
        code.write_text("".join(f"# raise E({each.enforced.wording!r})\n" for each in refused), encoding="utf-8")
        case.code = refused[0].rule.code
        disk.forget_what_was_asked_for()
    main(["check", case.path])
    assert f"[{case.code}]" not in capsys.readouterr().out
    main(["check", "-v", case.path])
    told = [line for line in capsys.readouterr().err.splitlines() if f"{case.code} is not reported" in line]
    assert any(case.belief in line for line in told), told
    main(["check", "--strict", "--output-format=concise", case.path])
    assert case.code in capsys.readouterr().out
