"""ms-swift and Megatron-SWIFT as a copy in a checkout has them."""

from ..shared.copied_fields import OF_TRANSFORMERS, Classes, framework_with_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Framework
    from ..protocols import Copy

_CLASSES = {
    "swift": ("swift.arguments.rlhf_args.RLHFArguments", "swift.llm.argument.rlhf_args.RLHFArguments"),
    "megatron": (
        "swift.megatron.arguments.rlhf_args.MegatronRLHFArguments",
        "swift.megatron.argument.rlhf_args.MegatronRLHFArguments",
    ),
}
_OF_OTHERS = frozenset(("transformers", "trl"))


def framework_of(framework: "Framework", copy: "Copy", group: str) -> "Framework | None":
    own = Classes(
        by_group={framework.name: _CLASSES[framework.name]},
        trainers=(framework.name,),
        of_others=_OF_OTHERS,
        inherited=OF_TRANSFORMERS if framework.name == "swift" else frozenset(),
        unknown_type="list[str]",  # one value or several
    )
    return framework_with_fields(framework, copy, group, own)
