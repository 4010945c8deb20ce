"""NeMo-RL: one YAML file that builds on others by their paths, and overrides in the grammar of Hydra on the command."""

from ...message import Message
from ...plan.plan import Reference
from ...source.overrides import Override
from ...unknown import UNKNOWN
from ..base import (
    Attached,
    ConfigFiles,
    Copies,
    Fate,
    Fault,
    Framework,
    Keys,
    Knobs,
    Primaries,
    Programs,
    Reader,
    Refusals,
    Trainer,
    Values,
    whole_number,
)
from ..by_release import Enforcements, regimes_of
from ..catalogue import Catalogue
from ..command_spec import PROGRAM
from ..shared.sections import SectionArithmetic, SectionConfigs, SectionReleases, SectionRenames, Sizes
from ..shared.values import WANTED, quoted, wrong_type
from ..versions import bits_of
from . import catalogue, rules
from .enforcement import ENFORCEMENT
from .options import IDLE, OPTIONS, PLAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Entry, Field, Groups, Iterable, Key, Lookup, Mapping, Release, Run, Shape

DECLARED = "declared"  # the group of what is a setting whether or not the base config has it
BASE = "--config-name"  # the key that says on which example of a release a config builds
MISSING, LOOPS = (
    "--missing",
    "--loops",
)  # and those that say on which path it cannot build, and that it would build on itself
_USUAL = "grpo_math_1B"  # the example that a command without a config starts from
_BY_HYDRA = "Hydra's overrides, when the config is read"
_SIZES = Sizes(
    rollout="grpo.num_prompts_per_step",
    group="grpo.num_generations_per_prompt",
    update="policy.train_global_batch_size",
    micro=("policy.train_micro_batch_size", "policy.logprob_batch_size"),
)
# {setting: when a release up to 0.6 stumbles over a text or a fraction in it}
_COUNTED = {
    "cluster.gpus_per_node": "init",
    "cluster.num_nodes": "init",
    _SIZES.rollout: "init",
    "grpo.val_batch_size": "init",
    _SIZES.update: "run",
    "policy.train_micro_batch_size": "run",
    _SIZES.group: "run",
}
_NEEDED = "logger.log_dir"  # which every program reads first
_FOLLOWS_SINCE = (0, 6)  # the release whose examples refer to the micro batch of training in that of log-probabilities
_TYPED_SINCE = (0, 7)  # the release that checks types when it reads a config
# {program: the first and the last release that has it}; those that are not here are in all since they came
_PROGRAMS = {
    "run_grpo.py": ((0, 5), None),
    "run_grpo_math.py": ((0, 2), (0, 5)),
    "run_grpo_rm.py": ((0, 4), (0, 5)),
    "run_vlm_grpo.py": ((0, 4), None),
}
_SECTIONS = frozenset(
    ("policy", "loss_fn", "env", "data", "grpo", "logger", "cluster", "checkpointing")
)  # each is read
# {setting: (the first release whose example grpo_math_1B refers to it, what refers)}
_REFERRED = {
    "policy.max_total_sequence_length": ((0, 2), "policy.generation.max_new_tokens"),
    "policy.train_micro_batch_size": ((0, 2), "policy.dynamic_batching.train_mb_tokens"),
    "policy.logprob_batch_size": ((0, 2), "policy.dynamic_batching.logprob_mb_tokens"),
    "policy.dtensor_cfg.tensor_parallel_size": ((0, 2), "policy.make_sequence_length_divisible_by"),
    "policy.precision": ((0, 2), "policy.generation.vllm_cfg.precision"),
    "policy.model_name": ((0, 2), "policy.tokenizer.name"),
    "policy.max_grad_norm": ((0, 4), "policy.megatron_cfg.optimizer.clip_grad"),
    "grpo.seed": ((0, 6), "data.train.seed"),
    "grpo.normalize_rewards": ((0, 6), "grpo.adv_estimator.normalize_rewards"),
    "grpo.use_leave_one_out_baseline": ((0, 6), "grpo.adv_estimator.use_leave_one_out_baseline"),
}
# {setting: as the examples have it, which is what a rule computes}
_TOKENS = {
    f"policy.{way}.{kind}_mb_tokens": f"${{mul:${{policy.max_total_sequence_length}}, ${{{micro}}}}}"
    for way in ("sequence_packing", "dynamic_batching")
    for kind, micro in zip(("train", "logprob"), _SIZES.micro)
}
_IGNORES = "NRL_IGNORE_TP_ACCURACY_CHECK"
_SGLANG = ("context_length", "gpus_per_server", "tp_size", "dp_size", "model_path", "dtype", "mem_fraction_static")
_NULL = ("policy.optimizer", "data.validation")  # sections in whose place an example may have null
_OPEN = (
    "env.",
    "data.",
    "logger.",
    "policy.scheduler.",
    "policy.optimizer.",
)  # sections in which anybody has keys of his own


