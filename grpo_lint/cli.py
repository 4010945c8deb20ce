"""The command line: `grpo-lint check`, `explain`, `rule`, `schema` and `server`. Thin: it finds files, hands them to `engine`, prints reports.

Options are read by a small table-driven reader of our own: it starts faster than argparse and answers mistakes better.
Modules that only one command or one format needs are imported where they are used.
"""

import io
import os
import sys

from .facts import BORROWED_NAMES, FACTS, VERSION, BadFact, Fact, canonical_name, did_you_mean, parse_fact, shown

CLEAN, FOUND, FAILED = 0, 1, 2
KILLED_BY_PIPE, KILLED_BY_KEYBOARD, TERMINATED = 141, 130, 143  # what a shell reports for a program that these signals end
ISSUES = "https://github.com/grpo-lint/grpo-lint/issues"
FORMATS = {  # each with the printer in report/ that makes it
    "full": "text.TextPrinter",
    "concise": "concise.ConcisePrinter",
    "json": "json.JsonPrinter",
    "sarif": "sarif.SarifPrinter",
    "github": "github.GithubPrinter",
    "gitlab": "gitlab.GitlabPrinter",
    "junit": "junit.JunitPrinter",
    "markdown": "markdown.MarkdownPrinter",
}
FOR_PEOPLE = ("full", "concise")
THRESHOLDS = ("error", "warning", "info", "never")
COLOURS = ("auto", "always", "never")


class Usage(Exception):
    """A command line that cannot be obeyed; the message is meant for the user."""


def console():
    """Run the command line of this process and end it; quietly when its reader has gone or its user has lost patience."""
    import gc

    gc.disable()  # a run is short and makes no garbage to speak of
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # no character of a config may break a terminal of another encoding
            stream.reconfigure(errors="backslashreplace")
    if "--fix" in sys.argv:
        _clean_up_when_terminated()
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        status = KILLED_BY_PIPE
    except Terminated:
        status = TERMINATED
    except KeyboardInterrupt:
        status = KILLED_BY_KEYBOARD
    _leave(status)


class Terminated(KeyboardInterrupt):
    """SIGTERM: somebody ends the process, and what it has begun to write beside a file is to be removed."""


def _clean_up_when_terminated():
    import signal

    def terminate(number, frame):
        raise Terminated

    signal.signal(signal.SIGTERM, terminate)


def _leave(status):
    """End the process at once: everything is written, and what the interpreter tidies up takes as long as ten files."""
    os._exit(status)


def main(words):
    """The exit status of a command line."""
    name, words = _command(words)
    try:
        return _COMMANDS[name](words)
    except Usage as problem:
        _note(problem)
        return FAILED
    except BrokenPipeError:
        raise
    except Exception as error:
        return _own_failure(error, "")


def _command(words):
    """(name of the command, its words); `check` need not be named."""
    if words and words[0] in _COMMANDS:
        return words[0], words[1:]
    return "check", words


def _note(message):
    print(f"grpo-lint: {message}", file=sys.stderr)


def _own_failure(error, about):
    """Say in one line that we broke, not the user; with GRPO_LINT_DEBUG the traceback comes through."""
    if os.environ.get("GRPO_LINT_DEBUG"):
        raise error
    reason = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    _note(f"internal error{about}: {reason}. Please report it with the file: {ISSUES} (GRPO_LINT_DEBUG=1 shows more)")
    return FAILED


# --- options --------------------------------------------------------------------------------------------------------


class Option:
    """One option of a command: its spellings, what it takes (`metavar`, "" for a switch), how a value is read."""

    __slots__ = ("name", "short", "metavar", "help", "choices", "many", "fact")

    def __init__(self, name, help, metavar="", short="", choices=(), many=False, fact=None):
        self.name = name
        self.short = short
        self.metavar = metavar or "|".join(choices)
        self.help = help
        self.choices = choices
        self.many = many
        self.fact = fact

    def read(self, text):
        """The value of the option written as `text`; raises Usage when it cannot be one."""
        if self.fact:
            try:
                return Fact(parse_fact(self.fact, text), "command line")
            except BadFact as bad:
                raise Usage(f"{self.name}: {bad}") from None
        if self.choices and text not in self.choices:
            hint = did_you_mean(text, self.choices)
            raise Usage(f"{self.name} is one of {', '.join(self.choices)}, not {shown(text)}{hint}")
        return text


