"""Frameworks that are known by their files and commands, and not judged: so that nobody takes their files for others, or for nothing.

Only a file in which nothing was found to judge is asked about, or a command that somebody states to be a run.
"""

from ..message import Message
from .registry import FORKS, commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Commands, Mapping

# {framework: (keys at the beginning of a line of which a config has all, `[` before those of tables; words of its commands)}
_KNOWN: dict[str, tuple[tuple[frozenset[str], ...], tuple[str, ...]]] = {
    "AReaL": (
        (frozenset(("gconfig", "train_dataset")), frozenset(("allocation_mode", "train_dataset"))),
        ("-m areal.launcher.", "-m areal.infra.launcher.", " scheduler.type=local", " scheduler.type=ray"),
    ),
    "ROLL": (
        (frozenset(("actor_train", "actor_infer")), frozenset(("actor_infer", "adv_estimator"))),
        (
            *("start_rlvr_pipeline.py", "start_agentic_pipeline.py", "start_rlvr_vl_pipeline.py"),
            *("start_rlvr_rollout_pipeline.py", "start_agentic_rollout_pipeline.py"),
        ),
    ),
    "SkyRL": (
        (frozenset(("trainer", "generator", "environment")),),
        ("-m skyrl.train.entrypoints.", "-m skyrl_train.entrypoints.", " generator.n_samples_per_prompt="),
    ),
    "prime-rl": (
        (
            frozenset(("[orchestrator",)),
            frozenset(("group_size", "[train")),
            frozenset(("batch_size", "rollouts_per_example")),
            frozenset(("batch_size", "rollouts_per_prompt")),
        ),
        ("uv run rl @", "uv run orchestrator @", " --orchestrator @"),
    ),
    "rllm": (
        (
            frozenset(("rllm", "defaults")),
            frozenset(("rllm", "actor_rollout_ref")),
            frozenset(("rllm", "training")),
            frozenset(("tinker_base_url", "training")),
        ),
        ("-m rllm.trainer.", " rllm/backend=", " rllm.trainer.", " rllm.agent.", " rllm.workflow."),
    ),
    "Axolotl": ((frozenset(("base_model", "rl", "trl")),), ()),
}


def is_another_program(name: str, flags: "Mapping[str, object]", alike: "Commands | None") -> bool:
    """Whether an unknown program is no run of a framework that is stated: settings of that are no flags, and it has flags. Such a one
    prepares the data of a run."""
    base = FORKS[name][0] if name in FORKS else name
    takes_flags = all(own.style == "gnu" for own in commands() if own.framework == base)
    return not takes_flags and bool(flags) and alike is None


def why_not_judged(text: str) -> "Message | None":
    """What to say of a text of a framework that is not judged; None for any other text."""
    keys = {_key_of(line) for line in text.split("\n") if line[:1] not in ("", " ", "#", "-")}
    for framework, (configs, words) in _KNOWN.items():
        if any(each <= keys for each in configs):
            return Message("a config of {framework}, which grpo-lint does not judge yet", {"framework": framework})
        if any(each in text for each in words):
            return Message("starts {framework}, which grpo-lint does not judge yet", {"framework": framework})
    return None


def _key_of(line: str) -> str:
    """The key with which a line of YAML or TOML begins, or the first name of a table; anything for another line."""
    if line[0] == "[":
        return "[" + line.strip("[] ").partition(".")[0]
    return line.partition(":" if ":" in line else "=")[0].strip()