class NemoConfigs(SectionConfigs):
    def facts_in_file(self, value: "Lookup") -> "dict[str, tuple[int, str]]":
        """The GPUs that train: those of the cluster without those that generate apart."""
        base = value(BASE)
        usual = catalogue.GPUS.get(base if type(base) is str else "", (None, None))
        per_node, nodes = (
            _whole(usual[at] if value(name) is None else value(name))
            for at, name in enumerate(("cluster.gpus_per_node", "cluster.num_nodes"))
        )
        if not per_node or not nodes:
            return {}
        apart = _apart(value, nodes)
        if apart is None:
            return {}
        per_node, nodes = (per_node - apart, nodes) if nodes == 1 else (per_node, nodes - apart)
        if per_node < 1 or nodes < 1:
            return {}
        told = "cluster.gpus_per_node x cluster.num_nodes"
        return {"processes_per_node": (per_node, "cluster.gpus_per_node"), "world_size": (per_node * nodes, told)}

    def is_complete(self, is_based: bool, is_started: bool, value: "Lookup") -> bool:
        """Whether what is not written has the value of an example; a file that builds on none is whole where it has all sizes, or is
        started as it stands."""
        is_of_an_example = value(BASE) is not None
        return is_based and (is_of_an_example or is_started or all(value(name) is not None for name in _COUNTED))

    def implied(self, value: "Lookup", is_whole: bool) -> "dict[str, Attached]":
        """Whether a config lacks what each of them needs, or names one on which it cannot build."""
        if (missing := value(MISSING)) is not None:
            is_itself = Attached("defaults", value(LOOPS) is not None, Message("set"))
            return {"missing_base": Attached("defaults", missing, Message("set")), "builds_on_itself": is_itself}
        is_based = value(BASE) is not None
        if is_whole and not is_based and value(_NEEDED) is None:
            return {"lacks_a_base": Attached("defaults", True, Message("not set"))}
        section = "policy.generation.sglang_cfg"
        if (is_whole or is_based) and all(value(f"{section}.{name}") is None for name in _SGLANG):
            return {"lacks_sglang": Attached(section, True, Message("not set"))}
        return {}


def _apart(value: "Lookup", nodes: int) -> "int | None":
    """The GPUs of the node that only generate, or of several nodes as many; None where it is not known."""
    section = "policy.generation.colocated"
    colocated = value(f"{section}.enabled")
    if colocated is None or colocated is True:
        return 0
    if colocated is not False:
        return None
    written = value(f"{section}.resources.{'gpus_per_node' if nodes == 1 else 'num_nodes'}")
    return whole_number(written)


class NemoPrograms(Programs):
    def dated(self, program: str) -> "dict[str, Attached]":
        """Its examples, whose names changed."""
        return {"program": Attached("program", program, Message("the command"))} if program in _PROGRAMS else {}

    def surroundings(self, environment: "Mapping[str, object]") -> "dict[str, Attached]":
        return {"ignores_accuracy": Attached(_IGNORES, True, Message("set"))} if _IGNORES in environment else {}


def has_program(program: str, key: "Key") -> bool:
    first, last = _PROGRAMS[program]
    return first <= key[:2] and (last is None or key[:2] <= last)


class NemoReleases(SectionReleases):
    def fitting(self, name: str, value: str, groups: "Groups", releases: "Iterable[Release]") -> int:
        if name == PROGRAM:
            return bits_of(release.index for release in releases if has_program(value, release.key))
        return super().fitting(name, value, groups, releases)


class NemoRenames(SectionRenames):
    """Since 0.6 there are data to train with and data to validate with, each with settings of its own, and what both have."""

    moved = {
        "data.dataset_name": "data.train.dataset_name",
        "data.train_data_path": "data.train.data_path",
        "data.split": "data.train.split",
        "data.val_dataset_name": "data.validation.dataset_name",
        "data.prompt_file": "data.default.prompt_file",
        "data.system_prompt_file": "data.default.system_prompt_file",
    }


