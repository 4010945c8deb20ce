"""Complete texts of reports: {English: Chinese}. See the room for what placeholders mean."""

PHRASES = {
    # --- the frame of a report
    "error": "错误",
    "warning": "警告",
    "info": "提示",
    "fix": "修复",
    "or": "或",
    "why": "原因",
    "when": "何时",
    "note": "注意",
    "from": "来自",
}
