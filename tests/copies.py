"""Writes a copy of verl or EasyR1 into a checkout: the tree and the dataclasses of a release as the catalogue has them, or with
changes."""

import yaml

from grpo_lint.frameworks.easyr1.checks import CHECKS as OF_EASYR1
from grpo_lint.frameworks.registry import framework
from grpo_lint.frameworks.shared.copied_fields import OF_TRANSFORMERS
from grpo_lint.frameworks.verl.checks import CHECKS as OF_VERL

MODULE = "verl.workers.config"


def tree_of(release, group="dp", of="verl"):
    """(the nested tree of a release, {section: [fields that stand in its dataclass alone]})."""
    catalogue = framework(of).catalogue
    index = catalogue.releases.index(release)
    fields = catalogue.fields((group,), index)
    tree, classes = {}, {}
    for path in sorted(catalogue.names()):
        field = fields[path]
        plain, appended = (catalogue.known(f"{sign}{path}", (group,)) >> index & 1 for sign in ("", "+"))
        section, _, key = path.rpartition(".")
        if field is None:
            continue
        inner = tree
        for part in section.split(".") if section else ():
            inner = inner.setdefault(part, {})
        if plain and field.type == "map":
            inner.setdefault(key, {})
        elif plain and field.type == "node":
            inner.setdefault(key, {})["_target_"] = f"{MODULE}.{path.title().replace('.', '').replace('_', '')}"
            classes.setdefault(path, [])
        elif plain:
            reference = fields.reference(path)
            inner[key] = f"${{{reference}}}" if reference and "${" not in reference else reference or _plain(field)
        elif appended:
            classes.setdefault(section, []).append(key)
    return tree, classes


def _plain(field):
    return [] if field.type == "list" else field.default


def write_copy(checkout, release="0.6.1", version=None, without=(), more=None, fields=None, parts=(), of="verl"):
    """`version`: what its version file says; `without`: beginnings of paths that it lacks, `more`: {path: value} that it has
    besides, `fields`: {section: its further dataclass fields}; `parts`: sections that stand in files of their own."""
    tree, classes = tree_of(release, of=of)
    for path in without:
        inner, key = _at(tree, path)
        inner.pop(key, None)
    for path, value in (more or {}).items():
        inner, key = _at(tree, path)
        inner[key] = value
    folder = checkout / "verl" / "trainer" / "config"
    folder.mkdir(parents=True)
    (checkout / ".git").mkdir(exist_ok=True)
    defaults = []
    for path in parts:
        inner, key = _at(tree, path)
        (folder / key).mkdir()
        (folder / key / f"usual_{key}.yaml").write_text(yaml.safe_dump(inner.pop(key)), encoding="utf-8")
        defaults.append({f"{key}@{path}": f"usual_{key}"})
    head = {"defaults": [*defaults, "_self_"]} if defaults else {}
    (folder / "ppo_trainer.yaml").write_text(yaml.safe_dump({**head, **tree}, sort_keys=False), encoding="utf-8")
    _write_classes(checkout / "verl" / "workers", tree, {**classes}, fields or {})
    write_checks(checkout / "verl", of)
    (checkout / "verl" / "version").mkdir()
    (checkout / "verl" / "version" / "version").write_text(f"{version or release}\n", encoding="utf-8")


def write_checks(package, of="verl", without=()):
    """A module that reads each setting and holds all checks, but for those of some rules."""
    parts = framework(of)
    code = OF_EASYR1 if of == "easyr1" else OF_VERL
    rows = (row for row in parts.refusals.enforcement.rows if row.rule not in without)
    words = [str(row.wording) for row in rows if "(without a" not in str(row.wording)]
    texts = {*words, *(each for rule, told in code.items() if rule not in without for each in told)}
    names = {path.rpartition(".")[2] for path in parts.catalogue.names()}
    lines = [f"config.{name}" for name in sorted(names)] + [f"raise ValueError({text!r})" for text in sorted(texts)]
    (package / "checks.py").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _at(tree, path):
    *sections, key = path.split(".")
    for section in sections:
        tree = tree.setdefault(section, {})
    return tree, key


def _write_classes(folder, tree, classes, more):
    """Each class is made from one without fields, which another module of the package has."""
    config = folder / "config"
    config.mkdir(parents=True)
    (config / "base.py").write_text("class BaseConfig(Mapping):\n    pass\n", encoding="utf-8")
    text = "from dataclasses import dataclass\nfrom .base import BaseConfig\n"
    for path, fields in classes.items():
        name = path.title().replace(".", "").replace("_", "")
        lines = [f"    {field}: int = 0" for field in [*fields, *more.get(path, ())]]
        text += f"\n\n@dataclass\nclass {name}(BaseConfig):\n" + "\n".join(lines or ["    extra: dict = None"])
    (config / "parts.py").write_text(text + "\n", encoding="utf-8")


