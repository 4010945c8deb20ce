"""verl: `python3 -m verl.trainer.main_ppo` with overrides of Hydra, and files that build on its tree."""

from ...message import NOTHING, Message, verbatim
from ...plan.formula import Formula
from ...plan.plan import Reference
from ...source.entry import loaded
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
)
from ..by_release import Enforcements, regimes_of
from ..shared import models
from ..shared.sections import (
    SectionArithmetic,
    SectionConfigs,
    SectionReleases,
    SectionRenames,
    Sizes,
    beside,
    reference_in,
)
from . import catalogue, rules
from .enforcement import ENFORCEMENT
from .options import IDLE, OPTIONS, PLAN
from .tree import COUNTS, AskedField, Tree, TreeFields, tree_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import (
        AbstractSet,
        Entry,
        Field,
        Fields,
        Key,
        Lookup,
        Mapping,
        Release,
        Run,
    )


MOST_LOOKED_AT = 20  # keys unknown to all releases that are compared with known ones to find misspellings
MOST_REMEMBERED = 1000
_ENGINES = ("dp", "megatron", "veomni", "torchtitan", "mindspeed")
# The second ones are a mistake of their own: the settings of the engine that is meant are none.
_ENGINE_KEYS = (
    "model_engine",
    "actor_rollout_ref.model_engine",
    "actor_rollout_ref.actor.model_engine",
    "trainer.model_engine",
)
_OF_HYDRA = ("defaults", "hydra", "_target_")
_SECTIONS = ("actor_rollout_ref", "actor_rollout_ref.actor", "actor_rollout_ref.rollout", "actor_rollout_ref.ref", "actor_rollout_ref.model",
             "data", "algorithm", "trainer", "critic")  # fmt: skip
PRIMARY_TREES: "Mapping[str, str]" = {"ppo_trainer": "dp", "ppo_megatron_trainer": "megatron"}
_COUNTED = ("int", "float", "bool")
# Forks that give each prompt several agents count trajectories, and what a mini batch holds of them differs from fork to fork.
_TRAJECTORIES = (
    "actor_rollout_ref.rollout.n_agent",
    "actor_rollout_ref.rollout.agent_grpo.n",
    "agent_grpo.n",
    "data.n_samples",
)
# Forks for agents count environments in a batch, and a mini batch of steps: env.rollout.n environments are a group.
_OF_ENVIRONMENTS = ("env.rollout.n", "env.env_name", "env.max_steps")
_OF_VALIDATION = "actor_rollout_ref.rollout.n_val"
_COUNT = "actor_rollout_ref.rollout.n_"  # how the names begin by which forks say how many completions a prompt has
_IN_REWARD = "algorithm.use_kl_in_reward"
# Where a teacher gives the signal a group of one is in order.
_WITHOUT_GROUPS = ("distillation.enabled",)
_LOSS = "actor_rollout_ref.actor.policy_loss.loss_mode"
# {operand: settings of which one that is set takes the place of what is computed}
_ATTENTION = "actor_rollout_ref.model.override_config.attn_implementation"
_OWN = {
    "lengths_are_own": ("actor_rollout_ref.rollout.prompt_length", "actor_rollout_ref.rollout.response_length"),
    "window_is_own": (
        "actor_rollout_ref.model.override_config.max_position_embeddings",
        "actor_rollout_ref.model.override_config.rope_scaling",
        "actor_rollout_ref.model.override_config.model_config",
        "actor_rollout_ref.rollout.engine_kwargs.vllm.hf_overrides",
    ),
    "optimizer_is_own": tuple(
        f"actor_rollout_ref.actor.{section}.{name}"
        for section in ("optim.override_optimizer_config", "megatron.override_ddp_config")
        for name in (
            "optimizer_cpu_offload",
            "optimizer_offload_fraction",
            "use_precision_aware_optimizer",
            "grad_reduce_in_fp32",
        )
    ),
}
_OF_CRITICS = ("critic.model.path", "critic.optim.lr", "critic.ppo_micro_batch_size_per_gpu", "critic.enable")

