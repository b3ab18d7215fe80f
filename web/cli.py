"""The `patchyard` command."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version

from cheroot.wsgi import Server

from web.app import create_app
from web.config import BadSetting, Config, config_from
from web.wsgi import utc_now

DESCRIPTION = "Patchyard: a playground for Kubernetes patches, in your browser."
EPILOG = """\
settings, from the environment:
  PATCHYARD_HOST                address to listen on (127.0.0.1)
  PATCHYARD_PORT                port to listen on (8080; 0 takes any free one)
  PATCHYARD_THREADS             requests answered at the same time (16)
  PATCHYARD_MAX_DOCUMENT_BYTES  largest document that is read (1048576)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with `arguments` (the process's own if None) and return its exit status."""
    try:
        config = config_from(os.environ)
    except BadSetting as error:
        print(f"patchyard: {error}", file=sys.stderr)
        return 2
    parser = _parser(config)
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return 0
    return serve(replace(config, host=options.host, port=options.port))


def serve(config: Config) -> int:
    """Serve the site until the process is told to stop."""
    server = Server((config.host, config.port), create_app(config, utc_now), numthreads=config.threads)
    try:
        server.prepare()
    except OSError as error:
        print(
            f"patchyard: cannot listen on {config.host} port {config.port}: {error}. "
            f"Choose another address: patchyard serve --host 127.0.0.1 --port {config.port + 1}",
            file=sys.stderr,
        )
        return 1
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    host, port = server.bind_addr[:2]
    print(f"Patchyard is at http://{f'[{host}]' if ':' in host else host}:{port} (stop it with Ctrl+C)", flush=True)
    try:
        server.serve()
    except KeyboardInterrupt:
        pass
    finally:
        server.stop()
    return 0


def _parser(config: Config) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "patchyard", description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"patchyard {version('patchyard')}")
    commands = parser.add_subparsers(dest="command", title="commands", metavar="")
    run = commands.add_parser("serve", help="serve the page", description="Serve the page until stopped with Ctrl+C.")
    run.add_argument("--host", default=config.host, help=f"address to listen on (default {config.host})")
    run.add_argument("--port", type=_port, default=config.port, help=f"port to listen on (default {config.port})")
    return parser


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is no port; expected a whole number from 0 to 65535")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
