"""verl's other programs: each builds on the tree of the usual one, adds settings of its own, and trains in its own way. Only what
surely holds there is judged: what its sources check, and what the workers do that it shares with the usual program."""

from functools import cache

from ...message import Message
from ..base import Attached, whole_number
from ..by_release import Enforcement, Enforcements, Regime, regimes_of
from . import catalogue
from .entry_trees import TREES
from .framework import FRAMEWORK, PRIMARY_TREES, VerlConfigs, VerlTrainer, VerlValues
from .options import IDLE, OPTIONS, PLAN
from .tree import tree_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import EntryPoint, Fault, Field, Fields, Framework, Iterable, Iterator, Lookup
    from ..by_release import Changes
    from ..protocols import Run

    Judged = tuple[str, str | None, tuple[str, ...]]

# Of what a program of somebody's own makes its sections, nobody knows.
_WITHOUT_DATACLASSES = tree_of(catalogue, built=())
OWN = "own"  # the name of a program that nobody knows, on a tree that is known


class Trainer:
    """What surely holds in another program.

    title      how it is called in messages
    field      a setting that every release with the program has
    judged     [(release, release or None, stages)]: of which stages the refusals hold in these releases and all between; `never`
               stands for what is accepted and harms
    silent     rules whose conditions are about something that it does otherwise
    plan, options   the formulas that it changes, by release; None for what is not known there
    rows       what it refuses itself
    """

    def __init__(
        self,
        title: str,
        field: str,
        judged: "tuple[Judged, ...]",
        silent: "Iterable[str]" = (),
        plan: "Changes | None" = None,
        options: "Changes | None" = None,
        rows: "tuple[Enforcement, ...]" = (),
    ) -> None:
        self.title = title
        self.field = field
        self.judged = judged
        self.silent: frozenset[str] = frozenset(silent)
        self.plan: Changes = plan or {}
        self.options: Changes = options or {}
        self.rows = rows


_ALL = ("config", "init", "run", "never")
_WORKERS = ("init", "run", "never")  # of those that leave out the checks before the workers start
# The dataclass of the actor checks itself, wherever it is made.
_LOSS = Enforcement(
    "loss-aggregation-is-known",
    "0.6",
    None,
    "init",
    "Invalid loss_agg_mode: ...",
    "when its workers start, with the GPUs taken",
)
# They are about the trainer that verl has had since 0.9, or about generation on the GPUs of training.
_OF_THE_NEW_TRAINER = (
    "rollout-is-fetched-whole",
    "rollout-needs-no-padding",
    "separate-rollout-fills-its-updates",
    "separate-rollout-has-gpus",
    "separate-rollout-receives-weights",
)
_OLD_TRAINER: "dict[str, str | tuple[str, ...] | None]" = {
    "use_v1": "False",
    "written_update": "ppo_mini_batch_size * rollout_n",
    "rows_per_rank": "completions_per_rollout // dp_size",
}
_OWN_GPUS = (("rollout.n_gpus_per_node", 8), ("rollout.nnodes", 1))  # with what the files of the programs say
_ELSEWHERE = {"generation_engines": "rollout_processes // engine_size", "on_policy": "False"}

