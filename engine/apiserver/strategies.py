"""Which strategy a kind has."""

from __future__ import annotations

from engine.apiserver.builtin_strategy import BuiltinStrategy
from engine.apiserver.custom_strategy import CustomStrategy
from engine.apiserver.strategy import Strategy
from engine.schema.catalog import KindInfo


def strategy_of(info: KindInfo) -> Strategy:
    """Return the strategy of a kind."""
    return CustomStrategy(info) if info.custom is not None else BuiltinStrategy(info)
