"""Print, as JSON, the fields of the argument classes of the framework that is installed here.

    ENVIRONMENT/bin/python conformance/read_fields.py trl
    ENVIRONMENT/bin/python conformance/read_fields.py ms-swift

The environment comes from environments.py. For every group of arguments each field has a name, a type, the default that
its class declares (before any __post_init__ touches it) and, where the parser enforces them, the choices.

Two sources describe a field. The annotation states which values the class is written for. The framework's own parser
(TrlParser; for ms-swift transformers' HfArgumentParser) decides how a flag is read: whether it takes one value or
several, and which choices it enforces. Types are spelled in a small vocabulary: bool int float str dict any, list[...]
of these, joined by "|" in this order, with "?" at the end where None is allowed.
"""

import argparse
import dataclasses
import enum
import importlib
import importlib.machinery
import importlib.metadata
import importlib.util
import inspect
import json
import logging
import os
import sys
import types
import typing
import warnings
from pathlib import Path

COMPANIONS = ("transformers", "trl", "torch", "accelerate")
SCALARS = {bool: "bool", int: "int", float: "float", str: "str", dict: "dict"}
ORDER = ("bool", "int", "float", "str", "dict", "list", "any")


# ---------------------------------------------------------------- types


def members(annotation):
    """The names of all types that an annotation joins; "None" is one of them."""
    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    if annotation is None or annotation is type(None):
        return {"None"}
    if origin is typing.Union or origin is types.UnionType:
        return set().union(*map(members, arguments))
    if origin is typing.Annotated:
        return members(arguments[0])
    if origin is typing.Literal:
        return set().union(*(members(type(value)) for value in arguments))
    if origin in (list, tuple) or annotation in (list, tuple):
        elements = set().union(*map(members, arguments[:1])) or {"any"}
        return {f"list[{spell(elements)}]"}
    if origin is dict:
        return {"dict"}
    if inspect.isclass(annotation) and issubclass(annotation, enum.Enum):
        return set().union(*(members(type(member.value)) for member in annotation))
    return {SCALARS.get(annotation, "any")}


def spell(names):
    """Join type names in one fixed order: typing's own order depends on what was imported before."""
    named = sorted(names - {"None"}, key=lambda name: (ORDER.index(name.split("[")[0]), name))
    return "|".join(named) + ("?" if "None" in names else "")


def type_name(annotation, default, action):
    names = members(annotation)
    if default is None:
        names.add("None")
    takes_several = action.nargs in ("+", "*")
    if takes_several and not any(name.startswith("list") for name in names):
        names = {f"list[{spell(names - {'None'})}]"} | names & {"None"}
    return spell(names)


# ---------------------------------------------------------------- defaults


def declared_default(field):
    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return {"required": True}


