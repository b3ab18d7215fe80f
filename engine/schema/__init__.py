"""What a type is: schemas of built-in kinds and of custom resources."""
