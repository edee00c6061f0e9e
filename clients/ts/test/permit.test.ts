/** The time of a permit, counted from before it was asked for on whichever clock has run further. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { inspect } from "node:util";
import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { Moment } from "../src/clock.js";
import { PermitSchema } from "../src/gen/opledger/v1/attempt_pb.js";
import { Permit } from "../src/permit.js";
import { Hands } from "./clocks.js";

async function permit(clock: Hands, answeredAfterMs = 0): Promise<Permit> {
  const asked = Moment.now(clock);
  await clock.sleep(answeredAfterMs);
  const message = create(PermitSchema, {
    operationId: "op_1",
    attemptId: "att_1",
    attemptToken: "olt1.secret",
    remaining: durationFromMs(60_000),
    greatestRemaining: durationFromMs(3_600_000),
  });
  return new Permit(message, clock, asked);
}

it("counts from before the ledger was asked", async () => {
  assert.equal((await permit(new Hands(), 5_000)).timeLeftMs(), 55_000);
});

it("sees on the wall that the machine was suspended", async () => {
  const clock = new Hands();
  const held = await permit(clock);
  clock.onWall += 59_000;
  assert.equal(held.timeLeftMs(), 1_000);
  assert.equal(held.greatestTimeLeftMs(), 3_541_000);
  clock.onWall += 2_000;
  assert.equal(held.timeLeftMs(), 0);
  await new Promise<void>((resolve) => held.signal().addEventListener("abort", () => resolve()));
});

it("gets no time from a wall clock that is set back", async () => {
  const clock = new Hands();
  const held = await permit(clock);
  clock.onWall -= 3_600_000;
  clock.steady += 59_000;
  assert.equal(held.timeLeftMs(), 1_000);
});

it("shows no token", async () => {
  const held = await permit(new Hands());
  for (const shown of [inspect(held, { depth: null, showHidden: true }), JSON.stringify(held), String(held)]) {
    assert.doesNotMatch(shown, /secret/);
  }
  assert.match(JSON.stringify(held), /op_1/);
});
