"""Ask a release of slime whether it accepts commands, on a CPU, with the Megatron that its image pins.

    python conformance/slime/ask.py FOLDER RELEASE MEGATRON [--flags] < cases.jsonl > verdicts.jsonl

in:  {"id", "argv": the words behind train.py}
out: {"id", "version", "accepted", "stage", "error", "derived"}

The checks, in the order of a run. All is code of slime and of Megatron, but for the trim of a rollout:

    parse   Megatron's parser with slime's flags; since 0.2.3 words that no parser knows are ignored (`derived.ignored`)
    launch  slime's checks of its flags, with each path that they name there; then Megatron's
    init    Megatron's calculator of micro batches, and the schedule of the learning rate
    step    since 0.3.0 slime's schedule of a rollout; before, that a rollout has the completions of an update, in our words

Flags of SGLang are taken out beforehand. The machine is pretended to have GPUs of the generation before Blackwell.
"""

import argparse
import ast
import contextlib
import importlib.machinery
import importlib.util
import inspect
import io
import json
import os
import re
import sys
import types
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from stages import answer, verdict
from stubs import STUB_ROOTS, StubFinder, install_stubs

OF_ENGINES = ("--sglang", "--router", "--use-slime-router")
READ_ELSEWHERE = (  # settings of SGLang's parsers that slime's checks look at
    "sglang_router_ip",
    "sglang_router_port",
    "sglang_config",
    "prefill_num_servers",
    "sglang_data_parallel_size",
    "sglang_pipeline_parallel_size",
)
PACKAGES = tuple(
    "nvidia_resiliency_ext einops multistorageclient sglang_router flashinfer triton modelopt tensorstore zarr onnxscript "
    "emerging_optimizers fast_hadamard_transform deep_ep mamba_ssm causal_conv1d flash_linear_attention fla pytorch_lightning nvidia h5py "
    "sentencepiece tiktoken torch_memory_saver nltk flask flask_restful megatron_energon amem pynvml mbridge".split()
)
PARTS = (  # of Megatron and slime that need more than their flags
    "megatron.legacy",
    "megatron.post_training",
    "megatron.training.tokenizer",
    "megatron.training.global_vars",
    "megatron.training.checkpointing",
    "slime.backends.sglang_utils.external",
)


class FirstFinder(StubFinder):
    """Finds parts of packages that are there before these are looked at."""

    def find_spec(self, name, path=None, target=None):
        if any(name == root or name.startswith(f"{root}.") for root in self.roots):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None


