"""Answer what becomes of one run of ms-swift after the other: `rlhf_main` as it is, with a model of 1,672 parameters, on the CPU.

    PYTHON ask_swift_runs.py FOLDER < REQUESTS > ANSWERS

Model, data and a plugin with a reward are made in FOLDER; in settings they are MODEL, DATA and PLUGIN. A request is {"id", "settings"} in JSON, a line each, and an answer {"id", "error_type", "error", "stage"}; all but the first are null where the run goes through. Each
run is a process of its own, made from one that has imported the framework already. Nothing is pretended but rewards that need no package.
"""

import importlib.machinery
import importlib.util
import json
import os
import signal
import sys
import tempfile
import types
from pathlib import Path

LIMIT = 90  # seconds of a run, which takes three alone


WORDS = (
    "<|endoftext|> <|im_start|> <|im_end|> <unk> user assistant system What is one two three + ? . You are a helpful"
)
PLUGIN = """
try:
    from swift.rewards import ORM, orms
except ImportError:
    from swift.plugin import ORM, orms


class Length(ORM):
    def __call__(self, completions, **columns):
        return [float(len(each)) for each in completions]


orms["length"] = Length
"""


def made_in(folder):
    """{word of the settings: path} of a model of 1,672 random parameters, of twelve prompts and of a plugin, made in a folder."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

    torch.manual_seed(0)
    words = {word: number for number, word in enumerate(WORDS.split())}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    special = {
        "pad_token": "<|endoftext|>",
        "eos_token": "<|im_end|>",
        "unk_token": "<unk>",
        "additional_special_tokens": ["<|im_start|>"],
    }
    sizes = {
        "hidden_size": 8,
        "intermediate_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
    }
    marks = {"pad_token_id": 0, "eos_token_id": 2, "bos_token_id": 0, "max_position_embeddings": 512}
    Qwen2ForCausalLM(Qwen2Config(vocab_size=len(words), **sizes, **marks)).save_pretrained(folder / "model")
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_input_names=["input_ids", "attention_mask"], **special
    ).save_pretrained(folder / "model")
    rows = [
        {"messages": [{"role": "user", "content": f"What is one + {word} ?"}], "solution": word}
        for word in ("one", "two", "three") * 4
    ]
    (folder / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "plugin.py").write_text(PLUGIN)
    return {
        word: str(folder / name) for word, name in (("MODEL", "model"), ("DATA", "data.jsonl"), ("PLUGIN", "plugin.py"))
    }


def words_of(settings):
    """The flags of a run, in the words that the release's own reading of a config makes of a value."""
    words = []
    for key, value in settings.items():
        words.append("--" + key)
        if isinstance(value, list):
            words += [str(each) for each in value]
        else:
            words.append(json.dumps(value) if isinstance(value, (dict, bool)) or value is None else str(value))
    return words


def run(settings):
    """Train; what ends the run comes out as it is."""
    try:
        from swift import rlhf_main
    except ImportError:
        from swift.llm import rlhf_main
    rlhf_main(words_of(settings))


def stage_of(error):
    """How far a run came that ended in an error: its training, its trainer, or its arguments."""
    names, trace = set(), error.__traceback__
    while trace is not None:
        names.add(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    return "run" if "_inner_training_loop" in names else "config" if "parse_args" in names else "init"


def verdict_of(settings, place):
    """(type, text, stage) of what ended a run that is made in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.chdir(place)
        quiet = os.open("/dev/null", os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        signal.alarm(LIMIT)
        kind = text = stage = None
        try:
            run(settings)
        except BaseException as error:
            kind, text = type(error).__name__, str(error).replace(place, ".")[:300]
            stage = stage_of(error)
        os.write(writing, json.dumps([kind, text, stage]).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return json.loads(told) if told else ("Killed", "the run was ended from outside", "run")


def main():
    os.environ.update(HF_HUB_OFFLINE="1", CUDA_VISIBLE_DEVICES="", OMP_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false")
    known = made_in(Path(sys.argv[1]).resolve())
    if (
        importlib.util.find_spec("math_verify") is None
    ):  # which a class of older releases asks for, and no run here uses
        pretended = types.ModuleType("math_verify")
        pretended.__spec__ = importlib.machinery.ModuleSpec("math_verify", None)
        sys.modules["math_verify"] = pretended
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        import swift.rlhf_trainers.grpo_trainer
        from swift import rlhf_main
    except ImportError:
        import swift.trainers.rlhf_trainer.grpo_trainer  # noqa: F401
        from swift.llm import rlhf_main  # noqa: F401
    for line in sys.stdin:
        request = json.loads(line)
        settings = {
            key: known.get(value, value) if isinstance(value, str) else value
            for key, value in request["settings"].items()
        }
        with tempfile.TemporaryDirectory() as place:
            kind, text, stage = verdict_of(settings, place)
        print(
            json.dumps({"id": request["id"], "error_type": kind, "error": text, "stage": stage}),
            file=answers,
            flush=True,
        )


if __name__ == "__main__":
    main()
