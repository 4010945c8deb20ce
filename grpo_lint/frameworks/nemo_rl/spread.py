"""How NeMo-RL spreads a copy of a model over processes: DTensor, which shards the copies as well, or Megatron."""

from ..shared.two_engines import TwoEngines

_ENGINES = TwoEngines(
    names=("dtensor", "megatron"), titles=("DTensor", "Megatron"), sections=("policy.dtensor_cfg", "policy.megatron_cfg"),
    switches={"policy.dtensor_cfg.enabled": False, "policy.megatron_cfg.enabled": True},
    padded="policy.make_sequence_length_divisible_by", packed="policy.sequence_packing.enabled", since=((0, 3), (0, 4)),
)  # fmt: skip
BACKENDS, settings, why_not = _ENGINES.names, _ENGINES.settings, _ENGINES.why_not
