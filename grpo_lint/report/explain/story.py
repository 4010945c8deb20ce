"""The content of `explain` for one launch, whatever the format: the answer, the inputs, every quantity, every
constraint."""

from ...checker.verdict import conditions, decide, inputs_of, is_refusal, one_per_regime
from ...frameworks.companions import COMPANION_OF
from ...frameworks.descriptions import describe
from ...frameworks.python_calls import PATCHERS
from ...launch.facts import IN_PLAN, option_name
from ...launch.origin import place_of
from ...message import NOTHING, Message, ands, series, within
from ...plan.formula import Formula
from ...plan.quantities import GROUPS, INNER, QUANTITIES
from ...record import Record
from ...source.credentials import unless_secret
from ...source.quoting import plural, shortened
from ...source.text import Span
from ...source.yaml.scalars import shown_value
from ...unknown import UNKNOWN
from ..messages import judged_as, origin, overridden, release
from ..side_by_side import SideBySide, plans_of, shown_plan
from .answer import answer, why_not_evaluated, why_off_policy
from .arithmetic import in_words, label_of, leaves, missing, numbers_put_in, shown
from .checks import FAILS, UNENFORCED, checks, put_behind
from .symbols import SIGNS, symbolic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Check, Condition, Contribution, Finding, Launch, Report, ShownPlan, Text

MOST_READERS = 3  # of one file that are named
MOST_COLUMNS = 4  # numbers of nodes that are shown side by side
YES, NO = Message("yes"), Message("no")
_ORDER = {name: place for place, name in enumerate(QUANTITIES)}

# what people see in the log and take for a mistake
_NOTHING_IS_LEFT = Message("so none is written, also not at the end")
_NOT_CLIPPED = Message("so the ratio is 1 and the clip ratio 0, but for rounding")


class Row:
    """One quantity.

    name, label, group   what it is called in settings and JSON, what people read, and the table it stands in
    value, text          its value as computed (None: not known) and as it is told
    unit, meaning        what it counts, and what it means
    formula, how         the formula that gave it, and the same with numbers
    own                  what the framework or its documents call it
    concerns             codes of the findings that are about it
    inner                whether it is a step on the way to others
    """

    name: str
    label: Message
    group: Message
    value: object
    text: Message
    unit: Message
    meaning: Message
    formula: str
    how: Message
    own: str
    concerns: "list[str]"
    inner: bool

    @property
    def is_told(self) -> bool:
        """Whether it is for everybody, and not only for who asks for all."""
        return not self.inner or (bool(self.concerns) and type(self.value) is not bool)


class Given(Record):
    """A setting or fact that the numbers come from. `where`: the place that says so; `is_default`: nobody wrote it; `meaning`: what
    a setting does."""

    name: str
    value: object
    text: Message
    where: Message
    is_default: bool = False
    meaning: Message = NOTHING


def _reader_of(launch: "Launch") -> Message:
    """Who reads the settings, where that is a program that can be named; an empty text for none."""
    program = launch.program
    if program is None or not launch.framework.reader.programs.read_by_scripts or launch.loader == "kwargs":
        return Message("read by {reader}", {"reader": launch.reader}) if launch.reader else NOTHING
    names = [each.name for each in program.others] or [program.name]
    if len(names) > MOST_READERS:
        return Message("read by one of {count} programs, and nothing shows which", {"count": len(names)})
    if len(names) > 1:
        return Message("read by {programs}: nothing shows which of them", {"programs": ands(names)})
    read_by = Message("read by {reader}", {"reader": names[0]})
    return within(read_by, program.shown_by) if program.shown_by else read_by


