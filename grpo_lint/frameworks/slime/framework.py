"""slime: `train.py` with flags of its own and of the Megatron that it pins; there is no file of settings."""

from ...message import Message
from ...unknown import UNKNOWN
from ..base import (  # fmt: skip
    REFUSED,
    Arithmetic,
    Attached,
    ConfigFiles,
    Configs,
    Copies,
    Fate,
    Fault,
    Framework,
    Keys,
    Knobs,
    Programs,
    Reader,
    Refusals,
    Releases,
    Trainer,
    pool_of,
)
from ..by_release import Enforcements, regimes_of
from ..catalogue import CatalogueOfPatches
from ..shared import models
from ..shared.argparse_flags import Switches, WordValues, stray_word
from ..shared.megatron_rules import ENDS_BY_FLAG
from ..shared.values import is_placeholder
from . import catalogue, rules
from .enforcement import ENFORCEMENT
from .options import IDLE, OPTIONS, PLAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Field, Key, Lookup, Mapping, Run, Shape

_PER_NODE, _NODES = "actor_num_gpus_per_node", "actor_num_nodes"
_NEVER = (1_000_000,)  # it reads no file of settings
_IGNORES_SINCE = (0, 2, 3)  # the release that ignores words that no parser knows
_OF_ENGINES = ("sglang_", "router_", "use_slime_router", "slime_router_")  # flags that SGLang's parsers declare

_OF_MODELS = "MODEL_ARGS"  # the array that scripts/models/*.sh fill
# the flags in it, of all releases
_MODEL_FLAGS = """
    activation_func_clamp_value add_qkv_bias allgather_cp apply_layernorm_1p attention_output_gate attention_softmax_in_fp32 bf16
    disable_bias_linear enable_experimental ffn_hidden_size glu_linear_offset group_query_attention hidden_size kv_channels
    kv_lora_rank make_vocab_size_divisible_by max_position_embeddings moe_aux_loss_coeff moe_ffn_hidden_size moe_grouped_gemm
    moe_layer_freq moe_permute_fusion moe_router_bias_update_rate moe_router_dtype moe_router_enable_expert_bias
    moe_router_group_topk moe_router_load_balancing_type moe_router_num_groups moe_router_pre_softmax moe_router_score_function
    moe_router_topk moe_router_topk_scaling_factor moe_shared_expert_gate moe_shared_expert_intermediate_size
    moe_token_dispatcher_type moe_token_drop_policy mscale mscale_all_dim mtp_num_layers multi_latent_attention
    no_bias_dropout_fusion no_bias_gelu_fusion no_masked_softmax_fusion no_position_embedding no_rope_fusion norm_epsilon
    normalization num_attention_heads num_experts num_layers num_query_groups padded_vocab_size position_embedding_type
    post_mlp_layernorm post_self_attn_layernorm q_lora_rank qk_head_dim qk_layernorm qk_pos_emb_head_dim quick_geglu
    rope_scaling_factor rotary_base rotary_interleaved rotary_percent rotary_scaling_factor seq_length sequence_parallel
    softmax_type spec swiglu tokenizer_type untie_embeddings_and_output_weights use_gated_attention use_mcore_models
    use_rope_scaling use_rotary_position_embeddings v_head_dim vocab_size window_attn_skip_freq window_size
""".split()


class SlimeConfigs(Configs):
    composed = True  # from arrays of a script and of those that it sources

    def facts_in_file(self, value: "Lookup") -> "dict[str, tuple[int, str]]":
        """The GPUs that train, 8 on 1 node unless something else is written."""
        per_node, nodes = pool_of(value, (_PER_NODE, 8), (_NODES, 1))
        if not per_node or not nodes:
            return {}
        told = "--actor-num-nodes x --actor-num-gpus-per-node"
        return {"processes_per_node": (per_node, "--actor-num-gpus-per-node"), "world_size": (per_node * nodes, told)}


class SlimeTrainer(Trainer):
    field = "n_samples_per_prompt"

    def groups(self, algorithm: str, loader: str, value: "Lookup" = lambda name: None) -> "tuple[str, ...]":
        return "slime", "megatron"


class SlimeKeys(Keys):
    def launch_key(self, name: str, key: "Key", loader: str) -> bool:
        """Whether SGLang declares a flag; which ones it has is not known here."""
        return name.startswith(_OF_ENGINES)

    def unknown_key(self, key: "Key", launch: "Run", is_flag: bool) -> "Fate":
        if key < _IGNORES_SINCE:
            return REFUSED
        return Fate(
            "warning",
            "never",
            Message("it is silently ignored", plural="they are silently ignored", count=1),
        )


