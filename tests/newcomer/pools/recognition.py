def detect(names, value):
    return "has learner and sampler, sections of Pools" if {"learner", "sampler"} <= names else None
