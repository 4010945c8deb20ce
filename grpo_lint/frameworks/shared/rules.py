"""GRPO450 - GRPO459: the DeepSpeed configuration that a run names, compared with the run."""

from ...rules.base import Rule

_WHY = 'A value of the DeepSpeed configuration that is not "auto" must equal that of the trainer. The trainer compares them only when training starts, after the model is loaded.'


def _agrees(
    code: str,
    subject: str,
    operand: str,
    own: str,
    key: str,
    setting: str,
    shown: "str | None" = None,
    only_with: "tuple[str, ...]" = (),
    blocked_by: "tuple[str, ...]" = (),
) -> "Rule":
    """The rule that a value of the DeepSpeed configuration equals that of the run."""
    return Rule(
        code,
        f"deepspeed-{subject}-agrees",
        f'{key} of the DeepSpeed configuration is "auto" or that of the run',
        f"{operand} != {own}",
        only_with=(operand, *only_with),
        message=f"{key} of the DeepSpeed configuration is {{{operand}}}, but {shown or f'{setting} is {{{own}}}'}",
        why=_WHY,
        instead=f'Write "auto" for {key} in the DeepSpeed configuration, or make {setting} the same.',
        at=(setting, "deepspeed"),
        blocked_by=blocked_by,
    )


RULES = (
    _agrees(
        "GRPO450",
        "micro-batch",
        "deepspeed_micro_batch",
        "per_device_train_batch_size",
        "train_micro_batch_size_per_gpu",
        "per_device_train_batch_size",
    ),
    _agrees(
        "GRPO451",
        "accumulation",
        "deepspeed_accumulation",
        "accumulation",
        "gradient_accumulation_steps",
        "gradient_accumulation_steps",
    ),
    _agrees(
        "GRPO452",
        "batch",
        "deepspeed_batch",
        "per_device_train_batch_size * accumulation * world_size",
        "train_batch_size",
        "gradient_accumulation_steps",
        "it is {per_device_train_batch_size} per device x {accumulation} accumulation steps x {world_size} processes",
        blocked_by=("deepspeed-micro-batch-agrees", "deepspeed-accumulation-agrees"),
    ),
    _agrees("GRPO453", "clipping", "deepspeed_clipping", "max_grad_norm", "gradient_clipping", "max_grad_norm"),
    _agrees(
        "GRPO454", "learning-rate", "deepspeed_learning_rate", "learning_rate", "optimizer.params.lr", "learning_rate"
    ),
    _agrees(
        "GRPO455",
        "weight-decay",
        "deepspeed_weight_decay",
        "weight_decay",
        "optimizer.params.weight_decay",
        "weight_decay",
    ),
    _agrees("GRPO456", "epsilon", "deepspeed_epsilon", "adam_epsilon", "optimizer.params.eps", "adam_epsilon"),
    _agrees(
        "GRPO457",
        "peak-rate",
        "deepspeed_peak_rate",
        "learning_rate",
        "scheduler.params.warmup_max_lr",
        "learning_rate",
        blocked_by=("deepspeed-learning-rate-agrees",),
    ),
    _agrees(
        "GRPO458",
        "half-precision",
        "deepspeed_fp16",
        "(fp16 or fp16_full_eval)",
        "fp16.enabled",
        "fp16",
        "fp16 is {fp16}",
        ("fp16",),
    ),
    _agrees(
        "GRPO459",
        "brain-float",
        "deepspeed_bf16",
        "(bf16 or bf16_full_eval)",
        "bf16.enabled",
        "bf16",
        "bf16 is {bf16}",
        ("bf16",),
    ),
)
