"""What the code of a release of verl does with each setting: where it reckons with it, looks it up, or refuses it.

`demands(root, trees, classes)` reads the source of an unpacked release and returns {training engine: {path: demands}}, in the
words that the catalogue adds to the type of a setting:

    r           a number is reckoned with or compared in every run, so that a text or null ends it
    i(0,1]      a number outside of the range is refused
    i=a|b       a value that is none of these is refused
    c!int|str   a value of another type is refused, also null, where NoneType is no such type
    r?a.b=x|y   the same, where the setting a.b is true; ?a.b:x where it is x (or null), ?!a.b where it is false
    n=a|b       one of these is looked up, by code that is not reached in every run

The letter is the stage: `c` when the config is checked, `i` until the workers stand, `r` in training, `n` not told. What
is reached in every run is what no branch stands around, in the functions of CERTAIN.
"""

import ast
import re

# Of which section the attribute `config` of a class is, by its name.
CLASSES = (
    (r"(RayPPO|RayDAPO|PPO)Trainer\w*|TaskRunner\w*|BaseTaskRunner|AgentLoop\w+", ""),
    (r"(Async)?ActorRolloutRefWorker", "actor_rollout_ref"),
    (r"CriticWorker", "critic"),
    (r"(DataParallel|Megatron|Base)PPOActor", "actor_rollout_ref.actor"),
    (r"\w+PPOCritic", "critic"),
    (r"vLLM\w+|\w*Rollout|\w*RolloutReplica|SGLang\w+|\w+HttpServer", "actor_rollout_ref.rollout"),
    (r"RLHFDataset", "data"),
)
# Programs of their own, and what no run of the trainer reads.
ELSEWHERE = re.compile(
    r"sft|main_eval|main_generation|fully_async|one_step_off|tests?/|recipe|model_merger|separation|prefix_grouper"
)
# Functions that every run passes through. The workers' are those of one engine, and since 0.7 one of several.
CERTAIN = {
    "validate_config": "c", "_validate_config": "c", "_create_dataloader": "i", "RayPPOTrainer.__init__": "i", "get_rollout_class": "i",
    "_build_rollout": "i", "ActorRolloutRefWorker.init_model": "i", "RayPPOTrainer.fit": "r", "PPOTrainer.fit": "r", "PPOTrainer.step": "r",
    "PPOTrainer.__init__": "i", "TaskRunner.run": "c", "DataParallelPPOActor.update_policy": "r", "ppo_loss": "r", "kl_penalty": "r", "kl_penalty_forward": "r",
    "apply_kl_penalty": "r",
}  # fmt: skip
_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_RECKONED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow, ast.Mod, ast.Mult)
# Sections that every run makes into their dataclasses, with the stage at which.
BUILT = (("actor_rollout_ref.actor.", "c"), ("actor_rollout_ref.rollout.", "i"))
_TYPES = ("int", "float", "bool", "str", "list", "dict", "set", "tuple")
# What a comparison with a number takes, where null was looked for before.
_NUMBERS_OR_NULL = "!int|float|bool|NoneType"
UNCERTAIN, ENDING, NOT_NULL = "~", "+", "^"
# Branches that every run takes.
ALWAYS = re.compile(
    r"self\._is_(rollout|actor)|['\"](rollout|actor)['\"] in self\.role|self\.(val_)?reward_fn is not None|self\.hybrid_engine"
)


class Place(tuple):
    """(path of a setting or section, the settings that have to be true for it to be read)."""

    __slots__ = ()


