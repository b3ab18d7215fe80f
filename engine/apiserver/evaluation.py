"""Moved: use engine.evaluation."""

from engine.evaluation import ConflictView, Evaluation, Write, WriteKind, evaluate

__all__ = ["ConflictView", "Evaluation", "Write", "WriteKind", "evaluate"]
