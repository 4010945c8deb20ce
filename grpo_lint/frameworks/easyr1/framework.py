"""EasyR1: one YAML file and `python3 -m verl.trainer.main config=FILE a.b=c`, merged into dataclasses that know all of their fields."""

from ...message import Message
from ...unknown import UNKNOWN
from ..base import (
    Attached,
    ConfigFiles,
    Copies,
    Fate,
    Framework,
    Keys,
    Knobs,
    Primaries,
    Programs,
    Reader,
    Refusals,
    Trainer,
    Values,
    by_path,
)
from ..by_release import Enforcements, regimes_of
from ..shared.sections import ANY, SectionArithmetic, SectionConfigs, SectionReleases, SectionRenames, Sizes, beside
from ..shared.values import WANTED, quoted, wrong_type
from . import catalogue, rules
from .enforcement import ENFORCEMENT
from .options import IDLE, OPTIONS, PLAN
from .ranges import CatalogueOfRanges

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Entry, Fault, Field, Framework as AnyFramework, Key, Lookup, NamedFiles, Run

_BY_OMEGACONF = "OmegaConf, when the file and the arguments are merged into the dataclasses"
_DICTIONARIES = frozenset(path for path, spans in catalogue.FIELDS.items() if spans[0][3] == "dict")
_HOLDERS = frozenset(path.rpartition(".")[0] for path in catalogue.FIELDS)
_OPEN = ("dict", "list", ANY)  # types of which nothing is converted
_TRUE, _FALSE = ("y", "yes", "on", "true", "1"), ("n", "no", "off", "false", "0")
_WANTED = {**WANTED, "str": Message("a text"), "dict": Message("a mapping"), "list": Message("a list")}


def _converted(value: object, kind: str) -> object:
    """A value as OmegaConf converts it for a type; None where it refuses."""
    if kind == "bool":
        if type(value) is str:
            return True if value.lower() in _TRUE else False if value.lower() in _FALSE else None
        return bool(value) if type(value) in (bool, int) else None
    if kind == "str":
        return value if type(value) is str else str(value)
    if type(value) is bool:
        return None
    if kind == "int":
        if type(value) is int:
            return value
        return _number(value, int) if type(value) is str else None
    return float(value) if type(value) in (int, float) else _number(value, float) if type(value) is str else None  # type: ignore[arg-type]


def _number(text: str, kind: "type[int] | type[float]") -> "int | float | None":
    try:
        return kind(text)
    except ValueError:
        return None


_SIZES = Sizes(
    rollout="data.rollout_batch_size",
    group="worker.rollout.n",
    update="worker.actor.global_batch_size",
    micro=(
        "worker.actor.micro_batch_size_per_device_for_update",
        "worker.actor.micro_batch_size_per_device_for_experience",
    ),
)


class EasyR1Configs(SectionConfigs):
    def layers_in(self, entries: "dict[str, Entry]") -> "list[dict[str, Entry]]":
        return [by_path(entries, _DICTIONARIES)]

    def is_complete(self, is_based: bool, is_started: bool, value: "Lookup") -> bool:
        """Whether settings that are not written have the defaults of their dataclasses: a file may need a command that
        sets more."""
        return is_started or is_based

    def may_be_complete(self, value: "Lookup") -> bool:
        """A file that says the sizes of a rollout, of an update and of the cluster is a config, and no part of one."""
        sizes = (_SIZES.rollout, _SIZES.update, _SIZES.group, *_SIZES.micro, "trainer.n_gpus_per_node")
        return all(type(value(name)) is int for name in sizes)


def _mappings_of(framework: "AnyFramework") -> "frozenset[str]":
    """The settings that may hold any keys: a copy may have others than the releases."""
    catalogue, groups = framework.catalogue, framework.reader.trainer.groups("grpo", "script")
    fields = catalogue.fields(groups, len(catalogue.releases) - 1)
    if _MAPPINGS not in fields.kept:
        own = (
            name
            for name in catalogue.names()
            if (field := fields[name]) is not None and field.type.rstrip("?") in ("dict", ANY)
        )
        fields.kept[_MAPPINGS] = _DICTIONARIES.union(own)
    found: frozenset[str] = fields.kept[_MAPPINGS]
    return found


_MAPPINGS = "settings that hold any keys"  # what is kept with the fields of a release


class EasyR1Keys(Keys):
    takes_own_keys = False

    def launch_key(self, name: str, key: "Key", loader: str) -> bool:
        """Keys of mappings that may hold anything, and ways to write a key that are not analysed."""
        return (
            "[" in name or name in _HOLDERS or any(name.startswith(f"{held}.") for held in _mappings_of(self.framework))
        )

    def takes(self, name: str, entry: "Entry", launch: "Run", index: int) -> bool:
        return super().takes(name, entry, launch, index) or self.launch_key(name, (), "")

    def unknown_key(self, key: "Key", launch: "Run", is_flag: bool) -> "Fate":
        return Fate(
            "error",
            "read",
            Message(
                "OmegaConf refuses it before anything is started",
                plural="OmegaConf refuses them before anything is started",
                count=1,
            ),
        )


