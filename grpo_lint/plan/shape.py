"""The shape of a run's batches, in terms that all frameworks share."""


class Shape:
    """How many processes train, and how completions are spread over them.

    processes              training processes over all nodes
    tensor ... expert      processes that share one copy of the model, by kind; expert parallel shares no copy
    group                  completions of one prompt
    micro                  completions that a process takes in one pass
    update                 completions behind one update of the weights
    updates                updates for which one rollout is used
    ends                   layers of the first and of the last pipeline stage; 0 where a stage has as many as those between
    of_expert              processes that share each expert, as tensor parallel shares other layers; 0 for as few as may be
    backend                the training engine that is asked for, of a framework that has several; empty for its usual one
    """

    __slots__ = (
        "processes",
        "tensor",
        "pipeline",
        "context",
        "expert",
        "group",
        "micro",
        "update",
        "updates",
        "backend",
        "ends",
        "of_expert",
    )

    def __init__(
        self,
        processes: int,
        group: int,
        micro: int,
        update: int,
        updates: int = 1,
        tensor: int = 1,
        pipeline: int = 1,
        context: int = 1,
        expert: int = 1,
        backend: str = "",
        ends: "tuple[int, int]" = (0, 0),
        of_expert: int = 0,
    ) -> None:
        self.processes = processes
        self.group = group
        self.micro = micro
        self.update = update
        self.updates = updates
        self.tensor = tensor
        self.pipeline = pipeline
        self.context = context
        self.expert = expert
        self.backend = backend
        self.ends = ends
        self.of_expert = of_expert

    @property
    def ranks(self) -> int:
        """Data-parallel ranks; 0 where the copies of the model do not divide the processes."""
        share = self.tensor * self.pipeline * self.context
        return 0 if self.processes % share else self.processes // share

    def sizes_of_ends(self, first: str, last: str) -> "dict[str, object]":
        """The settings by these names that say how many layers the first and the last stage have, where they say it."""
        return {name: size for name, size in zip((first, last), self.ends) if size}

    def sharers_of_experts(self, name: str, usual: int) -> "dict[str, object]":
        """The setting by this name that says over how many processes each expert is split, where they are others than `usual`."""
        size = self.of_expert or 1
        return {name: size} if self.expert > 1 and size != usual else {}

    @property
    def per_node(self) -> int:
        """Processes of a node: as many as divide them, and are usual."""
        return next(count for count in range(min(self.processes, 8), 0, -1) if self.processes % count == 0)

    @property
    def nodes(self) -> int:
        return self.processes // self.per_node

    @property
    def passes(self) -> int:
        """Passes of a process for one update; 0 where they would not be a whole number."""
        of_one = self.ranks * self.micro
        return 0 if not of_one or self.update % of_one else self.update // of_one

    def __repr__(self) -> str:
        return f"Shape({', '.join(f'{name}={getattr(self, name)}' for name in self.__slots__)})"
