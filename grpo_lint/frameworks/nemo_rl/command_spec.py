"""The commands of NeMo-RL: its example programs, with `--config FILE` and overrides in the grammar of Hydra."""

from ..command_spec import Commands

EXAMPLES = ("grpo_math_1B", "grpo_math_8B", "grpo_math_1B_megatron", "grpo_math_8B_megatron", "vlm_grpo_3B")

COMMANDS = Commands(
    "nemo-rl",
    None,
    trains={},
    modules={
        f"examples/{name}.py": None
        for name in "run_grpo run_grpo_math run_grpo_rm run_grpo_sliding_puzzle run_vlm_grpo nemo_gym/run_grpo_nemo_gym".split()
    },
    style="hydra",
    primaries=EXAMPLES,
    config_option="--config",
    calls=("nemo_rl.algorithms.grpo.grpo_train", "nemo_rl.algorithms.grpo.async_grpo_train"),
    reads=("nemo_rl.utils.config.load_config", "nemo_rl.utils.config.parse_hydra_overrides"),
    changes=("logger.log_dir", "checkpointing.checkpoint_dir", "policy.generation"),
    marks=("grpo.num_prompts_per_step", "grpo.num_generations_per_prompt", "++grpo.num_", "+grpo.num_"),
)