_BY_HYDRA = "Hydra, when the command line is read"
_REWARD_MANAGERS = ("reward_model.reward_manager", "reward.reward_manager.name")
_OVERLONG = "reward_model.overlong_buffer."  # of the recipe of DAPO


def _target(name: str, text: str) -> str:
    """The full path of a text that is only one reference, `${a.b}` or `${.x}`; empty for any other."""
    path = reference_in(text)
    return _resolved(name, path) if path else ""


def _resolved(base: str, path: str) -> str:
    """The full path of a reference in a setting: leading dots go from a section to the one around it."""
    if path.startswith("."):
        while path.startswith("."):
            base, path = base.rpartition(".")[0], path[1:]
        path = f"{base}.{path}" if base else path
    return path


def _followed(name: str, text: str, launch: "Run", fields: "Fields", depth: int = 0) -> object:
    """The value of a text that is one reference, `${a.b}`, `${.x}` or `${oc.select:a.b,default}`; UNKNOWN for any other."""
    inner = text[2:-1]
    if not (text.startswith("${") and text.endswith("}")) or "${" in inner or "}" in inner or depth > 20:
        return UNKNOWN
    otherwise: object = UNKNOWN
    if inner.startswith("oc.select:"):
        inner, _, default = inner[len("oc.select:") :].partition(",")
        otherwise = {"null": None, "true": True, "false": False}.get(default.lower(), UNKNOWN) if default else None
        if default.isdecimal():
            otherwise = int(default)
    if ":" in inner or not inner:
        return UNKNOWN
    return _value_at(_resolved(name, inner), launch, fields, otherwise, depth)


def _value_at(path: str, launch: "Run", fields: "Fields", otherwise: object, depth: int) -> object:
    setting = launch.setting(path)
    if setting is not None:
        value = setting.value
        return _followed(path, value, launch, fields, depth + 1) if type(value) is str and "${" in value else value
    if launch.incomplete:
        return UNKNOWN
    field = fields[path]
    if field is None:
        return otherwise
    reference = fields.reference(path) if isinstance(fields, TreeFields) else None
    if reference is not None:
        return _followed(path, f"${{{reference}}}", launch, fields, depth + 1)
    return UNKNOWN if field.type in ("map", "node") else field.default


def _of_attention(value: "Lookup") -> "dict[str, Attached]":
    """The attention that is handed to transformers, where it is a misspelt name."""
    name = value(_ATTENTION)
    if type(name) is not str:
        return {}
    from ..shared.meant import is_misspelt_attention  # few runs name one

    return {"misspelt_attention": Attached(_ATTENTION, name, "set")} if is_misspelt_attention(name) else {}


