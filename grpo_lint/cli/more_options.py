"""The options of the commands besides `check`, which a start of it does not load."""

from ..frameworks.companions import COMPANIONS
from ..frameworks.registry import ROOTS
from ..launch.facts import FACTS
from ..report.totals import THRESHOLDS
from .options import COLOUR, EXCLUDE, HELP, LANGUAGE, LINE, RULES, STDIN, VERBOSE, Option, option_of_fact


def run_options() -> "list[Option]":
    return [
        Option("--anyway", "start the command whatever is found"),
        Option(
            "--fail-on", "the least severity that keeps the command from starting (default: error)", choices=THRESHOLDS
        ),
        RULES,
        COLOUR,
        LANGUAGE,
        VERBOSE,
        HELP,
        *map(option_of_fact, FACTS),
    ]


EXPLAIN_FORMATS = ("text", "json", "markdown", "html", "svg")


def explain_options() -> "list[Option]":
    return [
        Option("--picture", "draw a rollout and its updates (text; html and svg always do)"),
        Option(
            "--teach",
            "the loop of the run as pseudo code, and what DP, TP, PP, CP, EP and SP are, with its numbers (text)",
        ),
        Option("--output-format", "output format (default: text)", choices=EXPLAIN_FORMATS),
        Option("--output-file", "write it to a file, and nothing to standard output", metavar="FILE"),
        RULES,
        COLOUR,
        LANGUAGE,
        EXCLUDE,
        STDIN,
        VERBOSE,
        HELP,
        *map(option_of_fact, FACTS),
    ]


def upgrade_options() -> "list[Option]":
    return [
        Option(
            "--to",
            "the release that the files are to run on, such as trl@1.16 (its last patch) or trl",
            metavar="DIALECT@VERSION",
        ),
        Option("--from", "the release that they run on now, where nothing says it", metavar="DIALECT@VERSION"),
        Option(
            "--pin-defaults",
            "write out the defaults that the release has changed, and give updates their old size back",
        ),
        Option(
            "--pins", "change exact pins of the old release as well, in requirements files, pyproject.toml and the like"
        ),
        Option("--fix", "write the files"),
        Option("--diff", "show what --fix would change and write nothing"),
        Option("--output-format", "output format (default: text)", choices=("text", "json")),
        EXCLUDE,
        COLOUR,
        VERBOSE,
        LANGUAGE,
        HELP,
        *(option_of_fact(name) for name in FACTS if name not in ("dialect", "version", *COMPANIONS)),
    ]


def diff_options() -> "list[Option]":
    return [
        Option("--output-format", "output format (default: text)", choices=("text", "markdown", "json")),
        COLOUR,
        VERBOSE,
        LANGUAGE,
        HELP,
        *map(option_of_fact, FACTS),
    ]


def rule_options() -> "list[Option]":
    return [Option("--markdown", "print the page as Markdown"), RULES, COLOUR, LANGUAGE, HELP]


def schema_options() -> "list[Option]":
    return [
        *(Option(f"--{name}", FACTS[name].help, choices=FACTS[name].choices) for name in ("algorithm", "loader")),
        LANGUAGE,
        HELP,
    ]


def server_options() -> "list[Option]":
    return [
        Option("--stdio", "use standard input and output, which is the only way"),
        Option("--check", "say whether the server can start, and what is missing; start nothing"),
        RULES,
        LANGUAGE,
        HELP,
    ]


def mcp_options() -> "list[Option]":
    return [
        Option("--root", "the folder outside of which nothing is read (default: the current one)", metavar="FOLDER"),
        LANGUAGE,
        HELP,
    ]


def init_options() -> "list[Option]":
    return [
        Option("--yes", "write without asking", short="-y"),
        Option("--dry-run", "show what would be written, and write nothing"),
        LANGUAGE,
        HELP,
    ]


# {option: the kind of parallelism, as in `plan.shape.Shape`}
PARALLEL = {"tp": "tensor", "pp": "pipeline", "cp": "context", "ep": "expert"}


def plan_options() -> "list[Option]":
    sizes = (
        ("gpus", "training processes over all nodes"),
        *((name, f"{kind} parallel size") for name, kind in PARALLEL.items()),
        ("generations", "completions of one prompt (default: 8 first, then other usual sizes)"),
        ("completions-per-update", "completions behind one update (default: usual sizes)"),
        ("micro", "completions of one pass on a device (default: 1,2,4)"),
        ("updates-per-rollout", "updates for which a rollout is used (default: 1,2,4)"),
        ("epochs", "passes through the data"),
    )
    return [
        *(Option(f"--{name}", help, metavar="N|N..N|N,N") for name, help in sizes),
        Option(
            "--model",
            "name or path of the model, for what is written and what its layers and heads allow",
            metavar="NAME",
        ),
        Option("--backend", "the training engine, where the framework has several", metavar="NAME"),
        Option("--memory", "whether a device has little room, or room to fill", choices=("tight", "free")),
        Option("--from", "a config or script: which settings change so that --gpus train the same", metavar="FILE"),
        LINE,
        Option(
            "--output-format", "how proposals are printed (default: text)", choices=("text", "yaml", "command", "json")
        ),
        COLOUR,
        LANGUAGE,
        HELP,
        *(option_of_fact(name) for name in ("dialect", "version", "dataset_size", "parameters", "gpu_memory")),
    ]


def convert_options() -> "list[Option]":
    return [
        Option("--to", "the framework that is to train, and its release where it is not the latest one", metavar=f"{'|'.join(ROOTS)}[@VERSION]"),
        *(Option(f"--{name}", f"{kind} parallel size of the result", metavar="N") for name, kind in PARALLEL.items()),
        LINE,
        Option("--output-file", "write the result to a new file, and what there is to know to standard output", metavar="FILE"),
        Option("--output-format", "the result with what there is to know on standard error, or all of it as JSON", choices=("text", "json")),
        COLOUR,
        LANGUAGE,
        HELP,
        *(option_of_fact(name) for name in FACTS),
    ]  # fmt: skip


def sweep_options() -> "list[Option]":
    return [
        Option(
            "--config", "the config or script that the grid varies, where its file does not name one", metavar="FILE"
        ),
        Option("--output-format", "how the answer is printed (default: text)", choices=("text", "json")),
        Option("--verbose", "all values that fail, not the first lines of them", short="-v"),
        COLOUR,
        LANGUAGE,
        HELP,
        *(option_of_fact(name) for name in FACTS),
    ]


def confirm_options() -> "list[Option]":
    return [
        Option("--step-time", "how long one step takes, where no log says it: 68s, 1m 8s", metavar="TIME"),
        LINE,
        Option("--output-format", "how the answer is printed (default: text)", choices=("text", "json")),
        COLOUR,
        LANGUAGE,
        HELP,
        *(option_of_fact(name) for name in FACTS),
    ]


def completion_options() -> "list[Option]":
    return [LANGUAGE, HELP]
