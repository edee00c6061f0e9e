/** A lease is held for a block: renewed while it runs, given back when it ends, and lost for good once lost. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { inspect } from "node:util";
import {
  Client,
  Lease,
  LeaseBlockedError,
  LeaseLostError,
  RunSupersededError,
  Succeeded,
  type LeaseOptions,
} from "../src/index.js";
import { Leases } from "../src/leases.js";
import { Still } from "./clocks.js";
import { look, renewals, until } from "./leases.js";
import { LossyProxy, Server } from "./server.js";

let server: Server;
let ledger: Client;

/** A client whose time passes only when the test says so, by these clocks. */
let still: Client;
let clock: Still;

let id: string;
let order: string;

before(async () => {
  server = await Server.start();
  ledger = new Client({ server: server.address, token: "", timeoutMs: 30_000 });
});

after(async () => {
  ledger.close();
  await server.stop();
});

beforeEach(() => {
  clock = new Still();
  still = new Client({ server: server.address, token: "", timeoutMs: 30_000, clock });
  id = `order_${randomUUID()}`;
  order = `order/${id}`;
});

afterEach(() => still.close());

const minute = 60_000;
const options = (more: Partial<LeaseOptions> = {}): LeaseOptions => ({
  workflowId: "wf_1",
  runId: "run_1",
  ttlMs: minute,
  ...more,
});
const cancel = () => ({ order_id: id, reason_code: "customer_wish" });

/** Expects a rejection with a lost lease. */
async function refused(kind: typeof LeaseLostError, reason: string, use: () => unknown): Promise<void> {
  await assert.rejects(
    async () => await use(),
    (error) => {
      assert.ok(error instanceof kind, String(error));
      assert.equal(error.reason, reason);
      return true;
    },
  );
}

