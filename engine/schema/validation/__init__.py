"""What an API server refuses, with the reference's causes."""