def _option_of_fact(name):
    spec = FACTS[name]
    flag = "--framework-version" if name == "version" else f"--{name}"
    metavar = "" if spec.choices else "VERSION" if spec.kind == VERSION else "N"
    return Option(flag, spec.help, metavar=metavar, fact=name, choices=spec.choices)


_HELP = Option("--help", "show this help and exit", short="-h")
_COLOUR = Option("--color", "colours in the output (default: on a terminal)", choices=COLOURS)
_EXCLUDE = Option("--exclude", "leave out matching files and folders, such as 'vendor' or 'old/*.yaml'; may be repeated",
                  metavar="PATTERN", many=True)  # fmt: skip
_STDIN = Option("--stdin-filename", "what to call the text that is read from `-`", metavar="PATH")
_VERBOSE = Option("--verbose", "say how each file was recognised, and why others were skipped", short="-v")


def _check_options():
    return [
        Option("--fix", "apply the fixes that leave the training as it is, and report what is left"),
        Option("--unsafe-fixes", "with --fix or --diff: also the preferred fixes that change the run"),
        Option("--diff", "show what --fix would change and write nothing"),
        Option("--output-format", "how findings are printed (default: full)", choices=FORMATS),
        Option("--output-file", "write them to a file, and nothing to standard output", metavar="FILE"),
        Option("--baseline", "findings that are known and pass", metavar="FILE"),
        Option("--write-baseline", "write what fails now to the baseline, and take out what is gone"),
        Option("--select", "the rules that are wanted, by code, beginning of a code, or name (default: all)", metavar="RULES", many=True),
        Option("--extend-select", "rules that are wanted besides", metavar="RULES", many=True),
        Option("--ignore", "rules that are not wanted; of two words about a rule the more exact one counts", metavar="RULES", many=True),
        Option("--fail-on", "the least severity that makes the exit status 1 (default: warning)", choices=THRESHOLDS),
        _COLOUR,
        _EXCLUDE,
        _STDIN,
        _VERBOSE,
        Option("--show-settings", "print the settings for each PATH, and who says so, and check nothing"),
        Option("--quiet", "print errors and warnings and nothing else", short="-q"),
        _HELP,
        *map(_option_of_fact, FACTS),
    ]


def _explain_options():
    return [_COLOUR, _EXCLUDE, _STDIN, _VERBOSE, _HELP, *map(_option_of_fact, FACTS)]


def _rule_options():
    return [Option("--markdown", "print the page as Markdown"), _COLOUR, _HELP]


class Arguments:
    """What a command line says: `values` by option (a list for one that may be repeated), `facts`, `operands`."""

    __slots__ = ("values", "facts", "operands")

    def __init__(self):
        self.values = {}
        self.facts = {}
        self.operands = []

    def get(self, name, default=None):
        return self.values.get(name, default)

    def take(self, option, value):
        if option.fact:
            self.facts[option.fact] = value
        elif option.many:
            self.values.setdefault(option.name, []).append(value)
        else:
            self.values[option.name] = value


def read_arguments(words, options):
    """The Arguments in a list of words; raises Usage for what is no option, lacks a value, or has one it cannot have."""
    by_name = {spelling: option for option in options for spelling in (option.name, option.short) if spelling}
    arguments = Arguments()
    rest = iter(words)
    for word in rest:
        if word == "--":
            arguments.operands += rest
        elif word[:1] != "-" or word == "-":
            arguments.operands.append(word)
        else:
            name, equals, value = word.partition("=")
            option = by_name.get("--" + canonical_name(name[2:]) if name[:2] == "--" else name)
            if option is None:
                raise Usage(_unknown_option(name, by_name))
            if not option.metavar:
                if equals:
                    raise Usage(f"{option.name} takes no value")
                value = True
            elif not equals:
                value = next(rest, None)
                if value is None:
                    raise Usage(f"{option.name} needs a value: {option.name} {option.metavar}")
            arguments.take(option, option.read(value) if option.metavar else value)
    return arguments


