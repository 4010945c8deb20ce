"""Random launches whose batch and parallel arithmetic mostly fails, on which the search for fixes is measured."""

import random

SIZES = (1, 1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 10, 12, 16, 24, 32)
GROUPS = (1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 8, 12, 14, 16, 16, 24, 32)
WORLDS = (1, 1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 8, 12, 16, 24, 32, 64)
LARGE = (8, 12, 16, 24, 32, 48, 64, 96, 100, 128, 192, 256, 512)
VERSIONS = {
    "trl": ("0.14", "0.15", "0.16", "0.17", "0.18.2", "0.19", "0.20", "0.22", "0.24", "0.26", "1.0", "1.9", "1.16"),
    "swift": ("3.2", "3.3", "3.5.3", "3.8", "3.11", "3.12", "4.1", "4.2", "4.4", "4.6"),
    "megatron": ("3.11", "3.12", "4.0", "4.1", "4.3", "4.4", "4.6"),
}
AROUND = """\
learning_rate: 1.0e-06
beta: 0.04
temperature: 0.9
max_completion_length: 1024
seed: 7
logging_steps: 1
save_steps: 200
bf16: true
"""


def launches(count, seed=0):
    """[(facts, settings)] of `count` launches."""
    source = random.Random(f"{seed} launches")
    return [_launch(source) for _ in range(count)]


def text_of(facts, settings):
    """The text of the launch as a file."""
    words = " ".join(f"{name}={value}" for name, value in facts.items())
    lines = "".join(f"{name}: {value}\n" for name, value in settings.items())
    return f"# grpo-lint: {words}\n{lines}{AROUND if facts['dialect'] != 'megatron' else ''}"


def _launch(source):
    dialect = source.choice(("trl", "swift", "megatron"))
    facts = {"dialect": dialect, "version": source.choice(VERSIONS[dialect]), "world-size": source.choice(WORLDS)}
    return facts, (_megatron if dialect == "megatron" else _hugging_face)(source, dialect)


def _maybe(source, settings, chance, name, values):
    if source.random() < chance:
        settings[name] = source.choice(values)


def _hugging_face(source, dialect):
    settings = {"num_generations": source.choice(GROUPS), "per_device_train_batch_size": source.choice(SIZES)}
    if dialect == "swift":
        settings = {"rlhf_type": "grpo", "model": "Qwen/Qwen2.5-7B-Instruct", "dataset": "[example/math]", "reward_funcs": "[accuracy]",
                    "eval_strategy": '"no"', **settings}  # fmt: skip
    _maybe(source, settings, 0.7, "gradient_accumulation_steps", SIZES)
    _maybe(source, settings, 0.25, "steps_per_generation", SIZES)
    _maybe(source, settings, 0.2, "generation_batch_size", LARGE)
    _maybe(source, settings, 0.1, "num_iterations", (1, 2, 4))
    if source.random() < 0.3:
        settings["eval_strategy"] = "steps"
        settings["eval_steps"] = 50
        _maybe(source, settings, 0.8, "per_device_eval_batch_size", SIZES)
        _maybe(source, settings, 0.2, "num_generations_eval", GROUPS)
        if dialect == "swift":
            settings["val_dataset"] = "[held-out]"
    if source.random() < 0.25:
        settings |= {"use_vllm": "true", "vllm_mode": "colocate"}
        _maybe(source, settings, 0.7, "vllm_tensor_parallel_size", (1, 2, 3, 4, 8))
    _disturb(source, settings)
    return settings


def _megatron(source, dialect):
    settings = {
        "rlhf_type": "grpo", "model": "Qwen/Qwen2.5-7B-Instruct", "dataset": "[example/math]", "reward_funcs": "[accuracy]",
        "vllm_mode": "colocate", "num_generations": source.choice(GROUPS), "global_batch_size": source.choice(LARGE),
        "micro_batch_size": source.choice((1, 1, 1, 2, 2, 3, 4, 8)),
    }  # fmt: skip
    _maybe(source, settings, 0.3, "steps_per_generation", (1, 2, 3, 4))
    _maybe(source, settings, 0.15, "generation_batch_size", LARGE)
    for name in ("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size"):
        _maybe(source, settings, 0.3, name, (1, 2, 2, 3, 4, 8))
    _maybe(source, settings, 0.1, "expert_model_parallel_size", (1, 2, 4, 8))
    _maybe(source, settings, 0.1, "vllm_tensor_parallel_size", (1, 2, 3, 4, 8))
    _maybe(source, settings, 0.3, "val_dataset", ("[held-out]",))
    _disturb(source, settings)
    return settings


# Values and keys that violate a whole family of rules.
_ODD = {
    "num_generations": (0, 1), "per_device_train_batch_size": (0,), "gradient_accumulation_steps": (0, -1), "steps_per_generation": (0,),
    "micro_batch_size": (0,), "tensor_model_parallel_size": (0,), "per_device_eval_batch_size": (0,), "vllm_tensor_parallel_size": (0,),
}  # fmt: skip


def _disturb(source, settings):
    if source.random() < 0.08:
        name = source.choice([name for name in _ODD if name in settings])
        settings[name] = source.choice(_ODD[name])
