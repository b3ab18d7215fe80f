"""x-kubernetes-validations: a custom resource's rules in CEL. README.md beside this file lists their library.

CEL comes with the optional extra `patchyard[cel]`; program.py alone imports it, and only where rules are evaluated.
"""
