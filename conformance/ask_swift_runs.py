"""Answer what becomes of one run of ms-swift after the other: `rlhf_main` as it is, with a model of 1,500 parameters, on the CPU.

    PYTHON ask_swift_runs.py PLUGIN MODEL DATA < REQUESTS > ANSWERS

A request is {"id", "settings"} in JSON, a line each, and an answer {"id", "error_type", "error", "stage"}; all but the first are null where the run goes through. Each
run is a process of its own, made from one that has imported the framework already. Nothing is pretended but rewards that need no package.
"""

import json
import os
import signal
import sys
import tempfile

LIMIT = 90  # seconds of a run, which takes three alone


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
            kind, text = type(error).__name__, str(error)[:300]
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
    plugin, model, data = map(os.path.abspath, sys.argv[1:4])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        import swift.rlhf_trainers.grpo_trainer
        from swift import rlhf_main
    except ImportError:
        import swift.trainers.rlhf_trainer.grpo_trainer  # noqa: F401
        from swift.llm import rlhf_main  # noqa: F401
    known = {"MODEL": model, "DATA": data, "PLUGIN": plugin}
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
