"""verl: `python3 -m verl.trainer.main_ppo` with overrides of Hydra, and files that build on its tree."""

from ...unknown import UNKNOWN
from ..base import Attached, Enforcements, Fate, Fault, Framework, Regime, in_force, whole_number
from . import catalogue
from .enforcement import ENFORCEMENT
from .options import IDLE, OPTIONS, PLAN
from .tree import Tree

_TREES = {"ppo_trainer": "dp", "ppo_megatron_trainer": "megatron"}
_SPANS = (
    ("0.2", "0.2"),
    ("0.3", "0.3"),
    ("0.4.0", "0.4.0"),
    ("0.4.1", "0.4"),
    ("0.5", "0.5"),
    ("0.6", "0.6"),
    ("0.7.0", "0.7.0"),
    ("0.7.1", "0.7"),
    ("0.8", "0.8"),
    ("0.9", None),
)
REGIMES = tuple(Regime(since, until, in_force(PLAN, since), IDLE, in_force(OPTIONS, since)) for since, until in _SPANS)

_NUMBERS = ("_batch_size", "_batch_size_per_gpu", "parallel_size", "_per_gpu", ".n", "_per_node", ".nnodes", "num_workers",
            "_epochs", "_size", "_length")  # fmt: skip
_FALSE = frozenset(("no", "off", "n", "f", "0", "none"))
_GROUPS_ELSEWHERE = ("actor_rollout_ref.rollout.n_agent", "actor_rollout_ref.rollout.agent_grpo.n", "actor_rollout_ref.rollout.n_val",
                     "agent_grpo.n")  # fmt: skip
_OF_CRITICS = ("critic.model.path", "critic.optim.lr", "critic.ppo_micro_batch_size_per_gpu", "critic.enable")
_GPUS, _NODES = "trainer.n_gpus_per_node", "trainer.nnodes"

_BY_HYDRA = "Hydra, when the command line is read"
_MOVED = {
    "actor_rollout_ref.actor.checkpoint.contents": "actor_rollout_ref.actor.checkpoint.save_contents",
    "critic.checkpoint.contents": "critic.checkpoint.save_contents",
    "trainer.val_generations_to_log_to_wandb": "trainer.log_val_generations",
    "actor_rollout_ref.rollout.multi_turn.max_turns": "actor_rollout_ref.rollout.multi_turn.max_assistant_turns",
    "actor_rollout_ref.actor.optim.warmup_style": "actor_rollout_ref.actor.optim.lr_scheduler_type",
    "trainer.profile_steps": "global_profiler.steps",
}
_MOVED_SECTIONS = (
    ("ray_init.", "ray_kwargs.ray_init."),
    ("critic.model.fsdp_config.", "critic.fsdp."),
    ("reward_model.", "reward.reward_model."),
    ("custom_reward_function.", "reward.custom_reward_function."),
    ("sandbox_fusion.", "reward.sandbox_fusion."),
)