def write_easyr1_copy(checkout, release="0.3.2", version=None, without=(), more=None):
    """`version`: what it calls itself; `without`: settings that it lacks, `more`: {path: (annotation, default)} that it has besides."""
    catalogue = framework("easyr1").catalogue
    index = catalogue.releases.index(release)
    fields = catalogue.fields(("easyr1",), index)
    settings = {
        path: (_annotation(fields[path].type), fields[path].default)
        for path in catalogue.names()
        if fields[path] is not None and path not in without
    }
    classes = {}
    for path, told in {**settings, **(more or {})}.items():
        section, _, key = path.rpartition(".")
        classes.setdefault(section, {})[key] = told
        while section:
            section, _, key = section.rpartition(".")
            classes.setdefault(section, {}).setdefault(key, None)
    package = checkout / "verl"
    for name in ("trainer", "workers/parts"):
        (package / name).mkdir(parents=True)
    (checkout / ".git").mkdir(exist_ok=True)
    (package / "__init__.py").write_text(f'__version__ = "{version or release}"\n', encoding="utf-8")
    # the root hands on what another package has in several modules
    written = {each: _class_of(each, inner) for each, inner in classes.items()}
    head = "from dataclasses import dataclass, field\nfrom typing import Any, Optional\n"
    root = written.pop("")
    imports = f"from ..workers.parts import {', '.join(sorted(_name_of(each) for each in written))}\n"
    (package / "trainer" / "config.py").write_text(head + imports + root, encoding="utf-8")
    names = sorted(written, key=lambda each: -each.count("."))
    (package / "workers" / "parts" / "all.py").write_text(
        head + "".join(written[each] for each in names), encoding="utf-8"
    )
    init = f"from .all import {', '.join(sorted(map(_name_of, written)))}\n"
    (package / "workers" / "parts" / "__init__.py").write_text(init, encoding="utf-8")
    write_checks(package, "easyr1")


def _name_of(section):
    return f"{section.title().replace('.', '').replace('_', '')}Config" if section else "PPOConfig"


def _annotation(kind):
    return f"Optional[{kind[:-1]}]" if kind.endswith("?") else kind


def _class_of(section, fields):
    lines = []
    for key, told in fields.items():
        kind, default = told or (_name_of(f"{section}.{key}" if section else key), None)
        made = f"field(default_factory={kind})" if told is None or kind in ("dict", "list") else repr(default)
        lines.append(f"    {key}: {kind} = {made}\n")
    return f"\n\n@dataclass\nclass {_name_of(section)}:\n" + "".join(lines)


# --- flat classes of arguments, with fields of their own ---------------------------------------------------------------

OF_TRL = """from dataclasses import dataclass, field
from typing import Optional

from transformers import TrainingArguments


@dataclass
class GRPOConfig(TrainingArguments):
    num_generations: Optional[int] = field(default={group}, metadata={{"help": "of a group"}})
    beta: float = 0.0
    max_completion_length: Optional[int] = 256
    own_size: int = 3
    own_list: Optional[list[str]] = None
"""


def class_of_trl(release="0.21.0", more=()):
    """The class of arguments of a release of TRL as the catalogue has it. `more`: lines of further fields."""
    return OF_TRL.partition("    num_generations")[0] + _fields_of("trl", "grpo", release, more)


def class_of_swift(release, more=(), without=()):
    """That of a release of ms-swift, which takes its other fields over from transformers; `without`: fields that it lacks."""
    head = OF_TRL.partition("    num_generations")[0].replace("GRPOConfig", "RLHFArguments")
    return head + _fields_of("swift", "swift", release, more, {*OF_TRANSFORMERS, *without})


def _fields_of(of, group, release, more, without=()):
    catalogue = framework(of).catalogue
    fields = catalogue.fields((group,), catalogue.releases.index(release))
    lines = [f"    {name}: object = {fields[name].default!r}" for name in fields.names() if name not in without]
    return "\n".join([*lines, *more]) + "\n"


OF_SWIFT = """from dataclasses import dataclass, field
from typing import List, Literal, Optional

from transformers import Seq2SeqTrainingArguments as OfTransformers
from trl import GRPOConfig


@dataclass
class GenerationArguments:
    O3: bool = False
    own_rate: Optional[float] = None
    own_names: List[str] = field(default_factory=list)
    own_kind: Literal["a", "b"] = "a"
    num_generations: int = {group}


@dataclass
class {name}(GenerationArguments, OfTransformers, GRPOConfig):
    pass
"""
