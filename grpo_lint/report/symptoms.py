"""What people see of a run that does not fail, and the rules that may be broken then."""

import re

from ..message import Message
from ..rules.layers_below import Cause

LONGEST_SYMPTOM = 12  # words: more of them are a message, which is looked for as it is
MOST_CHARACTERS = 1_000  # of such a text: a whole log has many words, and need not be cut into them

# {what people speak of: pattern of the words for it, in small letters}
WORDS = {
    "agree": r"mismatch|disagree|inconsistent|conflict|not match|不一致|不匹配|冲突",
    "some": r"\bonly\b|\bsome\b|\bhalf\b|\bone\b|single|部分|只|一半|一张|单卡|有的",
    "advantage": r"advantage|\bstd\b|deviation|优势|标准差",
    "at-zero": r"\b0(\.0+)?\b|(?<![\d.])0(?![\d.])|zero|零",
    "backslash": r"backslash|line continuation|反斜杠|续行",
    "batch": r"batch|批",
    "checkpoint": r"checkpoint|\bckpt|weights|保存|检查点|权重",
    "completion": r"completion|response|answer|output|generation|回答|输出|生成|回复",
    "connected": r"connect|refused|reach(?!es)|连接|连不上",
    "cut": r"\bcut\b|truncat|clipped|too short|shortened|incomplete|截断|太短|过短|不完整",
    "deepspeed": r"deepspeed|\bzero.?[123]\b",
    "divisible": r"divisib|divide|multiple of|整除|倍数",
    "dropped": r"drop|\blost\b|lose|skip|missing|left out|not used|丢|少了|没用|未使用",
    "engine": r"vllm|sglang|engine|推理引擎",
    "empty": r"empty|空",
    "evaluation": r"\beval|validat|评估|验证",
    "expert": r"expert|\bmoe\b|专家",
    "ep": r"expert.parallel|\bep\b|专家并行",
    "file": r"file|path|文件|路径",
    "flag": r"\bflags?\b|option|argument|parameter|setting|\bkeys?\b|config|参数|选项|设置|配置|字段",
    "float32": r"float32|fp32|full precision|单精度",
    "full": r"\bout\b|full|not enough|insufficient|too much|too little|runs short|不足|不够|溢出|爆|满",
    "gpu": r"gpu|device|\bcards?\b|npu|卡(?!住|死)",
    "group": r"group|num_generations|generations|每组|同一?组|生成数|采样数",
    "hangs": r"\bhang|hung|stuck|\bstall|freez|deadlock|waits? forever|time.?out|卡住|卡死|挂起|不动|死锁|超时",
    "head": r"\bheads?\b|头",
    "ignored": r"ignored|no effect|not used|not applied|not working|does nothing|doesn.t work|无效|不生效|没有?生效|被?忽略|不起作用",
    "layer": r"\blayers?\b|层",
    "learns": r"learn(?!ing.?rate)|train|improv|训练|学习(?!率)|学到",
    "length": r"length|max.?model.?len|context|long|长",
    "long": r"too long|longer|exceed|greater|larger|over the|past the|太长|过长|超",
    "lora": r"\blora\b|adapter|适配器",
    "lr": r"learning.?rate|\blr\b|学习率",
    "memory": r"memory|\bvram\b|显存|内存",
    "micro": r"micro.?batch|微批",
    "missing": r"\bno\b|missing|not found|cannot be found|n.t exist|not exist|找不到|不存在|缺少|没有",
    "model": r"model|模型",
    "nan": r"\bnan\b|\binf\b|infinite",
    "never": r"\bno\b|\bnot\b|never|none|n.t\b|nothing|missing|不|未|没|无",
    "oom": r"\boom\b|爆显存|显存爆",
    "off-policy": r"off.?policy|离策略",
    "pp": r"pipeline|\bpp\b|流水线",
    "prompt": r"prompt|input|提示|输入",
    "renamed": r"renamed|removed|deprecated|no longer|old name|重命名|改名|移除|废弃|删了",
    "resumed": r"resum|恢复|续训|断点",
    "reward": r"reward|score|奖励",
    "rows": r"\brows?\b|\bdata|sample|prompts\b|examples|数据|样本",
    "same": r"same|equal|identical|constant|alike|n.t (change|increase|go up|grow)|not.increas|no.increas|不变|不涨|不上升|相同|一样|没有变化",
    "saved": r"\bsav(e|es|ed|ing)\b|written|保存|写",
    "sequence": r"sequence|序列",
    "server": r"server|服务",
    "size-1": r"\b(of|is|=) ?1\b|only one|just one|只有一个|只有1个|为1",
    "slurm": r"slurm|sbatch|srun|allocat|作业",
    "small": r"small|too low|too short|太小|过小|不够大",
    "space": r"space|blank|空格|空白",
    "sp": r"sequence.parallel|\bsp\b|序列并行",
    "steps": r"\bsteps?\b|updates?\b|iterations?\b|步",
    "stops": r"\bends?\b|finish|exits?\b|stops?\b|立即|马上|直接结束|就结束|退出",
    "temperature": r"temperature|温度",
    "tokens": r"token",
    "tp": r"tensor.parallel|\btp\b|张量并行",
    "tracker": r"wandb|tensorboard|swanlab|tracker|\blogged|日志",
    "twice": r"twice|two times|duplicate|重复|两次",
    "unexpected": r"unexpected|expect|wrong|too many|too few|fewer|\bless\b|lower|\bmore\b|higher|不对|太多|太少|预期|少|多|不符|不一致",
    "unknown": r"unknown|unrecogni[sz]ed|unexpected|not recogni[sz]ed|不识别|未知|无法识别",
    "used": r"\bused?\b|\buses\b|\busing\b|\bwork|runs? on|使用|用|工作",
    "idle": r"\bidle\b|unused|not used|\b0 ?%|利用率|空闲|闲置|没有?被?使用|没有?用",
    "warm-up": r"warm.?up|预热",
}  # fmt: skip

