"""Draw random configs: mostly near-valid ones with no, one or two disturbances, so that about half are accepted.

The same dialect, version, loader and seed always draw the same cases. Every field of the catalogue is drawn, except
those in excluded.txt. A case is a file and what a file cannot state (processes, version, loader); `text_of` writes it.
"""

import fnmatch
import random
import re
import sys
from pathlib import Path
from typing import NamedTuple

import yaml

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import provoking  # noqa: E402

from grpo_lint.frameworks.registry import catalogue_module  # noqa: E402

MODEL, TEACHER = "Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-14B-Instruct"


class Case(NamedTuple):
    id: str
    dialect: str
    version: str
    loader: str
    algorithm: str
    world_size: int
    settings: dict
    companions: dict = {}

    def with_settings(self, settings):
        return self._replace(settings=settings)


class Field(NamedTuple):
    kind: str
    default: object
    choices: tuple

    @property
    def base(self):
        return self.kind.rstrip("?")


# ---------------------------------------------------------------- a case as a file


def text_of(case):
    """The text of the file: a comment with what a file cannot state, and the settings."""
    facts = {"dialect": case.dialect, "version": case.version, "world-size": case.world_size, **case.companions}
    if case.dialect == "trl":
        facts |= {"algorithm": case.algorithm, "loader": case.loader}
    else:
        # ms-swift before 3.5 reserves the remaining devices for generation; the asking program pretends one node
        facts["visible-devices"] = facts["processes-per-node"] = case.world_size
    words = " ".join(f"{name}={value}" for name, value in facts.items())
    return f"# grpo-lint: {words}\n" + yaml.safe_dump(case.settings, sort_keys=False)


def request_of(case):
    """The request to an asking program about the case."""
    return {
        "id": case.id,
        "text": text_of(case),
        "loader": case.loader,
        "algorithm": case.algorithm,
        "world_size": case.world_size,
    }


# ---------------------------------------------------------------- what a release knows


class Catalogue:
    """The generated field table of a dialect. It is read here independently, so that an error in the linter's reader is
    not hidden."""

    def __init__(self, dialect, module=None):
        self.module = module or catalogue_module(dialect)

    def index(self, version):
        return self.module.RELEASES.index(version)

    def companions(self, version):
        return dict(self.module.COMPANIONS[self.index(version)])

    def fields(self, version, groups):
        """name -> Field of one release."""
        index, found = self.index(version), {}
        for name, spans in self.module.FIELDS.items():
            for known, first, last, kind, default, *choices in spans:
                if first <= index <= last and not groups.isdisjoint(known.split()):
                    found.setdefault(name, Field(kind, default, *(choices or [()])))
        return found

    def names(self, groups):
        return {
            name
            for name, spans in self.module.FIELDS.items()
            if any(not groups.isdisjoint(span[0].split()) for span in spans)
        }


def groups_of(dialect, algorithm, loader):
    if dialect != "trl":
        return {dialect}
    return {algorithm} if loader == "kwargs" else {algorithm, "script", "model", "mixture"}


class Exclusions:
    """The values whose verdict depends on the machine, the network or the hub; see excluded.txt."""

    def __init__(self, dialect, path=HERE / "excluded.txt"):
        lines = (
            line.split(None, 3)
            for line in path.read_text(encoding="utf-8").splitlines()
            if line.strip() and line[0] != "#"
        )
        self.safe = SAFE[dialect]
        self.kinds = {pattern: kinds.split(",") for scope, pattern, kinds, _ in lines if scope in ("*", dialect)}
        self.excludes = re.compile(
            "|".join(fnmatch.translate(pattern) for pattern in self.kinds if "=" not in pattern)
        ).match

    def __contains__(self, name):
        return self.excludes(name) is not None

    def allow(self, name):
        """Whether a field is drawn at all, with any value."""
        return name not in self or name in self.safe

    def excludes_value(self, name, value):
        """Whether the verdict on one value of a field depends on the machine."""
        kind = "true" if value is True else KINDS.get(type(value), "")
        return any(
            fnmatch.fnmatchcase(name, pattern) and ("any" in kinds or kind in kinds)
            for pattern, kinds in self.kinds.items()
        )

    def holds_back(self, name, value):
        """Whether one value of a field that is drawn is excluded."""
        return f"{name}={value}" in self.kinds


