"""OpenRLHF: a command with flags, and no config file. Until 0.10.1 its flags are flat, from 0.10.2 on they are in sections."""

from math import gcd

from ...message import Message
from ...unknown import UNKNOWN
from ..base import (
    REFUSED,
    Arithmetic,
    ConfigFiles,
    Configs,
    Copies,
    Fate,
    Framework,
    Keys,
    Knobs,
    Programs,
    Reader,
    Refusals,
    Releases,
    Renames,
    Trainer,
    pool_of,
)
from ..by_release import Enforcements, regimes_of
from ..catalogue import CatalogueOfPatches, Field
from ..shared import models
from ..shared.argparse_flags import Switches, WordValues, stray_word
from ..shared.values import ATTENTION, is_open, wrong_choice, wrong_type
from . import catalogue, rules
from .enforcement import ENFORCEMENT
from .options import IDLE, OPTIONS, PLAN, dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Fault, Field, Fields, Key, Lookup, Mapping, Run, Shape

_GPUS, _NODES = "actor_num_gpus_per_node", "actor_num_nodes"
_MOST_MICRO = (
    8  # completions of a micro batch of the rollout, where nothing is written: the default of releases until 0.9
)
_NEVER = (1_000_000,)  # no release reads files
_PARSER = "argparse, before anything loads"


class FlagConfigs(Configs):
    def facts_in_file(self, value: "Lookup") -> "dict[str, tuple[int, str]]":
        """The GPUs of the actor, which are those that train."""
        of_node, of_nodes = (flag if value(flag) is not None else dotted(flag) for flag in (_GPUS, _NODES))
        per_node, nodes = pool_of(value, (of_node, 8), (of_nodes, 1))
        if not per_node or not nodes:
            return {}
        return {"processes_per_node": (per_node, of_node), "world_size": (per_node * nodes, f"{of_node} x {of_nodes}")}


class FlagTrainer(Trainer):
    field = "local_rank"  # of all releases


class FlagKeys(Keys):
    abbreviates = True

    def prefix_matches(self, name: str, fields: "Fields") -> list[str]:
        return fields.beginning_with(name)

    def unknown_key(self, key: "Key", launch: "Run", is_flag: bool) -> "Fate":
        return REFUSED


class FlagRenames(Renames):
    """The flags of 0.10.2 are those before it in sections."""

    successors: "Mapping[str, str]" = {
        "generate_max_len": "max_new_tokens",  # since 0.9.8
        **{old: new[0] for old, new in catalogue.RENAMED.items()},
        **{new: old for old, several in catalogue.RENAMED.items() for new in several},
    }

    remarks: "Mapping[str, str]" = {
        "prompt_max_len": "the length of a prompt and its completion together is limited, by `max_len`",
    }

    def successor(self, name: str, fields: "Fields") -> "tuple[str | None, str]":
        new = self.successors.get(name, "")
        new = new if fields[new] else self.successors.get(new, "")
        return (new if new and fields[new] else None), self.remarks.get(name, "")


def _is_to_be_filled(name: str, words: "list[object]") -> bool:
    """Whether words stand for what somebody still has to fill in: `--save_path /path/to/my model`, `--wandb_run_name run name`."""
    texts = [word.lower() for word in words if type(word) is str]
    return any("path/to/" in text for text in texts) or texts[1:] == [name.rpartition("_")[2]]


# Words that the parser takes, and transformers looks up: when the schedule is made, and when the model is loaded.
_SCHEDULES = (
    "linear cosine cosine_with_restarts polynomial constant constant_with_warmup inverse_sqrt reduce_lr_on_plateau cosine_with_min_lr "
    "cosine_warmup_with_min_lr warmup_stable_decay greedy"
).split()
_LOOKED_UP = {"lr_scheduler": _SCHEDULES, "attn_implementation": ATTENTION}
_PACKS = (
    "packing_samples use_dynamic_batch ring_attn_size ds.packing_samples train.dynamic_batch_enable ds.ring_attn_size"
)
# With these the trainer sets another attention itself.
_PACKING = frozenset(_PACKS.split())


