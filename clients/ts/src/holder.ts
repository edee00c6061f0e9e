import { create } from "@bufbuild/protobuf";
import { durationMs, timestampDate } from "@bufbuild/protobuf/wkt";
import { EntitySchema, type Entity } from "./gen/opledger/v1/entity_pb.js";
import type { Holder as HolderMessage } from "./gen/opledger/v1/operation_pb.js";

/** Who holds a permit or an entity, and so who is waited for. It is never the reader's own right to act. */
export interface Holder {
  /** The entity, such as "order/order_123". Empty: a permit is held, no entity. */
  readonly entity: string;
  /** The workflow. Empty: none was named. */
  readonly workflowId: string;
  /** The run of the workflow. Empty: none was named. */
  readonly runId: string;
  /** The principal. Empty where the reader may not see it. */
  readonly principal: string;
  /** The operation that holds, or keeps the entity. Empty: a lease alone holds. */
  readonly operationId: string;
  /** The attempt that holds the permit. Empty: no permit is out. */
  readonly attemptId: string;
  /** Since when, by the ledger's clock. Undefined: not stated. */
  readonly since: Date | undefined;
  /** Until when at most. Undefined: until the operation is settled, which no time bounds. */
  readonly until: Date | undefined;
  /** The same in milliseconds from the answer, for clocks that differ. Undefined as `until`. */
  readonly remainingMs: number | undefined;
}

/** @internal */
export function holderOf(message: HolderMessage): Holder {
  const { entity, workflowId, runId, principal, operationId, attemptId, since, until, remaining } = message;
  return {
    entity: entity ? entityName(entity) : "",
    workflowId,
    runId,
    principal,
    operationId,
    attemptId,
    since: since && timestampDate(since),
    until: until && timestampDate(until),
    remainingMs: remaining && durationMs(remaining),
  };
}

/** Writes an entity as people do: "order/order_123". */
export function entityName({ type, id }: Entity): string {
  return `${type}/${id}`;
}

/** Reads "order/order_123". Whatever follows the first stroke is the id, further strokes included. */
export function parseEntity(name: string): Entity {
  const stroke = name.indexOf("/");
  if (stroke < 1 || stroke === name.length - 1) {
    throw new TypeError(`an entity is given as "type/id", such as "order/order_123", not as "${name}"`);
  }
  return create(EntitySchema, { type: name.slice(0, stroke), id: name.slice(stroke + 1) });
}
