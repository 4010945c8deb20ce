"""A framework as a copy of it in a checkout has it, where its settings are the fields of flat classes of arguments: fields that the
copy added, and the defaults, plain types and choices that it changed. Of the releases it is most like it is the one that it calls
itself."""

from ...record import Record
from ...unknown import UNKNOWN
from ..catalogue import REQUIRED, Catalogue
from .copies import PLAIN, as_copied, choices_of, is_optional, nearest, plain_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...shared_types import Framework, Mapping
    from ..catalogue import Field, FieldRows
    from ..protocols import Copy, DeclaredField

    Row = tuple[Any, ...]


# what transformers declares, in one release or another: a class that is made from its arguments may have these without saying so
OF_TRANSFORMERS = frozenset(
    "accelerator_config activation_checkpointing activation_checkpointing_kwargs adafactor adam_beta1 adam_beta2 adam_epsilon "
    "auto_find_batch_size average_tokens_across_devices batch_eval_metrics bf16 bf16_full_eval data_seed dataloader_drop_last "
    "dataloader_in_order dataloader_multiprocessing_context dataloader_num_workers dataloader_persistent_workers "
    "dataloader_pin_memory dataloader_prefetch_factor ddp_backend ddp_broadcast_buffers ddp_bucket_cap_mb "
    "ddp_find_unused_parameters ddp_static_graph ddp_timeout debug deepspeed disable_tqdm dispatch_batches do_eval do_predict "
    "do_train enable_jit_checkpoint eval_accumulation_steps eval_delay eval_do_concat_batches eval_on_start eval_steps "
    "eval_strategy eval_use_gather_object evaluation_strategy fp16 fp16_backend fp16_full_eval fp16_opt_level fsdp fsdp_config "
    "fsdp_min_num_params fsdp_transformer_layer_cls_to_wrap full_determinism generation_config generation_max_length "
    "generation_num_beams gradient_accumulation_steps gradient_checkpointing gradient_checkpointing_kwargs greater_is_better "
    "group_by_length half_precision_backend hub_always_push hub_model_id hub_private_repo hub_revision hub_strategy hub_token "
    "ignore_data_skip include_for_metrics include_inputs_for_metrics include_num_input_tokens_seen include_tokens_per_second "
    "jit_mode_eval label_names label_smoothing_factor learning_rate length_column_name liger_kernel_config load_best_model_at_end "
    "local_rank log_level log_level_replica log_on_each_node logging_dir logging_first_step logging_nan_inf_filter logging_steps "
    "logging_strategy lr_scheduler_kwargs lr_scheduler_type max_grad_norm max_steps metric_for_best_model mp_parameters "
    "neftune_noise_alpha no_cuda num_train_epochs optim optim_args optim_target_modules output_dir overwrite_output_dir "
    "parallelism_config past_index per_device_eval_batch_size per_device_train_batch_size per_gpu_eval_batch_size "
    "per_gpu_train_batch_size predict_with_generate prediction_loss_only project push_to_hub push_to_hub_model_id "
    "push_to_hub_organization push_to_hub_token ray_scope remove_unused_columns report_to restore_callback_states_from_checkpoint "
    "resume_from_checkpoint run_name save_on_each_node save_only_model save_safetensors save_steps save_strategy save_total_limit "
    "seed skip_memory_metrics sortish_sampler split_batches tf32 torch_compile torch_compile_backend torch_compile_mode "
    "torch_empty_cache_steps torchdynamo tp_size tpu_metrics_debug tpu_num_cores trackio_bucket_id trackio_space_id "
    "trackio_static_space_id train_sampling_strategy use_cache use_cpu use_ipex use_legacy_prediction_loop use_liger_kernel "
    "use_mps_device warmup_ratio warmup_steps weight_decay".split()
)


class Classes(Record):
    """The classes of arguments of a framework.

    by_group      {group of the catalogue: the full names that its class has in one release or another}
    trainers      those groups whose class is another one where it lacks the size of the group
    of_others     packages with classes that these are made from; their fields are in no copy
    inherited     the fields that a class may have of transformers
    unknown_type  of a setting of no release whose type is none of the plain ones
    """

    by_group: "Mapping[str, tuple[str, ...]]"
    trainers: "tuple[str, ...]"
    of_others: "frozenset[str]"
    inherited: "frozenset[str]" = OF_TRANSFORMERS
    unknown_type: str


class _Rows:
    """What a generated module of a catalogue holds, with the fields of a copy, and without those that it removed."""

    def __init__(self, catalogue: Catalogue, fields: "dict[str, FieldRows]") -> None:
        self.RELEASES, self.COMPANIONS = catalogue.releases, catalogue.companions
        self.FIELDS = {name: rows for name, rows in {**catalogue.rows, **fields}.items() if rows}


def framework_with_fields(framework: "Framework", copy: "Copy", group: str, classes: Classes) -> "Framework | None":
    """A framework with the fields of a copy, in all its releases, of which it is most like some by the fields of one group. Where the
    class of that group is not found its version tells the release; None where it differs in no field then. All groups are read."""
    catalogue, trainer = framework.catalogue, framework.reader.trainer.field
    found = {each: _fields_of(copy, targets, classes.of_others) for each, targets in classes.by_group.items()}
    found = {each: fields for each, fields in found.items() if trainer in fields or each not in classes.trainers}
    alike, likeness = nearest(_likeness(framework, group, found.get(group, {}), classes.inherited))
    changed = _changed(catalogue, found, alike, classes.unknown_type)
    whole = [each for each in found if found[each] and _is_whole(copy, each, classes)]
    changed = {
        **changed,
        **_without_removed(catalogue, {each: found[each] for each in whole}, alike, changed, classes.inherited),
    }
    if changed:
        catalogue = Catalogue(_Rows(catalogue, changed))  # type: ignore[arg-type]  # as good as a module
    if not alike:
        return framework.with_(catalogue=catalogue) if changed else None
    choices = frozenset(name for name, field in found[group].items() if choices_of(field.annotation))
    return as_copied(framework, copy, catalogue, [catalogue.releases[index] for index in alike], likeness, {}, choices)


