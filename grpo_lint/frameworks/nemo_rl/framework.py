"""NeMo-RL: one YAML file that builds on others by their paths, and overrides in the grammar of Hydra on the command."""

from ...message import Message
from ...plan.plan import Reference
from ...unknown import UNKNOWN
from ..base import (
    Attached,
    ConfigFiles,
    Copies,
    Fault,
    Framework,
    Knobs,
    Primaries,
    Reader,
    Refusals,
    Trainer,
    Values,
    whole_number,
)
from ..by_release import Enforcements, regimes_of
from ..catalogue import Catalogue
from ..shared import models
from ..shared.merged_keys import DatedPrograms, DatedReleases, MergedKeys, number_meant
from ..shared.pydantic_kinds import Annotations, null_section, told
from ..shared.sections import SectionArithmetic, SectionConfigs, SectionRenames, Sizes, reference_in
from ..shared.values import wrong_type
from . import catalogue, declared, rules
from .enforcement import ENFORCEMENT
from .options import IDLE, OPTIONS, PLAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Field, Key, Lookup, Mapping, Run, Shape

DECLARED = "declared"  # the group of what is a setting whether or not the base config has it
BASE = "--config-name"  # the key that says on which example of a release a config builds
MISSING, LOOPS = "--missing", "--loops"  # on which path it cannot build, and that it would build on itself
_REFERRING = ("1B", "8B")  # the groups of the examples in which settings refer to each other by catalogue.REFERRED
_BY_HYDRA = "Hydra's overrides, when the config is read"
_IF_PLAIN = "where a plain override sets it; not refused where a file does"
_COLOCATED = "policy.generation.colocated"
_GPUS = ("cluster.gpus_per_node", "cluster.num_nodes")
_SIZES = Sizes(
    rollout="grpo.num_prompts_per_step", group="grpo.num_generations_per_prompt", update="policy.train_global_batch_size",
    micro=("policy.train_micro_batch_size", "policy.logprob_batch_size"),
)  # fmt: skip
# {setting: when a release up to 0.6 stumbles over a text or a fraction in it}
_COUNTED = dict.fromkeys((*_GPUS, _SIZES.rollout, "grpo.val_batch_size"), "init")
_COUNTED.update(dict.fromkeys((_SIZES.update, _SIZES.micro[0], _SIZES.group), "run"))
_OWN_NAMES = {"prompts_per_rollout": "num_prompts_per_step", "group_size": "num_generations_per_prompt", "completions_per_update": "train_global_batch_size"}  # fmt: skip
_NULLABLE = {"data_plane": False}  # sections that may be null
_OF_ENVIRONMENTS = "run_grpo_nemo_gym.py"  # which counts the rows of validation itself
_FOLLOWS_SINCE = (0, 6)  # the release whose examples refer to the micro batch of training in that of log-probabilities
_TYPED_SINCE = (0, 7)  # the release that checks types when it reads a config
_ENGINES = tuple(f"policy.generation.vllm_cfg.{each}_parallel_size" for each in ("tensor", "pipeline", "expert"))
# {setting that is compared with a number when the workers are set up: what another has to be for that}
_COMPARED: "dict[str, tuple[str, str] | None]" = dict.fromkeys(_ENGINES, ("policy.generation.backend", "vllm"))
_COMPARED["grpo.val_period"] = None
_DECLARED = Annotations(declared.KINDS, declared.SWITCHED, _COMPARED)
_SECTIONS = frozenset("policy loss_fn env data grpo logger cluster checkpointing".split())  # each is read
# {setting: as the examples have it, which is what a rule computes}
_TOKENS = {
    f"policy.{way}.{kind}_mb_tokens": f"${{mul:${{policy.max_total_sequence_length}}, ${{{micro}}}}}"
    for way in ("sequence_packing", "dynamic_batching")
    for kind, micro in zip(("train", "logprob"), _SIZES.micro)
}
_IGNORES = "NRL_IGNORE_TP_ACCURACY_CHECK"
_ESTIMATOR = "grpo.adv_estimator."
_SGLANG, _OF_SGLANG = "policy.generation.sglang_cfg", "context_length gpus_per_server tp_size dp_size model_path dtype mem_fraction_static".split()  # fmt: skip


