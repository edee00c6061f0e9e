"""A worker in twenty lines: it prints in place of sending."""

import signal

from opledger import Client, Permit, Succeeded, Worker

with Client() as ledger:
    worker = Worker(ledger, "push-python")

    @worker.acts("push.send", room=8)
    def send(permit: Permit) -> Succeeded:
        # One request, with no more time than permit.time_left(), and no other.
        print("sending", permit.arguments_json, "under", permit.client_reference, flush=True)
        return Succeeded({"sent": True}, provider_object_id=f"msg_{permit.attempt_id}")

    for end in (signal.SIGINT, signal.SIGTERM):
        signal.signal(end, lambda *_: worker.stop())
    worker.run()