_TRAINERS = {
    "dapo": Trainer(
        "recipe.dapo of verl",
        "data.gen_batch_size",
        # its main program left the checks of 0.6 out until it took them over with 0.7.1
        (("0.4", "0.5", _ALL), ("0.6", "0.7.0", _WORKERS), ("0.7.1", None, _ALL)),
        _OF_THE_NEW_TRAINER,
        {
            "0.4": {
                "prompts_per_rollout": "train_batch_size if filters_groups else prompts_generated",
                "rows_used": "unknown if filters_groups else training_rows // prompts_generated * prompts_generated",
                # of how many batches of the data loader a step is made, the filter decides
                "rollouts": (
                    "total_training_steps",
                    "unknown if filters_groups else training_rows // prompts_generated * total_epochs",
                ),
                "steps_per_epoch": "unknown if filters_groups else training_rows // prompts_generated * updates_per_rollout",
            },
        },
        {
            "0.4": {
                "filters_groups": ("algorithm.filter_groups.enable", "False"),
                "prompts_generated": ("data.gen_batch_size", "train_batch_size"),
                "loader_batch": "prompts_generated",
                "rows_to_generate": "prompts_generated",
                # with the KL divergence in the reward, log-probabilities are computed before groups are filtered out
                "rows_per_rank": "unknown if filters_groups and use_kl_in_reward else completions_per_rollout // dp_size",
            },
            "0.5": {"rows_to_generate": "prompts_generated * group_size"},
            "0.9": {"use_v1": "False", "written_update": "ppo_mini_batch_size * rollout_n"},
        },
        tuple(filter(None, (_LOSS.between("0.6", "0.7.0"),))),
    ),
    "fully_async": Trainer(
        "fully_async_policy of verl",
        "async_training.require_batches",
        (("0.6.1", None, _WORKERS),),
        (
            *_OF_THE_NEW_TRAINER,
            "engine-is-hybrid",
            "engines-divide-gpus",
            "dynamic-batches-agree",
            "micro-batches-are-per-gpu",
            "reference-micro-batch-is-per-gpu",
            "rows-divide-over-generation",
            "rows-divide-over-ranks",
            "rollout-holds-updates-without-rest",
            "rank-rows-hold-whole-micro-batches",
            "log-prob-micro-batch-reaches-each-rank",
            "critic-update-holds-whole-micro-batches",
            "data-fills-a-batch",
            "last-update-is-whole",
            "dynamic-rollout-holds-an-update",
        ),
        {
            "0.6.1": {
                **_ELSEWHERE,
                # prompts come one at a time, and a step of training takes those of some updates from a queue
                "prompts_per_rollout": None,
                "completions_per_rollout": None,
                "updates_per_rollout": None,
                "rows_used": None,
                "rollouts": None,
                "steps_per_epoch": None,
                "total_steps": None,
                "padded_completions_per_rollout": None,
                "padding_completions": None,
            },
        },
        {
            "0.6.1": {
                "loader_batch": None,
                "rows_to_generate": None,
                "rows_per_rank": None,
                "needs_log_probs": "True",
            },
            "0.9": {"use_v1": "False", "written_update": "ppo_mini_batch_size * rollout_n"},
        },
        (_LOSS,),
    ),
    "one_step_off": Trainer(
        "one_step_off_policy of verl",
        "rollout.nnodes",
        (("0.5", None, _ALL),),
        (*_OF_THE_NEW_TRAINER, "engine-is-hybrid", "engines-divide-gpus", "rows-divide-over-generation"),
        {"0.5": {**_ELSEWHERE, "padded_completions_per_rollout": None, "padding_completions": None}},
        {"0.9": _OLD_TRAINER},
    ),
    OWN: Trainer("verl", "actor_rollout_ref.rollout.n", ()),
}


def _kept(trainer: Trainer) -> "Iterator[Enforcement]":
    """The rows of the usual program that hold in another one, each cut to the releases in which it does."""
    for row in FRAMEWORK.refusals.enforcement.rows:
        for since, until, stages in trainer.judged if row.rule not in trainer.silent else ():
            found = row.between(since, until) if row.stage in stages else None
            if found is not None:
                yield found


class OtherConfigs(VerlConfigs):
    def implied(self, value: "Lookup", is_whole: bool) -> "dict[str, Attached]":
        """What the sizes and the tree imply, and the GPUs that only generate."""
        found = super().implied(value, is_whole)
        per_node, nodes = (
            default if value(name) is None and is_whole else whole_number(value(name)) for name, default in _OWN_GPUS
        )
        generates_elsewhere = self.framework.reader.trainer.field.startswith(("async_training", "rollout."))
        if generates_elsewhere and per_node and nodes:
            found["rollout_processes"] = Attached(
                _OWN_GPUS[0][0], per_node * nodes, Message("of the GPUs that generate")
            )
        return found


class OwnValues(VerlValues):
    """Of a program of somebody's own: what its workers take nobody knows."""

    def _fault(self, name: str, value: object, field: "Field", launch: "Run", fields: "Fields") -> "Fault | None":
        return None


@cache
def entered_by(entry: "EntryPoint") -> "Framework":
    """verl as another of its programs has it."""
    trainer = _TRAINERS[entry.name]
    sections, reader, is_known = TREES.get(entry.name), FRAMEWORK.reader, bool(trainer.judged)
    regimes = regimes_of(PLAN, OPTIONS, IDLE, trainer.plan, trainer.options) if is_known else (Regime("0.2", {}),)
    return FRAMEWORK.with_(
        title=trainer.title,
        catalogue=tree_of(catalogue, sections) if is_known else _WITHOUT_DATACLASSES,
        reader=reader.but(
            configs=OtherConfigs(),
            primaries=reader.primaries.but(trees={**PRIMARY_TREES, **entry.primaries}, programs=entry.programs),
            trainer=VerlTrainer(field=trainer.field),
            values=reader.values if is_known else OwnValues(),
        ),
        arithmetic=FRAMEWORK.arithmetic.but(regimes=regimes, knows_batches=is_known),
        refusals=FRAMEWORK.refusals.but(
            enforcement=Enforcements((*_kept(trainer), *trainer.rows)),
            may_replace=FRAMEWORK.refusals.may_replace if is_known else frozenset(),
        ),
    )
