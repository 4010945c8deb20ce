"""The expressions of a release of verl that reckon with a setting, compare it or look it up, run with the value of a config.

`uses.py` reads which settings stand in an expression, and whether every run comes to it. Here each such expression of the
release is run as it is: settings are those of the composed config, every other name is a number. What raises then, and does
not with the config as it was, is refused.
"""

import ast
import copy
import sys
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import catalogue
import uses

_STAGES = {"c": "validate", "i": "init", "r": "step"}


class One(int):
    """What is no setting: a number with any attribute, which can be called and indexed."""

    def __new__(cls):
        return super().__new__(cls, 1)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args, **options):
        return self

    def __getitem__(self, key):
        return self


class Reader(uses.Reader):
    """Notes the expression beside each use."""

    def noting(self, node, call, *given):
        before, self.uses.now = self.uses.now, node
        call(node, *given)
        self.uses.now = before

    def reckoned(self, node, needs, sure):
        self.noting(node, super().reckoned, needs, sure)

    def statement(self, node, needs, sure, is_branch=False):
        before, self.uses.now = self.uses.now, node
        super().statement(node, needs, sure, is_branch)
        self.uses.now = before


class Uses(uses.Uses):
    def __init__(self, *given):
        super().__init__(*given)
        self.now, self.noted = None, {}

    def add(self, reader, path, what, needs, sure):
        needed = uses.settled(needs, path)
        stage = reader.stage_of(path) if sure and uses.UNCERTAIN not in needed else None
        if stage and self.now is not None:
            self.noted[id(self.now), path] = (path, stage, self.now, needed, reader)
        super().add(reader, path, what, needs, sure)


class Reads:
    """Of one release and one training engine."""

    def __init__(self, root, engine="dp"):
        root = Path(root)
        classes, trees, nodes = catalogue.dataclasses_of(root), {}, []
        for group, tree in catalogue.trees_of(root):
            catalogue.walk(classes, tree, "", trees.setdefault(group, {}))
            nodes += [(*each, group) for each in catalogue.classes_in(classes, tree)]
        before, uses.Reader = uses.Reader, Reader
        try:
            self.uses = Uses(uses.Package(root), trees, uses.sections_of(classes, nodes))
            self.uses.read()
        finally:
            uses.Reader = before
        self.by_path, self.failing = {}, {}
        for path, stage, node, needs, reader in self.uses.noted.values():
            if engine in reader.engines:
                code = _compiled(node)
                if code is not None:
                    self.by_path.setdefault(path, []).append((stage, code, needs, reader, ast.unparse(node)))

    def refusal(self, path, config, usual):
        """(how many expressions were run, stage and error of the first that fails) with a config; `usual`: one without
        the odd value."""

        ran = 0
        for stage, code, needs, reader, text in self.by_path.get(path, ()):
            if not all(_holds(config, need) for need in needs if need != path):
                continue
            if self._failure(code, reader, usual) is not None:
                continue  # it cannot be run here
            ran += 1
            error = self._failure(code, reader, config)
            if error is not None:
                return ran, _STAGES[stage], f"{type(error).__name__}: {error} in {text.splitlines()[0][:100]}"
        return ran, None, None

    def _failure(self, code, reader, config):
        try:
            exec(code, self._names(reader, config, code))
        except Exception as error:
            return error
        return None

    def _names(self, reader, config, code):
        names = {"__builtins__": __builtins__}
        for name in code.co_names:
            if name not in __builtins__ if isinstance(__builtins__, dict) else not hasattr(__builtins__, name):
                names[name] = self.uses.package.constants.get(name, One())
        for name, places in reader.env.items():
            if len(places) == 1:
                _put(names, name, _value_at(config, places[0][0]))
        return names


def _holds(config, need):
    from omegaconf import OmegaConf

    path, _, word = need.partition(":")
    found = OmegaConf.select(config, path, default=None)
    return found == word if word else bool(found)


def _value_at(config, path):
    from omegaconf import OmegaConf

    return config if path == "" else OmegaConf.select(config, path)


def _put(names, name, value):
    """A value under a name, or a dotted one."""
    first, *rest = name.split(".")
    if not rest:
        names[first] = value
        return
    holder = names.get(first)
    if not isinstance(holder, types.SimpleNamespace):
        holder = names[first] = types.SimpleNamespace() if holder is None or isinstance(holder, One) else holder
    if isinstance(holder, types.SimpleNamespace):
        _put(vars(holder), ".".join(rest), value)


def _compiled(node):
    """An expression, or a statement that may refuse, without what else its branches do."""
    node = copy.deepcopy(node)
    if isinstance(node, ast.expr):
        node = ast.Expr(node)
    elif isinstance(node, ast.If):
        _emptied(node)
    elif not isinstance(node, ast.Assert):
        return None
    module = ast.Module(body=[node], type_ignores=[])
    return compile(ast.fix_missing_locations(module), "<verl>", "exec")


def _emptied(node):
    for branch in ("body", "orelse"):
        kept = []
        for each in getattr(node, branch):
            if isinstance(each, ast.If):
                _emptied(each)
                kept.append(each)
            elif isinstance(each, ast.Raise):
                kept.append(each)
        setattr(node, branch, kept or ([ast.Pass()] if branch == "body" else []))
