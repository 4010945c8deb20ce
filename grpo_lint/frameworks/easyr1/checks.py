"""Where the code of EasyR1 shows what its rows say: a copy that is run without it does not do so."""

# see `frameworks.verl.checks`
CHECKS: "dict[str, tuple[str, ...]]" = {
    **dict.fromkeys(
        "advantage-estimator-is-known group-has-two-completions rank-has-an-update rank-update-holds-whole-micro-batches "
        "critic-update-holds-whole-micro-batches engines-divide-gpus engine-takes-a-sequence rows-divide-over-generation "
        "rows-divide-over-ranks rank-rows-hold-whole-micro-batches rollout-holds-updates-without-rest".split(),
        (),
    ),
    "data-fills-a-batch": ("assert len(train_dataloader) >= 1",),
}
