"""Readings as one line of text, so that a table of sentences can be read by a person."""

from core.language.frames import Frame, Reading


def compact(reading: Reading) -> str:
    """Frames joined by ` | `, or the topic in brackets where there are none."""
    if not reading.frames:
        return f"[{reading.topic}]"
    return " | ".join(_frame(frame) for frame in reading.frames)


def _frame(frame: Frame) -> str:
    slots = [f"{name}={_value(value)}" for name, value in frame.slots.to_json().items() if name != "condition"]
    troubles = [f"!{t.kind}:{t.slot}" + (f":{t.said}" if t.said else "") for t in frame.troubles]
    when = [f"if:{frame.when.test}@{frame.when.frame}"] if frame.when else []
    return " ".join([frame.intent.replace(" ", "_"), *slots, *troubles, *when])


def _value(value: object) -> str:
    if isinstance(value, dict):
        return ";".join(f"{name}:{','.join(values)}" for name, values in value.items())
    return str(value)
