"""Ask the installed ms-swift about configs: run inside an environment of environments.py, see asking.py for the
protocol.

    ENVIRONMENT/bin/python conformance/ask_swift.py swift < requests > verdicts
    ENVIRONMENT/bin/python conformance/ask_swift.py megatron < requests > verdicts

Real: the release's own conversion of YAML to flags (before 3.10 it has none; there the keys become flags as in the
newest release), its parser, the whole `__post_init__` chain, Megatron's process groups, and the checks at the start of
the trainer, taken from the installed source. For Megatron also the sizes of the first rollout and the first evaluation:
their verdict is `late`. Checks after the trainer is created have the verdict `later`.

Pretended: processes, devices, a GPU that can do bf16, the weights (a config.json stands for every model), vLLM and
Transformer Engine.
"""

import argparse
import contextlib
import copy
import functools
import importlib
import importlib.metadata
import importlib.util
import json
import logging
import os
import sys
import types
from pathlib import Path

import read_fields
from asking import ParserOnce, serve
from borrowed import Source, checks_of

FILE = "config.yaml"
MODELS = ("Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-14B-Instruct")
MODEL_CONFIG = {
    "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "hidden_size": 64, "intermediate_size": 128,
    "num_hidden_layers": 24, "num_attention_heads": 8, "num_key_value_heads": 8, "vocab_size": 512,
    "max_position_embeddings": 32768, "torch_dtype": "bfloat16", "hidden_act": "silu", "rms_norm_eps": 1e-6,
}  # fmt: skip
DERIVED = (
    "num_generations", "num_generations_eval", "generation_batch_size", "steps_per_generation", "per_device_train_batch_size",
    "gradient_accumulation_steps", "micro_batch_size", "global_batch_size", "per_device_generation_batch_size",
)  # fmt: skip
pretended = types.SimpleNamespace(processes=1, local_processes=1, devices=1)


# ---------------------------------------------------------------- the pretended machine


