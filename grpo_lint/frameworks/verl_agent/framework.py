"""verl-agent: a fork of verl whose runs play episodes in environments, and train on their steps."""

from ...message import Message, series
from ...unknown import UNKNOWN
from ..base import Arithmetic, Attached, Fault
from ..by_release import Enforcements, regimes_of
from ..shared.sections import SectionReleases
from ..shared.values import WANTED, wrong_type
from ..verl.framework import FRAMEWORK as VERL, VerlConfigs, VerlTrainer, VerlValues
from ..verl.tree import tree_of
from . import catalogue, rules
from .enforcement import ENFORCEMENT
from .options import IDLE, OPTIONS, PLAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import AbstractSet, Field, Key, Lookup, Run

_MODEL = "actor_rollout_ref.model.path"  # whose folder is read; rewards come from environments
_NAME, _GROUP, _OF_SOKOBAN = "env.env_name", "env.rollout.n", "env.sokoban.mode"
# A name is known by a part of it, in any case; of ALFWorld there are two.
ENVIRONMENTS: "tuple[str, ...]" = ("alfworld", "webshop", "sokoban", "gym_cards", "appworld")
_SINCE = {"search": (2025, 9, 3)}
_OF_ALFWORLD = ("alfworld/AlfredTWEnv", "alfworld/AlfredThorEnv")


class VerlAgentConfigs(VerlConfigs):
    _of_environments = ()  # whose batches are known

    def implied(self, value: "Lookup", is_whole: bool) -> "dict[str, Attached]":
        found = super().implied(value, is_whole)
        if value("--config-name") == "ppo_megatron_trainer":
            found["starts_without_environments"] = Attached("--config-name", True, "set")
        shows = _shows_images(value, is_whole)
        if shows is not False:
            found["shows_images" if shows else "may_show_images"] = Attached(_NAME, True, "set")
        return found


def _shows_images(value: "Lookup", is_whole: bool) -> "bool | None":
    """Whether the environment shows images to the model; None where nobody knows."""
    name, mode = value(_NAME), value(_OF_SOKOBAN)
    if name is None:
        return False if is_whole else None
    if type(name) is not str or "${" in name:
        return None
    # in the order in which the environment is looked up
    part = next(
        (
            each
            for each in ("search", "gym_cards", "alfworld", "sokoban", "webshop", "appworld")
            if each in name.lower()
        ),
        "",
    )
    if part == "sokoban":
        return None if mode is UNKNOWN or (mode is None and not is_whole) else mode == "rgb_array"
    return {"gym_cards": True, "alfworld": name == _OF_ALFWORLD[1], "": None}.get(part, False)


class VerlAgentValues(VerlValues):
    _environments = ENVIRONMENTS

    def read(
        self, name: str, value: object, field: "Field", launch: "Run", key: "Key"
    ) -> "tuple[object, Fault | None]":
        """As verl reads it; the name of an environment is looked up where no fork may have more of them."""
        if name == _GROUP and value is not None and "${" not in str(value):
            told = Message("{what}, and takes {wanted}", {"what": str(value), "wanted": WANTED["int"]})
            return (value, None) if isinstance(value, int) else (UNKNOWN, wrong_type("config", told))
        if value is None and name.endswith("_per_gpu") and launch.framework.copies.folder:
            return UNKNOWN, None  # forks with several agents give each of them a size of its own
        found, fault = super().read(name, value, field, launch, key)
        if name != _NAME or type(found) is not str or launch.framework.copies.folder or not launch.is_stated:
            return found, fault
        known = _others_than(found, key, self._environments)
        title = launch.framework.title
        return found, Fault(
            "config", "environment-is-known", value=found, title=title, known=series(known)
        ) if known else fault


def _others_than(name: str, key: "Key", environments: "tuple[str, ...]") -> "list[str]":
    """The names of environments that a release has, where it has none of this name."""
    known = [*environments, *(each for each, since in _SINCE.items() if since <= key)]
    part = next((each for each in known if each in name.lower()), "")
    if part == "alfworld":
        known = [*_OF_ALFWORLD]
        part = name if name in known else ""
    return [] if part else known


class VerlAgentReleases(SectionReleases):
    is_of_another_package = True  # a copy calls itself a release of verl

    def is_a_fork(self, names: "AbstractSet[str]", groups: "tuple[str, ...]", has_copy: bool) -> bool:
        """It is trained in a copy, and most copies are changed: one setting that it never had is enough."""
        return super().is_a_fork(names, groups, True)


_TREE = tree_of(catalogue, built=())
_REGISTRATIONS = {
    **VERL.refusals.registrations,
    "rewards-are-of-episodes": ("reward_model.reward_manager", ()),
    "gigpo-mode-is-known": ("algorithm.gigpo.mode", ()),
}
_KNOBS = (
    *(name for name in VERL.knobs.names if _TREE.knows(name) and name != VERL.reader.trainer.field),
    _GROUP,
)

FRAMEWORK = VERL.with_(
    name="verl-agent",
    title="verl-agent",
    catalogue=_TREE,
    reader=VERL.reader.but(
        configs=VerlAgentConfigs(),
        primaries=VERL.reader.primaries.but(trees={}),
        trainer=VerlTrainer(field=_GROUP),
        values=VerlAgentValues(),
        files=VERL.reader.files.but(attachments={_MODEL: VERL.reader.files.attachments[_MODEL]}),
    ),
    releases=VerlAgentReleases(package="verl"),
    # how many rows a rollout makes, only its episodes decide, so that no shape has its settings
    arithmetic=Arithmetic(
        regimes=regimes_of(PLAN, OPTIONS, IDLE),
        own_names={
            "prompts_per_rollout": "train_batch_size",
            "group_size": "env.rollout.n",
            "rows_per_update": "ppo_mini_batch_size",
        },
        batch_keys=(VERL.arithmetic.batch_keys[0], ("data.train_batch_size", _GROUP)),
    ),
    refusals=VERL.refusals.but(
        enforcement=Enforcements(ENFORCEMENT, rules.RULES),
        may_replace=frozenset(),  # of none of its releases, whose numbers are dates
        registrations=_REGISTRATIONS,
        only_where_stated=frozenset((*_REGISTRATIONS, "environments-have-their-file")),
    ),
    knobs=VERL.knobs.but(names=_KNOBS, parallel=VERL.knobs.parallel & {*_KNOBS}),
)
