def describe(dialect_name, field):
    return ""
