"""What people see of a run that does not fail, and the rules that may be broken then."""

import re

from ..message import Message
from ..rules.layers_below import Cause

LONGEST_SYMPTOM = 12  # words: more of them are a message, which is looked for as it is
MOST_CHARACTERS = 1_000  # of such a text: a whole log has many words, and need not be cut into them

# (patterns of the words that all have to occur in a text, of each alternative; rules, the likeliest first, at most five)
SYMPTOMS: "tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]" = (
    (
        (
            "only|some|one.of|half gpu used|use|work", "gpu idle|unused|not.used", "部分|只|没有|未|一张 gpu|卡 使用|用|工作", "gpu|卡 空闲|闲置",
        ),
        (
            "devices-have-processes", "launch-reads-its-processes", "processes-are-handed-on", "one-device-per-process",
            "devices-are-shared-out",
        ),
    ),
    (
        ("memory out|full|enough|short|insufficient", r"\boom\b", "显存|内存 不足|不够|溢出|爆", "爆显存"),
        ("training-state-fits-the-gpu", "engine-takes-a-share-of-the-memory", "devices-have-processes"),
    ),
    (
        (
            "checkpoint|saved|saving|weights no|not|never|none|missing", "保存|检查点|权重 没|不|未|无",
        ),
        ("run-leaves-a-checkpoint", "run-saves-its-weights", "checkpoints-come-within-the-run", "program-saves-its-model", "saved-runs-say-how-often"),
    ),
    (
        (
            "hang|hung|stuck|stall|freez|deadlock|waits.forever", "卡住|卡死|挂起|不动|死锁",
        ),
        ("each-node-has-its-own-rank", "run-fits-its-allocation", "server-has-its-own-devices", "processes-have-devices", "server-has-devices"),
    ),
    (
        (
            "reward|advantage|std|deviation 0|zero|same|equal|constant|not.increas|no.increas", "(reward|奖励) (0|零|不变|不涨|不上升|相同|一样|没有变化)", "优势 0|零",
        ),
        ("completions-are-sampled", "completions-of-a-group-differ", "group-has-two-completions", "completions-have-tokens",
         "group-samples-at-a-temperature"),
    ),
    (
        (
            "learn|train|improv nothing|does.not|doesn.t|not.learning|no.learning|no.steps|zero.steps|0.steps|ends.at.once|ends.immediately", "没有|不|0 训练|学习|学到", "训练 立即|马上|直接 结束|退出",
        ),
        ("training-takes-steps", "completions-are-sampled", "group-has-two-completions", "run-takes-a-step", "run-has-an-update"),
    ),
    (
        (
            "steps? many|few|less|more|fewer|wrong|number|count|unexpected|expected|too", "步数|步 不对|太多|太少|少|多|不符|不一致",
        ),
        ("schedule-reaches-its-end", "rollout-takes-steps", "training-takes-steps", "launch-reads-its-processes", "rollout-holds-whole-updates"),
    ),
    (
        (
            "completion|response|answer|output|generation cut|truncat|clipped|too.short|shortened|incomplete", "(回答|输出|生成|回复|completion) (截断|太短|过短|不完整)",
        ),
        ("engine-holds-prompt-and-completion", "engine-length-holds-a-sequence", "engine-holds-both-limits", "sequences-fit-the-token-budget",
         "soft-overlong-begins-within-the-completion"),
    ),
    (
        (
            "row|data|sample|prompt drop|lost|lose|skip|missing|not.used", "数据|样本 丢|少|没用|未使用",
        ),
        ("rollout-holds-whole-updates", "rollout-takes-steps", "training-takes-steps", "first-evaluation-has-rows", "split-leaves-rows-to-train"),
    ),
    (
        (
            "(setting|option|flag|key|config|parameter|argument) (ignored|no.effect|not.used|not.applied|does.nothing)", "(参数|配置|设置|选项) (无效|没有生效|不生效|被忽略|没生效)",
        ),
        ("key-is-known", "value-is-kept", "settings-have-an-effect", "flags-reach-their-command", "flag-stands-once"),
    ),
    (
        (
            "off.?policy", "(clip.?ratio|clip.?frac) (not|high|large|above|>)", "离策略",
        ),
        ("updates-keep-to-one-rollout", "rollout-holds-whole-updates", "last-update-is-whole"),
    ),
    (
        ("learning.?rate 0|zero|never|constant|wrong|not", "warm.?up long|never|wrong|ignored|not", "学习率 0|不变|不对|没有"),
        ("schedule-reaches-its-end", "warmup-steps-count", "warmup-is-said-once", "learning-rate-is-not-negative", "scheduler-is-known"),
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


def occurs(patterns: "tuple[str, ...]", text: str) -> bool:
    """Whether all words of one of the alternatives occur in a text of a few words, in small letters."""
    if len(text) > MOST_CHARACTERS or len(text.split()) > LONGEST_SYMPTOM:
        return False
    return any(all(re.search(word, text) for word in words.split()) for words in patterns)


def expected(text: str) -> "Cause | None":
    """What a text about something that has to be so comes from."""
    seen = text[: MOST_CHARACTERS + 1].lower()
    return next((cause for patterns, cause in EXPECTED if occurs(patterns, seen)), None)
