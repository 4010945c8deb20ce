from ..command_spec import Commands

COMMANDS = Commands("pools", "pools", trains={"train": None}, modules={})