# (words that all have to occur in a text, of each alternative; rules, the likeliest first, at most five). Of those that occur the one
# with the most words counts, of several such the first one. What a word alone says counts as much as ALONE of others.
ALONE = 3
SYMPTOMS: "tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]" = (
    (
        ("some gpu used", "gpu idle"),
        (
            "devices-have-processes", "launch-reads-its-processes", "processes-are-handed-on", "one-device-per-process",
            "devices-are-shared-out",
        ),
    ),
    (
        ("oom", "memory full", "memory engine full"),
        ("training-state-fits-the-gpu", "engine-takes-a-share-of-the-memory", "devices-have-processes"),
    ),
    (
        ("checkpoint saved never", "model saved never", "checkpoint never", "learns model missing", "checkpoint empty"),
        ("run-leaves-a-checkpoint", "run-saves-its-weights", "checkpoints-come-within-the-run", "program-saves-its-model", "saved-runs-say-how-often"),
    ),
    (
        ("resumed checkpoint missing", "resumed checkpoint"),
        ("first-run-has-a-checkpoint", "named-file-exists", "run-leaves-a-checkpoint", "checkpoints-come-within-the-run"),
    ),
    (
        ("hangs",),
        ("each-node-has-its-own-rank", "run-fits-its-allocation", "server-has-its-own-devices", "processes-have-devices", "server-has-devices"),
    ),
    (
        ("reward at-zero", "reward same", "advantage at-zero", "advantage same", "group completion same", "group same", "temperature at-zero"),
        ("completions-are-sampled", "completions-of-a-group-differ", "group-has-two-completions", "group-samples-at-a-temperature",
         "completions-have-tokens"),
    ),
    (
        ("group size-1", "group completion size-1"),
        ("group-has-two-completions", "group-is-positive", "dr-grpo-has-a-group"),
    ),
    (
        ("learns never", "learns at-zero steps", "learns stops", "at-zero steps"),
        ("training-takes-steps", "completions-are-sampled", "group-has-two-completions", "run-takes-a-step", "run-has-an-update"),
    ),
    (
        ("steps unexpected", "steps unexpected learns"),
        ("schedule-reaches-its-end", "rollout-takes-steps", "training-takes-steps", "launch-reads-its-processes", "rollout-holds-whole-updates"),
    ),
    (
        ("completion cut", "completion cut long"),
        ("engine-holds-prompt-and-completion", "engine-length-holds-a-sequence", "engine-holds-both-limits", "sequences-fit-the-token-budget",
         "soft-overlong-begins-within-the-completion"),
    ),
    (
        ("prompt long", "prompt long engine", "prompt long length", "prompt cut", "sequence long engine", "sequence length long", "sequence long model", "length small"),
        ("engine-holds-prompt-and-completion", "engine-length-holds-a-sequence", "engine-length-is-in-the-window", "engine-holds-both-limits",
         "server-holds-prompt-and-completion"),
    ),
    (
        ("rows dropped", "rows unexpected", "rows small"),
        ("rollout-holds-whole-updates", "rollout-takes-steps", "training-takes-steps", "first-evaluation-has-rows", "split-leaves-rows-to-train"),
    ),
    (
        ("flag ignored", "flag unknown"),
        ("key-is-known", "value-is-kept", "settings-have-an-effect", "flags-reach-their-command", "keys-are-read"),
    ),
    (
        ("flag renamed",),
        ("key-is-of-this-version", "key-is-known", "keys-are-read"),
    ),
    (
        ("flag twice",),
        ("flag-stands-once", "key-stands-once", "flags-reach-their-command"),
    ),
    (
        ("backslash", "backslash space", "backslash missing"),
        ("flags-reach-their-command", "flags-are-whole", "script-can-be-parsed"),
    ),
    (
        ("lora ignored",),
        ("adapter-is-used", "adapter-has-a-rank", "lora-rank-fits-the-engine"),
    ),
    (
        ("flag file missing", "file missing"),
        ("config-file-exists", "named-file-exists", "base-is-where-its-path-says"),
    ),
    (
        ("deepspeed agree", "deepspeed flag agree", "deepspeed batch agree"),
        ("deepspeed-batch-agrees", "deepspeed-micro-batch-agrees", "deepspeed-accumulation-agrees", "deepspeed-half-precision-agrees",
         "deepspeed-learning-rate-agrees"),
    ),
    (
        ("batch divisible group", "batch divisible", "group divisible"),
        ("rollout-holds-whole-groups", "evaluation-holds-whole-groups", "update-gives-ranks-whole-prompts", "batch-divides-over-gpus",
         "rollout-holds-whole-steps"),
    ),
    (
        ("micro divisible", "micro divisible batch"),
        ("rank-update-holds-whole-micro-batches", "update-holds-whole-micro-batches", "update-fills-ranks-with-micro-batches",
         "rank-update-fills-micro-batches", "update-is-whole-micro-batches"),
    ),
    (
        ("evaluation divisible", "evaluation batch small", "evaluation batch divisible", "evaluation batch divisible group"),
        ("evaluation-holds-whole-groups", "evaluation-divides-over-ranks", "evaluation-holds-whole-training-groups"),
    ),
    (
        ("head divisible", "head divisible tp"),
        ("heads-divide-over-ranks", "heads-divide-over-the-engine", "heads-divide-over-sequence-parallel"),
    ),
    (
        ("layer divisible", "layer divisible pp"),
        ("layers-divide-over-stages", "each-stage-has-layers", "layout-fits-the-pipeline"),
    ),
    (
        ("expert divisible", "ep divisible", "expert ep divisible"),
        ("experts-divide-over-ranks", "expert-parallel-divides-world"),
    ),
    (
        ("gpu tp divisible", "tp divisible"),
        ("model-parallel-divides-world", "vllm-tensor-parallel-divides-world", "engines-divide-gpus",
         "heads-divide-over-ranks"),
    ),
    (
        ("expert tp sp", "expert sp"),
        ("split-experts-split-sequences",),
    ),
    (
        ("server connected", "engine connected", "server engine connected"),
        ("server-is-the-one-that-is-asked", "vllm-server-has-an-address", "vllm-has-a-mode", "vllm-mode-is-kept", "server-has-its-own-devices"),
    ),
    (
        ("reward missing", "reward missing file"),
        ("rewards-have-a-source", "reward-functions-are-registered", "reward-is-defined", "run-has-a-reward", "data-source-has-a-score"),
    ),
    (
        ("evaluation never",),
        ("evaluation-has-steps", "evaluation-comes-within-the-run", "evaluation-has-a-set", "trainer-evaluates", "first-evaluation-has-rows"),
    ),
    (
        ("tracker never",),
        ("trackers-have-names", "logging-has-steps", "logging-steps-are-whole"),
    ),
    (
        ("model float32",),
        ("dtype-is-read", "half-precision-fits-the-model", "training-state-fits-the-gpu"),
    ),
    (
        ("slurm gpu", "slurm gpu unexpected", "slurm gpu used"),
        ("run-fits-its-allocation", "each-node-has-its-own-rank", "processes-have-devices"),
    ),
    (
        ("tokens sequence long", "tokens sequence full", "tokens sequence small"),
        ("sequences-fit-the-token-budget", "engine-takes-a-sequence"),
    ),
    (
        ("off-policy", "cut-ratio never", "cut-ratio long"),
        ("updates-keep-to-one-rollout", "rollout-holds-whole-updates", "last-update-is-whole"),
    ),
    (
        ("lr at-zero", "lr never", "lr same", "lr unexpected"),
        ("warmup-ends-within-the-run", "schedule-reaches-its-end", "warmup-steps-count", "learning-rate-is-not-negative", "scheduler-is-known"),
    ),
    (
        ("warm-up long", "warm-up long learns", "warm-up never", "warm-up unexpected", "warm-up ignored"),
        ("warmup-ends-within-the-run", "warmup-steps-count", "warmup-is-said-once", "warmup-is-a-part"),
    ),
)  # fmt: skip