def _unknown_option(name, by_name):
    if name == "--version":
        return "--version stands alone and shows the version of grpo-lint; did you mean '--framework-version'?"
    borrowed = BORROWED_NAMES.get(canonical_name(name.lstrip("-")))
    if borrowed and f"--{borrowed}" in by_name:
        return f"unknown option {shown(name)}; did you mean '--{borrowed}'?"
    hint = did_you_mean(name, [spelling for spelling in by_name if spelling[:2] == "--"])
    return f"unknown option {shown(name)}{hint or '; --help lists them'}"


# --- help -----------------------------------------------------------------------------------------------------------

_USAGE = {
    "check": ("grpo-lint [check] [OPTIONS] [PATH...]", "Check files and folders (default: the current folder; `-` reads standard input)."),
    "explain": ("grpo-lint explain [OPTIONS] FILE...", "Show the run that a file describes: every quantity, its formula and its origin."),
    "rule": ("grpo-lint rule [OPTIONS] [CODE|NAME]", "Show the page of a rule; without a rule, the table of all of them."),
    "server": ("grpo-lint server", "Serve an editor: the Language Server Protocol on standard input and output."),
    "schema": ("grpo-lint schema [OPTIONS] DIALECT[@VERSION]", "Write the JSON Schema of a framework's config files (trl, swift, megatron)."),
}
_STATUS = """\
Exit status: 0 clean (infos allowed), 1 findings at or above --fail-on, 2 wrong usage or an error of grpo-lint itself.
A comment in a file says the same as the facts: # grpo-lint: version=1.16.0 world-size=8
"""


def _help(command, options):
    usage, purpose = _USAGE[command]
    facts = [option for option in options if option.fact]
    parts = [f"usage: {usage}\n\n{purpose}\n"]
    if command == "check":
        others = "".join(f"\n       {_USAGE[other][0]}" for other in ("explain", "rule", "schema", "server"))
        parts[0] = f"usage: {usage}{others}\n       grpo-lint --version\n\n{purpose}\n"
    parts.append("options:\n" + _listed(option for option in options if not option.fact))
    if facts:
        parts.append("facts about the run that a file cannot say:\n" + _listed(facts))
        parts.append(_STATUS)
    print("\n".join(parts), end="")
    return CLEAN


def _listed(options):
    lines = []
    for option in options:
        flags = f"{option.short}, {option.name}" if option.short else f"    {option.name}"
        flags = f"  {flags} {option.metavar}".rstrip()
        lines.append(f"{flags:<34}{option.help}" if len(flags) < 34 else f"{flags}\n{'':<34}{option.help}")
    return "".join(line + "\n" for line in lines)


# --- check ----------------------------------------------------------------------------------------------------------


class Totals:
    """What a run has seen so far."""

    __slots__ = ("errors", "warnings", "infos", "checked", "skipped", "failing", "known", "fixed", "safe", "unsafe")

    def __init__(self):
        self.errors = self.warnings = self.infos = self.checked = self.skipped = self.failing = self.known = 0
        self.fixed = None  # how many findings are gone by --fix, None where it was not asked for
        self.safe = self.unsafe = 0  # findings that could be fixed without and with --unsafe-fixes

    def add(self, report, fail_on):
        if report.skipped is not None:
            self.skipped += 1
            return
        self.checked += 1
        self.known += len(report.known)
        for finding in report.findings:
            severity = finding.severity
            if severity == "error":
                self.errors += 1
            elif severity == "warning":
                self.warnings += 1
            else:
                self.infos += 1
            self.failing += _fails(finding, fail_on)
            if finding.fixes:
                from .fixes.fix import preferred

                self.safe += preferred(finding) is not None
                self.unsafe += preferred(finding) is None and preferred(finding, unsafe=True) is not None


