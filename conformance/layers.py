#!/usr/bin/env python3
"""Ask Megatron-Core how it cuts the layers of a model into pipeline stages: for each case whether it refuses, and else the layers of all stages together.

    ENVIRONMENT/bin/python conformance/layers.py tests/truth/layers.json

ENVIRONMENT has Megatron-Core, such as those of `conformance/flags.py ms-swift`. No process group is made: the number and the rank of a stage are
handed in. The answers of a release take the place of those that the file has of it.
"""

import itertools
import json
import sys
from pathlib import Path

import megatron.core
import torch
from megatron.core import parallel_state
from megatron.core.transformer.transformer_block import get_num_layers_to_build
from megatron.core.transformer.transformer_config import TransformerConfig

stage = {"rank": 0, "all": 1}
ENDS = [(first, last, False, False) for first in (None, 3, 4, 7) for last in (None, 1, 2, 6, 13)]
# what `cut` proposes, two stages with both ends, and ends that leave nothing for the stages between
ENDS += [(*ends, False, False) for ends in ((15, 14), (2, 2), (None, 30), (31, 30), (30, 31), (31, None), (61, None))]
COUNTED = [(None, None, True, False), (None, None, False, True), (None, None, True, True)]


def asked(layers, stages, first, last, embedding, loss):
    """The layers of all stages together; None where Megatron-Core refuses."""
    stage["all"] = stages
    try:
        config = TransformerConfig(
            num_layers=layers, hidden_size=64, num_attention_heads=4, pipeline_model_parallel_size=stages, pipeline_dtype=torch.bfloat16,
            num_layers_in_first_pipeline_stage=first, num_layers_in_last_pipeline_stage=last,
            account_for_embedding_in_pipeline_split=embedding, account_for_loss_in_pipeline_split=loss,
        )  # fmt: skip
        found = 0
        for stage["rank"] in range(stages):
            found += get_num_layers_to_build(config)
    except (ValueError, AssertionError, ZeroDivisionError):
        return None
    return found


def main():
    parallel_state.get_pipeline_model_parallel_world_size = lambda: stage["all"]
    parallel_state.get_pipeline_model_parallel_rank = lambda: stage["rank"]
    parallel_state.is_pipeline_first_stage = lambda *_, **__: stage["rank"] == 0
    parallel_state.is_pipeline_last_stage = lambda *_, **__: stage["rank"] == stage["all"] - 1
    cases = [(*sizes, *ends) for sizes in itertools.product((28, 48, 61), (2, 4, 8, 16)) for ends in ENDS + COUNTED]
    path = Path(sys.argv[1])
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    kept[megatron.core.__version__] = [[*case, asked(*case)] for case in cases]
    lines = [
        f"{json.dumps(name)}: [\n" + ",\n".join(map(json.dumps, rows)) + "\n]" for name, rows in sorted(kept.items())
    ]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    refused = sum(row[-1] is None for row in kept[megatron.core.__version__])
    print(f"Megatron-Core {megatron.core.__version__}: {len(cases)} cases, {refused} refused")


if __name__ == "__main__":
    main()
