"""Validation rules evaluated in a process of their own, which a rule can neither fill nor keep busy for long."""
