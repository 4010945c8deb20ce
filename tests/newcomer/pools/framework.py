from ..base import Arithmetic, Configs, Fate, Framework, Keys, Knobs, Reader, Refusals, Releases, Trainer, whole_number
from ..by_release import Enforcement, Enforcements, regimes_of
from ..catalogue import Catalogue
from . import catalogue, rules

PLAN = {
    "1.0": {
        "group_size": "sampler.group_size",
        "completions_per_rollout": "learner.batch_size",
        "prompts_per_rollout": "completions_per_rollout // group_size",
        "completions_per_step": "completions_per_rollout // world_size",
        "sampler_gpus": "sampler.gpus",
    },
    "1.1": {"engine_ranks": "sampler.engine.tensor_parallel"},
}
ROWS = (  # of shared rules
    Enforcement("rollout-holds-whole-groups", "1.0", None, "config", "batch_size ... is no multiple of group_size ..."),
)


class PoolsConfigs(Configs):
    nested = True

    def facts_in_file(self, value):
        gpus = whole_number(value("learner.gpus"))
        return {"world_size": (gpus, "learner.gpus")} if gpus else {}


class PoolsKeys(Keys):
    def unknown_key(self, key, launch, is_flag):
        return Fate("error", "read", "Pools refuses it when it reads the file")


FRAMEWORK = Framework(
    name="pools",
    title="Pools",
    catalogue=Catalogue(catalogue),
    reader=Reader(configs=PoolsConfigs(), trainer=Trainer(field="sampler.group_size"), keys=PoolsKeys()),
    releases=Releases(package="pools"),
    arithmetic=Arithmetic(regimes=regimes_of(PLAN, {}, {})),
    refusals=Refusals(enforcement=Enforcements(ROWS, rules.RULES)),
    knobs=Knobs(names=("learner.batch_size", "sampler.group_size", "sampler.engine.tensor_parallel", "sampler.gpus")),
)
