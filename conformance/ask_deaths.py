"""Run TRL's own training script on conditions, one at a time: run inside an environment of environments.py.

    ENVIRONMENT/bin/python conformance/ask_deaths.py FOLDER < conditions > verdicts

An input line is {"name", "settings"}, an output line the same with "verdict": "runs", "dies", "unknown" (the release
has no such key), "network" (it tried to connect), "absent" (a package or a device is missing here) or "late" (no answer
in time). A death also has `stage` and `text`, a run `steps` and whether its weights are `finite`. Real are the script,
its parser, the config, the trainer, the model, and two updates on the CPU. The model has a few thousand random
parameters and is created in FOLDER, as are data set and reward. Each condition runs in a process of its own.
"""

import json
import os
import re
import runpy
import select
import shutil
import signal
import sys
import time
from importlib import metadata
from pathlib import Path

SECONDS = 90
ALGORITHM = "GRPO"
BASE = {
    "output_dir": "out",
    "model_name_or_path": "model",
    "dataset_name": "data",
    "per_device_train_batch_size": 2,
    "num_generations": 2,
    "gradient_accumulation_steps": 1,
    "max_completion_length": 6,
    "max_steps": 2,
    "logging_steps": 1,
    "bf16": False,
    "use_cpu": True,
    "report_to": "none",
    "save_strategy": "no",
    "disable_tqdm": True,
}
REWARDS = """
def length(completions, **columns):
    return [float(len(completion)) for completion in completions]
"""
# packages and devices that are not on this machine: no verdict about the condition
ABSENT = re.compile(
    "^ImportError|^PackageNotFoundError|not compiled with CUDA|requires Ampere|requires .* to be installed|^ValueError: Please install|"
    "adamw_apex_fused is not|group has not been initialized|is not installed!|only be used with a GPU|only works in distributed training|"
    "no available devices found|have an MPS-enabled device"
)
OFFLINE = ("outgoing traffic", "Connection", "LocalEntryNotFound", "offline", "couldn't connect", "Couldn't reach")


class Phase:
    """The phase that a run has reached."""

    stage = "read"
    trainer = None


def reward_of(version):
    """The reward of a run: the script of 0.18 has reward_funcs, and fails without a model beside them."""
    early = tuple(map(int, version.split(".")[:2])) < (0, 19)
    return {"reward_model_name_or_path": "reward"} if early else {"reward_funcs": ["rewards.length"]}