class VerlConfigs(SectionConfigs):
    _of_environments: "tuple[str, ...]" = _OF_ENVIRONMENTS

    def layers_in(self, entries: "dict[str, Entry]") -> "list[dict[str, Entry]]":
        """The settings by their paths, with those in sections."""
        return super().layers_in({name: entry for name, entry in entries.items() if name not in _OF_HYDRA})

    def is_complete(self, is_based: bool, is_started: bool, value: "Lookup") -> bool:
        """Whether settings that are not written have the defaults of the tree. They do not where a whole section is
        replaced, nor in a partial file whose command sets the rest."""
        return is_based and is_started and all(value(section) is None for section in _SECTIONS)

    def implied(self, value: "Lookup", is_whole: bool) -> "dict[str, Attached]":
        """What formulas derive from keys that are no settings of the tree."""
        found = super().implied(value, is_whole)
        appended = value("data.gen_batch_size")
        if type(appended) is int and appended > 0:
            found["appended_gen_batch_size"] = Attached("data.gen_batch_size", appended, "appended")
        found.update(self._counted_elsewhere(value))
        if self.framework.copies.folder and self.framework.catalogue.knows(_IN_REWARD):
            found["reward_switch_is_there"] = Attached(_IN_REWARD, True, Message("a setting of a fork"))
        if "dapo" in map(value, _REWARD_MANAGERS):
            from .overlong import attached  # few runs have it

            found.update(attached(value, is_whole))
        for operand, names in _OWN.items():
            own = next((name for name in names if value(name) is not None), None)
            if own:
                found[operand] = Attached(own, True, "set")
        found.update(_of_attention(value))
        if is_whole and value("algorithm.adv_estimator") is None and all(value(name) is None for name in _OF_CRITICS):
            found["estimator_is_left"] = Attached("algorithm.adv_estimator", True, Message("not set"))
        return found

    def _counted_elsewhere(self, value: "Lookup") -> "dict[str, Attached]":
        """What a fork counts in settings of its own."""
        found: dict[str, Attached] = {}
        trajectories = (*_TRAJECTORIES, *self._counts_of_a_copy())
        elsewhere = next((name for name in (*trajectories, _OF_VALIDATION) if self._sizes_groups(name, value)), None)
        if elsewhere:
            found["group_is_elsewhere"] = Attached(elsewhere, True, Message("a setting of a fork"))
            if elsewhere != _OF_VALIDATION:
                found["trajectories_are_elsewhere"] = found["group_is_elsewhere"]
        without = next((name for name in _WITHOUT_GROUPS if value(name) is True), None)
        loss = value(_LOSS) if without is None and self.framework.copies.folder else None
        if loss is not None and loss not in _losses_of_releases():
            without = _LOSS  # a loss of the copy alone, which may compare nothing
        if without:
            found["group_is_elsewhere"] = Attached(without, True, "set")
        environment = next((name for name in self._of_environments if self._has(name, value)), None)
        if environment:
            found["environments_are_counted"] = Attached(environment, True, Message("a setting of a fork"))
            found["group_is_elsewhere"] = found["environments_are_counted"]
        return found

    def _counts_of_a_copy(self) -> "list[str]":
        """The settings of the copy alone whose names say that they count completions: `rollout.n_repeat`."""
        tree = self.framework.catalogue
        if not isinstance(tree, Tree) or tree.is_of_releases:
            return []
        return [name for name in tree.names() if name.startswith(_COUNT) and name != _OF_VALIDATION]

    def _sizes_groups(self, name: str, value: "Lookup") -> bool:
        """Whether a setting is written, or a copy has it with more than one in it."""
        tree = self.framework.catalogue
        if value(name) is not None or not isinstance(tree, Tree) or tree.is_of_releases:
            return value(name) is not None
        from .open_sections import holds_several

        return holds_several(name, tree)

    def _has(self, name: str, value: "Lookup") -> bool:
        """Whether a setting is written, or a copy has it."""
        return value(name) is not None or self.framework.catalogue.knows(name)


def _losses_of_releases() -> "list[str]":
    tables = (table["loss_modes"] for table in OPTIONS.values() if "loss_modes" in table)
    return [name for known in tables for name in getattr(known, "shown", "").split(", ")]


class VerlPrimaries(Primaries):
    """One for each training engine."""

    names = tuple(PRIMARY_TREES)
    folder = "verl/trainer/config"
    trees: "Mapping[str, str]" = PRIMARY_TREES

    def other_with(self, name: str, launch: "Run", index: int) -> "tuple[str, Message] | None":
        """A setting of the tree of another engine, where the command names no file or the usual one; or of another config of a copy, where
        it names none."""
        for primary, tree in self.trees.items():
            if tree not in launch.groups and self.framework.catalogue.known(name, (tree,)) >> index & 1:
                strategy = launch.setting("actor_rollout_ref.actor.strategy")
                is_chosen = strategy is not None and strategy.value == tree
                return primary, verbatim(f"actor.strategy={tree}") if is_chosen else NOTHING
        is_chosen = launch.setting("--config-name") is not None
        if launch.copy is None or is_chosen or not self.framework.copies.folder:
            return None
        from .copied import other_config_with

        own = other_config_with(name, self.framework, launch.copy)
        return (own, NOTHING) if own else None


