"""PyYAML's own parser, without its later stages. It is slower than libyaml, and right by definition where the two
disagree."""

from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner


class PureParser(Reader, Scanner, Parser):
    """Gives the events of a text."""

    def __init__(self, source: str) -> None:
        Reader.__init__(self, source)
        Scanner.__init__(self)
        Parser.__init__(self)