def _fails(finding, fail_on):
    return THRESHOLDS.index(finding.severity) <= THRESHOLDS.index(fail_on) < 3


_RULE_OPTIONS = ("select", "extend-select", "ignore")


def _policy(arguments):
    """What the command line says about rules, None when it says nothing."""
    given = {name: arguments.get(f"--{name}") for name in _RULE_OPTIONS if arguments.get(f"--{name}") is not None}
    if not given:
        return None
    from .policy import Policy, wrong_word

    policy = Policy()
    for name, values in given.items():
        words = [word for value in values for word in value.replace(",", " ").split()]
        for problem in filter(None, map(wrong_word, words)):
            raise Usage(f"--{name}: {problem}")
        setattr(policy, name.replace("-", "_"), words)
    return policy


class Run:
    """What all files of one command line share: facts, exclusions, settings already complained about, the repository around them."""

    def __init__(self, arguments):
        from .settings import Globs
        from .surroundings import Around

        self.arguments = arguments
        self.status = CLEAN
        self.fixed = 0
        self._tallies = {}
        baseline = self._baseline()
        self._tally_of(baseline)
        self._around = Around(arguments.facts, baseline=baseline, writes=arguments.get("--write-baseline", False), policy=_policy(arguments))
        self._complained = set()
        self._exclude = Globs(arguments.get("--exclude", ()), os.getcwd())

    def _baseline(self):
        path = self.arguments.get("--baseline")
        if path is None:
            return None
        from .baseline import BadBaseline, Baseline, read_baseline

        if self.arguments.get("--write-baseline") and not os.path.exists(path):
            return Baseline(path)
        try:
            return read_baseline(path)
        except BadBaseline as bad:
            raise Usage(str(bad)) from None

    def fail_on(self, path):
        """The least severity that fails the run, for a file."""
        return self.arguments.get("--fail-on") or self.settings(path).fail_on or "warning"

    def show_settings(self):
        """The settings for each path that was asked for."""
        from .report.settings import shown

        asked = {name: self.arguments.get(f"--{name}") for name in ("fail-on", "exclude", "baseline", *_RULE_OPTIONS)}
        asked = {name: value for name, value in asked.items() if value is not None}
        for path in self._operands():
            inside = os.path.join(path, "*") if os.path.isdir(path) else path
            sys.stdout.write(shown(path, self.settings(inside), self._around.of(inside), asked))

    def tally(self, report):
        """Note what is there of the baseline that holds for a file."""
        tally = self._tally_of(self._around.baseline_of(report.path))
        if tally:
            tally.add(report, lambda finding: _fails(finding, self.fail_on(report.path)))

    def _tally_of(self, baseline):
        if baseline is None:
            return None
        if baseline.path not in self._tallies:
            from .baseline import Tally

            folders = (os.path.join(os.path.abspath(path), "") for path in self._operands() if os.path.isdir(path))
            self._tallies[baseline.path] = Tally(baseline, tuple(folders))
        return self._tallies[baseline.path]

    def stale(self):
        """The reports about baselines that know what is no longer there."""
        for tally in self._tallies.values():
            report = tally.report()
            policy = self._around.of(report.path).policy
            report.findings = policy.apply(report.findings) if policy else report.findings
            if report.findings:
                yield report

    def write_baselines(self):
        """Write the baselines anew, and say what has changed."""
        from .baseline import as_text, told

        if not self._tallies:
            raise Usage("--write-baseline needs to know which: --baseline FILE, or `baseline` in the settings")
        for path, tally in self._tallies.items():
            _write("--write-baseline", path, as_text(tally.renewed()))
            _note(f"{path}: {told(tally.baseline.paths, tally.renewed())}")

    def files(self):
        """The files that were asked for, in order; what cannot be had comes as `discovery.Unreadable`."""
        from .discovery import find_files

        return find_files(self._operands(), self._excluded)

    def _operands(self):
        return self.arguments.operands or [os.curdir]

    def _excluded(self, path):
        return self._exclude.match(path) or self._around.settings(path).excludes(path)

    def settings(self, path):
        """The settings for a file. A mistake in them is told once, and is wrong usage: nobody knows what was meant."""
        settings = self._around.settings(path)
        if settings.problems and id(settings) not in self._complained:
            self._complained.add(id(settings))
            self.status = FAILED
            for problem in settings.problems:
                _note(problem)
        return settings

    def name(self, file):
        """How a file is called in what we print."""
        if file == "-":
            return self.arguments.get("--stdin-filename", "<stdin>")
        return getattr(file, "path", file)

    def lint(self, file, fixes, repairs=False):
        """The report of one file; with `repairs`, of what it becomes by --fix or --diff."""
        from . import engine
        from .discovery import Unreadable

        name = self.name(file)
        if type(file) is Unreadable:
            return engine.unreadable(name, f"cannot be read: {file.reason}")
        self.settings(name)  # says what is wrong with them
        surroundings = self._around.of(name)
        try:
            data = sys.stdin.buffer.read() if file == "-" else engine.read(file)
        except engine.CannotRead as problem:
            return engine.unreadable(name, str(problem))
        if repairs and (self.arguments.get("--fix") or self.arguments.get("--diff")):
            return self._repair(file, data, name, surroundings)
        return engine.lint_bytes(data, name, surroundings, fixes)

    def _repair(self, file, data, name, surroundings):
        """The report of what a file becomes by its fixes; that is written, or only the difference is shown."""
        from .fixes import repair

        done = repair.repair(data, name, surroundings, self.arguments.get("--unsafe-fixes", False))
        if self.arguments.get("--diff"):
            if done.data != data:
                self.status = max(self.status, FOUND)
                sys.stdout.write(repair.difference(name, data, done.data))
        elif file == "-":
            sys.stdout.buffer.write(done.data)
        elif done.data != data:
            try:
                repair.replace(file, data, done.data)
            except repair.NotWritten as reason:
                self.status = FAILED
                _note(f"{name}: not written: {reason}")
                return done.first
        self.fixed += done.fixed
        return done.report

    def guarded(self, file, work):
        """work(file), or None with one line on standard error when we broke on it: the other files still count."""
        try:
            return work(file)
        except BrokenPipeError:
            raise
        except Exception as error:
            self.status = _own_failure(error, f" in {self.name(file)}")
            return None