class VerlTrainer(Trainer):
    """The tree of settings depends on the training engine."""

    field = "actor_rollout_ref.rollout.n"

    def groups(self, algorithm: str, loader: str, value: "Lookup" = lambda name: None) -> "tuple[str, ...]":
        """The tree of the engine, or of the primary config that the command names."""
        engine = next(filter(None, map(value, _ENGINE_KEYS)), None)
        if type(engine) is str and engine in _ENGINES:
            return (engine,)
        primary = value("--config-name")
        return (self.framework.reader.primaries.trees.get(primary, "dp") if type(primary) is str else "dp",)

    def groups_shown_by(self, names: "AbstractSet[str]") -> "tuple[str, ...] | None":
        """The engine whose section is written may be the chosen one where some arguments are unknown."""
        return next(
            (
                (engine,)
                for engine in _ENGINES
                if any(name.startswith(f"actor_rollout_ref.actor.{engine}.") for name in names)
            ),
            None,
        )


def _is_of_another_class(name: str, launch: "Run") -> bool:
    """Whether a setting is in a section of which a run makes something that is none of verl's, with fields that nobody knows."""
    section = name.rpartition(".")[0]
    while section:
        made = launch.setting(f"{section}._target_")
        if made is not None:
            return not (type(made.value) is str and made.value.startswith("verl."))
        section = section.rpartition(".")[0]
    return False


class VerlKeys(Keys):
    def written(self, name: str, entry: "Entry") -> str:
        """With the plus signs of a command, which distinguish releases. A list or a mapping may always be appended."""
        if not isinstance(entry, Override):
            return name
        value = loaded(entry.value)
        is_merged = entry.operator == "add" and (value is UNKNOWN or type(value) is list or type(value) is dict)
        return f"++{name}" if is_merged else entry.name

    def takes(self, name: str, entry: "Entry", launch: "Run", index: int) -> bool:
        """Whether a release accepts a key. A file may hold any key, and a command may set the keys of files."""
        operator = getattr(entry, "operator", None)
        if operator is None or (operator != "add" and (launch.incomplete or launch.overridden(name))):
            return True
        if operator == "add" and _is_of_another_class(name, launch):
            return self.framework.catalogue.fields(launch.groups, index)[name] is None
        return super().takes(name, entry, launch, index)

    def misplaced(self, name: str, entry: "Entry", launch: "Run", candidate: "Release") -> "Fault | None":
        """One plus sign too many or too few."""
        catalogue = self.framework.catalogue
        fields = catalogue.fields(launch.groups, candidate.index)
        values = {"key": entry.name, "title": self.framework.title, "version": candidate.text}
        if catalogue.known(name, launch.groups) >> candidate.index & 1 and entry.name.startswith("+"):
            return Fault("read", "appended-key-is-new", consequence=Message("Hydra refuses it"), rename=name, **values)
        if entry.name.startswith("+"):
            section = name.rpartition(".")[0]
            while section and not fields[section]:
                section = section.rpartition(".")[0]
            early = section.startswith("actor_rollout_ref.actor")
            consequence = (
                Message("its dataclass refuses it when the config is checked")
                if early
                else Message("its dataclass refuses it when the workers start")
            )
            return Fault("config" if early else "init", "appended-key-is-a-field", consequence=consequence,
                         field=name[len(section) + 1 :], section=section, **values)  # fmt: skip
        from .open_sections import is_left_open

        if (fields[name] or is_left_open(name, fields)) and not entry.name.startswith("~"):
            return Fault(
                "read",
                "field-outside-the-tree-is-appended",
                consequence=Message("Hydra refuses it"),
                rename=f"+{name}",
                **values,
            )
        return None

    def launch_key(self, name: str, key: "Key", loader: str) -> bool:
        """Options of Hydra itself, and its config groups."""
        of_node = name.rpartition(".")[2] == "_target_"  # the class of which verl makes a section
        return name.startswith(("hydra.", "--")) or name in _OF_HYDRA or of_node or "@" in name or "/" in name

    def unknown_key(self, key: "Key", launch: "Run", is_flag: bool) -> "Fate":
        return Fate(
            "error",
            "read",
            Message(
                "Hydra refuses it when the command line is read",
                plural="Hydra refuses them when the command line is read",
                count=1,
            ),
        )


