"""The settings of verl 0.2 to 0.9.1; groups: the trees of the training engines.

Generated from the released packages; do not edit. To write it again:

    python conformance/verl/catalogue.py WHEELS/*.whl

SECTIONS: path of a section -> a line for each of its keys, `key type spans default`; a line that begins with a blank goes on
with the key above it. A span is the letters of its GROUPS with the first and the last release, as indices into RELEASES, both
included, without the last one where it is the newest. Types: `map` is an open mapping, `node` one of which verl makes a
dataclass, `ref` a reference; those that begin with + stand in the dataclass only, so that a command has to append them. In
place of a type stands behind a colon what the code asks of a value, in the words of conformance/verl/uses.py.
COMPANIONS is parallel to RELEASES.
"""

RELEASES = (
    "0.2",
    "0.2.0.post1",
    "0.2.0.post2",
    "0.3.0.post0",
    "0.3.0.post1",
    "0.4.0",
    "0.4.1",
    "0.5.0",
    "0.6.0",
    "0.6.1",
    "0.7.0",
    "0.7.1",
    "0.8.0",
    "0.9.0",
    "0.9.1",
)
COMPANIONS: "tuple[dict[str, str], ...]" = ({},) * len(RELEASES)
GROUPS = {"d": "dp", "m": "megatron", "v": "veomni", "t": "torchtitan", "s": "mindspeed"}

