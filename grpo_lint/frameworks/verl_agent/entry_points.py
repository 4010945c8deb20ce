"""The recipe of HGPO: another program over the tree and the workers of verl-agent, with settings, a trainer and environments of its own."""

from functools import cache

from ...plan.formula import words
from ..by_release import Enforcements, regimes_of
from ..verl.framework import VerlTrainer
from ..verl.tree import tree_of
from . import catalogue
from .framework import ENVIRONMENTS, FRAMEWORK, VerlAgentConfigs, VerlAgentValues
from .options import ESTIMATORS, GROUP_ESTIMATORS, IDLE, OPTIONS, PLAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import EntryPoint, Framework
    from ..by_release import Changes

# what its file sets otherwise than the tree, in the form of the catalogue
_TREE = {
    "algorithm": "hgpo map d3-",
    "algorithm.filter_groups": "max_num_gen_batches int d3- 0\nmetric any? d3-",
    "algorithm.hgpo": "base_group bool d3- False\nlength_weight_alpha float d3- 1.0\nmode str d3- mean_std_norm\n"
    " :r?algorithm.adv_estimator:hgpo=mean_std_norm|mean_norm d3-\nweight_type str d3- length",
    "data": "gen_batch_size ref d3- data.train_batch_size",
    "reward_model": "overlong_buffer map d3-",
    "reward_model.overlong_buffer": "enable bool d3- False\nlen int d3- 0\nlog bool d3- False\npenalty_factor float d3- 0.0",
    "trainer": "project_name str d3- verl-hgpo\nval_out bool d3- False",
}
_OWN_OPTIONS: "Changes" = {
    "2026.2.26": {"estimators": words(*ESTIMATORS, "hgpo"), "group_estimators": words(*GROUP_ESTIMATORS, "hgpo")}
}
_NOT_READ = "similarity-has-a-threshold"  # its trainer hands the settings of likeness to nothing


class _Values(VerlAgentValues):
    _environments = tuple(
        each for each in ENVIRONMENTS if each != "gym_cards"
    )  # which it makes without an argument they need


@cache
def entered_by(entry: "EntryPoint") -> "Framework":
    """verl-agent as its recipe of HGPO has it."""
    enforcement = FRAMEWORK.refusals.enforcement
    return FRAMEWORK.with_(
        title="recipe.hgpo of verl-agent",
        catalogue=tree_of(catalogue, _TREE, built=()),
        reader=FRAMEWORK.reader.but(
            configs=VerlAgentConfigs(),
            primaries=FRAMEWORK.reader.primaries.but(trees=entry.primaries, programs=entry.programs),
            trainer=VerlTrainer(field="algorithm.hgpo.mode"),
            values=_Values(),
        ),
        arithmetic=FRAMEWORK.arithmetic.but(regimes=regimes_of(PLAN, OPTIONS, IDLE, {}, _OWN_OPTIONS)),
        refusals=FRAMEWORK.refusals.but(
            enforcement=Enforcements(row for row in enforcement.rows if row.rule != _NOT_READ)
        ),
    )