class Verl(Framework):
    """verl's own trainer; its tree of settings depends on the engine that trains."""

    name = "verl"
    title = "verl"
    package = "verl"
    catalogue = Tree(catalogue)
    regimes = REGIMES
    enforcement = Enforcements(ENFORCEMENT)
    nested = True
    trainer_field = "actor_rollout_ref.rollout.n"
    model_key = "actor_rollout_ref.model.path"
    parser_says = {
        "key-is-known": _BY_HYDRA,
        "key-is-of-this-version": _BY_HYDRA,
        "appended-key-is-new": _BY_HYDRA,
        "field-outside-the-tree-is-appended": f"{_BY_HYDRA}; since 0.6",
        "appended-key-is-a-field": "the dataclass of the section, since 0.6: for the actor when the config is checked, for the "
        "rollout when its workers start",
        "key-stands-once": "nobody: the last one counts",
    }
    knobs = (
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
        "actor_rollout_ref.model.lora_rank",
    )
    fixed_by_file = True
    parallel_knobs = frozenset(name for name in knobs if name.endswith("parallel_size") or name.endswith("fsdp_size"))
    memory_knob = "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu"
    own_names = {
        "prompts_per_rollout": "train_batch_size",
        "prompts_per_update": "ppo_mini_batch_size",
        "group_size": "rollout.n",
    }

    def groups(self, algorithm, loader, value=None):
        """The tree: that of the engine, or of the entry file that the command names."""
        engine = value("model_engine") if value else None
        if type(engine) is str and engine in ("dp", "megatron", "veomni", "torchtitan", "mindspeed"):
            return (engine,)
        return (_TREES.get(value("--config-name") if value else None, "dp"),)

    def algorithm(self, names):
        return "grpo"

    def read(self, name, value, field, launch, key):
        """Hydra's values are taken as they are; a reference is followed, and a text where a number belongs is not known."""
        if type(value) is str and "${" in value:
            return _followed(name, value, launch, launch.fields(launch.candidates[0])), None
        if type(value) in (list, dict):
            return UNKNOWN, None
        kind = field[0].rstrip("?")
        if kind == "bool" and type(value) is str:
            fault = Fault("never", "truth-value-is-no-text", value=value) if value.lower() in _FALSE else None
            return value, fault
        if name.endswith(_NUMBERS) and value is not None and (type(value) is not int or value < 0):
            return UNKNOWN if not (type(value) is int and name.endswith(("fsdp_size", "_size"))) else value, None
        if value is None and field[0] == "any?" and launch.dialect.catalogue.fields(launch.groups, launch.candidates[0].index).reference(name):
            return UNKNOWN, None  # null in the place of what another key says
        return value, None

    def launch_key(self, name, key, loader):
        """Options of Hydra itself, and files of its groups."""
        return name.startswith(("hydra.", "--")) or name in ("hydra", "defaults") or "@" in name or "/" in name

    def takes(self, name, entry, fields, launch, candidate):
        """Whether a release takes a key as it is written: in a command that says plus signs as well."""
        if launch.is_partly_known(name, entry):
            return True
        return bool(self.catalogue.known(self.written(name, entry), launch.groups) >> candidate.index & 1)

    def written(self, name, entry):
        """A key as the catalogue is asked for it: in a file whatever is there is merged."""
        return getattr(entry, "name", name) if hasattr(entry, "operator") else f"++{name}"

    def unknown_key(self, key, launch):
        return Fate("error", "read", "Hydra refuses it when the command line is read")

    def misplaced(self, name, entry, launch, candidate):
        """(rule, stage, consequence, values) for a key that a release has something against beside that it does not know it;
        None for a key that it does not know."""
        fields = launch.fields(candidate)
        written = entry.name
        there = self.catalogue.existing(name, launch.groups) >> candidate.index & 1
        if written.startswith("+") and not written.startswith("++") and there:
            return "appended-key-is-new", "read", {"consequence": "Hydra refuses it", "rename": name}
        if written.startswith("+"):
            section = name.rpartition(".")[0]
            while section and not fields[section]:
                section = section.rpartition(".")[0]
            stage = "config" if section.startswith("actor_rollout_ref.actor") else "init"
            when = "when the config is checked" if stage == "config" else "when the workers start"
            consequence = f"its dataclass refuses it {when}"
            return "appended-key-is-a-field", stage, {"consequence": consequence, "field": name[len(section) + 1 :], "section": section}
        if fields[name]:
            return "field-outside-the-tree-is-appended", "read", {"consequence": "Hydra refuses it", "rename": f"+{name}"}
        return None

    def facts_in_file(self, value):
        """The GPUs of the trainer, 8 on 1 node unless something else is written."""
        per_node, nodes = value(_GPUS), value(_NODES)
        per_node = 8 if per_node is None else whole_number(per_node)
        nodes = 1 if nodes is None else whole_number(nodes)
        facts = {"processes-per-node": (per_node, _GPUS)} if per_node else {}
        if per_node and nodes:
            facts["world-size"] = (per_node * nodes, f"{_GPUS} x {_NODES}")
        return facts

    def implied(self, value):
        """What formulas take from keys that are no settings of the tree."""
        found = {}
        appended = value("data.gen_batch_size")
        if type(appended) is int and appended > 0:
            found["appended_gen_batch_size"] = Attached("data.gen_batch_size", appended, "appended")
        elsewhere = next((name for name in _GROUPS_ELSEWHERE if value(name) is not None), None)
        if elsewhere:
            found["group_is_elsewhere"] = Attached(elsewhere, True, "a setting of a fork")
        if value("algorithm.adv_estimator") is None and all(value(name) is None for name in _OF_CRITICS):
            found["estimator_is_left"] = Attached("algorithm.adv_estimator", True, "not set")
        return found

    def successor(self, name, fields):
        """The place to which a setting has moved, or another one that ends alike."""
        new = _MOVED.get(name)
        if new is None:
            new = next((there + name[len(here) :] for here, there in _MOVED_SECTIONS if name.startswith(here)), None)
        if new is None:
            back = {there: here for here, there in _MOVED.items()}
            new = back.get(name) or next(
                (here + name[len(there) :] for here, there in _MOVED_SECTIONS if name.startswith(there)), None
            )
        if new and fields[new]:
            return new, ""
        return self.likely(name, fields), ""

    def likely(self, name, fields):
        """The one setting of a release that has the same last part and the same section, or the nearest spelling; None where
        several could be meant."""
        section, _, last = name.rpartition(".")
        first = name.partition(".")[0]
        names = fields.names()
        alike = [known for known in names if known.rpartition(".")[2] == last]
        near = [known for known in alike if known.partition(".")[0] == first] or alike
        if len(near) == 1:
            return near[0]
        if near:
            from difflib import get_close_matches

            return next(iter(get_close_matches(name, near, n=1, cutoff=0.8)), None)
        from difflib import get_close_matches

        beside = [known.rpartition(".")[2] for known in names if known.rpartition(".")[0] == section]
        match = get_close_matches(last, beside, n=1, cutoff=0.8)
        if match:
            return f"{section}.{match[0]}" if section else match[0]
        return next(iter(get_close_matches(name, names, n=1, cutoff=0.9)), None)