KINDS = {str: "text", int: "number", float: "number", list: "list", dict: "mapping"}


# ---------------------------------------------------------------- values

# Valid values by field name, for texts without declared choices and for numbers with a narrow range.
FITTING = {
    "loss_type": ["grpo", "bnpo", "dr_grpo", "dapo", "cispo", "sapo", "luspo", "vespo", "real", "fipo"],
    "importance_sampling_level": ["token", "sequence", "sequence_token"],
    "scale_rewards": [True, False, "group", "batch", "none", "gdpo"],
    "advantage_estimator": ["grpo", "rloo", "reinforce_plus_plus"],
    "vllm_mode": ["colocate", "server"],
    "vllm_importance_sampling_mode": ["token_truncate", "token_mask", "sequence_truncate", "sequence_mask"],
    "rollout_importance_sampling_mode": ["token_truncate", "token_mask", "sequence_truncate", "sequence_mask"],
    "vllm_importance_sampling_clip_max": [None, 2.0, 3.0, 0.5],
    "vllm_importance_sampling_clip_min": [None, 0.5, 1.0, 2.0],
    "multi_objective_aggregation": ["sum_then_normalize", "normalize_then_sum"],
    "off_policy_mask_threshold": [0.5],
    "eval_strategy": ["no", "steps", "epoch"],
    "save_strategy": ["no", "steps", "epoch", "best"],
    "logging_strategy": ["no", "steps", "epoch"],
    "lr_scheduler_type": ["linear", "cosine", "constant", "cosine_with_min_lr"],
    "eval_steps": [5, 10, 50, 0.1], "save_steps": [5, 10, 100, 0.5], "logging_steps": [1, 5, 0.1],
    "max_steps": [-1, 50, 100], "num_train_epochs": [1, 1.5, 3.0], "warmup_ratio": [0.0, 0.03, 0.1], "warmup_steps": [0, 10],
    "beta": [0.0, 0.001, 0.04], "epsilon": [0.2, 3e-4], "epsilon_high": [0.28, 4e-4], "delta": [1.5, 2.0],
    "learning_rate": [1e-6, 5e-6, 1e-5], "lr": [1e-6, 1e-5], "num_iterations": [1, 2, 4],
    "num_generations_eval": [1, 2, 4, 8], "top_k": [0, 20, 50], "top_p": [0.9, 1.0], "temperature": [0.7, 1.0],
    "top_entropy_quantile": [0.2, 1.0], "max_completion_length": [64, 256, 1024], "max_prompt_length": [128, 512],
    "vllm_tensor_parallel_size": [1, 2, 4], "sleep_level": [0, 1, 2],
    "reward_funcs": [["accuracy"], ["accuracy", "format"], ["cosine", "repetition"], ["soft_overlong"], "accuracy"],
    "reward_weights": [[1.0], [0.5, 0.5]],
    "truncation_strategy": ["left", "delete", "right", "split", "raise"],
    "multi_turn_scheduler": ["math_tip_trick", "gym_scheduler"],
    "rlhf_type": ["grpo"], "train_type": ["lora", "full"], "tuner_type": ["lora", "full"],
    "soft_max_length": [512, 1024], "soft_cache_length": [128, 256],
    "dtype": ["bfloat16", "float16", "float32", "auto"], "torch_dtype": ["bfloat16", "float16", "float32", "auto"],
    "teacher_model": [TEACHER, MODEL], "ref_model": [MODEL], "split_dataset_ratio": [0.0, 0.01, 0.1],
    "recompute_granularity": ["full", "selective", "none"], "recompute_method": ["uniform", "block"],
    "gradient_checkpointing_kwargs": [{"use_reentrant": False}, {"use_reentrant": True}],
    "generation_batch_size": [8, 16, 32, 64], "steps_per_generation": [1, 2, 4], "global_batch_size": [8, 16, 32, 64],
    "datasets": [[{"path": "trl-lib/tldr"}], [{"path": "trl-lib/tldr", "split": "train"}]],
    "dataset_name": ["trl-lib/tldr"], "freeze_parameters_ratio": [0.0, 0.5],
    "expert_model_parallel_size": [1, 2], "virtual_pipeline_model_parallel_size": [1, 2],
    "decoder_first_pipeline_num_layers": [10], "decoder_last_pipeline_num_layers": [10],
}  # fmt: skip
# Values of excluded fields whose verdict is about the config nevertheless.
SAFE = {
    "swift": {"teacher_model": [TEACHER], "teacher_model_server": ["http://localhost:8001"], "ref_model": [MODEL], "reward_model": [[MODEL]],
              "vllm_server_host": [["127.0.0.1"], ["127.0.0.1", "127.0.0.2"]], "vllm_server_port": [[8000], [8000, 8001]],
              "vllm_server_base_url": [["http://127.0.0.1:8000"]], "attn_impl": ["flash_attention_2", "sdpa", "eager"]},
    "megatron": {"teacher_model": [TEACHER], "teacher_model_server": ["http://localhost:8001"],
                 "vllm_server_host": [["127.0.0.1"]], "vllm_server_port": [[8000]]},
    "trl": {},
}  # fmt: skip
# Values that are valid for hardly any field.
ODD = [None, None, True, False, 0, -1, 1.5, 4.0, 1e-3, "", "abc", "4", "1e-6", "0.5", "true", "None", "no", "auto", [], [1], [0.5, 0.5],
       ["abc"], {}, {"a": 1}]  # fmt: skip
