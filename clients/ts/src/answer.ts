import { durationMs } from "@bufbuild/protobuf/wkt";
import type { Clock, Moment } from "./clock.js";
import { Lookup } from "./evidence.js";
import { DecisionSchema, type ProposeOperationResponse } from "./gen/opledger/v1/proposal_pb.js";
import { guardedOf, type Guarded } from "./guarded.js";
import { Permit } from "./permit.js";
import { required, Result } from "./result.js";
import { word } from "./words.js";

/** The ledger's answer to a proposal. Act if `permit` is there, and only then, whatever the other fields say. */
export interface Answer {
  /** The right to act. Undefined: you must not act. */
  readonly permit: Permit | undefined;
  /** How the operation stands, what to do next and what to say. */
  readonly result: Result;
  /**
   * The ledger's decision, such as "REPLAYED". For reading and logs, never for deciding to act: a newer server may answer
   * a word that this release does not know.
   */
  readonly decision: string;
  /** In how many milliseconds proposing again makes sense. Undefined: no time is known. */
  readonly retryAfterMs: number | undefined;
  /** The lookup that you may make and hand in to `Client.reconcile`, where the outcome is unknown. */
  readonly lookup: Lookup | undefined;
  /**
   * Why there is no permit, where a person, a lease, an earlier operation, a limit or a rule stands in the way. Undefined:
   * nothing of the kind.
   */
  readonly guarded: Guarded | undefined;
  /** The whole answer: successor, plan, what rules in shadow would have said. */
  readonly message: ProposeOperationResponse;
}

/** @internal */
export function answerOf(message: ProposeOperationResponse, clock: Clock, asked: Moment): Answer {
  const { permit, result, decision, retryAfter, lookup } = message;
  const guarded = guardedOf(message);
  return {
    permit: permit && new Permit(permit, clock, asked),
    result: new Result(required(result, "result"), guarded),
    decision: word(DecisionSchema, decision),
    retryAfterMs: retryAfter && durationMs(retryAfter),
    lookup: lookup && new Lookup(lookup),
    guarded,
    message,
  };
}
