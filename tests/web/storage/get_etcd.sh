#!/bin/sh
# Gets an etcd for the store's tests: the one that is there, else Debian's package. Never fails: the tests say what is missing.
command -v etcd >/dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "Installing Debian's package etcd-server for the tests of the store ..."
  DEBIAN_FRONTEND=noninteractive
  export DEBIAN_FRONTEND
  apt-get update -qq >/dev/null 2>&1
  apt-get install -y -qq --no-install-recommends etcd-server >/dev/null 2>&1 && exit 0
fi
echo "No etcd could be installed."
exit 0