# fmt: off
SECTIONS = {
"": """\
actor_rollout_ref map dm0-,vt11-,s12-13
algorithm map dm0-6
 node dm7-,vt11-,s12-13
critic map dm0-6
 node dm7-,vt11-,s12-13
custom_reward_function map dm3-,vt11-,s12-13
data map dm0-,vt11-,s12-13
distillation node s12-13,dmvt12-
global_profiler node dm8-,vt11-,s12-13
model_engine str d11- dp
 str m12- megatron
 str v11- veomni
 str t11- torchtitan
 str s12-13 mindspeed
 :n=dp|torchtitan|veomni dvt11-11
 :n=dp|megatron|mindspeed|torchtitan|veomni dmvts12-13
 :n=dp|megatron|torchtitan|veomni dmvt14-
ray_init map dm5-7
ray_kwargs map dm8-,vt11-,s12-13
reward map dmvt11-11
 node s12-13,dmvt12-
reward_manager node dm10-10
reward_model map dm0-,vt11-,s12-13
sandbox_fusion map dmvt11-,s12-13
skip node s13-13,dmvt13-
trainer map dm0-,vt11-,s12-13
transfer_queue map dm9-,vt11-,s12-13""",
"actor_rollout_ref": """\
actor map dm0-7
 node dm8-,vt11-,s12-13
hybrid_engine bool dm0-,vt11-,s12-13 True
model map d0-7,m0-9
 node d8-,m10-,vt11-,s12-13
nccl_timeout int m6-,d8-,vt11-,s12-13 600
profiler node dm7-7
ref map dm0-9
 node dm10-,vt11-,s12-13
rollout map dm0-7
 node dm8-,vt11-,s12-13""",
"actor_rollout_ref.actor": """\
calculate_entropy bool dm10-,vt11-,s12-13 False
calculate_sum_pi_squared bool d11-,s12-13,mvt12- False
checkpoint map dm3-7
 node dm8-,vt11-,s12-13
clip_ratio float dm0-,vt11-,s12-13 0.2
clip_ratio_c float dm5-,vt11-,s12-13 3.0
clip_ratio_high float dm5-,vt11-,s12-13 0.2
clip_ratio_low float dm5-,vt11-,s12-13 0.2
data_loader_seed int dm10-,vt11-,s12-13 42
 int? m5-7
 int? m8-9
engine +any? dm8-,vt11-,s12-13
entropy_checkpointing bool d6- False
entropy_coeff float dm0-4 0.001
 int dm5-7 0
 float dm8-,vt11-,s12-13 0
 :r d0-4
entropy_from_logits_chunk_size int dm13- 2048
entropy_from_logits_with_chunking bool d6-,m13- False
freeze_vision_tower bool dm8-,vt11-,s12-13 False
fsdp_config map d0-7
 node d8-
global_batch_info +any? dm10-,vt11-,s12-13
grad_clip float d0- 1.0
kl_loss_coef float d0-,m3-,vt11-,s12-13 0.001
kl_loss_type str d0-,m3-,vt11-,s12-13 low_var_kl
 :r?actor_rollout_ref.actor.use_kl_loss=kl|abs|mse|low_var_kl d0-4,m3-4
 :r?actor_rollout_ref.actor.use_kl_loss=kl|k1|abs|mse|k2|low_var_kl|k3 dm5-11,vt11-11
 :r?actor_rollout_ref.actor.use_kl_loss=kl|k1|abs|mse|k2|low_var_kl|k3|kl+|k1+|abs+|mse+|k2+|low_var_kl+|k3+ s12-13,dmvt12-
load_weight bool m0-12,s12-12 True
loss_agg_mode str dm5-,vt11-,s12-13 token-mean
 :c=token-mean|seq-mean-token-sum|seq-mean-token-mean|seq-mean-token-sum-norm dm5-12,vt11-12,s12-12
 :c=token-mean|token-sum|seq-mean-token-sum|seq-mean-token-mean|seq-mean-token-sum-norm s13-13,dmvt13-
loss_scale_factor int? dm10-,vt11-,s12-13
megatron map m0-7
 node m8-
mindspeed node s12-13
model_config +any? dm8-,vt11-,s12-13
optim map dm0-7
 node dm8-,vt11-,s12-13
pad_to_length bool dv13- False
policy_loss map dm6-7
 node dm8-,vt11-,s12-13
ppo_epochs int dm0-,vt11-,s12-13 1
 :r dm0-,vt11-,s12-13
ppo_infer_max_token_len_per_gpu +int dm8-,vt11-,s12-13
ppo_infer_micro_batch_size_per_gpu +int? dm8-,vt11-,s12-13
ppo_max_token_len_per_gpu int d0-,m5-,vt11-,s12-13 16384
ppo_micro_batch_size int? dm0-7
 int? dm8-,vt11-,s12-13
ppo_micro_batch_size_per_gpu int? dm0-7
 int? dm8-,vt11-,s12-13
ppo_mini_batch_size int dm0-,vt11-,s12-13 256
 :i dm0-,vt11-,s12-13
profile map m5-7
 +any? m8-,s12-13
profiler map dm6-6
 node dm8-,vt11-,s12-13
qat map d11-,s12-13,mvt12-
rollout_n +int dm8-9
 ref dm10-,vt11-,s12-13 oc.select:actor_rollout_ref.rollout.n,1
router_replay node dm10-13,vt11-13,s12-13
shuffle bool d0-,m5-,vt11-,s12-13 False
 bool m0-4 True
strategy str d0- fsdp
 str m0- megatron
 str v11- veomni
 str t11- torchtitan
 str s12-13 mindspeed
 :c=fsdp|megatron dm3-4
 :c=fsdp|fsdp2|megatron dm5-7
 :n=automodel|fsdp|fsdp2|megatron|mindspeed_megatron|torchtitan|veomni d12-13
 :n=automodel|fsdp_turbo|fsdp|fsdp2|megatron|torchtitan|veomni d14-
sum_pi_squared_checkpointing bool d11-11 False
tau_neg float dm10-,vt11-,s12-13 1.05
tau_pos float dm10-,vt11-,s12-13 1.0
torchtitan node t11-
ulysses_sequence_parallel_size int d0- 1
 :c?actor_rollout_ref.actor.strategy:fsdp d0-9
 :c;c?actor_rollout_ref.actor.strategy:fsdp d10-
use_dynamic_bsz bool dm0-,vt11-,s12-13 False
use_fused_kernels ref dm8-,vt11-,s12-13 oc.select:actor_rollout_ref.model.use_fused_kernels,false
use_kl_loss bool d0-,m3-,vt11-,s12-13 False
use_prefix_grouper bool dmvt11-,s12-13 False
use_remove_padding ref d8-,v12- oc.select:actor_rollout_ref.model.use_remove_padding,false
 +bool v11-11,t11-
use_rollout_log_probs +bool dm9-,vt11-,s12-13
use_torch_compile bool dm3-,vt11-,s12-13 True
veomni node v11-""",
"actor_rollout_ref.actor.checkpoint": """\
async_save bool m6-,d8-,vt11-,s12-13 False
contents list dm3-5
load_contents ref dm6-6 actor_rollout_ref.actor.checkpoint.save_contents
 ref dm7-,vt11-,s12-13 .save_contents
mbridge_config map dvt11-12,m11-,s12-13
save_contents list dm6-,vt11-,s12-13
save_lora_only +bool s13-13,dmvt13-
strict bool s12-13,dmvt12- True""",
"actor_rollout_ref.actor.fsdp_config": """\
dtype str d9- bfloat16
entropy_checkpointing bool d8-12 False
 ref d13- oc.select:actor_rollout_ref.actor.entropy_checkpointing,False
entropy_from_logits_chunk_size ref d13- oc.select:actor_rollout_ref.actor.entropy_from_logits_chunk_size,2048
entropy_from_logits_with_chunking bool d8-12 False
 ref d13- oc.select:actor_rollout_ref.actor.entropy_from_logits_with_chunking,False
forward_only bool d8- False
forward_prefetch bool d6- False
fsdp_size int d0- -1
full_determinism bool d10- False
grad_offload bool d0-2 False
 +bool d10-13
infer_max_token_len_per_gpu +int d10-
infer_micro_batch_size_per_gpu +int d10-
max_token_len_per_gpu +int d10-
micro_batch_size_per_gpu +int d10-
mixed_precision +any? d8-
model_dtype str d8- fp32
offload_policy bool d5- False
optimizer_offload bool d0- False
pad_to_length ref d13- oc.select:actor_rollout_ref.actor.pad_to_length,False
pad_to_length_bucket int d13- 1024
param_offload bool d0- False
qat node d11-
reshard_after_forward bool d5- True
router_replay +any? d11-
seed int d10- 42
strategy str d8- fsdp
 :c=fsdp|fsdp2 d8-13
 :c=fsdp|fsdp2|fsdp_turbo d14-
turbo_config map d14-
ulysses_sequence_parallel_size int d8- 1
use_dynamic_bsz +bool d10-
use_fused_kernels +bool d10-
use_no_sync_for_gradient_accumulation bool d14- False
use_orig_params bool d8- False
use_remove_padding +bool d10-
use_torch_compile bool d8- True
wrap_policy map d0-""",
"actor_rollout_ref.actor.fsdp_config.qat": """\
activation_observer str d11- static_minmax
enable bool d11- False
group_size int d11- 16
ignore_patterns list d11-
mode str d11- w4a16
quantization_config_path str? d11-""",
"actor_rollout_ref.actor.fsdp_config.turbo_config": """\
distributed map d14-""",
"actor_rollout_ref.actor.fsdp_config.turbo_config.distributed": """\
expert_fully_shard_parallel_size int d14- 1
expert_parallel_size int d14- 1
fsdp_plan map d14-
fully_shard_parallel_size int d14- 16
tensor_parallel_size int d14- 1
ulysses_parallel_size int d14- 1""",
"actor_rollout_ref.actor.fsdp_config.turbo_config.distributed.fsdp_plan": """\
fsdp_implementation str d14- native
num_to_backward_prefetch int d14- 1
num_to_forward_prefetch int d14- 1
output_dtype str d14- bf16
param_dtype str d14- bf16
reduce_dtype str d14- fp32""",
"actor_rollout_ref.actor.fsdp_config.wrap_policy": """\
min_num_params int d0- 0""",
"actor_rollout_ref.actor.megatron": """\
context_parallel_size int m5- 1
dist_checkpointing_path str? m5-7
 str? m8-
dist_checkpointing_prefix str m10- ''
dist_ckpt_optim_fully_reshardable bool m11-11 True
 bool m12- False
distrib_optim_fully_reshardable_mem_efficient bool m11- False
dtype str m9- bfloat16
 :c=bfloat16|float16 m9-
dynamic_context_parallel bool m12- False
entropy_from_logits_chunk_size ref m13- oc.select:actor_rollout_ref.actor.entropy_from_logits_chunk_size,2048
entropy_from_logits_with_chunking ref m13- oc.select:actor_rollout_ref.actor.entropy_from_logits_with_chunking,False
expert_model_parallel_size int m5- 1
expert_tensor_parallel_size int? m5-7
 int m8-8 1
 int? m9-
forward_only bool m8- False
full_determinism +bool m10-
grad_offload bool m5-13 False
infer_max_token_len_per_gpu +int m10-
infer_micro_batch_size_per_gpu +int m10-
max_seqlen_per_dp_cp_rank int? m12-
max_token_len_per_gpu +int m10-
micro_batch_size_per_gpu +int m10-
num_layers_per_virtual_pipeline_stage any? m0-2
optimizer_offload bool m5- False
override_ddp_config map m7-
override_mcore_model_config map m8-
override_transformer_config map m5-
pad_bshd_to_minibatch_max bool m13- True
pad_to_length bool m13- False
pad_to_length_bucket int m13- 512
param_offload bool m5- False
pipeline_model_parallel_size int m0- 1
qat node m12-
router_replay node m11-
seed int m0-4 1
 int m5- 42
sequence_parallel bool m0- True
strategy +str m8-
tensor_model_parallel_size int m0-4 4
 int m5- 1
use_dist_checkpointing bool m5- False
use_distributed_optimizer bool m3- True
use_dynamic_bsz +bool m10-
use_fused_kernels +bool m10-
use_mbridge bool m7-9 False
 bool m10- True
use_megatron_fsdp bool m12- False
use_remove_padding bool m10- True
vanilla_mbridge bool m10-12 True
 bool m13- False
virtual_pipeline_model_parallel_size int? m3-7
 int? m8-""",
"actor_rollout_ref.actor.megatron.override_transformer_config": """\
attention_backend str m8- flash
recompute_granularity any? m7-
recompute_method any? m7-
recompute_modules list m7-
recompute_num_layers any? m7-""",
"actor_rollout_ref.actor.megatron.qat": """\
activation_observer str m12-
enable bool m12- False
group_size int m12- 16
ignore_patterns list m12-
mode str m12- w4a16
quantization_config_path str? m12-""",
"actor_rollout_ref.actor.megatron.router_replay": """\
mode str m11- disabled
 :c=disabled|R2|R3 m11-
record_file str? m11-
replay_file str? m11-""",
"actor_rollout_ref.actor.mindspeed": """\
context_parallel_size int s12-13 1
dist_checkpointing_path str? s12-13
dist_checkpointing_prefix str s12-13 ''
dist_ckpt_optim_fully_reshardable bool s12-13 False
distrib_optim_fully_reshardable_mem_efficient bool s12-13 False
dtype str s12-13 bfloat16
 :c=bfloat16|float16 s12-13
dynamic_context_parallel bool s12-13 False
entropy_from_logits_chunk_size int s13-13 2048
entropy_from_logits_with_chunking bool s13-13 False
expert_model_parallel_size int s12-13 1
expert_tensor_parallel_size int? s12-13
forward_only bool s12-13 False
fsdp_kwargs map s12-13
full_determinism +bool s12-13
grad_offload bool s12-13 False
infer_max_token_len_per_gpu +int s12-13
infer_micro_batch_size_per_gpu +int s12-13
max_seqlen_per_dp_cp_rank int? s12-13
max_token_len_per_gpu +int s12-13
mcore_kwargs map s12-13
micro_batch_size_per_gpu +int s12-13
optimizer_offload bool s12-13 False
override_ddp_config map s12-13
override_mcore_model_config map s12-13
override_transformer_config map s12-13
pad_bshd_to_minibatch_max bool s13-13 True
pad_to_length bool s13-13 False
pad_to_length_bucket int s13-13 512
param_offload bool s12-13 False
pipeline_model_parallel_size int s12-13 1
qat node s12-13
router_replay node s12-13
seed int s12-13 42
sequence_parallel bool s12-13 True
strategy str s12-13 mindspeed_megatron
 :c=mindspeed_megatron|mindspeed_fsdp s12-13
tensor_model_parallel_size int s12-13 1
use_dist_checkpointing bool s12-13 False
use_distributed_optimizer bool s12-13 True
use_dynamic_bsz +bool s12-13
use_fused_kernels +bool s12-13
use_mbridge bool s12-13 True
use_megatron_fsdp bool s12-13 False
use_remove_padding bool s12-13 True
vanilla_mbridge bool s12-12 True
 bool s13-13 False
virtual_pipeline_model_parallel_size int? s12-13""",
"actor_rollout_ref.actor.mindspeed.mcore_kwargs": """\
attention_mask_type str s12-13 general
attention_softmax_in_fp32 bool s12-13 True
context_parallel_algo str s12-13 ulysses_cp_algo
disable_bias_linear bool s12-13 True
group_query_attention bool s12-13 True
hidden_dropout float s12-13 0.0
init_method_std float s12-13 0.01
initial_loss_scale int s12-13 4096
micro_batch_size int s12-13 1
no_gradient_accumulation_fusion bool s12-13 True
no_masked_softmax_fusion bool s12-13 True
no_pad_to_seq_lengths bool s12-13 True
normalization str s12-13 RMSNorm
position_embedding_type str s12-13 rope
qk_layernorm bool s12-13 True
reset_attention_mask bool s12-13 True
seq_length int s12-13 10240
sequence_parallel bool s12-13 True
spec list s12-13
swiglu bool s12-13 True
transformer_impl str s12-13 transformer_engine
use_distributed_optimizer bool s12-13 True
use_flash_attn bool s12-13 True
use_fused_rmsnorm bool s12-13 True
use_fused_rotary_pos_emb bool s12-13 True
use_fused_swiglu bool s12-13 True
use_mcore_models bool s12-13 True
use_rotary_position_embeddings bool s12-13 True""",
"actor_rollout_ref.actor.mindspeed.override_transformer_config": """\
attention_backend str s12-13 flash
recompute_granularity any? s12-13
recompute_method any? s12-13
recompute_modules list s12-13
recompute_num_layers any? s12-13""",
"actor_rollout_ref.actor.mindspeed.qat": """\
activation_observer str s12-13
enable bool s12-13 False
group_size int s12-13 16
ignore_patterns list s12-13
mode str s12-13 w4a16
quantization_config_path str? s12-13""",
"actor_rollout_ref.actor.mindspeed.router_replay": """\
mode str s12-13 disabled
 :c=disabled|R2|R3 s12-13
record_file str? s12-13
replay_file str? s12-13""",
"actor_rollout_ref.actor.optim": """\
betas list dm8-,vt11-,s12-13
clip_grad float m0-,d8-,vt11-,s12-13 1.0
decay_type str t11- linear
eps float t11- 1e-08
exp_avg_dtype str s13-13,m13- fp32
exp_avg_sq_dtype str s13-13,m13- fp32
grad_clip +float? dm8-,vt11-,s12-13
lr float dm0-,vt11-,s12-13 1e-06
 :i[0, d0-,m6-,vt11-,s12-13
lr_decay_ratio float v11- 1.0
lr_decay_steps int? m6-7
 int? m8-,s12-13
lr_decay_style str m6-6 linear
 str m7-,s12-13 constant
lr_min float v11- 0.0
lr_scheduler_type str d8- constant
 str v11- cosine
 :c=constant|cosine d8-
lr_start float v11- 0.0
lr_warmup_init float m6-,s12-13 0.0
lr_warmup_steps int m3-5,d3-,m8-,vt11-,s12-13 -1
 int? m6-7
lr_warmup_steps_ratio float dm0-,vt11-,s12-13 0.0
lr_wsd_decay_steps int? m6-7
 int? m8-,s12-13
lr_wsd_decay_style str m6-,s12-13 exponential
main_grads_dtype str s13-13,m13- fp32
min_lr float m6-,s12-13 0.0
min_lr_factor float t11- 0.0
min_lr_ratio float? d0-4,m0-5
 float d5- 0.0
muon_coefficient_type str s13-13,m13- quintic
muon_extra_scale_factor float s13-13,m13- 1.0
muon_fp32_matmul_prec str s13-13,m13- medium
muon_match_adamw_update_rms bool s13-13,m13- False
muon_momentum float s13-13,m13- 0.95
muon_nesterov bool s13-13,m13- False
muon_num_ns_steps int s13-13,m13- 5
muon_scalar_optimizer str s13-13,m13- adam
muon_scale_mode str s13-13,m13- spectral
muon_split_qkv bool s13-13,m13- True
muon_tp_mode str s13-13,m13- blockwise
name str t11- AdamW
num_cycles float d5- 0.5
optimizer str d9- AdamW
 str m6-,s12-13 adam
 str v11- adamw
optimizer_impl str d9- torch.optim
override_optimizer_config any? d9-
 map m8-,v11-,s12-13
total_training_steps int dm0-,vt11-,s12-13 -1
use_checkpoint_opt_param_scheduler bool m6-,s12-13 False
use_layer_wise_distributed_optimizer bool s13-13,m13- False
use_layer_wise_param_layout +bool? s13-13,m13-
use_precision_aware_optimizer bool s13-13,m13- False
warmup_style str m0-5,d0-7 constant
 str? d8-
weight_decay float dm5-,vt11-,s12-13 0.01
 :i[0, d5-,m6-,vt11-,s12-13
weight_decay_incr_style str m6-,s12-13 constant
zero_indexed_step bool d11- True""",
"actor_rollout_ref.actor.policy_loss": """\
clip_cov_lb float dm6-,vt11-,s12-13 1.0
clip_cov_ratio float dm6-,vt11-,s12-13 0.0002
clip_cov_ub float dm6-,vt11-,s12-13 5.0
dro_beta float? s13-13,dmvt13-
kl_cov_ratio float dm6-,vt11-,s12-13 0.0002
loss_mode str dm6-,vt11-,s12-13 vanilla
ppo_kl_coef float dm6-,vt11-,s12-13 0.1
rollout_correction +any? dmvt11-,s12-13""",
"actor_rollout_ref.actor.profile": """\
profile_ranks any? m5-7
save_path any? m5-7
step_end int m5-7 -1
step_start int m5-7 -1
use_profile bool m5-7 False""",
"actor_rollout_ref.actor.profiler": """\
all_ranks bool dm6-6,dm8-,vt11-,s12-13 False
discrete bool dm6-6 False
enable bool dm8-,vt11-,s12-13 False
finish_hook_all_ranks ref dmvt14- oc.select:global_profiler.finish_hook_all_ranks,false
finish_hook_cmd ref dmvt14- oc.select:global_profiler.finish_hook_cmd,null
finish_hook_ranks ref dmvt14- oc.select:global_profiler.finish_hook_ranks,[]
 :c!list dmvt14-
global_tool_config +any? dm8-,vt11-,s12-13
ranks any? dm6-6
 list dm8-,vt11-,s12-13
 :c!list dm8-,vt11-,s12-13
relocate_results ref dmvt14- oc.select:global_profiler.relocate_results,false
save_path ref dm8-,vt11-,s12-13 oc.select:global_profiler.save_path,null
tool ref dm8-,vt11-,s12-13 oc.select:global_profiler.tool,null
tool_config map dm8-,vt11-,s12-13""",
"actor_rollout_ref.actor.profiler.tool_config": """\
npu node dm8-,vt11-,s12-13
nsys node dm8-,vt11-,s12-13
precision_debugger node s12-13,dmvt12-
torch node dm8-,vt11-,s12-13
torch_memory node dm8-,vt11-,s12-13""",
"actor_rollout_ref.actor.profiler.tool_config.npu": """\
analysis bool dm8-,vt11-,s12-13 True
 :c!bool dm8-,vt11-,s12-13
contents list dm8-,vt11-,s12-13
 :c!list dm8-,vt11-,s12-13
discrete bool dm8-,vt11-,s12-13 False
level str dm8-9 level1
 str dm10-,vt11-,s12-13 level0
 :c!str;c=level_none|level0|level1|level2 dm8-,vt11-,s12-13
name +str dm10-,vt11-,s12-13
profile_token_end +int? s13-13,dmvt13-
profile_token_start +int? s13-13,dmvt13-""",
"actor_rollout_ref.actor.profiler.tool_config.nsys": """\
discrete ref dm8-,vt11-,s12-13 oc.select:global_profiler.global_tool_config.nsys.discrete
name +str dm10-,vt11-,s12-13""",
"actor_rollout_ref.actor.profiler.tool_config.precision_debugger": """\
config_path ref s12-13,dmvt12- oc.select:global_profiler.global_tool_config.precision_debugger.config_path,null
name +str s12-13,dmvt12-
stages ref s12-13,dmvt12- oc.select:global_profiler.global_tool_config.precision_debugger.stages,null
steps any? s12-13,dmvt12-
strict ref s12-13,dmvt12- oc.select:global_profiler.global_tool_config.precision_debugger.strict,False
 :c!bool s12-13,dmvt12-""",
"actor_rollout_ref.actor.profiler.tool_config.torch": """\
contents list dmvt11-,s12-13
 :c!list dmvt11-,s12-13
discrete bool dmvt11-,s12-13 False
manual_save +bool dm10-10
name +str dm10-,vt11-,s12-13
profile_token_end +int? s13-13,dmvt13-
profile_token_start +int? s13-13,dmvt13-
schedule node s13-13,dmvt13-
step_end int dm8-10
step_start int dm8-10 0
 :c!int dm8-10""",
"actor_rollout_ref.actor.profiler.tool_config.torch.schedule": """\
active int s13-13,dmvt13- 0
 :c;c!int;c[0, s13-13,dmvt13-
name +str s13-13,dmvt13-
repeat int s13-13,dmvt13- 0
 :c;c!int;c[0, s13-13,dmvt13-
skip_first int s13-13,dmvt13- 0
 :c;c!int;c[0, s13-13,dmvt13-
wait int s13-13,dmvt13- 0
 :c;c!int;c[0, s13-13,dmvt13-
warmup int s13-13,dmvt13- 0
 :c;c!int;c[0, s13-13,dmvt13-""",
"actor_rollout_ref.actor.profiler.tool_config.torch_memory": """\
memory_snapshot_num_steps ref dmvt14- oc.select:global_profiler.global_tool_config.torch_memory.memory_snapshot_num_steps,1
 :c!int;c(0, dmvt14-
name +str dm10-,vt11-,s12-13
stack_depth ref dm8-,vt11-,s12-13 oc.select:global_profiler.global_tool_config.torch_memory.stack_depth,32
 :c!int;c(0, dm8-,vt11-,s12-13
trace_alloc_max_entries ref dm8-,vt11-,s12-13 oc.select:global_profiler.global_tool_config.torch_memory.trace_alloc_max_entries,100000
 :c!int;c(0, dm8-,vt11-,s12-13""",
"actor_rollout_ref.actor.qat": """\
activation_observer str d11-,s12-13,mvt12- static_minmax
enable bool d11-,s12-13,mvt12- False
group_size int d11-,s12-13,mvt12- 16
ignore_patterns list d11-,s12-13,mvt12-
mode str d11-,s12-13,mvt12- w4a16
quantization_config_path str? d11-,s12-13,mvt12-""",
"actor_rollout_ref.actor.router_replay": """\
mode str dm10-13,vt11-13,s12-13 disabled
 :c=disabled|R2|R3 dm10-13,vt11-13,s12-13
record_file str? dm10-13,vt11-13,s12-13
replay_file str? dm10-13,vt11-13,s12-13""",
"actor_rollout_ref.actor.torchtitan": """\
activation_checkpoint str t13- selective
 :c=selective|full|none t13-
attn_type str t11- flex
 :c=flex|flex_flash|varlen t13-
context_parallel_size int t11- 1
data_parallel_replicate_size int t11- 1
data_parallel_shard_size int t11- 1
data_parallel_size int t11- 1
dtype str t11- bfloat16
entropy_checkpointing bool t11- False
entropy_from_logits_chunk_size int t13- 2048
entropy_from_logits_with_chunking bool t11- False
expert_parallel_size int t11- 1
expert_tensor_parallel_size +int t11-
forward_only bool t11- False
forward_prefetch bool t11- False
full_determinism bool t11- False
grad_offload +bool t11-13
infer_max_token_len_per_gpu +int t11-
infer_micro_batch_size_per_gpu +int t11-
max_seq_len int? t11-
max_token_len_per_gpu +int t11-
micro_batch_size_per_gpu +int t11-
mixed_precision bool t11- False
offload_policy +bool t11-
optimizer_offload bool t11- False
param_offload bool t11- False
pipeline_parallel_size int t11- 1
reshard_after_forward str t11- default
router_replay +any? t11-
seed int t11- 42
spmd_backend str t13- spmd_types
 :c=default|full_dtensor|spmd_types t13-
strategy str t11- torchtitan
 :c=torchtitan t11-
tensor_parallel_size int t11- 1
use_dynamic_bsz +bool t11-
use_fused_kernels +bool t11-
use_orig_params bool t11- False
use_remove_padding +bool t11-
use_torch_compile bool t11- True
wrap_policy map t11-""",
"actor_rollout_ref.actor.torchtitan.wrap_policy": """\
min_num_params int t11- 0""",
"actor_rollout_ref.actor.veomni": """\
activation_gpu_limit float v11-13 0.0
activation_offload_host_cache_limit_gb float v14- 4.0
activation_offload_modules list v14-
attn_implementation str v11- flash_attention_2
basic_modules +any? v11-12
 list v13-
causal_conv1d_implementation str v13- eager
chunk_gated_delta_rule_implementation str v13- eager
ckpt_manager str v11- dcp
cross_entropy_loss_implementation str v12- eager
dsa_attention_implementation str v13- eager
dsa_indexer_implementation str v13- eager
dtype +str v11-
enable_async_activation_offload bool v14- False
enable_fsdp_offload bool v11- False
enable_full_shard bool v11- True
enable_reentrant bool v11- False
entropy_checkpointing +bool v11-12
 bool v13- False
entropy_from_logits_chunk_size +int v13-
entropy_from_logits_with_chunking +bool v11-12
 bool v13- False
expert_parallel_size int v11- 1
force_use_huggingface bool v11- False
forward_only bool v11- False
forward_prefetch bool v11- True
fsdp_size int v11- -1
full_determinism bool v11- False
grad_offload +bool v11-13
infer_max_token_len_per_gpu +int v11-
infer_micro_batch_size_per_gpu +int v11-
init_device str v11- meta
load_balancing_loss_implementation str v12- eager
load_checkpoint_path +str? v11-12
 str? v13-
max_token_len_per_gpu +int v11-
mhc_implementation str v13- eager
micro_batch_size_per_gpu +int v11-
mixed_precision bool v11- True
moe_implementation str v11- fused
moe_load_balance_monitor_interval int v12-12 0
offload_policy +bool v11-12
optimizer_offload bool v11- False
pad_to_length ref v13- oc.select:actor_rollout_ref.actor.pad_to_length,False
pad_to_length_bucket int v13- 1024
param_offload bool v11- False
qat_implementation str v14- none
reshard_after_forward +bool v11-12
rms_norm_gated_implementation str v13- eager
rms_norm_implementation str v12- eager
rotary_pos_emb_implementation str v12- eager
router_replay +any? v11-11
 node v12-
seed int v11- 42
strategy str v11- veomni
 :c=veomni v11-
swiglu_mlp_implementation str v12- eager
ulysses_parallel_size int v11- 1
use_dynamic_bsz +bool v11-
use_fused_kernels +bool v11-
use_orig_params +bool v11-12
use_remove_padding +bool v11-
use_torch_compile bool v11- False
wrap_policy +any? v11-12""",
"actor_rollout_ref.actor.veomni.router_replay": """\
mode str v12- disabled
 :c=disabled|R2|R3 v12-
record_file +str? v12-
replay_file +str? v12-""",
"actor_rollout_ref.model": """\
architectures +any? d8-,m10-,vt11-,s12-13
custom_chat_template str? d6-7,m6-9
 str? d8-,m10-,vt11-,s12-13
enable_activation_offload bool d5-,m10-,vt11-,s12-13 False
enable_gradient_checkpointing bool d0-,m10-,vt11-,s12-13 True
 bool m0-6 False
exclude_modules str? d7-7
 str? d8-,m10-,vt11-,s12-13
external_lib str? d0-7,m0-9,s13-13,dmvt13-
 str? d8-12,m10-12,vt11-12,s12-12
fused_kernel_options map d6-,m10-,vt11-,s12-13
generation_config +any? d8-,m10-,vt11-,s12-13
gradient_checkpointing_kwargs map m5-6
hf_config +any? d8-,m10-,vt11-,s12-13
hf_config_path str? d8-,m10-,vt11-,s12-13
load_tokenizer +bool d8-,m10-,vt11-,s12-13
local_hf_config_path +str? d8-,m10-,vt11-,s12-13
local_path +str? d8-,m10-,vt11-,s12-13
local_tokenizer_path +str? d8-,m10-,vt11-,s12-13
lora +any? d10-11,vt11-11
 map m10-,s12-13,dvt12-
lora_adapter_path str? d9-,m10-,vt11-,s12-13
lora_alpha int d5-,m10-,vt11-,s12-13 16
lora_rank int d5-,m10-,vt11-,s12-13 0
 :i d5-8,dmvt11-12,s12-12
 :c d9-10,m10-10
model_type +str s12-13,dmvt12-
 :n=language_model|value_model s12-13,dmvt12-
mtp node dmvt11-,s12-13
override_config map dm0-,vt11-,s12-13
path str dm0-,vt11-,s12-13 ~/models/deepseek-llm-7b-chat
processor +any? d8-,m10-,vt11-,s12-13
target_modules str d5-,m10-,vt11-,s12-13 all-linear
target_parameters +any? dmvt11-,s12-13
tiled_mlp map dm10-,vt11-,s12-13
tokenizer +any? d8-,m10-,vt11-,s12-13
tokenizer_path str? d8-,m10-,vt11-,s12-13
trust_remote_code bool dm5-,vt11-,s12-13 False
use_fused_kernels bool d5-,m7-,vt11-,s12-13 False
use_liger bool d5-,m10-,vt11-,s12-13 False
use_remove_padding bool d0-9,m8-11 False
 bool d10-,vt11-,s12-13,m12- True
use_shm bool d5-,m10-,vt11-,s12-13 False""",
"actor_rollout_ref.model.fused_kernel_options": """\
impl_backend str d6-,m10-,vt11-,s12-13 torch""",
"actor_rollout_ref.model.gradient_checkpointing_kwargs": """\
activations_checkpoint_granularity any? m5-6
activations_checkpoint_method any? m5-6
activations_checkpoint_num_layers any? m5-6""",
"actor_rollout_ref.model.lora": """\
a2a_experimental bool m10-,s12-13,dvt12- False
adapter_path any? m10-,s12-13,dvt12-
alpha int m10-,s12-13,dvt12- 32
dropout float m10-,s12-13,dvt12- 0.0
dropout_position str m10-,s12-13,dvt12- pre
dtype any? m10-,s12-13,dvt12-
exclude_modules list m10-,s12-13,dvt12-
freeze_language_model bool m10-,s12-13,dvt12- True
freeze_vision_model bool m10-,s12-13,dvt12- True
freeze_vision_projection bool m10-,s12-13,dvt12- True
lora_A_init_method str m10-,s12-13,dvt12- xavier
lora_B_init_method str m10-,s12-13,dvt12- zero
merge bool m11-,s12-13,dvt12- False
rank int m10-,s12-13,dvt12- 0
 :c m11-,s12-13,dvt12-
target_modules list m10-,s12-13,dvt12-
type str m10-,s12-13,dvt12- lora
 :n=lora|vlm_lora|canonical_lora|dora m10-11""",
"actor_rollout_ref.model.mtp": """\
detach_encoder bool dmvt11-,s12-13 False
enable bool dmvt11-,s12-13 False
enable_rollout bool dmvt11-,s12-13 False
enable_train bool dmvt11-,s12-13 False
method str dmvt11-,s12-13 mtp
mtp_loss_scaling_factor float dmvt11-,s12-13 0.1
num_speculative_tokens int dmvt11-,s12-13 1
speculative_algorithm str dmvt11-,s12-13 EAGLE
speculative_eagle_topk int dmvt11-,s12-13 1
speculative_num_draft_tokens int dmvt11-,s12-13 4
speculative_num_steps int dmvt11-,s12-13 3""",
"actor_rollout_ref.model.override_config": """\
model_config map m5-11
moe_config map m5-11""",
"actor_rollout_ref.model.override_config.moe_config": """\
freeze_moe_router bool m5-11 False""",
"actor_rollout_ref.model.tiled_mlp": """\
enabled bool dm10-,vt11-,s12-13 False
num_shards int dm10-,vt11-,s12-13 4""",
"actor_rollout_ref.profiler": """\
all_ranks bool dm7-7 False
discrete bool dm7-7 False
extra +any? dm7-7
ranks list dm7-7""",
"actor_rollout_ref.ref": """\
calculate_entropy +bool dm10-,vt11-,s12-13
calculate_sum_pi_squared +bool d11-,s12-13,mvt12-
checkpoint +any? dm10-,vt11-,s12-13
clip_ratio +float dm10-,vt11-,s12-13
clip_ratio_c +float dm10-,vt11-,s12-13
clip_ratio_high +float dm10-,vt11-,s12-13
clip_ratio_low +float dm10-,vt11-,s12-13
data_loader_seed +int dm10-,vt11-,s12-13
engine +any? dm10-,vt11-,s12-13
entropy_checkpointing bool d6- False
entropy_coeff +float dm10-,vt11-,s12-13
entropy_from_logits_chunk_size int d13- 2048
 ref m13- oc.select:actor_rollout_ref.actor.entropy_from_logits_chunk_size,2048
entropy_from_logits_with_chunking bool d6- False
 ref m13- oc.select:actor_rollout_ref.actor.entropy_from_logits_with_chunking,False
freeze_vision_tower +bool dm10-,vt11-,s12-13
fsdp_config map d0-7
 node d8-
global_batch_info +any? dm10-,vt11-,s12-13
grad_clip +float d10-
kl_loss_coef +float dm10-,vt11-,s12-13
kl_loss_type +str dm10-,vt11-,s12-13
 :r?actor_rollout_ref.ref.use_kl_loss=kl|k1|abs|mse|k2|low_var_kl|k3 dm10-11,vt11-11
 :r?actor_rollout_ref.ref.use_kl_loss=kl|k1|abs|mse|k2|low_var_kl|k3|kl+|k1+|abs+|mse+|k2+|low_var_kl+|k3+ s12-13,dmvt12-
load_weight bool m0-12,s12-12 True
log_prob_max_token_len_per_gpu ref d0-6,m5-6 actor_rollout_ref.actor.ppo_max_token_len_per_gpu
 ref dm7-,vt11-,s12-13 oc.select:actor_rollout_ref.actor.ppo_max_token_len_per_gpu,16384
log_prob_micro_batch_size any? dm0-,vt11-,s12-13
log_prob_micro_batch_size_per_gpu any? dm0-,vt11-,s12-13
log_prob_use_dynamic_bsz ref d0-6,m5-6 actor_rollout_ref.actor.use_dynamic_bsz
 ref dm7-,vt11-,s12-13 oc.select:actor_rollout_ref.actor.use_dynamic_bsz,false
loss_agg_mode +str dm10-,vt11-,s12-13
loss_scale_factor +int? dm10-,vt11-,s12-13
megatron map m0-7
 node m8-
mindspeed node s12-13
model any? d8-9
model_config +any? dm10-,vt11-,s12-13
optim +any? dm10-,v11-
 node t11-,s12-13
pad_to_length ref dv13- oc.select:actor_rollout_ref.actor.pad_to_length,False
param_offload bool m0-4 False
policy_loss +any? dm10-,vt11-,s12-13
ppo_epochs +int dm10-,vt11-,s12-13
ppo_infer_max_token_len_per_gpu +int dm10-,vt11-,s12-13
ppo_infer_micro_batch_size_per_gpu +int? dm10-,vt11-,s12-13
ppo_max_token_len_per_gpu +int dm10-,vt11-,s12-13
ppo_micro_batch_size +int? dm10-,vt11-,s12-13
ppo_micro_batch_size_per_gpu +int? dm10-,vt11-,s12-13
ppo_mini_batch_size +int dm10-,vt11-,s12-13
profile map m5-7
 +any? m10-,s12-13
profiler map dm6-6
 node dm8-,vt11-,s12-13
qat +any? d11-,s12-13,mvt12-
rollout_n ref dm10-,vt11-,s12-13 oc.select:actor_rollout_ref.rollout.n,1
router_replay node dm10-13,vt11-13,s12-13
shuffle +bool dm10-,vt11-,s12-13
strategy str d5-5 fsdp
 ref m6-6,d6- actor_rollout_ref.actor.strategy
 str m5-5,m7- megatron
 str v11- veomni
 str t11- torchtitan
 str s12-13 mindspeed
sum_pi_squared_checkpointing +bool d11-11
tau_neg +float dm10-,vt11-,s12-13
tau_pos +float dm10-,vt11-,s12-13
torchtitan node t11-
ulysses_sequence_parallel_size ref d0-6 actor_rollout_ref.actor.ulysses_sequence_parallel_size
 ref d7- oc.select:actor_rollout_ref.actor.ulysses_sequence_parallel_size,1
use_dynamic_bsz +bool dm10-,vt11-,s12-13
use_fused_kernels +bool dm10-,vt11-,s12-13
use_kl_loss +bool dm10-,vt11-,s12-13
use_prefix_grouper +bool dmvt11-,s12-13
use_remove_padding +bool d10-,vt11-
use_rollout_log_probs +bool dm10-,vt11-,s12-13
use_torch_compile ref dm5-6 actor_rollout_ref.actor.use_torch_compile
 ref dm7-,vt11-,s12-13 oc.select:actor_rollout_ref.actor.use_torch_compile,true
veomni node v11-""",
"actor_rollout_ref.ref.fsdp_config": """\
dtype str d9- bfloat16
entropy_checkpointing bool d8-12 False
 ref d13- oc.select:actor_rollout_ref.ref.entropy_checkpointing,False
entropy_from_logits_chunk_size ref d13- oc.select:actor_rollout_ref.ref.entropy_from_logits_chunk_size,2048
entropy_from_logits_with_chunking bool d8-12 False
 ref d13- oc.select:actor_rollout_ref.ref.entropy_from_logits_with_chunking,False
forward_only bool d8-9 False
 bool d10- True
forward_prefetch bool d6- False
fsdp_size int d8- -1
full_determinism bool d10- False
grad_offload +bool d10-13
infer_max_token_len_per_gpu +int d10-
infer_micro_batch_size_per_gpu +int d10-
max_token_len_per_gpu +int d10-
micro_batch_size_per_gpu +int d10-
mixed_precision +any? d8-
model_dtype str d8- fp32
offload_policy bool d8- False
optimizer_offload bool d8- False
pad_to_length ref d13- oc.select:actor_rollout_ref.ref.pad_to_length,False
pad_to_length_bucket ref d13- oc.select:actor_rollout_ref.actor.fsdp_config.pad_to_length_bucket,1024
param_offload bool d0- False
qat node d11-
reshard_after_forward bool d5- True
router_replay +any? d11-
seed int d10- 42
strategy str d8- fsdp
 :n=fsdp|fsdp2 d8-13
 :n=fsdp|fsdp2|fsdp_turbo d14-
turbo_config map d14-
ulysses_sequence_parallel_size int d8- 1
use_dynamic_bsz +bool d10-
use_fused_kernels +bool d10-
use_no_sync_for_gradient_accumulation bool d14- False
use_orig_params bool d8- False
use_remove_padding +bool d10-
use_torch_compile bool d8- True
wrap_policy map d0-""",
"actor_rollout_ref.ref.fsdp_config.qat": """\
activation_observer str d11- static_minmax
enable bool d11- False
group_size int d11- 16
ignore_patterns list d11-
mode str d11- w4a16
quantization_config_path str? d11-""",
"actor_rollout_ref.ref.fsdp_config.turbo_config": """\
distributed map d14-""",
"actor_rollout_ref.ref.fsdp_config.turbo_config.distributed": """\
expert_fully_shard_parallel_size int d14- 1
expert_parallel_size int d14- 1
fsdp_plan map d14-
fully_shard_parallel_size int d14- 16
tensor_parallel_size int d14- 1
ulysses_parallel_size int d14- 1""",
"actor_rollout_ref.ref.fsdp_config.turbo_config.distributed.fsdp_plan": """\
fsdp_implementation str d14- native
num_to_backward_prefetch int d14- 1
num_to_forward_prefetch int d14- 1
output_dtype str d14- bf16
param_dtype str d14- bf16
reduce_dtype str d14- fp32""",
"actor_rollout_ref.ref.fsdp_config.wrap_policy": """\
min_num_params int d0- 0""",
"actor_rollout_ref.ref.megatron": """\
context_parallel_size int m5-9 1
 ref m10- oc.select:actor_rollout_ref.actor.megatron.context_parallel_size,1
dist_checkpointing_path str? m5-9
 str? m10-
dist_checkpointing_prefix str m10- ''
dist_ckpt_optim_fully_reshardable bool m11-11 True
 bool m12- False
distrib_optim_fully_reshardable_mem_efficient bool m11- False
dtype str m9- bfloat16
dynamic_context_parallel bool m12-12 False
 ref m13- oc.select:actor_rollout_ref.actor.megatron.dynamic_context_parallel,False
entropy_from_logits_chunk_size ref m13- oc.select:actor_rollout_ref.actor.entropy_from_logits_chunk_size,2048
entropy_from_logits_with_chunking ref m13- oc.select:actor_rollout_ref.actor.entropy_from_logits_with_chunking,False
expert_model_parallel_size int m5-9 1
 ref m10- oc.select:actor_rollout_ref.actor.megatron.expert_model_parallel_size,1
expert_tensor_parallel_size str m5-7 None
 int m8-8 1
 any? m9-9
 ref m10- oc.select:actor_rollout_ref.actor.megatron.expert_tensor_parallel_size,null
forward_only bool m8-9 False
 bool m10- True
full_determinism +bool m10-
grad_offload bool m8-13 False
infer_max_token_len_per_gpu +int m10-
infer_micro_batch_size_per_gpu +int m10-
max_seqlen_per_dp_cp_rank int? m12-12
 ref m13- oc.select:actor_rollout_ref.actor.megatron.max_seqlen_per_dp_cp_rank,null
max_token_len_per_gpu +int m10-
micro_batch_size_per_gpu +int m10-
num_layers_per_virtual_pipeline_stage any? m0-2
optimizer_offload bool m8- False
override_ddp_config map m8-
override_mcore_model_config map m8-
override_transformer_config ref m5-6 actor_rollout_ref.actor.megatron.override_transformer_config
 ref m7- ${oc.select:actor_rollout_ref.actor.megatron.override_transformer_config,{}}
pad_bshd_to_minibatch_max bool m13- True
pad_to_length ref m13- oc.select:actor_rollout_ref.actor.megatron.pad_to_length,False
pad_to_length_bucket ref m13- oc.select:actor_rollout_ref.actor.megatron.pad_to_length_bucket,512
param_offload bool m5-9 False
 ref m10- oc.select:actor_rollout_ref.actor.megatron.param_offload,False
pipeline_model_parallel_size int m0-9 1
 ref m10- oc.select:actor_rollout_ref.actor.megatron.pipeline_model_parallel_size,1
qat node m12-
router_replay node m11-
seed int m0-4 1
 ref m5-6 actor_rollout_ref.actor.megatron.seed
 ref m7- oc.select:actor_rollout_ref.actor.megatron.seed,42
sequence_parallel bool m0- True
strategy +str m10-
tensor_model_parallel_size int m0-4 4
 int m5-9 1
 ref m10- oc.select:actor_rollout_ref.actor.megatron.tensor_model_parallel_size,1
use_dist_checkpointing bool m5- False
use_distributed_optimizer bool m3-4,m8- True
 bool m5-7 False
use_dynamic_bsz +bool m10-
use_fused_kernels +bool m10-
use_mbridge ref m7- oc.select:actor_rollout_ref.actor.megatron.use_mbridge,False
use_megatron_fsdp bool m12- False
use_remove_padding ref m10- oc.select:actor_rollout_ref.actor.megatron.use_remove_padding,True
vanilla_mbridge ref m10-12 oc.select:actor_rollout_ref.actor.megatron.vanilla_mbridge,True
 ref m13- oc.select:actor_rollout_ref.actor.megatron.vanilla_mbridge,False
virtual_pipeline_model_parallel_size any? m3-9
 ref m10- oc.select:actor_rollout_ref.actor.megatron.virtual_pipeline_model_parallel_size,null""",
"actor_rollout_ref.ref.megatron.qat": """\
activation_observer str m12-
enable bool m12- False
group_size int m12- 16
ignore_patterns list m12-
mode str m12- w4a16
quantization_config_path str? m12-""",
"actor_rollout_ref.ref.megatron.router_replay": """\
mode str m11- disabled
 :n=disabled|R2|R3 m11-
record_file str? m11-
replay_file str? m11-""",
"actor_rollout_ref.ref.mindspeed": """\
context_parallel_size ref s12-13 oc.select:actor_rollout_ref.actor.mindspeed.context_parallel_size,1
dist_checkpointing_path str? s12-13
dist_checkpointing_prefix str s12-13 ''
dist_ckpt_optim_fully_reshardable bool s12-13 False
distrib_optim_fully_reshardable_mem_efficient bool s12-13 False
dtype str s12-13 bfloat16
dynamic_context_parallel bool s12-13 False
entropy_from_logits_chunk_size int s13-13 2048
entropy_from_logits_with_chunking bool s13-13 False
expert_model_parallel_size ref s12-13 oc.select:actor_rollout_ref.actor.mindspeed.expert_model_parallel_size,1
expert_tensor_parallel_size ref s12-13 oc.select:actor_rollout_ref.actor.mindspeed.expert_tensor_parallel_size,null
forward_only bool s12-13 True
fsdp_kwargs ref s12-13 ${oc.select:actor_rollout_ref.actor.mindspeed.fsdp_kwargs,{}}
full_determinism +bool s12-13
grad_offload bool s12-13 False
infer_max_token_len_per_gpu +int s12-13
infer_micro_batch_size_per_gpu +int s12-13
max_seqlen_per_dp_cp_rank int? s12-13
max_token_len_per_gpu +int s12-13
mcore_kwargs ref s12-13 ${oc.select:actor_rollout_ref.actor.mindspeed.mcore_kwargs,{}}
micro_batch_size_per_gpu +int s12-13
optimizer_offload bool s12-13 False
override_ddp_config map s12-13
override_mcore_model_config map s12-13
override_transformer_config ref s12-13 ${oc.select:actor_rollout_ref.actor.mindspeed.override_transformer_config,{}}
pad_bshd_to_minibatch_max bool s13-13 True
pad_to_length bool s13-13 False
pad_to_length_bucket int s13-13 512
param_offload ref s12-13 oc.select:actor_rollout_ref.actor.mindspeed.param_offload,False
pipeline_model_parallel_size ref s12-13 oc.select:actor_rollout_ref.actor.mindspeed.pipeline_model_parallel_size,1
qat node s12-13
router_replay node s12-13
seed ref s12-13 oc.select:actor_rollout_ref.actor.mindspeed.seed,42
sequence_parallel bool s12-13 True
strategy ref s12-13 oc.select:actor_rollout_ref.actor.mindspeed.strategy,''
tensor_model_parallel_size ref s12-13 oc.select:actor_rollout_ref.actor.mindspeed.tensor_model_parallel_size,1
use_dist_checkpointing bool s12-13 False
use_distributed_optimizer bool s12-13 True
use_dynamic_bsz +bool s12-13
use_fused_kernels +bool s12-13
use_mbridge ref s12-13 oc.select:actor_rollout_ref.actor.mindspeed.use_mbridge,False
use_megatron_fsdp bool s12-13 False
use_remove_padding ref s12-13 oc.select:actor_rollout_ref.actor.mindspeed.use_remove_padding,True
vanilla_mbridge ref s12-13 oc.select:actor_rollout_ref.actor.mindspeed.vanilla_mbridge,True
virtual_pipeline_model_parallel_size ref s12-13 oc.select:actor_rollout_ref.actor.mindspeed.virtual_pipeline_model_parallel_size,null""",
"actor_rollout_ref.ref.mindspeed.qat": """\
activation_observer str s12-13
enable bool s12-13 False
group_size int s12-13 16
ignore_patterns list s12-13
mode str s12-13 w4a16
quantization_config_path str? s12-13""",
"actor_rollout_ref.ref.mindspeed.router_replay": """\
mode str s12-13 disabled
 :n=disabled|R2|R3 s12-13
record_file str? s12-13
replay_file str? s12-13""",
"actor_rollout_ref.ref.optim": """\
betas list t11-,s12-13
clip_grad float t11-,s12-13 1.0
decay_type str t11- linear
eps float t11- 1e-08
exp_avg_dtype str s13-13 fp32
exp_avg_sq_dtype str s13-13 fp32
grad_clip +float? t11-,s12-13
lr float t11-,s12-13 0.001
lr_decay_steps int? s12-13
lr_decay_style str s12-13 constant
lr_warmup_init float s12-13 0.0
lr_warmup_steps int t11-,s12-13 -1
lr_warmup_steps_ratio float t11-,s12-13 0.0
lr_wsd_decay_steps int? s12-13
lr_wsd_decay_style str s12-13 exponential
main_grads_dtype str s13-13 fp32
min_lr float s12-13 0.0
min_lr_factor float t11- 0.0
muon_coefficient_type str s13-13 quintic
muon_extra_scale_factor float s13-13 1.0
muon_fp32_matmul_prec str s13-13 medium
muon_match_adamw_update_rms bool s13-13 False
muon_momentum float s13-13 0.95
muon_nesterov bool s13-13 False
muon_num_ns_steps int s13-13 5
muon_scalar_optimizer str s13-13 adam
muon_scale_mode str s13-13 spectral
muon_split_qkv bool s13-13 True
muon_tp_mode str s13-13 blockwise
name str t11- AdamW
optimizer str s12-13 adam
override_optimizer_config map s12-13
total_training_steps int t11-,s12-13 -1
use_checkpoint_opt_param_scheduler bool s12-13 False
use_layer_wise_distributed_optimizer bool s13-13 False
use_layer_wise_param_layout +bool? s13-13
use_precision_aware_optimizer bool s13-13 False
weight_decay float t11-,s12-13 0.01
weight_decay_incr_style str s12-13 constant""",
"actor_rollout_ref.ref.profile": """\
profile_ranks any? m5-7
save_path any? m5-7
step_end int m5-7 -1
step_start int m5-7 -1
use_profile bool m5-7 False""",
"actor_rollout_ref.ref.profiler": """\
all_ranks bool dm6-6,dm8-,vt11-,s12-13 False
discrete bool dm6-6 False
enable bool dm8-,vt11-,s12-13 False
finish_hook_all_ranks ref dmvt14- oc.select:global_profiler.finish_hook_all_ranks,false
finish_hook_cmd ref dmvt14- oc.select:global_profiler.finish_hook_cmd,null
finish_hook_ranks ref dmvt14- oc.select:global_profiler.finish_hook_ranks,[]
global_tool_config +any? dm8-,vt11-,s12-13
ranks any? dm6-6
 list dm8-,vt11-,s12-13
relocate_results ref dmvt14- oc.select:global_profiler.relocate_results,false
save_path ref dm8-,vt11-,s12-13 oc.select:global_profiler.save_path,null
tool ref dm8-,vt11-,s12-13 oc.select:global_profiler.tool,null
tool_config map dm8-,vt11-,s12-13""",
"actor_rollout_ref.ref.profiler.tool_config": """\
npu node dm8-,vt11-,s12-13
nsys node dm8-,vt11-,s12-13
precision_debugger node s12-13,dmvt12-
torch node dm8-,vt11-,s12-13
torch_memory node dm8-,vt11-,s12-13""",
"actor_rollout_ref.ref.profiler.tool_config.npu": """\
analysis bool dm8-,vt11-,s12-13 True
contents list dm8-,vt11-,s12-13
discrete bool dm8-,vt11-,s12-13 False
level str dm8-9 level1
 str dm10-,vt11-,s12-13 level0
name +str dm10-,vt11-,s12-13
profile_token_end +int? s13-13,dmvt13-
profile_token_start +int? s13-13,dmvt13-""",
"actor_rollout_ref.ref.profiler.tool_config.nsys": """\
discrete ref dm8-,vt11-,s12-13 oc.select:global_profiler.global_tool_config.nsys.discrete
name +str dm10-,vt11-,s12-13""",
"actor_rollout_ref.ref.profiler.tool_config.precision_debugger": """\
config_path ref s12-13,dmvt12- oc.select:global_profiler.global_tool_config.precision_debugger.config_path,null
name +str s12-13,dmvt12-
stages ref s12-13,dmvt12- oc.select:global_profiler.global_tool_config.precision_debugger.stages,null
steps any? s12-13,dmvt12-
strict ref s12-13,dmvt12- oc.select:global_profiler.global_tool_config.precision_debugger.strict,False""",
"actor_rollout_ref.ref.profiler.tool_config.torch": """\
contents list dmvt11-,s12-13
discrete bool dmvt11-,s12-13 False
manual_save +bool dm10-10
name +str dm10-,vt11-,s12-13
profile_token_end +int? s13-13,dmvt13-
profile_token_start +int? s13-13,dmvt13-
schedule node s13-13,dmvt13-
step_end int dm8-10
step_start int dm8-10 0""",
"actor_rollout_ref.ref.profiler.tool_config.torch.schedule": """\
active int s13-13,dmvt13- 0
name +str s13-13,dmvt13-
repeat int s13-13,dmvt13- 0
skip_first int s13-13,dmvt13- 0
wait int s13-13,dmvt13- 0
warmup int s13-13,dmvt13- 0""",
"actor_rollout_ref.ref.profiler.tool_config.torch_memory": """\
memory_snapshot_num_steps ref dmvt14- oc.select:global_profiler.global_tool_config.torch_memory.memory_snapshot_num_steps,1
name +str dm10-,vt11-,s12-13
stack_depth ref dm8-,vt11-,s12-13 oc.select:global_profiler.global_tool_config.torch_memory.stack_depth,32
trace_alloc_max_entries ref dm8-,vt11-,s12-13 oc.select:global_profiler.global_tool_config.torch_memory.trace_alloc_max_entries,100000""",
"actor_rollout_ref.ref.router_replay": """\
mode str dm10-13,vt11-13,s12-13 disabled
 :n=disabled|R2|R3 dm10-13,vt11-13,s12-13
record_file str? dm10-13,vt11-13,s12-13
replay_file str? dm10-13,vt11-13,s12-13""",
"actor_rollout_ref.ref.torchtitan": """\
activation_checkpoint str t13- selective
attn_type ref t11- oc.select:actor_rollout_ref.actor.torchtitan.attn_type,flex
context_parallel_size ref t11- oc.select:actor_rollout_ref.actor.torchtitan.context_parallel_size,1
data_parallel_replicate_size ref t11- oc.select:actor_rollout_ref.actor.torchtitan.data_parallel_replicate_size,1
data_parallel_shard_size ref t11- oc.select:actor_rollout_ref.actor.torchtitan.data_parallel_shard_size,1
data_parallel_size ref t11- oc.select:actor_rollout_ref.actor.torchtitan.data_parallel_size,1
dtype str t11- bfloat16
entropy_checkpointing bool t11- False
entropy_from_logits_chunk_size int t13- 2048
entropy_from_logits_with_chunking bool t11- False
expert_parallel_size ref t11- oc.select:actor_rollout_ref.actor.torchtitan.expert_parallel_size,1
expert_tensor_parallel_size +int t11-
forward_only bool t11- True
forward_prefetch bool t11- False
full_determinism bool t11- False
grad_offload +bool t11-13
infer_max_token_len_per_gpu +int t11-
infer_micro_batch_size_per_gpu +int t11-
max_seq_len int? t11-
max_token_len_per_gpu +int t11-
micro_batch_size_per_gpu +int t11-
mixed_precision bool t11- False
offload_policy +bool t11-
optimizer_offload bool t11- False
param_offload bool t11- False
pipeline_parallel_size ref t11- oc.select:actor_rollout_ref.actor.torchtitan.pipeline_parallel_size,1
reshard_after_forward str t11- default
router_replay +any? t11-
seed ref t11- oc.select:actor_rollout_ref.actor.torchtitan.seed,42
spmd_backend str t13- spmd_types
strategy str t11- torchtitan
tensor_parallel_size ref t11- oc.select:actor_rollout_ref.actor.torchtitan.tensor_parallel_size,1
use_dynamic_bsz +bool t11-
use_fused_kernels +bool t11-
use_orig_params bool t11- False
use_remove_padding +bool t11-
use_torch_compile bool t11- True
wrap_policy map t11-""",
"actor_rollout_ref.ref.torchtitan.wrap_policy": """\
min_num_params int t11- 0""",
"actor_rollout_ref.ref.veomni": """\
activation_gpu_limit float v11-13 0.0
activation_offload_host_cache_limit_gb float v14- 4.0
activation_offload_modules list v14-
attn_implementation ref v11- oc.select:actor_rollout_ref.actor.veomni.attn_implementation,flash_attention_2
basic_modules +any? v11-12
 list v13-
causal_conv1d_implementation str v13- eager
chunk_gated_delta_rule_implementation str v13- eager
ckpt_manager str v11- dcp
cross_entropy_loss_implementation ref v12- oc.select:actor_rollout_ref.actor.veomni.cross_entropy_loss_implementation,eager
dsa_attention_implementation str v13- eager
dsa_indexer_implementation str v13- eager
dtype +str v11-
enable_async_activation_offload bool v14- False
enable_fsdp_offload bool v11- False
enable_full_shard bool v11- True
enable_reentrant bool v11- False
entropy_checkpointing +bool v11-12
 bool v13- False
entropy_from_logits_chunk_size +int v13-
entropy_from_logits_with_chunking +bool v11-12
 bool v13- False
expert_parallel_size ref v11- oc.select:actor_rollout_ref.actor.veomni.expert_parallel_size,1
force_use_huggingface bool v11- False
forward_only bool v11- True
forward_prefetch bool v11- True
fsdp_size ref v11- oc.select:actor_rollout_ref.actor.veomni.fsdp_size,-1
full_determinism bool v11- False
grad_offload +bool v11-13
infer_max_token_len_per_gpu +int v11-
infer_micro_batch_size_per_gpu +int v11-
init_device str v11- meta
load_balancing_loss_implementation ref v12- oc.select:actor_rollout_ref.actor.veomni.load_balancing_loss_implementation,eager
load_checkpoint_path +str? v11-12
 str? v13-
max_token_len_per_gpu +int v11-
mhc_implementation str v13- eager
micro_batch_size_per_gpu +int v11-
mixed_precision bool v11- True
moe_implementation ref v11- oc.select:actor_rollout_ref.actor.veomni.moe_implementation,fused
moe_load_balance_monitor_interval int v12-12 0
offload_policy +bool v11-12
optimizer_offload bool v11- False
pad_to_length ref v13- oc.select:actor_rollout_ref.ref.pad_to_length,False
pad_to_length_bucket ref v13- oc.select:actor_rollout_ref.actor.veomni.pad_to_length_bucket,1024
param_offload ref v11- oc.select:actor_rollout_ref.actor.veomni.param_offload,False
qat_implementation str v14- none
reshard_after_forward +bool v11-12
rms_norm_gated_implementation str v13- eager
rms_norm_implementation ref v12- oc.select:actor_rollout_ref.actor.veomni.rms_norm_implementation,eager
rotary_pos_emb_implementation ref v12- oc.select:actor_rollout_ref.actor.veomni.rotary_pos_emb_implementation,eager
router_replay +any? v11-11
 node v12-
seed ref v11- oc.select:actor_rollout_ref.actor.veomni.seed,42
strategy str v11- veomni
swiglu_mlp_implementation ref v12- oc.select:actor_rollout_ref.actor.veomni.swiglu_mlp_implementation,eager
ulysses_parallel_size ref v11- oc.select:actor_rollout_ref.actor.veomni.ulysses_parallel_size,1
use_dynamic_bsz +bool v11-
use_fused_kernels +bool v11-
use_orig_params +bool v11-12
use_remove_padding +bool v11-
use_torch_compile bool v11- False
wrap_policy +any? v11-12""",
"actor_rollout_ref.ref.veomni.router_replay": """\
mode str v12- disabled
record_file +str? v12-
replay_file +str? v12-""",
"actor_rollout_ref.rollout": """\
agent map dm7-7
 node dm8-,vt11-,s12-13
calculate_log_probs bool dm6-12,vt11-12,s12-12 False
 bool s13-13,dmvt13- True
chat_scheduler any? d5-5
checkpoint_engine node dmvt11-,s12-13
checkpoint_manager_class +str? s12-13,dmvt12-
cudagraph_capture_sizes any? dm8-,vt11-,s12-13
custom +any? dm10-,vt11-,s12-13
data_parallel_size int dm8-,vt11-,s12-13 1
 :i dm8-,vt11-,s12-13
disable_log_stats bool dm0-,vt11-,s12-13 True
disaggregation map s12-13,dmvt12-
do_sample bool dm0-,vt11-,s12-13 True
dtype str dm0-,vt11-,s12-13 bfloat16
enable_chunked_prefill bool d0-,m8-,vt11-,s12-13 True
 bool m0-7 False
enable_prefix_caching bool dm8-,vt11-,s12-13 True
enable_rollout_routing_replay bool dm10-,vt11-,s12-13 False
enable_sleep_mode +bool dm10-,vt11-,s12-13
enforce_eager bool dm0-7 True
 bool dm8-,vt11-,s12-13 False
engine_kwargs map dm5-,vt11-,s12-13
expert_parallel_size int dm8-,vt11-,s12-13 1
 :i dm8-9
free_cache_engine bool dm0-,vt11-,s12-13 True
full_determinism bool s13-13,dmvt13- False
gpu_memory_utilization float dm0-,vt11-,s12-13 0.5
 :i?actor_rollout_ref.rollout.name:vllm(0,1] dm0-,vt11-,s12-13
ignore_eos bool dm0-,vt11-,s12-13 False
layer_name_map +any? d8-,vt11-,s12-13,m12-
 map m0-11
layered_summon bool d5-,vt11-,s12-13,m12- False
 +bool m8-11
limit_images +int? dm8-,vt11-,s12-13
load_format str d0-7 dummy_dtensor
 str dm8-,vt11-,s12-13 dummy
 str m0-7 dummy_megatron
log_prob_max_token_len_per_gpu ref d0-6,m5-6 actor_rollout_ref.actor.ppo_max_token_len_per_gpu
 ref dm7-,vt11-,s12-13 oc.select:actor_rollout_ref.actor.ppo_max_token_len_per_gpu,16384
log_prob_micro_batch_size int? dm0-7
 int? dm8-,vt11-,s12-13
log_prob_micro_batch_size_per_gpu int? dm0-7
 int? dm8-,vt11-,s12-13
log_prob_use_dynamic_bsz ref d0-6,m5-6 actor_rollout_ref.actor.use_dynamic_bsz
 ref dm7-,vt11-,s12-13 oc.select:actor_rollout_ref.actor.use_dynamic_bsz,false
logprobs_mode str dm10-,vt11-,s12-13 processed_logprobs
max_model_len int? dm3-7
 int? dm8-,vt11-,s12-13
max_num_batched_tokens int dm0-,vt11-,s12-13 8192
max_num_seqs int dm0-12,vt11-12,s12-12 1024
 int s13-13,dmvt13- 256
mode str dm5-9 sync
 str dm10-,vt11-,s12-13 async
 :n=async|sync dm5-7
 :i=async|sync dm8-9
 :i=async dm10-,vt11-,s12-13
moe_load_balance_metrics_interval int s13-13,dmvt13- 0
moe_tensor_parallel_size +int dmvt11-,s12-13
mtp ref dmvt11-,s12-13 oc.select:actor_rollout_ref.model.mtp, null
multi_stage_wake_up bool d6-,m7-,vt11-,s12-13 False
multi_turn map dm5-7
 node dm8-,vt11-,s12-13
n int dm0-,vt11-,s12-13 1
 :c dm0-,vt11-,s12-13
n_gpus_per_node ref dmvt11-,s12-13 oc.select:trainer.n_gpus_per_node,8
name str dm0-7 vllm
 required dm8-,vt11-,s12-13
 :n=hf|vllm dm0-2
 :n=hf|vllm|sglang dm3-4
 :i=hf|vllm|sglang|sglang_async d5-6
 :i=hf|vllm|sglang d7-7
 :i=sglang|vllm dm8-10
 :i=sglang|trtllm|vllm dmvt11-,s12-13
 :i=vllm|sglang|sglang_async m5-6
 :i=vllm|sglang m7-7
nnodes int dmvt11-,s12-13 0
over_sample_rate float dm8-,vt11-,s12-13 0
pipeline_model_parallel_size int dm8-,vt11-,s12-13 1
 :i dm8-,vt11-,s12-13
profiler map dm6-6
 node dm8-,vt11-,s12-13
prometheus node dm9-,vt11-,s12-13
prompt_length ref dm0-6 data.max_prompt_length
 ref dm7-,vt11-,s12-13 oc.select:data.max_prompt_length,512
qat ref dmvt11-11 oc.select:actor_rollout_ref.actor.fsdp_config.qat,null
 ref s12-13,dmvt12- ${oc.select:actor_rollout_ref.actor.fsdp_config.qat,${oc.select:actor_rollout_ref.actor.megatron.qat,null}}
quantization str? dm10-,vt11-,s12-13
quantization_config_file str? dm10-,vt11-,s12-13
repetition_penalty +float dm10-,vt11-,s12-13
response_length ref dm0-6 data.max_response_length
 ref dm7-,vt11-,s12-13 oc.select:data.max_response_length,512
router_config_path str? dmvt14-
scheduling_policy str dmvt11-,s12-13 fcfs
seed int s13-13,dmvt13- 42
server +any? dm8-,vt11-,s12-13
sglang_engine_mode +str dm8-,vt11-,s12-13
skip node dmvts12-12
skip_dump_dir str dm8-11,vt11-11 /tmp/rollout_dump
skip_rollout bool dm8-11,vt11-11 False
skip_tokenizer_init bool dm8-,vt11-,s12-13 True
standalone_gpu_memory_utilization +float? s13-13,dmvt13-
temperature float dm0-,vt11-,s12-13 1.0
tensor_model_parallel_size int m0-4,d0-,m8-,vt11-,s12-13 2
 int m5-7 1
 :i d0-,m5-,vt11-,s12-13
top_k int dm0-,vt11-,s12-13 -1
top_p int dm0-7 1
 float dm8-,vt11-,s12-13 1
trace map dm7-7
 node dm8-,vt11-,s12-13
update_weights_bucket_megabytes int dm7-10 512
use_fire_sampling bool d3-6 False
val_kwargs map dm3-7
 node dm8-,vt11-,s12-13""",
"actor_rollout_ref.rollout.agent": """\
agent_loop_config_path str? dm7-7
 str? dm8-,vt11-,s12-13
agent_loop_manager_class +str? dm10-,vt11-,s12-13
custom_async_server map dm7-7
 node dm8-,vt11-,s12-13
default_agent_loop str dm8-,vt11-,s12-13 single_turn_agent
num_workers int dm7-,vt11-,s12-13 8""",
"actor_rollout_ref.rollout.agent.custom_async_server": """\
name str? dm7-7
 str? dm8-,vt11-,s12-13
path str? dm7-7
 str? dm8-,vt11-,s12-13""",
"actor_rollout_ref.rollout.checkpoint_engine": """\
backend str dmvt11-,s12-13 naive
custom_backend_module str? s12-13,dmvt12-
engine_kwargs map dmvt11-,s12-13
update_weights_bucket_megabytes int dmvt11-,s12-13 2048""",
"actor_rollout_ref.rollout.disaggregation": """\
bootstrap_port int? s12-13,dmvt12-
decode_replicas int s12-13,dmvt12- 1
decode_tensor_model_parallel_size int? s12-13,dmvt12-
enabled bool s12-13,dmvt12- False
ib_device str? s12-13,dmvt12-
prefill_replicas int s12-13,dmvt12- 1
transfer_backend str s12-13,dmvt12- nixl""",
"actor_rollout_ref.rollout.engine_kwargs": """\
sglang map dm5-,vt11-,s12-13
trtllm map dmvt11-,s12-13
vllm map dm5-,vt11-,s12-13""",
"actor_rollout_ref.rollout.engine_kwargs.sglang": """\
attention_backend any? dm5-7""",
"actor_rollout_ref.rollout.engine_kwargs.vllm": """\
disable_mm_preprocessor_cache bool dm6-7 False
swap_space any? dm5-7""",
"actor_rollout_ref.rollout.layer_name_map": """\
gate_proj_layer_name str m0-11 gate_up
qkv_layer_name str m0-11 qkv""",
"actor_rollout_ref.rollout.multi_turn": """\
completion_callback any? dm6-7
enable bool dm5-,vt11-,s12-13 False
format str dm5-5 chatml
 str dm6-,vt11-,s12-13 hermes
function_tool_path str? s12-13,dmvt12-
interaction_config_path str? dm6-7
 str? dm8-11,vt11-11
max_assistant_turns int? dm6-7
 int? dm8-,vt11-,s12-13
max_parallel_calls int dm7-,vt11-,s12-13 1
max_tool_response_length int dm7-,vt11-,s12-13 256
max_turns any? dm5-5
max_user_turns int? dm6-7
 int? dm8-,vt11-,s12-13
num_repeat_rollouts int? dm8-,vt11-,s12-13
tokenization_sanity_check_mode str dm6-,vt11-,s12-13 strict
tool_config_path str? dm5-7
 str? dm8-,vt11-,s12-13
tool_response_truncate_side str dm7-,vt11-,s12-13 middle
use_inference_chat_template bool dm6-,vt11-,s12-13 False""",
"actor_rollout_ref.rollout.profiler": """\
all_ranks bool dm6-6 False
 ref dm8-,vt11-,s12-13 oc.select:actor_rollout_ref.actor.profiler.all_ranks,false
discrete bool dm6-6 False
enable ref dm8-,vt11-,s12-13 oc.select:actor_rollout_ref.actor.profiler.enable,false
finish_hook_all_ranks ref dmvt14- oc.select:actor_rollout_ref.actor.profiler.finish_hook_all_ranks,false
finish_hook_cmd ref dmvt14- oc.select:actor_rollout_ref.actor.profiler.finish_hook_cmd,null
finish_hook_ranks ref dmvt14- oc.select:actor_rollout_ref.actor.profiler.finish_hook_ranks,[]
 :i!list dmvt14-
global_tool_config +any? dm8-,vt11-,s12-13
ranks any? dm6-6
 ref dm8-,vt11-,s12-13 oc.select:actor_rollout_ref.actor.profiler.ranks,[]
 :i!list dm8-,vt11-,s12-13
relocate_results ref dmvt14- oc.select:actor_rollout_ref.actor.profiler.relocate_results,false
save_path ref dm8-,vt11-,s12-13 oc.select:global_profiler.save_path,null
tool ref dm8-,vt11-,s12-13 oc.select:global_profiler.tool,null
tool_config ref dm8-10 oc.select:actor_rollout_ref.actor.profiler.tool_config,null
 map dmvt11-,s12-13""",
"actor_rollout_ref.rollout.profiler.tool_config": """\
npu node dmvt11-,s12-13
precision_debugger node s12-13,dmvt12-
torch node dmvt11-,s12-13""",
"actor_rollout_ref.rollout.profiler.tool_config.npu": """\
analysis ref dmvt11-,s12-13 oc.select:actor_rollout_ref.actor.profiler.tool_config.npu.analysis,false
 :i!bool dmvt11-,s12-13
contents ref dmvt11-,s12-13 oc.select:actor_rollout_ref.actor.profiler.tool_config.npu.contents,[]
 :i!list dmvt11-,s12-13
discrete ref dmvt11-,s12-13 oc.select:actor_rollout_ref.actor.profiler.tool_config.npu.discrete,false
level ref dmvt11-,s12-13 oc.select:actor_rollout_ref.actor.profiler.tool_config.npu.level,level0
 :i!str dmvt11-,s12-13
name +str dmvt11-,s12-13
profile_token_end int? s13-13,dmvt13-
profile_token_start int? s13-13,dmvt13-""",
"actor_rollout_ref.rollout.profiler.tool_config.precision_debugger": """\
config_path ref s12-13,dmvt12- ${oc.select:actor_rollout_ref.actor.profiler.tool_config.precision_debugger.config_path,${oc.select:global_profiler.global_tool_config.precision_debugger.config_path,null}}
name +str s12-13,dmvt12-
stages ref s12-13,dmvt12- ${oc.select:actor_rollout_ref.actor.profiler.tool_config.precision_debugger.stages,${oc.select:global_profiler.global_tool_config.precision_debugger.stages,null}}
steps any? s12-13,dmvt12-
strict ref s12-13,dmvt12- ${oc.select:actor_rollout_ref.actor.profiler.tool_config.precision_debugger.strict,${oc.select:global_profiler.global_tool_config.precision_debugger.strict,False}}
 :i!bool s12-13,dmvt12-""",
"actor_rollout_ref.rollout.profiler.tool_config.torch": """\
contents ref dmvt11-,s12-13 oc.select:actor_rollout_ref.actor.profiler.tool_config.torch.contents,[]
 :i!list dmvt11-,s12-13
discrete ref dmvt11-,s12-13 oc.select:actor_rollout_ref.actor.profiler.tool_config.torch.discrete,false
name +str dmvt11-,s12-13
profile_token_end int? s13-13,dmvt13-
profile_token_start int? s13-13,dmvt13-
schedule +any? s13-13,dmvt13-""",
"actor_rollout_ref.rollout.prometheus": """\
enable bool dm9-,vt11-,s12-13 False
file str dm9-,vt11-,s12-13 /tmp/ray/session_latest/metrics/prometheus/prometheus.yml
port int dm9-,vt11-,s12-13 9090
served_model_name ref dm9-,vt11-,s12-13 oc.select:actor_rollout_ref.model.path,null""",
"actor_rollout_ref.rollout.skip": """\
action str dmvts12-12 cache
dump_dir str dmvts12-12 ~/.verl/rollout_dump
enable bool dmvts12-12 False
max_dump_step int dmvts12-12 1""",
"actor_rollout_ref.rollout.trace": """\
backend str? dm7-7
 str? dm8-,vt11-,s12-13
experiment_name ref dmvt11-,s12-13 oc.select:trainer.experiment_name,null
max_samples_per_step_per_worker int? dm10-,vt11-,s12-13
project_name ref dmvt11-,s12-13 oc.select:trainer.project_name,null
token2text bool dm7-,vt11-,s12-13 False""",
"actor_rollout_ref.rollout.val_kwargs": """\
do_sample bool dm3-,vt11-,s12-13 False
n int dm3-,vt11-,s12-13 1
temperature int dm3-7 0
 float dm8-,vt11-,s12-13 0
top_k int dm3-,vt11-,s12-13 -1
top_p float dm3-,vt11-,s12-13 1.0""",
"algorithm": """\
adv_estimator str dm0-,vt11-,s12-13 gae
 :i=gae|grpo|reinforce_plus_plus|remax dm0-2
extra +any? dm7-7
filter_groups +any? dm7-12,vt11-12,s12-12
 node s13-13,dmvt13-
gamma float dm0-,vt11-,s12-13 1.0
gdpo_reward_keys +any? dmvt11-,s12-13
gdpo_reward_weights +any? dmvt11-,s12-13
kl_ctrl map dm0-6
 node dm7-,vt11-,s12-13
kl_penalty str dm0-,vt11-,s12-13 kl
 :n=kl|abs|mse|low_var_kl dm0-4
 :r?algorithm.use_kl_in_reward=kl|k1|abs|mse|k2|low_var_kl|k3 dm5-11,vt11-11
 :r?algorithm.use_kl_in_reward=kl|k1|abs|mse|k2|low_var_kl|k3|kl+|k1+|abs+|mse+|k2+|low_var_kl+|k3+ dmvts12-12
lam float dm0-,vt11-,s12-13 1.0
norm_adv_by_std_in_grpo bool dm5-,vt11-,s12-13 True
pf_ppo map dm5-6,dm8-,vt11-,s12-13
 node dm7-7
rollout_correction map dm9-,vt11-,s12-13
rollout_is bool dm8-8 False
rollout_is_level str dm8-8 token
 :n=token|sequence|geometric dm8-8
rollout_is_mode str dm8-8 truncate
 :n=truncate|mask dm8-8
rollout_is_threshold float? dm8-8
rollout_is_threshold_lower float? dm8-8
rollout_is_veto_threshold float dm8-8 0.0001
use_kl_in_reward bool dm5-,vt11-,s12-13 False
use_pf_ppo bool dm5-,vt11-,s12-13 False""",
"algorithm.filter_groups": """\
enable bool s13-13,dmvt13- False
max_inflight_gen_batches int s13-13,dmvt13- 1
max_num_gen_batches int s13-13,dmvt13- 0
metric str? dmvts13-13
 str dmvt14- reward""",
"algorithm.kl_ctrl": """\
extra +any? dm7-7
horizon int dm5-,vt11-,s12-13 10000
kl_coef float dm0-,vt11-,s12-13 0.001
target_kl float dm5-,vt11-,s12-13 0.1
type str dm0-,vt11-,s12-13 fixed
 :n=fixed|adaptive dm0-,vt11-,s12-13""",
"algorithm.pf_ppo": """\
extra +any? dm7-7
reweight_method str dm5-,vt11-,s12-13 pow
weight_pow float dm5-,vt11-,s12-13 2.0""",
"algorithm.rollout_correction": """\
bypass_mode bool dm9-,vt11-,s12-13 False
loss_type str dm10-,vt11-,s12-13 ppo_clip
rollout_is str? dm9-,vt11-,s12-13
rollout_is_batch_normalize bool dm9-,vt11-,s12-13 False
rollout_is_threshold float dm9-11,vt11-11 2.0
 any s12-13,dmvt12- 2.0
rollout_rs str? dm9-,vt11-,s12-13
rollout_rs_threshold float? dm9-10
 float? dmvt11-,s12-13
rollout_rs_threshold_lower float? dm9-10
rollout_token_veto_threshold float? dm9-10
use_policy_gradient bool dm9-9 False""",
"critic": """\
checkpoint map dm3-7
 node dm8-,vt11-,s12-13
cliprange_value float dm0-,vt11-,s12-13 0.5
data_loader_seed +int d8-9
 int d10- 42
 ref m5-6 actor_rollout_ref.actor.data_loader_seed
 ref m7-,vt11-,s12-13 oc.select:actor_rollout_ref.actor.data_loader_seed,null
enable bool? dm8-,t11-,s12-13,v12-
 bool? v11-11
engine +any? dm8-,t11-,s12-13,v12-
extra +any? dm7-7
forward_max_token_len_per_gpu ref d0-6,m5-6 critic.ppo_max_token_len_per_gpu
 ref dm7-,vt11-,s12-13 .ppo_max_token_len_per_gpu
forward_micro_batch_size ref d0-6 critic.ppo_micro_batch_size
 ref d7- oc.select:.ppo_micro_batch_size,null
forward_micro_batch_size_per_gpu ref d0-6 critic.ppo_micro_batch_size_per_gpu
 ref d7- oc.select:.ppo_micro_batch_size_per_gpu,null
fsdp node d12-
grad_clip float d0- 1.0
 +float v12-
kl_ctrl map m0-6
load_weight bool m0-12,s12-12 True
loss_agg_mode ref dm5-6 actor_rollout_ref.actor.loss_agg_mode
 ref dm7-,vt11-,s12-13 oc.select:actor_rollout_ref.actor.loss_agg_mode,token-mean
loss_scale_factor ref s13-13,dmvt13- oc.select:actor_rollout_ref.actor.loss_scale_factor,null
megatron map m0-7
 node m8-
mindspeed node s12-13
model map dm0-7
 node dm8-,vt11-,s12-13
model_config +any? dm8-11,t11-11
nccl_timeout int m6-,s12-13 600
optim map dm0-7
 node dm8-,vt11-,s12-13
ppo_epochs ref dm0-6 actor_rollout_ref.actor.ppo_epochs
 ref dm7-,vt11-,s12-13 oc.select:actor_rollout_ref.actor.ppo_epochs,1
ppo_infer_max_token_len_per_gpu +int dm8-,t11-,s12-13,v12-
ppo_infer_micro_batch_size_per_gpu +int? dm8-,t11-,s12-13,v12-
ppo_max_token_len_per_gpu int d0-,m5-,vt11-,s12-13 32768
ppo_micro_batch_size int? dm0-6,v11-11
 int? dm7-,t11-,s12-13,v12-
ppo_micro_batch_size_per_gpu any? dm0-6
 ref dm7-,vt11-,s12-13 oc.select:.ppo_micro_batch_size,null
ppo_mini_batch_size ref dm0-6 actor_rollout_ref.actor.ppo_mini_batch_size
 ref dm7-,vt11-,s12-13 oc.select:actor_rollout_ref.actor.ppo_mini_batch_size,256
profiler map dm6-6
 node dm7-,vt11-,s12-13
rollout_n ref dm5-6 actor_rollout_ref.rollout.n
 ref dm7-,vt11-,s12-13 oc.select:actor_rollout_ref.rollout.n,1
shuffle ref dm0-6 actor_rollout_ref.actor.shuffle
 ref dm7-,vt11-,s12-13 oc.select:actor_rollout_ref.actor.shuffle,false
strategy str d0-5,d7- fsdp
 ref dm6-6 actor_rollout_ref.actor.strategy
 str m0-5,m7- megatron
 str v11- veomni
 str t11- torchtitan
 str s12-13 mindspeed
 :c?actor_rollout_ref.actor.strategy:fsdp2=fsdp|fsdp2;c?actor_rollout_ref.actor.strategy:fsdp=fsdp|fsdp2 d5-5,d7-7
torchtitan node t11-
ulysses_sequence_parallel_size int d0- 1
use_dynamic_bsz ref dm0-6 actor_rollout_ref.actor.use_dynamic_bsz
 ref dm7-,vt11-,s12-13 oc.select:actor_rollout_ref.actor.use_dynamic_bsz,false
veomni node v11-""",
"critic.checkpoint": """\
async_save bool m6-,d8-,vt11-,s12-13 False
contents list dm3-5
load_contents ref dm6-6 critic.checkpoint.save_contents
 ref dm7-,vt11-,s12-13 .save_contents
mbridge_config map dvt11-12,m11-,s12-13
save_contents list dm6-,vt11-,s12-13
save_lora_only +bool s13-13,dmvt13-
strict +bool s12-13,dmvt12-""",
"critic.fsdp": """\
dtype str d12- bfloat16
entropy_checkpointing bool d12- False
entropy_from_logits_chunk_size int d13- 2048
entropy_from_logits_with_chunking bool d12- False
forward_only bool d12- False
forward_prefetch bool d12- False
fsdp_size int d12- -1
full_determinism bool d12- False
grad_offload +bool d12-13
infer_max_token_len_per_gpu +int d12-
infer_micro_batch_size_per_gpu +int d12-
max_token_len_per_gpu +int d12-
micro_batch_size_per_gpu +int d12-
mixed_precision +any? d12-
model_dtype str d12- fp32
offload_policy bool d12- False
optimizer_offload bool d12- False
pad_to_length bool d13- False
pad_to_length_bucket int d13- 1024
param_offload bool d12- False
qat node d12-
reshard_after_forward bool d12- True
router_replay +any? d12-
seed int d12- 42
strategy str d12- fsdp
 :n=fsdp|fsdp2 d12-13
 :n=fsdp|fsdp2|fsdp_turbo d14-
turbo_config map d14-
ulysses_sequence_parallel_size int d12- 1
use_dynamic_bsz +bool d12-
use_fused_kernels +bool d12-
use_no_sync_for_gradient_accumulation bool d14- False
use_orig_params bool d12- False
use_remove_padding +bool d12-
use_torch_compile bool d12- True
wrap_policy map d12-""",
"critic.fsdp.qat": """\
activation_observer str d12- static_minmax
enable bool d12- False
group_size int d12- 16
ignore_patterns list d12-
mode str d12- w4a16
quantization_config_path str? d12-""",
"critic.fsdp.turbo_config": """\
distributed map d14-""",
"critic.fsdp.turbo_config.distributed": """\
expert_fully_shard_parallel_size int d14- 1
expert_parallel_size int d14- 1
fsdp_plan map d14-
fully_shard_parallel_size int d14- 16
tensor_parallel_size int d14- 1
ulysses_parallel_size int d14- 1""",
"critic.fsdp.turbo_config.distributed.fsdp_plan": """\
fsdp_implementation str d14- native
num_to_backward_prefetch int d14- 1
num_to_forward_prefetch int d14- 1
output_dtype str d14- bf16
param_dtype str d14- bf16
reduce_dtype str d14- fp32""",
"critic.fsdp.wrap_policy": """\
min_num_params int d12- 0""",
"critic.kl_ctrl": """\
kl_coef float m0-6 0.001
type str m0-6 fixed
 :n=fixed|adaptive m0-4""",
"critic.megatron": """\
context_parallel_size int m5- 1
dist_checkpointing_path str? m5-7
 str? m8-
dist_checkpointing_prefix str m10- ''
dist_ckpt_optim_fully_reshardable bool m11-11 True
 bool m12- False
distrib_optim_fully_reshardable_mem_efficient bool m11- False
dtype str m9- bfloat16
dynamic_context_parallel bool m12- False
entropy_from_logits_chunk_size int m13- 2048
entropy_from_logits_with_chunking bool m13- False
expert_model_parallel_size int m5- 1
expert_tensor_parallel_size int? m5-7
 int m8-8 1
 int? m9-
forward_only bool m8- False
full_determinism +bool m10-
grad_offload bool m5-13 False
infer_max_token_len_per_gpu +int m10-
infer_micro_batch_size_per_gpu +int m10-
max_seqlen_per_dp_cp_rank int? m12-
max_token_len_per_gpu +int m10-
micro_batch_size_per_gpu +int m10-
num_layers_per_virtual_pipeline_stage any? m0-2
optimizer_offload bool m5- False
override_ddp_config ref m7-7 ${oc.select:actor_rollout_ref.actor.megatron.override_ddp_config,{}}
 map m8-
override_mcore_model_config map m8-
override_transformer_config ref m5-6 actor_rollout_ref.actor.megatron.override_transformer_config
 ref m7-7 ${oc.select:actor_rollout_ref.actor.megatron.override_transformer_config,{}}
 map m8-
pad_bshd_to_minibatch_max bool m13- True
pad_to_length bool m13- False
pad_to_length_bucket int m13- 512
param_offload bool m5- False
pipeline_model_parallel_size int m0- 1
qat node m12-
router_replay node m11-
seed int m0-4 1
 ref m5-6 actor_rollout_ref.actor.megatron.seed
 ref m7-7 oc.select:actor_rollout_ref.actor.megatron.seed,42
 int m8- 42
sequence_parallel bool m0- True
strategy +str m8-
tensor_model_parallel_size int m0-4 4
 int m5- 1
use_dist_checkpointing bool m5- False
use_distributed_optimizer bool m3- True
use_dynamic_bsz +bool m10-
use_fused_kernels +bool m10-
use_mbridge ref m7-7 oc.select:actor_rollout_ref.actor.megatron.use_mbridge,False
 bool m8-9 False
 bool m10- True
use_megatron_fsdp bool m12- False
use_remove_padding bool m10- True
vanilla_mbridge bool m10-12 True
 bool m13- False
virtual_pipeline_model_parallel_size int? m3-7
 int? m8-""",
"critic.megatron.override_transformer_config": """\
attention_backend str m8- flash
recompute_granularity any? m8-
recompute_method any? m8-
recompute_modules list m8-
recompute_num_layers any? m8-""",
"critic.megatron.qat": """\
activation_observer str m12-
enable bool m12- False
group_size int m12- 16
ignore_patterns list m12-
mode str m12- w4a16
quantization_config_path str? m12-""",
"critic.megatron.router_replay": """\
mode str m11- disabled
 :n=disabled|R2|R3 m11-
record_file str? m11-
replay_file str? m11-""",
"critic.mindspeed": """\
context_parallel_size int s12-13 1
dist_checkpointing_path str? s12-13
dist_checkpointing_prefix str s12-13 ''
dist_ckpt_optim_fully_reshardable bool s12-13 False
distrib_optim_fully_reshardable_mem_efficient bool s12-13 False
dtype str s12-13 bfloat16
dynamic_context_parallel bool s12-13 False
entropy_from_logits_chunk_size int s13-13 2048
entropy_from_logits_with_chunking bool s13-13 False
expert_model_parallel_size int s12-13 1
expert_tensor_parallel_size int? s12-13
forward_only bool s12-13 False
fsdp_kwargs map s12-13
full_determinism +bool s12-13
grad_offload bool s12-13 False
infer_max_token_len_per_gpu +int s12-13
infer_micro_batch_size_per_gpu +int s12-13
max_seqlen_per_dp_cp_rank int? s12-13
max_token_len_per_gpu +int s12-13
mcore_kwargs map s12-13
micro_batch_size_per_gpu +int s12-13
optimizer_offload bool s12-13 False
override_ddp_config map s12-13
override_mcore_model_config map s12-13
override_transformer_config map s12-13
pad_bshd_to_minibatch_max bool s13-13 True
pad_to_length bool s13-13 False
pad_to_length_bucket int s13-13 512
param_offload bool s12-13 False
pipeline_model_parallel_size int s12-13 1
qat node s12-13
router_replay node s12-13
seed int s12-13 42
sequence_parallel bool s12-13 True
strategy str s12-13 mindspeed_megatron
 :n=mindspeed_megatron|mindspeed_fsdp s12-13
tensor_model_parallel_size int s12-13 1
use_dist_checkpointing bool s12-13 False
use_distributed_optimizer bool s12-13 True
use_dynamic_bsz +bool s12-13
use_fused_kernels +bool s12-13
use_mbridge bool s12-13 True
use_megatron_fsdp bool s12-13 False
use_remove_padding bool s12-13 True
vanilla_mbridge bool s12-12 True
 bool s13-13 False
virtual_pipeline_model_parallel_size int? s12-13""",
"critic.mindspeed.mcore_kwargs": """\
attention_mask_type str s12-13 general
attention_softmax_in_fp32 bool s12-13 True
context_parallel_algo str s12-13 ulysses_cp_algo
disable_bias_linear bool s12-13 True
group_query_attention bool s12-13 True
hidden_dropout float s12-13 0.0
init_method_std float s12-13 0.01
initial_loss_scale int s12-13 4096
micro_batch_size int s12-13 1
no_gradient_accumulation_fusion bool s12-13 True
no_masked_softmax_fusion bool s12-13 True
no_pad_to_seq_lengths bool s12-13 True
normalization str s12-13 RMSNorm
position_embedding_type str s12-13 rope
qk_layernorm bool s12-13 True
reset_attention_mask bool s12-13 True
seq_length int s12-13 10240
sequence_parallel bool s12-13 True
spec list s12-13
swiglu bool s12-13 True
transformer_impl str s12-13 transformer_engine
use_distributed_optimizer bool s12-13 True
use_flash_attn bool s12-13 True
use_fused_rmsnorm bool s12-13 True
use_fused_rotary_pos_emb bool s12-13 True
use_fused_swiglu bool s12-13 True
use_mcore_models bool s12-13 True
use_rotary_position_embeddings bool s12-13 True""",
"critic.mindspeed.override_transformer_config": """\
attention_backend str s12-13 flash
recompute_granularity any? s12-13
recompute_method any? s12-13
recompute_modules list s12-13
recompute_num_layers any? s12-13""",
"critic.mindspeed.qat": """\
activation_observer str s12-13
enable bool s12-13 False
group_size int s12-13 16
ignore_patterns list s12-13
mode str s12-13 w4a16
quantization_config_path str? s12-13""",
"critic.mindspeed.router_replay": """\
mode str s12-13 disabled
 :n=disabled|R2|R3 s12-13
record_file str? s12-13
replay_file str? s12-13""",
"critic.model": """\
architectures +any? s12-13,dmvt12-
custom_chat_template str? s12-13,dmvt12-
enable_activation_offload bool d5-,s12-13,mvt12- False
enable_gradient_checkpointing bool d0-,s12-13,mvt12- True
 bool m0-6 False
exclude_modules str? s12-13,dmvt12-
external_lib ref dm0-6 actor_rollout_ref.model.external_lib
 ref dm7-11,vt11-11 oc.select:actor_rollout_ref.model.external_lib,null
 str? dmvts12-12
 str? s13-13,dmvt13-
fsdp_config map d0-7
 node d8-11
fused_kernel_options map s12-13,dmvt12-
generation_config +any? s12-13,dmvt12-
gradient_checkpointing_kwargs map m5-6
hf_config +any? s12-13,dmvt12-
hf_config_path str? s12-13,dmvt12-
load_tokenizer +bool s12-13,dmvt12-
local_hf_config_path +str? s12-13,dmvt12-
local_path +str? s12-13,dmvt12-
local_tokenizer_path +str? s12-13,dmvt12-
lora +any? d10-11,vt11-11
 map m10-,s12-13,dvt12-
lora_adapter_path str? s12-13,dmvt12-
lora_alpha int d5-,s12-13,mvt12- 16
lora_rank int d5-,s12-13,mvt12- 0
model_type +str s12-13,dmvt12-
 :n=language_model|value_model s12-13,dmvt12-
mtp node s12-13,dmvt12-
override_config map dm0-,vt11-,s12-13
path str dm0-,vt11-,s12-13 ~/models/deepseek-llm-7b-chat
processor +any? s12-13,dmvt12-
target_modules str d5-,s12-13,mvt12- all-linear
target_parameters +any? s12-13,dmvt12-
tiled_mlp map d10-,s12-13,mvt12-
tokenizer +any? s12-13,dmvt12-
tokenizer_path ref dm0-6 actor_rollout_ref.model.path
 ref dm7-11,vt11-11 oc.select:actor_rollout_ref.model.path,"~/models/deepseek-llm-7b-chat"
 str? s12-13,dmvt12-
trust_remote_code ref d5-6 actor_rollout_ref.model.trust_remote_code
 ref dm7-11,vt11-11 oc.select:actor_rollout_ref.model.trust_remote_code,false
 bool m5-6,s12-13,dmvt12- False
use_fused_kernels bool s12-13,dmvt12- False
use_liger bool s12-13,dmvt12- False
use_remove_padding bool d0-11 False
 bool s12-13,dmvt12- True
use_shm bool d5-,s12-13,mvt12- False""",
"critic.model.fsdp_config": """\
dtype str d9-11 bfloat16
entropy_checkpointing bool d8-11 False
entropy_from_logits_with_chunking bool d8-11 False
forward_only bool d8-11 False
forward_prefetch bool d6-11 False
fsdp_size int d0-11 -1
full_determinism bool d10-11 False
grad_offload bool d0-2 False
 +bool d10-11
infer_max_token_len_per_gpu +int d10-11
infer_micro_batch_size_per_gpu +int d10-11
max_token_len_per_gpu +int d10-11
micro_batch_size_per_gpu +int d10-11
mixed_precision +any? d8-11
model_dtype str d8-11 fp32
offload_policy bool d5-11 False
optimizer_offload bool d0-11 False
param_offload bool d0-11 False
qat node d11-11
reshard_after_forward bool d5-11 True
router_replay +any? d11-11
seed int d10-11 42
strategy str d8-11 fsdp
 :n=fsdp|fsdp2 d8-11
ulysses_sequence_parallel_size int d8-11 1
use_dynamic_bsz +bool d10-11
use_fused_kernels +bool d10-11
use_orig_params bool d8-11 False
use_remove_padding +bool d10-11
use_torch_compile bool d8-11 True
wrap_policy map d0-11""",
"critic.model.fsdp_config.qat": """\
activation_observer str d11-11 static_minmax
enable bool d11-11 False
group_size int d11-11 16
ignore_patterns list d11-11
mode str d11-11 w4a16
quantization_config_path str? d11-11""",
"critic.model.fsdp_config.wrap_policy": """\
min_num_params int d0-11 0""",
"critic.model.fused_kernel_options": """\
impl_backend str s12-13,dmvt12- torch""",
"critic.model.gradient_checkpointing_kwargs": """\
activations_checkpoint_granularity any? m5-6
activations_checkpoint_method any? m5-6
activations_checkpoint_num_layers any? m5-6""",
"critic.model.lora": """\
a2a_experimental bool m10-,s12-13,dvt12- False
adapter_path any? m10-,s12-13,dvt12-
alpha int m10-,s12-13,dvt12- 32
dropout float m10-,s12-13,dvt12- 0.0
dropout_position str m10-,s12-13,dvt12- pre
dtype any? m10-,s12-13,dvt12-
exclude_modules list m10-,s12-13,dvt12-
freeze_language_model bool m10-,s12-13,dvt12- True
freeze_vision_model bool m10-,s12-13,dvt12- True
freeze_vision_projection bool m10-,s12-13,dvt12- True
lora_A_init_method str m10-,s12-13,dvt12- xavier
lora_B_init_method str m10-,s12-13,dvt12- zero
merge bool s12-13,dmvt12- False
rank int m10-,s12-13,dvt12- 0
target_modules list m10-,s12-13,dvt12-
type str m10-,s12-13,dvt12- lora""",
"critic.model.mtp": """\
detach_encoder bool s12-13,dmvt12- False
enable bool s12-13,dmvt12- False
enable_rollout bool s12-13,dmvt12- False
enable_train bool s12-13,dmvt12- False
method str s12-13,dmvt12- mtp
mtp_loss_scaling_factor float s12-13,dmvt12- 0.1
num_speculative_tokens int s12-13,dmvt12- 1
speculative_algorithm str s12-13,dmvt12- EAGLE
speculative_eagle_topk int s12-13,dmvt12- 1
speculative_num_draft_tokens int s12-13,dmvt12- 4
speculative_num_steps int s12-13,dmvt12- 3""",
"critic.model.override_config": """\
model_config map m5-11
moe_config map m5-11""",
"critic.model.override_config.moe_config": """\
freeze_moe_router bool m5-11 False""",
"critic.model.tiled_mlp": """\
enabled bool d10-,s12-13,mvt12- False
num_shards int d10-,s12-13,mvt12- 4""",
"critic.optim": """\
betas list dm8-,vt11-,s12-13
clip_grad float m0-,d8-,vt11-,s12-13 1.0
decay_type str t11- linear
eps float t11- 1e-08
exp_avg_dtype str s13-13,m13- fp32
exp_avg_sq_dtype str s13-13,m13- fp32
grad_clip +float? dm8-,vt11-,s12-13
lr float m0-5,d0-,m8-,vt11-,s12-13 1e-05
 float m6-7 1e-06
 :i[0, d0-,m6-,vt11-,s12-13
lr_decay_ratio float v11- 1.0
lr_decay_steps int? m6-7
 int? m8-,s12-13
lr_decay_style str m6-7 linear
 str m8-,s12-13 constant
lr_min float v11- 0.0
lr_scheduler_type str d8- constant
 str v11- cosine
 :n=constant|cosine d8-10
lr_start float v11- 0.0
lr_warmup_init float m6-,s12-13 0.0
lr_warmup_steps int dm8-,vt11-,s12-13 -1
 int? m6-7
lr_warmup_steps_ratio float dm0-,vt11-,s12-13 0.0
lr_wsd_decay_steps int? m6-7
 int? m8-,s12-13
lr_wsd_decay_style str m6-,s12-13 exponential
main_grads_dtype str s13-13,m13- fp32
min_lr float m6-,s12-13 0.0
min_lr_factor float t11- 0.0
min_lr_ratio float? m0-5,d0-7
 float d8- 0.0
muon_coefficient_type str s13-13,m13- quintic
muon_extra_scale_factor float s13-13,m13- 1.0
muon_fp32_matmul_prec str s13-13,m13- medium
muon_match_adamw_update_rms bool s13-13,m13- False
muon_momentum float s13-13,m13- 0.95
muon_nesterov bool s13-13,m13- False
muon_num_ns_steps int s13-13,m13- 5
muon_scalar_optimizer str s13-13,m13- adam
muon_scale_mode str s13-13,m13- spectral
muon_split_qkv bool s13-13,m13- True
muon_tp_mode str s13-13,m13- blockwise
name str t11- AdamW
num_cycles float d8- 0.5
optimizer str d9- AdamW
 str m6-,s12-13 adam
 str v11- adamw
optimizer_impl str d9- torch.optim
override_optimizer_config any? d9-
 map m8-,v11-,s12-13
total_training_steps int dm0-,vt11-,s12-13 -1
use_checkpoint_opt_param_scheduler bool m6-,s12-13 False
use_layer_wise_distributed_optimizer bool s13-13,m13- False
use_layer_wise_param_layout +bool? s13-13,m13-
use_precision_aware_optimizer bool s13-13,m13- False
warmup_style str m0-5,d0-7 constant
 str? d8-
 :n=constant|cosine m5-5,d5-7
weight_decay float dm5-,vt11-,s12-13 0.01
 :i[0, d5-,m6-,vt11-,s12-13
weight_decay_incr_style str m6-,s12-13 constant
zero_indexed_step bool d11- True""",
"critic.profiler": """\
all_ranks bool dm6-,vt11-,s12-13 False
discrete bool dm6-7 False
enable bool dm8-,vt11-,s12-13 False
extra +any? dm7-7
finish_hook_all_ranks ref dmvt14- oc.select:global_profiler.finish_hook_all_ranks,false
finish_hook_cmd ref dmvt14- oc.select:global_profiler.finish_hook_cmd,null
finish_hook_ranks ref dmvt14- oc.select:global_profiler.finish_hook_ranks,[]
global_tool_config +any? dm8-,vt11-,s12-13
ranks any? dm6-6
 list dm7-,vt11-,s12-13
relocate_results ref dmvt14- oc.select:global_profiler.relocate_results,false
save_path ref dm8-,vt11-,s12-13 oc.select:global_profiler.save_path,null
tool ref dm8-,vt11-,s12-13 oc.select:global_profiler.tool,null
tool_config map dm8-,vt11-,s12-13""",
"critic.profiler.tool_config": """\
npu node dm8-,vt11-,s12-13
nsys node dm8-,vt11-,s12-13
precision_debugger node s12-13,dmvt12-
torch node dm8-,vt11-,s12-13
torch_memory node dm8-,vt11-,s12-13""",
"critic.profiler.tool_config.npu": """\
analysis bool dm8-,vt11-,s12-13 True
contents list dm8-,vt11-,s12-13
discrete bool dm8-,vt11-,s12-13 False
level str dm8-9 level1
 str dm10-,vt11-,s12-13 level0
name +str dm10-,vt11-,s12-13
profile_token_end +int? s13-13,dmvt13-
profile_token_start +int? s13-13,dmvt13-""",
"critic.profiler.tool_config.nsys": """\
discrete ref dm8-,vt11-,s12-13 oc.select:global_profiler.global_tool_config.nsys.discrete
name +str dm10-,vt11-,s12-13""",
"critic.profiler.tool_config.precision_debugger": """\
config_path ref s12-13,dmvt12- oc.select:global_profiler.global_tool_config.precision_debugger.config_path,null
name +str s12-13,dmvt12-
stages ref s12-13,dmvt12- oc.select:global_profiler.global_tool_config.precision_debugger.stages,null
steps any? s12-13,dmvt12-
strict ref s12-13,dmvt12- oc.select:global_profiler.global_tool_config.precision_debugger.strict,False""",
"critic.profiler.tool_config.torch": """\
contents list dmvt11-,s12-13
discrete bool dmvt11-,s12-13 False
manual_save +bool dm10-10
name +str dm10-,vt11-,s12-13
profile_token_end +int? s13-13,dmvt13-
profile_token_start +int? s13-13,dmvt13-
schedule node s13-13,dmvt13-
step_end int dm8-10
step_start int dm8-10 0""",
"critic.profiler.tool_config.torch.schedule": """\
active int s13-13,dmvt13- 0
name +str s13-13,dmvt13-
repeat int s13-13,dmvt13- 0
skip_first int s13-13,dmvt13- 0
wait int s13-13,dmvt13- 0
warmup int s13-13,dmvt13- 0""",
"critic.profiler.tool_config.torch_memory": """\
memory_snapshot_num_steps ref dmvt14- oc.select:global_profiler.global_tool_config.torch_memory.memory_snapshot_num_steps,1
name +str dm10-,vt11-,s12-13
stack_depth ref dm8-,vt11-,s12-13 oc.select:global_profiler.global_tool_config.torch_memory.stack_depth,32
trace_alloc_max_entries ref dm8-,vt11-,s12-13 oc.select:global_profiler.global_tool_config.torch_memory.trace_alloc_max_entries,100000""",
"critic.torchtitan": """\
activation_checkpoint str t13- selective
attn_type str t11- flex
context_parallel_size int t11- 1
data_parallel_replicate_size int t11- 1
data_parallel_shard_size int t11- 1
data_parallel_size int t11- 1
dtype str t11- bfloat16
entropy_checkpointing bool t11- False
entropy_from_logits_chunk_size int t13- 2048
entropy_from_logits_with_chunking bool t11- False
expert_parallel_size int t11- 1
expert_tensor_parallel_size +int t11-
forward_only bool t11- False
forward_prefetch bool t11- False
full_determinism bool t11- False
grad_offload +bool t11-13
infer_max_token_len_per_gpu +int t11-
infer_micro_batch_size_per_gpu +int t11-
max_seq_len int? t11-
max_token_len_per_gpu +int t11-
micro_batch_size_per_gpu +int t11-
mixed_precision bool t11- False
offload_policy +bool t11-
optimizer_offload bool t11- False
param_offload bool t11- False
pipeline_parallel_size int t11- 1
reshard_after_forward str t11- default
router_replay +any? t11-
seed int t11- 42
spmd_backend str t13- spmd_types
strategy str t11- torchtitan
tensor_parallel_size int t11- 1
use_dynamic_bsz +bool t11-
use_fused_kernels +bool t11-
use_orig_params bool t11- False
use_remove_padding +bool t11-
use_torch_compile bool t11- True
wrap_policy map t11-""",
"critic.torchtitan.wrap_policy": """\
min_num_params int t11- 0""",
"critic.veomni": """\
activation_gpu_limit float v11-13 0.0
activation_offload_host_cache_limit_gb float v14- 4.0
activation_offload_modules list v14-
attn_implementation str v11- flash_attention_2
basic_modules +any? v11-12
 list v13-
causal_conv1d_implementation str v13- eager
chunk_gated_delta_rule_implementation str v13- eager
ckpt_manager str v11- dcp
cross_entropy_loss_implementation str v12- eager
dsa_attention_implementation str v13- eager
dsa_indexer_implementation str v13- eager
dtype +str v11-
enable_async_activation_offload bool v14- False
enable_fsdp_offload bool v11- False
enable_full_shard bool v11- True
enable_reentrant bool v11- False
entropy_checkpointing +bool v11-12
 bool v13- False
entropy_from_logits_chunk_size +int v13-
entropy_from_logits_with_chunking +bool v11-12
 bool v13- False
expert_parallel_size int v11- 1
force_use_huggingface bool v11- False
forward_only bool v11- False
forward_prefetch bool v11- True
fsdp_size int v11- -1
full_determinism bool v11- False
grad_offload +bool v11-13
infer_max_token_len_per_gpu +int v11-
infer_micro_batch_size_per_gpu +int v11-
init_device str v11- meta
load_balancing_loss_implementation str v12- eager
load_checkpoint_path +str? v11-12
 str? v13-
max_token_len_per_gpu +int v11-
mhc_implementation str v13- eager
micro_batch_size_per_gpu +int v11-
mixed_precision bool v11- True
moe_implementation str v11- fused
moe_load_balance_monitor_interval int v12-12 0
offload_policy +bool v11-12
optimizer_offload bool v11- False
pad_to_length bool v13- False
pad_to_length_bucket int v13- 1024
param_offload bool v11- False
qat_implementation str v14- none
reshard_after_forward +bool v11-12
rms_norm_gated_implementation str v13- eager
rms_norm_implementation str v12- eager
rotary_pos_emb_implementation str v12- eager
router_replay +any? v11-11
 node v12-
seed int v11- 42
strategy str v11- veomni
swiglu_mlp_implementation str v12- eager
ulysses_parallel_size int v11- 1
use_dynamic_bsz +bool v11-
use_fused_kernels +bool v11-
use_orig_params +bool v11-12
use_remove_padding +bool v11-
use_torch_compile bool v11- False
wrap_policy +any? v11-12""",
"critic.veomni.router_replay": """\
mode str v12- disabled
record_file +str? v12-
replay_file +str? v12-""",
"custom_reward_function": """\
name str dm3-10 compute_score
 str? dmvt11-,s12-13
path any? dm3-,vt11-,s12-13""",
"data": """\
apply_chat_template_kwargs map dm8-,vt11-,s12-13
audio_key str s12-13,dmvt12- audios
continuous_token map dmvts13-13
custom_cls map dm5-,vt11-,s12-13
datagen map dm7-11,vt11-11
dataloader_num_workers int dm7-,vt11-,s12-13 8
filter_overlong_prompts bool dm3-,vt11-,s12-13 False
filter_overlong_prompts_workers int dm5-,vt11-,s12-13 1
function_tool_path ref s12-13,dmvt12- oc.select:actor_rollout_ref.rollout.multi_turn.function_tool_path, null
gen_batch_size any? s13-13,dmvt13-
 :i?trainer.use_v1?trainer.v1.trainer_mode:sync?!algorithm.filter_groups.enable?!trainer.v1.sampler.sync_refill_failed_groups!int|NoneType;i?trainer.use_v1?trainer.v1.trainer_mode:sync?!algorithm.filter_groups.enable?!trainer.v1.sampler.sync_refill_failed_groups[0, s13-13,dmvt13-
image_key str d3-,m7-,vt11-,s12-13 images
image_patch_size int dm9-,vt11-,s12-13 14
max_prompt_length int dm0-,vt11-,s12-13 512
 :r?actor_rollout_ref.rollout.prompt_length:null dm0-,vt11-,s12-13
max_response_length int dm0-,vt11-,s12-13 512
 :r?actor_rollout_ref.rollout.response_length:null dm0-,vt11-,s12-13
mm_processor_kwargs map s12-13,dmvt12-
prompt_key str dm0-,vt11-,s12-13 prompt
return_full_prompt bool dm5-,vt11-,s12-13 False
return_multi_modal_inputs bool dm7-,vt11-,s12-13 True
return_raw_chat bool dm0-9 False
 bool dm10-,vt11-,s12-13 True
return_raw_input_ids bool dm0-,vt11-,s12-13 False
reward_fn_key str dm5-,vt11-,s12-13 data_source
sampler map dm7-11,vt11-11
seed any? dm9-,vt11-,s12-13
shuffle bool dm0-,vt11-,s12-13 True
tokenizer any? dm0-,vt11-,s12-13
tool_config_path ref dm9-,vt11-,s12-13 oc.select:actor_rollout_ref.rollout.multi_turn.tool_config_path, null
train_batch_size int dm0-,vt11-,s12-13 1024
 :c dm0-7
 :r s13-13,dmvt13-
train_files str dm0-,vt11-,s12-13 ~/data/rlhf/gsm8k/train.parquet
train_max_samples int dm9-,vt11-,s12-13 -1
truncation str dm3-,vt11-,s12-13 error
trust_remote_code bool dm5-,vt11-,s12-13 False
use_shm bool d5-,m7-,vt11-,s12-13 False
val_batch_size int dm0-2 1312
 int? dm3-,vt11-,s12-13
val_files str dm0-,vt11-,s12-13 ~/data/rlhf/gsm8k/test.parquet
val_max_samples int dm9-,vt11-,s12-13 -1
validation_shuffle bool d6-,m7-,vt11-,s12-13 False
video_key str d5-,m7-,vt11-,s12-13 videos""",
"data.continuous_token": """\
enable bool dmvts13-13 False
model_family str dmvts13-13 auto""",
"data.custom_cls": """\
name any? dm5-,vt11-,s12-13
path any? dm5-,vt11-,s12-13""",
"data.datagen": """\
name any? dm7-11,vt11-11
path any? dm7-11,vt11-11""",
"data.sampler": """\
class_name any? dm7-11,vt11-11
class_path any? dm7-11,vt11-11""",
"distillation": """\
distillation_loss node s12-13,dmvt12-
enabled bool s12-13,dmvt12- False
n_gpus_per_node int s12-13,dmvt12- 8
nnodes int s12-13,dmvt12- 0
teacher_key str s12-13,dmvt12- data_source
teacher_models map s12-13,dmvt12-""",
"distillation.distillation_loss": """\
chunked_topk_chunk_size +int s13-13,dmvt13-
clip_ratio float s12-13,dmvt12- 0.2
clip_ratio_high float s12-13,dmvt12- 0.2
clip_ratio_low float s12-13,dmvt12- 0.2
distillation_loss_coef float s12-13,dmvt12- 1.0
global_batch_info +any? s12-13,dmvt12-
log_prob_min_clamp float? s12-13,dmvt12-
loss_max_clamp float? s12-13,dmvt12-
loss_mode str s12-13,dmvt12- k3
loss_settings +any? s12-13,dmvt12-
policy_loss_mode str s12-13,dmvt12- vanilla
topk int s12-13,dmvt12- 32
use_chunked_topk +bool s13-13,dmvt13-
use_policy_gradient bool s12-13,dmvt12- False
use_task_rewards bool s12-13,dmvt12- True""",
"distillation.teacher_models": """\
teacher_model node s12-13,dmvt12-""",
"distillation.teacher_models.teacher_model": """\
inference node s12-13,dmvt12-
key str? s12-13,dmvt12-
model_path str? s12-13,dmvt12-
num_replicas int s12-13,dmvt12- 0""",
"distillation.teacher_models.teacher_model.inference": """\
agent +any? s12-13,dmvt12-
calculate_log_probs +bool s12-13,dmvt12-
checkpoint_engine +any? s12-13,dmvt12-
checkpoint_manager_class +str? s12-13,dmvt12-
cudagraph_capture_sizes any? s12-13,dmvt12-
custom +any? s12-13,dmvt12-
data_parallel_size int s12-13,dmvt12- 1
disable_log_stats bool s12-13,dmvt12- True
disaggregation +any? s12-13,dmvt12-
do_sample +bool s12-13,dmvt12-
dtype ref s12-13,dmvt12- oc.select:actor_rollout_ref.rollout.dtype
enable_chunked_prefill bool s12-13,dmvt12- True
enable_prefix_caching bool s12-13,dmvt12- True
enable_rollout_routing_replay +bool s12-13,dmvt12-
enable_sleep_mode +bool s12-13,dmvt12-
enforce_eager bool s12-13,dmvt12- True
engine_kwargs map s12-13,dmvt12-
expert_parallel_size int s12-13,dmvt12- 1
free_cache_engine bool s12-13,dmvt12- True
full_determinism +bool s13-13,dmvt13-
gpu_memory_utilization float s12-13,dmvt12- 0.5
ignore_eos +bool s12-13,dmvt12-
layer_name_map +any? s12-13,dmvt12-
layered_summon +bool s12-13,dmvt12-
limit_images int? s12-13,dmvt12-
load_format str s12-13,dmvt12- auto
log_prob_max_token_len_per_gpu +int s12-13,dmvt12-
log_prob_micro_batch_size +int? s12-13,dmvt12-
log_prob_micro_batch_size_per_gpu +int? s12-13,dmvt12-
log_prob_use_dynamic_bsz +bool s12-13,dmvt12-
logprobs_mode +str? s12-13,dmvt12-
max_model_len int? s12-13,dmvt12-
max_num_batched_tokens int s12-13,dmvt12- 8192
max_num_seqs int s12-13,dmvt12- 1024
mode +str s12-13,dmvt12-
moe_load_balance_metrics_interval +int s13-13,dmvt13-
moe_tensor_parallel_size +int s12-13,dmvt12-
mtp +any? s12-13,dmvt12-
multi_stage_wake_up +bool s12-13,dmvt12-
multi_turn +any? s12-13,dmvt12-
n +int s12-13,dmvt12-
n_gpus_per_node +int s12-13,dmvt12-
name ref s12-13,dmvt12- oc.select:actor_rollout_ref.rollout.name
nnodes +int s12-13,dmvt12-
over_sample_rate +float s12-13,dmvt12-
pipeline_model_parallel_size +int s12-13,dmvt12-
profiler +any? s12-13,dmvt12-
prometheus +any? s12-13,dmvt12-
prompt_length ref s12-13,dmvt12- oc.select:actor_rollout_ref.rollout.prompt_length
qat +any? s12-13,dmvt12-
quantization +str? s12-13,dmvt12-
quantization_config_file +str? s12-13,dmvt12-
repetition_penalty +float s12-13,dmvt12-
response_length ref s12-13,dmvt12- oc.select:actor_rollout_ref.rollout.response_length
router_config_path +str? dmvt14-
scheduling_policy +str? s12-13,dmvt12-
seed +int s13-13,dmvt13-
server +any? s12-13,dmvt12-
sglang_engine_mode +str s12-13,dmvt12-
skip +any? dmvts12-12
skip_tokenizer_init bool s12-13,dmvt12- True
standalone_gpu_memory_utilization +float? s13-13,dmvt13-
temperature ref s12-13,dmvt12- oc.select:actor_rollout_ref.rollout.temperature
tensor_model_parallel_size int s12-13,dmvt12- 2
top_k +int s12-13,dmvt12-
top_p +float s12-13,dmvt12-
trace +any? s12-13,dmvt12-
val_kwargs +any? s12-13,dmvt12-""",
"global_profiler": """\
all_ranks +bool dm8-,vt11-,s12-13
enable +bool dm8-,vt11-,s12-13
finish_hook_all_ranks bool dmvt14- False
finish_hook_cmd str? dmvt14-
finish_hook_ranks list dmvt14-
global_tool_config map dm8-,vt11-,s12-13
profile_continuous_steps bool dm8-,vt11-,s12-13 False
ranks +any? dm8-,vt11-,s12-13
relocate_results bool dmvt14- False
save_path str dm8-,vt11-,s12-13 outputs/profile
steps any? dm8-,vt11-,s12-13
tool str? dm8-,vt11-,s12-13
tool_config +any? dm8-,vt11-,s12-13""",
"global_profiler.global_tool_config": """\
nsys node d8-,vt11-,s12-13,m12-
 map m8-11
precision_debugger node s12-13,dmvt12-
torch_memory map dm8-,vt11-,s12-13""",
"global_profiler.global_tool_config.nsys": """\
controller_nsight_options map dm8-,vt11-,s12-13
discrete bool dm8-,vt11-,s12-13 False
name +str d10-,vt11-,s12-13,m12-
worker_nsight_options map dm8-,vt11-,s12-13""",
"global_profiler.global_tool_config.nsys.controller_nsight_options": """\
cuda-graph-trace str dm8-,vt11-,s12-13 graph
cuda-memory-usage str dm8-,vt11-,s12-13 true
trace str dm8-,vt11-,s12-13 cuda,nvtx,cublas,ucx""",
"global_profiler.global_tool_config.nsys.worker_nsight_options": """\
capture-range str dm8-,vt11-,s12-13 cudaProfilerApi
capture-range-end any? dm8-,vt11-,s12-13
cuda-graph-trace str dm8-,vt11-,s12-13 graph
cuda-memory-usage str dm8-,vt11-,s12-13 true
kill str dm8-,vt11-,s12-13 none
trace str dm8-,vt11-,s12-13 cuda,nvtx,cublas,ucx""",
"global_profiler.global_tool_config.precision_debugger": """\
config_path str? s12-13,dmvt12-
name +str s12-13,dmvt12-
stages any? s12-13,dmvt12-
steps any? s12-13,dmvt12-
strict bool s12-13,dmvt12- False""",
"global_profiler.global_tool_config.torch_memory": """\
context str dm8-,vt11-,s12-13 all
kw_args map dm8-,vt11-,s12-13
memory_snapshot_num_steps int dmvt14- 1
stack_depth int dm8-,vt11-,s12-13 32
stacks str dm8-,vt11-,s12-13 all
trace_alloc_max_entries int dm8-,vt11-,s12-13 100000""",
"ray_init": """\
num_cpus any? dm5-7
timeline_json_file any? dm5-7""",
"ray_kwargs": """\
ray_init map dm8-,vt11-,s12-13
timeline_json_file any? dm8-,vt11-,s12-13""",
"ray_kwargs.ray_init": """\
num_cpus any? dm8-,vt11-,s12-13
runtime_env map dmvt14-""",
"ray_kwargs.ray_init.runtime_env": """\
py_executable any? dmvt14-""",
"reward": """\
custom_reward_function map dmvt11-,s12-13
num_workers int dmvt11-,s12-13 8
reward_manager node dmvt11-,s12-13
reward_model map dmvt11-11
 node s12-13,dmvt12-
sandbox_fusion map dmvt11-11
 node s12-13,dmvt12-""",
"reward.custom_reward_function": """\
name str dmvt11-,s12-13 compute_score
path any? dmvt11-,s12-13""",
"reward.reward_manager": """\
module node dmvt11-,s12-13
name str dmvt11-,s12-13 naive
source str dmvt11-,s12-13 register
 :n=register|importlib dmvt11-,s12-13""",
"reward.reward_manager.module": """\
name str dmvt11-,s12-13 custom_reward_manager
path str? dmvt11-,s12-13""",
"reward.reward_model": """\
enable bool dmvt11-,s12-13 False
enable_resource_pool bool dmvt11-,s12-13 False
model_path str? dmvt11-11
 str? s12-13,dmvt12-
n_gpus_per_node int dmvt11-,s12-13 8
nnodes int dmvt11-,s12-13 0
rollout node dmvt11-,s12-13""",
"reward.reward_model.rollout": """\
agent +any? dmvt11-,s12-13
calculate_log_probs +bool dmvt11-,s12-13
checkpoint_engine +any? dmvt11-,s12-13
checkpoint_manager_class +str? s12-13,dmvt12-
cudagraph_capture_sizes any? dmvt11-,s12-13
custom +any? dmvt11-,s12-13
data_parallel_size int dmvt11-,s12-13 1
disable_log_stats bool dmvt11-,s12-13 True
disaggregation map s12-13,dmvt12-
do_sample +bool dmvt11-11
 bool s12-13,dmvt12- True
dtype str dmvt11-,s12-13 bfloat16
enable_chunked_prefill bool dmvt11-,s12-13 True
enable_prefix_caching bool dmvt11-,s12-13 True
enable_rollout_routing_replay +bool dmvt11-,s12-13
enable_sleep_mode +bool dmvt11-,s12-13
enforce_eager bool dmvt11-,s12-13 True
engine_kwargs map dmvt11-,s12-13
expert_parallel_size int dmvt11-,s12-13 1
free_cache_engine bool dmvt11-,s12-13 True
full_determinism bool s13-13,dmvt13- False
gpu_memory_utilization float dmvt11-,s12-13 0.5
ignore_eos +bool dmvt11-11
 bool s12-13,dmvt12- False
layer_name_map +any? dmvt11-,s12-13
layered_summon +bool dmvt11-11
 bool s12-13,dmvt12- False
limit_images int? dmvt11-,s12-13
load_format str dmvt11-,s12-13 auto
log_prob_max_token_len_per_gpu +int dmvt11-,s12-13
log_prob_micro_batch_size +int? dmvt11-,s12-13
log_prob_micro_batch_size_per_gpu +int? dmvt11-,s12-13
log_prob_use_dynamic_bsz +bool dmvt11-,s12-13
logprobs_mode +str? dmvt11-,s12-13
max_model_len int? dmvt11-,s12-13
max_num_batched_tokens int dmvt11-,s12-13 8192
max_num_seqs int dmvt11-,s12-13 1024
mode +str dmvt11-,s12-13
moe_load_balance_metrics_interval +int s13-13,dmvt13-
moe_tensor_parallel_size +int dmvt11-,s12-13
mtp +any? dmvt11-11
 any? s12-13,dmvt12-
multi_stage_wake_up +bool dmvt11-11
 bool s12-13,dmvt12- False
multi_turn +any? dmvt11-,s12-13
n +int dmvt11-11
 int s12-13,dmvt12- 1
n_gpus_per_node +int dmvt11-,s12-13
name required dmvt11-,s12-13
nnodes +int dmvt11-,s12-13
over_sample_rate +float dmvt11-,s12-13
pipeline_model_parallel_size +int dmvt11-11
 int s12-13,dmvt12- 1
profiler +any? dmvt11-,s12-13
prometheus +any? dmvt11-,s12-13
prompt_length int dmvt11-,s12-13 2048
qat +any? dmvt11-,s12-13
quantization +str? dmvt11-11
 str? s12-13,dmvt12-
quantization_config_file +str? dmvt11-11
 str? s12-13,dmvt12-
repetition_penalty +float dmvt11-,s12-13
response_length int dmvt11-,s12-13 2048
router_config_path +str? dmvt14-
scheduling_policy +str? dmvt11-11
 str s12-13,dmvt12- fcfs
seed int s13-13,dmvt13- 42
server +any? dmvt11-,s12-13
sglang_engine_mode +str dmvt11-,s12-13
skip +any? dmvts12-12
skip_dump_dir +str dmvt11-11
skip_rollout +bool dmvt11-11
skip_tokenizer_init bool dmvt11-,s12-13 False
standalone_gpu_memory_utilization +float? s13-13,dmvt13-
temperature +float dmvt11-11
 float s12-13,dmvt12- 1.0
tensor_model_parallel_size int dmvt11-,s12-13 2
top_k +int dmvt11-11
 int s12-13,dmvt12- -1
top_p +float dmvt11-11
 float s12-13,dmvt12- 1
trace +any? dmvt11-,s12-13
val_kwargs +any? dmvt11-,s12-13""",
"reward.reward_model.rollout.disaggregation": """\
bootstrap_port int? s12-13,dmvt12-
decode_replicas int s12-13,dmvt12- 1
decode_tensor_model_parallel_size int? s12-13,dmvt12-
enabled bool s12-13,dmvt12- False
ib_device str? s12-13,dmvt12-
prefill_replicas int s12-13,dmvt12- 1
transfer_backend str s12-13,dmvt12- nixl""",
"reward.sandbox_fusion": """\
max_concurrent int dmvt11-,s12-13 64
memory_limit_mb int dmvt11-,s12-13 1024
url str? dmvt11-11
 str? s12-13,dmvt12-""",
"reward_manager": """\
module node dm10-10
name ref dm10-10 oc.select:reward_model.reward_manager,naive
source str dm10-10 register
 :n=register|importlib dm10-10""",
"reward_manager.module": """\
name str dm10-10 custom_reward_manager
path str? dm10-10""",
"reward_model": """\
enable bool dm0-10 False
 bool? dmvt11-,s12-13
enable_resource_pool bool dm8-10 False
 bool? dmvt11-,s12-13
forward_max_token_len_per_gpu ref d0-10,m5-10 critic.forward_max_token_len_per_gpu
launch_reward_fn_async bool dm5-10 False
load_weight bool m0-10 True
max_length any? dm0-10
megatron map m0-7
 node m8-10
micro_batch_size any? dm0-10
micro_batch_size_per_gpu any? dm0-10
model map dm0-,vt11-,s12-13
n_gpus_per_node int dm8-9 0
 int dm10-10 8
 int? dmvt11-,s12-13
nccl_timeout int m6-10 600
nnodes int dm8-10 0
 int? dmvt11-,s12-13
num_workers int dm10-10 1
 int? dmvt11-,s12-13
param_offload bool m0-4 False
profiler map dm6-6
 node dm7-10
reward_loop_class_name any? dm10-,vt11-,s12-13
reward_loop_module_path any? dm10-,vt11-,s12-13
reward_loop_source str dm10-10 register
 str? dmvt11-,s12-13
 :n=register|importlib dm10-10
reward_manager str d0-10,m5-10 naive
 str? dmvt11-,s12-13
 :n=naive|prime d0-2
 :c=naive|prime d3-4
 :n=naive|prime|batch|dapo dm5-5
rollout node dm10-10
 map dmvt11-,s12-13
sandbox_fusion map dm5-10
strategy str d0-5,d7-10 fsdp
 ref dm6-6 actor_rollout_ref.actor.strategy
 str m0-5,m7-10 megatron
 :n=fsdp|megatron dm0-2
 :c?reward_model.enable=fsdp|megatron dm3-4
 :c?reward_model.enable=fsdp|fsdp2|megatron dm5-5,dm7-7
 :n=fsdp|fsdp2|megatron dm8-10
ulysses_sequence_parallel_size int d0-10 1
use_dynamic_bsz ref dm0-10 critic.use_dynamic_bsz
use_reward_loop bool dm10-10 True""",
"reward_model.megatron": """\
context_parallel_size int m5-10 1
dist_checkpointing_path any? m5-10
dist_checkpointing_prefix str m10-10 ''
dtype str m9-10 bfloat16
expert_model_parallel_size int m5-10 1
expert_tensor_parallel_size int? m5-7,m9-10
 int m8-8 1
num_layers_per_virtual_pipeline_stage any? m0-2
override_transformer_config map m5-6
 ref m7-10 ${oc.select:actor_rollout_ref.actor.megatron.override_transformer_config,{}}
param_offload bool m5-10 False
pipeline_model_parallel_size int m0-10 1
seed int m0-4 1
 ref m5-6 actor_rollout_ref.actor.megatron.seed
 ref m7-10 oc.select:actor_rollout_ref.actor.megatron.seed,42
sequence_parallel bool m0-10 True
tensor_model_parallel_size int m0-4 4
 int m5-10 1
use_dist_checkpointing bool m5-10 False
use_distributed_optimizer bool m3-4 True
 bool m5-10 False
use_mbridge ref m7-10 oc.select:actor_rollout_ref.actor.megatron.use_mbridge,False
use_remove_padding ref m10-10 oc.select:actor_rollout_ref.actor.megatron.use_remove_padding,True
vanilla_mbridge ref m10-10 oc.select:actor_rollout_ref.actor.megatron.vanilla_mbridge,True
virtual_pipeline_model_parallel_size any? m3-10""",
"reward_model.model": """\
external_lib ref dm0-10 actor_rollout_ref.model.external_lib
 any? dmvt11-,s12-13
fsdp_config map d0-7
 node d8-10
input_tokenizer ref dm0-10 actor_rollout_ref.model.path
override_config map dm10-10
path str dm0-10 ~/models/FsfairX-LLaMA3-RM-v0.1
 str? dmvt11-,s12-13
trust_remote_code bool dm5-10 False
 bool? dmvt11-,s12-13
use_fused_kernels ref d5-10 actor_rollout_ref.model.use_fused_kernels
use_remove_padding bool d0-10 False
use_shm bool d5-10 False""",
"reward_model.model.fsdp_config": """\
dtype +str d9-10
entropy_checkpointing +bool d8-10
entropy_from_logits_with_chunking +bool d8-10
forward_only +bool d8-10
forward_prefetch bool d6-10 False
fsdp_size int d0-10 -1
full_determinism +bool d10-10
grad_offload +bool d10-10
infer_max_token_len_per_gpu +int d10-10
infer_micro_batch_size_per_gpu +int d10-10
max_token_len_per_gpu +int d10-10
micro_batch_size_per_gpu +int d10-10
min_num_params int d0-2 0
mixed_precision +any? d8-10
model_dtype +str d8-10
offload_policy +bool d8-10
optimizer_offload +bool d8-10
param_offload bool d0-10 False
reshard_after_forward bool d5-10 True
seed +int d10-10
strategy +str d8-10
 :n=fsdp|fsdp2 d8-10
ulysses_sequence_parallel_size +int d8-10
use_dynamic_bsz +bool d10-10
use_fused_kernels +bool d10-10
use_orig_params +bool d8-10
use_remove_padding +bool d10-10
use_torch_compile +bool d8-10
wrap_policy map d3-10""",
"reward_model.model.fsdp_config.wrap_policy": """\
min_num_params int d3-10 0""",
"reward_model.profiler": """\
all_ranks bool dm6-10 False
discrete bool dm6-7 False
enable bool dm8-10 False
extra +any? dm7-7
global_tool_config +any? dm8-10
ranks any? dm6-6
 list dm7-10
save_path ref dm8-10 oc.select:global_profiler.save_path,null
tool ref dm8-10 oc.select:global_profiler.tool,null
tool_config ref dm8-10 oc.select:actor_rollout_ref.actor.profiler.tool_config,null""",
"reward_model.rollout": """\
agent +any? dm10-10
calculate_log_probs +bool dm10-10
cudagraph_capture_sizes any? dm10-,vt11-,s12-13
custom +any? dm10-10
data_parallel_size int dm10-10 1
 int? dmvt11-,s12-13
disable_log_stats bool dm10-10 True
 bool? dmvt11-,s12-13
do_sample +bool dm10-10
dtype str dm10-10 bfloat16
 str? dmvt11-,s12-13
enable_chunked_prefill bool dm10-10 True
 bool? dmvt11-,s12-13
enable_prefix_caching bool dm10-10 True
 bool? dmvt11-,s12-13
enable_rollout_routing_replay +bool dm10-10
enable_sleep_mode +bool dm10-10
enforce_eager bool dm10-10 True
 bool? dmvt11-,s12-13
engine_kwargs map dm10-10
 any? dmvt11-,s12-13
expert_parallel_size int dm10-10 1
 int? dmvt11-,s12-13
free_cache_engine bool dm10-10 True
 bool? dmvt11-,s12-13
gpu_memory_utilization float dm10-10 0.5
 float? dmvt11-,s12-13
ignore_eos +bool dm10-10
layer_name_map +any? dm10-10
layered_summon +bool dm10-10
limit_images int? dm10-10
 int? dmvt11-,s12-13
load_format str dm10-10 auto
 str? dmvt11-,s12-13
log_prob_max_token_len_per_gpu +int dm10-10
log_prob_micro_batch_size +int? dm10-10
log_prob_micro_batch_size_per_gpu +int? dm10-10
log_prob_use_dynamic_bsz +bool dm10-10
logprobs_mode +str? dm10-10
max_model_len int? dm10-10
 int? dmvt11-,s12-13
max_num_batched_tokens int dm10-10 8192
 int? dmvt11-,s12-13
max_num_seqs int dm10-10 1024
 int? dmvt11-,s12-13
mode +str dm10-10
 :n=sync|async dm10-10
multi_stage_wake_up +bool dm10-10
multi_turn +any? dm10-10
n +int dm10-10
name required dm10-10
 any? dmvt11-,s12-13
 :n=vllm|sglang dm10-10
over_sample_rate +float dm10-10
pipeline_model_parallel_size +int dm10-10
profiler +any? dm10-10
prometheus +any? dm10-10
prompt_length int dm10-10 2048
 int? dmvt11-,s12-13
quantization +str? dm10-10
quantization_config_file +str? dm10-10
repetition_penalty +float dm10-10
response_length int dm10-10 2048
 int? dmvt11-,s12-13
server +any? dm10-10
sglang_engine_mode +str dm10-10
skip_dump_dir +str dm10-10
skip_rollout +bool dm10-10
skip_tokenizer_init bool dm10-10 False
 bool? dmvt11-,s12-13
temperature +float dm10-10
tensor_model_parallel_size int dm10-10 2
 int? dmvt11-,s12-13
top_k +int dm10-10
top_p +float dm10-10
trace +any? dm10-10
update_weights_bucket_megabytes +int dm10-10
val_kwargs +any? dm10-10""",
"reward_model.sandbox_fusion": """\
max_concurrent int dm5-10 64
memory_limit_mb int dm6-10 1024
url any? dm5-10""",
"sandbox_fusion": """\
max_concurrent any? dmvt11-,s12-13
memory_limit_mb any? dmvt11-,s12-13
url any? dmvt11-,s12-13""",
"skip": """\
async_rollout map s13-13,dmvt13-
rollout map s13-13,dmvt13-
rollout_tq map s13-13,dmvt13-""",
"skip.async_rollout": """\
action str s13-13,dmvt13- cache
dump_dir str s13-13,dmvt13- ~/.verl/rollout_dump
enable bool s13-13,dmvt13- False
steps list s13-13,dmvt13-""",
"skip.rollout": """\
action str s13-13,dmvt13- cache
dump_dir str s13-13,dmvt13- ~/.verl/rollout_dump
enable bool s13-13,dmvt13- False
steps list s13-13,dmvt13-""",
"skip.rollout_tq": """\
action str s13-13,dmvt13- cache
dump_dir str s13-13,dmvt13- ~/.verl/rollout_dump
enable bool s13-13,dmvt13- False
steps list s13-13,dmvt13-""",
"trainer": """\
balance_batch bool dm3-,vt11-,s12-13 True
checkpoint_callback_class any? dmvt14-
controller_nsight_options map dm6-7
critic_warmup int dm0-,vt11-,s12-13 0
 :r dm0-12,vt11-12,s12-12
default_hdfs_dir any? dm0-,vt11-,s12-13
default_local_dir ref dm0-,vt11-,s12-13 checkpoints/${trainer.project_name}/${trainer.experiment_name}
del_local_ckpt_after_load bool d0-,m3-,vt11-,s12-13 False
device str dm5-,vt11-,s12-13 cuda
esi_redundant_time int dm7-,vt11-,s12-13 0
experiment_name str dm0-,vt11-,s12-13 gsm8k
log_val_generations int dm5-,vt11-,s12-13 0
logger list dm0-,vt11-,s12-13
max_actor_ckpt_to_keep any? dm3-,vt11-,s12-13
max_critic_ckpt_to_keep any? dm3-,vt11-,s12-13
n_gpus_per_node int dm0-,vt11-,s12-13 8
 :c dm0-,vt11-,s12-13
nnodes int dm0-,vt11-,s12-13 1
 :c dm0-,vt11-,s12-13
npu_profile map dm7-7
profile_steps any? dm6-7
project_name str dm0-,vt11-,s12-13 verl_examples
ray_wait_register_center_timeout int dm5-,vt11-,s12-13 300
remove_previous_ckpt_in_save bool d0-2 False
resume_from_path bool dm0-3 False
 bool? dm4-,vt11-,s12-13
resume_mode str d0-,m3-,vt11-,s12-13 auto
 str m0-2 disable
 :n=disable|auto|resume_path dm4-,vt11-,s12-13
rollout_data_dir any? d5-,m8-,vt11-,s12-13
save_freq int dm0-,vt11-,s12-13 -1
 :r dm0-10,s12-13,dmvt12-
test_freq int d0-,m5-,vt11-,s12-13 -1
 int m0-4 2
 :r dm0-,vt11-,s12-13
total_epochs int dm0-,vt11-,s12-13 30
 :i dm0-12,vt11-12,s12-12
 :r s13-13,dmvt13-
total_training_steps any? dm0-,vt11-,s12-13
use_legacy_worker_impl str d7-11,m10-11,vt11-11 auto
 :c?actor_rollout_ref.actor.strategy:fsdp2=auto|enable|disable;c?actor_rollout_ref.actor.strategy:fsdp=auto|enable|disable d7-7
 :n=auto|enable|disable d8-11,m10-11,vt11-11
use_v1 bool s13-13,dmvt13- True
v1 map s13-13,dmvt13-
val_before_train bool dm5-,vt11-,s12-13 True
val_generations_to_log_to_wandb int dm0-4 0
val_only bool d6-,vt11-,s12-13,m12- False
validation_data_dir any? d5-,vt11-,s12-13,m12-
worker_nsight_options map dm6-7""",
"trainer.controller_nsight_options": """\
cuda-graph-trace str dm6-7 graph
cuda-memory-usage str dm6-7 true
trace str dm6-7 cuda,nvtx,cublas,ucx""",
"trainer.npu_profile": """\
options map dm7-7""",
"trainer.npu_profile.options": """\
analysis bool dm7-7 True
level str dm7-7 level1
record_shapes bool dm7-7 False
save_path str dm7-7 ./profiler_data
with_cpu bool dm7-7 True
with_memory bool dm7-7 False
with_module bool dm7-7 False
with_npu bool dm7-7 True
with_stack bool dm7-7 False""",
"trainer.v1": """\
colocate_async map s13-13,dmvt13-
sampler map s13-13,dmvt13-
separate_async map s13-13,dmvt13-
sync map s13-13,dmvt13-
trainer_mode str s13-13,dmvt13- sync""",
"trainer.v1.colocate_async": """\
num_warmup_batches int s13-13,dmvt13- 1""",
"trainer.v1.sampler": """\
custom_sampler map s13-13,dmvt13-
max_off_policy_strategy str s13-13,dmvt13- drop
max_off_policy_threshold int s13-13,dmvt13- 8
sampler_kwargs map s13-13,dmvt13-
sync_refill_failed_groups bool s13-13,dmvt13- False""",
"trainer.v1.sampler.custom_sampler": """\
name any? s13-13,dmvt13-
path any? s13-13,dmvt13-""",
"trainer.v1.separate_async": """\
hybrid_rollout node dmvt14-
num_warmup_batches int s13-13,dmvt13- 1
parameter_sync_step int s13-13,dmvt13- 4""",
"trainer.v1.separate_async.hybrid_rollout": """\
adaptive_switch_threshold bool dmvt14- True
enable_switch bool dmvt14- False
switch_cost_window_size int dmvt14- 3
switch_threshold_ratio float dmvt14- 0.4
switch_threshold_release_steps int dmvt14- 2
switch_threshold_step_down float dmvt14- 0.03
switch_threshold_step_up float dmvt14- 0.05""",
"trainer.worker_nsight_options": """\
capture-range str dm6-7 cudaProfilerApi
capture-range-end any? dm6-7
cuda-graph-trace str dm6-7 graph
cuda-memory-usage str dm6-7 true
kill str dm6-7 none
trace str dm6-7 cuda,nvtx,cublas,ucx""",
"transfer_queue": """\
backend map s12-13,dmvt12-
enable bool dm9-,vt11-,s12-13 False
metrics map s12-13,dmvt12-""",
"transfer_queue.backend": """\
MooncakeStore map s12-13,dmvt12-
SimpleStorage map s12-13,dmvt12-
storage_backend str s12-13,dmvt12- SimpleStorage""",
"transfer_queue.backend.MooncakeStore": """\
auto_init bool s12-13,dmvt12- False
device_name str s12-13,dmvt12- ''
global_segment_size int s12-13,dmvt12- 4294967296
local_buffer_size int s12-13,dmvt12- 1073741824
local_hostname str s12-13,dmvt12- localhost
master_server_address str s12-13,dmvt12- localhost:50124
metadata_server str s12-13,dmvt12- localhost:50123
protocol str s12-13,dmvt12- tcp""",
"transfer_queue.backend.SimpleStorage": """\
num_data_storage_units int s12-13,dmvt12- 8
total_storage_size int s12-13,dmvt12- 100000""",
"transfer_queue.metrics": """\
enabled bool s12-13,dmvt12- False
port int s12-13,dmvt12- 0""",
}
# fmt: on