class Package:
    """The functions of a release that a run may pass through, with the constants of their modules."""

    def __init__(self, root):
        self.functions, self.constants, self.names, self.backends = [], {}, {}, []
        self.has_v1 = (root / "verl" / "trainer" / "ppo" / "v1").is_dir()
        for path in sorted((root / "verl").rglob("*.py")):
            where = path.relative_to(root).as_posix()
            if ELSEWHERE.search(where):
                continue
            try:
                tree = ast.parse(path.read_text(encoding="utf-8"))
            except (SyntaxError, UnicodeDecodeError):
                continue
            self._module(tree, where)
        if (root / "verl" / "workers" / "fsdp_workers.py").exists():
            self.backends = []  # the workers are others

    def _module(self, tree, where):
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                self._function(node, "", where)
            elif isinstance(node, ast.ClassDef):
                self._registered(node)
                for inner in node.body:
                    if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        self._function(inner, node.name, where)
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                words = constants(node.value)
                if words:
                    self.constants[node.targets[0].id] = words

    def _registered(self, node):
        """The names under which a training engine is found."""
        for each in node.decorator_list:
            if isinstance(each, ast.Call) and ast.unparse(each.func) == "EngineRegistry.register":
                given = {keyword.arg: keyword.value for keyword in each.keywords}
                if "backend" in given and "language" in ast.unparse(given.get("model_type", node)):
                    self.backends += constants(given["backend"])

    def _function(self, node, owner, where):
        self.functions.append((node, owner, where))
        if node.name != "__init__":
            self.names.setdefault(node.name, []).append((node, where))


def constants(node):
    """The words of a list, a set or the keys of a table of words, and of words in pairs by their place; None for others."""
    if isinstance(node, ast.Dict):
        elements = node.keys
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        elements = node.elts
    elif isinstance(node, ast.Constant) and type(node.value) is str:
        return [node.value]
    else:
        return None
    try:
        found = [ast.literal_eval(each) for each in elements if each is not None]
    except ValueError:
        return None
    return found or None


