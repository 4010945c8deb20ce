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
import sys
import textwrap
import types

import yaml
from asking import ParserOnce, serve

DERIVED = (
    "generation_batch_size", "steps_per_generation", "num_generations", "num_generations_eval", "num_iterations",
    "per_device_train_batch_size", "per_device_eval_batch_size", "gradient_accumulation_steps", "max_steps", "eval_strategy",
)
FILE = "config.yaml"
pretended = types.SimpleNamespace(processes=1)


class Launched(Exception):
    """The `trl` command got as far as starting the workers."""


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
    return next(argument for argument in seen if hasattr(argument, "num_generations"))


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
    guard = next(node for node in ast.parse(inspect.getsource(module)).body
                 if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test))
    return module, compile(ast.Module(guard.body, []), module.__file__, "exec")


@functools.cache
def parsers(algorithm):
    return ParserOnce(training_script(algorithm)[0].make_parser)


# ---------------------------------------------------------------- batch checks in the trainer

def refuses_groups(statement):
    """Whether a statement refuses a group size, as `if self.num_generations not in possible_values: raise` does."""
    return any(
        isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise) and "num_generations" in ast.unparse(node.test)
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
        statement for statement in body
        if statement in checks or (isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) in needed - {"args"})
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


if __name__ == "__main__":
    serve(prepare)
