"""cheroot with patience for slow clients, an ear for those that hang up, and a socket that processes share."""

from __future__ import annotations

import signal
import socket
import ssl
import threading
from collections.abc import Callable
from typing import Any

from cheroot.server import HTTPConnection
from cheroot.wsgi import Gateway_10, Server

from web.serving.hangup import STREAM, Listener
from web.serving.patience import Patience, is_whole
from web.serving.tls import Encryption, shaken

BACKLOG = 512
"""How many clients may wait to be let in."""
_LOOK_SECONDS = 0.1
END_SECONDS = 2
"""How long requests have to finish when the server ends."""


class Connection(HTTPConnection):
    """A client's connection. is_new until something came over it; is_shaken once it is encrypted, if it is to be."""

    is_new = True
    is_shaken = False

    def communicate(self) -> bool:
        """Read a request and answer it; return True if the connection stays."""
        self.server.patience.reads(self)
        try:
            if isinstance(self.socket, ssl.SSLSocket) and not self.is_shaken:
                if not shaken(self.socket):
                    return False
                self.is_shaken = True
            return bool(super().communicate())  # type: ignore[no-untyped-call]
        finally:
            self.server.patience.has_read(self)


class SiteGateway(Gateway_10):
    """Hands a request to the site. An answer without an end begins at once, and ends when its client hangs up."""

    def start_response(self, status: str, headers: Any, exc_info: Any = None) -> Any:
        """Take the site's word for how the answer begins: the request is read by then."""
        self.req.server.patience.has_read(self.req.conn)
        return super().start_response(status, headers, exc_info)

    def respond(self) -> None:
        """Answer one request."""
        response = self.req.server.wsgi_app(self.env, self.start_response)
        hangup, watched = self.env.get(STREAM), None
        try:
            if hangup is not None:
                self.req.ensure_headers_sent()
                watched = self.req.server.listener.add(self.req.conn.socket, hangup)
            for chunk in filter(None, response):
                self.write(chunk)
        finally:
            if watched is not None:
                self.req.server.listener.remove(watched)
            self.req.ensure_headers_sent()
            if hasattr(response, "close"):
                response.close()


class SiteServer(Server):
    """Serves the site on a socket that is listened on already, and may be by other processes too.

    ends is called when the server is to end, before it waits for its threads.
    """

    ConnectionClass = Connection

    def __init__(
        self,
        listening: socket.socket,
        site: Any,
        threads: int,
        encryption: Encryption | None,
        ends: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(listening.getsockname()[:2], site, numthreads=threads, shutdown_timeout=END_SECONDS)
        self.gateway = SiteGateway
        self.ssl_adapter = encryption
        self.listener, self.patience = Listener(), Patience(super().process_conn)
        self._listening, self._ends = listening, ends
        self.request_queue_size = BACKLOG

    def bind(self, family: int, kind: int, proto: int = 0) -> socket.socket:
        """Take the socket that is listened on."""
        self.socket = self._listening
        return self._listening

    def prepare(self) -> None:
        """Get ready to serve."""
        super().prepare()
        self.socket.setblocking(False)  # another process may have taken the client
        self.patience.start()

    def process_conn(self, conn: Connection) -> None:
        """Have a request read, once it is there whole."""
        if conn.is_new:
            conn.is_new = False
            conn.socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            self.put_conn(conn)
        elif is_whole(conn.socket):
            super().process_conn(conn)
        else:
            self.patience.wait_for(conn)

    def stop(self) -> None:
        """End: let those go who wait for something to happen, and finish what is begun."""
        self._ends()
        self.patience.stop()
        super().stop()


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address.

    Raises:
        OSError: it cannot.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made.bind((host.strip("[]"), port))
        made.listen(BACKLOG)
    except BaseException:
        made.close()
        raise
    return made


def serve_until_told(server: SiteServer, ready: Callable[[], None]) -> None:
    """Serve until the process is told to end (SIGTERM, Ctrl+C); ready is called once that would be heeded.

    The signal only sets a mark: an exception that it raised could strike inside a lock, and leave it broken.
    """
    told: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda sent, _: told.append(sent))
    thread = threading.Thread(target=server.serve, name="serve", daemon=True)
    thread.start()
    ready()
    while thread.is_alive() and not told:
        thread.join(_LOOK_SECONDS)
    server.stop()
