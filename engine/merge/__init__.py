"""Server-side apply on typed values: who conflicts, what an applier takes back, who owns what afterwards."""