class EasyR1Values(Values):
    choices = {"algorithm.adv_estimator": "estimators"}

    def read(
        self, name: str, value: object, field: "Field", launch: "Run", key: "Key"
    ) -> "tuple[object, Fault | None]":
        """A value as OmegaConf converts it for the type of the field."""
        kind = field.type.rstrip("?")
        if type(value) is str and ("${" in value or value == "???"):
            return UNKNOWN, None
        if value is None:
            return (
                (None, None)
                if kind != field.type or kind == ANY
                else (UNKNOWN, wrong_type("read", Message("null, and takes {wanted}", {"wanted": _WANTED[kind]})))
            )
        if kind in _OPEN:
            return UNKNOWN, _of_a_collection(name, value, kind, launch)
        if type(value) in (list, dict):
            return UNKNOWN, _misfit(value, kind)
        found = _converted(value, kind)
        if found is None:
            return UNKNOWN, _misfit(value, kind)
        if found == field.default:
            return found, None
        from .demands import fault_of

        fault = fault_of(name, found, launch)
        return (found, None) if fault is None else (UNKNOWN, fault)


def _of_a_collection(name: str, value: object, kind: str, launch: "Run") -> "Fault | None":
    """What is wrong with a value where a list or a mapping belongs, or anything."""
    if name.endswith("optim.betas") and type(value) is list:
        from .demands import fault_of_betas

        return fault_of_betas(value, launch)
    wrong = kind != ANY and type(value) is not {"dict": dict, "list": list}[kind]
    return _misfit(value, kind) if wrong else None


def _misfit(value: object, kind: str) -> "Fault":
    if type(value) in (list, dict):
        return wrong_type("read", Message("a collection, and takes {wanted}", {"wanted": _WANTED[kind]}))
    shown = quoted(value) if type(value) is str else str(value).lower() if type(value) is bool else str(value)
    return wrong_type("read", Message("{what}, and takes {wanted}", {"what": shown, "wanted": _WANTED[kind]}))


def _model(value: object, files: "NamedFiles | None") -> "dict[str, Attached]":
    from ..shared import models

    return models.attached(value, files)


_MODEL = "worker.actor.model.model_path"
_KNOBS = (
    "data.rollout_batch_size",
    "worker.actor.global_batch_size",
    "worker.actor.micro_batch_size_per_device_for_update",
    "worker.actor.micro_batch_size_per_device_for_experience",
    "worker.rollout.n",
    "worker.rollout.tensor_parallel_size",
    "worker.critic.global_batch_size",
    "worker.critic.micro_batch_size_per_device_for_update",
    "worker.critic.micro_batch_size_per_device_for_experience",
    "data.mini_rollout_batch_size",
    "worker.rollout.max_num_batched_tokens",
    "worker.actor.fsdp.fsdp_size",
    "worker.actor.ulysses_size",
)
FRAMEWORK = Framework(
    name="easyr1",
    title="EasyR1",
    catalogue=CatalogueOfRanges(catalogue),
    reader=Reader(
        configs=EasyR1Configs(),
        primaries=Primaries(folder="verl/trainer/config"),
        trainer=Trainer(field="worker.rollout.n"),
        keys=EasyR1Keys(),
        renames=SectionRenames(
            moved={
                "worker.actor.ulysses_sequence_parallel_size": "worker.actor.ulysses_size",
                "worker.critic.ulysses_sequence_parallel_size": "worker.critic.ulysses_size",
                "worker.actor.optim.warmup_style": "worker.actor.optim.lr_scheduler_type",
                "worker.critic.optim.warmup_style": "worker.critic.optim.lr_scheduler_type",
                "worker.reward.score_function": "worker.reward.reward_function",
                "worker.reward.score_function_kwargs": "worker.reward.reward_function_kwargs",
                "trainer.total_episodes": "trainer.total_epochs",
            },
        ),
        values=EasyR1Values(),
        programs=Programs(
            model_key=_MODEL,
            words_of_own_readers=("OmegaConf.structured(", "OmegaConf.from_cli("),
            path="verl/trainer/main.py",
            rewards="grpo_lint.frameworks.easyr1.rewards",
        ),
        files=ConfigFiles(
            unique_keys=((0, 0), (9, 9)),
            attachments={_MODEL: _model, "data.train_files": beside, "worker.reward.reward_function": beside},
        ),
    ),
    releases=SectionReleases(package="easyr1"),  # none is on a package index: users train in a copy of its repository
    copies=Copies(module="grpo_lint.frameworks.easyr1.copied"),
    arithmetic=SectionArithmetic(
        regimes=regimes_of(PLAN, OPTIONS, IDLE),
        sizes=_SIZES,
        spread_by="grpo_lint.frameworks.easyr1.spread",
        own_names={
            "prompts_per_rollout": "rollout_batch_size",
            "prompts_per_update": "global_batch_size",
            "group_size": "rollout.n",
        },
        batch_keys=(
            ("worker.actor.global_batch_size", "worker.actor.micro_batch_size_per_device_for_update"),
            ("data.rollout_batch_size", "worker.rollout.n"),
        ),
    ),
    refusals=Refusals(
        enforcement=Enforcements(ENFORCEMENT, rules.RULES),
        parser_says={
            "key-is-known": _BY_OMEGACONF,
            "key-is-of-this-version": _BY_OMEGACONF,
            "key-stands-once": "OmegaConf, when the file is read",
        },
        registrations={"advantage-estimator-is-known": ("algorithm.adv_estimator", ("AdvantageEstimator",))},
    ),
    knobs=Knobs(
        names=_KNOBS,
        parallel=frozenset(name for name in _KNOBS if name.endswith(("parallel_size", "fsdp_size", "ulysses_size"))),
        dividing_the_model=frozenset(("worker.rollout.tensor_parallel_size", "worker.actor.ulysses_size")),
        for_memory="worker.actor.micro_batch_size_per_device_for_update",
        keeps_groups=True,
    ),
)