def _unknown_word(name: str, value: object, launch: "Run") -> "Fault | None":
    """A word that transformers does not know; a kernel of the hub has a slash in its name."""
    names = _LOOKED_UP.get(name.rpartition(".")[2], ())
    if not names or is_open(value) or "/" in str(value) or str(value).removeprefix("paged|") in names:
        return None
    if names is ATTENTION and not _PACKING.isdisjoint(launch.entries):
        return None
    return wrong_choice("init", value, names)


class FlagValues(WordValues):
    def read(
        self, name: str, value: object, field: "Field", launch: "Run", key: "Key"
    ) -> "tuple[object, Fault | None]":
        found, fault = super().read(name, value, field, launch, key)
        return found, fault or _unknown_word(name, found, launch)

    def switch(self, value: object, field: "Field", is_bare: bool, key: "Key") -> "tuple[object, Fault | None]":
        if is_bare or type(value) is bool:
            return is_bare != (field.default is True) if is_bare else value, None
        return UNKNOWN, stray_word()

    def words(self, name: str, words: "list[object]", field: "Field") -> "tuple[object, Fault | None]":
        kind = field.type.rstrip("?")
        is_list, wanted = kind.startswith(("list", "pair")), 2 if kind.startswith("pair") else 0
        if type(field.default) is list and not 0 < len(words) <= len(field.default):
            wanted = len(field.default)  # of a threshold either both are given or the upper one
        if not is_list and len(words) != 1:
            if _is_to_be_filled(name, words):
                return UNKNOWN, None
            return UNKNOWN, wrong_type("read", Message("{count} words where one belongs", {"count": len(words)}))
        if wanted and len(words) != wanted:
            told = Message("{count} words where {wanted} belong", {"count": len(words), "wanted": wanted})
            return UNKNOWN, wrong_type("read", told)
        if not is_list:
            return self.one(words[0], field)
        found = [self.one(word, Field(kind[5:-1], None, field.choices)) for word in words]
        fault = next((fault for _, fault in found if fault is not None), None)
        return (UNKNOWN if fault else [value for value, _ in found]), fault

    def takes_anything(self, name: str, field: "Field") -> bool:
        return field.type.rstrip("?") == "str" and not field.choices and name.rpartition(".")[2] not in _LOOKED_UP


_SIZES = ("train_batch_size", "rollout_batch_size", "micro_train_batch_size", "micro_rollout_batch_size")
_ENGINES = ("vllm_num_engines", "vllm_tensor_parallel_size")
_OTHERS = (
    "n_samples_per_prompt",
    "ref_num_gpus_per_node",
    "ref_num_nodes",
    "ring_attn_size",
    "ds_tensor_parallel_size",
    "vllm_generate_batch_size",
)
_SPREAD = ("vllm_tensor_parallel_size", "ring_attn_size", "ds_tensor_parallel_size")


def _both(*flags: str) -> "tuple[str, ...]":
    """Flags by both their names."""
    return (*flags, *map(dotted, flags))