class Reader:
    """The uses of settings in one function."""

    def __init__(self, uses, node, owner, where, given):
        self.uses, self.node, self.owner, self.where = uses, node, owner, where
        self.env = dict(given)
        name = f"{owner}.{node.name}" if owner else node.name
        self.stage = CERTAIN.get(name) or CERTAIN.get(node.name)
        self.is_built = node.name == "__post_init__" and owner in uses.sections
        self.names_of_fields = {}
        if uses.package.has_v1 and where.endswith("ppo/ray_trainer.py"):
            self.stage = None  # the trainer is another one by default
        told = "megatron" if "megatron" in where else "dp" if "fsdp" in where or "dp_" in where else ""
        self.engines = frozenset([told]) if told else uses.sections.get(owner, {}).get("", uses.engines)

    def stage_of(self, path):
        """The stage at which every run comes to this function with a setting."""
        if self.is_built:
            return next((stage for section, stage in BUILT if path.startswith(section)), None)
        return self.stage

    # --- which setting an expression is
    def places(self, node):
        if isinstance(node, ast.Name):
            return self.env.get(node.id, ())
        if isinstance(node, ast.Attribute):
            known = self.env.get(ast.unparse(node))
            return known if known is not None else self._inside(node.value, node.attr)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return self._inside(node.value, node.slice.value)
        if isinstance(node, ast.Call):
            inner = node.func
            if isinstance(inner, ast.Attribute) and inner.attr == "get" and node.args:
                return self._inside(inner.value, getattr(node.args[0], "value", None))
            if isinstance(inner, ast.Name) and inner.id == "getattr" and len(node.args) > 1:
                name = getattr(node.args[1], "value", None)
                return self._inside(node.args[0], name or self.names_of_fields.get(ast.unparse(node.args[1])))
            if "omega_conf_to_dataclass" in ast.unparse(inner) and node.args:
                return self.places(node.args[0])
        if (
            isinstance(node, ast.IfExp)
            and isinstance(node.test, ast.Call)
            and ast.unparse(node.test.func).endswith(".endswith")
        ):
            ending = ENDING + node.test.args[0].value  # which is cut off before the word is looked up
            return tuple(Place((path, (*needs, ending))) for path, needs in self.places(node.orelse))
        return ()

    def _inside(self, base, name):
        if type(name) is not str:
            return ()
        found = [Place((f"{path}.{name}" if path else name, needs)) for path, needs in self.places(base)]
        if not found and name in self.uses.roots and "config" in ast.unparse(base):
            found = [Place((name, ()))]
        return tuple(place for place in found if place[0] in self.uses.known)

    def leaves(self, node):
        return [place for place in self.places(node) if place[0] in self.uses.leaves]

    # --- what happens with it
    def read(self):
        self.block(self.node.body, (), True)

    def block(self, body, needs, sure, is_branch=False):
        """The statements of a block; `needs`: settings that are true here; `sure`: every call of the function comes here."""
        self.chain(body, needs, sure)
        for statement in body:
            self.statement(statement, needs, sure, is_branch)
            if isinstance(statement, ast.If) and _ends(statement.body) and not statement.orelse:
                sure = False  # what comes next is not reached by all
            if isinstance(statement, (ast.Return, ast.Raise)):
                break

    def statement(self, node, needs, sure, is_branch=False):
        if isinstance(node, ast.If):
            self.test(node.test, needs, sure)
            more = self.leaves(node.test)
            within = (*needs, *(place[0] for place in more)) if more else (*needs, UNCERTAIN)
            if ALWAYS.fullmatch(ast.unparse(node.test)):
                within = needs
            if _is_null_test(node.test) and (tested := self.leaves(node.test.left)):
                within = (*needs, *(NOT_NULL + place[0] for place in tested))
            if not is_branch:
                self.choice_of_if(node, needs, sure)
            for each in self.by_word(node.test, needs) or [within]:
                self.block(node.body, each, sure)
            is_chain = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
            self.block(node.orelse, (*needs, UNCERTAIN), sure, is_branch=is_chain)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self.expression(node.iter, needs, sure)
            for _ in self.rounds(node):
                self.block(node.body, needs, sure)
        elif isinstance(node, ast.While):
            self.test(node.test, needs, sure)
            self.block(node.body, needs, sure)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                self.expression(item.context_expr, needs, sure)
            self.block(node.body, needs, sure)
        elif isinstance(node, ast.Try):
            self.block(node.body, (*needs, UNCERTAIN) if node.handlers else needs, sure)
            self.block(node.finalbody, needs, sure)
        elif isinstance(node, ast.Assert):
            self.asserted(node.test, needs, sure)
            self.test(node.test, needs, sure)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.block(node.body, (*needs, UNCERTAIN), sure)
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    if isinstance(node, (ast.Return, ast.AugAssign)):
                        self.uses.free.update(path for path, _ in self.leaves(child))
                    self.expression(child, needs, sure)
            self.assigned(node, needs)

    def by_word(self, test, needs):
        """The needs of a branch that is taken where a setting is one of some words: once for each of them."""
        if not (isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Eq, ast.In))):
            return []
        words, tested = constants(test.comparators[0]) or [], self.leaves(test.left)
        if (
            len(tested) != 1
            or len(words) > 3
            or not all(type(word) is str and re.fullmatch(r"\w+", word) for word in words)
        ):
            return []
        return [(*needs, f"{tested[0][0]}:{word}") for word in words]

    def rounds(self, node):
        """Once for a loop, or with each name of a field that it goes through, alone or beside its value."""
        elements = node.iter.elts if isinstance(node.iter, (ast.Tuple, ast.List)) else ()
        targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
        if not elements or not all(isinstance(each, ast.Name) for each in targets):
            yield
            return
        for element in elements:
            parts = element.elts if isinstance(element, ast.Tuple) and len(targets) > 1 else [element]
            for target, part in zip(targets, parts):
                self.names_of_fields[target.id] = getattr(part, "value", None)
                self.env[target.id] = self.places(part)
            yield

    def assigned(self, node, needs):
        """A name for a setting."""
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], self.places(node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            target, value = node.target, self.places(node.value)
        else:
            return
        if isinstance(target, (ast.Name, ast.Attribute)):
            name = ast.unparse(target)
            if not (
                isinstance(target, ast.Attribute) and self.places(target)
            ):  # a setting that is set is no name for another
                self.env[name] = value

    def test(self, node, needs, sure):
        """An expression of which only the truth counts; the first operand of a chain is always looked at."""
        if isinstance(node, ast.BoolOp):
            for value in node.values:
                self.test(value, needs, sure)
                if not ALWAYS.fullmatch(ast.unparse(value)):
                    needs = (*needs, UNCERTAIN)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.test(node.operand, needs, sure)
        else:
            self.expression(node, needs, sure)

    def expression(self, node, needs, sure):
        if isinstance(node, ast.BoolOp):
            self.test(node, needs, sure)
            return
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)):
            needs = (*needs, UNCERTAIN)
        if isinstance(node, ast.IfExp):
            self.test(node.test, needs, sure)
            for value in (node.body, node.orelse):
                self.expression(value, (*needs, UNCERTAIN), sure)
            return
        self.reckoned(node, needs, sure)
        if isinstance(node, ast.Call):
            self.called(node, needs, sure)
        if isinstance(node, (ast.JoinedStr,)):
            return
        held = self.compared(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.expr, ast.keyword)):
                inner = child.value if isinstance(child, ast.keyword) else child
                if inner is not held and id(inner) not in self.uses.named:
                    self.uses.free.update(path for path, _ in self.leaves(inner))
                self.expression(inner, needs, sure)

    def compared(self, node):
        """The operand of a comparison with words, which are noted."""
        if not (
            isinstance(node, ast.Compare)
            and len(node.ops) == 1
            and isinstance(node.ops[0], (ast.Eq, ast.NotEq, ast.In, ast.NotIn))
        ):
            return None
        words = self.table(node.comparators[0])
        if words is None or not all(type(word) is str for word in words):
            return None
        for path, _ in self.leaves(node.left):
            self.uses.compared.setdefault(path, {}).update(dict.fromkeys(words))
        return node.left

    def table(self, node):
        return (
            constants(node) or self.uses.package.constants.get(ast.unparse(node)) or self.words.get(ast.unparse(node))
        )

    def reckoned(self, node, needs, sure):
        """Arithmetic, an order, a conversion or a range: what only numbers take."""
        operands = []
        if isinstance(node, ast.BinOp) and isinstance(node.op, _RECKONED):
            operands = [node.left, node.right]
            if isinstance(node.op, ast.Mod) and not self.leaves(node.left):
                operands = []  # a text may be formatted
        elif isinstance(node, ast.Compare) and any(isinstance(op, _ORDERED) for op in node.ops):
            operands = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("range", "int", "float"):
            operands = node.args
        for operand in operands:
            for path, more in self.leaves(operand):
                self.uses.add(self, path, "", (*needs, *more), sure)

    def called(self, node, needs, sure):
        """Hand what is known of arguments to a function of the package that has this name alone."""
        name = (
            node.func.id
            if isinstance(node.func, ast.Name)
            else node.func.attr
            if isinstance(node.func, ast.Attribute)
            else ""
        )
        found = self.uses.package.names.get(name, ())
        called = [each for each, where in found if len(found) == 1 or where == self.where]
        if len(called) != 1:
            return
        parameters = [each.arg for each in (*called[0].args.posonlyargs, *called[0].args.args) if each.arg != "self"]
        given = [*zip(parameters, node.args), *((each.arg, each.value) for each in node.keywords)]
        for parameter, value in given:
            for path, more in self.places(value):
                reached = (*needs, *more) if sure and self.stage_of(path) else (*needs, *more, UNCERTAIN)
                self.uses.hand(called[0], parameter, Place((path, tuple(dict.fromkeys(reached)))))
                self.uses.named.update(id(value) for _ in (1,))

    # --- what is refused
    def asserted(self, test, needs, sure):
        for each in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]:
            if isinstance(each, ast.Call) and ast.unparse(each.func) == "isinstance":
                self.of_type(*each.args, needs, sure)
            if not isinstance(each, ast.Compare):
                continue
            if len(each.ops) == 1 and isinstance(each.ops[0], ast.In):
                self.looked_up(each.left, each.comparators[0], needs, sure)
            if len(each.ops) == 1 and isinstance(each.ops[0], _ORDERED):
                self.bounded(each, needs, sure)

    def of_type(self, value, wanted, needs, sure):
        types = re.findall(r"\w+", ast.unparse(wanted))
        if set(types) <= set(_TYPES):
            told = "!" + "|".join(each for each in types if each not in ("set", "tuple"))
            for path, more in self.leaves(value):
                self.uses.add(
                    self, path, f"{told}|NoneType" if NOT_NULL + path in needs else told, (*needs, *more), sure
                )

    def bounded(self, each, needs, sure):
        """The range of `x > 0`."""
        bound = each.comparators[0]
        if not (isinstance(bound, ast.Constant) and type(bound.value) in (int, float)):
            return
        told = {
            ast.Gt: f"({bound.value},",
            ast.GtE: f"[{bound.value},",
            ast.Lt: f",{bound.value})",
            ast.LtE: f",{bound.value}]",
        }
        for path, more in self.leaves(each.left):
            self.uses.add(self, path, told[type(each.ops[0])], (*needs, *more), sure)

    def looked_up(self, value, table, needs, sure):
        words = self.table(table)
        if not words:
            return
        if isinstance(value, ast.Tuple):
            parts = [
                (each, sorted({word[place] for word in words if type(word) is tuple}))
                for place, each in enumerate(value.elts)
            ]
        else:
            parts = [(value, words)]
        for each, known in parts:
            if known and all(type(word) is str for word in known):
                for path, more in self.leaves(each):
                    self.uses.add_words(self, path, known, (*needs, *more), sure)

    @property
    def words(self):
        """Lists of words that the function itself makes."""
        return {
            statement.targets[0].id: words
            for statement in self.node.body
            if isinstance(statement, ast.Assign)
            and isinstance(statement.targets[0], ast.Name)
            and (words := constants(statement.value))
        }

    def choice_of_if(self, node, needs, sure):
        """`if x not in words: raise`, and `if x == a: ... elif x == b: ... else: raise`."""
        test = node.test
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotIn) and _raises(node.body):
            self.looked_up(test.left, test.comparators[0], needs, sure)
        branches, last = [node], node
        while len(last.orelse) == 1 and isinstance(last.orelse[0], ast.If):
            last = last.orelse[0]
            branches.append(last)
        if last.orelse and _raises(last.orelse):
            self.branches(branches, needs, sure)

    def chain(self, body, needs, sure):
        """Branches one after the other that all end the function, with a refusal behind the last."""
        run = []
        for statement in body:
            if isinstance(statement, ast.If) and _ends(statement.body) and not statement.orelse:
                run.append(statement)
            elif isinstance(statement, ast.Raise) and len(run) > 1:
                self.branches(run, needs, sure)
            elif not isinstance(statement, ast.Expr):
                run = []

    def branches(self, branches, needs, sure):
        words, places = [], None
        for branch in branches:
            for each in (
                branch.test.values
                if isinstance(branch.test, ast.BoolOp) and isinstance(branch.test.op, ast.Or)
                else [branch.test]
            ):
                if not (
                    isinstance(each, ast.Compare) and len(each.ops) == 1 and isinstance(each.ops[0], (ast.Eq, ast.In))
                ):
                    return
                own = self.leaves(each.left)
                known = constants(each.comparators[0]) or self.uses.package.constants.get(
                    ast.unparse(each.comparators[0])
                )
                if not own or not known or (places is not None and own != places):
                    return
                places = own
                words += [] if _refuses(branch.body) else known
        if places and all(type(word) is str for word in words):
            for path, more in places:
                self.uses.add_words(self, path, words, (*needs, *more), sure)