class VerlRenames(SectionRenames):
    def moves(self) -> "tuple[Mapping[str, str], tuple[tuple[str, str], ...]]":
        from .moves import MOVED, MOVED_SECTIONS  # few files have such a name

        return MOVED, MOVED_SECTIONS

    # until then the workers divided a micro batch for all GPUs by their number of ranks
    converted = {
        name: (f"{name}_per_gpu", f"{short} // {ranks}", "0.8")
        for name, short, ranks in (
            ("actor_rollout_ref.actor.ppo_micro_batch_size", "actor_micro_global", "dp_size"),
            ("actor_rollout_ref.rollout.log_prob_micro_batch_size", "rollout_micro_global", "dp_size"),
            ("actor_rollout_ref.ref.log_prob_micro_batch_size", "ref_micro_global", "dp_size"),
            ("critic.ppo_micro_batch_size", "critic_micro_global", "(world_size // critic_sequence_parallel)"),
        )
    }

    def successor(self, name: str, fields: "Fields") -> "tuple[str | None, str]":
        """The setting that chooses the engine for each name of an engine, and what `successors` says of others."""
        if name in _ENGINE_KEYS[1:] and isinstance(fields, TreeFields) and fields.in_some_tree(_ENGINE_KEYS[0]):
            return _ENGINE_KEYS[0], ""
        if name.startswith(_OVERLONG):
            return self._of_the_reward_manager(name.removeprefix(_OVERLONG), fields), ""
        return super().successor(name, fields)

    def _of_the_reward_manager(self, last: str, fields: "Fields") -> "str | None":
        """Where the reward manager of DAPO finds what its recipe calls `overlong_buffer`: in keys that no tree holds."""
        if not fields["reward_model.launch_reward_fn_async"] and not fields["reward.reward_manager.name"]:
            return None  # it has none
        section = "reward" if fields["reward.reward_manager.name"] else "reward_model"
        return f"+{section}.reward_kwargs.overlong_buffer_cfg.{last}"


def _is_count(name: str, value: object) -> bool:
    return type(value) is int and (value >= 0 or name.endswith("fsdp_size"))


def _referenced(name: str, value: str, launch: "Run", fields: "Fields") -> object:
    """What a text with references stands for: another setting that is written, or what the tree says."""
    target = _target(name, value)
    if target and target in launch.entries and fields[target] is not None and Formula(target).is_path:
        return Reference(target)
    return _followed(name, value, launch, fields)


_CHOICES = {  # which rules look up
    "algorithm.adv_estimator": "estimators",
    "actor_rollout_ref.actor.policy_loss.loss_mode": "loss_modes",
    "actor_rollout_ref.actor.loss_agg_mode": "loss_aggregations",
}


_COMPARED = frozenset(("critic.strategy",))  # with the value of another setting, by a rule
_RULED = {"actor_rollout_ref.rollout.mode": "sync"}  # a word that a rule of its own explains


