"""The templates of all rules: {English: Chinese}."""

from . import (
    templates_0,
    templates_1,
    templates_2,
    templates_3,
    templates_4,
    templates_5,
    templates_6,
    templates_7,
    templates_9,
)

TEMPLATES: "dict[str, str]" = {
    **templates_0.TEMPLATES,
    **templates_1.TEMPLATES,
    **templates_2.TEMPLATES,
    **templates_3.TEMPLATES,
    **templates_4.TEMPLATES,
    **templates_5.TEMPLATES,
    **templates_6.TEMPLATES,
    **templates_7.TEMPLATES,
    **templates_9.TEMPLATES,
}
