/**
 * What came of an attempt, in the words that all tools share.
 *
 * A function that acts under a permit returns what happened and throws what did not:
 *
 *     return  Succeeded (or any other value, which becomes its result), Noop, Acknowledged
 *     throw   NotSent, Rejected, RateLimited, Declined, Ambiguous
 *
 * Any other exception is told as ambiguous, because it may have come after the effect. Say NotSent only of what failed
 * before the first byte left, and Rejected only of a provider's final no.
 */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, type Duration } from "@bufbuild/protobuf/wkt";
import { AmbiguityKindSchema, ProviderAnswerSchema } from "./gen/opledger/v1/attempt_pb.js";
import type { ReportAttemptRequestSchema } from "./gen/opledger/v1/operation_service_pb.js";
import { encode } from "./json.js";
import { numberOf } from "./words.js";

/** A reference to something that an effect left behind: a receipt, a file. The ledger does not fetch it. */
export interface Artifact {
  name: string;
  uri: string;
  mediaType?: string;
  sha256?: string;
}

/** What the provider answered. Leave out what is not known. */
export interface ProviderAnswer {
  /** The provider's id of what was created or changed. It makes a report a receipt: give it wherever there is one. */
  providerObjectId?: string;
  /** The provider's id of the request. */
  providerRequestId?: string;
  /** The id of the change, where the tool says that it is not the object's. */
  effectId?: string;
  /** The account at the provider that was used, where it is not the tool's. */
  providerAccount?: string;
  /** The provider's status as it came, such as "201" or "card_declined". */
  rawStatusCode?: string;
  /** Whether the provider said that it answered from its own idempotency record. */
  providerReplayed?: boolean;
  /** References to what the effect left behind. */
  artifacts?: readonly Artifact[];
  /** What happened, in your words, without secrets. */
  message?: string;
}

/** The same for outcomes that are thrown. */
export interface ThrownAnswer extends ProviderAnswer {
  /** What the provider sent along, as JSON knows it. */
  result?: unknown;
  /** The error that led here. It stays in this process. */
  cause?: unknown;
  /**
   * Whether the code that sends has ended, so that nothing of it can leave any more. Absent: it has. False where it may
   * still run, as the loser of a `Promise.race` against a timer does.
   */
  senderReturned?: boolean;
}

/** The outcome's part of a report. */
export type OutcomeCase = NonNullable<MessageInitShape<typeof ReportAttemptRequestSchema>["outcome"]>;

/** What came of an attempt. */
export interface Outcome {
  readonly answer: ThrownAnswer;
  /** @internal */
  readonly outcome: OutcomeCase;
}

/** An outcome that is returned. */
export abstract class ReturnedOutcome implements Outcome {
  readonly answer: ThrownAnswer;
  /** @internal */
  abstract readonly outcome: OutcomeCase;

  constructor(result: unknown, answer: ProviderAnswer) {
    this.answer = { ...answer, result };
  }
}

/** It happened. */
export class Succeeded extends ReturnedOutcome {
  /** @internal */
  readonly outcome: OutcomeCase = { case: "succeeded", value: {} };

  /** @param result The result, as JSON knows it. It is what a replay answers. */
  constructor(result?: unknown, answer: ProviderAnswer = {}) {
    super(result, answer);
  }
}

/** It was already so; there was nothing to do. */
export class Noop extends ReturnedOutcome {
  /** @internal */
  readonly outcome: OutcomeCase = { case: "noop", value: {} };

  /** @param result The result, as JSON knows it. */
  constructor(result?: unknown, answer: ProviderAnswer = {}) {
    super(result, answer);
  }
}

/** The provider took it and will finish by itself. */
export class Acknowledged extends ReturnedOutcome {
  /** @internal */
  readonly outcome: OutcomeCase;

  /** @param finishByMs In how many milliseconds it is expected to be finished. Absent: the tool's own time. */
  constructor(finishByMs?: number, answer: ProviderAnswer = {}) {
    super(undefined, answer);
    this.outcome = { case: "acknowledged", value: { ...span("finishBy", finishByMs) } };
  }
}

