"""What a start of grpo-lint takes, in numbers that no other work on the machine changes: counted, not measured.

    python benchmarks/counted.py                            # the numbers of now, beside those that are recorded
    python benchmarks/counted.py --update                   # record those that are lower
    python benchmarks/counted.py --update --reason "..."    # record those that are higher, too, and why they have to be

For each of seven starts, and of the modules of grpo-lint alone:

    modules    how many are imported
    bytes      of their code as `marshal` writes it, with constants and tables of lines, without the names of files
    calls      of functions (bodies of modules and classes, comprehensions and generators that go on count too), as `sys.setprofile` sees them

The numbers are those of CPython 3.11, whatever the folder, the kind of installation, and whether bytecode is cached. They are recorded in
counted.json beside this file, with those of the commit that they started from (of the two runs over fifty files those of 28 and 29 November
2026: over the stated ones that commit made 33,679 calls and had 1,360,039 bytes). `tests/test_counted.py` compares: a number may be
lower than recorded, or higher by SLACK, since patch releases of Python compile a little differently. A number that is recorded as higher
than at first needs a reason in the file, and all that was raised together may not be more than MOST_RAISED of what it was.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

RECORD = Path(__file__).with_name("counted.json")
MEASURES = ("modules", "bytes", "calls")
SLACK = {"modules": 0.0, "bytes": 0.005, "calls": 0.005}
MOST_RAISED = 0.10

SETTINGS = """\
model_name_or_path: Qwen/Qwen2.5-0.5B
output_dir: out
learning_rate: 1e-6
num_generations: 8
per_device_train_batch_size: {batch}
gradient_accumulation_steps: 4
max_completion_length: 512
"""
STATED = "# grpo-lint: dialect=trl version=1.16.0 world-size={processes}\n"
VERL = """\
set -x
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    data.train_batch_size=1024 \\
    data.max_prompt_length=512 \\
    data.max_response_length=1024 \\
    actor_rollout_ref.model.path=Qwen/Qwen2.5-0.5B \\
    actor_rollout_ref.actor.optim.lr=1e-6 \\
    actor_rollout_ref.actor.ppo_mini_batch_size=256 \\
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8 \\
    actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.rollout.n=5 \\
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8 \\
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=8 \\
    trainer.n_gpus_per_node=8 \\
    trainer.nnodes=1