describe("a block", () => {
  it("holds, proves and gives back", async () => {
    const lease = await ledger.withLease([order], options(), async (lease) => {
      assert.ok(!lease.lost && lease.timeLeftMs() > 0 && lease.timeLeftMs() <= minute);
      assert.deepEqual(lease.fencingNumbers, { [order]: 1 });
      assert.equal((await look(ledger, id)).lease?.leaseId, lease.leaseId);
      const unproven = ledger.propose("order.cancel", cancel(), { workflowId: "wf_1", runId: "run_1" });
      await assert.rejects(unproven, { reason: "LEASE_REQUIRED" });
      assert.ok((await lease.run("order.cancel", cancel(), () => new Succeeded())).done);
      const refund = { order_id: id, amount: "1.00", currency: "EUR" };
      const { message } = await ledger.propose("refund.create", refund, { lease, planOnly: true });
      assert.equal(message.plan?.decision, 1);
      return lease;
    });
    assert.equal((await look(ledger, id)).lease, undefined);
    assert.ok(!lease.lost && lease.signal.aborted && lease.timeLeftMs() === 0);
    await assert.rejects(lease.propose("order.cancel", cancel()), /block of the lease .* has ended/);
  });

  it("is renewed at each third of its time", async () => {
    await still.withLease([order], options(), async (lease) => {
      for (const times of [1, 2, 3]) {
        await until("the next renewal's being waited for", () => clock.sleeping === 1);
        clock.move(19_000);
        assert.equal(await renewals(still, id), times - 1);
        clock.move(1_500);
        await until("a renewal's answer", () => lease.message.renewCount === times);
        assert.equal(await renewals(still, id), times);
        assert.ok(lease.timeLeftMs() > 59_000);
      }
    });
  });

  it("takes all entities or none, and tells who holds", async () => {
    await ledger.withLease([order], options(), async (lease) => {
      const second = ledger.withLease([`${order}_2`, order], options({ workflowId: "wf_2" }), () => assert.fail());
      await assert.rejects(second, (error) => {
        assert.ok(error instanceof LeaseBlockedError);
        assert.deepEqual([error.holder?.workflowId, error.holder?.runId, error.holder?.entity], ["wf_1", "run_1", order]);
        assert.ok(error.since && error.until && error.until > error.since && error.since === error.holder?.since);
        assert.ok(error.retryAfterMs !== undefined && error.retryAfterMs > 0 && error.retryAfterMs <= minute);
        assert.match(error.message, /wf_1/);
        return true;
      });
      assert.ok(!lease.lost);
    });
    await ledger.withLease([`${order}_2`, order], options({ workflowId: "wf_2" }), (both) => {
      assert.deepEqual(Object.keys(both.fencingNumbers), [`${order}_2`, order]);
    });
  });

  it("has a whole lease after a long wait", async () => {
    const wish = options({ workflowId: "wf_2", ttlMs: 10_000, waitMs: 30_000 });
    let waiting: Promise<void> | undefined;
    await ledger.withLease([order], options(), async () => {
      waiting = still.withLease([order], wish, async (lease) => {
        assert.equal(lease.timeLeftMs(), 10_000);
        assert.equal(await renewals(still, id), 1);
      });
      await until("somebody in line", async () => (await look(ledger, id)).waitingCount === 1);
      clock.move(25_000); // longer than the lease, whose time is counted from before the wait
    });
    await waiting;
  });

  it("takes one lease although answers are lost", async () => {
    const proxy = await LossyProxy.start(server.address);
    using far = new Client({ server: proxy.address, token: "", timeoutMs: 30_000 });
    proxy.loseNextAnswer();
    const lease = await far.withLease([order], options(), (lease) => {
      assert.deepEqual(lease.fencingNumbers, { [order]: 1 });
      proxy.loseNextAnswer();
      return lease;
    });
    assert.equal(proxy.lost, 2);
    assert.equal((await look(ledger, id)).lease, undefined);
    assert.equal(lease.lost, false);
    far.close();
    await proxy.stop();
  });

  it("shows its token nowhere", async () => {
    await ledger.withLease([order], options(), (lease) => {
      const shown = [inspect(lease, { depth: 9, showHidden: true }), JSON.stringify(lease), String(lease)];
      assert.ok(shown[1]?.includes(lease.leaseId) && shown[1].includes(id));
      assert.ok(shown.every((text) => !text.includes("oll1.")));
    });
  });

  it("refuses an entity that is none, before anything is sent", async () => {
    for (const entity of ["order", "/order_1", "order/", ""]) {
      await assert.rejects(ledger.withLease([entity], options(), () => assert.fail()), /type\/id/);
    }
  });
});

describe("FC-504: nobody renews for a task that is gone", () => {
  /** Ways in which a block ends. */
  const endings: Record<string, (lease: Lease) => Promise<void>> = {
    "it rejects": () => Promise.reject(new Error("the task broke")),
    "it throws": () => {
      throw new Error("the task broke");
    },
    "it is cancelled": () => Promise.reject(AbortSignal.abort().reason as Error),
    "its generator is closed": async () => {
      async function* steps() {
        yield await Promise.resolve(1);
        assert.fail("it was closed");
      }
      for await (const _ of steps()) {
        break;
      }
    },
    "it resolves": () => Promise.resolve(),
  };
  for (const [ending, end] of Object.entries(endings)) {
    it(`when ${ending}, though the giving back is lost`, async (t) => {
      const lost = t.mock.method(Leases.prototype, "release", () => Promise.resolve());
      let gone: Lease | undefined;
      const block = still.withLease([order], options(), async (lease) => {
        gone = lease;
        clock.move(20_000);
        await until("a renewal while the task works", () => lease.message.renewCount === 1);
        await until("the next renewal's being waited for", () => clock.sleeping === 1);
        await end(lease);
      });
      await block.catch((error: Error) => assert.match(String(error), /the task broke|AbortError/));
      assert.equal(lost.mock.callCount(), 1);
      assert.equal(clock.sleeping, 0);
      clock.move(3_600_000);
      assert.equal(await renewals(still, id), 1);
      assert.ok(gone?.signal.aborted);
    });
  }

  it("and its order is free when its time is over, by the clocks of this machine and the ledger's", async (t) => {
    t.mock.method(Leases.prototype, "release", () => Promise.resolve());
    const block = ledger.withLease([order], options({ ttlMs: 1_000 }), async () => {
      await until("a renewal", async () => (await renewals(ledger, id)) >= 1);
      throw new Error("the task broke");
    });
    await assert.rejects(block, /the task broke/);
    await ledger.withLease([order], options({ workflowId: "wf_2", waitMs: 30_000 }), (next) => {
      assert.deepEqual(next.fencingNumbers, { [order]: 2 });
    });
  });

  it("and the renewing keeps no process alive whose block waits for what never comes", async () => {
    const script = `
      import { Client } from ${JSON.stringify(new URL("../src/index.js", import.meta.url).href)};
      const client = new Client({ server: ${JSON.stringify(server.address)}, token: "" });
      const options = ${JSON.stringify(options({ ttlMs: 3_600_000 }))};
      await client.withLease([${JSON.stringify(order)}], options, () => new Promise(() => {}));`;
    const args = ["--input-type=module", "--eval", script];
    const code = await new Promise((resolve) => {
      execFile(process.execPath, args, { timeout: 20_000 }, (error) => resolve(error?.code));
    });
    assert.equal(code, 13); // "unsettled top-level await"
    assert.equal(await renewals(ledger, id), 0);
  });

  it("and what the task threw passes on where nothing can be given back", async () => {
    using closing = new Client({ server: server.address, token: "" });
    const block = closing.withLease([order], options(), () => {
      closing.close();
      throw new Error("the task broke");
    });
    await assert.rejects(block, /the task broke/);
  });
});

