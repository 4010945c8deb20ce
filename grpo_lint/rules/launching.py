"""GRPO007 - GRPO012, GRPO415 - GRPO417, GRPO440 - GRPO449, GRPO460 - GRPO469: the command that starts a run. Those without a condition are raised where a
script is read."""

from .base import Rule

_READ = (
    Rule(
        "GRPO007",
        "flags-reach-their-command",
        "All flags belong to the command above them",
        message="{flags} {are} not part of the command: {reason}",
        why="The shell ends a command at the end of its line. The next line is a separate command: the run starts without these flags, with their defaults.",
        refused_by="Not refused: the shell runs the command without these flags, and takes the next line for a separate command.",
        instead="End every line except the last with a backslash and nothing after it, and move comments out of the command.",
    ),
    Rule(
        "GRPO008",
        "flag-stands-once",
        "A flag is given once in a command",
        message="{flag} is given twice: the last value, {last}, is used, and {first} has no effect",
        why="The parser of the command line keeps the last value silently; an edit of the other changes nothing.",
        refused_by="Not refused: the parser of the command line keeps the last value silently.",
        instead="Remove one of the two.",
    ),
    Rule(
        "GRPO009",
        "config-file-exists",
        "The config file that a command names exists",
        message="{file} is not in the repository: not next to the script, not above it, not where the script changes to",
        why="A run without its config file ends at its start. Another program may write the file first, so this is a warning.",
        refused_by="The command, when it opens the file. grpo-lint cannot see files outside the repository, so this is a warning.",
        instead="Correct the path.",
    ),
    Rule(
        "GRPO010",
        "script-can-be-parsed",
        "bash can read the script",
        message="bash cannot read the script here: {problem}; {consequence}",
        why="bash reads a script one command at a time, and stops at the first that it cannot read. The commands above it have run by then.",
        refused_by="bash, when it reaches the place. A run that the script starts further down never starts.",
        instead="Correct the syntax at this position; `bash -n SCRIPT` reads a script without running it.",
    ),
    Rule(
        "GRPO013",
        "flags-are-whole",
        "A flag begins with --, and its value follows its = without a space",
        message="{flag}= is followed by a space, so it is empty, and {rest} is a separate word; {consequence}",
        why="A word that begins with a long dash, as word processors and chats write it, is no flag: it and its value go to the flag in front of "
        "it. A blank behind = ends the word. The rest of the run is judged as it is meant.",
        refused_by="The parser of the command line, unless it leaves aside what it does not know; Hydra refuses every word that is no override.",
        instead="Write two hyphens in front of a flag, and no blank behind its =.",
    ),
    Rule(
        "GRPO461",
        "named-file-exists",
        "The file that a setting names exists",
        message="{key} names {file}, which is not in the repository{hint}",
        why="A run without its DeepSpeed, FSDP or accelerate configuration ends when its arguments are read. Another program may write the file first, so this is a warning.",
        refused_by="The config class, when it opens the file. grpo-lint cannot see files outside the repository, so this is a warning.",
        instead="Correct the path: it counts from the folder in which the run is started.",
    ),
    Rule(
        "GRPO462",
        "named-file-is-json",
        "The file that a setting names can be read",
        message="{key} names {file}, which {problem}",
        why="The configuration of DeepSpeed, of FSDP and of accelerate's data handling is a mapping in JSON: no comments, no comma behind the "
        "last item, no YAML.",
        refused_by="The config class, when it opens the file.",
        instead="Correct the file; `python -m json.tool FILE` shows the position of the mistake.",
    ),
    Rule(
        "GRPO443",
        "server-is-the-one-that-is-asked",
        "The trainer asks the server that its script starts",
        message="the trainer asks a server on port {asked}, but {server} in line {line} listens on port {port}",
        why="The trainer waits for the server until it gives up, some minutes after the model is loaded.",
        refused_by="Not refused when the run starts: the trainer waits for the server until it gives up.",
        instead="Give both the same port.",
    ),
    Rule(
        "GRPO444",
        "server-has-the-model",
        "The server that a script starts has the model that is trained",
        message="the trainer trains {model}, but {server} in line {line} serves {served}",
        why="Weights are sent to the server after every update; another architecture cannot take them, and another model generates the "
        "first rollout.",
        refused_by="Not refused when the run starts: the first transfer of weights fails if the server cannot take them.",
        instead="Name the same model in both commands.",
    ),
    Rule(
        "GRPO446",
        "server-has-devices",
        "The server that a script starts sees as many devices as it spreads its engines over",
        message="{server} in line {line} wants {wanted} devices, tensor x data parallel, and sees {seen}",
        why="Every engine takes as many devices as its tensor parallel size, and there is one engine for each data-parallel rank.",
        refused_by="The engine, when the server starts: World size (...) is larger than the number of available GPUs (...). The trainer waits for "
        "the server until it gives up.",
        instead="Lower one of the two sizes, or let the server see more devices.",
    ),
    Rule(
        "GRPO447",
        "server-has-its-own-devices",
        "The server that a script starts takes other devices than training",
        message="{server} in line {line} and the training both take the devices {shared}",
        why="Weights go from the trainer to the server over NCCL, which does not connect two ranks on one device; and the memory of the engine "
        "is not free for training.",
        refused_by="Not refused when the run starts; the server may refuse when the trainer connects: Attempting to use the same CUDA device for multiple distinct roles/ranks within the same communicator.",
        instead="Give them different CUDA_VISIBLE_DEVICES, or set vllm_mode to colocate.",
    ),
    Rule(
        "GRPO440",
        "launch-reads-its-processes",
        "NPROC_PER_NODE is set for a command that reads it",
        message="{program} does not read {variable}: this run is 1 process, and all visible GPUs go to it",
        why="Only the `swift` and `megatron` commands start torchrun from NPROC_PER_NODE and NNODES. Their modules, run with python, are "
        "one process whatever these variables say; batch sizes then count for one process, and the model is spread over the GPUs.",
        refused_by="Not refused: the run starts with one process.",
        instead="Start the run with `{command}`, or with torchrun.",
    ),
    Rule(
        "GRPO460",
        "flags-are-read",
        "The training script reads the flags of its command",
        message="{program} parses a file and nothing of its command line: {flags} {are} without effect",
        why="parse_yaml_file and parse_json_file read what the file says. Flags behind it are for parse_args_and_config, or for "
        "parse_args_into_dataclasses.",
        refused_by="Not refused: the run starts with the settings of the file.",
        instead="Write the settings into the file, or let the script call TrlParser.parse_args_and_config().",
    ),
    Rule(
        "GRPO445",
        "processes-are-handed-on",
        "NPROC_PER_NODE reaches the command that reads it",
        message="{variable} is set but not exported, so {program} does not see it: unless set outside, the run has 1 process",
        why="A shell passes a variable to a program only if the variable is exported, or written before the command on the same line. Otherwise the run starts as one process with all visible GPUs.",
        refused_by="Not refused: the run starts with the number of processes that the script's environment sets, or with one.",
        instead="Write `export` before it, or put it on the line of the command.",
    ),
    Rule(
        "GRPO417",
        "launcher-knows-its-options",
        "accelerate launch knows its options, and the keys of its file",
        message="accelerate launch knows no option {option}: it refuses it and starts nothing{hint}",
        why='accelerate launch takes no abbreviations, and refuses what it does not know: "unrecognized arguments" for an option, "had '
        'unknown keys" for its file. Nothing is loaded before.',
        refused_by="accelerate launch, before the training script is started.",
        instead="Correct the spelling, or remove it.",
    ),
    Rule(
        "GRPO419",
        "own-script-takes-its-flags",
        "A training script takes the flags that its command gives it",
        message="{program} refuses --{flag}: {problem}",
        why="argparse ends the program before anything is loaded where a flag is not declared, has too many words or too few, or holds what "
        "its type does not convert. `type=bool` converts every text that is not empty to true, also `False`.",
        refused_by="argparse, when the training script reads its command line.",
        instead="Correct the flag, or declare it in the script.",
    ),
    Rule(
        "GRPO415",
        "run-fits-its-allocation",
        "A run takes the GPUs that its job asks for",
        message="the run takes {taken} GPUs, and the job asks for {given}{unless}",
        why="A job sees the GPUs that its #SBATCH lines, the resources of its container or CUDA_VISIBLE_DEVICES give it and no others, unless "
        "sbatch is given other options or a cluster is joined. "
        "GPUs without a process are paid for and idle: --num_processes of accelerate counts the processes of all machines.",
        refused_by="The launcher, when the last processes take their devices. verl 0.3 and later counts the GPUs first: Total available GPUs ... is less than total desired GPUs ...; 0.2 waits for them. Idle GPUs are not refused.",
        instead="Ask for the GPUs of the run, or let the run take those of the job.",
    ),
    Rule(
        "GRPO416",
        "each-node-has-its-own-rank",
        "srun gives each node its own rank",
        message="the batch script puts {rank} in before srun starts: all {nodes} nodes get rank 0",
        why="A batch script runs on the first node of its job alone, and its shell replaces the variables in the words behind srun there, once for "
        "all nodes. The nodes then wait for each other until the rendezvous gives up.",
        refused_by="Not refused when the run starts: nodes with the same rank wait for the others.",
        instead="Let the shell of each node read the variable: srun bash -c '...', with single quotes.",
    ),
)

RULES = (
    *_READ,
    Rule(
        "GRPO441",
        "processes-have-devices",
        "No node starts more processes than it sees devices",
        "processes_per_node > visible_devices",
        blocked_by=("devices-divide-over-processes",),
        message="{processes_per_node} processes on a node that sees {visible_devices} devices",
        why="Each process takes the device of its own number; there is none for the last ones.",
        instead="Start as many processes as there are visible devices, or fewer.",
        at=(
            "processes_per_node",
            "visible_devices",
            "per_device_train_batch_size",
            "micro_batch_size",
            "num_generations",
        ),
    ),
)
