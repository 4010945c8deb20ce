"""Use single functions out of a framework's installed source, where the module around them needs a GPU or a model.

Whole functions run as they are (`take`). Of a function that cannot run here, `checks_of` leaves what decides: its
conditions, its refusals, and the simple assignments that they need.
"""

import ast
import importlib
from pathlib import Path

SIMPLE_CALLS = {"len", "range", "isinstance", "getattr", "hasattr", "list", "int", "max", "min"}
# errors of a check on a stand-in that the real trainer would not raise
OUT_OF_REACH = (NameError, AttributeError, ImportError)


class Finished(Exception):
    """Replaces `return` in a check."""


class Source:
    """One module of a framework, read but not imported."""

    def __init__(self, path, package):
        self.tree = ast.parse(Path(path).read_text(encoding="utf-8"))
        self.package = package
        self._names = None

    def function(self, name, inside=None):
        """The syntax tree of a top-level function, or of a method; None when there is none."""
        scope = self.tree.body
        if inside:
            scope = next((node.body for node in scope if isinstance(node, ast.ClassDef) and node.name == inside), [])
        return next((node for node in scope if isinstance(node, ast.FunctionDef) and node.name == name), None)

    @property
    def names(self):
        """The names that the module's own imports bind, as far as they succeed here."""
        if self._names is None:
            self._names = {}
            for node in self.tree.body:
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    for alias in node.names:
                        self._import(node, alias)
        return self._names

    def _import(self, node, alias):
        bound = alias.asname or alias.name.split(".")[0]
        try:
            if isinstance(node, ast.Import):
                module = importlib.import_module(alias.name)
                self._names[bound] = module if alias.asname else importlib.import_module(bound)
                return
            module = importlib.import_module("." * node.level + (node.module or ""), self.package)
            self._names[bound] = getattr(module, alias.name)
        except Exception:  # a framework's module can fail in any way where its GPU packages are missing
            pass

    def take(self, name, inside=None, **more):
        """A function of the source, without its decorators and annotations; None when there is none."""
        function = self.function(name, inside)
        if function is None:
            return None
        function.decorator_list, function.returns = [], None
        for argument in function.args.args:
            argument.annotation = None
        namespace = {**self.names, **more}
        exec(compile(ast.Module([function], []), f"<{name}>", "exec"), namespace)
        return namespace[name]


# ---------------------------------------------------------------- conditions and refusals


class Checks:
    """The checks of one function; they run with values for its names."""

    def __init__(self, source, function, **more):
        self.source = source
        self.more = more
        self.steps = [compile(ast.fix_missing_locations(ast.Module([step], [])), "<checks>", "exec")
                      for statement in function.body for step in pruned(statement)]  # fmt: skip

    def run(self, names):
        """Raise what the framework raises. Returns what could not be run."""
        namespace, skipped = {**self.source.names, **self.more, **names}, []
        for step in self.steps:
            try:
                exec(step, namespace)
            except Finished:
                break
            except OUT_OF_REACH as error:
                skipped.append(f"{type(error).__name__}: {error}")
        return skipped


def checks_of(source, name, inside, **more):
    function = source.function(name, inside)
    return Checks(source, function, Finished=Finished, **more) if function else None


def pruned(statement):
    """A reduced statement: nothing, the statement itself, or a part of it."""
    if isinstance(statement, (ast.Raise, ast.Assert)):
        return [statement]
    if isinstance(statement, ast.Return):
        return ast.parse("raise Finished").body
    if isinstance(statement, (ast.With, ast.Try)):
        return _pruned_all(statement.body)
    if isinstance(statement, ast.If):
        return _pruned_if(statement)
    if isinstance(statement, ast.For):
        return [statement] if _refuses(statement) else []
    if isinstance(statement, ast.Assign):
        return [statement] if _is_simple(statement.value) else []
    return []


def _pruned_all(statements):
    return [left for statement in statements for left in pruned(statement)]


def _pruned_if(statement):
    body, otherwise = _pruned_all(statement.body), _pruned_all(statement.orelse)
    if not body and not otherwise:
        return []
    return [ast.copy_location(ast.If(statement.test, body or [ast.Pass()], otherwise), statement)]


def _refuses(statement):
    return any(isinstance(node, (ast.Raise, ast.Assert)) for node in ast.walk(statement))


def _is_simple(value):
    """Whether a value consists of names, numbers and arithmetic only."""
    calls = [node.func for node in ast.walk(value) if isinstance(node, ast.Call)]
    return all(isinstance(function, ast.Name) and function.id in SIMPLE_CALLS for function in calls)
