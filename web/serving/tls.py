"""TLS whose handshake waits for nobody, so that a client that is slow at it keeps nobody waiting."""

from __future__ import annotations

import os
import socket
import ssl
from pathlib import Path
from typing import Any

from cheroot.ssl import Adapter

SPEAKS_TLS = b"This server speaks https only: use an address that begins with https://.\n"


class BadCertificate(Exception):
    """A certificate or key that cannot be used, and why."""


class Encryption(Adapter):
    """What cheroot asks for when it is to encrypt."""

    def __init__(self, certificate: str, key: str) -> None:
        super().__init__(certificate, key)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.context.set_alpn_protocols(["http/1.1"])
        try:
            self.context.load_cert_chain(certificate, key)
        except (OSError, ssl.SSLError) as error:
            raise BadCertificate(
                f"the certificate {certificate!r} and the key {key!r} cannot be used: {error}. Name a file with the "
                "certificate (and those that it was signed by) and one with its key, both in PEM"
            ) from error

    def bind(self, sock: socket.socket) -> socket.socket:
        """Return the listening socket, which is not encrypted itself."""
        return sock

    def wrap(self, sock: socket.socket) -> tuple[ssl.SSLSocket, dict[str, str]]:
        """Return the encrypted socket of a client, not yet shaken hands with, and what WSGI is told of it."""
        return self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False), self.get_environ()

    def get_environ(self) -> dict[str, str]:
        """Return what WSGI is told."""
        return {"wsgi.url_scheme": "https", "HTTPS": "on"}

    def makefile(self, sock: ssl.SSLSocket, mode: str = "r", bufsize: int = -1) -> Any:
        """Return nothing: connections make their files themselves (server.py)."""


class Handshake:
    """The shaking of hands over a socket that does not wait."""

    def __init__(self, sock: ssl.SSLSocket) -> None:
        self._socket = sock

    def is_made(self) -> bool:
        """Go on with it as far as what came allows; return True once hands are shaken.

        Raises:
            OSError: it fails. A client that speaks plain HTTP was told so.
        """
        try:
            self._socket.do_handshake()
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return False
        except ssl.SSLError as error:
            if error.reason == "HTTP_REQUEST":
                self._tell_plainly()
            raise
        return True

    def _tell_plainly(self) -> None:
        head = f"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: {len(SPEAKS_TLS)}\r\n"
        with socket.socket(fileno=os.dup(self._socket.fileno())) as plain:
            plain.send(f"{head}Connection: close\r\n\r\n".encode() + SPEAKS_TLS)


def authority(certificate: str) -> str:
    """Return the PEM text of what clients are to trust: the certificates of a file, without its key."""
    text = Path(certificate).read_text(encoding="ascii", errors="replace")
    parts = [part.partition(ssl.PEM_FOOTER)[0] for part in text.split(ssl.PEM_HEADER)[1:]]
    return "".join(f"{ssl.PEM_HEADER}{part}{ssl.PEM_FOOTER}\n" for part in parts)
