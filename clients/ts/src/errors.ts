import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import {
  ClaimConflictDetailSchema,
  KeyReuseDetailSchema,
  OperationDetailSchema,
  StaleAttemptDetailSchema,
} from "./gen/opledger/v1/errors_pb.js";
import type { Holder } from "./holder.js";
import { Result } from "./result.js";

const domain = "opledger";

/** One thing that is wrong with a request. */
export interface Violation {
  /** Where, such as "arguments_json/amount": the request's field, and a JSON Pointer into it. */
  readonly field: string;
  /** What is wrong and what to do. */
  readonly description: string;
  /** A stable name of the rule. Empty: none is stated. */
  readonly reason: string;
}

/** What is known of a failed call. */
export interface Facts {
  /** The gRPC code, such as "FAILED_PRECONDITION". */
  readonly code: string;
  /** The stable reason, such as "STALE_ATTEMPT". Empty: the ledger was not reached, or stated none. */
  readonly reason: string;
  /** The operation that it is about. Empty: none, or not known. */
  readonly operationId: string;
  /** What is wrong with the request, one by one. */
  readonly violations: readonly Violation[];
  /** In how many milliseconds the same call makes sense again. Undefined: the ledger does not say that it does. */
  readonly retryAfterMs: number | undefined;
  /** How the operation stands now, where the ledger said so. */
  readonly result: Result | undefined;
  /** Small facts beside the reason. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** A call that the ledger refused, or whose answer was lost. No error ever permits anybody to act. */
export class OpledgerError extends Error implements Facts {
  readonly code: string;
  readonly reason: string;
  readonly operationId: string;
  readonly violations: readonly Violation[];
  readonly retryAfterMs: number | undefined;
  readonly result: Result | undefined;
  readonly metadata: Readonly<Record<string, string>>;

  constructor(message: string, facts: Partial<Facts> & { code: string }, options?: ErrorOptions) {
    super(`${facts.reason || facts.code}: ${message}`, options);
    this.name = new.target.name;
    this.code = facts.code;
    this.reason = facts.reason ?? "";
    this.operationId = facts.operationId ?? "";
    this.violations = facts.violations ?? [];
    this.retryAfterMs = facts.retryAfterMs;
    this.result = facts.result;
    this.metadata = facts.metadata ?? {};
  }
}

/** The request is wrong, and nothing was recorded. `violations` says where. The same again is refused again. */
export class InvalidArgumentError extends OpledgerError {}

/** The request exceeds a limit, which the message names. The same again is refused again. */
export class TooLargeError extends InvalidArgumentError {}

/** The key belongs to an operation with other arguments. Propose the recorded ones, revise, or use another key. */
export class KeyReusedError extends OpledgerError {
  recordedFingerprint = "";
  proposedFingerprint = "";
  /** JSON Pointers of the canonical arguments that differ. Empty: another component of the key does. */
  differingPointers: readonly string[] = [];
  /** What differs besides arguments: "tool", "intent", "entity", "occurrence". */
  differingComponents: readonly string[] = [];
}

/**
 * The report came after its permit had ended. It is kept as evidence, and `result` says how things stand. Do not send
 * again.
 */
export class StaleAttemptError extends OpledgerError {
  /** The statement under which the report was kept. */
  evidenceId = "";
}

/** The permit has ended or was withdrawn, or another process began it. Do not send; propose again. */
export class PermitLostError extends OpledgerError {}

/** The lease ran out, was broken, or was taken over. Stop; acquire anew, and look at its entities again. */
export class LeaseLostError extends OpledgerError {}

/** Another run of the workflow is the current one, and this one's leases are lost. Stop this run. */
export class RunSupersededError extends LeaseLostError {}

/** The workflow has ended: it gets no new operation or permit. Start another. */
export class WorkflowEndedError extends OpledgerError {}

/** What the user was to be told is not what the ledger knows. Nothing ended. */
export class ClaimContradictedError extends OpledgerError {
  /** A true sentence to say in its place, by the operation that was claimed. */
  conflicts: Readonly<Record<string, string>> = {};
}

/** The lease was not granted within the wait. None of the entities is held. */
export class LeaseBlockedError extends OpledgerError {
  /** Who holds or keeps which entity. Empty: others wait before the caller. */
  readonly holders: readonly Holder[];
  /** How many wait before the caller. */
  readonly waitingBefore: number;

  /** @internal */
  constructor(entities: readonly string[], holders: readonly Holder[], waitingBefore: number) {
    const held = holders.map(told).join("; ") || `${waitingBefore} wait before the caller`;
    super(`no lease on ${entities.join(", ")} was granted in time: ${held}`, {
      code: "FAILED_PRECONDITION",
      retryAfterMs: holders[0]?.remainingMs,
    });
    this.holders = holders;
    this.waitingBefore = waitingBefore;
  }

  /** The first of the holders. */
  get holder(): Holder | undefined {
    return this.holders[0];
  }

  /** Since when that one holds. */
  get since(): Date | undefined {
    return this.holder?.since;
  }