def _is_fine(name: str, value: object, field: "Field") -> bool:
    """Whether nothing is asked of a value that it may miss."""
    asked = field.asked if isinstance(field, AskedField) else ""
    if field.has_type_of(value) or (value is None and field.default is None and "!" not in asked):
        return True
    is_word = value in (field.choices or ()) or (name in _RULED and _RULED[name] == value)
    return field.type.rstrip("?") not in _COUNTED and (not asked or is_word)


class VerlValues(Values):
    choices = _CHOICES

    def read(
        self, name: str, value: object, field: "Field", launch: "Run", key: "Key"
    ) -> "tuple[object, Fault | None]":
        """Hydra's values are kept as they are. A reference is followed, and a text for a number is unknown."""
        catalogue = self.framework.catalogue
        fields = catalogue.fields(launch.groups, catalogue.release_index(key))
        if value == "???":
            return UNKNOWN if launch.incomplete else None, None
        if type(value) is str and "${" in value:
            return _referenced(name, value, launch, fields), None
        fault = self._fault(name, value, field, launch, fields)
        if fault is not None:  # a text in place of a number is set, and nothing is computed from it
            return (value if type(value) is str and field.type.rstrip("?") in _COUNTED else UNKNOWN), fault
        if type(value) in (list, dict):
            return UNKNOWN, None
        if value is None:
            # null for the value of another key
            follows = isinstance(fields, TreeFields) and fields.reference(name)
            return (UNKNOWN if launch.incomplete or follows else None), None
        return (value if not name.endswith(COUNTS) or _is_count(name, value) else UNKNOWN), None

    def _fault(self, name: str, value: object, field: "Field", launch: "Run", fields: "Fields") -> "Fault | None":
        """What is wrong with a value, where something is asked of it or it has another type."""
        if name == "actor_rollout_ref.model.target_modules":
            from ..shared.meant import misspelt_module

            return misspelt_module(value)
        is_looked_up = name in _CHOICES or name in _COMPARED
        if type(value) is str if is_looked_up else _is_fine(name, value, field):
            return None
        from .demands import fault_of, no_word

        if is_looked_up:
            return no_word(name, value)

        def holds(need: str) -> bool:
            path, _, word = need.lstrip("!").partition(":")
            found = _value_at(path, launch, fields, UNKNOWN, 0)
            if word:
                return found is None if word == "null" else found == word
            return found is (need[0] != "!")

        is_built = True
        if name.startswith("critic."):
            enabled = _value_at("critic.enable", launch, fields, None, 0)
            is_built = holds("algorithm.adv_estimator:gae") if enabled is None else enabled is True
        return fault_of(name, value, field, holds, is_built)


