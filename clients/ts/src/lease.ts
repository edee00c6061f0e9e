import { durationMs } from "@bufbuild/protobuf/wkt";
import type { Answer } from "./answer.js";
import type { Client, ProposeOptions, RunOptions } from "./client.js";
import { Moment, type Clock } from "./clock.js";
import { LeaseLostError } from "./errors.js";
import type { EntityLease, LeaseGrant } from "./gen/opledger/v1/lease_pb.js";
import { entityName } from "./holder.js";
import type { Arguments } from "./json.js";
import type { Permit } from "./permit.js";
import { required, type Result } from "./result.js";

/**
 * The right of one run to mutate some entities, for as long as its block runs and it is renewed in time.
 *
 * Its token stays inside: it goes with each proposal that is made by `propose` and `run`, and is shown nowhere. Once lost,
 * a lease stays lost, and each use rejects with a LeaseLostError.
 */
export class Lease {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #token: string;
  readonly #over = new AbortController();
  #loss: LeaseLostError | undefined;
  #ended = false;
  #message!: EntityLease;
  #asked!: Moment;
  #remainingMs!: number;
  /** Milliseconds after `#asked`. */
  #renewAtMs!: number;
  /** Whether a renewal can lengthen it. At its greatest total age none can. */
  #grows!: boolean;

  /** @internal */
  constructor(client: Client, grant: LeaseGrant, clock: Clock, asked: Moment) {
    this.#client = client;
    this.#clock = clock;
    this.#token = grant.leaseToken;
    this.#take(grant, asked);
  }

  /** Takes the ledger's word of how long it lasts, counted from before that word was asked for. */
  #take({ lease, remaining, greatestRemaining }: LeaseGrant, asked: Moment): void {
    this.#message = required(lease, "grant.lease");
    this.#asked = asked;
    this.#remainingMs = durationMs(required(remaining, "grant.remaining"));
    this.#renewAtMs = this.#remainingMs / 3;
    this.#grows = greatestRemaining !== undefined && durationMs(greatestRemaining) > this.#remainingMs;
  }

  /**
   * A renewal was granted. One that comes after the time was over changes nothing: somebody may have seen that.
   *
   * @internal
   */
  renewed(grant: LeaseGrant, asked: Moment): void {
    if (!this.lost) {
      this.#take(grant, asked);
    }
  }

  /**
   * A renewal failed: when to try again. Failures that pass were tried for a while already.
   *
   * @internal
   */
  notRenewed(): void {
    this.#renewAtMs = this.#asked.elapsedMs(this.#clock) + this.#remainingMs / 9;
  }

  /**
   * In how many milliseconds to renew, or to see it end where nothing lengthens it. Undefined: it is lost.
   *
   * @internal
   */
  renewInMs(): number | undefined {
    if (this.lost) {
      return undefined;
    }
    return Math.max(0, (this.#grows ? this.#renewAtMs : this.#remainingMs) - this.#asked.elapsedMs(this.#clock));
  }

  /**
   * Whether a renewal makes sense.
   *
   * @internal
   */
  get renewable(): boolean {
    return this.#grows && !this.lost;
  }

  /**
   * It is lost. The first word stands.
   *
   * @internal
   */
  lose(loss: LeaseLostError): void {
    this.#loss ??= loss;
    this.#over.abort(this.#loss);
  }

  /**
   * Its block has ended. What is known of its loss then is kept as it is.
   *
   * @internal
   */
  end(): void {
    if (!this.lost) {
      this.#ended = true;
      this.#over.abort(lost(`the block of the lease ${this.leaseId} has ended`));
    }
  }

  /**
   * The token, while it proves something.
   *
   * @internal
   */
  proof(): string {
    this.check();
    return this.#token;
  }

  /**
   * The token, to give it back.
   *
   * @internal
   */
  token(): string {
    return this.#token;
  }

  /** Whether it is lost: it ran out, was broken, or another run took the workflow over. It never comes back. */
  get lost(): boolean {
    if (!this.#loss && !this.#ended && this.#remainingMs <= this.#asked.elapsedMs(this.#clock)) {
      this.lose(lost(`no renewal of the lease ${this.leaseId} came in time`));
    }
    return this.#loss !== undefined;
  }

  /**
   * Throws a LeaseLostError if the lease is lost, or its block has ended. Look before an act of your own.
   *
   * It is the client's knowledge, and a later moment can be different: what must not be done by a former holder carries the
   * fencing number to a store that refuses older ones.
   */
  check(): void {
    if (this.lost || this.#ended) {
      throw this.#over.signal.reason;
    }
  }

  /** A signal that aborts when the lease is seen to be lost, or its block has ended. For requests of your own. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Milliseconds until it ends unless it is renewed; zero once it is lost. Counted as a permit's time is. */
  timeLeftMs(): number {
    return this.lost || this.#ended ? 0 : Math.max(0, this.#remainingMs - this.#asked.elapsedMs(this.#clock));
  }

  /** `Client.propose` in this lease's workflow and run, with its proof. */
  propose(tool: string, args: Arguments = {}, options: Omit<ProposeOptions, "lease"> = {}): Promise<Answer> {
    return this.#client.propose(tool, args, { ...options, lease: this });
  }

  /** `Client.run` in this lease's workflow and run, with its proof. */
  run(
    tool: string,
    args: Arguments,
    act: (permit: Permit) => unknown,
    options: Omit<RunOptions, "lease"> = {},
  ): Promise<Result> {
    return this.#client.run(tool, args, act, { ...options, lease: this });
  }

  /** The lease's id, "lea_…". It proves nothing. */
  get leaseId(): string {
    return this.#message.leaseId;
  }

  /** The workflow that owns it. */
  get workflowId(): string {
    return this.#message.workflowId;
  }

  /** The run in whose hands it is. */
  get runId(): string {
    return this.#message.runId;
  }

  /**
   * The number of this grant for each entity, such as { "order/order_123": 7 }. Numbers only grow: hand them to the stores
   * that you write to.
   */
  get fencingNumbers(): Readonly<Record<string, number>> {
    const numbers = this.#message.fencingNumbers.map(({ entity, number }) => [
      entityName(required(entity, "fencing_numbers.entity")),
      Number(number),
    ]);
    return Object.fromEntries(numbers) as Record<string, number>;
  }

  /** The lease as everybody sees it, as of the last renewal. */
  get message(): EntityLease {
    return this.#message;
  }

  /** What may be logged. */
  toJSON(): { leaseId: string; workflowId: string; runId: string; entities: string[] } {
    const { leaseId, workflowId, runId } = this;
    return { leaseId, workflowId, runId, entities: Object.keys(this.fencingNumbers) };
  }
}

/**
 * Says that a lease is lost, where the ledger did not say it itself.
 *
 * @internal
 */
export function lost(why: string): LeaseLostError {
  const facts = { code: "FAILED_PRECONDITION", reason: "LEASE_LOST" };
  return new LeaseLostError(`${why}; another may act on its entities. Acquire anew`, facts);
}
