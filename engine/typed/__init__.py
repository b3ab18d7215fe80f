"""Values with their types: what fields they have, how they merge, compare and lose fields."""
