#!/bin/sh
# Gets a Chromium for the browser tests: the system's, else Debian's package, else Playwright's. Never fails: the tests say what is missing.
# Chromium's headless shell has no windows to draw and needs a half to two thirds of the time; under CI=true it is installed beside a Chromium.
# Usage: sh e2e/get_chromium.sh FOLDER_OF_PLAYWRIGHT
there() { command -v "$1" >/dev/null 2>&1; }
there chromium-headless-shell && exit 0
for name in chromium chromium-browser google-chrome; do
  there "$name" && [ "${CI:-}" != true ] && exit 0
done
if [ "$(id -u)" = 0 ] && there apt-get; then
  DEBIAN_FRONTEND=noninteractive
  export DEBIAN_FRONTEND
  echo "Installing Debian's package chromium-headless-shell for the browser tests ..."
  apt-get update -qq >/dev/null 2>&1
  apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null 2>&1 && exit 0
fi
for name in chromium chromium-browser google-chrome; do
  there "$name" && exit 0
done
if [ "$(id -u)" = 0 ] && there apt-get; then
  echo "Installing Debian's package chromium for the browser tests ..."
  apt-get install -y -qq --no-install-recommends chromium >/dev/null 2>&1 && exit 0
fi
echo "Asking Playwright for a Chromium for the browser tests ..."
"$1/playwright" install chromium >/dev/null 2>&1 || echo "No Chromium could be installed."
exit 0
