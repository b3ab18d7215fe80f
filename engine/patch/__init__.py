"""One front for every kind of patch."""
