"""What the code of EasyR1 asks of a value that has the type of its field: a word that it looks up, or a number in a range. Loaded
only where a value is none of the defaults."""

from ...message import Message
from ..shared.values import wrong_choice, wrong_type
from ..verl.demands import range_in_words
from ..verl.tree import is_within
from .ranges import RANGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Fault, Run, Stage

_PRECISIONS = ("fp16", "float16", "fp32", "float32", "bf16", "bfloat16")
_OPTIMIZERS, _SCHEDULES = ("adamw", "adamw_bf16"), ("constant", "cosine")
_FSDP = "worker.actor.fsdp"
# {setting: (when it is looked up, the known words)}, in every release that has it
WORDS: "dict[str, tuple[Stage, tuple[str, ...]]]" = {
    "algorithm.kl_penalty": ("run", ("kl", "abs", "mse", "low_var_kl", "full")),
    "algorithm.kl_type": ("init", ("fixed", "adaptive")),
    "worker.actor.loss_avg_mode": ("run", ("token", "seq")),
    "worker.actor.optim.strategy": ("init", _OPTIMIZERS),
    "worker.actor.optim.lr_scheduler_type": ("init", _SCHEDULES),
    "worker.rollout.dtype": ("init", _PRECISIONS),
    **{
        f"{_FSDP}.{name}": ("init", _PRECISIONS)
        for name in ("torch_dtype", "mp_param_dtype", "mp_reduce_dtype", "mp_buffer_dtype")
    },
}


def fault_of(name: str, value: object, launch: "Run") -> "Fault | None":
    """What is wrong with a value as OmegaConf converted it."""
    if name in WORDS:
        stage, words = WORDS[name]
        return wrong_choice(stage, value, words) if value not in words and _is_looked_up(name, launch) else None
    taken = RANGES.get(name)
    if taken is None or type(value) not in (int, float) or is_within(value, taken) or not _is_asked(name, launch):  # type: ignore[arg-type]
        return None
    return wrong_type(
        "init", Message("{what}, and takes {wanted}", {"what": str(value), "wanted": range_in_words(taken)})
    )


def fault_of_betas(value: "list[object]", launch: "Run") -> "Fault | None":
    """The optimizer takes two numbers, and AdamW of torch none that is 1: it averages over steps."""
    if any(type(each) is str for each in value):  # which may be references
        return None
    numbers = [each for each in value if type(each) in (int, float)]
    is_within_range = all(0 <= each < 1 for each in numbers)  # type: ignore[operator]
    if len(numbers) == len(value) == 2 and (is_within_range or not _is_asked("optim", launch)):
        return None
    return wrong_type("init", Message("a list that is not two numbers of at least 0 and below 1"))


def _is_looked_up(name: str, launch: "Run") -> bool:
    """Whether a run looks up the word of a setting: not where no divergence is computed."""
    if not name.startswith("algorithm.kl_"):
        return True
    setting = launch.setting("algorithm.disable_kl")
    return setting is None or setting.value is False


def _is_asked(name: str, launch: "Run") -> bool:
    """Whether something looks at a number: of the optimizers AdamW of torch does, which is the default."""
    if "optim" not in name:
        return True
    setting = launch.setting("worker.actor.optim.strategy")
    return setting is None or setting.value == "adamw"