def check(words):
    """`grpo-lint check`: print the findings of files and folders, say by the exit status how it went."""
    if words == ["--version"]:
        return _version()
    options = _check_options()
    arguments = read_arguments(words, options)
    if arguments.get("--help"):
        return _help("check", options)
    _refuse_misspelt_command(arguments.operands)
    _refuse_contradictions(arguments)
    run, totals = Run(arguments), Totals()
    asked, linked = [], []
    output_file = arguments.get("--output-file")
    # the fixed text of standard input goes to standard output, and so nothing else may
    stream = sys.stderr if arguments.get("--fix") and "-" in arguments.operands else sys.stdout
    if output_file or arguments.get("--write-baseline"):
        stream = io.StringIO()
    printer = _printer(arguments, run, stream)
    if arguments.get("--show-settings"):
        run.show_settings()
        return run.status

    def report_on(file, was_asked):
        report = run.lint(file, printer.shows_fixes, repairs=was_asked)
        if was_asked:
            asked.append(report.path)
            linked.extend(report.linked)
        else:
            _keep_launches_of(asked, report)
        totals.add(report, run.fail_on(report.path))
        run.tally(report)
        if arguments.get("--verbose"):
            _say_how_recognised(report)
        return printer.file(report)

    for files, was_asked in ((run.files(), True), (_not_asked(linked, asked), False)):
        for file in files:
            text = run.guarded(file, lambda file: report_on(file, was_asked))
            if text:
                stream.write(text)
    if arguments.get("--write-baseline"):
        run.write_baselines()
        return run.status
    for report in run.stale():
        totals.add(report, run.fail_on(report.path))
        stream.write(printer.file(report) or "")
    totals.fixed = run.fixed if arguments.get("--fix") else None
    text = printer.end(totals)
    if text:
        stream.write(text)
    if output_file:
        _write("--output-file", output_file, stream.getvalue())
    return run.status or (FOUND if totals.failing and not arguments.get("--diff") else CLEAN)


