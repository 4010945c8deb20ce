"""The types that annotations of several modules name, each from where it is defined; nothing imports it when the program runs."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Generator,
        Hashable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
        Set as AbstractSet,
    )

    from .changes.pinned import Pinned
    from .changes.states import Difference
    from .changes.upgrade import Upgrade
    from .checker.baseline import Baseline
    from .checker.expectations import Wrong
    from .checker.findings import Finding, Fix, Report, Safety
    from .checker.verdict import Condition, Evaluations, Judged, Verdict
    from .cli.options import Arguments, Option
    from .cli.run import File
    from .files.budget import Budget
    from .fixes.neighbours import Neighbours
    from .fixes.offering import Lint
    from .fixes.repair import Repair
    from .frameworks.base import Attached, Fault, Framework, Lookup
    from .frameworks.by_release import Enforced, Enforcement, Idle, Key, Regime, Table
    from .frameworks.catalogue import Catalogue, CompanionFields, Field, Fields, Groups
    from .frameworks.command_spec import Commands, EntryPoint
    from .frameworks.programs import Program
    from .frameworks.protocols import NamedFiles, Release, Run
    from .frameworks.run_template import RunTemplate
    from .frameworks.schema import Choices, Schema, SchemaRelease
    from .frameworks.shared.json_kinds import JsonFile
    from .launch.commands import Invocation
    from .launch.context import Context, Remembered
    from .launch.facts import Fact
    from .launch.files import Files, Read
    from .launch.launch import Candidate, Launch, Setting
    from .launch.origin import Origin
    from .launch.other_trees import OtherTree
    from .launch.pins import Pin
    from .launch.programs import Library
    from .launch.repository import Repository
    from .launch.sections import Taken
    from .launch.sighting import Sighting
    from .lsp.client import Client
    from .lsp.notebooks import Cell
    from .lsp.session import Session
    from .lsp.view import View
    from .plan.formula import Formula, Formulas
    from .plan.plan import Plan
    from .plan.shape import Shape
    from .planning.convert import Conversion
    from .report.document import Json
    from .report.explain.checks import Check
    from .report.explain.story import Story
    from .report.language import Language
    from .report.messages import Contribution
    from .report.rule_search import Found
    from .report.side_by_side import ShownPlan
    from .report.text import Paint
    from .report.totals import Totals
    from .rules.base import Rule, Severity, Stage
    from .settings.files import Settings
    from .settings.policy import Policy
    from .source.entry import Flag
    from .source.python.code import Code
    from .source.python.scopes import Binding, Scopes
    from .source.shell.script import Command, Script
    from .source.shell.state import Shell
    from .source.shell.tree import Chain, Lost, Opaque, Piece, RawWord, Simple
    from .source.shell.variables import Held
    from .source.shell.words import Word
    from .source.text import Edit, Span, Text
    from .source.yaml.blocks import Blocks
    from .source.yaml.reader import Document, Entry, Node, ReadError, Target