SMALL = [1, 2, 2, 3, 4, 4, 5, 6, 8, 8, 12, 16]
# The config that `singly` varies, one field at a time: valid for two processes. What a loader needs in addition comes
# first.
NEEDED = {"model_name_or_path": MODEL, "dataset_name": "trl-lib/tldr"}
IN_ORDER = {
    "trl": {"output_dir": "out", "per_device_train_batch_size": 8, "num_generations": 4, "eval_strategy": "steps", "per_device_eval_batch_size": 4},
    "swift": {"rlhf_type": "grpo", "model": MODEL, "dataset": ["AI-MO/NuminaMath-TIR#1000"], "reward_funcs": ["accuracy"],
              "per_device_train_batch_size": 8, "num_generations": 4, "per_device_eval_batch_size": 4, "torch_dtype": "bfloat16"},
    "megatron": {"rlhf_type": "grpo", "model": MODEL, "dataset": ["AI-MO/NuminaMath-TIR#1000"], "reward_funcs": ["accuracy"],
                 "vllm_mode": "colocate", "micro_batch_size": 1, "num_generations": 4, "global_batch_size": 16},
}  # fmt: skip
# Keys that users often copy from other trainers and from their own scripts.
STRANGERS = ["foo_bar", "rollout_batch_size", "kl_coef", "max_new_tokens", "per_device_batch_size", "evaluation_strategy",
             "dataset_prompt_column", "wandb_project", "num_processes", "lora_rank", "actor_lr", "ppo_epochs"]  # fmt: skip