def pretend_launch(request):
    """Set the environment variables that torchrun sets for its processes."""
    nodes = int(os.environ.get("NNODES", 1))
    pretended.processes = request["world_size"]
    pretended.local_processes = int(os.environ.get("NPROC_PER_NODE", max(1, pretended.processes // nodes)))
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    pretended.devices = len(visible.split(",")) if visible else pretended.local_processes


def enter_torchrun():
    os.environ.update(
        WORLD_SIZE=str(pretended.processes), LOCAL_WORLD_SIZE=str(pretended.local_processes), RANK="0", LOCAL_RANK="0"
    )


class Distribution:
    """Replaces accelerate's state in transformers' TrainingArguments."""

    process_index = local_process_index = 0
    is_main_process = is_local_main_process = initialized = True
    distributed_type, backend = "NO", None

    @property
    def num_processes(self):
        return pretended.processes


def pretend_gpu():
    import torch
    from transformers import training_args

    for probe in ("is_torch_bf16_gpu_available", "is_torch_tf32_available", "is_torch_cuda_available"):
        if hasattr(training_args, probe):
            setattr(training_args, probe, lambda *args, **options: True)
    Distribution.device = torch.device("cuda", 0)
    training_args.TrainingArguments._setup_devices = property(lambda self: Distribution.device)
    training_args.TrainingArguments.distributed_state = Distribution()
    training_args.TrainingArguments._n_gpu = 1
    torch.cuda.set_device = lambda device: None


def everywhere(name, value):
    """Replace a function in every module of swift that has it under this name."""
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("swift") and name in vars(module):
            setattr(module, name, value)


def pretend_surroundings():
    """Pretend devices, weights and versioned folders; called after the argument classes are imported."""
    everywhere("get_device_count", lambda: pretended.devices)
    everywhere("set_device", lambda *args, **options: None)
    everywhere("add_version_to_work_dir", lambda folder: folder)
    for name in ("swift.model", "swift.llm.model"):
        if importlib.util.find_spec(name.rpartition(".")[0]) and importlib.util.find_spec(name):
            everywhere("get_model_info_meta", remembering(importlib.import_module(name).get_model_info_meta))
            break


def remembering(read_model):
    """Cache the result, since `get_model_info_meta` reads a config.json each time."""
    known = {}

    def get_model_info_meta(*args, **options):
        key = repr((args, sorted(options.items(), key=str)))
        if key not in known:
            known[key] = read_model(*args, **options)
        information, meta = known[key]
        return copy.copy(information), meta

    return get_model_info_meta


def make_models():
    for name in MODELS:
        folder = Path("models", name.split("/")[1])
        folder.mkdir(parents=True)
        (folder / "config.json").write_text(json.dumps(MODEL_CONFIG))


# ---------------------------------------------------------------- from the file to the arguments


def flags():
    """The file as flags, by the release's own command."""
    command = importlib.import_module("swift.cli.main")
    if hasattr(command, "parse_yaml_args"):
        argv = [FILE]
        command.parse_yaml_args(argv)
    elif hasattr(command, "prepare_config_args"):
        argv = ["--config", FILE]
        command.prepare_config_args(argv)
    else:
        argv = flags_of_old()
    " ".join(argv)  # the command prints them joined, and fails here for items that are no text
    return argv


def flags_of_old():
    import yaml

    argv = []
    for key, value in yaml.safe_load(Path(FILE).read_text(encoding="utf-8")).items():
        argv.append(f"--{key}")
        argv += (
            [str(item) for item in value]
            if isinstance(value, list)
            else [json.dumps(value) if isinstance(value, dict) else str(value)]
        )
    return argv


def parse(cls, argv):
    """Parse arguments as every pipeline of swift does."""
    name = "swift.pipelines.base" if importlib.util.find_spec("swift.pipelines") else "swift.llm.base"
    pipeline = importlib.import_module(name).SwiftPipeline
    return pipeline._parse_args(types.SimpleNamespace(args_class=cls), argv)


def parse_faster():
    utilities = importlib.import_module("swift.utils.utils")
    utilities.HfArgumentParser = ParserOnce(utilities.HfArgumentParser)


# ---------------------------------------------------------------- the start of the trainer


ENGINE = ("prepare_vllm", "_prepare_vllm_engine")  # functions of Megatron's trainer that create an engine of their own


class Trainer:
    """The checks at the start of a trainer; the release decides which functions hold them."""

    def __init__(self, package, class_name, mixin_name):
        vllm_checks = {"is_vllm_available": lambda: True, "check_vllm_version_ge": vllm_is_at_least}
        folder = Path(importlib.util.find_spec("swift").origin).parent.joinpath(*package.split(".")[1:])
        trainer = Source(folder / "grpo_trainer.py", package)
        mixin = Source(folder / "rollout_mixin.py", package) if (folder / "rollout_mixin.py").exists() else trainer
        both = ((trainer, class_name), (mixin, mixin_name))
        self.prepare_rewards = trainer.take("_prepare_rewards", class_name)
        self.set_up_teacher = mixin.take("_setup_teacher", mixin_name)
        self.has_teacher_explicit = mixin.take("_has_teacher_explicit", mixin_name)  # Megatron's is no function
        self.source = trainer
        self.checks = [
            (function, check)
            for function in (
                "__init__",
                "_prepare_vllm",
                *ENGINE,
                "_prepare_rollout_engine",
                "_init_rollout_engine",
                "_prepare_scheduler",
            )
            for source, name in both
            if (function != "__init__" or source is trainer)
            and (check := checks_of(source, function, name, **vllm_checks))
        ]

    def start(self, args, training_args, verdict):
        stand_in = self.stand_in(args, training_args)
        models = [
            types.SimpleNamespace(config=types.SimpleNamespace(_name_or_path=name)) for name in reward_models(args)
        ]
        if self.prepare_rewards:
            wanted = self.prepare_rewards.__code__.co_argcount - 1
            templates = [types.SimpleNamespace(set_mode=lambda mode: None) for _ in models]
            self.prepare_rewards(stand_in, *[list(args.reward_funcs), models or None, templates or None][:wanted])
            refuse_unknown_rewards(stand_in)
        names = {"self": stand_in, "args": training_args, "kwargs": {"args": training_args}, "model": None, "reward_model": models or None,
                 "reward_funcs": list(args.reward_funcs)}  # fmt: skip
        shares = getattr(args, "vllm_mode", None) == "colocate"
        checks = [check for function, check in self.checks if shares or function not in ENGINE]
        skipped = [reason for check in checks for reason in check.run(names)]
        if os.environ.get("CONFORMANCE_TRACEBACKS"):
            verdict["skipped"] = skipped
        verdict["later"] = {"reward": error_of(first_rewards, stand_in)}

    def stand_in(self, args, training_args):
        import torch

        accelerator = types.SimpleNamespace(num_processes=pretended.processes, device=torch.device("cpu"), is_main_process=True,
                                            process_index=0)  # fmt: skip
        stand_in = types.SimpleNamespace(
            args=training_args,
            accelerator=accelerator,
            world_size=pretended.processes,
            device=accelerator.device,
            is_main_process=True,
            processing_class=None,
            template=None,
            is_deepspeed_enabled=False,
            is_fsdp_enabled=False,
            num_generations=args.num_generations,
            use_gym_env=bool(getattr(args, "use_gym_env", None)),
            use_vllm=args.use_vllm,
            vllm_mode=getattr(args, "vllm_mode", None),
            vllm_version_ge_0_10_2=True,
            vllm_tensor_parallel_size=getattr(args, "vllm_tensor_parallel_size", 1),
        )
        stand_in._has_teacher = self.has_teacher(args, stand_in)
        return stand_in

    def has_teacher(self, args, stand_in):
        """Whether a teacher was named, or the release's own code takes the run for one: since 4.4 the model may be its own."""
        teachers = ("teacher_model", "teacher_model_server", "_teacher_use_disable_adapter")
        if self.set_up_teacher is None or any(getattr(args, name, None) for name in teachers):
            return any(getattr(args, name, None) for name in teachers)
        if self.has_teacher_explicit is not None:
            stand_in._has_teacher_explicit = functools.partial(self.has_teacher_explicit, stand_in)
        self.set_up_teacher(stand_in)
        return stand_in._has_teacher


def reward_models(args):
    """The names of the reward models of `swift rlhf`; Megatron-SWIFT reads none."""
    named = getattr(args, "reward_model", None) or []
    return [named] if isinstance(named, str) else named


def vllm_is_at_least(oldest):
    """Whether the vLLM that a request states is new enough; without one, it is."""
    from packaging import version

    stated = os.environ.get("CONFORMANCE_VLLM")
    return stated is None or version.parse(stated) >= version.parse(oldest)


def first_rewards(trainer):
    """Reward a completion of three tokens with those functions of the release that need nothing else."""
    for function in trainer.reward_funcs:
        if type(function).__name__ == "SoftOverlong":
            function(["a completion"], response_token_ids=[[1, 2, 3]])


def error_of(function, *arguments):
    try:
        function(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def refuse_unknown_rewards(trainer):
    """Refuse an unknown reward function. Megatron-SWIFT 4.x keeps the name and calls it in the first rollout, which has
    the same effect."""
    unknown = [function for function in trainer.reward_funcs if isinstance(function, str)]
    if unknown:
        raise ValueError(f"reward_function {unknown[0]} is not implemented")


def plain(value):
    return getattr(value, "value", value)


def derive(verdict, *sources):
    for name in DERIVED:
        holder = next((source for source in sources if hasattr(source, name)), None)
        if holder is not None:
            verdict["derived"][name] = plain(getattr(holder, name))


# ---------------------------------------------------------------- ms-swift on transformers


def prepare_swift():
    stand_in_for_missing()
    cls = read_fields.swift_class()
    for name in ("_init_external_vllm", "_init_swanlab", "_add_version"):
        if hasattr(cls, name):
            setattr(cls, name, lambda self, *args, **options: None)
    old = importlib.util.find_spec("swift.rlhf_trainers") is None
    trainer = Trainer(
        "swift.trainers.rlhf_trainer" if old else "swift.rlhf_trainers", "GRPOTrainer", "RolloutTrainerMixin"
    )

    def ask(request, verdict):
        if pretended.processes > 1:
            enter_torchrun()
        args = parse(cls, flags())
        training_args = getattr(args, "training_args", args)
        derive(verdict, training_args, args)
        verdict["stage"] = "init"
        if args.rlhf_type == "grpo":
            trainer.start(args, training_args, verdict)

    return ask


def stand_in_for_missing():
    """Replace packages that only work at reward time or on a GPU; 4.0 to 4.2 import vLLM with the trainer."""
    needed = ["math_verify", "latex2sympy2_extended"] + ["vllm"] * (
        (4, 0) <= read_fields.release_of("ms-swift") <= (4, 2)
    )
    read_fields.stand_in_for(*(name for name in needed if not importlib.util.find_spec(name)))


# ---------------------------------------------------------------- Megatron-SWIFT


class Group:
    """Replaces a process group; this process is rank 0."""

    def __init__(self, ranks):
        self.ranks = list(ranks)

    def size(self):
        return len(self.ranks)

    def rank(self):
        return self.ranks.index(0) if 0 in self.ranks else 0


def pretend_process_groups():
    """Create groups without processes; every refusal comes before they would be used."""
    from torch import distributed

    def world(group):
        return group if isinstance(group, Group) else Group(range(pretended.processes))

    nothing = ("init_process_group", "destroy_process_group", "barrier", "broadcast_object_list", "all_reduce")
    for name in nothing:
        setattr(distributed, name, lambda *args, **options: None)
    distributed.is_available = distributed.is_initialized = lambda: True
    distributed.get_rank = lambda group=None: world(group).rank()
    distributed.get_world_size = lambda group=None: world(group).size()
    distributed.new_group = lambda ranks=None, *args, **options: Group(
        range(pretended.processes) if ranks is None else ranks
    )
    distributed.get_backend = lambda *args, **options: "nccl"
    distributed.get_process_group_ranks = lambda group: group.ranks


def prepare_megatron():
    stand_in_for_missing()
    cls = read_fields.megatron_class()
    pretend_process_groups()
    pretend_models_of_megatron()
    processes = ProcessGroups()
    trainer = Trainer("swift.megatron.trainers", "MegatronGRPOTrainer", "MegatronRolloutMixin")
    rollout = FirstRollout(trainer.source)
    later = LaterInMegatron(trainer.source)

    def ask(request, verdict):
        enter_torchrun()
        processes.forget()
        args = parse(cls, flags())
        derive(verdict, args)
        verdict["stage"] = "init"
        if hasattr(args, "init_model_args"):  # 3.x: the source of Megatron-LM's own arguments
            args.init_model_args(None, args.model_info.config)
        processes.make(args)
        if args.rlhf_type == "grpo":
            trainer.start(args, args, verdict)
            evaluates = not (
                getattr(args, "use_ray", False) and read_fields.release_of("ms-swift") >= (4, 3)
            )  # Ray drops validation sets
            verdict["later"].update(later.errors(args))
            verdict["late"] = {
                "rollout": rollout.error(args, training=True),
                "evaluation": (evaluates and rollout.error(args, training=False)) or None,
            }

    return ask


def pretend_models_of_megatron():
    """Skip the check of which models Megatron can train; `ProcessGroups` creates the process groups."""
    meta = types.SimpleNamespace(visual_cls=None, bridge_cls=None, is_multimodal=False)
    answers = {
        "swift.megatron.model": {"get_megatron_model_meta": meta},
        "swift.megatron.init": {"_patch_mcore_bridge": None},
        "mcore_bridge.model": {"get_mcore_model_type": "gpt", "get_model_meta": meta},
    }
    for module, functions in answers.items():
        for name, answer in functions.items():
            replace(module, name, lambda *args, answer=answer, **options: answer)
    replace(
        "swift.megatron.utils", "initialize_megatron", lambda args=None, **options: ProcessGroups.current.make(args)
    )
    with contextlib.suppress(ImportError):
        replace(
            "swift.megatron.utils",
            "convert_hf_config",
            importlib.import_module("swift.megatron.utils.config").convert_hf_config,
        )


def replace(module, name, value):
    """Replace a function where it is defined, and where it was imported."""
    setattr(importlib.import_module(module), name, value)
    everywhere(name, value)


class ProcessGroups:
    """Megatron's groups and, in 3.x, its arithmetic of micro batches; from 4.0 as swift's own function creates them."""

    current = None

    def __init__(self):
        from megatron.core import mpu, num_microbatches_calculator

        self.mpu, self.calculator = mpu, num_microbatches_calculator
        ProcessGroups.current = self
        path = Path(importlib.util.find_spec("swift").origin).parent / "megatron" / "utils" / "megatron_lm_utils.py"
        self.of_swift = self._of_swift(path) if path.exists() else None

    def _of_swift(self, path):
        source = Source(path, "swift.megatron.utils")
        import torch

        common = {"torch": torch, "mpu": self.mpu, "is_master": lambda: False, "logger": logging.getLogger(), "set_device": lambda: None,
                  "init_process_group": lambda *args, **options: None}  # fmt: skip
        timeout = source.take("_patch_megatron_timeout", **common)
        if timeout:
            common["_patch_megatron_timeout"] = contextlib.contextmanager(timeout)
        return source.take("_initialize_mpu", **common)

    def forget(self):
        with contextlib.suppress(Exception):
            self.mpu.destroy_model_parallel()
        self.calculator._GLOBAL_NUM_MICROBATCHES_CALCULATOR = None

    def make(self, args):
        if self.of_swift:
            self.of_swift(args)
        elif not self.mpu.model_parallel_is_initialized():
            self._make_as_megatron_lm(args)

    def _make_as_megatron_lm(self, args):
        args.rank, args.world_size = 0, pretended.processes
        self.mpu.initialize_model_parallel(
            args.tensor_model_parallel_size, args.pipeline_model_parallel_size,
            getattr(args, "virtual_pipeline_model_parallel_size", None), context_parallel_size=args.context_parallel_size,
            expert_model_parallel_size=args.expert_model_parallel_size,
            expert_tensor_parallel_size=args.expert_tensor_parallel_size,
        )  # fmt: skip
        args.data_parallel_size = self.mpu.get_data_parallel_world_size()
        self.calculator.init_num_microbatches_calculator(
            0, None, args.global_batch_size, args.micro_batch_size, args.data_parallel_size
        )


class FirstRollout:
    """The two functions of the trainer that cut a rollout into the shares of the ranks; they need only numbers."""

    def __init__(self, source):
        self.iterations = source.take(
            "get_num_iters_per_step", "MegatronGRPOTrainer", mpu=importlib.import_module("megatron.core").mpu
        )
        self.share = source.take("get_local_rollout_batch", "MegatronGRPOTrainer", deepcopy=lambda item: item)

    def error(self, args, training):
        if not self.iterations or not self.share:
            return None
        model_ranks = args.tensor_model_parallel_size * args.pipeline_model_parallel_size * args.context_parallel_size
        trainer = types.SimpleNamespace(
            unwrapped_models=[types.SimpleNamespace(training=training)], _get_rollout_group=lambda: Group(range(model_ranks)),
            generation_batch_size=args.generation_batch_size, global_batch_size=args.global_batch_size,
            micro_batch_size=args.micro_batch_size, steps_per_generation=args.steps_per_generation,
            per_device_generation_batch_size=args.per_device_generation_batch_size, num_generations=args.num_generations,
            num_generations_eval=getattr(args, "num_generations_eval", None) or args.num_generations,
        )  # fmt: skip
        try:
            self.share(trainer, list(range(self.iterations(trainer) * args.micro_batch_size)))
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return None


class LaterInMegatron:
    """The schedule, which is created after the model, and the log-probabilities of the reference model in the first
    step."""

    def __init__(self, source):
        folder = Path(importlib.util.find_spec("swift").origin).parent / "megatron" / "utils"
        utilities = folder / "megatron_lm_utils.py"
        schedule = Source(utilities, "swift.megatron.utils") if utilities.exists() else None  # 3.x: in Megatron-LM
        self.schedule = schedule and schedule.take(
            "get_optimizer_param_scheduler", OptimizerParamScheduler=lambda *args, **options: None
        )
        self.reference = checks_of(source, "_maybe_compute_logps", "MegatronGRPOTrainer")

    def errors(self, args):
        told = {}
        if self.schedule:
            args.init_iters([{}] * 64, None)
            told["length"] = error_of(self.schedule, args, None)
        if self.reference:
            chunks = getattr(args, "virtual_pipeline_model_parallel_size", None) or getattr(
                args, "num_virtual_stages_per_pipeline_rank", None
            )
            trainer = types.SimpleNamespace(beta=args.beta)
            told["reference"] = error_of(self.reference.run, {"self": trainer, "ref_models": [None] * (chunks or 1)})
        return told


# ---------------------------------------------------------------- all

PREPARATIONS = {"swift": prepare_swift, "megatron": prepare_megatron}


def prepare(dialect):
    importlib.metadata.version = functools.cache(importlib.metadata.version)  # called thousands of times
    pretend_gpu()
    make_models()
    ask = PREPARATIONS[dialect]()
    pretend_surroundings()
    parse_faster()

    def ask_about(request, verdict):
        pretend_launch(request)
        text = request["text"]
        for name in MODELS:
            text = text.replace(name, f"models/{name.split('/')[1]}")
        Path(FILE).write_text(text, encoding="utf-8")
        ask(request, verdict)

    return ask_about


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dialect", choices=PREPARATIONS)
    serve(functools.partial(prepare, parser.parse_args().dialect))


if __name__ == "__main__":
    main()
