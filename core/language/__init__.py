"""The Chinese travel grammar: reads a sentence into frames, without any input or output but its own tables."""

from core.language.reader import read

__all__ = ["read"]
