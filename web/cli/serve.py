"""`patchyard serve`: the page, until the process is told to stop."""

from __future__ import annotations

import argparse
import gc
import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from web.app import WORKSPACES, create_app
from web.cli.parsing import Commands, add_command
from web.config import Config
from web.garbage import return_large_blocks
from web.serving.processes import serve_in_processes
from web.serving.server import SiteServer, listen, serve_until_told
from web.serving.shares import Share, SharedSocket
from web.serving.tls import BadCertificate, Encryption
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
        "--processes", type=_processes, default=config.processes, help="server processes that share port and store"
    )
    parser.add_argument("--tls-cert", default=config.tls_cert, help="certificate in PEM: serve over https")
    parser.add_argument("--tls-key", default=config.tls_key, help="its key in PEM, if it is not in the same file")
    parser.add_argument(
        "--open",
        action=argparse.BooleanOptionalAction,
        default=config.open,
        help="make a workspace where it is first used (default: only where --host is this machine's own address)",
    )
    parser.set_defaults(run=lambda options: serve(_chosen(config, options)))


def _chosen(config: Config, options: argparse.Namespace) -> Config:
    names = ("host", "port", "open", "store", "processes", "tls_cert", "tls_key")
    return replace(config, **{name: getattr(options, name) for name in names})


def serve(config: Config) -> int:
    """Serve the site until the process is told to stop, and return the exit status."""
    if config.processes > 1 and not config.store:
        return _refused(
            "several processes share no memory. Name a store with --store FILE or --store etcd://HOST:PORT, "
            "or serve with one process"
        )
    try:
        encryption = Encryption(config.tls_cert, config.tls_key or config.tls_cert) if config.tls_cert else None
        listening = listen(config.host, config.port)
    except BadCertificate as error:
        return _refused(str(error))
    except OSError as error:
        return _refused(
            f"cannot listen on {config.host} port {config.port}: {error}. "
            f"Choose another address: patchyard serve --host 127.0.0.1 --port {config.port + 1}"
        )
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    _allow_many_clients()
    with listening:
        if config.processes > 1:
            parent = os.getpid()

            def serve_share(share: Share, tell: Callable[[str], None]) -> int:
                listening.share = share
                return _serve(config, listening, encryption, tell, lambda: os.getppid() == parent)

            return serve_in_processes(config.processes, serve_share)
        return _serve(config, listening, encryption, lambda text: print(text, flush=True))


def _serve(
    config: Config,
    listening: SharedSocket,
    encryption: Encryption | None,
    tell: Callable[[str], None],
    goes_on: Callable[[], bool] = lambda: True,
) -> int:
    """Serve in this process, as long as it goes_on. tell is given what is to be said once it is ready."""
    return_large_blocks()
    try:
        app = create_app(config, utc_now)
    except StoreFailed as error:
        return _refused(
            f"{error} (the store is {config.store!r}). Name a file in a folder that is there and can be written, or an "
            "etcd that answers; without --store and PATCHYARD_STORE workspaces are kept in memory."
        )
    server = SiteServer(listening, app, config.threads, encryption, app.extensions[WORKSPACES].close)
    server.prepare()
    gc.freeze()  # what is there by now stays: no collection looks through it again
    host, port = listening.getsockname()[:2]
    scheme = "https" if encryption else "http"
    serve_until_told(server, lambda: tell(greeting(host, port, config.opens, scheme)), goes_on)
    return 0


def _allow_many_clients() -> None:
    """Let this process open as many files as it may: each client takes one."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # some systems say that there is no limit, and have one
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _refused(reason: str) -> int:
    print(f"patchyard: {reason}", file=sys.stderr)
    return 1


def greeting(host: str, port: int, opens: bool, scheme: str = "http") -> str:
    """Return what is told at the start: where the page is, and how kubectl reaches a workspace."""
    base = f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
    first = f"Patchyard is at {base} (stop it with Ctrl+C)"
    if scheme == "https":
        return f"{first}\nA cluster to try kubectl on: {base}/w/ makes one, and a kubeconfig that knows the certificate"
    if opens:
        return f"{first}\nA cluster to try kubectl on: kubectl --server {base}/w/demo get namespaces"
    return f"{first}\nA cluster to try kubectl on: curl -X POST {base}/w/ makes one and tells how to use it"


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is no port; expected a whole number from 0 to 65535")
    return int(text)


def _processes(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 3 and 1 <= int(text) <= 64):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes; expected a whole number from 1 to 64")
    return int(text)
