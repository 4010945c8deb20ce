"""The templates of all rules: {English: Chinese}."""

TEMPLATES: "dict[str, str]" = {}