def as_json(value):
    """A plain value; what is not plain is kept as {"repr": text}."""
    if isinstance(value, enum.Enum):
        return as_json(value.value)
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return [as_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    return {"repr": repr(value)}


# ---------------------------------------------------------------- one argument class


def flags_of(parser):
    """name -> the parser's action for --name; the extra --no_name of a true boolean is another action."""
    return {option[2:]: action for action in parser._actions for option in action.option_strings}


def read_class(cls, parser_class):
    annotations = typing.get_type_hints(cls)  # first: the parser rewrites the types of the fields
    flags = flags_of(parser_class([cls]))
    fields = []
    for field in dataclasses.fields(cls):
        if not field.init:
            continue
        action = flags[field.name]
        default = as_json(declared_default(field))
        entry = {"name": field.name, "type": type_name(annotations[field.name], default, action), "default": default}
        if action.choices is not None:
            entry["choices"] = as_json(list(action.choices))
        fields.append(entry)
    return fields


# ---------------------------------------------------------------- TRL


def script_arguments(algorithm):
    """The class with the arguments of `trl grpo` or `trl rloo` besides those of the trainer, the model and the
    mixture."""
    module = importlib.import_module(f"trl.scripts.{algorithm}")
    named = [value for name, value in vars(module).items() if name.endswith("ScriptArguments")]
    return max(named, key=lambda cls: len(cls.__mro__))  # the module imports its base class, too


def script_fields(trl):
    scripts = ["grpo"]
    if has_new_rloo(trl) and importlib.util.find_spec("trl.scripts.rloo"):
        scripts.append("rloo")
    merged = {}
    for script in scripts:
        for field in read_class(script_arguments(script), trl.TrlParser):
            if merged.setdefault(field["name"], field) != field:
                sys.exit(f"the scripts disagree about {field['name']}")
    return list(merged.values())


def has_new_rloo(trl):
    """Until TRL 0.21 RLOOConfig belongs to another, PPO-like trainer, which is not of the GRPO family."""
    major, minor = trl.__version__.split(".")[:2]
    return (int(major), int(minor)) >= (0, 22)


def trl_groups():
    import trl

    groups = {"grpo": read_class(trl.GRPOConfig, trl.TrlParser)}
    if has_new_rloo(trl):
        groups["rloo"] = read_class(trl.RLOOConfig, trl.TrlParser)
    groups["script"] = script_fields(trl)
    groups["model"] = read_class(trl.ModelConfig, trl.TrlParser)
    if hasattr(trl, "DatasetMixtureConfig"):
        groups["mixture"] = read_class(trl.DatasetMixtureConfig, trl.TrlParser)
    return groups


# ---------------------------------------------------------------- ms-swift and Megatron-SWIFT


def stand_in_class(holder, name):
    """An attribute of a stand-in: an empty class, which again has any attribute."""
    if name.startswith("__"):
        raise AttributeError(name)
    value = StandInType(name, (), {})
    setattr(holder, name, value)
    return value


class StandInType(type):
    __getattr__ = stand_in_class


class StandIn(types.ModuleType):
    """A module that is not needed for reading fields."""

    __path__ = ()
    __version__ = "2.9.0"
    __getattr__ = stand_in_class


class StandInFinder:
    """Answers imports of packages that are missing here (they need a GPU to build), before the usual finders."""

    def __init__(self, *packages):
        self.packages = packages

    def find_spec(self, name, path=None, target=None):
        if name.startswith(tuple(f"{package}." for package in self.packages)) or name in self.packages:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return StandIn(spec.name)

    def exec_module(self, module):
        pass


def stand_in_for(*packages):
    sys.meta_path.insert(0, StandInFinder(*packages))


def release_of(package):
    return tuple(int(part) for part in importlib.metadata.version(package).split(".")[:2])


def swift_class():
    module = "swift.arguments" if release_of("ms-swift") >= (4, 0) else "swift.llm.argument"
    return importlib.import_module(module).RLHFArguments


def megatron_class():
    """Import the argument class alone: its package would also patch Transformer Engine and load all the models."""
    import megatron.core  # noqa: F401  (the real one, before anything around it is stood in for)

    stand_in_for("transformer_engine", "megatron.training", "megatron.legacy", "mcore_bridge")
    folder = Path(importlib.util.find_spec("swift").origin).parent / "megatron"
    package = types.ModuleType("swift.megatron")
    package.__path__ = [str(folder)]
    sys.modules["swift.megatron"] = package
    for name in ("utils", "model", "init"):
        module = StandIn(f"swift.megatron.{name}")
        module.__path__ = [str(folder / name)]
        sys.modules[module.__name__] = module
    write_unions_as_in_production()
    arguments = "arguments" if (folder / "arguments").is_dir() else "argument"
    return importlib.import_module(f"swift.megatron.{arguments}").MegatronRLHFArguments


def write_unions_as_in_production():
    """Bring typing's cache into the state of a real start.

    HfArgumentParser depends on the order of a union's members, and typing returns the order of the first request. In a
    real start modelscope makes the first request, with the list first; only therefore can the parser read
    `cp_comm_type` (4.4 and later). The stand-ins here would change which request is first.
    """
    for clear in typing._cleanups:
        clear()
    typing.Optional[list[str] | str]


def swift_groups():
    from transformers import HfArgumentParser

    missing = [name for name in ("math_verify", "latex2sympy2_extended") if not importlib.util.find_spec(name)]
    stand_in_for(*missing)
    groups = {"swift": read_class(swift_class(), HfArgumentParser)}
    if release_of("ms-swift") >= (3, 11):  # the first release with GRPO in Megatron-SWIFT
        groups["megatron"] = read_class(megatron_class(), HfArgumentParser)
    return groups


# ---------------------------------------------------------------- all

GROUPS = {"trl": trl_groups, "ms-swift": swift_groups}


def be_quiet_and_reproducible():
    """No output, no network, and no default that depends on the machine."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    os.environ.update(
        HF_HUB_OFFLINE="1",
        TRANSFORMERS_VERBOSITY="error",
        TRL_EXPERIMENTAL_SILENCE="1",
        USE_HF="0",
        CUDA_VISIBLE_DEVICES="",
        LOG_LEVEL="CRITICAL",
    )
    for name in ("WORLD_SIZE", "RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "NPROC_PER_NODE", "NNODES"):
        os.environ.pop(name, None)


def installed(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", choices=GROUPS)
    package = parser.parse_args().package
    be_quiet_and_reproducible()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # output of the framework must not mix with the JSON
    answer = {
        "package": package,
        "release": installed(package),
        "companions": {name: installed(name) for name in COMPANIONS if name != package},
        "groups": GROUPS[package](),
    }
    json.dump(answer, answers, indent=1)
    answers.write("\n")


if __name__ == "__main__":
    main()
