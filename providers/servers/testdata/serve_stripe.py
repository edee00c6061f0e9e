"""Runs localstripe for one test: on a free port of this machine alone, which it prints, and with nothing kept on disk."""

import socket

from aiohttp import web
from localstripe import resources, server

# It would write everything to one file in the folder for temporary files, whoever runs it.
resources.Store.dump_to_disk = lambda self: None

listener = socket.create_server(("127.0.0.1", 0))
print("http://127.0.0.1:%d" % listener.getsockname()[1], flush=True)
web.run_app(server.app, sock=listener, print=None, access_log=None)
