RELEASES = ("1.0.0", "1.1.0")
COMPANIONS = ({}, {})
FIELDS = {
    "learner.gpus": (("pools", 0, 1, "int", 1),),
    "learner.batch_size": (("pools", 0, 1, "int", 8),),
    "sampler.gpus": (("pools", 0, 1, "int", 1),),
    "sampler.group_size": (("pools", 0, 1, "int", 8),),
    "sampler.engine.tensor_parallel": (("pools", 1, 1, "int", 1),),
}
