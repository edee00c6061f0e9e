import { randomBytes } from "node:crypto";
import { durationMs, type Duration } from "@bufbuild/protobuf/wkt";
import { Moment, type Clock } from "./clock.js";
import type { Permit as PermitMessage } from "./gen/opledger/v1/attempt_pb.js";
import { decode } from "./json.js";

const nonceBytes = 32;

/** How long a permit lasts, as the ledger says it. */
interface Lasting {
  remaining?: Duration | undefined;
  greatestRemaining?: Duration | undefined;
}

/**
 * The right to run one attempt, once. Whoever holds it may act until its time is up; without it nobody may.
 *
 * It stays in the process that got it: the nonce of its begin is what tells this process from a copy that was restored
 * from a checkpoint. So it shows neither nonce nor token when it is printed or written as JSON.
 */
export class Permit {
  readonly #message: PermitMessage;
  readonly #clock: Clock;
  #nonce: Uint8Array<ArrayBuffer> | undefined;
  #begun = false;
  #asked!: Moment;
  #remainingMs!: number;
  #greatestMs!: number;

  /** @internal */
  constructor(message: PermitMessage, clock: Clock, asked: Moment) {
    this.#message = message;
    this.#clock = clock;
    this.count(message, asked);
  }

  /**
   * Takes the ledger's word of how long it lasts, counted from before that word was asked for.
   *
   * @internal
   */
  count({ remaining, greatestRemaining }: Lasting, asked: Moment): void {
    this.#asked = asked;
    this.#remainingMs = remaining ? durationMs(remaining) : 0;
    this.#greatestMs = greatestRemaining ? durationMs(greatestRemaining) : 0;
  }

  /**
   * The ledger has accepted this process's begin.
   *
   * @internal
   */
  accept(begun: Lasting, asked: Moment): void {
    this.#begun = true;
    this.count(begun, asked);
  }

  /**
   * The ledger says that it is lost.
   *
   * @internal
   */
  lose(): void {
    this.#remainingMs = this.#greatestMs = 0;
  }

  /**
   * Whether a third of its time has passed, and an extension can lengthen it.
   *
   * @internal
   */
  worn(): boolean {
    const elapsed = this.#asked.elapsedMs(this.#clock);
    return this.#remainingMs / 3 <= elapsed && elapsed < this.#remainingMs && this.#remainingMs < this.#greatestMs;
  }

  /**
   * The nonce of this process's begin, made at the first try and kept in its repeats.
   *
   * @internal
   */
  bornNonce(): Uint8Array<ArrayBuffer> {
    return (this.#nonce ??= new Uint8Array(randomBytes(nonceBytes)));
  }

  /**
   * The same, empty where no begin was tried.
   *
   * @internal
   */
  nonce(): Uint8Array<ArrayBuffer> {
    return this.#nonce ?? new Uint8Array();
  }

  /**
   * Milliseconds until the permit ends, never below zero. Look right before you send, and give no request more time.
   *
   * Counted from before the ledger was asked, on the monotonic clock and on the clock of the wall; whichever has run
   * further is heeded. So no two machines' clocks need agree, and a machine that slept does not act late.
   */
  timeLeftMs(): number {
    return Math.max(0, this.#remainingMs - this.#asked.elapsedMs(this.#clock));
  }

  /** Milliseconds until no extension can lengthen it any more, counted in the same way. */
  greatestTimeLeftMs(): number {
    return Math.max(0, this.#greatestMs - this.#asked.elapsedMs(this.#clock));
  }

  /** A signal that aborts when the permit's time is up as it stands now: `fetch(url, { signal: permit.signal() })`. */
  signal(): AbortSignal {
    return AbortSignal.timeout(Math.floor(this.timeLeftMs()));
  }

  /** The operation. What a tool of the class INTERNAL_DETERMINISTIC_WRITE keys its transaction by. */
  get operationId(): string {
    return this.#message.operationId;
  }

  /** The attempt. */
  get attemptId(): string {
    return this.#message.attemptId;
  }

  /** The attempt's number within the operation, from 1. */
  get attemptNumber(): number {
    return this.#message.attemptNumber;
  }

  /** Whether a begin must be accepted right before the first byte. */
  get beginRequired(): boolean {
    return this.#message.beginRequired;
  }

  /** Whether this process's begin was accepted. */
  get begun(): boolean {
    return this.#begun;
  }

  /** The arguments to act on, in place of whatever you hold: a resend carries those of the first attempt. */
  get arguments(): unknown {
    return decode(this.#message.dispatchArgumentsJson);
  }

  /** The same as JSON text. */
  get argumentsJson(): string {
    return this.#message.dispatchArgumentsJson;
  }

  /** The idempotency key that the request must carry to the provider. Empty: the provider has none. */
  get vendorIdempotencyKey(): string {
    return this.#message.vendorIdempotencyKey;
  }

  /** The header for that key. Empty: none is known. */
  get vendorKeyHeader(): string {
    return this.#message.vendorKeyHeader;
  }

  /** The reference that the request must carry, so that its effect can be found. */
  get clientReference(): string {
    return this.#message.clientReference;
  }

  /** Whether this is the same request once more: same key, same account, same arguments. */
  get resend(): boolean {
    return this.#message.resend;
  }

  /** The whole message: fencing numbers, provider and account, the tool's version. It holds the attempt's token. */
  get message(): PermitMessage {
    return this.#message;
  }

  /** What may be logged. */
  toJSON(): { operationId: string; attemptId: string; attemptNumber: number } {
    return { operationId: this.operationId, attemptId: this.attemptId, attemptNumber: this.attemptNumber };
  }
}
