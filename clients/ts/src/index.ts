/**
 * Makes the tool calls of LLM agents safe to repeat: the client of Opledger.
 *
 * `Client` is all that most code needs. "opledger/v1/…" holds the generated messages and services of the whole API.
 */
export type { Answer } from "./answer.js";
export type { CallOptions } from "./calls.js";
export { Client, type Act, type ClientOptions, type ProposeOptions, type Revise, type RunOptions } from "./client.js";
export type { Clock } from "./clock.js";
export {
  ClaimContradictedError,
  InvalidArgumentError,
  KeyReusedError,
  LeaseBlockedError,
  LeaseLostError,
  NotFoundError,
  OpledgerError,
  PermissionDeniedError,
  PermitLostError,
  RunSupersededError,
  StaleAttemptError,
  TooLargeError,
  UnauthenticatedError,
  UnavailableError,
  WorkflowEndedError,
  type Violation,
} from "./errors.js";
export { Lookup, type Find, type Question, type Reconciliation } from "./evidence.js";
export type {
  AwaitingApproval,
  Blocked,
  Denied,
  Earlier,
  EntityChange,
  Guarded,
  RetryLater,
  Suppressed,
  Why,
} from "./guarded.js";
export type { Holder } from "./holder.js";
export type { Arguments, Json } from "./json.js";
export { Lease } from "./lease.js";
export type { LeaseOptions } from "./leases.js";
export {
  Acknowledged,
  Ambiguous,
  Declined,
  Noop,
  NotSent,
  RateLimited,
  Rejected,
  Succeeded,
  type AmbiguityKind,
  type Artifact,
  type Outcome,
  type ProviderAnswer,
  type ThrownAnswer,
} from "./outcomes.js";
export { Permit } from "./permit.js";
export { Operation, Result } from "./result.js";
export {
  Workflow,
  type Claim,
  type CompleteOptions,
  type Ended,
  type Event,
  type Projection,
  type ResumeOptions,
  type WorkflowOptions,
} from "./workflow.js";
export { Worker, type Inquiry, type LookUp, type WorkerOptions } from "./worker.js";
