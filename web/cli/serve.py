"""`patchyard serve`: the page, until the process is told to stop."""

from __future__ import annotations

import argparse
import signal
import sys
from dataclasses import replace

from cheroot.wsgi import Server

from web.app import WORKSPACES, create_app
from web.cli.parsing import Commands, add_command
from web.config import Config
from web.storage.failure import StoreFailed
from web.wsgi import utc_now

ABOUT = """\
Serve the page, and below it a Kubernetes API, until stopped with Ctrl+C.

Each workspace is a cluster of its own, empty at first; its name is up to you:
  kubectl --server http://127.0.0.1:8080/w/NAME create configmap settings --from-literal=mode=careful
/w/NAME/kubeconfig is a file for kubectl --kubeconfig. With --no-open, as where other machines reach the port,
a workspace is made by a request only, which answers its id, the key to it: curl -X POST http://HOST:PORT/w/
Workspaces are kept in memory, or with --store in a SQLite file or in etcd.
The other settings, from the environment, are in patchyard --help."""


def register(commands: Commands, config: Config) -> None:
    """Add the command to the parser's."""
    parser = add_command(commands, "serve", "serve the page", ABOUT, "patchyard serve --port 9000")
    parser.add_argument("--host", default=config.host, help=f"address to listen on (default {config.host})")
    parser.add_argument("--port", type=_port, default=config.port, help=f"port to listen on (default {config.port})")
    parser.add_argument(
        "--store", default=config.store, help="where workspaces are kept: a SQLite file, or etcd://HOST:PORT"
    )
    parser.add_argument(
        "--open",
        action=argparse.BooleanOptionalAction,
        default=config.open,
        help="make a workspace where it is first used (default: only where --host is this machine's own address)",
    )
    parser.set_defaults(run=lambda options: serve(_chosen(config, options)))


def _chosen(config: Config, options: argparse.Namespace) -> Config:
    return replace(config, host=options.host, port=options.port, open=options.open, store=options.store)


def serve(config: Config) -> int:
    """Serve the site until the process is told to stop."""
    try:
        app = create_app(config, utc_now)
    except StoreFailed as error:
        print(
            f"patchyard: {error} (the store is {config.store!r}). Name a file in a folder that is there and can be "
            "written, or an etcd that answers; without --store and PATCHYARD_STORE workspaces are kept in memory.",
            file=sys.stderr,
        )
        return 1
    server = Server((config.host, config.port), app, numthreads=config.threads)
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
    print(greeting(host, port, config.opens), flush=True)
    try:
        server.serve()
    except KeyboardInterrupt:
        pass
    finally:
        app.extensions[WORKSPACES].close()  # a watch that is still told something would keep the server from ending
        server.stop()
    return 0


def greeting(host: str, port: int, opens: bool) -> str:
    """Return what is told at the start: where the page is, and how kubectl reaches a workspace."""
    base = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    first = f"Patchyard is at {base} (stop it with Ctrl+C)"
    if opens:
        return f"{first}\nA cluster to try kubectl on: kubectl --server {base}/w/demo get namespaces"
    return f"{first}\nA cluster to try kubectl on: curl -X POST {base}/w/ makes one and tells how to use it"


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is no port; expected a whole number from 0 to 65535")
    return int(text)
