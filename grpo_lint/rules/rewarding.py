"""GRPO614 to GRPO619: rewards and data that a checkout holds, against each other. Raised where these are read; nothing else loads them."""

from .base import Rule

_IN_THE_FIRST_ROLLOUT = "Refused when the first rewards are computed, after a rollout: Python raises a TypeError there."
_A_KEY_ERROR = (
    "Refused when the rows are read, or when the first rewards are computed: a column of this name is not there."
)

RULES = (
    Rule(
        "GRPO614",
        "reward-takes-what-it-is-passed",
        "A reward function takes what the trainer passes, and needs no more",
        message="{function} in {file} {problem}",
        why="Rewards are computed after the first rollout. What the trainer passes by name has to be a parameter, or there has to be **kwargs.",
        refused_by=_IN_THE_FIRST_ROLLOUT,
        instead="Add the parameters, or **kwargs; give those that the trainer does not pass a default.",
    ),
    Rule(
        "GRPO615",
        "reward-finds-its-columns",
        "The data has the columns that a reward function needs",
        message="the reward {function} needs {columns}, which no row that was read of {file} has",
        why="The columns of the data are passed to rewards by their names.",
        refused_by=_IN_THE_FIRST_ROLLOUT,
        instead="Name the column as the reward calls it, or use another reward.",
    ),
    Rule(
        "GRPO616",
        "reward-returns-what-is-read",
        "A reward function returns what the trainer reads",
        message="{function} in {file} never returns {wanted}, which {title} expects",
        why="The first rewards are computed after a rollout, and a result of another form ends the run there.",
        refused_by="Refused when the first rewards are computed, after a rollout.",
        instead="Return what the trainer expects at each end of the function.",
    ),
    Rule(
        "GRPO617",
        "data-has-its-columns",
        "The data has the columns that its settings name",
        message="{setting} is {column}, but no row that was read of {file} has this column",
        why="Prompts, answers and sources are taken from columns of the data by their names.",
        refused_by=_A_KEY_ERROR,
        instead="Set the key to the column of the data, or rename the column.",
    ),
    Rule(
        "GRPO618",
        "data-source-has-a-score",
        "Each source of the data has a built-in score, or there is a reward function",
        message="{file} holds data of {sources}, for which {title} has no score, and no reward function is set",
        why="Without a function of its own, a run chooses the score by the source of a row.",
        refused_by="Refused when the first rewards are computed: Reward function is not implemented for data_source=...",
        instead="Set custom_reward_function.path, or name a source that has a score.",
    ),
    Rule(
        "GRPO619",
        "reward-is-defined",
        "The file of a reward function defines it",
        message="{file} defines no {function}",
        why="The function is looked up by its name when the workers start.",
        refused_by="Refused when the workers start: the function is not found in the file.",
        instead="Correct the name, or define the function.",
    ),
)
