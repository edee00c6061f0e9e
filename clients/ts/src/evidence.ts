import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { ProviderAnswerSchema } from "./gen/opledger/v1/attempt_pb.js";
import { AttributionSchema, EvidenceEffectSchema, EvidenceSchema, Verdict, type Evidence } from "./gen/opledger/v1/evidence_pb.js";
import type { ReconcileResponse } from "./gen/opledger/v1/operation_service_pb.js";
import type { LookupInstruction } from "./gen/opledger/v1/proposal_pb.js";
import { LookupBySchema } from "./gen/opledger/v1/provider_pb.js";
import { encode } from "./json.js";
import { required, Result } from "./result.js";
import { numberOf, word } from "./words.js";

/** One question that can be put to a provider. */
export interface Question {
  /** The reference to ask by: "vendor_key", "client_reference", "provider_request_id" or "object_id". */
  readonly by: string;
  /** The reference's value. */
  readonly value: string;
  /** Whether it asks a search index, which says less than a read by key. */
  readonly search: boolean;
  /** How it is asked, in a sentence. Empty: the tool does not say. */
  readonly how: string;
}

/** What a lookup has found. */
export interface Find {
  /** The provider's idempotency key, as the find shows it. */
  vendorIdempotencyKey?: string;
  /** The client reference, as the find shows it. A find that carries neither may be another operation's. */
  clientReference?: string;
  /** The provider's id of the object. */
  providerObjectId?: string;
  /** The id of the change, where the tool says that it is not the object's. */
  effectId?: string;
  /** The provider's status as it came. */
  rawStatusCode?: string;
  /** The result, as JSON knows it. */
  result?: unknown;
  /** A note for people. */
  note?: string;
}

/**
 * The questions that the caller may put to the provider, best first. Put one after you have got this, not before.
 *
 * The methods write the answer as evidence for `Client.reconcile`.
 */
export class Lookup {
  readonly questions: readonly Question[];

  constructor(readonly message: LookupInstruction) {
    this.questions = message.questions
      .filter(({ by }) => LookupBySchema.value[by] !== undefined) // one that this release does not know is left out
      .map(({ by, value, search, how }) => ({ by: word(LookupBySchema, by).toLowerCase(), value, search, how }));
  }

  /** In how many milliseconds from the answer "not found" counts. A find counts at any time. */
  get notFoundCountsAfterMs(): number {
    const after = this.message.notFoundCountsAfter;
    return after ? durationMs(after) : 0;
  }

  /** The effect exists. State the key or the reference *as the find shows it*; without either it counts for nothing. */
  happened(question: Question, find: Find): Evidence {
    const { vendorIdempotencyKey = "", clientReference = "", note = "", result, ...answer } = find;
    const evidence = this.#statement(question, Verdict.HAPPENED, note);
    evidence.attribution = create(AttributionSchema, { vendorIdempotencyKey, clientReference });
    evidence.answer = create(ProviderAnswerSchema, {
      ...answer,
      resultJson: result === undefined ? "" : encode(result),
    });
    return evidence;
  }

  /** The provider is at it and will finish. */
  inProgress(question: Question, note = ""): Evidence {
    return this.#statement(question, Verdict.IN_PROGRESS, note);
  }

  /** The provider knows of no such effect. It counts only if it was asked late enough, which the ledger judges. */
  didNotHappen(question: Question, note = ""): Evidence {
    return this.#statement(question, Verdict.DID_NOT_HAPPEN, note);
  }

  /** The answer says neither: an error, or an object that carries no reference of this operation. */
  stillUnknown(question: Question, note = ""): Evidence {
    return this.#statement(question, Verdict.STILL_UNKNOWN, note);
  }

  #statement(question: Question, verdict: Verdict, note: string): Evidence {
    const { by, value, search } = question;
    const { lookupTicket } = this.message;
    return create(EvidenceSchema, {
      evidenceId: randomUUID(),
      verdict,
      note,
      source: { case: "lookup", value: { lookupTicket, by: numberOf(LookupBySchema, by), value, search } },
    });
  }
}

/** How things stand after a reconcile. */
export interface Reconciliation {
  /** The result now. */
  readonly result: Result;
  /**
   * What became of the evidence: "applied", "waiting", "without_effect", "contradicts" or "duplicate". Empty: none was
   * handed in.
   */
  readonly evidenceEffect: string;
  /** Why, in a sentence. Empty as `evidenceEffect`. */
  readonly explanation: string;
  /** The lookup that the caller may make, where the server can make none. */
  readonly lookup: Lookup | undefined;
}

/** @internal */
export function reconciliationOf({ result, evidence, lookup }: ReconcileResponse): Reconciliation {
  return {
    result: new Result(required(result, "result")),
    evidenceEffect: evidence ? word(EvidenceEffectSchema, evidence.effect).toLowerCase() : "",
    explanation: evidence?.explanation ?? "",
    lookup: lookup && new Lookup(lookup),
  };
}
