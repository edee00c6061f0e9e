"""A real server process for tests, and a proxy that loses answers."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

REPOSITORY = Path(__file__).resolve().parents[3]


def build(folder: Path) -> Path:
    """Find the binary: OPLEDGER_BIN, else compiled here."""
    stated = os.environ.get("OPLEDGER_BIN")
    if stated:
        return Path(stated)
    binary = folder / "opledger"
    subprocess.run(["go", "build", "-o", str(binary), "./cmd/opledger"], cwd=REPOSITORY, check=True)
    return binary


def clean_environment() -> dict[str, str]:
    """This process's environment without any setting of a server or client."""
    return {name: value for name, value in os.environ.items() if not name.startswith("OPLEDGER_")}


class Server:
    """A server on an SQLite file of its own and a port that the system chose."""

    def __init__(self, binary: Path, folder: Path) -> None:
        command = [str(binary), "serve", "--listen", "127.0.0.1:0", "--admin-listen", "off", "--log-format", "json"]
        command += ["--database-url", str(folder / "ledger.db")]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=clean_environment())
        self.address = self._until_serving()
        # From here on the log is read away, so that a full pipe never holds the server up.
        self._reader = threading.Thread(target=self._lines, daemon=True)
        self._reader.start()

    def _until_serving(self) -> str:
        """Read the log up to the line that names the address. A server that ends before has none."""
        seen: list[str] = []
        for line in self._log():
            seen.append(line)
            if '"msg":"serving"' in line:
                return str(json.loads(line)["address"])
        raise RuntimeError("the server did not start:\n" + "".join(seen))

    def _log(self) -> IO[str]:
        assert self._process.stderr is not None
        return self._process.stderr

    def _lines(self) -> None:
        for _ in self._log():
            pass

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()
        self._reader.join()
        self._log().close()


class LossyProxy:
    """Passes bytes on to a server. Told so, it lets one request through and breaks the connection at its answer."""

    def __init__(self, server: str) -> None:
        host, port = server.rsplit(":", 1)
        self._server = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._lose_next = threading.Event()
        self.lost = 0
        self._acceptor = threading.Thread(target=self._accept, daemon=True)
        self._acceptor.start()

    def lose_next_answer(self) -> None:
        self._lose_next.set()

    def close(self) -> None:
        _shut(self._listener)  # wakes who accepts
        self._acceptor.join()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return  # closed
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._server) as upstream:
            onward = threading.Thread(target=_pass_on, args=(client, upstream), daemon=True)
            onward.start()
            self._pass_back(upstream, client)
            _shut(client)
            _shut(upstream)
            onward.join()

    def _pass_back(self, upstream: socket.socket, client: socket.socket) -> None:
        for chunk in _chunks(upstream):
            if self._lose_next.is_set() and _holds_headers(chunk):
                self._lose_next.clear()
                self.lost += 1
                return
            try:
                client.sendall(chunk)
            except OSError:
                return


def _pass_on(client: socket.socket, upstream: socket.socket) -> None:
    # The other direction may have shut both sockets already: a client speaks on until it has heard of that.
    with contextlib.suppress(OSError):
        for chunk in _chunks(client):
            upstream.sendall(chunk)
    _shut(upstream)


def _holds_headers(chunk: bytes) -> bool:
    """Whether one of the HTTP/2 frames in a chunk carries headers: an answer begins so, and nothing else does."""
    at = 0
    while at + 9 <= len(chunk):
        if chunk[at + 3] == 1:
            return True
        at += 9 + int.from_bytes(chunk[at : at + 3], "big")
    return False


def _chunks(source: socket.socket) -> Iterator[bytes]:
    while True:
        try:
            chunk = source.recv(65536)
        except OSError:
            return
        if not chunk:
            return
        yield chunk


def _shut(end: socket.socket) -> None:
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