class NemoConfigs(SectionConfigs):
    def facts_in_file(self, value: "Lookup") -> "dict[str, tuple[int, str]]":
        """The GPUs that train: those of the cluster without those that generate apart."""
        base = value(BASE)
        usual = catalogue.GPUS.get(base if type(base) is str else "", (None, None))
        per_node, nodes = (
            number_meant(usual[at] if value(name) is None else value(name)) for at, name in enumerate(_GPUS)
        )
        if not per_node or not nodes or (apart := _apart(value, nodes)) is None:
            return {}
        per_node, nodes = (per_node - apart, nodes) if nodes == 1 else (per_node, nodes - apart)
        if per_node < 1 or nodes < 1:
            return {}
        return {"processes_per_node": (per_node, _GPUS[0]), "world_size": (per_node * nodes, " x ".join(_GPUS))}

    def is_complete(self, is_based: bool, is_started: bool, value: "Lookup") -> bool:
        """Whether what is not written has the value of an example; a file that builds on none is whole where it has all sizes, or is
        started as it stands."""
        is_given = (value(name) is not None for name in _COUNTED)
        return is_based and (value(BASE) is not None or is_started or all(is_given))

    def implied(self, value: "Lookup", is_whole: bool) -> "dict[str, Attached]":
        """Whether a config lacks what each of them needs, or names one on which it cannot build; and whether its one GPU is that of the usual
        example, so that the command may set others."""
        if (missing := value(MISSING)) is not None:
            is_itself = Attached("defaults", value(LOOPS) is not None, Message("set"))
            return {"missing_base": Attached("defaults", missing, Message("set")), "builds_on_itself": is_itself}
        is_based = value(BASE) is not None
        if is_whole and not is_based and value("logger.log_dir") is None:
            return {"lacks_a_base": Attached("defaults", True, Message("not set"))}
        is_usual = [value(name) for name in _GPUS] in ([1, 1], [None, None])
        found = {"gpus_are_open": Attached(_GPUS[0], True, Message("set"))} if is_usual and not is_whole else {}
        if (is_whole or is_based) and all(value(f"{_SGLANG}.{name}") is None for name in _OF_SGLANG):
            found["lacks_sglang"] = Attached(_SGLANG, True, Message("not set"))
        return found


def _apart(value: "Lookup", nodes: int) -> "int | None":
    """The GPUs of the node that only generate or hold a reward model, or of several nodes as many; None where it is not known, as where teachers
    have nodes of their own, or where those of environments may be counted or not."""
    others = value("on_policy_distillation.non_colocated_teachers.enabled") or value("env.nemo_gym.num_gpu_nodes")
    if others or (colocated := value(f"{_COLOCATED}.enabled")) not in (None, True, False):
        return None
    is_named = "reward_model" in (value("data.default.env_name"), value("data.env_name"))
    has_rewards = is_named or value("env.reward_model.enabled") is True
    sections = [_COLOCATED] * (colocated is False) + ["env.reward_model"] * has_rewards
    unit = "resources." + ("gpus_per_node" if nodes == 1 else "num_nodes")
    written = [whole_number(value(f"{section}.{unit}")) for section in sections]
    return sum(filter(None, written)) if all(written) else None


class NemoPrograms(DatedPrograms):
    """Its examples, whose names changed."""

    dates = {
        "run_grpo.py": ((0, 5), None), "run_vlm_grpo.py": ((0, 4), None),
        "run_grpo_math.py": ((0, 2), (0, 5)), "run_grpo_rm.py": ((0, 4), (0, 5)), _OF_ENVIRONMENTS: ((0, 5), None),
    }  # fmt: skip

    def surroundings(self, environment: "Mapping[str, object]") -> "dict[str, Attached]":
        return {"ignores_accuracy": Attached(_IGNORES, True, Message("set"))} if _IGNORES in environment else {}


class NemoRenames(SectionRenames):
    """Since 0.6 there are data to train with and data to validate with, each with settings of its own, and what both have."""

    moved = {
        "data.dataset_name": "data.train.dataset_name", "data.train_data_path": "data.train.data_path", "data.split": "data.train.split",
        "data.val_dataset_name": "data.validation.dataset_name", "data.prompt_file": "data.default.prompt_file",
        "data.system_prompt_file": "data.default.system_prompt_file",
    }  # fmt: skip


class NemoTrainer(Trainer):
    """The settings are those of the example on which a config builds."""

    field = _SIZES.group

    def groups(self, algorithm: str, loader: str, value: "Lookup" = lambda name: None) -> "tuple[str, ...]":
        group = catalogue.BASES.get(str(value(BASE)))
        return (group, DECLARED) if group else (DECLARED,)


class NemoKeys(MergedKeys):
    open_sections = ("env.", "data.", "logger.", "policy.scheduler.", "policy.optimizer.", "policy.generation.mcore_generation_config.")  # fmt: skip
    may_be_null = ("policy.optimizer", "data.validation")
    moved = NemoRenames.moved
    needed_with = {
        "policy.generation.": ("policy.generation.backend", "vllm"),
        _ESTIMATOR: (f"{_ESTIMATOR}name", "grpo"),
    }

    def launch_key(self, name: str, key: "Key", loader: str) -> bool:
        return super().launch_key(name, key, loader) or name.rpartition(".")[2] == "_override_"


