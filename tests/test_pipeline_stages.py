"""The layers of a model over pipeline stages: what Megatron-Core refuses, and what `plan` proposes where they do not divide."""

import json
from pathlib import Path

import pytest

from grpo_lint.checker.contexts import of_text
from grpo_lint.engine import lint
from grpo_lint.frameworks.registry import run_template
from grpo_lint.frameworks.shared.megatron_rules import cut
from grpo_lint.planning.batches import Wish, proposals
from grpo_lint.planning.contradictions import contradiction, given_up
from grpo_lint.planning.starts import Start
from grpo_lint.record import kept
from grpo_lint.source.text import Text

TRUTH = json.loads(
    (Path(__file__).parent / "truth" / "layers.json").read_text(encoding="utf-8")
)  # written by conformance/layers.py
DEEPSEEK = "deepseek-ai/DeepSeek-V3"
RUN = """\
# grpo-lint: dialect=megatron version=3.12.6 world-size={stages}
rlhf_type: grpo
model: your/model
dataset: [gsm8k]
reward_funcs: [accuracy]
micro_batch_size: 1
global_batch_size: 64
num_generations: 8
vllm_mode: colocate
max_epochs: 1
load_safetensors: true
num_layers: {layers}
pipeline_model_parallel_size: {stages}
"""


def settings(first, last, embedding, loss):
    given = {"decoder_first_pipeline_num_layers": first, "decoder_last_pipeline_num_layers": last,
             "account_for_embedding_in_pipeline_split": embedding, "account_for_loss_in_pipeline_split": loss}  # fmt: skip
    return "".join(f"{name}: {str(value).lower()}\n" for name, value in given.items() if value)


@kept(1000)
def codes_of(layers, stages, *ends):
    text = Text(RUN.format(layers=layers, stages=stages) + settings(*ends), "run.yaml")
    return {finding.rule.code for finding in lint(text, of_text(), fixes=False).findings}


@pytest.mark.parametrize("release", TRUTH)
def test_what_megatron_core_refuses_is_an_error_and_nothing_else(release):
    wrong, untold = [], []
    for layers, stages, *ends, built in TRUTH[release]:
        is_refused = "GRPO411" in codes_of(layers, stages, *ends)
        if is_refused and built is not None:
            wrong.append((layers, stages, *ends))
        if not is_refused and built is None:
            untold.append((layers, stages, *ends))
    assert wrong == []
    # releases do not agree on two stages with numbers of their own, nor on stages without layers: these are warnings
    assert [case for case in untold if "GRPO467" not in codes_of(*case) and (case[1] != 2 or None in case[2:4])] == []


def test_what_the_newest_release_refuses_is_reported_and_stages_without_layers_are():
    for layers, stages, first, last, *counted, built in TRUTH["0.16.1"]:
        found = codes_of(layers, stages, first, last, *counted) & {"GRPO411", "GRPO467"}
        is_beyond = (first or 0) + (last or 0) > layers  # as many layers less than none are built between them
        assert bool(found) == (built is None or is_beyond), (layers, stages, first, last)


@pytest.mark.parametrize("release", TRUTH)
def test_the_proposed_ends_are_built_by_each_release(release):
    asked = {tuple(row[:4]): row[-1] for row in TRUTH[release] if not any(row[4:6])}
    for layers, stages in {case[:2] for case in asked}:
        first, last = cut(layers, stages)
        if last:
            assert asked[layers, stages, first or None, last] == layers


# (layers, stages, first, last) of published runs: examples/configs/recipes of NeMo-RL (DeepSeek-V3 on 32 nodes of 8 and of 4 GPUs, Moonlight,
# Qwen3-235B on 16 nodes of 4 and of 8, Qwen3.5-397B, GLM-5.1), the guide of slime to DeepSeek-R1, the example of Moonlight of verl and ms-swift
PUBLISHED = [
    (61, 16, 3, 2), (61, 8, 7, 6), (27, 4, 7, 6), (94, 4, 23, 23), (94, 8, 11, 11), (60, 8, 6, 6), (78, 8, 9, 9), (27, 2, 0, 13),
]  # fmt: skip


@pytest.mark.parametrize("layers, stages, first, last", PUBLISHED)
def test_the_ends_are_those_of_published_runs(layers, stages, first, last):
    assert cut(layers, stages) == (first, last)


