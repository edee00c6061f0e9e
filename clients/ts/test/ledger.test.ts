/** The client against a real server process. Tests tell their operations apart by ids of their own. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { toJsonString } from "@bufbuild/protobuf";
import { EvidenceGrade } from "../src/gen/opledger/v1/evidence_pb.js";
import { OperationSchema } from "../src/gen/opledger/v1/operation_pb.js";
import {
  Acknowledged,
  Ambiguous,
  Client,
  InvalidArgumentError,
  KeyReusedError,
  NotFoundError,
  NotSent,
  OpledgerError,
  PermitLostError,
  Rejected,
  StaleAttemptError,
  Succeeded,
  UnavailableError,
  type Permit,
} from "../src/index.js";
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

const newOrder = (): string => `order_${randomUUID()}`;
const mail = (ref: string) => ({ template: "receipt", ref, to: ["ada@example.com"] });
const capture = (orderId: string) => ({ order_id: orderId, amount: "49.00", currency: "USD" });

async function permitFor(tool: string, args: Parameters<Client["propose"]>[1]): Promise<Permit> {
  const { permit } = await ledger.propose(tool, args);
  assert.ok(permit);
  return permit;
}

/** Waits for a rejection of a kind. */
async function refusal<E extends Error>(kind: abstract new (...args: never[]) => E, call: Promise<unknown>): Promise<E> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof kind, `${String(error)} is no ${kind.name}`);
  return error;
}

