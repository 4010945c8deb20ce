"""Ask the installed TRL about configs: run inside an environment of environments.py, see asking.py for the protocol.

    ENVIRONMENT/bin/python conformance/ask_trl.py < requests > verdicts

    loader kwargs   the config class gets the keys as keyword arguments
    loader script   the file goes through the `__main__` block of the installed training script: its parser, its
                    treatment of unknown keys
    loader cli      the file goes through the installed `trl` command up to `accelerate launch`, then through the script

Real: parsing, the config classes, and for 0.15 - 0.17 the batch checks at the start of the trainer, taken from the
installed source. Pretended: the number of processes, and that the GPU can do bf16 and tf32.
"""

import ast
import functools
import importlib
import inspect
import os
import sys
import textwrap
import traceback
import types

import read_fields
import yaml
from asking import ParserOnce, serve

DERIVED = (
    "generation_batch_size",
    "steps_per_generation",
    "num_generations",
    "num_generations_eval",
    "num_iterations",
    "per_device_train_batch_size",
    "per_device_eval_batch_size",
    "gradient_accumulation_steps",
    "max_steps",
    "eval_strategy",
)
FILE = "config.yaml"
# what the hub, a process group, or the model itself decides
OF_THE_MODEL = {**dict.fromkeys(("log_completions_hub_repo", "router_aux_loss_coef", "model_init_kwargs", "lora_target_modules")),
                "tp_size": 0}  # fmt: skip
ENGINES = ("LLM", "SamplingParams", "VLLMClient", "GuidedDecodingParams", "StructuredOutputsParams")
pretended = types.SimpleNamespace(processes=1)


class Launched(Exception):
    """The `trl` command reached the start of the workers."""


def launch_nothing(args):
    raise Launched


def pretend():
    import accelerate
    import accelerate.commands.launch
    import transformers.training_args as training_args

    training_args.TrainingArguments.world_size = property(lambda self: pretended.processes)
    accelerate.Accelerator.num_processes = property(lambda self: pretended.processes)
    for probe in ("is_torch_bf16_gpu_available", "is_torch_bf16_cpu_available", "is_torch_tf32_available"):
        if hasattr(training_args, probe):
            setattr(training_args, probe, lambda *args, **options: True)
    if hasattr(training_args, "enable_tf32"):
        training_args.enable_tf32 = lambda *args, **options: None
    accelerate.commands.launch.launch_command = launch_nothing  # before trl imports it


# ---------------------------------------------------------------- the three ways in


def from_keywords(algorithm):
    import trl

    with open(FILE, encoding="utf-8") as file:
        keywords = yaml.safe_load(file)
    return getattr(trl, f"{algorithm.upper()}Config")(**keywords)


def from_script(algorithm):
    """Run what `python trl/scripts/grpo.py --config FILE` runs, up to the call of its main()."""
    module, block = training_script(algorithm)
    seen = []
    namespace = {**vars(module), "make_parser": parsers(algorithm), "main": lambda *arguments: seen.extend(arguments)}
    sys.argv = ["script.py", "--config", FILE]
    exec(block, namespace)
    pretended.parsed = seen
    return part("num_generations")


def part(name):
    """The parsed argument class that has a field."""
    return next((argument for argument in pretended.parsed if hasattr(argument, name)), None)


def from_command(algorithm):
    command = importlib.import_module("trl.cli")
    processes, pretended.processes = pretended.processes, 1  # the command itself runs as one process
    sys.argv = ["trl", algorithm, "--config", FILE]
    try:
        (command.main if hasattr(command, "main") else importlib.import_module("trl.cli.main").main)()
    except Launched:
        pass
    pretended.processes = processes
    return from_script(algorithm)


LOADERS = {"kwargs": from_keywords, "script": from_script, "cli": from_command}


@functools.cache
def training_script(algorithm):
    """The module of the script, and its compiled `if __name__ == "__main__"` block."""
    module = importlib.import_module(f"trl.scripts.{algorithm}")
    guard = next(
        node
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test)
    )
    return module, compile(ast.Module(guard.body, []), module.__file__, "exec")


