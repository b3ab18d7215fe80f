"""One blueprint per part of the site; none knows another."""
