/**
 * Why a proposal got no permit, where a person, a lease, an earlier operation, a limit or a rule stands in the way.
 *
 * These are to be read and told. None of them lets anybody act, and proposing the same again is always safe.
 */
import { durationMs, timestampDate } from "@bufbuild/protobuf/wkt";
import { Operation_StateSchema } from "./gen/opledger/v1/operation_pb.js";
import {
  Decision,
  type EarlierOperation,
  type EntityChange as EntityChangeMessage,
  type ProposeOperationResponse,
} from "./gen/opledger/v1/proposal_pb.js";
import { entityName, holderOf, type Holder } from "./holder.js";
import { word } from "./words.js";

/** What decided. */
export interface Why {
  /** The rule, or a built-in name such as "exclusive_group". Empty: the record decided. */
  readonly ruleId: string;
  /** Why, in a sentence for people. Empty as `ruleId`. */
  readonly explanation: string;
  /** How a grant is asked for that would let it pass. Empty: none would. */
  readonly overrideHint: string;
  /** The stored decision, where no operation was made. Empty elsewhere. */
  readonly decisionId: string;
}

/** What all of them say. */
interface Facts {
  /** What decided. */
  readonly why: Why;
  /** In how many milliseconds proposing again makes sense. Undefined: no time is known. */
  readonly retryAfterMs: number | undefined;
}

/** People must decide. Propose the same again after they have; no process need wait for them. */
export interface AwaitingApproval extends Facts {
  readonly kind: "awaiting_approval";
  /** The approval that is waited for. */
  readonly approvalId: string;
  /** How many persons must approve. */
  readonly requiredCount: number;
  /** How many have approved. */
  readonly approvedCount: number;
  /** The roles whose bearers may approve. */
  readonly roles: readonly string[];
  /** Until when it can be decided. Undefined: not stated. */
  readonly expireTime: Date | undefined;
}

/** Another workflow or operation holds the entity. */
export interface Blocked extends Facts {
  readonly kind: "blocked";
  /** Who. Undefined: not stated. */
  readonly holder: Holder | undefined;
}

/** A window holds an equivalent operation already, so this one was not made. */
export interface Suppressed extends Facts {
  readonly kind: "suppressed";
  /** That operation. Undefined: not stated. */
  readonly earlier: Earlier | undefined;
}

/** Policy said no. */
export interface Denied extends Facts {
  readonly kind: "denied";
  /** The earlier operation that excludes this one. Undefined: none does. */
  readonly earlier: Earlier | undefined;
  /** How the entity has changed since the `entityVersion` that was proposed. Undefined: that is not the reason. */
  readonly entityChange: EntityChange | undefined;
}

/** A limit or a backoff. `retryAfterMs` says how long, where a time is known. */
export interface RetryLater extends Facts {
  readonly kind: "retry_later";
}

/** Why there is no permit; `kind` tells them apart. */
export type Guarded = AwaitingApproval | Blocked | Suppressed | Denied | RetryLater;

/** An earlier operation that a proposal runs into. */
export interface Earlier {
  /** The operation. */
  readonly operationId: string;
  /** Its tool, by name. */
  readonly tool: string;
  /** Where it stands, such as "completed_success". */
  readonly state: string;
  /** When its effect happened. Undefined: no effect is known. */
  readonly effectTime: Date | undefined;
  /** Until when it stands in the way. Undefined: until it is settled. */
  readonly until: Date | undefined;
}

/** How an entity differs from the version that a proposal was reasoned from. */
export interface EntityChange {
  /** The entity, such as "order/order_123". */
  readonly entity: string;
  /** The version that the proposal named. */
  readonly statedVersion: number;
  /** The version now. */
  readonly currentVersion: number;
  /** The state now. */
  readonly currentState: string;
  /** Operations that have changed it in between, newest first. */
  readonly operationIds: readonly string[];
}

/**
 * Reads why there is no permit. Undefined: nothing of this kind is in the way, or this release does not know it.
 *
 * @internal
 */
export function guardedOf(answer: ProposeOperationResponse): Guarded | undefined {
  const { decision, decidedBy, decisionId, retryAfter, approval, holder, earlier, entityChange } = answer;
  const { ruleId = "", explanation = "", overrideHint = "" } = decidedBy ?? {};
  const facts = {
    why: { ruleId, explanation, overrideHint, decisionId },
    retryAfterMs: retryAfter && durationMs(retryAfter),
  };
  switch (decision) {
    case Decision.AWAITING_APPROVAL:
      return {
        kind: "awaiting_approval",
        ...facts,
        approvalId: approval?.approvalId ?? "",
        requiredCount: approval?.requiredCount ?? 0,
        approvedCount: approval?.approvedCount ?? 0,
        roles: approval?.roles ?? [],
        expireTime: approval?.expireTime && timestampDate(approval.expireTime),
      };
    case Decision.BLOCKED:
      return { kind: "blocked", ...facts, holder: holder && holderOf(holder) };
    case Decision.SUPPRESSED:
      return { kind: "suppressed", ...facts, earlier: earlier && earlierOf(earlier) };
    case Decision.DENIED:
      return {
        kind: "denied",
        ...facts,
        earlier: earlier && earlierOf(earlier),
        entityChange: entityChange && entityChangeOf(entityChange),
      };
    case Decision.RETRY_LATER:
      return { kind: "retry_later", ...facts };
    default:
      return undefined;
  }
}

function earlierOf({ operationId, tool, state, effectTime, until }: EarlierOperation): Earlier {
  return {
    operationId,
    tool,
    state: word(Operation_StateSchema, state).toLowerCase(),
    effectTime: effectTime && timestampDate(effectTime),
    until: until && timestampDate(until),
  };
}

function entityChangeOf(change: EntityChangeMessage): EntityChange {
  return {
    entity: change.entity ? entityName(change.entity) : "",
    statedVersion: Number(change.statedVersion),
    currentVersion: Number(change.currentVersion),
    currentState: change.currentState,
    operationIds: change.operationIds,
  };
}