describe("a cycle", () => {
  it("proposes, begins, reports and is replayed", async () => {
    const order = newOrder();
    const { permit, decision, result } = await ledger.propose("email.send", mail(order));
    assert.ok(permit);
    assert.equal(decision, "EXECUTE");
    assert.equal(result.state, "dispatched");
    assert.deepEqual(permit.arguments, mail(order));
    assert.ok(permit.beginRequired && !permit.begun && permit.clientReference !== "");
    assert.ok(permit.timeLeftMs() > 0 && permit.timeLeftMs() <= 60_000 && permit.greatestTimeLeftMs() > 60_000);

    await ledger.begin(permit);
    await ledger.begin(permit); // the same nonce again is the same begin
    assert.ok(permit.begun && permit.timeLeftMs() > 0);

    const artifacts = [{ name: "receipt", uri: "https://mail.example/msg_1", mediaType: "message/rfc822" }];
    const outcome = new Succeeded({ id: "msg_1" }, { providerObjectId: `msg_${order}`, rawStatusCode: "202", artifacts });
    const told = await ledger.report(permit, outcome);
    assert.ok(told.done && !told.replayed);
    assert.equal(told.nextAction, "use_result");

    const replay = await ledger.propose("email.send", { ...mail(order), variables: { reworded: "by a model" } });
    assert.equal(replay.permit, undefined);
    assert.equal(replay.decision, "REPLAYED");
    assert.ok(replay.result.replayed && replay.result.done);
    assert.deepEqual(replay.result.value, { id: "msg_1" });
    assert.equal(replay.result.operationId, permit.operationId);
    assert.equal(replay.result.providerObjectId, `msg_${order}`);
    assert.equal(replay.result.message.artifacts[0]?.uri, artifacts[0]?.uri);
    assert.ok(replay.result.safeUserMessage !== "" && replay.result.modelMessage !== "");

    const operation = await ledger.get(permit.operationId, { waitMs: 5_000 });
    assert.equal(operation.state, "completed_success");
    assert.ok(operation.version > 1);
  });

  it("acts once when run twice", async () => {
    const order = newOrder();
    const charges: string[] = [];
    const charge = (permit: Permit): Succeeded => {
      assert.equal(permit.vendorKeyHeader, "Idempotency-Key");
      assert.equal(permit.signal().aborted, false);
      charges.push(permit.vendorIdempotencyKey);
      return new Succeeded({ charge: "ch_1" }, { providerObjectId: `ch_${order}` });
    };
    const first = await ledger.run("payment.capture", capture(order), charge);
    const second = await ledger.run("payment.capture", { ...capture(order), amount: "49.0" }, charge);
    assert.ok(first.done && !first.replayed && second.done && second.replayed);
    assert.deepEqual(second.value, { charge: "ch_1" });
    assert.equal(charges.length, 1);
    assert.notEqual(charges[0], "");
  });

  it("makes a receipt of the provider's object", async () => {
    const charge = `ch_${newOrder()}`;
    const act = (): Succeeded => new Succeeded(undefined, { providerObjectId: charge });
    const done = await ledger.run("payment.capture", capture(newOrder()), act);
    assert.equal(done.message.grade, EvidenceGrade.RECEIPT);
    assert.deepEqual(
      (await ledger.get(done.operationId)).message.effects.map(({ effectId }) => effectId),
      [charge],
    );
    const claimed = await ledger.run("payment.capture", capture(newOrder()), () => undefined);
    assert.ok(claimed.done);
    assert.equal(claimed.message.grade, EvidenceGrade.CLAIM);
  });

  it("records what a function returns", async () => {
    const args = { contact_id: newOrder(), name: "Ada" };
    await ledger.run("contact.upsert", args, () => ["written", null, 1.5]);
    const replay = await ledger.run("contact.upsert", args, () => assert.fail("it acts a second time"));
    assert.deepEqual(replay.value, ["written", null, 1.5]);
  });

  it("gives two proposers one permit", async () => {
    const order = newOrder();
    const answers = await Promise.all(Array.from({ length: 16 }, () => ledger.propose("payment.capture", capture(order))));
    assert.equal(answers.filter(({ permit }) => permit !== undefined).length, 1);
    assert.deepEqual(answers.map(({ decision }) => decision).sort(), ["EXECUTE", ...Array<string>(15).fill("IN_FLIGHT")]);
    assert.equal(new Set(answers.map(({ result }) => result.operationId)).size, 1);
  });

  it("lets one process speak for a permit that went out twice", async () => {
    const order = newOrder();
    const requestId = randomUUID();
    const { permit: original } = await ledger.propose("email.send", mail(order), { requestId });
    const { permit: restored } = await ledger.propose("email.send", mail(order), { requestId });
    assert.ok(original && restored);
    assert.equal(original.attemptId, restored.attemptId);
    await ledger.begin(restored);
    const refused = await refusal(PermitLostError, ledger.begin(original));
    assert.equal(refused.reason, "BEGIN_NONCE_MISMATCH");
    assert.equal(original.timeLeftMs(), 0);
    assert.ok(restored.timeLeftMs() > 0);
  });

  it("lengthens a permit by a heartbeat", async () => {
    const permit = await permitFor("email.send", mail(newOrder()));
    await ledger.begin(permit);
    await ledger.extend(permit, 600_000);
    assert.ok(permit.timeLeftMs() > 60_000 && permit.timeLeftMs() <= 600_000);
  });

  it("turns outcomes into states", async () => {
    const rejected = await ledger.run("payment.capture", capture(newOrder()), () => {
      throw new Rejected("card_declined");
    });
    assert.equal(rejected.state, "failed_permanent");
    assert.equal(rejected.failureCode, "card_declined");
    const unsent = await ledger.run("payment.capture", capture(newOrder()), () => {
      throw new NotSent("connection_refused");
    });
    assert.equal(unsent.state, "failed_retryable");
    const taken = await ledger.run("payment.capture", capture(newOrder()), () => new Acknowledged(30_000));
    assert.equal(taken.state, "acknowledged");
  });

  it("revises what ended without effect", async () => {
    const order = newOrder();
    const first = await ledger.run("payment.capture", { ...capture(order), payment_method: "pm_old" }, () => {
      throw new Rejected("card_declined");
    });
    const revise = { operationId: first.operationId, reason: "the customer gave another card" };
    const act = (): Succeeded => new Succeeded(undefined, { providerObjectId: `ch_${order}` });
    const second = await ledger.run("payment.capture", { ...capture(order), payment_method: "pm_new" }, act, { revise });
    assert.ok(second.done);
    assert.notEqual(second.operationId, first.operationId);
  });

  it("takes a cancel as a wish while a permit is out", async () => {
    const permit = await permitFor("email.send", mail(newOrder()));
    assert.equal((await ledger.cancel(permit.operationId, "the order was withdrawn")).state, "dispatched");
    assert.equal((await refusal(PermitLostError, ledger.begin(permit))).reason, "CANCEL_WISHED");
    assert.equal((await ledger.report(permit, new NotSent("cancelled"))).state, "failed_permanent");
  });

  it("calls no function without its begin", async () => {
    const order = newOrder();
    class Interrupted extends Client {
      override async begin(permit: Permit): Promise<void> {
        await ledger.cancel(permit.operationId);
        await super.begin(permit);
      }
    }
    using interrupted = new Interrupted({ server: server.address, token: "" });
    const result = await interrupted.run("email.send", mail(order), () => assert.fail("it sends without a begin"));
    assert.equal(result.state, "failed_permanent");
  });

  it("plans without making anything, and explains", async () => {
    const order = newOrder();
    const planned = await ledger.propose("payment.capture", capture(order), { planOnly: true });
    assert.equal(planned.decision, "PLANNED");
    assert.equal(planned.permit, undefined);
    const { a, b } = await ledger.explain("payment.capture", capture(order), { ...capture(order), amount: "49" });
    assert.ok(a && b && a.idempotencyKey.includes(order));
    assert.equal(a.idempotencyKey, b.idempotencyKey);
    await permitFor("payment.capture", capture(order));
  });
});

