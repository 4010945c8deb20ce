from ..commands import Commands

COMMANDS = Commands("pools", "pools", trains={"train": None}, modules={})
