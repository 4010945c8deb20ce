"""How many parameters the config.json of a model in the checkout counts: those of the table, by their widths."""

import json

import pytest

from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint_path
from grpo_lint.frameworks.shared.model_folders import counted_in
from grpo_lint.frameworks.shared.models import attached

NAMES = (
    "model_type", "hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "intermediate_size", "vocab_size",
    "tie_word_embeddings",
)  # fmt: skip
WIDTHS = {
    "Qwen/Qwen2.5-7B-Instruct": ("qwen2", 3584, 28, 28, 4, 18944, 152064, False),
    "Qwen/Qwen2.5-0.5B-Instruct": ("qwen2", 896, 24, 14, 2, 4864, 151936, True),
    "Qwen/Qwen3-8B": ("qwen3", 4096, 36, 32, 8, 12288, 151936, False),
    "meta-llama/Llama-3.2-1B-Instruct": ("llama", 2048, 16, 32, 8, 8192, 128256, True),
    "Qwen/Qwen3-30B-A3B": ("qwen3_moe", 2048, 48, 32, 4, 6144, 151936, False),
}
EXPERTS = {"num_experts": 128, "moe_intermediate_size": 768, "head_dim": 128}


def config(name, **more):
    found = dict(zip(NAMES, WIDTHS[name]))
    return {**found, **(EXPERTS if found["model_type"].endswith("_moe") else {}), **more}


@pytest.mark.parametrize("name", WIDTHS)
def test_a_folder_counts_what_the_table_has(name):
    known = attached(name, None)["model_parameters"].value
    assert counted_in(json.dumps(config(name)))["model_parameters"] == known


@pytest.mark.parametrize(
    "more",
    [
        {"model_type": "deepseek_v3"}, {"quantization_config": {"bits": 4}}, {"attention_bias": True}, {"hidden_size": "wide"},
        {"vocab_size": 0}, {"head_dim": -1}, {"mlp_only_layers": [0]}, {"text_config": {"hidden_size": 1}},
    ],
)  # fmt: skip
def test_of_other_models_nothing_is_counted(more):
    assert "model_parameters" not in counted_in(json.dumps(config("Qwen/Qwen3-8B", **more)))


def test_a_folder_of_the_checkout_has_a_bound(tmp_path, monkeypatch):
    """With tied embeddings: half a billion parameters of 16 bytes on one process."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "models/small").mkdir(parents=True)
    (tmp_path / "models/small/config.json").write_text(json.dumps(config("Qwen/Qwen2.5-0.5B-Instruct")))
    path = tmp_path / "grpo.yaml"
    path.write_text(
        "# grpo-lint: dialect=trl version=1.16.0 world-size=1\nmodel_name_or_path: models/small\nnum_generations: 8\nper_device_train_batch_size: 8\n"
    )
    (launch,) = lint_path(str(path), Around({}).of(str(path)), fixes=False).launches
    assert launch.plan(launch.candidates[0]).value("training_memory") == 1976 + 1976 + 3952