describe("a lost lease", () => {
  it("is told by the renewal when another run takes over", async () => {
    await still.withLease([order], options(), async (lease) => {
      await ledger.withLease([order], options({ runId: "run_2" }), async (taken) => {
        clock.move(20_000);
        await until("the renewal that is refused", () => lease.signal.aborted);
        assert.ok(lease.lost && lease.timeLeftMs() === 0);
        assert.equal(clock.sleeping, 0);
        for (let use = 0; use < 2; use++) {
          await refused(RunSupersededError, "RUN_SUPERSEDED", () => lease.propose("order.cancel", cancel()));
        }
        assert.ok((await taken.run("order.cancel", cancel(), () => undefined)).done && !taken.lost);
      });
      assert.ok(lease.lost);
    });
  });

  it("is told by a proposal, for that use and all later ones", async () => {
    await still.withLease([order], options(), async (lease) => {
      await ledger.withLease([order], options({ runId: "run_2" }), async () => {
        assert.equal(lease.lost, false);
        await refused(RunSupersededError, "RUN_SUPERSEDED", () => lease.propose("order.cancel", cancel()));
        assert.ok(lease.lost);
        await refused(RunSupersededError, "RUN_SUPERSEDED", () => lease.check());
      });
    });
  });

  it("is told to a process that stood still while its time ran out", async () => {
    await still.withLease([order], options({ ttlMs: 1_000 }), async (lease) => {
      await ledger.withLease([order], options({ workflowId: "wf_2", waitMs: 30_000 }), async () => {
        assert.equal(lease.lost, false); // by its own clocks
        await refused(LeaseLostError, "LEASE_LOST", () => lease.propose("order.cancel", cancel()));
        assert.ok(lease.lost);
      });
    });
  });

  it("is told when it is given back", async () => {
    const lease = await still.withLease([order], options({ ttlMs: 1_000 }), async (lease) => {
      await ledger.withLease([order], options({ workflowId: "wf_2", waitMs: 30_000 }), () => undefined);
      assert.equal(lease.lost, false);
      return lease;
    });
    assert.equal(lease.lost, true);
  });

  it("is one that was not renewed in time, and nothing revives it", async () => {
    await still.withLease([order], options(), async (lease) => {
      clock.move(minute);
      await assert.rejects(lease.propose("order.cancel", cancel()), /no renewal .* in time/);
      assert.ok(lease.lost && lease.signal.aborted);
      assert.equal(clock.sleeping, 0);
      assert.equal(await renewals(still, id), 0);
    });
  });
});