class SlimePrograms(Programs):
    def surroundings(self, environment: "Mapping[str, object]") -> "dict[str, Attached]":
        """What a model is, where the array that says so comes from a script that is not here."""
        opened = _MODEL_FLAGS if _OF_MODELS in environment else ()
        array = Message("{array} of another script", {"array": _OF_MODELS})
        return {**super().surroundings(environment), **{name: Attached(name, UNKNOWN, array) for name in opened}}


class SlimeFlags(Switches):
    abbreviates = False

    def written(self, name: str, told: str = "", is_on: bool = False) -> str:
        return super().written(name.replace("_", "-"), told, is_on)


class SlimeValues(WordValues):
    def switch(self, value: object, field: "Field", is_bare: bool, key: "Key") -> "tuple[object, Fault | None]":
        """A word behind a switch is one that no flag takes, and which earlier releases refuse."""
        if not is_bare and key < _IGNORES_SINCE and type(value) in (str, int, float, bool) and "$" not in str(value):
            return UNKNOWN, stray_word()
        return super().switch(value, field, is_bare, key)

    def words(self, name: str, words: "list[object]", field: "Field") -> "tuple[object, Fault | None]":
        """Of several words the parser's own types decide."""
        word = words[0] if len(words) == 1 else None
        if (
            word is None
            or type(word) is dict
            or field.type.rstrip("?") == "any"
            or (type(word) is str and is_placeholder(word))
        ):
            return UNKNOWN, None
        return self.one(word, field)


_SPREAD = ("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size")


class SlimeArithmetic(Arithmetic):
    def settings_of(self, shape: "Shape", key: "Key", value: "Lookup | None" = None) -> "dict[str, object] | None":
        """The sizes of a shape, spread as Megatron spreads it."""
        if not shape.ranks or not shape.passes or shape.update * shape.updates % shape.group:
            return None
        parallel = zip(_SPREAD, (shape.tensor, shape.pipeline, shape.context), strict=True)
        return {
            _PER_NODE: shape.per_node,
            _NODES: shape.nodes,
            "rollout_batch_size": shape.update * shape.updates // shape.group,
            "n_samples_per_prompt": shape.group,
            "global_batch_size": shape.update,
            "micro_batch_size": shape.micro,
            **{name: size for name, size in parallel if size > 1},
            **shape.sizes_of_ends(*ENDS_BY_FLAG),
            **({"expert_model_parallel_size": shape.expert} if shape.expert > 1 else {}),
            # without it megatron-core refuses layers of experts in the first forward pass
            **({"sequence_parallel": True} if shape.tensor > 1 else {}),
            # else experts are as tensor parallel as the rest, and need so many times the processes
            **shape.sharers_of_experts("expert_tensor_parallel_size", shape.tensor),
        }


_KNOBS = (
    "global_batch_size",
    "rollout_batch_size",
    "micro_batch_size",
    "n_samples_per_prompt",
    "over_sampling_batch_size",
    "num_rollout",
    *_SPREAD,
)
_PARSER = "the parser up to 0.2.2, when the command starts; later releases do not refuse it but ignore it"

FRAMEWORK = Framework(
    name="slime",
    title="slime",
    catalogue=CatalogueOfPatches(catalogue),
    reader=Reader(
        configs=SlimeConfigs(),
        trainer=SlimeTrainer(),
        keys=SlimeKeys(),
        values=SlimeValues(),
        files=ConfigFiles(reads_yaml_since=_NEVER, attachments={"hf_checkpoint": models.attached}),
        flags=SlimeFlags(),
        programs=SlimePrograms(model_key="hf_checkpoint"),
    ),
    releases=Releases(package="slime"),  # none is on a package index: users train in a checkout
    copies=Copies(parser="slime/utils/arguments.py"),
    arithmetic=SlimeArithmetic(
        regimes=regimes_of(PLAN, OPTIONS, IDLE),
        own_names={
            "prompts_per_rollout": "rollout_batch_size",
            "group_size": "n_samples_per_prompt",
            "completions_per_update": "global_batch_size",
            "rollouts": "num_rollout",
            "updates_per_rollout": "num_steps_per_rollout",
        },
        batch_keys=(
            ("global_batch_size", "micro_batch_size"),
            ("rollout_batch_size", "n_samples_per_prompt"),
            ("n_samples_per_eval_prompt",),
        ),
        hint_keys=("global_batch_size", "n_samples_per_prompt"),
    ),
    refusals=Refusals(
        enforcement=Enforcements(ENFORCEMENT, rules.RULES),
        parser_says={
            "key-is-known": _PARSER,
            "key-is-of-this-version": _PARSER,
            "required-key-is-given": "the parser, when the command starts",
        },
    ),
    knobs=Knobs(
        names=_KNOBS,
        parallel=frozenset(_SPREAD),
        dividing_the_model=frozenset(_SPREAD),
        for_memory="micro_batch_size",
        keeps_groups=True,
    ),
)
