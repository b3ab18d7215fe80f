"""What the engine costs: the operations, the documents that they are measured on, and the measuring."""