class Story:
    """One launch, judged with its newest candidate release."""

    def __init__(self, report: "Report", launch: "Launch") -> None:
        self.report = report
        self.launch = launch
        self.candidate = launch.candidates[0]
        self.nodes = _legal_nodes(launch)
        self.plan = _plan(launch, self.nodes)
        self.release = release(launch, self.candidate)
        self.judged = series([*filter(None, (judged_as(launch), _reader_of(launch)))])
        self.checks: list[Check] = checks(launch, self.plan)
        put_behind(self.checks, {each.rule.name: each.rule.code for each in report.findings if each.launch is launch})
        self.answer = answer(report, launch, self.plan)
        self._concerns = self._findings_by_quantity()
        self.rows = [row for row in map(self._row, sorted(self._names(), key=_place_in_table)) if row is not None]
        self.given = [self._given(name) for name in self._inputs()]

    # --- quantities

    def _names(self) -> "list[str]":
        """The quantities that say something here: those of an evaluation only when there is one."""
        names = self.candidate.regime.quantities
        hidden = set()
        if self.plan.value("evaluates") is False:
            hidden.add("evaluation")
        if self.plan.value("training_memory") is None:  # why it is not known is said in its place
            hidden.add("memory")
        return [name for name in names if described(name)[0] not in hidden]

    def _row(self, name: str) -> "Row | None":
        plan = self.plan
        if plan.is_unset(name):
            return None
        row = Row()
        row.name, row.label = name, label_of(name)
        row.group, row.unit, row.meaning = map(Message, described(name))
        row.value = plan.value(name)
        row.own = self.launch.framework.arithmetic.own_names.get(name, "")
        row.concerns = self._concerns.get(name, [])
        row.inner = name in INNER or self._is_a_needless_fraction(row) or self._says_nothing_new(row)
        formula = plan.chosen.get(name)
        row.formula = formula.text if formula else ""
        row.text, row.how = self._told(name, row.value, formula)
        return row

    def _told(self, name: str, value: object, formula: "Formula | None") -> "tuple[Message, Message]":
        plan = self.plan
        if value is None:
            signs = symbolic(plan, name)
            return (signs, NOTHING) if signs else (Message("unknown"), missing(plan, name))
        if name == "on_policy":
            return (YES, _NOT_CLIPPED) if value is True else (NO, why_off_policy(plan))
        if name == "checkpoint_interval" and value == 0:
            return shown(value), _NOTHING_IS_LEFT
        if type(value) is bool:
            return (YES if value else NO), in_words(plan, name)
        if formula is None or not _is_one_formula(plan, name):
            return shown(value), NOTHING
        how = numbers_put_in(plan, formula)
        return shown(value), NOTHING if how == shown(value) else how

    def _is_a_needless_fraction(self, row: "Row") -> bool:
        """A fraction that no constraint speaks of says nothing: 1.33 prompts per rank where groups may lie over ranks."""
        if type(row.value) is not float or row.value.is_integer() or row.name == "epochs_covered":
            return False
        return (
            not any(_is_named_by(check.rule, row.name) for check in self.checks) and row.name != "updates_per_rollout"
        )

    def _says_nothing_new(self, row: "Row") -> bool:
        others = {"executed_steps": "total_steps", "micro_steps_of_data": "micro_steps_per_epoch"}
        return row.name in others and self.plan.value(others[row.name]) in (None, row.value)

    def _findings_by_quantity(self) -> "dict[str, list[str]]":
        """{quantity: codes of the findings that are about it}."""
        found: dict[str, list[str]] = {}
        for finding in self.report.findings:
            if finding.launch is not self.launch or finding.rule.broken is None or finding.rule.broken.is_path:
                continue
            told = finding.message.replace("{", "|").replace("}", "|").replace(".how", "").split("|")
            names = [name for name in told if name in QUANTITIES] or finding.rule.broken.names
            for name in dict.fromkeys(names):
                codes = found.setdefault(name, [])
                if finding.rule.code not in codes:
                    codes.append(finding.rule.code)
        return found

    @property
    def why_not_evaluated(self) -> Message:
        """'not evaluated: eval_strategy is no', or an empty text."""
        return why_not_evaluated(self.plan)

    @property
    def why_no_memory(self) -> Message:
        """'memory: no bound, since load_in_4bit is true', or an empty text."""
        if self.plan.value("training_memory") is not None:
            return NOTHING
        from .why_no_memory import why_no_memory

        return why_no_memory(self.plan, self.launch.framework.title, self.launch.attached)

    @property
    def besides(self) -> "list[Message]":
        """What the run does with a completion, in sentences."""
        from .besides import besides

        return list(besides(self))

    @property
    def signs(self) -> "list[Message]":
        """'N: the number of processes, said with --world-size': what the signs stand for that formulas use."""
        used = {
            fact
            for fact in SIGNS
            if self.plan.value(fact) is None
            and any(row.value is None for row in self.rows)
            and not self.plan.is_unset(fact)
        }
        return [
            Message(
                "{sign}: {meaning}, given by --{option} or a comment",
                {"sign": sign, "meaning": Message(meaning), "option": option_name(fact)},
            )
            for fact, (sign, meaning) in SIGNS.items()
            if fact in used
        ]

    # --- what the numbers come from

    def _inputs(self) -> "list[str]":
        """The settings and facts behind all quantities, in the order in which the tables need them."""
        found: dict[str, bool] = {"world_size": True}
        for row in self.rows:
            found.update(dict.fromkeys(leaves(self.plan, row.name), True))
        if self.plan.value("evaluates") is False:
            found.update(dict.fromkeys(leaves(self.plan, "evaluates"), True))
        if self.plan.is_unset("eval_dataset_size"):
            found.pop("eval_dataset_size", None)
        return list(found)

    def _given(self, name: str) -> "Given":
        value = self.plan.value(name)
        if value is None and not self.plan.is_unset(name):
            where, meaning = self._how_to_say(name), self._meaning_of(name)
            return Given(name=name, value=None, text=Message("unknown"), where=where, meaning=meaning)
        if self.nodes and name == "world_size":
            return Given(name=name, value=value, text=shown(value), where=shown_nodes(self.nodes))
        found = origin(self.launch, self.candidate, self.plan, name)
        where = (
            where_said(found, self.report.text) if found else Message("default of {release}", {"release": self.release})
        )
        lost = overridden(self.launch, name)
        if lost is not None:
            instead = {"value": shortened(shown_value(lost.value)), "place": self._place_of(lost)}
            where = Message("{source}, in place of {value} in {place}", {"source": where, **instead})
        is_default = found is None or bool(found.release) or self._goes_with_the_release(name)
        if type(value) is str:
            value = unless_secret(name, value)
        meaning = self._meaning_of(name)
        return Given(name=name, value=value, text=shown(value), where=where, is_default=is_default, meaning=meaning)

    def _meaning_of(self, name: str) -> Message:
        """What a setting does; nothing for a fact, which says itself what it is."""
        return describe(self.launch.framework.name, name) if self.launch.fields(self.candidate)[name] else NOTHING

    def _how_to_say(self, name: str) -> Message:
        """How the user may say a fact that is not known, or why a setting is not."""
        if name in IN_PLAN and self.report.text.has_lines:
            return Message("say it with --{option}, or in a comment", {"option": option_name(name)})
        if name in IN_PLAN:
            return Message("say it with {name}=", {"name": name})
        refusing = next((each for each in self.report.findings if self._refuses(each, name)), None)
        if refusing is not None:
            return Message("its value is refused ({code})", {"code": refusing.rule.code})
        elsewhere = self.launch.unknown_part
        if elsewhere:
            return Message("defaults name a file that is not known: {element}", {"element": elsewhere})
        notes = [str(each.note) for each in self.launch.beliefs if each.about == "trainer"]
        for patcher in PATCHERS:
            if name in patcher.changes & self.launch.entries.keys() and any(patcher.package in note for note in notes):
                return Message("{package} may change it, so that groups are whole", {"package": patcher.package})
        return Message("something else fills it in")

    def _refuses(self, finding: "Finding", name: str) -> bool:
        """Whether a finding is an error about the value of a setting itself."""
        is_error = finding.severity == "error" and finding.rule.broken is None and finding.launch is self.launch
        return is_error and finding.at is not None and finding.at.name == name

    def _place_of(self, lost: "Contribution") -> Message:
        text, span = lost.place or (self.report.text, lost.span or Span(0, 0))
        if text.path == self.report.text.path:
            return Message("line {line}", {"line": text.position(span.start)[0] + 1})
        return place_of(text, span.start)

    def _goes_with_the_release(self, name: str) -> bool:
        """Whether a value comes from a package whose version was assumed."""
        return name in COMPANION_OF and COMPANION_OF[name] not in self.launch.companion_versions

    # --- the end

    @property
    def ending(self) -> Message:
        """'`grpo-lint check a.yaml` has 1 error and 1 warning'; an empty text for a file without findings."""
        severities = [finding.severity for finding in self.report.findings]
        told = [
            plural(severities.count(severity), severity) for severity in ("error", "warning") if severity in severities
        ]
        return ands(told) if told else NOTHING

    def failing(self) -> "list[Check]":
        return [check for check in self.checks if check.mark in (FAILS, UNENFORCED)]