def _is_nearer(other, need, path):
    """Whether another setting of the same name is in the section of a path, and this one is not."""
    section = path.rpartition(".")[0]
    return other != need and other.rpartition(".")[2] == need.rpartition(".")[2] and other.rpartition(".")[0] == section


def settled(needs, path):
    """Without endings, and without what a value that is not null meets; another setting that may be null is not certain."""
    needs = [UNCERTAIN if need[0] == NOT_NULL and need[1:] != path else need for need in needs if need[0] != ENDING]
    return tuple(dict.fromkeys(need for need in needs if need[0] != NOT_NULL))


def _is_null_test(test):
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.ops[0], ast.IsNot)
        and ast.unparse(test.comparators[0]) == "None"
    )


def _raises(body):
    return bool(body) and isinstance(body[0], ast.Raise)


def _refuses(body):
    return isinstance(body[-1], ast.Raise)


def _ends(body):
    return isinstance(body[-1], (ast.Return, ast.Raise))


class Uses:
    """All uses of settings in a release."""

    def __init__(self, package, trees, sections):
        """`trees`: {engine: {path: (type, default)}}; `sections`: {name of a dataclass: {section that it is of: engines}}."""
        self.package, self.sections, self.engines = package, sections, frozenset(trees)
        self.known = {path for tree in trees.values() for path in tree}
        self.roots = {path for path in self.known if "." not in path}
        self.leaves = {
            path for tree in trees.values() for path, (kind, _) in tree.items() if kind not in ("map", "node")
        }
        self.kinds = {}
        for tree in trees.values():
            for path, (kind, _) in tree.items():
                self.kinds.setdefault(path, set()).add(kind.strip("+?"))
        self.found, self.handed, self.attributes = {}, {}, {}
        self.named, self.free, self.compared = set(), set(), {}

    def add(self, reader, path, what, needs, sure):
        what = what or (_NUMBERS_OR_NULL if NOT_NULL + path in needs else "")
        needs = settled(needs, path)
        needs = tuple(need for need in needs if not any(_is_nearer(other, need, path) for other in needs))
        stage = reader.stage_of(path) if sure and UNCERTAIN not in needs else None
        stage = stage or "n"
        self.found.setdefault((path, what, reader.engines), set()).add(
            (stage, tuple(n for n in needs if n != UNCERTAIN and n.partition(":")[0] != path))
        )

    def add_words(self, reader, path, words, needs, sure):
        endings = [need[1:] for need in needs if need[0] == ENDING]
        words = [*dict.fromkeys([*words, *(word + ending for ending in endings for word in words)])]
        if self.kinds[path] & {"str", "any", "required", "ref"}:
            self.add(reader, path, "=" + "|".join(words), [need for need in needs if need[0] != ENDING], sure)

    def hand(self, name, parameter, place):
        self.handed.setdefault(name, {}).setdefault(parameter, {})[place] = None

    def read(self):
        for _ in range(3):  # through functions that call functions
            self.found.clear()
            self.free.clear()
            for node, owner, where in self.package.functions:
                reader = Reader(self, node, owner, where, self.given(node, owner, where))
                reader.read()
                if owner and node.name == "__init__":
                    own = {name: places for name, places in reader.env.items() if name.startswith("self.") and places}
                    self.attributes[owner, where] = own
        return self.found

    def given(self, node, owner, where):
        """What the parameters of a function, and `self`, are."""
        env = {}
        root = next((section for pattern, section in CLASSES if owner and re.fullmatch(pattern, owner)), None)
        if root is not None:
            env["self.config"] = env["config"] = (Place((root, ())),)
        elif (not owner and where.startswith("verl/trainer/")) or node.name in ("validate_config", "_validate_config"):
            env["config"] = (Place(("", ())),)
        for section in filter(None, self.sections.get(owner, ())):
            env["self"] = (*env.get("self", ()), Place((section, ())))
        for each in (*node.args.args, *node.args.kwonlyargs):
            named = re.search(r"\w+Config\b", ast.unparse(each.annotation)) if each.annotation else None
            if named and named[0] in self.sections:
                env[each.arg] = tuple(Place((section, ())) for section in filter(None, self.sections[named[0]]))
            elif each.arg == "data_config":
                env[each.arg] = (Place(("data", ())),)
        for name, places in self.handed.get(node, {}).items():
            env[name] = (*env.get(name, ()), *(place for place in places if place not in env.get(name, ())))
        env.update(self.attributes.get((owner, where), {}))
        return env


