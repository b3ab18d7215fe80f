"""Where a field is: path elements, paths, sets of paths, and their wire form fieldsV1."""
