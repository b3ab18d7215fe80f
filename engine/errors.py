"""The base of every failure that the engine names."""


class EngineError(Exception):
    """A named failure. Subclasses carry fields (path, reason, offending value); `str` words them.

    Each package defines its own subclasses; `engine.apiserver.status` alone turns them into Status answers.
    """