def where_said(part: "Contribution", text: "Text") -> Message:
    """'line 4', 'comment, line 1', 'default of TRL 1.16.0', 'argument' of a call: the place, in the words of a table."""
    if part.release:
        return Message("default of {release}", {"release": part.release})
    line = (
        NOTHING
        if not part.span
        else Message("line {line}", {"line": text.position(part.span.start)[0] + 1})
        if text.has_lines
        else Message("argument")
    )
    if not part.source or not line:
        return part.source or line
    return Message("{source}, {line}", {"source": part.source, "line": line})


def _is_named_by(rule: "Condition", name: str) -> bool:
    """Whether the message of a rule names a quantity; that of a limit names what the limit is on."""
    if isinstance(rule.message, Message):
        return rule.broken is not None and name in rule.broken.names
    return f"{{{name}}}" in rule.message


def described(name: str) -> "tuple[str, str, str]":
    """(group, unit, meaning) of a quantity, also of one that nobody has described yet."""
    return QUANTITIES.get(name, (GROUPS[0], "", ""))


def shown_nodes(nodes: "tuple[int, ...]") -> Message:
    """'on 1 | 2 nodes'."""
    told = {"nodes": " | ".join(map(str, nodes))}
    return Message("on {nodes} node", told, "on {nodes} nodes", 1 if nodes == (1,) else 2)


