"""How EasyR1 calls a reward function since 0.3.1, and the columns that it reads."""

from ...message import Message
from ..shared.reward_files import (
    COLLECTION,
    NOTHING,
    NUMBER,
    Function,
    Mismatch,
    columns_of,
    function_in,
    given,
    never_gives,
    not_defined,
    rows_of,
    text_of,
    texts_in,
    tree_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Iterator, NamedFiles, Run

_FUNCTION, _DATA = "worker.reward.reward_function", "data.train_files"
_MORE = "worker.reward.reward_function_kwargs"
_FIRST = (0, 3, 1)  # before it, three lists were passed


def mismatches(launch: "Run", files: "NamedFiles", release: "tuple[int, ...]") -> "Iterator[Mismatch]":
    """What the reward function and the data of a run disagree about."""
    named = given(launch, _FUNCTION)
    if type(named) is str and release >= _FIRST:
        yield from _of_the_function(launch, files, named)
    for name in texts_in(given(launch, _DATA)):
        name = name.partition("@")[0]
        columns = columns_of(rows_of(name, files))
        for key, usual in (("data.prompt_key", "prompt"), ("data.answer_key", "answer")) if columns else ():
            column = given(launch, key, usual)
            if type(column) is str and column not in columns:
                yield Mismatch("data-has-its-columns", {"setting": key, "column": column, "file": name}, _DATA)


def _of_the_function(launch: "Run", files: "NamedFiles", named: str) -> "Iterator[Mismatch]":
    path, _, name = named.rpartition(":") if ":" in named else (named, "", "main")
    tree = tree_of(path, files)
    if tree is None:
        return
    yield from not_defined(tree, name, path, _FUNCTION)
    function = function_in(tree, name)
    if function is not None:
        # since 0.3.3 the file says it, before the config does
        kind = text_of(tree, "REWARD_TYPE", given(launch, "worker.reward.reward_type", "batch"))
        yield from _of_a_call(launch, function, kind, {"function": name, "file": path})


def _of_a_call(launch: "Run", function: Function, kind: object, about: "dict[str, object]") -> "Iterator[Mismatch]":
    """A batch is one list of mappings, for which there is a list of them; one completion a mapping, for which there is one."""
    has_more = any(key == _MORE or key.startswith(f"{_MORE}.") for key in launch.entries)
    if len(function.needs) > 1 and not has_more:
        lacking = [*function.needs[1:]]
        yield Mismatch("reward-takes-what-it-is-passed", {**about, "refused": [], "lacking": lacking}, _FUNCTION)
    if kind == "batch" and never_gives(function, (NUMBER, NOTHING)):
        yield Mismatch("reward-returns-what-is-read", {**about, "wanted": Message("a list of mappings")}, _FUNCTION)
    if kind == "sequential" and never_gives(function, (NUMBER, NOTHING, COLLECTION), "overall"):
        yield Mismatch("reward-returns-what-is-read", {**about, "wanted": Message("a mapping with overall")}, _FUNCTION)
