"""The commands of slime: `train.py` or `train_async.py`, a name that anybody may have, so that the flags tell whose it is."""

from ..command_spec import Commands

COMMANDS = Commands(
    "slime",
    None,
    trains={},
    modules={},
    marks=("--rollout-batch-size", "--n-samples-per-prompt", "--actor-num-gpus-per-node"),
    arrays=("MODEL_ARGS",),
    counted_by_settings=True,
    one_spelling=True,
)
