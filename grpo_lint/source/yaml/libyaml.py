"""libyaml without the rest of PyYAML.

`import yaml` takes longer than everything else that a check does. Nearly every config needs only the parser of libyaml
and the classes of its events. So a short-lived process may call `install` before anything imports `yaml`. The heavy
modules are then replaced by stand-ins, and the first access to anything else loads the real PyYAML.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

# PyYAML's binding of libyaml needs only the errors of the heavy modules.
_ERRORS = {  # {module: (the error, its base)}
    "reader": ("ReaderError", "YAMLError"),
    "scanner": ("ScannerError", "MarkedYAMLError"),
    "parser": ("ParserError", "MarkedYAMLError"),
    "composer": ("ComposerError", "MarkedYAMLError"),
    "constructor": ("ConstructorError", "MarkedYAMLError"),
    "emitter": ("EmitterError", "YAMLError"),
    "serializer": ("SerializerError", "YAMLError"),
    "representer": ("RepresenterError", "YAMLError"),
}
_LIGHT = ("error", "tokens", "events", "nodes")


is_wanted = False  # whether what reads events is to `install` it


def install_if_wanted() -> None:
    if is_wanted:
        install()


def install() -> None:
    """Make `yaml._yaml`, `yaml.error` and `yaml.events` importable without the rest; does nothing where that fails."""
    if "yaml" in sys.modules:
        return
    try:
        from _frozen_importlib_external import PathFinder

        found = PathFinder.find_spec("yaml")
        if found is None or not found.submodule_search_locations:
            return
        package = _stand_in("yaml", __path__=found.submodule_search_locations)
        for name in _LIGHT:
            __import__(f"yaml.{name}")
        for module, (name, base) in _ERRORS.items():
            error = type(name, (getattr(package.error, base),), {})
            setattr(package, module, _stand_in(f"yaml.{module}", **{name: error}))
        __import__("yaml._yaml")
    except Exception:  # an unknown version of PyYAML, or one without libyaml
        for name in [name for name in sys.modules if name.partition(".")[0] == "yaml"]:
            del sys.modules[name]


def _stand_in(name: str, **attributes: object) -> "ModuleType":
    module = sys.modules[name] = type(sys)(name)
    module.__dict__.update(attributes)
    module.__getattr__ = lambda attribute: _attribute(name, attribute)  # type: ignore[method-assign]  # a module may have one (PEP 562)
    return module


def _attribute(module: str, name: str) -> object:
    """An attribute that a stand-in lacks, from the real module."""
    if name.startswith("__"):  # read by the import system
        raise AttributeError(name)
    _load()
    return getattr(sys.modules[module], name)


def _load() -> None:
    """Replace the stand-ins by the real PyYAML. What was imported from it before stays valid."""
    if hasattr(sys.modules["yaml"], "__file__"):
        return
    stand_ins = {name: sys.modules.pop(name) for name in ("yaml", *(f"yaml.{module}" for module in _ERRORS))}
    import yaml

    for name in (*_LIGHT, "_yaml"):
        setattr(yaml, name, sys.modules[f"yaml.{name}"])
    for module, (name, _) in _ERRORS.items():
        setattr(yaml._yaml, name, getattr(sys.modules[f"yaml.{module}"], name))
    for name, stand_in in stand_ins.items():  # some have a name for it already
        stand_in.__dict__.update(sys.modules[name].__dict__)
