"""Why each field of a result is as it is: reasons that the rules of the write gave, with the rule and its source."""