class Slime:
    """A release beside its Megatron, with the parts of both that are asked."""

    def __init__(self, root, release, megatron):
        self.root, self.release = Path(root).resolve(), release
        self.key = tuple(map(int, re.findall(r"\d+", release)[:3]))
        self._pretend_packages(Path(megatron).resolve())
        os.environ.update(CUDA_DEVICE_MAX_CONNECTIONS="1", NCCL_ALGO="Ring")  # as its own scripts set them
        sys.argv = ["train.py"]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            import megatron.training.arguments
            import slime.utils.arguments
            import torch

            self.of_megatron, self.of_slime = megatron_arguments(), slime.utils.arguments
            self.between = self._module("slime/backends/megatron_utils/arguments.py")
        torch.cuda.get_device_properties = lambda *words, **more: types.SimpleNamespace(major=9, minor=0)
        torch.cuda.is_available = lambda: False
        self.between._vocab_size_with_padding = padded
        for name in ("add_sglang_arguments", "RouterArgs"):
            if hasattr(self.of_slime, name):
                setattr(self.of_slime, name, NoFlags)
        self.schedule = self._schedule_of_the_rate()

    def _pretend_packages(self, megatron):
        warnings.simplefilter("ignore")
        install_stubs([*(root for root in STUB_ROOTS if root != "megatron"), *PACKAGES])
        sys.path[:0] = [str(self.root), str(megatron)]
        import torch

        torch.compile = lambda function=None, *words, **more: function if callable(function) else lambda found: found
        training = types.ModuleType("megatron.training")  # without its __init__, which imports models and data sets
        training.__path__ = [str(megatron / "megatron/training")]
        training.get_args = training.get_timers = training.get_adlr_autoresume = training.print_rank_0 = nothing
        sys.modules["megatron.training"] = training
        sys.meta_path.insert(0, FirstFinder(PARTS))

    def _module(self, path):
        spec = importlib.util.spec_from_file_location("asked_arguments", self.root / path)
        found = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
        return found

    def _schedule_of_the_rate(self):
        """`get_optimizer_param_scheduler`, without annotations."""
        tree = ast.parse((self.root / "slime/backends/megatron_utils/model.py").read_text(encoding="utf-8"))
        named = (node for node in ast.walk(tree) if getattr(node, "name", "") == "get_optimizer_param_scheduler")
        node = next(named, None)
        if node is None:
            return None
        node.returns = None
        for each in node.args.args:
            each.annotation = None
        module = ast.Module([node], [])
        ast.fix_missing_locations(module)
        return compile(module, "model.py", "exec")

    def parser(self):
        parser = argparse.ArgumentParser(allow_abbrev=False, prog="train.py")
        return self.of_slime.get_slime_extra_args_provider(None)(self.of_megatron.add_megatron_arguments(parser))

    def flags(self):
        """{flag: what the parsers declare of it}, as the catalogue is made of."""
        own = self.of_megatron.add_megatron_arguments(argparse.ArgumentParser(allow_abbrev=False))
        theirs = {flag for action in own._actions for flag in action.option_strings}
        return {
            flag: {"o": "megatron" if flag in theirs else "slime", **declared(action)}
            for action in self.parser()._actions
            for flag in action.option_strings
        }

    def judge(self, case):
        checks = (
            ("parse", self._parsed),
            ("launch", self._checked),
            ("init", self._started),
            ("step", self._stepped),
        )
        return verdict(case, self.release, checks)

    def _parsed(self, words, derived):
        words = without_engines(words)
        if self.key >= (0, 2, 3):
            args, derived["ignored"] = self.parser().parse_known_args(words)
        else:
            args = self.parser().parse_args(words)
        if hasattr(self.of_slime, "_pre_parse_mode"):
            sys.argv = ["train.py", *words]
            vars(args).update(vars(self.of_slime._pre_parse_mode()))
        args.rank, args.world_size = 0, args.actor_num_nodes * args.actor_num_gpus_per_node
        names = ("set_default_megatron_args", "_set_default_megatron_args")
        completed = next((getattr(self.between, name) for name in names if hasattr(self.between, name)), None)
        if completed is None:
            return args
        args.vocab_size = getattr(args, "vocab_size", None)
        args.tokenizer_type = args.tokenizer_type or "HuggingFaceTokenizer"
        args.tokenizer_model = args.tokenizer_model or "tokenizer"
        return completed(args)

    def _checked(self, args, derived):
        for name in READ_ELSEWHERE:
            if not hasattr(args, name):
                setattr(args, name, None)
        real = os.path.exists
        os.path.exists = lambda path: (isinstance(path, str) and not path.endswith("config.json")) or real(path)
        try:
            self.of_slime.slime_validate_args(args)
        finally:
            os.path.exists = real
        if not args.debug_rollout_only:
            args.world_size = args.actor_num_nodes * args.actor_num_gpus_per_node
            self.between.validate_args(args)
        return args

    def _started(self, args, derived):
        update, rollout = args.global_batch_size, args.rollout_batch_size * args.n_samples_per_prompt
        world = args.actor_num_nodes * args.actor_num_gpus_per_node
        model = args.tensor_model_parallel_size * args.pipeline_model_parallel_size * args.context_parallel_size
        derived.update(
            prompts_per_rollout=args.rollout_batch_size,
            group_size=args.n_samples_per_prompt,
            completions_per_rollout=rollout,
            completions_per_update=update,
            updates_per_rollout=rollout // update if update else None,  # of a run that only generates nobody needs it
            dp_size=world // model,
        )
        if args.debug_rollout_only:
            return args
        import megatron.core.num_microbatches_calculator as calculator

        calculator._GLOBAL_NUM_MICROBATCHES_CALCULATOR = None
        calculator.init_num_microbatches_calculator(
            0, args.rampup_batch_size, update, args.micro_batch_size, args.data_parallel_size, args.decrease_batch_size_if_needed
        )  # fmt: skip
        if args.num_rollout is not None and self.schedule:
            from megatron.core.optimizer_param_scheduler import OptimizerParamScheduler

            names = {"OptimizerParamScheduler": OptimizerParamScheduler}
            exec(self.schedule, names)
            names["get_optimizer_param_scheduler"](args, types.SimpleNamespace(param_groups=[]))
        return args

    def _stepped(self, args, derived):
        update, rollout = args.global_batch_size, args.rollout_batch_size * args.n_samples_per_prompt
        if self.key < (0, 2, 2) or (args.debug_rollout_only and self.key >= (0, 2, 3)):
            return args
        if self.key < (0, 3):
            if rollout < update:
                raise ValueError(f"a rollout of {rollout} completions has no update of {update}")
            return args
        import slime.utils.dp_schedule as schedule

        schedule.calculate_fwd_flops = lambda lengths, args: sum(length * length for length in lengths)
        stages = {
            "dp_size": derived["dp_size"],
            "cp_size": args.context_parallel_size,
            "vpp_size": args.virtual_pipeline_model_parallel_size or 1,
            "microbatch_group_size_per_vp_stage": getattr(args, "microbatch_group_size_per_vp_stage", None) or 1,
        }
        lengths, rows = [500 + (row * 37) % 900 for row in range(rollout)], list(range(rollout))
        rest = {"global_batch_size": update, "rollout_indices": rows, "group_indices": rows}
        names = inspect.signature(schedule.build_dp_schedule).parameters  # 0.3.0 calls them otherwise
        schedule.build_dp_schedule(args, stages, lengths, **{name: rest[name] for name in rest if name in names})
        return args


class NoFlags:
    """In the place of what declares SGLang's flags."""

    def __new__(cls, parser):
        return parser

    @staticmethod
    def add_cli_args(*words, **more):
        return None


def nothing(*words, **more):
    return None


def megatron_arguments():
    return sys.modules["megatron.training.arguments"]


def padded(size, args):
    step = 128 * args.tensor_model_parallel_size
    return -(-size // step) * step


def without_engines(words):
    """The words of a command without the flags of SGLang and what follows them."""
    found, is_theirs = [], False
    for word in words:
        is_theirs = word.startswith(OF_ENGINES) or (is_theirs and not word.startswith("--"))
        found += [] if is_theirs else [word]
    return found


def declared(action):
    """A flag as tables of flags describe it."""
    default = action.default
    plain = default is None or isinstance(default, (int, float, str, bool))
    found = {"a": type(action).__name__.replace("Action", "").strip("_"), "d": default if plain else str(default)[:40]}
    if action.type:
        found["t"] = getattr(action.type, "__name__", str(action.type))[:30]
    if action.choices:
        found["c"] = [str(each) for each in action.choices][:40]
    if action.required:
        found["r"] = True
    return found


def main():
    asked = Slime(*sys.argv[1:4])
    if "--flags" in sys.orig_argv:
        print(json.dumps(asked.flags(), separators=(",", ":")))
        return
    answer(asked.judge)


if __name__ == "__main__":
    main()
