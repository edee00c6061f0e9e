"""One server for all tests, with the example tools and one of the tests' own. Tests tell their operations apart by ids of their own."""

from __future__ import annotations

import subprocess
import uuid
from collections.abc import Iterator

import pytest
from server import REPOSITORY, LossyProxy, Server, build, clean_environment

from opledger import Client


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    binary = build(folder)
    started = Server(binary, folder)
    try:
        folders = (REPOSITORY / "examples" / "tools", REPOSITORY / "clients" / "testdata")
        tools = [str(path) for folder in folders for path in sorted(folder.glob("*.yaml"))]
        apply = [str(binary), "tools", "apply", "--server", started.address, *tools]
        subprocess.run(apply, check=True, env=clean_environment(), stdout=subprocess.DEVNULL)
        yield started
    finally:
        started.stop()


@pytest.fixture(scope="session")
def ledger(server: Server) -> Iterator[Client]:
    with Client(server.address, token="", timeout=30.0) as client:
        yield client


@pytest.fixture
def proxy(server: Server) -> Iterator[LossyProxy]:
    made = LossyProxy(server.address)
    yield made
    made.close()


@pytest.fixture
def order_id() -> str:
    """An order that no other test knows."""
    return f"order_{uuid.uuid4().hex}"