class NemoTrainer(Trainer):
    """The settings are those of the example on which a config builds."""

    field = _SIZES.group

    def groups(self, algorithm: str, loader: str, value: "Lookup" = lambda name: None) -> "tuple[str, ...]":
        base = value(BASE)
        group = catalogue.BASES.get(base) if type(base) is str else None
        return (group, DECLARED) if group else (DECLARED,)


class NemoKeys(Keys):
    def written(self, name: str, entry: "Entry") -> str:
        return name

    def takes(self, name: str, entry: "Entry", launch: "Run", index: int) -> bool:
        """A plain override sets what is there. Any other key may be new: one that nobody reads is told where it is near one that is
        read."""
        catalogue, operator = self.framework.catalogue, getattr(entry, "operator", None)
        if operator == "delete":
            return True
        if operator == "set":
            if self._is_below_null(name, launch, index):
                return False
            is_open = (
                launch.incomplete
                or launch.overridden(name)
                or (name.startswith(_OPEN) and not self._has_moved(name, launch, index))
                or self._is_a_section(name, launch)
            )
            return bool(is_open or (len(launch.groups) > 1 and catalogue.known(name, launch.groups[:1]) >> index & 1))
        if catalogue.known(name, launch.groups) >> index & 1:
            return not (operator == "add" and self._is_there(name, launch, index))
        return not self._is_a_mistake(name, launch, index)

    def _is_below_null(self, name: str, launch: "Run", index: int) -> bool:
        """Whether the example has nothing where a setting would be, as Megatron's have no optimizer, and nobody else has set any there."""
        section = next((each for each in _NULL if name.startswith(f"{each}.")), "")
        if not section or launch.incomplete or len(launch.groups) == 1 or launch.overridden(section):
            return False  # of one group no example is known
        if self.framework.catalogue.fields(launch.groups[:1], index)[section] is None:
            return False
        others = [each for key, each in launch.entries.items() if key.startswith(section) and key != name]
        return all(getattr(each, "operator", None) == "set" for each in others)

    def _is_a_section(self, name: str, launch: "Run") -> bool:
        """Whether there are settings below a path."""
        begin = f"{name}."
        return any(each.startswith(begin) for each in (*self.framework.catalogue.names(), *launch.entries))

    def _is_there(self, name: str, launch: "Run", index: int) -> bool:
        """Whether the example has a setting, so that it cannot be appended."""
        if self._is_below_null(name, launch, index):
            return False
        field = self.framework.catalogue.fields(launch.groups[:1], index)[name] if len(launch.groups) > 1 else None
        return (field is not None and field.default is not None) or bool(launch.overridden(name))

    def _has_moved(self, name: str, launch: "Run", index: int) -> bool:
        """Whether a setting stands elsewhere in a release, which reads it no more."""
        fields = self.framework.catalogue.fields(launch.groups, index)
        return not fields[name] and fields[NemoRenames.moved.get(name, "")] is not None

    def _is_a_mistake(self, name: str, launch: "Run", index: int) -> bool:
        fields = self.framework.catalogue.fields(launch.groups, index)
        if self._has_moved(name, launch, index):
            return True
        is_open = name.startswith(_OPEN) or "." not in name or _is_named_by_a_copy(name, launch)
        return not is_open and self.framework.reader.renames.successor(name, fields)[0] is not None

    def misplaced(self, name: str, entry: "Entry", launch: "Run", candidate: "Release") -> "Fault | None":
        if not isinstance(entry, Override) or entry.operator == "force":
            return None
        values = {"key": entry.name, "title": self.framework.title, "version": candidate.text}
        known = self.framework.catalogue.known(name, launch.groups) >> candidate.index & 1
        if entry.operator == "add":
            return (
                Fault("read", "appended-key-is-new", consequence=Message("Hydra refuses it"), rename=name, **values)
                if known
                else None
            )
        if entry.operator == "set" and known:
            return Fault(
                "read",
                "field-outside-the-tree-is-appended",
                consequence=Message("Hydra refuses it"),
                rename=f"+{name}",
                **values,
            )
        return None

    def launch_key(self, name: str, key: "Key", loader: str) -> bool:
        return name.startswith("--") or name == "defaults" or name.rpartition(".")[2] == "_override_"

    def unknown_key(self, key: "Key", launch: "Run", is_flag: bool) -> "Fate":
        return super().unknown_key(key, launch, is_flag)

    def fate_of(self, entry: "Entry", key: "Key", launch: "Run") -> "Fate":
        """A plain override of what is not there is refused; any other key is kept and read by nobody."""
        if isinstance(entry, Override) and entry.operator == "set":
            return Fate(
                "error",
                "read",
                Message(
                    "it is refused when the overrides are read",
                    plural="they are refused when the overrides are read",
                    count=1,
                ),
            )
        return self.unknown_key(key, launch, False)