"""
MORE = "warmup_steps: 50\nseed: {number}\nreward_funcs:\n  - accuracy\n  - format\n"  # what transformers declares is asked otherwise
FIFTY = {
    f"{number}.yaml": STATED.format(processes=8) + SETTINGS.format(batch=8 * number) + MORE.format(number=number)
    for number in range(1, 51)
}
# What is checked: ({name of a file: its text}, exit status).
STARTS = {
    "clean stated": ({"config.yaml": STATED.format(processes=8) + SETTINGS.format(batch=8)}, 0),
    "clean unstated": ({"config.yaml": SETTINGS.format(batch=8)}, 0),
    "one failing": ({"config.yaml": STATED.format(processes=7) + SETTINGS.format(batch=1)}, 1),
    "a verl script": ({"train.sh": VERL}, 0),
    "nothing of ours": ({"compose.yaml": "services:\n  web:\n    image: nginx\n    ports: ['80:80']\n"}, 0),
    "fifty clean files": (FIFTY, 0),
    "fifty unstated files": ({name: text.partition("\n")[2] for name, text in FIFTY.items()}, 0),
}
PROBE = '''
import json, marshal, sys

package = sys.argv.pop(1)
calls = 0


def count(frame, event, _):
    global calls
    calls += event == "call" and frame.f_code.co_filename.startswith(package)


def size(code):
    """The bytes of a code object and of those in it. Format 2 refers to nothing twice, so that they do not hang on who else holds a constant."""
    inner = [each for each in code.co_consts if type(each) is type(code)]
    consts = tuple(None if type(each) is type(code) else each for each in code.co_consts)
    return len(marshal.dumps(code.replace(co_filename="", co_consts=consts), 2)) + sum(map(size, inner))


sys.setprofile(count)
from grpo_lint.cli.start import obey

status = obey(sys.argv[1:])
sys.setprofile(None)
ours = [module for name, module in sys.modules.items() if name.partition(".")[0] == "grpo_lint"]
numbers = {"modules": len(ours), "bytes": sum(size(each.__spec__.loader.get_code(each.__name__)) for each in ours), "calls": calls}
assert not hasattr(sys.modules.get("yaml"), "__file__"), "PyYAML was loaded, which takes as long as a third of a check"
print(json.dumps([status, numbers]), file=sys.stderr)
'''


def counted(start, folder):
    """{measure: number} of a start; `folder` is an empty one to check its files in."""
    files, status = STARTS[start]
    (folder / ".git").mkdir()  # what lies around it has no say
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    package, library = (Path(find_spec(each).origin).parent for each in ("grpo_lint", "yaml"))
    environment = {"PYTHONPATH": os.pathsep.join(str(each.parent) for each in (package, library))}
    environment |= {
        "PYTHONHASHSEED": "0",
        "LANG": "C.UTF-8",
        "COLUMNS": "100",
        "XDG_CONFIG_HOME": os.devnull,
        "HOME": os.devnull,
    }
    ended = subprocess.run(
        [sys.executable, "-P", "-s", "-S", "-c", PROBE, f"{package}{os.sep}", "check", *files],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    ended_with, numbers = json.loads(ended.stderr.splitlines()[-1])
    assert ended_with == status, f"{start}: exit status {ended_with}, not {status}: {ended.stdout}"
    return numbers


def all_counted():
    """{start: {measure: number}} of now."""
    found = {}
    for start in STARTS:
        with tempfile.TemporaryDirectory() as folder:
            found[start] = counted(start, Path(folder))
    return found


def is_raised(measure, recorded, now):
    """Whether a number is higher than it may be."""
    return now - recorded > recorded * SLACK[measure]


def problems(record, now):
    """What speaks against the numbers of now, and against the record; a text for each."""
    for start, numbers in now.items():
        for measure, number in numbers.items():
            recorded = record["recorded"][start][measure]
            if is_raised(measure, recorded, number):
                yield f"{start}: {number:,} {measure}, not {recorded:,}"
    for start, numbers in record["recorded"].items():
        for measure, number in numbers.items():
            first = record["first"][start][measure]
            if number > first and not record["reasons"].get(f"{start}: {measure}"):
                yield f"{start}: {number:,} {measure} are recorded, {first:,} at first, and no reason"
    for measure in MEASURES:
        first = sum(numbers[measure] for numbers in record["first"].values())
        raised = sum(max(0, record["recorded"][start][measure] - record["first"][start][measure]) for start in STARTS)
        if raised > MOST_RAISED * first:
            yield f"{measure}: {raised / first:.1%} more than at {record['commit']}, in sum, and {MOST_RAISED:.0%} are allowed"


def updated(record, now, reason):
    """The record with the numbers that are lower, and with a reason also those that are higher."""
    changed = json.loads(json.dumps(record))
    for start, numbers in now.items():
        for measure, number in numbers.items():
            recorded, first = record["recorded"][start][measure], record["first"][start][measure]
            if number > recorded and not (reason and is_raised(measure, recorded, number)):
                continue
            changed["recorded"][start][measure] = number
            reasons = changed["reasons"].setdefault(f"{start}: {measure}", [])
            if number > recorded and reason not in reasons:
                reasons.append(reason)
            if number <= first or not reasons:
                del changed["reasons"][f"{start}: {measure}"]
    return changed


def read_record():
    return json.loads(RECORD.read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--update", action="store_true", help="record the numbers that are lower")
    parser.add_argument("--reason", help="why some have to be higher; they are recorded, too")
    options = parser.parse_args()
    if sys.implementation.name != "cpython" or sys.version_info[:2] != (3, 11):
        sys.exit("counted: the numbers are those of CPython 3.11")
    record, now = read_record(), all_counted()
    if options.update:
        record = updated(record, now, options.reason)
        RECORD.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print("| start | " + " | ".join(f"{measure} | recorded | at {record['commit']}" for measure in MEASURES) + " |")
    print("|---|" + "---:|" * 3 * len(MEASURES))
    for start in STARTS:
        columns = (each[start][measure] for measure in MEASURES for each in (now, record["recorded"], record["first"]))
        print(f"| {start} | " + " | ".join(f"{number:,}" for number in columns) + " |")
    found = list(problems(record, now))
    print(*found, sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