def _refuse_contradictions(arguments):
    diff, fix, form = arguments.get("--diff"), arguments.get("--fix"), arguments.get("--output-format")
    if arguments.get("--unsafe-fixes") and not (fix or diff):
        raise Usage("--unsafe-fixes goes with --fix or --diff")
    if diff and (form or arguments.get("--output-file")):
        raise Usage("--diff shows changes, not findings: it has no --output-format and no --output-file")
    if arguments.get("--write-baseline") and (diff or arguments.get("--output-file")):
        raise Usage("--write-baseline prints no findings: it goes without --diff and --output-file")
    if fix and form and form not in FOR_PEOPLE and "-" in arguments.operands and not arguments.get("--output-file"):
        raise Usage(f"--fix writes the fixed text of `-` to standard output, where the {form} report would go: add --output-file")


def _write(option, path, text):
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.write(text)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise Usage(f"{option}: {path} cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _not_asked(linked, asked):
    """The files that take part in a launch of the files that were asked for, each once, when its turn comes."""
    seen = {os.path.realpath(path) for path in asked} if linked else ()
    for path in list(dict.fromkeys(linked)):
        if os.path.realpath(path) not in seen:
            yield path


def _keep_launches_of(asked, report):
    """Of a file that only takes part in a launch of the files asked for, leave the findings about these launches."""
    paths = {os.path.realpath(path) for path in asked}

    def belongs(launch):
        texts = (launch.origin.script, launch.origin.config) if launch and launch.origin else ()
        return any(text is not None and os.path.realpath(text.path) in paths for text in texts)

    report.findings = [finding for finding in report.findings if belongs(finding.launch)]


def _version():
    from . import __version__

    print(f"grpo-lint {__version__}")
    return CLEAN


def _refuse_misspelt_command(operands):
    """`grpo-lint rules`: a word that is no file, looks like none, and resembles a command."""
    word = operands[0] if operands else ""
    if word.isalpha() and not os.path.exists(word):
        hint = did_you_mean(word, _COMMANDS)
        if hint:
            raise Usage(f"no file or command {shown(word)}{hint}")


def _say_how_recognised(report):
    if report.skipped is not None:
        _note(f"{report.path}: skipped: {report.skipped}")
        return
    from .wording import judged_as

    for launch in report.launches:
        _note(f"{report.path}: {judged_as(launch)}; {report.why}")


def _printer(arguments, run, stream):
    """The printer of the chosen format: `file(report)` and `end(totals)` give text, `shows_fixes` says whether it needs them."""
    name = arguments.get("--output-format", "full")
    if arguments.get("--diff"):
        return _DiffPrinter(run)
    from .report.text import terminal_width

    module, _, name = FORMATS[name].partition(".")
    printer = getattr(__import__(f"grpo_lint.report.{module}", fromlist=[name]), name)
    return printer(uses_colour(arguments, stream), terminal_width(stream), arguments.get("--quiet", False))


class _DiffPrinter:
    """The differences are on standard output already; on standard error stands what is no difference."""

    shows_fixes = True

    def __init__(self, run):
        self.run = run

    def file(self, report):
        if any(finding.rule.name == "file-can-be-read" for finding in report.findings):
            from .wording import message

            self.run.status = max(self.run.status, FOUND)
            _note(f"{report.path}: {message(report.findings[0])}")

    def end(self, totals):
        from .report.text import summary

        if not self.run.arguments.get("--quiet"):
            _note(f"nothing was written; with these changes: {summary(totals)}")


def uses_colour(arguments, stream):
    """Whether to print colours on a stream: as told, else on a terminal that knows them and whose user allows them."""
    choice = arguments.get("--color", "auto")
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


# --- explain and rule -----------------------------------------------------------------------------------------------


def explain(words):
    """`grpo-lint explain`: the whole plan of each file."""
    options = _explain_options()
    arguments = read_arguments(words, options)
    if arguments.get("--help"):
        return _help("explain", options)
    if not arguments.operands:
        raise Usage("explain needs a file: grpo-lint explain FILE")
    from .report.explain import explanation
    from .report.text import terminal_width

    run = Run(arguments)
    colour, width = uses_colour(arguments, sys.stdout), terminal_width(sys.stdout)
    verbose = arguments.get("--verbose", False)

    def explain_one(file):
        report = run.lint(file, fixes=False)
        if report.skipped is not None and file not in arguments.operands and not verbose:
            return ""  # met in a folder: nobody asked about this one
        return explanation(report, colour, width, verbose)

    for file in run.files():
        sys.stdout.write(run.guarded(file, explain_one) or "")
    return run.status


def rule(words):
    """`grpo-lint rule`: the page of one rule, or the table of all."""
    options = _rule_options()
    arguments = read_arguments(words, options)
    if arguments.get("--help"):
        return _help("rule", options)
    from .report import rule_page
    from .report.text import terminal_width
    from .rules import RULES, find_rule

    chosen = []
    for word in arguments.operands:
        found = find_rule(word)
        if found is None:
            known = [*RULES, *(each.code for each in RULES.values())]
            raise Usage(f"unknown rule {shown(word)}{did_you_mean(word, known) or '; `grpo-lint rule` lists them'}")
        chosen.append(found)
    colour, width = uses_colour(arguments, sys.stdout), terminal_width(sys.stdout)
    if not chosen:
        text = rule_page.index() if arguments.get("--markdown") else rule_page.table(colour)
        sys.stdout.write(text)
    for each in chosen:
        sys.stdout.write(rule_page.page(each) if arguments.get("--markdown") else rule_page.terminal(each, colour, width))
    return CLEAN


def schema(words):
    """`grpo-lint schema`: the JSON Schema of one release of a framework, on standard output."""
    options = [*(Option(f"--{name}", FACTS[name].help, choices=FACTS[name].choices) for name in ("algorithm", "loader")), _HELP]
    arguments = read_arguments(words, options)
    if arguments.get("--help"):
        return _help("schema", options)
    if len(arguments.operands) != 1:
        raise Usage("schema takes one framework: grpo-lint schema trl, or grpo-lint schema trl@0.22")
    name, _, version = arguments.operands[0].partition("@")
    dialects = FACTS["dialect"].choices
    if name not in dialects:
        raise Usage(f"the framework is one of {', '.join(dialects)}, not {shown(name)}{did_you_mean(name, dialects)}")
    from .schema import NoSchema, as_text, schema_of

    try:
        found = schema_of(name, version or "latest", arguments.get("--algorithm", "grpo"), arguments.get("--loader", "script"))
    except NoSchema as problem:
        raise Usage(str(problem)) from None
    sys.stdout.write(as_text(found))
    return CLEAN


def server(words):
    """`grpo-lint server`: speak the Language Server Protocol on standard input and output."""
    options = [Option("--stdio", "use standard input and output, which is the only way"), _HELP]
    arguments = read_arguments(words, options)
    if arguments.get("--help"):
        return _help("server", options)
    if arguments.operands:
        raise Usage("server takes no files: the editor sends them")
    try:
        from .lsp.server import start
    except ModuleNotFoundError as missing:
        if missing.name not in ("pygls", "lsprotocol"):
            raise
        raise Usage(f"the server needs {missing.name}, which is not installed: pip install 'grpo-lint[lsp]'") from None
    import gc

    gc.enable()  # a server lives long
    return start()


_COMMANDS = {"check": check, "explain": explain, "rule": rule, "schema": schema, "server": server}
