"""The templates of all rules: {English: Chinese}."""

from . import templates_2, templates_3, templates_4

TEMPLATES: "dict[str, str]" = {
    **templates_2.TEMPLATES,
    **templates_3.TEMPLATES,
    **templates_4.TEMPLATES,
}