def _changed(
    catalogue: Catalogue, found: "Mapping[str, Mapping[str, DeclaredField]]", alike: "list[int]", unknown_type: str
) -> "dict[str, FieldRows]":
    """The rows of the fields of some groups that the releases which are most alike do not have so; of any where none is."""
    changed: dict[str, FieldRows] = {}
    for group, fields in found.items():
        for name, field in fields.items():
            rows = changed.get(name, catalogue.rows.get(name, ()))
            known = [row for row in rows if group in row[0].split()]
            there = [next((row for row in known if row[1] <= index <= row[2]), None) for index in alike]
            own = _row(field, group, len(catalogue.releases) - 1, known, there, unknown_type)
            if own is not None:
                changed[name] = (own, *rows)
    return changed


def _is_whole(copy: "Copy", group: str, classes: Classes) -> bool:
    """Whether all fields of a class are known: its own ones, and by their names those that it has of transformers."""
    of_others = frozenset(("transformers",)) if classes.inherited else frozenset[str]()
    return bool(_fields_of(copy, classes.by_group[group], of_others))


def _without_removed(
    catalogue: Catalogue,
    found: "Mapping[str, Mapping[str, DeclaredField]]",
    alike: "list[int]",
    changed: "Mapping[str, FieldRows]",
    inherited: "frozenset[str]",
) -> "dict[str, FieldRows]":
    """The rows that are left of the fields that the releases which are most alike have in some groups, and that a copy removed there."""
    left: dict[str, FieldRows] = {}
    there = sum(1 << index for index in alike)
    for group, fields in found.items():
        for name, bits in catalogue.settings((group,)):
            if bits & there and name not in fields and name not in inherited:
                rows = left.get(name, changed.get(name, catalogue.rows[name]))
                others = ((" ".join(each for each in row[0].split() if each != group), *row[1:]) for row in rows)
                left[name] = tuple(row for row in others if row[0])
    return left


def _likeness(
    framework: "Framework", group: str, fields: "Mapping[str, DeclaredField]", inherited: "frozenset[str]"
) -> "dict[int, float]":
    """{release with the trainer: the share of settings that it and a copy with these fields both have, with the same default, of all
    that either has}, without those that a class may have of transformers; none for a copy without fields."""
    catalogue = framework.catalogue
    with_trainer = catalogue.known(framework.reader.trainer.field, (group,)) if fields else 0
    own = {name: bits for name, bits in catalogue.settings((group,)) if name in fields or name not in inherited}
    found: dict[int, float] = {}
    for index in range(len(catalogue.releases)):
        if with_trainer >> index & 1:
            known = [name for name, bits in own.items() if bits >> index & 1]
            released = catalogue.fields((group,), index)
            same = sum(name in fields and _has_default(fields[name], released[name]) for name in known)
            found[index] = same / len({*known, *fields})
    return found


def _has_default(field: "DeclaredField", released: "Field | None") -> bool:
    return released is not None and field.default in (UNKNOWN, released.default)


def _fields_of(copy: "Copy", targets: "tuple[str, ...]", of_others: "frozenset[str]") -> "Mapping[str, DeclaredField]":
    return next(filter(None, (copy.fields_of(target, of_others) for target in targets)), {})


def _row(
    field: "DeclaredField", group: str, newest: int, known: "list[Row]", there: "list[Row | None]", unknown_type: str
) -> "Row | None":
    """The row of a field for all releases; None where those that are most alike have it so, or have it and its default cannot be told.
    `known`: the rows of its name, `there`: those in the releases that are most alike."""
    kind, own = _type_of(field)
    if not known:
        default = None if field.default is UNKNOWN else field.default
        return group, 0, newest, kind or unknown_type, default, *own
    same = [row is not None and _says(row, kind, field.default, own) for row in there or known]
    if all(same) if there else any(same):
        return None
    last = known[-1]
    if _is_told(field, kind, known):
        kept = last[5:] if is_optional(field.annotation) == str(last[3]).endswith("?") else ()
        return group, 0, newest, kind, field.default, *(own or kept)
    return (group, 0, newest, last[3], None, *last[5:]) if None in there else None


def _is_told(field: "DeclaredField", kind: str, known: "list[Row]") -> bool:
    """Whether the type and the default of a field can be told."""
    return bool(kind) and field.default is not UNKNOWN and all(row[4] != REQUIRED for row in known)


def _says(row: "Row", kind: str, default: object, own: "tuple[object, ...]") -> bool:
    """Whether a row has a type and a default, and the choices where a copy states its own."""
    return (row[3], row[4]) == (kind, default) and (not own or row[5:] == own)


def _type_of(field: "DeclaredField") -> "tuple[str, tuple[object, ...]]":
    """(the type of a field, empty for none of the plain ones; its choices as the only element, empty where it states none)."""
    choices = choices_of(field.annotation)
    kind = type(choices[0]).__name__ + "?" * is_optional(field.annotation) if choices else plain_type(field.annotation)
    return kind + "?" * (field.default is None and kind in PLAIN), (choices,) if choices else ()
