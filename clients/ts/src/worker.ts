import { randomUUID } from "node:crypto";
import { durationFromMs, durationMs } from "@bufbuild/protobuf/wkt";
import type { Calls } from "./calls.js";
import type { Act, Client } from "./client.js";
import type { Clock, Moment } from "./clock.js";
import { UnavailableError } from "./errors.js";
import { Lookup } from "./evidence.js";
import type { Permit as PermitMessage } from "./gen/opledger/v1/attempt_pb.js";
import type { Evidence } from "./gen/opledger/v1/evidence_pb.js";
import { WorkService, type LookupWork, type PollWorkResponse } from "./gen/opledger/v1/work_service_pb.js";
import { Heartbeat, warn } from "./heartbeat.js";
import { decode } from "./json.js";
import { Permit } from "./permit.js";
import { Room, type Kind, type Wish } from "./room.js";

/** How long polls that are under way may still bring work when the worker is to end, in milliseconds. */
const pollGraceMs = 2_000;

/** After how many milliseconds the ledger is told once more that the worker goes, where polls are still open. */
const drainAgainMs = 100;

/** How a worker works. */
export interface WorkerOptions {
  /** How long the ledger may keep a poll waiting for work, in milliseconds, at most a minute. Absent: 20 s. */
  waitMs?: number;
  /** How long functions may go on when the worker is to end, in milliseconds. Absent: 30 s. */
  drainTimeoutMs?: number;
  /**
   * For how long a report is told again to a ledger that does not answer, in milliseconds. Its room stays taken meanwhile.
   * Absent: 10 min.
   */
  reportTimeoutMs?: number;
}

/** A question about one operation, to put to its provider. It permits no effect. */
export interface Inquiry {
  readonly operationId: string;
  readonly tool: string;
  /** The operation's canonical arguments. */
  readonly arguments: unknown;
  /** What to ask, and the methods that write the answer down: return what one of them returns. */
  readonly lookup: Lookup;
}

/** Puts a question to the provider. */
export type LookUp = (inquiry: Inquiry) => Evidence | PromiseLike<Evidence>;

/**
 * Takes up operations of the tools that it serves, and acts on them.
 *
 * What acts is written as for `Client.run`, and serves both: the begin is said right before it is called, its permit is
 * extended while it runs, and what it resolves to or throws is reported until the ledger has it. It acts on
 * `permit.arguments`, carries the vendor key and the client reference, hands `permit.message.fencingNumbers` to stores of its
 * own, gives its one request no more than `permit.timeLeftMs()`, and retries nothing.
 */
export class Worker {
  readonly #client: Client;
  readonly #calls: Calls;
  readonly #clock: Clock;
  readonly #workerId: string;
  readonly #waitMs: number;
  readonly #drainTimeoutMs: number;
  readonly #reportTimeoutMs: number;
  readonly #acts = new Map<string, (permit: Permit) => unknown>();
  readonly #lookUps = new Map<string, LookUp>();
  readonly #room = new Room();
  readonly #heartbeat: Heartbeat;
  /** Ends polls that do not come back. */
  readonly #ended = new AbortController();
  #failed: unknown;

  /** @param workerId Its name among the workers of its credential, such as "mail-7". It proves nothing. */
  constructor(client: Client, workerId: string, options: WorkerOptions = {}) {
    const { calls, clock } = client.inside();
    this.#client = client;
    this.#calls = calls;
    this.#clock = clock;
    this.#workerId = workerId;
    this.#waitMs = options.waitMs ?? 20_000;
    this.#drainTimeoutMs = options.drainTimeoutMs ?? 30_000;
    this.#reportTimeoutMs = options.reportTimeoutMs ?? 600_000;
    this.#heartbeat = new Heartbeat(calls, clock, workerId);
  }

  /** Says what acts on a tool's permits, at most `room` at a time. */
  acts(tool: string, act: Act, { room = 1 }: { room?: number } = {}): this {
    this.#acts.set(tool, this.#heartbeat.during(act));
    this.#room.open("dispatch", tool, room);
    return this;
  }

  /** Says what puts questions about a tool's operations to the provider. */
  looksUp(tool: string, lookUp: LookUp, { room = 1 }: { room?: number } = {}): this {
    this.#lookUps.set(tool, lookUp);
    this.#room.open("lookup", tool, room);
    return this;
  }

  /** Takes nothing more on. `run` resolves when what runs has ended. */
  stop(): void {
    this.#room.close();
  }

  /**
   * Works until `stop` is called. Rejects with an OpledgerError where working makes no sense: a credential without the right,
   * a tool that is not there.
   */
  async run(): Promise<void> {
    if (this.#room.empty) {
      throw new TypeError("the worker serves no tool");
    }
    const still = new AbortController();
    const beating = this.#heartbeat.run(still.signal);
    try {
      for (let wish = await this.#room.unasked(); wish !== undefined; wish = await this.#room.unasked()) {
        void this.#poll(wish);
      }
      await this.#drain();
    } finally {
      still.abort();
      await beating;
    }
    if (this.#failed !== undefined) {
      throw this.#failed;
    }
  }

