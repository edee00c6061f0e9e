/** What stands in the way of a guarded tool is told in types: who must approve, who holds, what came before, and when. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, it } from "node:test";
import { createClient } from "@connectrpc/connect";
import { EntityService } from "../src/gen/opledger/v1/entity_service_pb.js";
import { Client, Succeeded, type Guarded } from "../src/index.js";
import { Server } from "./server.js";

let server: Server;
let ledger: Client;
let id: string;

before(async () => {
  server = await Server.start();
  ledger = new Client({ server: server.address, token: "", timeoutMs: 30_000 });
});

after(async () => {
  ledger.close();
  await server.stop();
});

beforeEach(() => {
  id = `order_${randomUUID()}`;
});

const refund = (amount: string) => ({ order_id: id, customer_id: `of_${id}`, amount, currency: "EUR" });
const note = (topic: string, text: string) => ({ board: id, topic, text });
const post = () => new Succeeded(undefined, { providerObjectId: `note_${randomUUID()}` });
const never = (): never => assert.fail("it acted without a permit");

/** Expects one kind. */
function as<K extends Guarded["kind"]>(kind: K, guarded: Guarded | undefined): Extract<Guarded, { kind: K }> {
  assert.equal(guarded?.kind, kind);
  return guarded as Extract<Guarded, { kind: K }>;
}

/** Sets the order's state from outside; resolves to its version. */
async function setState(state: string): Promise<number> {
  const entities = createClient(EntityService, ledger.transport);
  const request = { requestId: randomUUID(), entity: { type: "order", id }, state, reason: "the test says so" };
  return Number((await entities.setEntityState(request)).entityState?.version);
}

it("awaiting approval", async () => {
  const first = as("awaiting_approval", (await ledger.run("order.refund", refund("250.00"), never)).guarded);
  assert.match(first.approvalId, /^apr_/);
  assert.deepEqual([first.requiredCount, first.approvedCount], [2, 0]);
  assert.deepEqual([...first.roles].sort(), ["finance", "risk"]);
  assert.ok(first.expireTime && first.expireTime > new Date());

  const again = await ledger.propose("order.refund", refund("250.00"));
  assert.equal(again.permit, undefined);
  assert.equal(as("awaiting_approval", again.guarded).approvalId, first.approvalId);
});

it("denied by a guard", async () => {
  await setState("refunded");
  const result = await ledger.run("order.refund", refund("10.00"), never);
  const { why, entityChange } = as("denied", result.guarded);
  assert.equal(entityChange, undefined);
  assert.ok(why.ruleId !== "" && why.explanation !== "");
  assert.match(why.decisionId, /^dec_/);
  assert.ok(result.operationId === "" && !result.done && result.modelMessage !== "");
});

it("denied as stale", async () => {
  const seen = await setState("paid");
  const now = await setState("packed");
  const stale = await ledger.run("order.refund", refund("10.00"), never, { entityVersion: seen });
  assert.deepEqual(as("denied", stale.guarded).entityChange, {
    entity: `order/${id}`,
    statedVersion: seen,
    currentVersion: now,
    currentState: "packed",
    operationIds: [],
  });
  assert.ok((await ledger.propose("order.refund", refund("10.00"), { entityVersion: now })).permit);
});

it("blocked by a lease", async () => {
  const options = { workflowId: "wf_1", runId: "run_1", ttlMs: 60_000 };
  const { holder, retryAfterMs } = await ledger.withLease([`order/${id}`], options, async () =>
    as("blocked", (await ledger.run("order.refund", refund("10.00"), never)).guarded),
  );
  assert.deepEqual([holder?.workflowId, holder?.runId, holder?.entity], ["wf_1", "run_1", `order/${id}`]);
  assert.ok(holder?.since && holder.until && holder.until > holder.since);
  assert.ok(retryAfterMs !== undefined && retryAfterMs > 0 && retryAfterMs <= 60_000);
  assert.ok((await ledger.propose("order.refund", refund("10.00"))).permit);
});

it("blocked by an operation", async () => {
  const open = await ledger.propose("order.refund", refund("10.00"));
  const { holder } = as("blocked", (await ledger.propose("order.refund", refund("9.99"))).guarded);
  assert.equal(holder?.operationId, open.result.operationId);
});

it("suppressed", async () => {
  const done = await ledger.run("note.post", note("delay", "The parcel is late."), post);
  const second = await ledger.run("note.post", note("delay", "The parcel comes late."), never);
  const { earlier, why } = as("suppressed", second.guarded);
  assert.deepEqual(
    [earlier?.operationId, earlier?.tool, earlier?.state],
    [done.operationId, "note.post", "completed_success"],
  );
  assert.ok(earlier?.effectTime !== undefined && why.explanation !== "");
});

it("retry later", async () => {
  for (const topic of ["one", "two"]) {
    assert.ok((await ledger.run("note.post", note(topic, "A note."), post)).done);
  }
  const { retryAfterMs } = as("retry_later", (await ledger.run("note.post", note("three", "A note."), never)).guarded);
  assert.ok(retryAfterMs !== undefined && retryAfterMs > 86_000_000); // a day, and a little so that not all come at once
});

it("what goes its way is not guarded", async () => {
  const { permit, guarded } = await ledger.propose("order.refund", refund("10.00"));
  assert.ok(permit !== undefined && guarded === undefined);
  assert.equal((await ledger.propose("order.refund", refund("10.00"))).guarded, undefined); // it is in flight
});