class Cases:
    """An endless source of cases for one dialect, version and loader."""

    def __init__(self, dialect, version, loader, seed=0, catalogue=None, site_packages=None):
        self.dialect, self.version, self.loader = dialect, version, loader
        self.random = random.Random(f"{seed} {dialect} {version} {loader}")
        self.catalogue = catalogue or Catalogue(dialect)
        self.companions = self.catalogue.companions(version)
        self.exclusions = Exclusions(dialect)
        self._known = {}
        self.algorithms = [name for name in self._algorithms() if self._fields(name)]
        self.deck = []
        self.provoking = {name: self._provoking(name, site_packages) for name in self.algorithms}
        self.count = 0
        self.excluded_draws = 0

    def _algorithms(self):
        return ("grpo", "rloo") if self.dialect == "trl" else ("grpo",)

    def _fields(self, algorithm):
        if algorithm not in self._known:
            self._known[algorithm] = self._look_up(algorithm)
        return self._known[algorithm]

    def _look_up(self, algorithm):
        own = {algorithm} if self.dialect == "trl" else {self.dialect}
        if not self.catalogue.fields(self.version, own):
            return {}
        return self.catalogue.fields(self.version, groups_of(self.dialect, algorithm, self.loader))

    def _provoking(self, algorithm, site_packages):
        """The groups of settings that refusals of the installed release read, in random order; see provoking.py."""
        if site_packages is None:
            return []
        allowed = set(filter(self.exclusions.allow, self._fields(algorithm))) - {"rlhf_type"}
        found = provoking.groups(self.dialect, site_packages, allowed)
        self.random.shuffle(found)
        return found

    def draw(self):
        """The next case."""
        algorithm = "rloo" if "rloo" in self.algorithms and self.random.random() < 0.2 else "grpo"
        draft = Draft(self, algorithm, self._fields(algorithm))
        self.count += 1
        return Case(f"{self.dialect}-{self.version}-{self.loader}-{self.count:05d}", self.dialect, self.version, self.loader,
                    algorithm, draft.world_size, draft.settings, self.companions)  # fmt: skip

    def singly(self, values=None):
        """Every field with every odd value, one at a time. `values`: {what it is: value} of a field; then each case comes with what
        its value is."""
        fields = self._fields(self.algorithms[0])
        odd = {repr(value): value for value in ODD}
        for name in sorted(fields):
            for what, value in (values(fields[name]) if values else odd).items():
                if self.exclusions.excludes_value(name, value) if values else name in self.exclusions:
                    self.excluded_draws += 1
                else:
                    case = self.about(name, value, bool(values))
                    yield (case, what) if values else case

    def about(self, name, value, is_rewarded):
        """A case about one field, which comes last; `is_rewarded`: with a reward for TRL's trainer, which is made."""
        algorithm = self.algorithms[0]
        fields = self._fields(algorithm)
        needed = {each: needs for each, needs in NEEDED.items() if each in fields and self.loader != "kwargs"}
        settings = {**needed, **IN_ORDER[self.dialect]}
        if is_rewarded and self.dialect == "trl" and "reward_funcs" in fields:
            settings["reward_funcs"] = ["think_format_reward"]
        if self.dialect == "megatron":  # which has no length without
            settings["num_train_epochs" if "num_train_epochs" in fields else "max_epochs"] = 1
        settings.pop(name, None)
        self.count += 1
        return Case(f"{self.dialect}-{self.version}-{self.loader}-{self.count:05d}", self.dialect, self.version, self.loader,
                    algorithm, 2, {**settings, name: value}, self.companions)  # fmt: skip

    def next_field(self, fields):
        """One field after the other from a shuffled deck, so that each is drawn; the excluded ones are counted."""
        while True:
            if not self.deck:
                self.deck = sorted(set().union(*map(self._fields, self.algorithms)))
                self.random.shuffle(self.deck)
            name = self.deck.pop()
            if not self.exclusions.allow(name):
                self.excluded_draws += 1
            elif name in fields:
                return name