def _is_named_by_a_copy(name: str, launch: "Run") -> bool:
    """Whether the code of the copy that is run names a setting, or its section: it may hand all of a section on."""
    copy, parts = launch.copy, name.split(".")[1:]
    return copy is not None and any(map(copy.names, parts[-2:]))


def _may_be_set(launch: "Run") -> bool:
    """Whether a program of a copy may set a size itself, as those with an environment do; none is known to start this file."""
    return launch.copy is not None and launch.origin is None


class NemoValues(Values):
    def read(
        self, name: str, value: object, field: "Field", launch: "Run", key: "Key"
    ) -> "tuple[object, Fault | None]":
        """Values are kept as they are, up to 0.6 whatever their types; then the types are checked, and numbers in texts are taken."""
        if getattr(launch.entries.get(name), "operator", "") == "delete":
            return UNKNOWN, self._deleted(name, launch, key)
        if field.type == "section?":
            return UNKNOWN, _fault_of_section(value, key)
        if name in _COUNTED and type(value) is not int and not (type(value) is str and "$" in value):
            return self._counted(name, value, key, _may_be_set(launch))
        if value is None:
            return None if field.default is None else UNKNOWN, None
        if type(value) is str and "${" in value:
            return _referred(name, value, launch), None
        if type(value) in (list, dict):
            return UNKNOWN, None
        return value, None

    def _deleted(self, name: str, launch: "Run", key: "Key") -> "Fault | None":
        """What becomes of a setting that the command takes away: others refer to it, or the program reads it."""
        since, referring = _REFERRED.get(name, (key, ""))
        is_of_that_example = launch.groups[0] in (catalogue.BASES[_USUAL], catalogue.BASES["grpo_math_8B"])
        if referring and is_of_that_example and since <= key[:2] and referring not in launch.entries:
            return Fault(
                "read",
                "deleted-setting-is-not-needed",
                needed=Message("{name} refers to it", {"name": referring}),
            )
        if name not in _COUNTED and name not in _SECTIONS:
            return None
        stage = "config" if key[:2] >= _TYPED_SINCE else _COUNTED.get(name, "init")
        return Fault(stage, "deleted-setting-is-not-needed", needed=Message("each run reads it"))  # type: ignore[arg-type]  # a stage

    def _counted(self, name: str, value: object, key: "Key", may_be_set: bool = False) -> "tuple[object, Fault | None]":
        """What becomes of a number that is written as a text, with a point, or as a truth value, and of none, which another program of a
        copy `may set`, as those with an environment count their data."""
        if value is None and may_be_set:
            return UNKNOWN, None
        number = _whole(value)
        if number is not None and (key[:2] >= _TYPED_SINCE or type(value) is bool):
            return number, None
        if type(value) in (list, dict):
            return UNKNOWN, None
        shown = quoted(value) if type(value) is str else "null" if value is None else str(value)
        told = Message("{what}, and takes {wanted}", {"what": shown, "wanted": WANTED["int"]})
        return UNKNOWN, wrong_type("config" if key[:2] >= _TYPED_SINCE else _COUNTED[name], told)  # type: ignore[arg-type]  # a stage


def _referred(name: str, value: str, launch: "Run") -> object:
    """What a text with an interpolation stands for: another setting, or nothing where an example has the same text."""
    if _TOKENS.get(name) == value:
        return None
    target = value[2:-1]
    is_whole = value == f"${{{target}}}" and {":", "{", "}"}.isdisjoint(target)
    return Reference(target) if is_whole and target in launch.entries else UNKNOWN