def make_folder():
    """Create the model, the data set and the reward in the working directory."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import (
        GPT2Config,
        GPT2LMHeadModel,
        PreTrainedTokenizerFast,
        Qwen2Config,
        Qwen2ForCausalLM,
        Qwen2ForSequenceClassification,
    )

    torch.manual_seed(0)
    words = {word: number for number, word in enumerate("<pad> <eos> <unk> What is one two three + ?".split())}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>",
                                   model_input_names=["input_ids", "attention_mask"])  # fmt: skip
    sizes = {
        "hidden_size": 8,
        "intermediate_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
    }
    config = Qwen2Config(vocab_size=len(words), pad_token_id=0, eos_token_id=1, bos_token_id=1, **sizes)
    Qwen2ForCausalLM(config).save_pretrained("model")
    config.num_labels = 1
    Qwen2ForSequenceClassification(config).save_pretrained("reward")
    # its positions are learnt, so that there are no more than these
    narrow = GPT2Config(
        vocab_size=len(words), n_positions=12, n_embd=8, n_layer=1, n_head=2, bos_token_id=1, eos_token_id=1
    )
    GPT2LMHeadModel(narrow).save_pretrained("narrow")
    for folder in ("model", "reward", "narrow"):
        fast.save_pretrained(folder)
    Path("rewards.py").write_text(REWARDS)
    Path("data").mkdir(exist_ok=True)
    for split, rows in (("train", 32), ("test", 4)):
        lines = [
            json.dumps({"prompt": f"What is one + {'two' if row % 2 else 'three'} ?"}) + "\n" for row in range(rows)
        ]
        Path("data", f"{split}.jsonl").write_text("".join(lines))


def of_algorithm(kind):
    """The class of TRL for a kind, by its algorithm."""
    import trl

    return getattr(trl, ALGORITHM + kind)


def watch():
    """Record the phases of a run. Modules imported here need not be imported again by each run."""
    import datasets
    import torch
    import transformers  # noqa: F401

    torch.set_num_threads(1)
    datasets.disable_progress_bars()
    trainer, config = of_algorithm("Trainer"), of_algorithm("Config")

    def noting(owner, name, before, after):
        original = getattr(owner, name)

        def noted(self, *arguments, **options):
            Phase.stage = before
            if name == "__init__" and owner is trainer:
                Phase.trainer = self
            result = original(self, *arguments, **options)
            Phase.stage = after
            return result

        setattr(owner, name, noted)

    noting(config, "__post_init__", "config", "init")
    noting(trainer, "__init__", "init", "init")
    noting(trainer, "train", "run", "run")


def fields():
    """All keys that the script reads."""
    import dataclasses

    import trl

    script = __import__("trl.scripts.grpo", fromlist=["grpo"])
    classes = [getattr(script, f"{ALGORITHM}ScriptArguments"), of_algorithm("Config"), trl.ModelConfig]
    if hasattr(trl, "DatasetMixtureConfig"):
        classes.append(trl.DatasetMixtureConfig)
    return {field.name for each in classes for field in dataclasses.fields(each)}


def run(settings):
    """The verdict about a run with these settings."""
    import yaml

    with open("config.yaml", "w", encoding="utf-8") as file:
        yaml.safe_dump(settings, file)
    shutil.rmtree("out", ignore_errors=True)
    sys.argv = ["grpo.py", "--config", "config.yaml"]
    try:
        runpy.run_module("trl.scripts.grpo", run_name="__main__")
    except (Exception, SystemExit) as error:
        text = f"{type(error).__name__}: {error}"
        if os.environ.get("CONFORMANCE_TRACEBACKS"):
            import traceback

            traceback.print_exc()
        if any(word in text for word in OFFLINE):
            return {"verdict": "network", "text": text[:300]}
        if ABSENT.search(text):
            return {"verdict": "absent", "text": text[:300]}
        return {"verdict": "dies", "stage": Phase.stage, "text": " ".join(text.split())[:300]}
    import torch

    weights = Phase.trainer.model.parameters()
    finite = all(bool(torch.isfinite(weight).all()) for weight in weights)
    return {"verdict": "runs", "steps": Phase.trainer.state.global_step, "finite": finite}


def in_a_process_of_its_own(settings, folder):
    """The verdict of `run`, computed in a child process that may hang or crash."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.setsid()
        if not os.environ.get("CONFORMANCE_TRACEBACKS"):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
        log = os.open(str(folder / "log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(2 if os.environ.get("CONFORMANCE_TRACEBACKS") else log, 2)
        verdict = run(settings)
        os.write(writing, json.dumps(verdict).encode())
        os._exit(0)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], SECONDS)
    told = os.read(reading, 1 << 16) if ready else b""
    os.close(reading)
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        pass
    _, status = os.waitpid(child, 0)
    if told:
        return json.loads(told)
    if ready:
        return {"verdict": "dies", "stage": "run", "text": f"the process ended with status {status}"}
    return {"verdict": "late"}


def main():
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_HOME=str(folder / "home"), TOKENIZERS_PARALLELISM="false",
                      TRL_EXPERIMENTAL_SILENCE="1", OMP_NUM_THREADS="1")  # fmt: skip
    sys.path.insert(0, str(folder))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    make_folder()
    watch()
    known = fields()
    reward = reward_of(metadata.version("trl"))
    for line in sys.stdin:
        condition = json.loads(line)
        settings = {**BASE, **reward, **condition["settings"]}
        settings = {name: value for name, value in settings.items() if value != "<absent>"}
        started = time.monotonic()
        if condition["settings"].keys() - known:
            verdict = {"verdict": "unknown"}
        else:
            verdict = in_a_process_of_its_own(settings, folder)
        if os.environ.get("CONFORMANCE_TIMES"):
            verdict["seconds"] = round(time.monotonic() - started, 1)
        answers.write(json.dumps({"name": condition["name"], **verdict}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
