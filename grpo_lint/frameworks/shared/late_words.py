"""Texts that every parser takes, and that transformers, accelerate or PyTorch look up when the trainer is made or begins. The real
frameworks were run on each of them (`conformance/deaths`, `conformance/deaths-swift --runs`). Loaded where a file has such a setting."""

import re

from ...message import Message
from .values import is_open, quoted, wrong_choice, wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Callable, Fault

BACKENDS = tuple(
    "no eager aot_eager inductor aot_ts_nvfuser nvprims_nvfuser cudagraphs ofi fx2trt onnxrt tensorrt aot_torchxla_trace_once "
    "torchxla_trace_once ipex tvm hpu_backend neuron".split()
)
COMPILING = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs", "lite")
# Arguments of the optimizer, as a regular expression.
PAIRS = "[^,=]*=[^,=]*(,[^,=]*=[^,=]*)*"


def backend(value: object) -> "Fault | None":
    """A compiler that accelerate looks up when the trainer is made; to name one switches compilation on."""
    return None if is_open(value) or str(value).lower() in BACKENDS else wrong_choice("init", value, BACKENDS)


def compiling(value: object) -> "Fault | None":
    return None if is_open(value) or value in COMPILING else wrong_choice("run", value, COMPILING)


def pairs(value: object) -> "Fault | None":
    """Arguments of the optimizer are written name=value, separated by commas."""
    if is_open(value) or not value or re.fullmatch(PAIRS, str(value)):
        return None
    wanted = Message(
        "the text {text} where name=value belongs, with commas between several", {"text": quoted(str(value))}
    )
    return wrong_type("run", wanted)


LATE: "dict[str, Callable[[object], Fault | None]]" = {
    "optim_args": pairs,
    "torch_compile_backend": backend,
    "torch_compile_mode": compiling,
}
