"""Looks for the cheapest patch among those that different guesses at what is moved lead to.

A guess is a set of values, by number, which get a share of the price of a move where they leave and where they arrive.
Small documents are worth a climb: from the best guesses so far, values are taken in and out one by one as long as the
patch gets cheaper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.json_patch.guesses import Travel
from engine.json_patch.writing import Operations

Guess: TypeAlias = frozenset[int]
Attempt: TypeAlias = Callable[[dict[int, float], dict[int, float]], tuple[Operations, Guess]]
"""Makes a patch with the shares that values pay for leaving and for arriving; tells which values it moves."""

HALF, NOTHING = 0.5, 0.05
"""The shares of both ends of a move; of the one end where the other is certain (it still costs some bytes)."""

_MOST_CLIMBED = 16
"""Values that a climb may take in and out."""
_ROUNDS = 2
NOBODY: Guess = frozenset()


@dataclass(slots=True)
class Search:
    """The patches that guesses have led to."""

    attempt: Attempt
    price: Callable[[Operations], int]
    found: dict[Guess, Operations] = field(default_factory=dict)

    def cheapest(self, travel: Travel, thorough: bool) -> Operations:
        """Return the cheapest patch that was found."""
        everybody = travel.numbers
        moved = [self._try(NOBODY), self._try(everybody)]
        for guess in [*moved, self._try(moved[0])]:
            self._try(guess)
        patches = list(self.found.values())
        if thorough and 0 < len(everybody) <= _MOST_CLIMBED:
            for start in (min(self.found, key=self._price), everybody, moved[1]):
                self._climb(start, sorted(everybody))
            patches = [*self.found.values(), self._with_certain(travel)]
        return min(patches, key=self.price)

    def _try(self, guess: Guess) -> Guess:
        """Make the patch of a guess if it is a new one, and return what it moves."""
        if guess in self.found:
            return NOBODY
        shares = dict.fromkeys(guess, HALF)
        self.found[guess], moved = self.attempt(shares, shares)
        return moved

    def _with_certain(self, travel: Travel) -> Operations:
        """Return the patch where values leave for nothing if they are wanted for certain, and the other way round."""
        gone = {number: NOTHING if number in travel.wanted else HALF for number in travel.numbers}
        come = {number: NOTHING if number in travel.leaving else HALF for number in travel.numbers}
        return self.attempt(gone, come)[0]

    def _price(self, guess: Guess) -> int:
        return self.price(self.found[guess])

    def _climb(self, best: Guess, values: list[int]) -> None:
        for _ in range(_ROUNDS):
            start = best
            for value in values:
                other = best ^ {value}
                self._try(other)
                if self._price(other) < self._price(best):
                    best = other
            if best is start:
                return
