"""Commands that Python's argparse reads as it is: a flag that is true or false takes no word."""

from ..base import Programs


class SwitchPrograms(Programs):
    def flag(self, name: str, told: str = "", is_on: bool = False) -> str:
        return super().flag(name, "" if is_on else told)