describe("FC-309: long ids", () => {
  const long = "2512292042121000001";
  const neighbour = "2512292042121000000";

  it("are exact to the last digit as strings", async () => {
    const name = randomUUID();
    const args = { contact_id: long, name };
    const done = await ledger.run("contact.upsert", args, ({ arguments: got }) => got);
    const replay = await ledger.propose("contact.upsert", args);
    assert.deepEqual(done.value, args);
    assert.deepEqual(replay.result.value, args);
    const operation = await ledger.get(done.operationId);
    assert.equal(operation.message.entity?.id, long);
    assert.ok(operation.message.canonicalArgumentsJson.includes(`"${long}"`));
    const other = await ledger.propose("contact.upsert", { contact_id: neighbour, name });
    assert.ok(other.permit);
    assert.notEqual(other.result.operationId, done.operationId);
  });

  it("are refused as numbers, by the client and in JSON text by the ledger", async () => {
    for (const number of [Number(long), BigInt(long), 2 ** 53]) {
      const refused = await refusal(TypeError, ledger.propose("contact.upsert", { contact_id: number }));
      assert.match(refused.message, /"contact_id".*string/);
    }
    const refused = await refusal(InvalidArgumentError, ledger.propose("contact.upsert", `{"contact_id": ${long}}`));
    assert.deepEqual(
      refused.violations.map(({ field }) => field),
      ["arguments_json/contact_id"],
    );
    assert.match(refused.violations[0]?.description ?? "", /string/);
  });
});

describe("errors", () => {
  it("name an unknown tool", async () => {
    const refused = await refusal(InvalidArgumentError, ledger.propose("payment.captrue", {}));
    assert.equal(refused.code, "INVALID_ARGUMENT");
    assert.equal(refused.reason, "UNKNOWN_TOOL");
    assert.match(refused.message, /payment\.captrue/);
  });

  it("carry one violation for each fault", async () => {
    const bad = { order_id: "", amount: "4900", currency: "dollars" };
    const refused = await refusal(InvalidArgumentError, ledger.propose("payment.capture", bad));
    assert.equal(refused.reason, "INVALID_ARGUMENTS");
    assert.deepEqual(
      refused.violations.map(({ field }) => field).sort(),
      ["arguments_json/currency", "arguments_json/order_id"],
    );
    assert.ok(refused.violations.every(({ description }) => description !== ""));
  });

  it("tell what differs under one key", async () => {
    const charge = { ...capture(newOrder()), payment_method: "pm_1" };
    const recorded = await permitFor("payment.capture", charge);
    const again = ledger.propose("payment.capture", { ...charge, payment_method: "pm_2" });
    const refused = await refusal(KeyReusedError, again);
    assert.equal(refused.code, "FAILED_PRECONDITION");
    assert.equal(refused.reason, "IDEMPOTENCY_KEY_REUSED");
    assert.equal(refused.operationId, recorded.operationId);
    assert.deepEqual(refused.differingPointers, ["/payment_method"]);
    assert.match(refused.recordedFingerprint, /^sha256:/);
    assert.notEqual(refused.recordedFingerprint, refused.proposedFingerprint);
  });

  it("refuse a request id that came with another proposal", async () => {
    const requestId = randomUUID();
    const charge = capture(newOrder());
    await ledger.propose("payment.capture", charge, { requestId });
    const again = ledger.propose("payment.capture", { ...charge, amount: "50.00" }, { requestId });
    assert.equal((await refusal(OpledgerError, again)).reason, "REQUEST_ID_REUSED");
  });

  it("say that there is no such operation", async () => {
    assert.equal((await refusal(NotFoundError, ledger.get("op_of_nobody"))).reason, "OPERATION_NOT_FOUND");
  });

  it("say that nobody listens", async () => {
    using nobody = new Client({ server: "127.0.0.1:1", timeoutMs: 300 });
    const failed = await refusal(UnavailableError, nobody.get("op_1"));
    assert.equal(failed.code, "UNAVAILABLE");
    assert.equal(failed.reason, "");
  });

  it("let the caller give a call up", async () => {
    using nobody = new Client({ server: "127.0.0.1:1" });
    const given = new Error("given up");
    const call = nobody.get("op_1", { signal: AbortSignal.abort(given) });
    assert.equal(await refusal(Error, call), given);
  });
});

