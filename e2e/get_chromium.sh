#!/bin/sh
# Gets a Chromium for the browser tests: the system's, else Debian's package, else Playwright's. Never fails: the tests say what is missing.
# Usage: sh e2e/get_chromium.sh FOLDER_OF_PLAYWRIGHT
for name in chromium chromium-browser google-chrome; do
  command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "Installing Debian's package chromium for the browser tests ..."
  DEBIAN_FRONTEND=noninteractive
  export DEBIAN_FRONTEND
  apt-get update -qq >/dev/null 2>&1
  apt-get install -y -qq --no-install-recommends chromium >/dev/null 2>&1 && exit 0
fi
echo "Asking Playwright for a Chromium for the browser tests ..."
"$1/playwright" install chromium >/dev/null 2>&1 || echo "No Chromium could be installed."
exit 0