def test_a_cut_has_layers_for_each_stage_and_is_one_that_megatron_core_takes():
    for layers in range(1, 130):
        for stages in range(1, 65):
            ends = cut(layers, stages)
            between, left = stages - sum(map(bool, ends)), layers - sum(ends)
            if any(ends):
                assert left % between == 0 and left // between >= max(ends)
            elif layers % stages:
                assert -(-layers // stages) * (stages - 2) > layers - 2


_VERL = "+actor_rollout_ref.actor.megatron.override_transformer_config.num_layers_in_"
NAMES = {
    "megatron": ("decoder_first_pipeline_num_layers", "decoder_last_pipeline_num_layers"),
    "slime": ("decoder_first_pipeline_num_layers", "decoder_last_pipeline_num_layers"),
    "nemo-rl": tuple(f"policy.megatron_cfg.num_layers_in_{end}_pipeline_stage" for end in ("first", "last")),
    "verl": tuple(f"{_VERL}{end}_pipeline_stage" for end in ("first", "last")),
}
NEWEST = {"megatron": "4.6.0", "slime": "0.3.1", "nemo-rl": "0.7.0", "verl": "0.9.1"}


@pytest.mark.parametrize("framework", NAMES)
@pytest.mark.parametrize("stages, ends", [(8, (7, 6)), (16, (3, 2))])
def test_deepseek_is_planned_with_ends_of_their_own(framework, stages, ends):
    found = proposals(Wish(framework, NEWEST[framework], 256, pipeline=stages, expert=16, model=DEEPSEEK))
    assert found
    assert [tuple(each.settings[name] for name in NAMES[framework]) for each in found] == [ends] * len(found)


def test_where_layers_divide_nothing_is_written():
    (best, *_) = proposals(Wish("megatron", "4.6.0", 16, pipeline=4, model="Qwen/Qwen3-30B-A3B"))
    assert not best.settings.keys() & set(NAMES["megatron"])


def test_verl_loads_uneven_stages_by_the_bridge():
    (best, *_) = proposals(Wish("verl", "0.6.1", 256, pipeline=8, expert=16, model=DEEPSEEK))
    assert best.settings["actor_rollout_ref.actor.megatron.use_mbridge"] is True
    wish = Wish("verl", "0.4.1", 256, pipeline=8, expert=16, model=DEEPSEEK)
    assert proposals(wish) == []
    assert "use_mbridge" in str(contradiction(wish).why)


@pytest.mark.parametrize("framework", NAMES)
def test_more_stages_than_can_be_cut_are_refused_with_the_numbers(framework):
    wish = Wish(framework, NEWEST[framework], 256, pipeline=32, expert=8, model=DEEPSEEK)
    assert proposals(wish) == []
    found = contradiction(wish)
    assert "61 layers" in str(found.why)
    assert "With --pp 16 in the place of --pp 32 it holds." in map(str, given_up(found))


def test_what_helps_in_one_of_two_contradictions_alone_is_not_offered():
    # 16 experts' ranks x 32 stages are more than 256 processes, and 61 layers are not cut into 32
    wish = Wish("megatron", "4.6.0", 256, pipeline=32, expert=16, model=DEEPSEEK)
    assert list(map(str, given_up(contradiction(wish)))) == ["With --pp 16 in the place of --pp 32 it holds."]


@pytest.mark.parametrize("framework", NAMES)
@pytest.mark.parametrize("stages", [2, 8, 16])
def test_the_fix_of_a_run_without_ends_is_what_is_planned(framework, stages):
    version = NEWEST[framework]
    (best, *_) = proposals(Wish(framework, version, 256, pipeline=stages, expert=16, model=DEEPSEEK))
    rest = {name: value for name, value in best.settings.items() if name not in NAMES[framework]}
    start = Start(framework, version, DEEPSEEK)
    comment = f"# grpo-lint: dialect={framework} version={version} world-size=256\n" * start.is_command
    text = Text(comment + start.config(rest, 256), "run.sh" if start.is_command else "run.yaml")
    found = [each for each in lint(text, of_text(), fixes=True).findings if each.rule.code == "GRPO411"]
    ends = {name.lstrip("+"): best.settings[name] for name in NAMES[framework] if name in best.settings}
    assert [each.fixes[0].changes for each in found] == [ends]


@pytest.mark.parametrize(("stages", "ends"), [(4, (15, 14)), (8, (7, 6)), (16, (3, 2))])
def test_the_fix_sets_the_ends_as_experts_do_and_leaves_groups_and_stages_as_they_are(stages, ends):
    text = Text(RUN.format(stages=stages, layers=61), "a.yaml")
    found = [each for each in lint(text, of_text(), fixes=True).findings if each.rule.code == "GRPO411"]
    first, last = ends
    wanted = f"set decoder_first_pipeline_num_layers to {first} and set decoder_last_pipeline_num_layers to {last}"
    assert [str(each.fixes[0].title) for each in found] == [wanted]


def test_a_model_in_a_folder_is_cut_by_its_own_layers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.json").write_text('{"num_hidden_layers": 61, "num_attention_heads": 32}')
    (best, *_) = proposals(Wish("megatron", "4.6.0", 16, pipeline=4, model="./mine"))
    assert [best.settings[name] for name in NAMES["megatron"]] == [15, 14]


@pytest.mark.parametrize("framework", NAMES)
def test_the_engine_of_a_large_model_is_tensor_parallel(framework):
    """32 GPUs hold the 1,342 GB of 671 billion weights of two bytes in half of their 80 GiB."""
    (best, *_) = proposals(Wish(framework, NEWEST[framework], 256, pipeline=8, expert=16, model=DEEPSEEK))
    assert best.settings[run_template(framework).engine_size] == 32
    start = Start(framework, NEWEST[framework], DEEPSEEK)
    written = start.written(best.settings, 256)
    assert "Qwen" not in written


def test_a_checkpoint_is_named_after_the_model_that_is_planned():
    assert "--ref-load GLM-4.5-Air_torch_dist " in Start("slime", "0.3.1", "zai-org/GLM-4.5-Air").written({}, 8)
