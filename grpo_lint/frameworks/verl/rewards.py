"""How verl calls a reward function, and what it reads of the data for it. The rows of JSON are read since 0.7."""

from ...message import Message
from ..shared.reward_files import (
    COLLECTION,
    NOTHING,
    Function,
    Mismatch,
    called_by_name,
    columns_of,
    function_in,
    given,
    never_gives,
    not_defined,
    rows_of,
    texts_in,
    tree_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Iterator, NamedFiles, Run

_SECTIONS = ("reward.custom_reward_function", "custom_reward_function")
_MANAGERS = ("reward.reward_manager.name", "reward_model.reward_manager")
_MODELS = ("reward_model.enable", "reward.reward_model.enable")
_CALL_BY_NAME = ("naive", "dapo")  # managers that score one completion at a time
_SCORED = frozenset(
    """openai/gsm8k lighteval/MATH DigitalLearningGmbH/MATH-lighteval HuggingFaceH4/MATH-500 math_dapo math math_dapo_reasoning
    numina_aops_forum numina_synthetic_math numina_amc_aime numina_synthetic_amc numina_cn_k12 numina_olympiads codecontests apps
    codeforces taco hiyouga/geometry3k searchR1_nq searchR1_triviaqa searchR1_popqa searchR1_hotpotqa searchR1_2wikimultihopqa
    searchR1_musique searchR1_bamboogle""".split()
)  # of 0.6 - 0.9, and every name that begins with aime
_PASSED = ("data_source", "solution_str", "ground_truth", "extra_info")
_FIRST_TO_PASS_MORE, _FIRST_TO_READ_JSON = (0, 3), (0, 7)


def mismatches(launch: "Run", files: "NamedFiles", release: "tuple[int, ...]") -> "Iterator[Mismatch]":
    """What the reward function and the data of a run disagree about."""
    section = next((each for each in _SECTIONS if type(given(launch, f"{each}.path")) is str), "")
    manager = next((found for each in _MANAGERS if (found := given(launch, each)) is not None), "naive")
    if section:
        yield from _of_the_function(launch, files, release, section, manager)
    if release >= _FIRST_TO_READ_JSON and given(launch, "data.custom_cls.path") is None:
        has_model = any(given(launch, each) is True for each in _MODELS)
        yield from _of_the_data(launch, files, manager in _CALL_BY_NAME and not has_model, bool(section))


def _of_the_function(
    launch: "Run", files: "NamedFiles", release: "tuple[int, ...]", section: str, manager: object
) -> "Iterator[Mismatch]":
    path, name = str(given(launch, f"{section}.path")), given(launch, f"{section}.name", "compute_score")
    tree = tree_of(path, files)
    if tree is None or type(name) is not str:
        return
    yield from not_defined(tree, name, path, f"{section}.path")
    function = function_in(tree, name)
    if function is not None and manager in _CALL_BY_NAME:
        yield from _of_a_call(launch, function, release, section, {"function": name, "file": path})


def _of_a_call(
    launch: "Run", function: Function, release: "tuple[int, ...]", section: str, about: "dict[str, object]"
) -> "Iterator[Mismatch]":
    own = f"{section}.reward_kwargs"
    more = [key.rpartition(".")[2] for key in launch.entries if key.lstrip("+").startswith(f"{own}.")]
    passed = _PASSED if release >= _FIRST_TO_PASS_MORE else _PASSED[:-1]
    refused, lacking = called_by_name(function, (*passed, *more), frozenset())
    if own not in launch.entries and (refused or lacking):
        values = {**about, "refused": refused, "lacking": lacking}
        yield Mismatch("reward-takes-what-it-is-passed", values, f"{section}.path")
    if never_gives(function, (NOTHING, COLLECTION), "score"):
        wanted = Message("a number, or a mapping with score")
        yield Mismatch("reward-returns-what-is-read", {**about, "wanted": wanted}, f"{section}.path")


def _of_the_data(launch: "Run", files: "NamedFiles", is_scored: bool, has_function: bool) -> "Iterator[Mismatch]":
    """What the first file of the data lacks. `is_scored`: whether a score is computed for each row, by the function of the run or
    by the source of the row."""
    name = next(iter(texts_in(given(launch, "data.train_files"))), "")
    rows = rows_of(name, files)
    columns = columns_of(rows)
    source = given(launch, "data.reward_fn_key", "data_source")
    named = {
        "data.prompt_key": given(launch, "data.prompt_key", "prompt"),
        **({"data.reward_fn_key": source} if is_scored else {}),
    }
    for key, column in named.items() if rows else ():
        if type(column) is str and column not in columns:
            yield Mismatch("data-has-its-columns", {"setting": key, "column": column, "file": name}, "data.train_files")
    if is_scored and not has_function:
        sources = {row[str(source)]: None for row in rows if type(row.get(str(source))) is str}
        unknown = [each for each in sources if each not in _SCORED and not str(each).startswith("aime")]
        if unknown:
            yield Mismatch("data-source-has-a-score", {"sources": unknown, "file": name}, "data.train_files")
