"""What the commands' parsers have in common."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    Commands: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]
else:
    Commands = argparse._SubParsersAction

NOTHING, FOUND, WRONG_USE, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses: nothing to say; a difference, a conflict or a refusal; it was asked wrongly; Ctrl+C."""
STATUSES = "exit status: 0 nothing to say, 1 {found}, 2 wrong use"


def add_command(
    commands: Commands, name: str, summary: str, description: str, example: str, found: str = ""
) -> argparse.ArgumentParser:
    """Add a command with help that ends with an example, and return its parser."""
    epilog = f"example:\n  {example}"
    if found:
        epilog += f"\n\n{STATUSES.format(found=found)}"
    return commands.add_parser(
        name,
        help=summary,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
