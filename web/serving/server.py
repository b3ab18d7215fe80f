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
from web.serving.incoming import MOST_HEAD, MOST_REQUESTS, Incoming
from web.serving.keep import Keep
from web.serving.outgoing import MOST_ANSWERS, Outgoing
from web.serving.patience import READ_SECONDS, Patience
from web.serving.reading import Request
from web.serving.shares import SharedSocket
from web.serving.tls import Encryption, Handshake

BACKLOG = 512
"""How many clients may wait to be let in."""
MOST_IDLE = 1_000
"""How many connections may stay open without a request; each takes some 10 kB, and is closed after 10 seconds."""
_LOOK_SECONDS = 0.1
_MOST_BODY = 16 * 1024 * 1024
END_SECONDS = 2
"""How long requests have to finish when the server ends."""
LEAVE_SECONDS = 0.5
"""How long their answers have to leave, after that."""
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Connection(HTTPConnection):
    """A client's connection, whose socket never waits. is_new until something came over it.

    has_rest is set where it is to be closed though its client may have sent more than was read.
    """

    RequestHandlerClass = Request
    is_new = True
    has_rest = False
    rfile: Incoming
    wfile: Outgoing

    def __init__(self, server: SiteServer, sock: socket.socket, makefile: Any) -> None:
        sock.setblocking(False)
        super().__init__(server, sock, server.file_over)
        self._handshake = Handshake(sock) if isinstance(sock, ssl.SSLSocket) else None
        server.count(self)

    def is_ready(self) -> bool:
        """Take what came; return True if a thread can go on without waiting: with a request, or to end it.

        Raises:
            OSError: the client is gone, or does not know how to shake hands.
        """
        if self._handshake is not None:
            if not self._handshake.is_made():
                return False
            self._handshake = None
        if self.rfile.is_whole():
            return True
        if self.rfile.wants_more:
            self.rfile.wants_more = False
            self.wfile.write(_CONTINUE)
        return False

    def close(self) -> None:
        """Close it, once what is kept for the client is sent; where it has a rest, once that had time to take it."""
        if not self.wfile.is_empty:
            self.server.patience.send(self, Connection.close)
        elif self.has_rest:
            self.has_rest = False
            self.rfile.close()
            self.server.patience.part_with(self)
        else:
            self.server.discount(self)
            super().close()


class SiteGateway(Gateway_10):
    """Hands a request to the site. An answer without an end begins at once, and ends when its client hangs up."""

    def respond(self) -> None:
        """Answer one request."""
        response = self.req.server.wsgi_app(self.env, self.start_response)
        hangup, watched = self.env.get(STREAM), None
        try:
            if hangup is not None:
                self.req.conn.wfile.waits = True
                self.req.ensure_headers_sent()
                watched = self.req.server.listener.add(self.req.conn.socket, hangup)
            for chunk in filter(None, response):
                self.write(chunk)
        finally:
            if watched is not None:
                self.req.server.listener.remove(watched)
                self.req.conn.wfile.waits = False
            self.req.ensure_headers_sent()
            if hasattr(response, "close"):
                response.close()


class SiteServer(Server):
    """Serves the site on a socket that is listened on already, and may be by other processes too.

    ends is called when the server is to end, before it waits for its threads. A request has to come within
    read_seconds, and holds no thread until it is there.
    """

    ConnectionClass = Connection
    max_request_header_size = MOST_HEAD
    keep_alive_conn_limit = MOST_IDLE

    def __init__(
        self,
        listening: SharedSocket,
        site: Any,
        threads: int,
        encryption: Encryption | None,
        ends: Callable[[], None] = lambda: None,
        read_seconds: float = READ_SECONDS,
    ) -> None:
        super().__init__(listening.getsockname()[:2], site, numthreads=threads, shutdown_timeout=END_SECONDS)
        self.gateway = SiteGateway
        self.ssl_adapter = encryption
        self.listener = Listener()
        self.patience = Patience(super().process_conn, read_seconds)
        self.most_body = getattr(site, "config", {}).get("MAX_CONTENT_LENGTH") or _MOST_BODY
        """The most bytes of a body that are waited for; the site refuses larger ones."""
        self._requests = Keep(MOST_REQUESTS, self.patience.let_go_of_a_request)
        self._answers = Keep(MOST_ANSWERS, self.patience.let_go_of_an_answer)
        self._listening, self._ends, self._is_ending = listening, ends, False
        self.request_queue_size = BACKLOG

    def file_over(self, sock: socket.socket, mode: str, _: int = 0) -> Incoming | Outgoing:
        """Return what reads, or what writes, over a connection."""
        if "r" in mode:
            return Incoming(sock, self.most_body, self._requests)
        return Outgoing(sock, self._answers, self.timeout, lambda: self._is_ending)

    def count(self, connection: Connection) -> None:
        """Tell the processes that share the socket of a client more."""
        if self._listening.share is not None:
            self._listening.share.add(connection)

    def discount(self, connection: Connection) -> None:
        """Tell them of a client less."""
        if self._listening.share is not None:
            self._listening.share.remove(connection)

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
            return
        conn.rfile.begin()
        self.patience.take(conn)

    def put_conn(self, conn: Connection) -> None:
        """Wait for the next request, unless some of it is decrypted already: the socket would not tell of that."""
        if not conn.wfile.is_empty:
            self.patience.send(conn, self.put_conn)
            return
        conn.rfile.begin()
        if self.ready and isinstance(conn.socket, ssl.SSLSocket) and conn.socket.pending():
            self.process_conn(conn)
        else:
            super().put_conn(conn)

    def stop(self) -> None:
        """End: let those go who wait for something to happen, and finish what is begun."""
        self._ends()
        self._is_ending = True
        super().stop()
        self.patience.stop(LEAVE_SECONDS)


def listen(host: str, port: int) -> SharedSocket:
    """Return a socket that listens on an address.

    Raises:
        OSError: it cannot.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = SharedSocket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made.bind((host.strip("[]"), port))
        made.listen(BACKLOG)
    except BaseException:
        made.close()
        raise
    return made


def serve_until_told(server: SiteServer, ready: Callable[[], None], goes_on: Callable[[], bool] = lambda: True) -> None:
    """Serve until the process is told to end (SIGTERM, Ctrl+C), or goes_on no more.

    ready is called once a signal would be heeded.

    The signal only sets a mark: an exception that it raised could strike inside a lock, and leave it broken.
    """
    told: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda sent, _: told.append(sent))
    thread = threading.Thread(target=server.serve, name="serve", daemon=True)
    thread.start()
    ready()
    while thread.is_alive() and not told and goes_on():
        thread.join(_LOOK_SECONDS)
    server.stop()
