"""Who owns what, told for the lines of a rendered object."""