class Draft:
    """A case being drawn."""

    def __init__(self, source, algorithm, fields):
        self.random = source.random
        self.source = source
        self.algorithm = algorithm
        self.fields = fields
        self.allowed = [name for name in fields if name not in source.exclusions]
        self.world_size = self.random.choice([1, 2, 2, 4, 4, 6, 8, 8, 16, 3])
        self.settings = {}
        getattr(self, f"near_valid_{source.dialect}")()
        self.decorate()
        for _ in range(self.random.choices([0, 1, 2], [22, 46, 32])[0]):
            self.random.choice(self.DISTURBANCES)(self)
        if self.source.dialect == "swift" and not {"fp16", "bf16"}.isdisjoint(self.settings):
            if self.settings.get("torch_dtype") in (None, "auto"):
                self.settings["torch_dtype"] = "bfloat16"  # otherwise the model decides whether the two are compatible
        items = [item for item in self.settings.items() if not source.exclusions.holds_back(*item)]
        source.excluded_draws += len(self.settings) - len(items)
        self.random.shuffle(items)
        self.settings = dict(items)

    def chance(self, probability):
        return self.random.random() < probability

    def put(self, name, value):
        if name in self.fields:
            self.settings[name] = value

    # ------------------------------------------------------------ near-valid

    def near_valid_trl(self):
        settings = self.settings
        settings["output_dir"] = "out"
        if self.source.loader != "kwargs":
            settings["model_name_or_path"] = MODEL
            settings["dataset_name"] = "trl-lib/tldr"
            if self.chance(0.5):
                self.put("reward_funcs", ["accuracy_reward"])
        batch = self.random.choice(SMALL) * (2 if self.world_size == 1 else 1)
        settings["per_device_train_batch_size"] = batch
        settings["num_generations"] = self.divisor(batch * self.world_size)
        if self.chance(0.6):
            settings["gradient_accumulation_steps"] = self.random.choice([1, 2, 4, 8])
        if self.chance(0.2):
            self.put("steps_per_generation", self.random.choice([1, 2, 4]))
        elif self.chance(0.2):
            self.put("generation_batch_size", batch * self.world_size * self.random.choice([1, 2, 4]))
        if self.chance(0.2):
            settings["eval_strategy"] = self.random.choice(["steps", "epoch", "no"])
            settings["per_device_eval_batch_size"] = settings["num_generations"]
            if settings["eval_strategy"] == "steps" and self.chance(0.5):
                settings["eval_steps"] = 10

    def near_valid_swift(self):
        settings = self.settings
        batch = self.random.choice([1, 2, 4, 8]) * (2 if self.world_size == 1 else 1)
        settings.update(rlhf_type="grpo", model=MODEL, dataset=["AI-MO/NuminaMath-TIR#1000"], per_device_train_batch_size=batch,
                        num_generations=self.divisor(batch * self.world_size))  # fmt: skip
        settings["reward_funcs"] = self.random.choice([["accuracy"], ["accuracy", "format"], ["cosine", "repetition"]])
        if self.chance(0.6):
            settings["gradient_accumulation_steps"] = self.random.choice([1, 2, 4])
        if self.chance(0.75):
            settings["eval_strategy"] = "no"
        elif self.chance(0.7):
            settings["per_device_eval_batch_size"] = settings["num_generations"]
            settings["split_dataset_ratio"] = 0.01
        if self.chance(0.3):
            self.put("use_vllm", True)
            self.put("vllm_mode", "colocate")
        if self.chance(0.15):
            self.put("steps_per_generation", self.random.choice([1, 2, 4]))

    def near_valid_megatron(self):
        settings = self.settings
        sizes = ("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size")
        ranks = self.world_size
        for name in sizes:
            size = self.random.choice([size for size in (1, 1, 1, 2, 4) if ranks % size == 0])
            ranks //= size
            if size > 1 or self.chance(0.2):
                settings[name] = size
        micro, group = self.random.choice([1, 1, 2, 4]), self.random.choice([2, 4, 8])
        settings.update(rlhf_type="grpo", model=MODEL, dataset=["AI-MO/NuminaMath-TIR#1000"], reward_funcs=["accuracy"],
                        vllm_mode="colocate", micro_batch_size=micro, num_generations=group,
                        global_batch_size=ranks * micro * group * self.random.choice([1, 2]))  # fmt: skip
        if self.source.version.startswith(("3.10", "3.11")):
            settings["load_safetensors"] = True  # before 3.12 a model is otherwise expected in Megatron's own format
        if self.chance(0.2):
            settings["steps_per_generation"] = self.random.choice([1, 2, 4])

    def divisor(self, number):
        return self.random.choice([size for size in range(2, min(number, 16) + 1) if number % size == 0] or [number])

    def decorate(self):
        """Add further keys with valid values."""
        for _ in range(self.random.choices(range(9), [15, 15, 15, 15, 12, 10, 8, 6, 4])[0]):
            name = self.source.next_field(self.fields)
            self.settings.setdefault(name, self.fitting(name))

    def fitting(self, name):
        field = self.fields[name]
        if name in self.source.exclusions.safe:
            return self.random.choice(self.source.exclusions.safe[name])
        if field.choices and name != "rlhf_type":  # another algorithm has other rules
            return self.random.choice(field.choices)
        if name in FITTING and self.chance(0.9):
            return self.random.choice(FITTING[name])
        return self.of_kind(field)

    def of_kind(self, field):
        kinds, default = field.base.split("|"), field.default
        kind = "dict" if "dict" in kinds else self.random.choice(kinds)  # a text for it must hold JSON
        if kind.startswith("list["):
            return [self.of_kind(Field(kind[5:-1], None, ())) for _ in range(self.random.choice([1, 1, 2]))]
        if kind == "bool":
            return self.chance(0.5)
        number = default if isinstance(default, (int, float)) and not isinstance(default, bool) else 1
        if kind == "int":
            return self.random.choice([int(number) if abs(number) < 1e9 else 1, 1, 2, 4, 16, 100])
        if kind == "float":
            return self.random.choice([float(number), float(number) / 2, 0.1, 0.5, 1.0])
        if kind == "dict":
            return {}
        return default if isinstance(default, str) and default != "<required>" else "text"

    # ------------------------------------------------------------ disturbances

    def odd_value(self):
        self.settings[self.some_key()] = self.random.choice(ODD)

    def no_choice(self):
        """Set a text that is none of the choices, possibly similar to one."""
        names = [
            name for name in self.allowed if self.fields[name].choices or isinstance((FITTING.get(name) or [0])[0], str)
        ]
        name = self.random.choice(names)
        near = str(self.random.choice(self.fields[name].choices or FITTING[name]))
        self.settings[name] = self.random.choice([near.upper(), near[:-1], near + "s", "other", near.replace("_", "-")])

    def other_number(self):
        names = [name for name in self.settings if type(self.settings[name]) is int]
        if names:
            self.settings[self.random.choice(names)] = self.random.choice([0, -1, -8, 3, 5, 7, 9, 48, 100, *SMALL])

    def dropped_key(self):
        del self.settings[self.random.choice(list(self.settings))]

    def unknown_key(self):
        kind = self.random.randrange(5)
        name = self.random.choice(list(self.settings) if self.chance(0.6) else self.allowed)
        if kind == 0:
            new = self.misspelt(name)
        elif kind == 1:
            new = name[: self.random.randrange(max(1, len(name) // 2), len(name))]
        elif kind == 2:
            new = name.replace("_", "-")
        elif kind == 3:
            new = self.random.choice(self.neighbours())
        else:
            new = self.random.choice(STRANGERS)
        if new and new not in self.source.exclusions:
            self.settings[new] = (
                self.settings.pop(name)
                if name in self.settings and kind < 3
                else self.random.choice([2, 8, "text", True])
            )

    def misspelt(self, name):
        at = self.random.randrange(len(name) - 1)
        swapped = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
        return self.random.choice(
            [swapped, name[:at] + name[at + 1 :], name[: at + 1] + name[at:], name.upper(), name + "s"]
        )

    def neighbours(self):
        """Add keys of other releases, algorithms and argument classes."""
        return sorted(set(self.source.catalogue.module.FIELDS) - set(self.fields))

    def company(self):
        """Add keys with the same first word: a setting that one allows another may forbid."""
        name = self.some_key()
        word = name.split("_")[0]
        alike = [other for other in self.allowed if other.split("_")[0] == word]
        for other in self.random.sample(alike, min(len(alike), self.random.choice([2, 3, 4]))):
            self.settings[other] = self.fitting(other)

    def lively_keys(self):
        """Add two of the keys that rules are about."""
        names = [name for name in FITTING if name in self.fields and name not in self.source.exclusions]
        for name in self.random.sample(names, 2):
            self.settings[name] = self.random.choice(FITTING[name])

    def provoke(self):
        """Set the settings that a refusal of the installed release reads, each near the value it is compared with."""
        groups = self.source.provoking[self.algorithm]
        if not groups:
            return
        groups.append(groups.pop(0))  # each in turn, so that all are drawn
        drawn = {name: self.near(name, values) for name, values in groups[-1].items() if self.chance(0.93)}
        if self.chance(0.4):
            drawn |= self.alike(drawn)
        self.settings |= drawn

    def alike(self, drawn):
        """Set all settings of one kind to the same value: a refusal may compare them."""
        first = {
            (self.fields[name].choices or self.fields[name].base): value for name, value in reversed(drawn.items())
        }
        return {
            name: first[self.fields[name].choices or self.fields[name].base]
            for name in drawn
            if name not in self.source.exclusions
        }

    def near(self, name, values):
        if name in self.source.exclusions.safe:
            return self.fitting(name)
        values = [value for value in values if value is None or isinstance(value, (bool, int, float, str))]
        if values and self.chance(0.6):
            return self.random.choice(values)
        if self.fields[name].base == "bool":
            return self.chance(0.8)
        return self.random.choice(ODD) if self.chance(0.1) else self.fitting(name)

    def some_key(self):
        names = [name for name in self.settings if name in self.fields and name not in self.source.exclusions]
        return self.random.choice(names) if names and self.chance(0.4) else self.random.choice(self.allowed)

    DISTURBANCES = (odd_value, odd_value, no_choice, other_number, other_number, dropped_key, unknown_key, company, lively_keys,
                    *[provoke] * 6)  # fmt: skip
