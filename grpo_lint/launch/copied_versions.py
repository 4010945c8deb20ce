"""The releases that a copy of a framework is most like. Loaded where a run has one."""

from ..frameworks.versions import version_key
from ..message import Message, series
from .releases import Versions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .pins import Pin
    from .releases import Line


def copied(line: "Line", pin: "Pin | None") -> Versions:
    """The releases that a copy of the framework is most like, by the name that it gives itself."""
    copy, all_releases = line.framework.copies, line.framework.catalogue.releases
    own = pin.version if pin is not None and not line.framework.releases.is_of_another_package else ""
    alike = [each for each in copy.alike if own and _may_be_called(each, own)] or copy.alike
    found = (
        line.candidate(f"{own or text}@{_folder_of(pin) or copy.folder}", version_key(text), all_releases.index(text))
        for text in reversed(alike)
    )
    told = {"releases": series(alike), "percent": copy.percent}
    source = Message("most like {releases}, in {percent} % of its settings", told)
    return Versions(candidates=[candidate for candidate in found if candidate], source=source)


def _may_be_called(release: str, own: str) -> bool:
    """Whether a copy that is like a release may call itself by another number: what it says before a release, or of one that is to
    come, it says after those before."""
    minor, said = version_key(release)[:2], version_key(own)[:2]
    return minor <= said if ".dev" in own or "rc" in own else minor == said


def _folder_of(pin: "Pin | None") -> "str | None":
    """The folder of a copy outside of the repository; None for any other."""
    return pin.copied_to if pin is not None and not pin.line else None
