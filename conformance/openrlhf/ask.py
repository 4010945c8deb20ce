"""Ask a release of OpenRLHF whether it accepts commands, on a CPU.

    python conformance/openrlhf/ask.py FOLDER RELEASE [DEEPSPEED/runtime/config.py] < cases.jsonl > verdicts.jsonl

in:  {"id", "argv": the words behind train_ppo_ray}
out: {"id", "version", "accepted", "stage", "error", "derived"}

The checks, in the order of a run. All is code of the release, cut out where the rest needs GPUs:

    parse   the block under `if __name__ == "__main__"`, but for its last call
    launch  the asserts and raises of `train`, with the conditions around them, and of `_validate_args` where there is one
    init    DeepSpeed's own checks of the three sizes of a batch. That the GPUs divide into rings and tensor parallel groups is ours
"""

import argparse
import ast
import datetime
import json
import os
import re
import sys
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from stages import answer, verdict

PROGRAM = "openrlhf/cli/train_ppo_ray.py"
WORLDS = ("reward_pretrains", "actor_world_size", "critic_world_size")  # what the asserts of `train` compare
OF_BATCHES = ("_batch_assertion", "_set_batch_related_parameters", "_configure_train_batch_size")
# {size: its name in sections, its flat name}
SIZES = {
    "prompts": ("rollout.batch_size", "rollout_batch_size"),
    "group": ("rollout.n_samples_per_prompt", "n_samples_per_prompt"),
    "update": ("train.batch_size", "train_batch_size"),
    "micro": ("train.micro_batch_size", "micro_train_batch_size"),
    "passes": ("train.max_epochs", "max_epochs"),
    "nodes": ("actor.num_nodes", "actor_num_nodes"),
    "gpus": ("actor.num_gpus_per_node", "actor_num_gpus_per_node"),
    "ring": ("ds.ring_attn_size", "ring_attn_size"),
    "tensor": ("ds.tensor_parallel_size", "ds_tensor_parallel_size"),
    "dynamic": ("train.dynamic_batch_enable", "use_dynamic_batch"),
}


def compiled(statements, name):
    module = ast.Module(list(statements), [])
    ast.fix_missing_locations(module)
    return compile(module, name, "exec")


def checks_in(statements):
    """The asserts and raises of statements, with the conditions around them and the numbers that they compare."""
    for node in statements:
        if isinstance(node, (ast.Assert, ast.Raise)) or (
            isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in WORLDS
        ):
            yield node
        elif isinstance(node, ast.If):
            body, other = [*checks_in(node.body)], [*checks_in(node.orelse)]
            if body or other:
                yield ast.If(node.test, body or [ast.Pass()], other)


class OpenRLHF:
    """A release, with the parts of it that are asked."""

    def __init__(self, root, release, deepspeed=""):
        self.release = release
        tree = ast.parse((Path(root) / PROGRAM).read_text(encoding="utf-8"))
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        main = next(
            node.body for node in tree.body if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)
        )
        self.parse = compiled([node for node in main if ast.unparse(node) != "train(args)"], "train_ppo_ray.py")
        end = next(place for place, node in enumerate(main) if "parse_args" in ast.unparse(node))
        self.declare = compiled(main[:end], "train_ppo_ray.py")
        own = functions["_validate_args"].body if "_validate_args" in functions else []
        self.launch = compiled([*own, *checks_in(functions["train"].body)], "train_ppo_ray.py")
        self.batches = self._checks_of_batches(deepspeed) if deepspeed else None
        self._pretend_modules(Path(root))

    @staticmethod
    def _checks_of_batches(path):
        tree = ast.parse(Path(path).read_text(encoding="utf-8"))
        config = next(
            node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == "DeepSpeedConfig"
        )
        silent = types.SimpleNamespace(warning=lambda *words: None, info=lambda *words: None)
        found = {"logger": silent}
        exec(compiled([node for node in config.body if getattr(node, "name", "") in OF_BATCHES], "config.py"), found)
        return found

    @staticmethod
    def _pretend_modules(root):
        names = (
            "openrlhf",
            "openrlhf.utils",
            "openrlhf.utils.config",
            "modelscope",
            "modelscope.utils",
            "modelscope.utils.hf_util",
        )
        for name in names:
            sys.modules[name] = types.ModuleType(name)
        sys.modules[names[-1]].patch_hub = lambda: None
        sections = root / "openrlhf/utils/config.py"
        if sections.exists():
            exec(compile(sections.read_text(encoding="utf-8"), "config.py", "exec"), vars(sys.modules[names[2]]))

    def names(self):
        return {"argparse": argparse, "os": os, "datetime": datetime.datetime, "__name__": "asked"}

    def flags(self):
        """{flag: what the parser declares of it}, as the catalogue is made of."""
        names = self.names()
        exec(self.declare, names)
        return {
            action.option_strings[0]: declared(action) for action in names["parser"]._actions if action.dest != "help"
        }

    def judge(self, case):
        checks = (("parse", self._parsed), ("launch", self._launched), ("init", self._started))
        return verdict(case, self.release, checks)

    def _parsed(self, words, derived):
        sys.argv = ["train_ppo_ray.py", *words]
        names = self.names()
        exec(self.parse, names)
        return names["args"]

    def _launched(self, args, derived):
        exec(self.launch, {"args": args})
        return args

    def _started(self, args, derived):
        size = {name: read(args, *places) for name, places in SIZES.items()}
        world, parts = (
            size["nodes"] * size["gpus"],
            (1 if size["ring"] is None else size["ring"]) * (1 if size["tensor"] is None else size["tensor"]),
        )
        if world % parts:
            raise RuntimeError(f"a mesh of {world} ranks has no groups of {parts}")
        rollout = size["prompts"] * size["group"]
        derived.update(
            prompts_per_rollout=size["prompts"],
            group_size=size["group"],
            completions_per_rollout=rollout,
            updates_per_rollout=rollout // size["update"] * size["passes"],
            dp_size=world // parts,
        )
        if self.batches and not size["dynamic"]:
            sizes = types.SimpleNamespace(
                train_batch_size=size["update"] * parts,
                train_micro_batch_size_per_gpu=size["micro"],
                gradient_accumulation_steps=None,
                world_size=world,
            )
            self.batches["_set_batch_related_parameters"](sizes)
            self.batches["_batch_assertion"](sizes)
            derived["accumulation"] = sizes.gradient_accumulation_steps
        return args


def read(args, path, flat):
    """A size by its name in sections, or by its flat name."""
    if hasattr(args, flat):
        return getattr(args, flat)
    for part in path.split("."):
        args = getattr(args, part, None)
    return args


def declared(action):
    """A flag as tables of flags describe it."""
    default = action.default
    plain = default is None or isinstance(default, (int, float, str, bool, list))
    if isinstance(default, str) and re.search(r"_\d{4}T\d\d:\d\d$", default):
        default = "<date>"  # of the day on which it is asked
    found = {
        "action": type(action).__name__.replace("Action", "").strip("_"),
        "default": default if plain else list(default) if isinstance(default, tuple) else str(default),
    }
    if action.type:
        found["type"] = action.type.__name__
    if action.choices:
        found["choices"] = list(action.choices)
    if action.nargs not in (None, 0):
        found["nargs"] = action.nargs
    return found


def main():
    asked = OpenRLHF(*sys.argv[1:4])
    if "--flags" in sys.argv:
        print(json.dumps(asked.flags()))
        return
    answer(asked.judge)


if __name__ == "__main__":
    main()
