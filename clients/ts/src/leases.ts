import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, durationMs } from "@bufbuild/protobuf/wkt";
import type { Calls, CallOptions } from "./calls.js";
import type { Client } from "./client.js";
import type { Clock, Moment } from "./clock.js";
import { LeaseBlockedError, LeaseLostError } from "./errors.js";
import type { LeaseGrant } from "./gen/opledger/v1/lease_pb.js";
import { AcquireEntityLeaseRequestSchema, LeaseService } from "./gen/opledger/v1/lease_service_pb.js";
import { holderOf, parseEntity } from "./holder.js";
import { Lease, lost } from "./lease.js";
import { required } from "./result.js";

/** How long one renewal may take, its tries included, where the lease lasts that long. */
const renewTimeoutMs = 10_000;

/** How long giving back may take. The ledger takes a lease back by itself when its time is over. */
const releaseTimeoutMs = 2_000;

/** What is wanted of a lease. `signal` gives the acquiring up, and ends no block. */
export interface LeaseOptions extends CallOptions {
  /** The workflow that will own it. */
  workflowId: string;
  /** The run that asks; it must be the workflow's current one. */
  runId: string;
  /** How long it lasts without renewal, in milliseconds: 1 s to 1 h. If this process dies, others wait for so long. */
  ttlMs: number;
  /**
   * How long to wait for the entities to become free, in milliseconds, at most 60 s. Absent: not at all. Those who wait are
   * served in order of arrival.
   */
  waitMs?: number;
}

/** The leases that one client takes. */
export class Leases {
  readonly #client: Client;
  readonly #calls: Calls;
  readonly #clock: Clock;

  constructor(client: Client, calls: Calls, clock: Clock) {
    this.#client = client;
    this.#calls = calls;
    this.#clock = clock;
  }

  /** Holds a lease for a block. However the block ends, no renewal is sent after it. */
  async hold<T>(
    entities: readonly string[],
    options: LeaseOptions,
    block: (lease: Lease) => T | PromiseLike<T>,
  ): Promise<T> {
    const lease = await this.#acquire(entities, options);
    const ended = new AbortController();
    const renewing = this.#keep(lease, ended.signal);
    try {
      return await block(lease);
    } finally {
      ended.abort();
      lease.end();
      await renewing;
      await this.release(lease);
    }
  }

  async #acquire(entities: readonly string[], options: LeaseOptions): Promise<Lease> {
    const { workflowId, runId, ttlMs, waitMs } = options;
    const request = create(AcquireEntityLeaseRequestSchema, {
      requestId: randomUUID(),
      entities: entities.map(parseEntity),
      workflowId,
      runId,
      ttl: durationFromMs(ttlMs),
      ...(waitMs && { wait: durationFromMs(waitMs) }),
    });
    const method = LeaseService.method.acquireEntityLease;
    let [{ grant, holders, waitingBefore }, asked] = await this.#calls.call(method, request, options, waitMs);
    if (grant === undefined) {
      throw new LeaseBlockedError(entities, holders.map(holderOf), waitingBefore);
    }
    if (asked.elapsedMs(this.#clock) > durationMs(required(grant.remaining, "grant.remaining")) / 3) {
      // It was waited for, and its time is counted from before that: a renewal answers at once.
      [grant, asked] = await this.#askForMore(grant.leaseToken, options);
    }
    return new Lease(this.#client, grant, this.#clock, asked);
  }

  /**
   * Renews until the block ends or the lease is lost. It never rejects.
   *
   * A heartbeat proves that a timer lives, not that the work does. So it is tied to the block, and its timer keeps no
   * process alive that has nothing else to do.
   */
  async #keep(lease: Lease, ended: AbortSignal): Promise<void> {
    for (let pauseMs = lease.renewInMs(); pauseMs !== undefined; pauseMs = lease.renewInMs()) {
      try {
        await this.#clock.sleep(pauseMs, ended, false);
      } catch {
        return; // the block has ended
      }
      if (lease.renewable) {
        await this.#renew(lease, ended);
      }
      if (ended.aborted) {
        return;
      }
    }
  }

  /** Renews once. What fails and is no loss is tried again while there is time. */
  async #renew(lease: Lease, ended: AbortSignal): Promise<void> {
    try {
      const timeoutMs = Math.min(renewTimeoutMs, lease.timeLeftMs());
      lease.renewed(...(await this.#askForMore(lease.token(), { timeoutMs, signal: ended })));
    } catch (failed) {
      if (ended.aborted) {
        return;
      }
      if (failed instanceof LeaseLostError) {
        lease.lose(failed);
        return;
      }
      lease.notRenewed();
      warn(`the lease ${lease.leaseId} could not be renewed: ${String(failed)}`);
    }
  }

  async #askForMore(leaseToken: string, options: CallOptions): Promise<[LeaseGrant, Moment]> {
    const request = { requestId: randomUUID(), leaseToken };
    const [response, asked] = await this.#calls.call(LeaseService.method.renewEntityLease, request, options);
    return [required(response.grant, "grant"), asked];
  }

  /**
   * Gives a lease back. That it fails is no failure of the block: the ledger takes it back when its time is over.
   *
   * @internal
   */
  async release(lease: Lease): Promise<void> {
    const request = { requestId: randomUUID(), leaseToken: lease.token() };
    try {
      const options = { timeoutMs: releaseTimeoutMs };
      const [{ wasLost }] = await this.#calls.call(LeaseService.method.releaseEntityLease, request, options);
      if (wasLost) {
        lease.lose(lost(`the lease ${lease.leaseId} had been lost before it was given back`));
      }
    } catch (failed) {
      if (failed instanceof LeaseLostError) {
        lease.lose(failed);
        return;
      }
      warn(`the lease ${lease.leaseId} could not be given back, and ends by itself: ${String(failed)}`);
    }
  }
}

function warn(message: string): void {
  process.emitWarning(message, { code: "OPLEDGER_LEASE" });
}
