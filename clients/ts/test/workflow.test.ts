/** A workflow is started once, taken up by one run at a time, and ended with what the ledger bears out. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, it } from "node:test";
import {
  Ambiguous,
  ClaimContradictedError,
  Client,
  RunSupersededError,
  WorkflowEndedError,
  type Event,
} from "../src/index.js";
import { Server } from "./server.js";

let server: Server;
let ledger: Client;
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
  order = `order_${randomUUID()}`;
});

const event = (): Event => ({ source: "slack", eventId: randomUUID() });
const mail = (ref: string) => ({ template: "receipt", ref, to: ["kim@example.com"] });
const lost = () => {
  throw new Ambiguous("timeout");
};

it("one event is one workflow", async () => {
  const came = event();
  const first = await ledger.workflow({ event: came, intent: "send a receipt", requester: "kim@example.com" });
  assert.deepEqual([first.acts, first.state, first.unitedBy], [true, "open", ""]);
  const again = await ledger.workflow({ event: came });
  assert.deepEqual([again.workflowId, again.runId, again.acts], [first.workflowId, "", false]);
  assert.equal(again.unitedBy, "sourceEvent");
  await assert.rejects(again.propose("email.send", mail(order)), RunSupersededError);

  const correlationKey = randomUUID();
  const one = await ledger.workflow({ event: event(), correlationKey, intent: "a" });
  assert.equal((await ledger.workflow({ event: event(), correlationKey, intent: "a" })).unitedBy, "correlationKey");
  const other = await ledger.workflow({ event: event(), correlationKey, intent: "b", correlationWindowMs: 60_000 });
  assert.ok(other.acts && other.workflowId !== one.workflowId);
});

it("a run takes over and is told what happened", async () => {
  const task = await ledger.workflow({ event: event(), userRequest: "Send me the receipt." });
  const result = await task.run("email.send", mail(order), lost);
  assert.equal(result.state, "unknown_outcome");
  task[Symbol.dispose]();
  await assert.rejects(task.propose("email.send", mail(order)), RunSupersededError);

  const resumed = await ledger.resume(task.workflowId);
  assert.ok(resumed.acts && resumed.runId !== task.runId);
  const { json, prose, summarized } = resumed.projection ?? assert.fail("no projection");
  const account = JSON.parse(json) as { schema: string; open: { operation_id: string }[] };
  assert.equal(account.schema, "opledger.projection/1");
  assert.deepEqual(account.open.map((o) => o.operation_id), [result.operationId]);
  assert.match(prose, /Send me the receipt\.[^]*it may have happened/);
  assert.equal(summarized, false);
  const { workflowId, runId } = task;
  await assert.rejects(ledger.propose("email.send", mail(`${order}_2`), { workflowId, runId }), RunSupersededError);

  const untrue = { message: "It was sent.", claims: { [result.operationId]: "done" as const } };
  await assert.rejects(resumed.complete(untrue), (error) => {
    assert.ok(error instanceof ClaimContradictedError);
    assert.ok(error.conflicts[result.operationId]);
    return true;
  });
  const ended = await resumed.complete({ message: "We are checking it.", claims: { [result.operationId]: "open" } });
  assert.deepEqual([ended.openOperationIds, ended.cancelledOperationIds], [[result.operationId], []]);
  assert.equal(resumed.acts, false);
  await assert.rejects(ledger.resume(task.workflowId), WorkflowEndedError);
});

it("a lease belongs to the run, and the end gives it back", async () => {
  const task = await ledger.workflow({ event: event() });
  await task.withLease([`order/${order}`], { ttlMs: 60_000 }, async (lease) => {
    assert.deepEqual([lease.workflowId, lease.runId], [task.workflowId, task.runId]);
    const args = { order_id: order, reason_code: "customer_wish" };
    const done = await task.run("order.cancel", args, () => ({ id: "c_1" }), { lease });
    await task.complete({ claims: { [done.operationId]: "done" } });
  });
  const other = await ledger.workflow({ event: event() });
  await other.withLease([`order/${order}`], { ttlMs: 60_000 }, async () => {
    await other.complete({ cancelled: true, reason: "a test" });
  });
});
