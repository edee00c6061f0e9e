/** Looking at leases by the API itself, beside the client that holds them. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import { LeaseService, type GetEntityLeaseResponse } from "../src/gen/opledger/v1/lease_service_pb.js";
import type { Client } from "../src/index.js";

/** Reads who holds or keeps an order. */
export async function look(client: Client, id: string): Promise<GetEntityLeaseResponse> {
  return await createClient(LeaseService, client.transport).getEntityLease({ entity: { type: "order", id } });
}

/** How often an order's lease was renewed. */
export async function renewals(client: Client, id: string): Promise<number> {
  const { lease } = await look(client, id);
  assert.ok(lease);
  return lease.renewCount;
}

/** Looks until it holds. The bound ends a test that fails, and no test that passes. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await holds())) {
    assert.ok(performance.now() < end, `it never came about: ${what}`);
    await pause(2);
  }
}