  /** Lets polls that wait be answered, and what runs end. */
  async #drain(): Promise<void> {
    const grace = AbortSignal.timeout(pollGraceMs);
    while (this.#failed === undefined && !this.#room.quiet && !grace.aborted) {
      // Told again, since a poll may have been on its way.
      const request = { requestId: randomUUID(), workerId: this.#workerId };
      try {
        await this.#calls.call(WorkService.method.drainWorker, request, { timeoutMs: pollGraceMs });
      } catch (unheard) {
        warn(`the ledger could not be told that ${this.#workerId} drains: ${String(unheard)}`);
      }
      await this.#room.until((room) => room.quiet, AbortSignal.timeout(drainAgainMs));
    }
    this.#ended.abort(); // what comes now would be acted on by a worker that has ended
    if (!(await this.#room.until((room) => room.idle, AbortSignal.timeout(this.#drainTimeoutMs)))) {
      warn(`${this.#workerId} ends while functions of its still run`);
    }
  }

  /**
   * Asks for work once, and begins with what comes. The same request is made again until it is answered: so permits whose
   * answer was lost come again, where that is safe.
   */
  async #poll(wish: readonly Wish[]): Promise<void> {
    const roomOf = (kind: Kind, tool: string) => wish.find((w) => w.kind === kind && w.tool === tool)?.room ?? 0;
    const tools = [...new Set(wish.map(({ tool }) => tool))].sort();
    const request = {
      requestId: randomUUID(),
      workerId: this.#workerId,
      credits: tools.map((tool) => ({ tool, dispatches: roomOf("dispatch", tool), lookups: roomOf("lookup", tool) })),
      wait: durationFromMs(this.#waitMs),
    };
    const signal = this.#ended.signal;
    try {
      for (;;) {
        try {
          const [answer, asked] = await this.#calls.call(WorkService.method.pollWork, request, { signal }, this.#waitMs);
          this.#start(answer, asked);
          await this.#pause(answer.pollAfter ? durationMs(answer.pollAfter) : 0);
          return;
        } catch (failed) {
          if (!(failed instanceof UnavailableError)) {
            throw failed;
          }
          warn(`${this.#workerId} could not poll: ${String(failed)}`);
          await this.#pause(failed.retryAfterMs ?? 1_000);
          if (this.#room.closed) {
            return;
          }
        }
      }
    } catch (failed) {
      if (!signal.aborted) {
        this.#failed ??= failed;
        this.#room.close();
      }
    } finally {
      this.#room.answered(wish);
    }
  }

  /** Waits, at most until the worker is to end. */
  async #pause(ms: number): Promise<void> {
    if (ms > 0) {
      await this.#room.until((room) => room.closed, AbortSignal.timeout(ms));
    }
  }

  /** Begins with what was handed out. What this release does not know is left; it comes back. */
  #start({ items, waited }: PollWorkResponse, asked: Moment): void {
    const since = asked.later(waited ? durationMs(waited) : 0);
    for (const { work } of items) {
      if (work.case === "dispatch") {
        this.#spawn("dispatch", work.value.tool, () => this.#dispatch(work.value, since));
      } else if (work.case === "lookup") {
        this.#spawn("lookup", work.value.tool, () => this.#lookUp(work.value));
      }
    }
  }

  #spawn(kind: Kind, tool: string, run: () => Promise<void>): void {
    if (!this.#room.take(kind, tool)) {
      return;
    }
    void run()
      .catch((failed: unknown) => warn(`${tool}: ${String(failed)}`)) // it was reported where it could be
      .finally(() => this.#room.giveBack(kind, tool));
  }

  async #dispatch(message: PermitMessage, since: Moment): Promise<void> {
    const act = this.#acts.get(message.tool)!;
    await this.#client.act(new Permit(message, this.#clock, since), act, { timeoutMs: this.#reportTimeoutMs });
  }

  async #lookUp({ operationId, tool, instruction, canonicalArgumentsJson }: LookupWork): Promise<void> {
    const lookup = instruction && new Lookup(instruction);
    const [first] = lookup?.questions ?? [];
    if (lookup === undefined || first === undefined) {
      return;
    }
    let evidence: Evidence;
    try {
      evidence = await this.#lookUps.get(tool)!({ operationId, tool, arguments: decode(canonicalArgumentsJson), lookup });
    } catch (failed) {
      warn(`looking up ${operationId} failed: ${String(failed)}`);
      evidence = lookup.stillUnknown(first, `the lookup failed: ${failed instanceof Error ? failed.name : typeof failed}`);
    }
    const request = { requestId: randomUUID(), operationId, evidence };
    await this.#calls.call(WorkService.method.answerLookup, request, { timeoutMs: this.#reportTimeoutMs });
  }
}
