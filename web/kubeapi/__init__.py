"""The Kubernetes REST API of a workspace: what kubectl and client libraries speak."""
