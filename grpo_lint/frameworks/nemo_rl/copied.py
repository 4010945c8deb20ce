"""NeMo-RL as a copy in a checkout has it: the settings of its own examples, and the releases that these are most like."""

from types import SimpleNamespace

from ..catalogue import Catalogue
from ..shared.copies import as_copied, most_alike
from . import catalogue as generated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Framework
    from ..catalogue import FieldRows
    from ..protocols import Copy

# {groups of the catalogue: the example that has their settings}
_EXAMPLES = {"1B 8B 1B-megatron 8B-megatron": "grpo_math_1B", "vlm": "vlm_grpo_3B"}

# rules whose words are in the code of each release that has them; see `Copies.checks`
CHECKS: "dict[str, tuple[str, ...]]" = dict.fromkeys(
    "async-training-is-set-up batch-multiplier-has-dynamic-sampling cispo-keeps-its-ratio context-parallel-suits-the-backend "
    "divided-engines-are-asynchronous draft-model-suits-training dtensor-options-suit-its-worker dynamic-batching-has-one-stage "
    "forced-ratio-has-one-update nemo-rl-estimator-is-known packing-and-dynamic-batching-exclude padding-suits-megatron "
    "precision-is-spelt-out rank-rollout-fills-logprob-batches rank-update-fills-micro-batches rollout-divides-over-training-ranks "
    "rollout-is-whole-updates sequence-ratios-have-sequence-loss training-backend-is-one update-divides-over-training-ranks "
    "wide-tensor-parallel-has-equal-batches".split(),
    (),
)
# of these, and of another whose words only some releases have, no release has the words that does not refuse
ALONE = frozenset((*CHECKS, "model-parallel-divides-world"))


def framework_of(framework: "Framework", copy: "Copy", group: str) -> "Framework | None":
    """NeMo-RL as a copy has it; None where its usual example is not here."""
    catalogue = framework.catalogue
    trees = {
        groups: copy.composed(framework, f"examples/configs/{name}.yaml", {}) for groups, name in _EXAMPLES.items()
    }
    groups, usual = next(iter(trees.items()))
    if not usual:
        return None
    alike, likeness = most_alike(framework, (groups.partition(" ")[0],), {*usual})
    if not alike:
        return None
    own: dict[str, FieldRows] = {}
    last, there = len(catalogue.releases) - 1, sum(1 << index for index in alike)
    for groups, tree in trees.items():
        for path in tree or ():
            if there & ~catalogue.known(path, (groups.partition(" ")[0],)):
                own[path] = ((groups, 0, last, "any?", None), *own.get(path, generated.FIELDS.get(path, ())))
    rows = SimpleNamespace(RELEASES=generated.RELEASES, COMPANIONS=generated.COMPANIONS, FIELDS=generated.FIELDS | own)
    changed = Catalogue(rows) if own else catalogue  # type: ignore[arg-type]  # as good as a module
    releases = [catalogue.releases[index] for index in alike]
    return as_copied(framework, copy, changed, releases, likeness, CHECKS, alone=ALONE)