@functools.cache
def parsers(algorithm):
    return ParserOnce(training_script(algorithm)[0].make_parser)


# ---------------------------------------------------------------- batch checks in the trainer


def refuses_groups(statement):
    """Whether a statement refuses a group size, as `if self.num_generations not in possible_values: raise` does."""
    return any(
        isinstance(node, ast.If)
        and isinstance(node.body[-1], ast.Raise)
        and "num_generations" in ast.unparse(node.test)
        for node in ast.walk(statement)
    )


@functools.cache
def trainer_checks():
    """The batch checks of GRPOTrainer.__init__ as a function of (self, args); None where the config class has them."""
    import trl

    body = ast.parse(textwrap.dedent(inspect.getsource(trl.GRPOTrainer.__init__))).body[0].body
    checks = [statement for statement in body if isinstance(statement, ast.If) and refuses_groups(statement)]
    if hasattr(trl.GRPOConfig, "generation_batch_size") or not checks:
        return None
    needed = {node.id for check in checks for node in ast.walk(check) if isinstance(node, ast.Name)}
    needed |= {"num_processes", "effective_batch_size", "global_batch_size"}
    function = ast.parse("def checks(self, args): pass").body[0]
    function.body = [
        statement
        for statement in body
        if statement in checks
        or (isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) in needed - {"args"})
    ]
    namespace = vars(sys.modules[trl.GRPOTrainer.__module__]).copy()
    exec(compile(ast.fix_missing_locations(ast.Module([function], [])), "<trainer>", "exec"), namespace)
    return namespace["checks"]


def start_trainer(config):
    checks = trainer_checks()
    if checks:
        accelerator = types.SimpleNamespace(num_processes=pretended.processes)
        trainer = types.SimpleNamespace(accelerator=accelerator, args=config, num_generations=config.num_generations)
        checks(trainer, config)


# ---------------------------------------------------------------- the trainer itself


class Anything:
    """Replaces an engine or a client that would need a GPU or a server."""

    def __init__(self, *args, **options):
        pass

    def __call__(self, *args, **options):
        return self

    def __getitem__(self, key):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self


class Splits(dict):
    """A data set that has every split."""

    def __init__(self, streams):
        from datasets import Dataset

        rows = Dataset.from_dict({"prompt": [f"What is {number} + 1?" for number in range(64)]})
        self.rows = rows.to_iterable_dataset() if streams else rows

    def __missing__(self, split):
        return self.rows