  /** Until when it does at most. Undefined: until its operation is settled, which no time bounds. */
  get until(): Date | undefined {
    return this.holder?.until;
  }
}

function told({ entity, operationId, workflowId, runId, until }: Holder): string {
  const run = runId === "" ? "" : ` (run ${runId})`;
  return `${entity} by ${operationId || workflowId}${run} ${until ? `until ${until.toISOString()}` : "until it is settled"}`;
}

/** There is no such thing in this namespace. */
export class NotFoundError extends OpledgerError {}

/** The credential may not do this. Trying again does not help. */
export class PermissionDeniedError extends OpledgerError {}

/** There is no credential, or none that the server knows. */
export class UnauthenticatedError extends OpledgerError {}

/**
 * The answer was lost, or the server could not answer in time. Whether the call took effect is found out by making it
 * again; proposing again is always safe.
 */
export class UnavailableError extends OpledgerError {}

type Kind = typeof OpledgerError;

const byReason: Readonly<Record<string, Kind>> = {
  IDEMPOTENCY_KEY_REUSED: KeyReusedError,
  STALE_ATTEMPT: StaleAttemptError,
  PERMIT_EXPIRED: PermitLostError,
  PERMIT_WITHDRAWN: PermitLostError,
  CANCEL_WISHED: PermitLostError,
  GREATEST_AGE_REACHED: PermitLostError,
  BEGIN_NONCE_MISMATCH: PermitLostError,
  LEASE_LOST: LeaseLostError,
  RUN_SUPERSEDED: RunSupersededError,
  WORKFLOW_ENDED: WorkflowEndedError,
  CLAIM_CONTRADICTED: ClaimContradictedError,
  OVERLOADED: UnavailableError,
  TOO_LARGE: TooLargeError,
};

const byCode: Readonly<Record<string, Kind>> = {
  INVALID_ARGUMENT: InvalidArgumentError,
  NOT_FOUND: NotFoundError,
  PERMISSION_DENIED: PermissionDeniedError,
  UNAUTHENTICATED: UnauthenticatedError,
  UNAVAILABLE: UnavailableError,
  DEADLINE_EXCEEDED: UnavailableError,
  RESOURCE_EXHAUSTED: TooLargeError,
};

/**
 * Codes under which this transport tells of a connection that broke. A server of Opledger states a reason with each error
 * of its own, so that such a code without one is a lost answer.
 */
const lostAnswer: readonly Code[] = [Code.Aborted, Code.Canceled, Code.Internal, Code.Unknown];

/**
 * Reads a failed call, with the details that the ledger sends along. A detail that this release does not know is left out.
 *
 * @internal
 */
export function errorOf(failed: unknown): OpledgerError {
  const error = ConnectError.from(failed);
  const info = error.findDetails(ErrorInfoSchema).find((detail) => detail.domain === domain);
  const [retry] = error.findDetails(RetryInfoSchema);
  const [reuse] = error.findDetails(KeyReuseDetailSchema);
  const [stale] = error.findDetails(StaleAttemptDetailSchema);
  const [about] = error.findDetails(OperationDetailSchema);
  const stands = stale?.result ?? about?.result;

  const lost = info === undefined && lostAnswer.includes(error.code);
  const code = lost ? "UNAVAILABLE" : nameOf(error.code);
  const retryAfterMs = retry?.retryDelay && durationMs(retry.retryDelay);
  let kind = byReason[info?.reason ?? ""] ?? byCode[code] ?? OpledgerError;
  if (code === "RESOURCE_EXHAUSTED" && retryAfterMs !== undefined) {
    kind = UnavailableError; // a limit that passes by itself, not one of size
  }
  const facts: Facts = {
    code,
    reason: info?.reason ?? "",
    operationId: reuse?.operationId || about?.operationId || stands?.operationId || info?.metadata["operation_id"] || "",
    violations: error.findDetails(BadRequestSchema).flatMap((bad) =>
      bad.fieldViolations.map(({ field, description, reason }) => ({ field, description, reason })),
    ),
    retryAfterMs,
    result: stands && new Result(stands),
    metadata: info?.metadata ?? {},
  };
  const made = new kind(error.rawMessage, facts, { cause: failed });
  if (made instanceof KeyReusedError && reuse !== undefined) {
    made.recordedFingerprint = reuse.recordedFingerprint;
    made.proposedFingerprint = reuse.proposedFingerprint;
    made.differingPointers = reuse.differingPointers;
    made.differingComponents = reuse.differingComponents;
  }
  if (made instanceof ClaimContradictedError) {
    const claims = error.findDetails(ClaimConflictDetailSchema);
    made.conflicts = Object.fromEntries(claims.map((claim) => [claim.operationId, claim.safeUserMessage]));
  }
  if (made instanceof StaleAttemptError && stale !== undefined) {
    made.evidenceId = stale.evidenceId;
  }
  return made;
}

/** The name of a code as gRPC writes it. */
function nameOf(code: Code): string {
  return code === Code.Canceled ? "CANCELLED" : Code[code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}