/** An outcome that is thrown. */
export abstract class ThrownOutcome extends Error implements Outcome {
  /** @internal */
  abstract readonly outcome: OutcomeCase;

  constructor(
    what: string,
    readonly answer: ThrownAnswer,
  ) {
    super(answer.message ?? what, "cause" in answer ? { cause: answer.cause } : undefined);
    this.name = new.target.name;
  }
}

/** The try failed before anything left: no name found, connection refused. After the first byte it is never this. */
export class NotSent extends ThrownOutcome {
  /** @internal */
  readonly outcome: OutcomeCase;

  /** @param code Why, such as "connection_refused". */
  constructor(code = "", answer: ThrownAnswer = {}) {
    super(`nothing was sent: ${code || "no reason given"}`, answer);
    this.outcome = { case: "notSent", value: { code } };
  }
}

/** The provider refused for good, by what was asked. "Already exists" is never this: return Noop. */
export class Rejected extends ThrownOutcome {
  /** @internal */
  readonly outcome: OutcomeCase;

  /** @param code The provider's code, such as "card_declined". */
  constructor(code = "", answer: ThrownAnswer = {}) {
    super(`the provider refused: ${code || "no reason given"}`, answer);
    this.outcome = { case: "rejected", value: { code } };
  }
}

/** The write itself was refused by a rate limit. */
export class RateLimited extends ThrownOutcome {
  /** @internal */
  readonly outcome: OutcomeCase;

  /** @param retryAfterMs How many milliseconds the provider asks to wait. Absent: the tool's backoff. */
  constructor(retryAfterMs?: number, answer: ThrownAnswer = {}) {
    super("the provider's rate limit", answer);
    this.outcome = { case: "rateLimited", value: { ...span("retryAfter", retryAfterMs) } };
  }
}

/** The provider says that it did nothing and may later: SMTP 451, a 5xx that is known not to commit. */
export class Declined extends ThrownOutcome {
  /** @internal */
  readonly outcome: OutcomeCase;

  /** @param code The provider's code. */
  constructor(code = "", answer: ThrownAnswer & { retryAfterMs?: number } = {}) {
    super(`the provider did nothing: ${code || "no reason given"}`, answer);
    this.outcome = { case: "declined", value: { code, ...span("retryAfter", answer.retryAfterMs) } };
  }
}

/** Why an outcome cannot be told. It changes nothing in how it is treated. */
export type AmbiguityKind = "timeout" | "connection_lost" | "malformed_answer" | "provider_error" | "exception";

/** It cannot be told whether it happened. */
export class Ambiguous extends ThrownOutcome {
  /** @internal */
  readonly outcome: OutcomeCase;

  constructor(kind?: AmbiguityKind, answer: ThrownAnswer = {}) {
    super(`it cannot be told whether it happened: ${kind ?? "no reason given"}`, answer);
    this.outcome = { case: "ambiguous", value: { kind: numberOf(AmbiguityKindSchema, kind ?? "unspecified") } };
  }
}

/**
 * Writes the outcome's part of a report. Throws a TypeError where the result cannot be written as JSON.
 *
 * @internal
 */
export function reported({ outcome, answer }: Outcome): MessageInitShape<typeof ReportAttemptRequestSchema> {
  const { message = "", senderReturned = true, result, artifacts = [], cause: _, ...rest } = answer;
  const said = create(ProviderAnswerSchema, {
    ...rest,
    resultJson: result === undefined ? "" : encode(result),
    artifacts: artifacts.map((artifact) => ({ ...artifact })),
  });
  return { outcome, senderReturned, message, answer: said };
}

/** A field of type Duration, left out where there is none. */
function span<Name extends string>(name: Name, ms: number | undefined): { [name in Name]?: Duration } {
  return ms === undefined ? {} : ({ [name]: durationFromMs(ms) } as { [name in Name]?: Duration });
}
