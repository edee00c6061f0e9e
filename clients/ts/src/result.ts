import { durationMs } from "@bufbuild/protobuf/wkt";
import { decode } from "./json.js";
import {
  NextActionKindSchema,
  Operation_StateSchema,
  type Operation as OperationMessage,
  type ToolResult,
} from "./gen/opledger/v1/operation_pb.js";
import type { Guarded } from "./guarded.js";
import { word } from "./words.js";

/**
 * The normalized result of an operation, whatever its tool and provider. It says what is known, and no more.
 *
 * A result is to be read and told. It never lets anybody act.
 */
export class Result {
  /**
   * @param message The whole message, for what has no property here.
   * @param guarded Why the proposal that this answers got no permit, as `Answer.guarded` has it. Undefined: nothing of the
   *   kind, or it answers no proposal.
   */
  constructor(
    readonly message: ToolResult,
    readonly guarded?: Guarded,
  ) {}

  /** The operation. Empty where none exists: a denied proposal, a plan. */
  get operationId(): string {
    return this.message.operationId;
  }

  /** The tool, by name. */
  get tool(): string {
    return this.message.tool;
  }

  /**
   * Where the operation stands, such as "completed_success". "unspecified" where none exists. A reader that does not
   * know a state takes the outcome as open.
   */
  get state(): string {
    return word(Operation_StateSchema, this.message.state).toLowerCase();
  }

  /**
   * Whether it is known that the effect stands: it happened, or was already so. False says that it failed, or is open,
   * or was undone; `state` says which.
   */
  get done(): boolean {
    return this.state === "completed_success" || this.state === "completed_noop";
  }

  /** The recorded result, read from its JSON text. Undefined: none is known, or this reader may not see it. */
  get value(): unknown {
    return decode(this.message.resultJson);
  }

  /** The recorded result as JSON text, in which no number is rounded. Empty as `value`. */
  get valueJson(): string {
    return this.message.resultJson;
  }

  /** Whether this answers from the record, so that no new effect was made. */
  get replayed(): boolean {
    return this.message.replayed;
  }

  /** The provider's id of what was created or changed. Empty: not known. */
  get providerObjectId(): string {
    return this.message.providerObjectId;
  }

  /**
   * What to do next: "use_result", "wait", "ask_person", "report_outcome", "choose_other" or "stop". A reader that does
   * not know the word waits and proposes the same again.
   */
  get nextAction(): string {
    return word(NextActionKindSchema, this.message.nextAction?.kind ?? 0).toLowerCase();
  }

  /** In how many milliseconds that makes sense. Undefined: at once, or it needs no time. */
  get nextActionAfterMs(): number | undefined {
    const after = this.message.nextAction?.after;
    return after && durationMs(after);
  }

  /** A sentence for the customer, which is true. */
  get safeUserMessage(): string {
    return this.message.safeUserMessage;
  }

  /** A sentence for the model, after which it neither rephrases the call nor looks for another road. */
  get modelMessage(): string {
    return this.message.modelMessage;
  }

  /** The provider's code of the failure, or a rule's name. Empty: it did not fail, or no code is known. */
  get failureCode(): string {
    return this.message.failure?.code ?? "";
  }
}

/** An operation as it stands, with everything that is known of it. */
export class Operation {
  /** @param message The whole message: attempts, evidence, incidents, keys and times. */
  constructor(readonly message: OperationMessage) {}

  /** The operation's id. */
  get operationId(): string {
    return this.message.operationId;
  }

  /** Where it stands, such as "unknown_outcome". */
  get state(): string {
    return word(Operation_StateSchema, this.message.state).toLowerCase();
  }

  /** The stamp of its newest change. A person's word names the version that it saw. */
  get version(): number {
    return Number(this.message.version);
  }

  /** Its stable business identity. */
  get idempotencyKey(): string {
    return this.message.idempotencyKey;
  }

  /** What it came to. */
  get result(): Result {
    return new Result(required(this.message.result, "result"));
  }
}

/** Asserts what every server of this API sends. */
export function required<T>(part: T | undefined, name: string): T {
  if (part === undefined) {
    throw new TypeError(`the server's answer lacks "${name}", which every answer carries: is it a server of Opledger?`);
  }
  return part;
}
