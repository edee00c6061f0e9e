import { randomUUID } from "node:crypto";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import type { Calls } from "./calls.js";
import type { Clock } from "./clock.js";
import { ErrorInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import type { Status } from "./gen/google/rpc/status_pb.js";
import { WorkService } from "./gen/opledger/v1/work_service_pb.js";
import type { Permit } from "./permit.js";

/** Milliseconds between two looks at the permits. The shortest permit lasts a second. */
const tickMs = 200;

/** How many permits one call extends, by the API. */
const most = 500;

const leastTimeoutMs = 200;
const greatestTimeoutMs = 5_000;

/**
 * Extends permits, each when a third of its time has passed, while what acts on them runs.
 *
 * It proves that this process lives, not that the work goes on: each permit has a greatest age that no heartbeat moves.
 *
 * @internal
 */
export class Heartbeat {
  readonly #calls: Calls;
  readonly #clock: Clock;
  readonly #workerId: string;
  readonly #permits = new Set<Permit>();

  constructor(calls: Calls, clock: Clock, workerId: string) {
    this.#calls = calls;
    this.#clock = clock;
    this.#workerId = workerId;
  }

  /** Wraps what acts: its permit is extended for as long as it runs, and no longer. */
  during(act: (permit: Permit) => unknown): (permit: Permit) => Promise<unknown> {
    return async (permit) => {
      this.#permits.add(permit);
      try {
        return await act(permit);
      } finally {
        this.#permits.delete(permit);
      }
    };
  }

  /** Beats until the signal aborts. It never rejects, and keeps no process alive. */
  async run(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      await this.#clock.sleep(tickMs, stopped, false).catch(() => undefined);
      const due = [...this.#permits].filter((permit) => permit.worn());
      for (let first = 0; first < due.length && !stopped.aborted; first += most) {
        await this.#beat(due.slice(first, first + most));
      }
    }
  }

  async #beat(due: readonly Permit[]): Promise<void> {
    const requests = due.map((permit) => ({
      operationId: permit.operationId,
      attemptId: permit.attemptId,
      attemptToken: permit.message.attemptToken,
      requestId: randomUUID(),
      ...(permit.begun && { beginNonce: permit.nonce() }),
    }));
    const least = Math.min(...due.map((permit) => permit.timeLeftMs()));
    const timeoutMs = Math.max(leastTimeoutMs, Math.min(greatestTimeoutMs, least));
    const request = { workerId: this.#workerId, requests };
    try {
      const [{ items }, asked] = await this.#calls.call(WorkService.method.extendWork, request, { timeoutMs });
      for (const [i, { answer }] of items.entries()) {
        const permit = due[i];
        if (permit !== undefined && answer.case === "response") {
          permit.count(answer.value, asked);
        } else if (permit !== undefined && answer.case === "error") {
          this.#refused(permit, answer.value);
        }
      }
    } catch (unheard) {
      warn(`a heartbeat failed, and permits last as long as they were given: ${String(unheard)}`);
    }
  }

  /** Takes the ledger's refusal: what has been sent may come to its end within the time that is left. */
  #refused(permit: Permit, status: Status): void {
    if (![Code.FailedPrecondition, Code.PermissionDenied, Code.NotFound].includes(status.code)) {
      return; // it may work at the next look
    }
    this.#permits.delete(permit);
    const reasons = status.details.map((detail) => anyUnpack(detail, ErrorInfoSchema)?.reason);
    if (reasons.includes("PERMIT_EXPIRED")) {
      permit.lose();
    }
  }
}

/**
 * Tells whoever runs the worker.
 *
 * @internal
 */
export function warn(message: string): void {
  process.emitWarning(message, { code: "OPLEDGER_WORKER" });
}