# What is as it has to be, though it looks like a mistake: (patterns, what it comes from).
EXPECTED = (
    (
        (r"clip.?(ratio|frac|rate) \b0\b|zero|零|always", r"\bloss \b0\b|zero|零|about.0", r"损失|loss (^|[^\d.])0|零"),
        Cause(
            layer="GRPO",
            wordings=(),
            tells=Message(
                "On-policy the ratio of new and old probabilities is 1: nothing is clipped. Without a KL term the loss is about 0 then, and the run "
                "learns all the same. Look at the reward; grpo-lint explain FILE says whether a run is on-policy."
            ),
        ),
    ),
    (
        (r"\bkl nan|none|missing|not.logged|\b0\b|zero",),
        Cause(
            layer="GRPO",
            wordings=(),
            tells=Message(
                "Without a KL term (beta 0, or use_kl_loss off) there is no KL to log: some releases leave it out, some log nan or 0. "
                "With a term it begins at 0, since the model is its own reference at first."
            ),
        ),
    ),
)  # fmt: skip


def rules_of(text: str) -> "tuple[str, ...]":
    """The rules that may be broken where a run does what a text of a few words says, the likeliest first."""
    if _is_long(text):
        return ()
    seen = text.lower()
    spoken_of = {word for word, pattern in WORDS.items() if re.search(pattern, seen, re.ASCII)}
    best: tuple[str, ...] = ()
    most = 0
    for alternatives, rules in SYMPTOMS:
        for words in map(str.split, alternatives):
            weight = len(words) if len(words) > 1 else ALONE
            if weight > most and spoken_of.issuperset(words):
                best, most = rules, weight
    return best


def _is_long(text: str) -> bool:
    return len(text) > MOST_CHARACTERS or len(text.split()) > LONGEST_SYMPTOM


def _occurs(patterns: "tuple[str, ...]", text: str) -> bool:
    """Whether all words of one of the alternatives occur in a text of a few words, in small letters."""
    return not _is_long(text) and any(all(re.search(word, text) for word in words.split()) for words in patterns)


def expected(text: str) -> "Cause | None":
    """What a text about something that has to be so comes from."""
    seen = text[: MOST_CHARACTERS + 1].lower()
    return next((cause for patterns, cause in EXPECTED if _occurs(patterns, seen)), None)