# Sizes that every run multiplies or compares, by code that is reached through other names; and what packages beside verl refuse,
# which are handed the value as it is: `conformance/ranges` asks them. Megatron's optimizer takes any number, and its schedule, which
# verl has since 0.4.1, none below 0.
# The trainer of 0.9 takes the batch of its loader as it is written; where groups are generated anew it sets it to 1.
_AS_WRITTEN = "?trainer.use_v1?trainer.v1.trainer_mode:sync?!algorithm.filter_groups.enable?!trainer.v1.sampler.sync_refill_failed_groups"
BESIDE = (
    (r"actor_rollout_ref\.rollout\.gpu_memory_utilization", "i?actor_rollout_ref.rollout.name:vllm(0,1]"),
    (r"(actor_rollout_ref\.actor|critic)\.optim\.(lr|weight_decay)", "i[0,"),
    (r"actor_rollout_ref\.rollout\.n", "c"),
    (r"actor_rollout_ref\.actor\.ppo_mini_batch_size", "i"),
    (r"actor_rollout_ref\.actor\.ppo_epochs", "r"),
    (r"actor_rollout_ref\.(actor|ref)\.ulysses_sequence_parallel_size", "c?actor_rollout_ref.actor.strategy:fsdp"),
    (r"data\.max_prompt_length", "r?actor_rollout_ref.rollout.prompt_length:null"),
    (r"data\.max_response_length", "r?actor_rollout_ref.rollout.response_length:null"),
    (r"data\.gen_batch_size", f"i{_AS_WRITTEN}!int|NoneType"),
    (r"data\.gen_batch_size", f"i{_AS_WRITTEN}[0,"),
)
_OUTSIDE = frozenset(demand for _, demand in BESIDE)
_SCHEDULE = "get_megatron_optimizer_param_scheduler"
_ORDER = "cir"


