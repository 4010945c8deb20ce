"""A checkout of EasyR1, imported without a GPU: its own code, with stand-ins for packages that are not installed. Needs
torch (for a CPU), tensordict, numpy and omegaconf."""

import ast
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import re
import sys
import types
from pathlib import Path

# Packages that its modules import and that no question here needs.
PRETENDED = ("ray", "transformers", "vllm", "accelerate", "peft", "torchdata", "codetiming", "wandb", "datasets", "flash_attn",
             "mathruler", "psutil", "tensorboard", "liger_kernel", "qwen_vl_utils", "PIL", "safetensors", "pandas", "tqdm", "jinja2", "huggingface_hub")  # fmt: skip


class _Meta(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _pretended(name)

    def __call__(cls, *args, **kwargs):
        if len(args) == 1 and not kwargs and isinstance(args[0], (type, types.FunctionType)):
            return args[0]  # as a decorator
        return cls

    def __getitem__(cls, item):
        return cls

    def __or__(cls, other):
        return cls

    __ror__ = __or__


def _pretended(name):
    return _Meta(name, (), {"__module__": "pretended"})


class _Module(types.ModuleType):
    __path__ = ()
    __version__ = "99.0.0"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _pretended(name)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, roots):
        self.roots = roots

    def find_spec(self, fullname, path=None, target=None):
        known = fullname.partition(".")[0] in self.roots
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True) if known else None

    def create_module(self, spec):
        return _Module(spec.name)

    def exec_module(self, module):
        pass


class Checkout:
    """The code of EasyR1 in a folder; only one in a process."""

    def __init__(self, root):
        self.root = Path(root)
        text = (self.root / "verl" / "__init__.py").read_text(encoding="utf-8")
        self.version = re.search(r'^__version__ = "(.+)"', text, re.MULTILINE)[1]
        missing = {name for name in PRETENDED if importlib.util.find_spec(name) is None}
        sys.meta_path.append(_Finder(missing))
        for package in (
            "",
            "trainer",
            "utils",
            "workers",
            "workers.actor",
            "workers.critic",
            "workers.reward",
            "workers.rollout",
        ):
            self._package(package)
        for unasked in ("utils.logger", "utils.tokenizer", "utils.dataset", "workers.fsdp_workers"):
            sys.modules[f"verl.{unasked}"] = _Module(f"verl.{unasked}")
        for package in ("actor", "critic", "reward", "rollout"):  # only their configs are needed
            config = self.module(f"workers.{package}.config")
            vars(sys.modules[f"verl.workers.{package}"]).update(
                {name: value for name, value in vars(config).items() if isinstance(value, type)}
            )

    def _package(self, name):
        """A package whose own __init__ is not run."""
        full = f"verl.{name}" if name else "verl"
        module = _Module(full)
        module.__path__ = [str(self.root.joinpath("verl", *name.split(".")))]
        sys.modules[full] = module

    def module(self, name):
        return importlib.import_module(f"verl.{name}")

    def function(self, path, owner, name):
        """The syntax tree of a function of a module, or of a method of its class `owner`."""
        tree = ast.parse((self.root / "verl" / path).read_text(encoding="utf-8"))
        body = tree.body if owner is None else next(n for n in tree.body if getattr(n, "name", "") == owner).body
        return next((node for node in body if isinstance(node, ast.FunctionDef) and node.name == name), None)


def compiled(statements, path):
    module = ast.Module(body=list(statements), type_ignores=[])
    return compile(ast.fix_missing_locations(module), path, "exec")
