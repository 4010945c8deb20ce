"""How EasyR1 calls a reward function since 0.3.1, and the columns that it reads."""

from ...message import Message
from ..shared.reward_files import (
    COLLECTION,
    NOTHING,
    NUMBER,
    Mismatch,
    columns_of,
    defines,
    function_in,
    given,
    rows_of,
    texts_in,
    tree_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Iterator, NamedFiles, Run

_FUNCTION, _DATA = "worker.reward.reward_function", "data.train_files"
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
    about = {"function": name, "file": path}
    if not defines(tree, name):
        yield Mismatch("reward-is-defined", about, _FUNCTION)
        return
    function = function_in(tree, name)
    kind = given(launch, "worker.reward.reward_type", "batch")
    if function is None or kind not in ("batch", "sequential"):
        return
    own = "worker.reward.reward_function_kwargs"
    if (
        own not in launch.entries
        and not any(key.startswith(f"{own}.") for key in launch.entries)
        and len(function.needs) > 1
    ):
        lacking = [*function.needs[1:]]
        yield Mismatch("reward-takes-what-it-is-passed", {**about, "refused": [], "lacking": lacking}, _FUNCTION)
    ends = set(function.returns)
    if kind == "batch":
        wrong, wanted = (
            ends <= {NUMBER, NOTHING} or all(isinstance(each, frozenset) for each in ends),
            Message("a list of mappings"),
        )
    else:
        wrong, wanted = all(each in (NUMBER, NOTHING, COLLECTION) or (isinstance(each, frozenset) and "overall" not in each) for each in ends), Message("a mapping with overall")  # fmt: skip
    if ends and wrong:
        yield Mismatch("reward-returns-what-is-read", {**about, "wanted": wanted}, _FUNCTION)
