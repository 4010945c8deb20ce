"""What the files of verl's other trainers add to its tree, or set otherwise, in the form of `catalogue`.

Generated from the released packages and the repositories of verl; do not edit. To write it again:

    python conformance/verl/entry_points.py WHEELS CHECKOUT RECIPES

TREES: {entry point: SECTIONS as in `catalogue`}, with the same letters of groups and indices of releases.
"""

# fmt: off
TREES = {
"dapo": {
"algorithm": """\
filter_groups map d5-6
 node d7-12,m8-12""",
"algorithm.filter_groups": """\
enable bool d5-12,m8-12 False
extra +any? d7-7
max_num_gen_batches int d5-12,m8-12 0
metric str? d5-6
 str? d7-12,m8-12,dm14-""",
"data": """\
gen_batch_size ref d5-,m8- data.train_batch_size""",
"reward": """\
reward_kwargs map dm11-""",
"reward.reward_kwargs": """\
max_resp_len any? dm11-
overlong_buffer_cfg map dm11-""",
"reward.reward_kwargs.overlong_buffer_cfg": """\
enable bool dm11- False
len int dm11- 0
log bool dm11- False
penalty_factor float dm11- 0.0""",
"reward.reward_manager": """\
name str dm11- dapo""",
"reward_model": """\
overlong_buffer map d5-10,m8-10
reward_manager str d5-10,m8-10 dapo""",
"reward_model.overlong_buffer": """\
enable bool d5-10,m8-10 False
len int d5-10,m8-10 0
log bool d5-10,m8-10 False
penalty_factor float d5-10,m8-10 0.0""",
"trainer": """\
project_name str d5-,m8- verl-dapo""",
},
"fully_async": {
"actor_rollout_ref.actor": """\
use_rollout_log_probs ref dm9-10 oc.select:async_training.use_rollout_log_probs, True
 bool dm11- True""",
"actor_rollout_ref": """\
checkpoint_engine ref dm10-10 oc.select:async_training.checkpoint_engine, null""",
"actor_rollout_ref.model": """\
use_remove_padding bool m11-11 True""",
"actor_rollout_ref.rollout": """\
calculate_log_probs bool dm11-12 True
standalone_gpu_memory_utilization float? dm13-""",
"actor_rollout_ref.rollout.checkpoint_engine": """\
backend str dm11- nccl""",
"algorithm.rollout_correction": """\
bypass_mode bool dm11- True""",
"": """\
async_training map dm9-
rollout map dm9-""",
"async_training": """\
checkpoint_engine map dm10-10
compute_prox_log_prob bool dm9-10 False
concurrent_samples_per_replica int dm13- 16
dynamic_schedule_deactivate_ratio float dm13- 0.3
dynamic_schedule_enable_rebalance bool dm13- True
dynamic_schedule_policy str dm13- default
partial_rollout bool dm9- True
require_batches int dm9- 1
staleness_threshold float dm9- 0.1
trigger_parameter_sync_step int dm9- 4
use_dynamic_resource_scheduling bool dm13- False
use_rollout_log_probs bool dm9-10 True
use_trainer_do_validate bool dm11- False""",
"async_training.checkpoint_engine": """\
device_buffer_size_M int dm10-10 4096
enable bool dm10-10 True
overlap_broadcast_and_consume bool dm10-10 False""",
"data": """\
gen_batch_size int dm9- 1""",
"rollout": """\
n int dm9- 4
n_gpus_per_node int dm9- 8
nnodes int dm9- 1
test_freq int dm9-10 1
total_epochs int dm9-10 10
total_rollout_steps int dm9- 100""",
"trainer": """\
use_legacy_worker_impl str dm11-11 disable""",
},
"one_step_off": {
"actor_rollout_ref.rollout": """\
calculate_log_probs bool dm10-12 True
free_cache_engine bool dm10- False""",
"actor_rollout_ref.rollout.checkpoint_engine": """\
backend str dm11- nccl""",
"algorithm.rollout_correction": """\
bypass_mode bool dm10- True""",
"": """\
rollout map dm7-""",
"rollout": """\
n_gpus_per_node int dm7- 8
nnodes int dm7- 1""",
"trainer": """\
use_legacy_worker_impl str dm11-11 disable""",
},
}
# fmt: on