def demands(root, trees, classes, nodes):
    """{(engine, path): demands, in the words above}."""
    uses = Uses(Package(root), trees, sections_of(classes, nodes))
    found = {}
    for (path, what, engines), reached in uses.read().items():
        sure = {
            needs: stage for stage, needs in sorted(reached, key=lambda each: -_ORDER.find(each[0])) if stage != "n"
        }
        for engine in engines:
            own = found.setdefault((engine, path), {})
            if what[:1] == "=" and not sure and path not in uses.free:
                own.setdefault("n", []).extend(what[1:].split("|"))
            for needs, stage in sure.items():
                if not needs or (what[:1] == "=" and () not in sure):  # else it is refused by a rule of its own
                    own[stage + "".join(f"?{need}" for need in needs) + what] = None
    for path, words in uses.compared.items():
        if path not in uses.free and len(words) > 1:
            for engine in trees:
                found.setdefault((engine, path), {}).setdefault("n", [*words])
    for pattern, demand in BESIDE:
        for path in filter(re.compile(pattern).fullmatch, uses.leaves):
            for engine in trees:
                if engine != "megatron" or ".optim." not in path or _SCHEDULE in uses.package.names:
                    found.setdefault((engine, path), {})[demand] = None
    groups = sorted(path.stem for path in (root / "verl" / "trainer" / "config" / "model_engine").glob("*.yaml"))
    for engine in trees if groups else ():
        found.setdefault((engine, "model_engine"), {})["n"] = groups
    if uses.package.backends:
        found.setdefault(("dp", "actor_rollout_ref.actor.strategy"), {})["n"] = [*dict.fromkeys(uses.package.backends)]
    return {
        (engine, path): told
        for (engine, path), each in found.items()
        if path in trees[engine] and (told := _told(each, *trees[engine][path]))
    }