describe("what cannot be told", () => {
  /** Sends, and fails after it. */
  function provider(): { sent: string[]; send: (permit: Permit) => never } {
    const sent: string[] = [];
    const send = (permit: Permit): never => {
      sent.push(permit.clientReference);
      throw new Error("the answer was lost; token=secret");
    };
    return { sent, send };
  }

  it("is FC-108: a function that raises after the effect acts once", async () => {
    const order = newOrder();
    const { sent, send } = provider();
    const thrown = await refusal(Error, ledger.run("email.send", mail(order), send));
    assert.match(thrown.message, /the answer was lost/);

    // The framework calls the guarded function five more times.
    for (let again = 0; again < 5; again++) {
      assert.equal((await ledger.run("email.send", mail(order), send)).state, "unknown_outcome");
    }
    assert.equal(sent.length, 1);
    const { decision, permit, result } = await ledger.propose("email.send", mail(order));
    assert.equal(decision, "RECONCILING");
    assert.equal(permit, undefined);
    assert.equal(result.safeUserMessage, "We are checking whether your e-mail was sent.");
    const { message } = await ledger.get(result.operationId);
    assert.equal(message.failure?.message, "Error");
    assert.doesNotMatch(toJsonString(OperationSchema, message), /secret/); // the exception's own words stay here
  });

  it("is settled by a lookup", async () => {
    const order = newOrder();
    const { sent, send } = provider();
    await refusal(Error, ledger.run("email.send", mail(order), send));
    const { lookup, result } = await ledger.propose("email.send", mail(order));
    const question = lookup?.questions[0];
    assert.ok(lookup && question);
    assert.deepEqual([question.by, question.value], ["client_reference", sent[0]]);

    const absent = await ledger.reconcile(result.operationId, lookup.didNotHappen(question, "asked at once"));
    assert.equal(absent.result.state, "unknown_outcome");
    assert.notEqual(absent.evidenceEffect, "applied");
    const found = lookup.happened(question, { clientReference: question.value, providerObjectId: `msg_${order}` });
    const settled = await ledger.reconcile(result.operationId, found);
    assert.equal(settled.evidenceEffect, "applied");
    assert.ok(settled.result.done);
    assert.ok((await ledger.run("email.send", mail(order), send)).replayed);
    assert.equal(sent.length, 1);
  });

  it("keeps a stale report as evidence", async () => {
    const order = newOrder();
    const permit = await permitFor("email.send", mail(order));
    await ledger.begin(permit);
    assert.equal((await ledger.report(permit, new Ambiguous("timeout"))).state, "unknown_outcome");
    const late = ledger.report(permit, new Succeeded({ id: "msg_1" }, { providerObjectId: `msg_${order}` }));
    const stale = await refusal(StaleAttemptError, late);
    assert.equal(stale.reason, "STALE_ATTEMPT");
    assert.equal(stale.operationId, permit.operationId);
    assert.equal(stale.result?.state, "completed_success");
    const { message } = await ledger.get(permit.operationId);
    assert.deepEqual(
      message.evidence.map(({ attemptNumber }) => attemptNumber),
      [1],
    );
    assert.equal((await ledger.propose("email.send", mail(order))).decision, "REPLAYED");
  });

  it("is not made of a result that cannot be written", async () => {
    const args = { contact_id: newOrder() };
    await refusal(
      TypeError,
      ledger.run("contact.upsert", args, () => ({ rounded: 2 ** 60 })),
    );
    const { decision, result } = await ledger.propose("contact.upsert", args);
    assert.equal(decision, "REPLAYED");
    assert.ok(result.done);
    assert.equal(result.value, undefined);
  });
});

describe("lost answers", () => {
  let proxy: LossyProxy;
  let distant: Client;

  before(async () => {
    proxy = await LossyProxy.start(server.address);
    distant = new Client({ server: proxy.address, token: "", timeoutMs: 30_000 });
  });

  after(async () => {
    distant.close();
    await proxy.stop();
  });

  it("are asked for again with the same identity", async () => {
    const order = newOrder();
    proxy.loseNextAnswer();
    const { permit } = await distant.propose("email.send", mail(order));
    assert.ok(permit);
    assert.equal(permit.attemptNumber, 1); // the same permit again: none of its answers was begun
    proxy.loseNextAnswer();
    await distant.begin(permit);
    proxy.loseNextAnswer();
    assert.ok((await distant.report(permit, new Succeeded(undefined, { providerObjectId: `msg_${order}` }))).done);
    assert.equal(proxy.lost, 3);
    const { message } = await distant.get(permit.operationId);
    assert.equal(message.attempts.length, 1);
    assert.equal(message.incidents.length, 0);
  });

  it("make no second effect", async () => {
    let sent = 0;
    proxy.loseNextAnswer();
    const result = await distant.run("email.send", mail(newOrder()), () => {
      sent++;
      proxy.loseNextAnswer(); // that of the report
    });
    assert.ok(result.done);
    assert.equal(sent, 1);
  });
});
