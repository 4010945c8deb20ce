"""How runs are configured to begin with: what `run_template` in the folder of each framework says."""

from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..shared_types import Key


class Usual(Record):
    """A batch to begin with: completions of a group and behind an update, and updates for which a rollout is used."""

    group: int = 8
    update: int = 64
    updates: int = 1


class Saver(Record):
    """A way to hold less on each GPU: settings, of which a release takes those that it has, and a word of the launcher with what follows it there.

    spreads   whether weights, gradients and states are certainly spread over all processes then
    """

    settings: "Mapping[str, object]" = {}
    launcher: "tuple[str, str]" = ("", "")
    spreads: bool = True

    def started(self, command: str) -> str:
        """A command with what its launcher is told."""
        word, more = self.launcher
        return command.replace(word, f"{word} {more}", 1) if more else command


NO_SAVER = Saver(spreads=False)


class RunTemplate(Record):
    """A run of a framework to begin with.

    framework   its name in `registry`
    config      a minimal config; the user replaces `<..>` first. Empty where a command says it all
    about       what that chooses
    command     a minimal command, where runs are usually given one and no file
    launcher    how a run of so many processes is started: the command before the config; `launcher_of_flags`: without a file
    steps       the setting of steps in the config
    epochs      those of epochs, the newest name first
    usual       the batch of its own published example for a model of 7 billion parameters on 8 GPUs
    older_program   (program of the command, how releases before that one call it, release)
    model_files {model: the file of the framework's own that says its layers}, where a command needs one; `of_model`: how a script reads
                such a file, and what is added to the command then; `layers`: a setting that says them itself
    builds_on   {setting: the example} that such a run has without a word
    savers      what to try one after the other where the model does not fit into the memory of a GPU
    engine_size the setting of the tensor parallel size of its engine, where the run has one
    older_lines {line that older releases need besides: (a setting that they have, one that they lack)}
    """

    framework: str
    config: str = ""
    about: str = ""
    command: str = ""
    launcher: str = ""
    launcher_of_flags: str = ""
    steps: str = ""
    epochs: "tuple[str, ...]"
    usual: Usual = Usual()
    savers: "tuple[Saver, ...]" = ()
    engine_size: str = ""
    older_program: "tuple[str, str, Key]" = ("", "", ())
    older_lines: "Mapping[str, tuple[str, str]]" = {}
    model_files: "Mapping[str, str]" = {}
    of_model: "tuple[str, str]" = ("", "")
    layers: str = ""
    builds_on: "Mapping[str, str]" = {}

    def model_file(self, model: str) -> str:
        """The framework's own file that says the layers of a model, where a command needs one and it is known."""
        return self.model_files.get(model, "")

    def where_layers_are(self, model: str) -> str:
        """The path of that file in the framework's repository, or its folder where the file is not known; empty where none is needed."""
        path, known = self.of_model[0].rpartition(" ")[2], self.model_file(model)
        return path.format(file=known) if known else path.rpartition("/")[0]

    def reads_layers(self, model: str) -> "list[str]":
        """The lines of a script that read that file; none where no command needs one."""
        if not self.of_model[0]:
            return []
        known = self.model_file(model)
        note = [] if known else ["# the file of your model: the flags of its layers, as MODEL_ARGS"]
        return [*note, self.of_model[0].format(file=known or "your-model")]