def _fault_of_section(value: object, key: "Key") -> "Fault | None":
    """A section with nothing in it is null, and the settings on which it builds are gone."""
    if value is not None:
        return None
    told = Message("null, and takes {wanted}", {"wanted": Message("a mapping")})
    return wrong_type("read" if key[:2] >= (0, 6) else "init", told)


def _whole(value: object) -> "int | None":
    """The number that is meant, where the framework may take it for one."""
    if value is None or isinstance(value, (bool, int)):
        return None if value is None else int(value)
    if type(value) is float:
        return int(value) if value.is_integer() and abs(value) < 1e15 else None
    text = str(value).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None


_KNOBS = (
    _SIZES.rollout,
    _SIZES.update,
    *_SIZES.micro,
    _SIZES.group,
    "policy.generation.vllm_cfg.tensor_parallel_size",
    "policy.dtensor_cfg.tensor_parallel_size",
    "policy.dtensor_cfg.context_parallel_size",
    "policy.megatron_cfg.tensor_model_parallel_size",
    "policy.megatron_cfg.pipeline_model_parallel_size",
    "policy.megatron_cfg.context_parallel_size",
    "policy.make_sequence_length_divisible_by",
    "grpo.val_batch_size",
)


class NemoArithmetic(SectionArithmetic):
    gpus = ("cluster.gpus_per_node", "cluster.num_nodes")
    update_counts_prompts = False

    def settings_of(self, shape: "Shape", key: "Key", value: "Lookup | None" = None) -> "dict[str, object] | None":
        """Since 0.6 the examples let the second micro batch follow the first, so that it is written only where the run has its own."""
        found, follower = super().settings_of(shape, key, value), _SIZES.micro[1]
        if found is not None and key[:2] >= _FOLLOWS_SINCE and (value is None or value(follower) is None):
            del found[follower]
        return found


FRAMEWORK = Framework(
    name="nemo-rl",
    title="NeMo-RL",
    catalogue=Catalogue(catalogue),
    reader=Reader(
        configs=NemoConfigs(),
        primaries=Primaries(names=tuple(catalogue.BASES)),
        trainer=NemoTrainer(),
        keys=NemoKeys(),
        renames=NemoRenames(),
        values=NemoValues(),
        programs=NemoPrograms(model_key="policy.model_name"),
        files=ConfigFiles(unique_keys=((0, 0), (9, 9))),
    ),
    releases=NemoReleases(package="nemo-rl"),  # none is on a package index: users train in a checkout
    copies=Copies(module="grpo_lint.frameworks.nemo_rl.copied"),
    arithmetic=NemoArithmetic(
        regimes=regimes_of(PLAN, OPTIONS, IDLE),
        sizes=_SIZES,
        own_names={
            "prompts_per_rollout": "num_prompts_per_step",
            "group_size": "num_generations_per_prompt",
            "completions_per_update": "train_global_batch_size",
        },
        batch_keys=(
            (_SIZES.update, _SIZES.micro[0]),
            (_SIZES.rollout, _SIZES.group),
        ),
    ),
    refusals=Refusals(
        enforcement=Enforcements(ENFORCEMENT, rules.RULES),
        parser_says={
            "key-is-known": f"{_BY_HYDRA}, where a plain override sets it; not refused where a file does",
            "key-is-of-this-version": f"{_BY_HYDRA}, where a plain override sets it; not refused where a file does",
            "appended-key-is-new": _BY_HYDRA,
            "field-outside-the-tree-is-appended": _BY_HYDRA,
            "deleted-setting-is-not-needed": "OmegaConf, when it resolves what refers to it; else the program, where it reads it",
            "key-stands-once": "OmegaConf, when the file is read",
        },
        registrations={
            "nemo-rl-estimator-is-known": ("grpo.adv_estimator.name", ("AdvEstimatorConfig",)),
            "generation-backend-is-known": ("policy.generation.backend", ("GenerationConfig",)),
            "precision-is-spelt-out": ("policy.precision", ("PolicyConfig",)),
        },
    ),
    knobs=Knobs(
        names=_KNOBS,
        parallel=frozenset(name for name in _KNOBS if name.endswith("parallel_size")),
        dividing_the_model=frozenset(name for name in _KNOBS if name.endswith("parallel_size")),
        for_memory=_SIZES.micro[0],
        keeps_groups=True,
    ),
)