class NemoValues(Values):
    def read(
        self, name: str, value: object, field: "Field", launch: "Run", key: "Key"
    ) -> "tuple[object, Fault | None]":
        """Values are kept as they are, up to 0.6 whatever their types; then the types are checked, and numbers in texts are taken."""
        if getattr(launch.entries.get(name), "operator", "") == "delete":
            return UNKNOWN, self._deleted(name, launch, key)
        if field.type == "section?":
            is_null = _NULLABLE.get(name, value) is None
            return UNKNOWN, null_section("read" if key[:2] > (0, 5) else "init") if is_null else None
        if (fault := _DECLARED.fault(name, value, launch, key)) is not None:
            return UNKNOWN, fault
        if name in _COUNTED and type(value) is not int and not (type(value) is str and "$" in value):
            return self._counted(name, value, launch, key)
        if value is None:
            return None if field.default is None else UNKNOWN, None
        if type(value) is str and "${" in value:
            return _referred(name, value, launch), None
        return UNKNOWN if type(value) in (list, dict) else value, None

    def _deleted(self, name: str, launch: "Run", key: "Key") -> "Fault | None":
        """What becomes of a setting that the command takes away: others refer to it, or the program reads it."""
        for referring, since, until in catalogue.REFERRED.get(name, ()):
            if since <= key[:2] < until and launch.groups[0] in _REFERRING and referring not in launch.entries:
                needed = Message("{name} refers to it", {"name": referring})
                return Fault("read", "deleted-setting-is-not-needed", needed=needed)
        if name not in _COUNTED and name not in _SECTIONS:
            return None
        stage = "config" if key[:2] >= _TYPED_SINCE else _COUNTED.get(name, "init")
        return Fault(stage, "deleted-setting-is-not-needed", needed=Message("each run reads it"))  # type: ignore[arg-type]  # a stage

    def _counted(self, name: str, value: object, launch: "Run", key: "Key") -> "tuple[object, Fault | None]":
        """What becomes of a number that is written as a text, with a point, or as a truth value, and of none, which the program with
        environments sets, and one of a copy may set."""
        program = launch.attached.get("program")
        is_left_open = program.value == _OF_ENVIRONMENTS if program else launch.copy is not None
        if value is None and (is_left_open or key[:2] >= _TYPED_SINCE):
            return UNKNOWN, None
        number = number_meant(value)
        if number is not None and (key[:2] >= _TYPED_SINCE or type(value) is bool):
            return number, None
        return UNKNOWN, wrong_type("config" if key[:2] >= _TYPED_SINCE else _COUNTED[name], told(value, "int"))  # type: ignore[arg-type]  # a stage


def _referred(name: str, value: str, launch: "Run") -> object:
    """What a text with an interpolation stands for: another setting, or nothing where an example has the same text."""
    if _TOKENS.get(name) == value:
        return None
    target = reference_in(value)
    is_known = target in launch.entries and launch.framework.catalogue.known(target, launch.groups)
    return Reference(target) if is_known else UNKNOWN


_OF_DTENSOR = [f"policy.dtensor_cfg.{each}_parallel_size" for each in ("tensor", "context")]
_OF_MEGATRON = [f"policy.megatron_cfg.{each}_parallel_size" for each in ("tensor_model", "pipeline_model", "context")]
_PARALLEL = (_ENGINES[0], *_OF_DTENSOR, *_OF_MEGATRON)
_KNOBS = (_SIZES.rollout, _SIZES.update, *_SIZES.micro, _SIZES.group, *_PARALLEL, "policy.make_sequence_length_divisible_by", "grpo.val_batch_size")  # fmt: skip


class NemoArithmetic(SectionArithmetic):
    gpus = _GPUS
    update_counts_prompts = False
    spread_by = "grpo_lint.frameworks.nemo_rl.spread"

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
        configs=NemoConfigs(needed_in="grpo_lint.frameworks.nemo_rl.needed"),
        primaries=Primaries(names=tuple(catalogue.BASES)),
        trainer=NemoTrainer(),
        keys=NemoKeys(),
        renames=NemoRenames(),
        values=NemoValues(),
        programs=NemoPrograms(model_key="policy.model_name"),
        files=ConfigFiles(unique_keys=((0, 0), (9, 9)), attachments={"policy.model_name": models.attached}),
    ),
    releases=DatedReleases(package="nemo-rl"),  # none is on a package index: users train in a checkout
    copies=Copies(module="grpo_lint.frameworks.nemo_rl.copied"),
    arithmetic=NemoArithmetic(
        regimes=regimes_of(PLAN, OPTIONS, IDLE),
        sizes=_SIZES,
        own_names=_OWN_NAMES,
        batch_keys=((_SIZES.update, _SIZES.micro[0]), (_SIZES.rollout, _SIZES.group)),
    ),
    refusals=Refusals(
        enforcement=Enforcements(ENFORCEMENT, rules.RULES),
        parser_says={
            **dict.fromkeys(("key-is-known", "key-is-of-this-version"), f"{_BY_HYDRA}, {_IF_PLAIN}"),
            **dict.fromkeys(("appended-key-is-new", "field-outside-the-tree-is-appended"), _BY_HYDRA),
            "required-key-is-given": "the program, where it reads it; since 0.7 pydantic, when the config is read",
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
        parallel=frozenset(_PARALLEL),
        dividing_the_model=frozenset(_PARALLEL),
        for_memory=_SIZES.micro[0],
        keeps_groups=True,
    ),
)