@functools.cache
def small_model():
    """The folder of a model of a few thousand parameters, with its tokenizer."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

    words = {"<pad>": 0, "<eos>": 1, "<unk>": 2, "What": 3}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>"
    ).save_pretrained("model")
    sizes = {
        "hidden_size": 8,
        "intermediate_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
    }
    Qwen2ForCausalLM(Qwen2Config(vocab_size=8, pad_token_id=0, eos_token_id=1, **sizes)).save_pretrained("model")
    return os.path.abspath("model")


@functools.cache
def pretend_engines():
    """Pretend that vLLM and Liger are installed; nothing is started."""
    import accelerate.state
    import torch
    import transformers.trainer

    accelerate.state.is_bf16_available = lambda *args: True
    read_fields.stand_in_for("liger_kernel", "vllm")
    liger = {
        "liger_kernel.transformers": ("_apply_liger_kernel_to_instance",),
        "liger_kernel.chunked_loss": ("LigerFusedLinearGRPOLoss",),
    }
    for module, names in {**liger, "vllm": ENGINES}.items():
        for name in names:
            setattr(importlib.import_module(module), name, Anything)
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("trl.") or module is transformers.trainer:
            for name in ("is_vllm_available", "is_liger_kernel_available"):
                if name in vars(module):
                    setattr(module, name, lambda *args, **options: True)
            if "is_vllm_available" in vars(module):
                for name in ENGINES:
                    setattr(module, name, Anything)
            if "is_liger_kernel_available" in vars(module):
                module.LigerFusedLinearGRPOLoss = Anything
    torch.cuda.current_device, torch.cuda.device_count = lambda: 0, lambda: 1024
    torch.distributed.new_subgroups_by_enumeration = lambda *args, **options: (None, [])


class Made(Exception):
    """The training script reached the creation of a trainer."""


def start_whole_trainer(config, algorithm):
    """Run the `main` of the training script up to its trainer, and create that with a small model and stand-ins for
    rewards."""
    import accelerate

    pretend_engines()
    config.fp16 = config.bf16 = False  # there is no GPU
    config._n_gpu = 1  # each process has one device, however many `pretend_engines` reports to torch
    for name in ("ACCELERATE_MIXED_PRECISION", "ACCELERATE_USE_TP", "TP_SIZE"):
        os.environ.pop(name, None)
    accelerate.state.AcceleratorState._reset_state()
    for name, value in OF_THE_MODEL.items():
        for arguments in pretended.parsed:
            if hasattr(arguments, name):
                setattr(arguments, name, value)
    script = script_without_downloads(algorithm)
    try:
        script.main(*pretended.parsed)
    except Made:
        pass


@functools.cache
def script_without_downloads(algorithm):
    """The module of the training script, with stand-ins for data sets, for models, and for the code that rewards name."""
    import datasets
    import transformers
    import trl

    script, _ = training_script(algorithm)
    trainer = f"{algorithm.upper()}Trainer"
    real = getattr(trl, trainer)

    def make_trainer(*, model, reward_funcs, args, train_dataset, eval_dataset, peft_config, **others):
        if hasattr(args, "model_init_kwargs"):  # the type of the small model is set here
            given = args.model_init_kwargs or {}
            args.model_init_kwargs = {name: given[name] for name in ("dtype", "torch_dtype") if name in given} or None
        rewards = [lambda completions, **columns: [0.0] * len(completions) for _ in reward_funcs]
        real(
            model=model and small_model(),
            reward_funcs=rewards,
            args=args,
            train_dataset=train_dataset,
            eval_dataset=eval_dataset,
            peft_config=peft_config,
        )
        raise Made

    def load_dataset(path, *names, streaming=False, split=None, **others):
        os.fspath(path)  # the real function does this first
        splits = Splits(streaming)
        return splits[split] if split else splits

    anything = types.SimpleNamespace(from_pretrained=Anything, import_module=Anything)
    script.importlib = anything
    automatic = ("AutoModelForCausalLM", "AutoModelForSequenceClassification", "AutoTokenizer")
    instead = {trl: {trainer: make_trainer, "get_quantization_config": lambda model: None},
               datasets: {"load_dataset": load_dataset},
               transformers: dict.fromkeys(automatic, anything)}  # fmt: skip
    for module, names in instead.items():
        for name, stand_in in names.items():
            setattr(module, name, stand_in)
            if hasattr(script, name):  # older scripts import at their top
                setattr(script, name, stand_in)
    return script


# ---------------------------------------------------------------- all


def plain(value):
    return getattr(value, "value", value)


def prepare():
    pretend()
    import trl  # noqa: F401  (now, not in the first request)

    return ask


def ask(request, verdict):
    pretended.processes = request["world_size"]
    with open(FILE, "w", encoding="utf-8") as file:
        file.write(request["text"])
    config = LOADERS[request["loader"]](request["algorithm"])
    verdict["derived"] = {name: plain(getattr(config, name)) for name in DERIVED if hasattr(config, name)}
    if request["algorithm"] == "grpo":
        verdict["stage"] = "init"
        start_trainer(config)
    if request.get("trainer"):
        verdict["late"] = {"trainer": error_of_whole_trainer(config, request["algorithm"])}


def error_of_whole_trainer(config, algorithm):
    try:
        start_whole_trainer(config, algorithm)
    except Exception as error:
        if os.environ.get("CONFORMANCE_TRACEBACKS"):
            traceback.print_exc()
        return f"{type(error).__name__}: {error}"
    return None


if __name__ == "__main__":
    serve(prepare)
