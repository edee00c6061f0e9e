"""How a call reaches the server: address, credential, deadline, and the same request again where its answer was lost."""

from __future__ import annotations

import inspect
import ipaddress
import random
import uuid
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

import grpc
from google.protobuf.duration_pb2 import Duration

from opledger.clock import Clock, Moment
from opledger.errors import OpledgerError, UnavailableError, from_rpc_error

Response = TypeVar("Response")

LEAST_BACKOFF, GREATEST_BACKOFF = 0.1, 2.0
"""Seconds: the bound of the wait before the second try, and before any."""

MAX_RECEIVED_BYTES = 64 << 20
"""A list of operations with their results can be longer than gRPC's usual 4 MiB."""


def open_channel(server: str) -> grpc.Channel:
    """Open a channel to "host:port" (TLS unless on loopback), or "http://host:port" (plain), "https://host:port" (TLS).

    So no credential crosses a network in the clear unless http:// asks for it.
    """
    url = urlsplit(server if "://" in server else f"//{server}")
    try:
        complete = url.scheme in ("", "http", "https") and bool(url.hostname) and url.port is not None
    except ValueError:
        complete = False
    if not complete or url.path.strip("/") or url.query:
        raise ValueError(f"the server is given as host:port, http://host:port or https://host:port, not as {server!r}")
    options: list[tuple[str, Any]] = [
        ("grpc.enable_retries", 0),  # Calls.call tries again, and nothing below it
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 2000),
        ("grpc.max_receive_message_length", MAX_RECEIVED_BYTES),
    ]
    loopback = _is_loopback(url.hostname or "")
    if loopback:
        options.append(("grpc.enable_http_proxy", 0))  # no proxy leads to this machine's own loopback
    if url.scheme == "http" or (loopback and not url.scheme):
        return grpc.insecure_channel(url.netloc, options)
    return grpc.secure_channel(url.netloc, grpc.ssl_channel_credentials(), options)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Calls:
    """Makes unary calls. Every request carries its own identity, so that making it again is safe."""

    def __init__(self, token: str, timeout: float, clock: Clock, jitter: Callable[[], float] = random.random) -> None:
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self._timeout = timeout
        self._clock = clock
        self._jitter = jitter

    def call(
        self,
        method: Callable[..., Response],
        request: Any,
        *,
        timeout: float | None = None,
        wait: float = 0.0,
    ) -> tuple[Response, Moment]:
        """Make one call, and again with the very same request while the server cannot answer and there is time.

        Returns the response and the moment right before the try that brought it: durations in it count from there.
        """
        bound = (self._timeout if timeout is None else timeout) + wait
        deadline = self._clock.monotonic() + bound
        tries = 0
        while True:
            asked = Moment.now(self._clock)
            try:
                return method(request, timeout=max(0.0, deadline - asked.monotonic), metadata=self._metadata), asked
            except grpc.RpcError as failed:
                error = from_rpc_error(failed)
                pause = self._pause(error, tries)
                if pause is None or self._clock.monotonic() + pause >= deadline:
                    raise error from failed
            self._clock.sleep(pause)
            tries += 1

    def _pause(self, error: OpledgerError, tries: int) -> float | None:
        """How long to wait before the same call again. None: it makes no sense.

        The ledger's word counts; without one the delay is drawn between zero and a bound that doubles. A defect of the
        server is given one more try.
        """
        passing = isinstance(error, UnavailableError) and error.code != "DEADLINE_EXCEEDED"
        if not passing and not (error.code == "INTERNAL" and tries == 0):
            return None
        if error.retry_after is not None:
            return error.retry_after
        return self._jitter() * min(GREATEST_BACKOFF, LEAST_BACKOFF * 2.0**tries)


def new_id() -> str:
    """Make the identity of a request, before its first try."""
    return str(uuid.uuid4())


def set_duration(field: Duration, seconds: float) -> None:
    """Set a field to a positive time; zero leaves it absent."""
    if seconds:
        field.FromNanoseconds(round(seconds * 1_000_000_000))


def refuse_coroutine(act: Callable[..., Any], so: str) -> None:
    """Refuse a coroutine function: what it will do is not known when it returns."""
    if inspect.iscoroutinefunction(act):
        raise TypeError(f"act is a coroutine function, and plain ones are taken; {so}")
