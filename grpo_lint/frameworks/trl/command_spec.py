"""The commands of TRL."""

from ..command_spec import Commands

COMMANDS = Commands(
    "trl",
    "trl",
    trains={"grpo": None, "rloo": "rloo"},
    serves="vllm-serve",
    modules={
        "trl/scripts/grpo.py": None,
        "trl.scripts.grpo": None,
        "trl/scripts/rloo.py": "rloo",
        "trl.scripts.rloo": "rloo",
    },
    read_as_scripts=True,
    launcher_flags=(
        "num_processes num_machines config_file accelerate_config machine_rank main_process_ip main_process_port".split()
    ),
    # the accelerate configs that TRL ships
    presets={"single_gpu": 1, **dict.fromkeys(("multi_gpu", "fsdp1", "fsdp2", "zero1", "zero2", "zero3"), 8)},
)