def _place_in_table(name: str) -> int:
    return _ORDER.get(name, len(_ORDER))


def _plan(launch: "Launch", nodes: "tuple[int, ...]") -> "ShownPlan":
    if not nodes:
        return shown_plan(launch)
    per_node = launch.facts["processes_per_node"].value
    plans = [launch.plan(launch.candidates[0], {"world_size": count * per_node}) for count in nodes]
    return plans[0] if len(plans) == 1 else SideBySide(plans)


def _legal_nodes(launch: "Launch") -> "tuple[int, ...]":
    """Numbers of nodes on which the release refuses nothing, when only the processes of a node are known."""
    if launch.world_size is not UNKNOWN or "processes_per_node" not in launch.facts:
        return ()
    per_node = launch.facts["processes_per_node"].value
    judged = one_per_regime(launch)[0]
    rules = [rule for rule in conditions(launch, judged) if "world_size" in inputs_of(rule, judged.regime)]
    found: list[int] = []
    for count in range(1, 17):
        broken, _ = decide(rules, launch.plan(judged, {"world_size": count * per_node}))
        if not any(is_refusal(judged.enforced.get(rule.name)) for rule in broken):
            found.append(count)
        if len(found) == MOST_COLUMNS:
            break
    return tuple(found)


def _is_one_formula(plan: "ShownPlan", name: str) -> bool:
    """Whether a quantity comes from the same formula on every number of processes."""
    return len({each.chosen[name] for each in plans_of(plan) if name in each.chosen}) == 1