def _told(each, kind, default):
    """The demands of a setting in one text: those that its own default meets. What is only looked up somewhere counts where
    nothing is refused."""
    words = [*dict.fromkeys(each.pop("n", ()))]
    if len(words) > 1 and not any("=" in demand for demand in each):
        each[f"n={'|'.join(words)}"] = None
    return ";".join(sorted(demand for demand in each if _meets(demand, kind.strip("+?"), default)))


def _meets(demand, kind, default):
    if "!" in demand:
        types = demand.partition("!")[2].split("|")
        known = kind not in ("map", "node", "required")
        return known and (kind == "ref" or default is None or type(default).__name__ in types)
    what = re.search(r"(=|[\[(]|,).*$", demand)
    if kind == "ref":
        return what is not None and "=" not in what[0]
    if kind in ("map", "node", "list", "required"):
        return kind == "required" and "=" in demand
    if what is None or "=" not in what[0]:
        return (kind in ("int", "float") and default is not None) or (kind == "any" and demand in _OUTSIDE)
    return kind in ("str", "any") and (default is None or default in what[0][1:].split("|"))


def sections_of(classes, nodes):
    """{name of a dataclass: {section that it, or a class made of it, is of: training engines}}, all engines under an empty
    text. `nodes`: (section, its class, engine)."""
    found = {}
    for section, name, engine in nodes:
        todo, seen = [name], set()
        while todo:
            each = todo.pop()
            told = found.setdefault(each.rpartition(".")[2], {})
            for place in (section, ""):
                told[place] = told.get(place, frozenset()) | {engine}
            seen.add(each)
            _, bases, _ = classes.get(each, (None, (), None))
            todo += [
                other for base in bases for other in classes if other.rpartition(".")[2] == base and other not in seen
            ]
    return found
