/** A worker in twenty lines: it prints in place of sending. */
import { Client, Succeeded, Worker } from "opledger";

const ledger = new Client();
const worker = new Worker(ledger, "push-ts").acts(
  "push.send",
  (permit) => {
    // One request, with permit.signal(), and no other.
    console.log("sending", permit.argumentsJson, "under", permit.clientReference);
    return new Succeeded({ sent: true }, { providerObjectId: `msg_${permit.attemptId}` });
  },
  { room: 8 },
);
process.on("SIGINT", () => worker.stop());
await worker.run();
ledger.close();