def _followed(name, text, launch, fields, depth=0):
    """The value of a text that is one reference, `${a.b}`, `${.x}` or `${oc.select:a.b,default}`; UNKNOWN for any other."""
    inner = text[2:-1]
    if not (text.startswith("${") and text.endswith("}")) or "${" in inner or "}" in inner or depth > 20:
        return UNKNOWN
    otherwise = UNKNOWN
    if inner.startswith("oc.select:"):
        inner, _, default = inner[len("oc.select:") :].partition(",")
        otherwise = {"null": None, "true": True, "false": False}.get(default.lower(), UNKNOWN) if default else None
        if default.isdecimal():
            otherwise = int(default)
    if ":" in inner or not inner:
        return UNKNOWN
    if inner.startswith("."):
        base = name
        while inner.startswith("."):
            base, inner = base.rpartition(".")[0], inner[1:]
        inner = f"{base}.{inner}" if base else inner
    return _value_at(inner, launch, fields, otherwise, depth)


def _value_at(path, launch, fields, otherwise, depth):
    setting = launch.setting(path)
    if setting is not None:
        value = setting.value
        return _followed(path, value, launch, fields, depth + 1) if type(value) is str and "${" in value else value
    if launch.incomplete:
        return UNKNOWN
    field = fields[path]
    if field is None:
        return otherwise
    reference = fields.reference(path)
    if reference is not None:
        return _followed(path, f"${{{reference}}}", launch, fields, depth + 1)
    return UNKNOWN if field[0] in ("map", "node") else field[1]


FRAMEWORK = Verl()