_SIZES = Sizes(
    rollout="data.train_batch_size",
    group="actor_rollout_ref.rollout.n",
    update="actor_rollout_ref.actor.ppo_mini_batch_size",
    micro=(
        "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu",
        "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu",
        "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu",
    ),
)
_KNOBS = (
    "data.train_batch_size",
    "actor_rollout_ref.actor.ppo_mini_batch_size",
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu",
    "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu",
    "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu",
    "actor_rollout_ref.rollout.n",
    "actor_rollout_ref.rollout.agent.num_workers",
    "actor_rollout_ref.rollout.tensor_model_parallel_size",
    "actor_rollout_ref.rollout.expert_parallel_size",
    "critic.ppo_micro_batch_size_per_gpu",
    "critic.ppo_mini_batch_size",
    "data.gen_batch_size",
    "actor_rollout_ref.actor.ppo_micro_batch_size",
    "actor_rollout_ref.rollout.log_prob_micro_batch_size",
    "actor_rollout_ref.ref.log_prob_micro_batch_size",
    "critic.ppo_micro_batch_size",
    "actor_rollout_ref.actor.ppo_max_token_len_per_gpu",
    "actor_rollout_ref.actor.fsdp_config.fsdp_size",
    "actor_rollout_ref.actor.ulysses_sequence_parallel_size",
    "actor_rollout_ref.actor.megatron.tensor_model_parallel_size",
    "actor_rollout_ref.actor.megatron.pipeline_model_parallel_size",
    "actor_rollout_ref.actor.megatron.context_parallel_size",
)
FRAMEWORK = Framework(
    name="verl",
    title="verl",
    catalogue=tree_of(catalogue),
    reader=Reader(
        configs=VerlConfigs(),
        primaries=VerlPrimaries(),
        trainer=VerlTrainer(),
        keys=VerlKeys(),
        renames=VerlRenames(),
        values=VerlValues(),
        files=ConfigFiles(
            attachments={
                "actor_rollout_ref.model.path": models.attached,
                **dict.fromkeys(
                    ("data.train_files", "custom_reward_function.path", "reward.custom_reward_function.path"), beside
                ),
            },
        ),
        programs=Programs(model_key="actor_rollout_ref.model.path", rewards="grpo_lint.frameworks.verl.rewards"),
    ),
    releases=SectionReleases(package="verl"),
    copies=Copies(module="grpo_lint.frameworks.verl.copied"),
    arithmetic=SectionArithmetic(
        regimes=regimes_of(PLAN, OPTIONS, IDLE),
        sizes=_SIZES,
        spread_by="grpo_lint.frameworks.verl.spread",
        own_names={
            "prompts_per_rollout": "train_batch_size",
            "prompts_per_update": "ppo_mini_batch_size",
            "group_size": "rollout.n",
        },
        batch_keys=(
            ("actor_rollout_ref.actor.ppo_mini_batch_size", "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu"),
            ("data.train_batch_size", "actor_rollout_ref.rollout.n"),
        ),
    ),
    refusals=Refusals(
        saving=("save_freq <= 0", "trainer.save_freq", ("model_merger", "global_step_"), ()),
        may_replace=frozenset(
            (
                "actor_rollout_ref.actor.fsdp_config.strategy",
                "actor_rollout_ref.actor.fsdp_config.ulysses_sequence_parallel_size",
                "actor_rollout_ref.actor.optim.total_training_steps",
                "data.gen_batch_size",
                "reward.reward_model.n_gpus_per_node",
                "reward.reward_model.nnodes",
            )
        ),
        replaced_in="grpo_lint.frameworks.verl.replaced",
        enforcement=Enforcements(ENFORCEMENT, rules.RULES),
        parser_says={
            "key-is-known": _BY_HYDRA,
            "key-is-of-this-version": _BY_HYDRA,
            "appended-key-is-new": _BY_HYDRA,
            "field-outside-the-tree-is-appended": f"{_BY_HYDRA}; since 0.6",
            "appended-key-is-a-field": "the dataclass of the section, since 0.6: for the actor when the config is checked, for the "
            "rollout when its workers start",
            "key-stands-once": "not refused: the last one is used",
        },
        registrations={
            "advantage-estimator-is-known": (
                "algorithm.adv_estimator",
                ("register_adv_est", "ADV_ESTIMATOR_REGISTRY", "AdvantageEstimator"),
            ),
            "loss-mode-is-known": (
                "actor_rollout_ref.actor.policy_loss.loss_mode",
                ("register_policy_loss", "POLICY_LOSS_REGISTRY"),
            ),
            "loss-aggregation-is-known": ("actor_rollout_ref.actor.loss_agg_mode", ()),
        },
    ),
    knobs=Knobs(
        names=_KNOBS,
        size_hint_from=dict.fromkeys(
            (
                "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu",
                "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu",
                "critic.ppo_micro_batch_size_per_gpu",
            ),
            "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu",
        ),
        outdated=frozenset(name for name in _KNOBS if name.endswith("micro_batch_size")),
        counting_tokens=frozenset(("actor_rollout_ref.actor.ppo_max_token_len_per_gpu",)),
        parallel=frozenset(name for name in _KNOBS if name.endswith(("parallel_size", "fsdp_size"))),
        for_memory="actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu",
        keeps_groups=True,
    ),
)
