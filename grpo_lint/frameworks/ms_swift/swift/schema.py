"""How `swift rlhf` accepts values, as a JSON Schema says it."""

from ...schema import PLACEHOLDER
from ...shared.late_words import BACKENDS, COMPILING, PAIRS
from ...shared.values import TRACKERS
from ..schema import Flags, json_text
from ..shared import NO_JSON
from .framework import FSDP_IS_JSON, FSDP_PRESETS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ....shared_types import Choices, Schema


def _in_any_case(word: str) -> str:
    return "".join(f"[{letter}{letter.upper()}]" if letter.isalpha() else letter for letter in word)


# What is looked up when the trainer is made or begins, as a regular expression.
_LOOKED_UP = {
    "optim_args": f"({PAIRS})?",
    "report_to": "|".join(TRACKERS),
    "torch_compile_backend": "|".join(map(_in_any_case, BACKENDS)),
    "torch_compile_mode": "|".join(COMPILING),
}


class FlagsOfSwift(Flags):
    def own(self, name: str, kind: str, choices: "Choices | None") -> "Schema | None":
        if name == "fsdp" and self.release.key >= FSDP_IS_JSON:
            return self._one(json_text(NO_JSON, FSDP_PRESETS))
        if name not in _LOOKED_UP:
            return super().own(name, kind, choices)
        text: Schema = {"type": ["string"], "pattern": f"^({_LOOKED_UP[name]}|{PLACEHOLDER})$"}
        return self._several(text) if "list[" in kind else self._one(text)


KIND = FlagsOfSwift
