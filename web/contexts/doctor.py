"""What the doctor of managedFields tells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EntryAdvice:
    """What ails one entry: whose it is in words, its size in words, and a sentence for each ailment."""

    owner: str
    size: str
    advice: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DoctorPartial:
    """_doctor.html: the findings in sentences, the entries, the largest branches, and the clean-up.

    branches: path and size in words. patch and command are empty where there is nothing to clean up; nothing says why
    there is no diagnosis at all.
    """

    nothing: str = ""
    findings: tuple[str, ...] = ()
    entries: tuple[EntryAdvice, ...] = ()
    branches: tuple[tuple[str, str], ...] = ()
    clean_up: str = ""
    patch: str = ""
    command: str = ""