class FlagArithmetic(Arithmetic):
    def settings_of(self, shape: "Shape", key: "Key", value: "Lookup | None" = None) -> "dict[str, object] | None":
        """{flag: value} for batches of a shape. Sequences are spread in a ring, and layers over GPUs; there are no stages and no experts apart."""
        if not shape.ranks or shape.update % shape.group or shape.pipeline > 1 or shape.expert > 1:
            return None
        found = {
            _GPUS: shape.per_node,
            _NODES: shape.nodes,
            "rollout_batch_size": shape.update * shape.updates // shape.group,
            "n_samples_per_prompt": shape.group,
            "train_batch_size": shape.update,
            "micro_train_batch_size": shape.micro,
            **({"ring_attn_size": shape.context} if shape.context > 1 else {}),
            **({"ds_tensor_parallel_size": shape.tensor} if shape.tensor > 1 else {}),
        }
        named: dict[str, object] = {self._called(flag, key): value for flag, value in found.items()}
        if value is not None:
            named.update(self._following(named, value, key))
        return named if all(self.framework.releases.has(flag, key) for flag in named) else None

    def why_not(self, shape: "Shape", version: str, key: "Key") -> Message:
        if shape.pipeline > 1 or shape.expert > 1:
            told = {"title": self.framework.title, "version": version}
            return Message(
                "{title} {version} trains with DeepSpeed, and has no pipeline and no expert parallel there", told
            )
        return super().why_not(shape, version, key)

    def _following(self, settings: "dict[str, object]", value: "Lookup", key: "Key") -> "dict[str, object]":
        """What shares the GPUs of the actor has as many, and every rank gets whole micro batches of a rollout."""

        def size(flag: str, default: int) -> int:
            found = settings.get(self._called(flag, key)) or value(self._called(flag, key))
            return found if type(found) is int and found > 0 else default

        per_node, nodes = size(_GPUS, 8), size(_NODES, 1)
        ranks = per_node * nodes // (size("ring_attn_size", 1) * size("ds_tensor_parallel_size", 1)) or 1
        of_rank = size("rollout_batch_size", 1) * size("n_samples_per_prompt", 1) // ranks
        found = {"micro_rollout_batch_size": gcd(size("micro_rollout_batch_size", _MOST_MICRO), of_rank)}
        shares_all = value(self._called("colocate_all_models", key)) is True
        if shares_all or value(self._called("colocate_actor_ref", key)) is True:
            found.update(ref_num_gpus_per_node=per_node, ref_num_nodes=nodes)
        if shares_all and value(self._called("async_train", key)) is not True:
            found["vllm_num_engines"] = max(per_node * nodes // size("vllm_tensor_parallel_size", 1), 1)
        return {self._called(flag, key): each for flag, each in found.items()}

    def _called(self, flag: str, key: "Key") -> str:
        """What a release calls a flag."""
        return flag if self.framework.releases.has(flag, key) else dotted(flag)


FRAMEWORK = Framework(
    name="openrlhf",
    title="OpenRLHF",
    catalogue=CatalogueOfPatches(catalogue),
    reader=Reader(
        configs=FlagConfigs(),
        trainer=FlagTrainer(),
        keys=FlagKeys(),
        renames=FlagRenames(),
        values=FlagValues(),
        files=ConfigFiles(
            reads_yaml_since=_NEVER, attachments=dict.fromkeys(("pretrain", dotted("pretrain")), models.attached)
        ),
        flags=Switches(),
        programs=Programs(model_key=dotted("pretrain")),
    ),
    releases=Releases(package="openrlhf"),
    copies=Copies(
        parser="openrlhf/cli/train_ppo_ray.py",
        # other branches of a copy go without a reward model
        checks={
            "early-releases-are-told-a-reward": (
                "if not args.remote_rm_url: reward_pretrains = args.reward_pretrain.split",
            )
        },
    ),
    arithmetic=FlagArithmetic(
        regimes=regimes_of(PLAN, OPTIONS, IDLE),
        own_names={
            "prompts_per_rollout": "rollout_batch_size",
            "group_size": "n_samples_per_prompt",
            "completions_per_update": "train_batch_size",
            "micro_batch": "micro_train_batch_size",
        },
        batch_keys=(
            _both("train_batch_size", "micro_train_batch_size"),
            _both("rollout_batch_size", "n_samples_per_prompt"),
        ),
        hint_keys=_both(_GPUS),
    ),
    refusals=Refusals(
        enforcement=Enforcements(ENFORCEMENT, rules.RULES),
        parser_says={
            "key-is-known": _PARSER,
            "key-is-of-this-version": _PARSER,
            "key-is-spelt-out": "not refused: the parser completes the flag to the one that begins like it",
            "key-is-not-ambiguous": _PARSER,
            "key-stands-once": "not refused: the last of two flags is used",
        },
    ),
    knobs=Knobs(
        names=_both(*_SIZES, *_ENGINES, *_OTHERS),
        parallel=frozenset(_both(*_SPREAD)),
        dividing_the_model=frozenset(_both(*_SPREAD)),
        for_memory="micro_train_batch_size",
        staying=frozenset(_both("vllm_num_engines")),
        keeps_groups=True,
    ),
)
