"""Numbers that EasyR1's code takes, and its fields that have such a range."""

from ..catalogue import CatalogueOfPatches, Field, Fields
from ..verl.tree import AskedField

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..catalogue import Beside, Groups

# {setting: the numbers that are taken}; with others the workers do not start
RANGES = {
    "trainer.n_gpus_per_node": "[1,",
    "trainer.nnodes": "[1,",
    "worker.rollout.tensor_parallel_size": "[1,",
    "worker.rollout.gpu_memory_utilization": "(0,1]",
    "worker.actor.optim.lr": "[0,",
    "worker.actor.optim.weight_decay": "[0,",
}


class _Fields(Fields):
    __slots__ = ()

    def __missing__(self, name: str) -> "Field | None":
        field = super().__missing__(name)
        if field is not None and name in RANGES:
            field = self[name] = AskedField(field.type, field.default, RANGES[name], False)
        return field


class CatalogueOfRanges(CatalogueOfPatches):
    """The catalogue of the releases; a copy has the numbers that it takes."""

    def fields(self, groups: "Groups", index: int, beside: "Beside | None" = None) -> Fields:
        key = groups, index
        if key not in self._fields:
            self._fields[key] = _Fields(self.rows, groups, index)
        return self._fields[key]
