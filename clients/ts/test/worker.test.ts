/** Workers against a real server: taken up, acted on, kept alive, reported, looked up, drained. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Ambiguous, Client, InvalidArgumentError, NotSent, Succeeded, Worker, type Permit } from "../src/index.js";
import { LossyProxy, Server } from "./server.js";

let server: Server;
let ledger: Client;

before(async () => {
  server = await Server.start();
  ledger = new Client({ server: server.address, token: "", timeoutMs: 30_000 });
});

after(async () => {
  ledger.close();
  await server.stop();
});

const newWorker = (client = ledger): Worker => new Worker(client, `w-${randomUUID()}`);
const push = (ref: string) => ({ device: "d", ref });

async function enqueue(ref: string): Promise<string> {
  const { decision, permit, result } = await ledger.propose("push.send", push(ref));
  assert.equal(decision, "ENQUEUED");
  assert.equal(permit, undefined);
  return result.operationId;
}

const ended = async (id: string): Promise<string> => (await ledger.get(id, { waitMs: 30_000 })).state;

/** Runs a worker for a block. */
async function running(worker: Worker, block: (ended: Promise<void>) => Promise<void>): Promise<void> {
  const run = worker.run();
  try {
    await block(run);
  } finally {
    worker.stop();
    await run;
  }
}

/** A promise with its ends in the test's hands. */
function latch(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe("a worker", () => {
  it("acts once and reports", async () => {
    const order = randomUUID();
    const acted: string[] = [];
    const worker = newWorker().acts(
      "push.send",
      (permit) => {
        const { ref } = permit.arguments as { ref: string };
        assert.ok(permit.begun && permit.clientReference !== "" && permit.timeLeftMs() > 0);
        acted.push(ref);
        return new Succeeded({ sent: ref }, { providerObjectId: `push_${ref}` });
      },
      { room: 4 },
    );
    const refs = Array.from({ length: 8 }, (_, n) => `${order}_${n}`);
    await running(worker, async () => {
      const ids = await Promise.all(refs.map(enqueue));
      assert.deepEqual(await Promise.all(ids.map(ended)), refs.map(() => "completed_success"));
    });
    assert.deepEqual(acted.sort(), refs);
    const { decision, result } = await ledger.propose("push.send", push(refs[0]!));
    assert.equal(decision, "REPLAYED");
    assert.deepEqual(result.value, { sent: refs[0] });
  });

  it("runs no more than it has room for, and uses all of it", async () => {
    const order = randomUUID();
    const both = latch();
    let now = 0;
    let most = 0;
    const act = async (): Promise<void> => {
      most = Math.max(most, ++now);
      if (now === 2) {
        both.open();
      }
      await both.opened;
      now--;
    };
    await running(newWorker().acts("push.send", act, { room: 2 }), async () => {
      const ids = await Promise.all([0, 1, 2, 3].map((n) => enqueue(`${order}_${n}`)));
      assert.deepEqual(await Promise.all(ids.map(ended)), ids.map(() => "completed_success"));
    });
    assert.equal(most, 2);
  });

  it("keeps what runs longer than its permit alive", async () => {
    const act = async (permit: Permit): Promise<void> => {
      for (let lasts = 0; lasts < 3_000; ) {
        const [attempt] = (await ledger.get(permit.operationId)).message.attempts;
        lasts = timestampMs(attempt!.deadlineTime!) - timestampMs(attempt!.grantTime!);
      }
      assert.ok(permit.timeLeftMs() > 0);
    };
    await running(newWorker().acts("push.send", act), async () => {
      const id = await enqueue(randomUUID());
      assert.equal(await ended(id), "completed_success");
      assert.equal((await ledger.get(id)).message.attempts.length, 1);
    });
  });

  it("looks up what is not known", async () => {
    const order = randomUUID();
    const worker = newWorker()
      .acts("push.send", () => {
        throw new Ambiguous("timeout");
      })
      .looksUp("push.send", ({ tool, arguments: args, lookup }) => {
        const question = lookup.questions[0]!;
        assert.equal(tool, "push.send");
        assert.deepEqual(args, push(order));
        return lookup.happened(question, { clientReference: question.value, providerObjectId: `push_${order}` });
      });
    await running(worker, async () => {
      const id = await enqueue(order);
      assert.equal(await ended(id), "completed_success");
      assert.equal((await ledger.get(id)).message.attempts.length, 1);
    });
  });

  it("tries again what was not sent", async () => {
    const numbers: number[] = [];
    const act = ({ attemptNumber }: Permit): void => {
      numbers.push(attemptNumber);
      if (attemptNumber === 1) {
        throw new NotSent("connection_refused");
      }
    };
    await running(newWorker().acts("push.send", act), async () => {
      assert.equal(await ended(await enqueue(randomUUID())), "completed_success");
    });
    assert.deepEqual(numbers, [1, 2]);
  });

  it("asks again for a lost answer", async () => {
    const id = await enqueue(randomUUID());
    const proxy = await LossyProxy.start(server.address);
    const behind = new Client({ server: proxy.address, token: "", timeoutMs: 30_000 });
    proxy.loseNextAnswer();
    await running(newWorker(behind).acts("push.send", () => undefined), async () => {
      assert.equal(await ended(id), "completed_success");
    });
    behind.close();
    await proxy.stop();
    assert.equal(proxy.lost, 1);
    const { attempts } = (await ledger.get(id)).message;
    assert.equal(attempts.length, 1);
    assert.ok(attempts[0]!.handedAgain);
  });

  it("ends what it has begun when it drains", async () => {
    const begun = latch();
    const end = latch();
    const worker = newWorker().acts("push.send", async () => {
      begun.open();
      await end.opened;
    });
    await running(worker, async (run) => {
      const id = await enqueue(randomUUID());
      await begun.opened;
      worker.stop();
      end.open();
      await run;
      assert.equal((await ledger.get(id)).state, "completed_success");
    });
  });

  it("says what makes no sense", async () => {
    await assert.rejects(newWorker().run(), TypeError);
    await assert.rejects(newWorker().acts("push.sent", () => undefined).run(), (error) => {
      assert.ok(error instanceof InvalidArgumentError);
      assert.equal(error.reason, "UNKNOWN_TOOL");
      return true;
    });
  });
});
