/** Calls are made again with the very same request, when and as the server says. Against a gRPC server that refuses. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, it } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { baseUrlOf } from "../src/calls.js";
import { ErrorInfoSchema, RetryInfoSchema } from "../src/gen/google/rpc/error_details_pb.js";
import { OperationService } from "../src/gen/opledger/v1/operation_service_pb.js";
import { ProposeOperationRequestSchema, ProposeOperationResponseSchema } from "../src/gen/opledger/v1/proposal_pb.js";
import { Client, OpledgerError, TooLargeError, UnavailableError } from "../src/index.js";
import { Hands } from "./clocks.js";

/** A decision and a state that this release does not know, 999 both, with everything else left out. */
const ofANewerServer = Uint8Array.of(0x08, 0xe7, 0x07, 0x1a, 0x03, 0x20, 0xe7, 0x07);

let listener: Http2Server;
let address: string;
let refusals: ConnectError[];
let requests: string[];
let credential: string | null;

before(async () => {
  const handle = connectNodeAdapter({
    routes: (router) => {
      router.rpc(OperationService.method.proposeOperation, (request, context) => {
        requests.push(Buffer.from(toBinary(ProposeOperationRequestSchema, request)).toString("hex"));
        credential = context.requestHeader.get("authorization");
        const refusal = refusals.shift();
        if (refusal !== undefined) {
          throw refusal;
        }
        return fromBinary(ProposeOperationResponseSchema, ofANewerServer);
      });
    },
  });
  listener = createServer(handle).listen(0, "127.0.0.1");
  await once(listener, "listening");
  address = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
});

after(() => listener.close());

beforeEach(() => {
  refusals = [];
  requests = [];
});

const retryIn = (code: Code, ms: number): ConnectError =>
  new ConnectError("not now", code, undefined, [
    { desc: RetryInfoSchema, value: create(RetryInfoSchema, { retryDelay: durationFromMs(ms) }) },
  ]);

const stated = (code: Code, reason: string): ConnectError =>
  new ConnectError("no", code, undefined, [
    { desc: ErrorInfoSchema, value: create(ErrorInfoSchema, { reason, domain: "opledger" }) },
  ]);

it("the same request goes again after the stated time", async () => {
  refusals = [retryIn(Code.Unavailable, 3_000), retryIn(Code.ResourceExhausted, 2_000)];
  const clock = new Hands();
  using client = new Client({ server: address, token: "opl_secret", timeoutMs: 30_000, clock });
  await client.propose("payment.capture", { amount: 1 });
  assert.deepEqual(clock.slept, [3_000, 2_000]);
  assert.equal(requests.length, 3);
  assert.equal(new Set(requests).size, 1);
  assert.equal(credential, "Bearer opl_secret");
});

it("without a stated time the wait grows and is bounded", async () => {
  refusals = Array.from({ length: 8 }, () => new ConnectError("not now", Code.Unavailable));
  const clock = new Hands();
  using client = new Client({ server: address, token: "", timeoutMs: 60_000, clock });
  await client.propose("payment.capture");
  const bounds = [100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000];
  assert.equal(clock.slept.length, bounds.length);
  assert.ok(clock.slept.every((slept, at) => slept >= 0 && slept <= bounds[at]!));
});

it("ends with the deadline", async () => {
  refusals = Array.from({ length: 9 }, () => retryIn(Code.Unavailable, 4_000));
  const clock = new Hands();
  using client = new Client({ server: address, token: "", timeoutMs: 10_000, clock });
  await assert.rejects(client.propose("payment.capture"), (error) => {
    assert.ok(error instanceof UnavailableError);
    assert.equal(error.retryAfterMs, 4_000);
    return true;
  });
  assert.deepEqual(clock.slept, [4_000, 4_000]);
});

for (const [refusal, kind] of [
  [() => new ConnectError("too large", Code.ResourceExhausted), TooLargeError], // no time is stated: a matter of size
  [() => stated(Code.Aborted, "ETAG_MISMATCH"), OpledgerError],
  [() => stated(Code.FailedPrecondition, "STATE_NOT_SUITABLE"), OpledgerError],
] as const) {
  it(`does not try again what does not pass by itself: ${refusal().message}`, async () => {
    refusals = [refusal()];
    using client = new Client({ server: address, token: "", clock: new Hands() });
    await assert.rejects(client.propose("payment.capture"), kind);
    assert.equal(requests.length, 1);
  });
}

it("a defect of the server is given one more try", async () => {
  refusals = Array.from({ length: 3 }, () => stated(Code.Internal, "INTERNAL"));
  using client = new Client({ server: address, token: "", clock: new Hands() });
  await assert.rejects(client.propose("payment.capture"), { code: "INTERNAL" });
  assert.equal(requests.length, 2);
  assert.equal(new Set(requests).size, 1);
});

it("versions and grants go along", async () => {
  using client = new Client({ server: address, token: "" });
  await client.run("a", {}, () => assert.fail(), {
    entityVersion: 0,
    overrideGrantIds: ["gr_1", "gr_2"],
    repeatGrantId: "gr_3",
  });
  await client.propose("a");
  const [stated, unstated] = requests.map((hex) => fromBinary(ProposeOperationRequestSchema, Buffer.from(hex, "hex")));
  assert.equal(stated?.entityVersion, 0n);
  assert.deepEqual(stated.overrideGrantIds, ["gr_1", "gr_2"]);
  assert.equal(stated.repeatGrantId, "gr_3");
  assert.equal(unstated?.entityVersion, undefined);
  assert.deepEqual([unstated?.overrideGrantIds, unstated?.repeatGrantId, unstated?.leaseToken], [[], "", ""]);
});

it("an answer of a newer server gives no permit", async () => {
  using client = new Client({ server: address, token: "" });
  const { permit, decision, result, guarded } = await client.propose("payment.capture");
  assert.equal(permit, undefined);
  assert.equal(guarded, undefined);
  assert.equal(decision, "UNKNOWN_999");
  assert.equal(result.state, "unknown_999");
  assert.equal(result.done, false);
});

it("reads addresses, and keeps credentials out of the clear", () => {
  assert.equal(baseUrlOf("127.0.0.1:7117"), "http://127.0.0.1:7117");
  assert.equal(baseUrlOf("localhost:7117"), "http://localhost:7117");
  assert.equal(baseUrlOf("[::1]:7117"), "http://[::1]:7117");
  assert.equal(baseUrlOf("ledger.example:7117"), "https://ledger.example:7117");
  assert.equal(baseUrlOf("http://ledger.example:7117"), "http://ledger.example:7117");
  assert.equal(baseUrlOf("https://ledger.example:443"), "https://ledger.example");
  for (const wrong of ["7117", "example.com", "ftp://example.com:1", "http://example.com:1/path"]) {
    assert.throws(() => baseUrlOf(wrong), /host:port/);
  }
});
