import { randomUUID } from "node:crypto";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, type Duration } from "@bufbuild/protobuf/wkt";
import type { Transport } from "@connectrpc/connect";
import { answerOf, type Answer } from "./answer.js";
import { Calls, type CallOptions } from "./calls.js";
import { systemClock, type Clock } from "./clock.js";
import { InvalidArgumentError, LeaseLostError, OpledgerError, PermitLostError, StaleAttemptError } from "./errors.js";
import { reconciliationOf, type Reconciliation } from "./evidence.js";
import type { Evidence } from "./gen/opledger/v1/evidence_pb.js";
import type { CorrelationSchema } from "./gen/opledger/v1/operation_pb.js";
import { OperationService, type ExplainIdentityResponse } from "./gen/opledger/v1/operation_service_pb.js";
import { ProposalMode, ProposeOperationRequestSchema } from "./gen/opledger/v1/proposal_pb.js";
import { encodeArguments, type Arguments } from "./json.js";
import type { Lease } from "./lease.js";
import { Leases, type LeaseOptions } from "./leases.js";
import { Ambiguous, NotSent, reported, ReturnedOutcome, Succeeded, ThrownOutcome, type Outcome } from "./outcomes.js";
import type { Permit } from "./permit.js";
import { Operation, required, Result } from "./result.js";
import { Workflows, type ResumeOptions, type Workflow, type WorkflowOptions } from "./workflow.js";

const defaultServer = "127.0.0.1:7117";
const defaultTimeoutMs = 10_000;

/** How long telling that a permit was not used may take. The ledger finds that out by itself in time. */
const giveBackTimeoutMs = 2_000;

/** How a client reaches the ledger. */
export interface ClientOptions {
  /**
   * The server: "host:port" (TLS unless on loopback), "http://host:port" (plain) or "https://host:port" (TLS). Absent:
   * OPLEDGER_SERVER, else 127.0.0.1:7117.
   */
  server?: string;
  /** The credential. Absent: OPLEDGER_TOKEN, else none, which a server on loopback may allow. */
  token?: string;
  /** How long a call may take, tries after lost answers included, in milliseconds. Absent: 10 s. */
  timeoutMs?: number;
  /** The clocks. Absent: this machine's. */
  clock?: Clock;
}

/** Asks for a fresh try of an operation that is known to have ended without effect. Asked twice, it is one try. */
export interface Revise {
  /** The operation that is to be succeeded. */
  operationId: string;
  /** Why. It is recorded. */
  reason: string;
}

/** What a proposal can carry besides tool and arguments. */
export interface RunOptions extends CallOptions {
  /** Tells a wanted repetition apart ("item_2"). From code that knows of a second item, never from a model. */
  occurrence?: string;
  /** The workflow that it belongs to. Absent: the lease's, if there is one. */
  workflowId?: string;
  /** The run of the workflow. Absent: the lease's, if there is one. */
  runId?: string;
  /** A lease that this process holds. Its token goes along. */
  lease?: Lease;
  /** The version of the entity's state that you reasoned from. Another one by now: denied, with what has changed. */
  entityVersion?: number;
  /** Grants ("gr_…") by which people let this proposal pass a rule. Each is used once. */
  overrideGrantIds?: readonly string[];
  /** The grant that allows the occurrence. */
  repeatGrantId?: string;
  /** Your ids of the model's turn: toolCallId, threadId, traceId, turn, framework, labels. Recorded, part of nothing. */
  correlation?: MessageInitShape<typeof CorrelationSchema>;
  /** Asks for the successor of an ended operation. */
  revise?: Revise;
  /** How long to wait for an end before the current state is answered, in milliseconds. A permit is answered at once. */
  waitMs?: number;
}

/** The same for `Client.propose`. */
export interface ProposeOptions extends RunOptions {
  /** The version of the tool. Absent: the newest. */
  toolVersion?: number;
  /** Your own key, where the tool takes one. */
  idempotencyKey?: string;
  /** What you call your intent. Recorded, part of nothing. */
  intentNote?: string;
  /** Says what would happen, and makes nothing. */
  planOnly?: boolean;
  /**
   * A UUID. Absent: one is made here, for this call and its tries. State one only where you keep it from before the first
   * try, so that a lost answer can be asked for again.
   */
  requestId?: string;
}

/** Acts under a permit, once. What it resolves to is recorded as the result. */
export type Act = (permit: Permit) => unknown;

/**
 * A connection to the ledger. Made once, closed at the end: an open one keeps the process alive for a while.
 *
 * Every call has a deadline, and is made again with the same identity while the server cannot answer. It rejects with an
 * `OpledgerError`. The one rule: when in doubt, propose again.
 */
export class Client {
  readonly #calls: Calls;
  readonly #clock: Clock;
  readonly #leases: Leases;
  readonly #workflows: Workflows;

  constructor(options: ClientOptions = {}) {
    const server = options.server ?? (process.env["OPLEDGER_SERVER"] || defaultServer);
    const token = options.token ?? process.env["OPLEDGER_TOKEN"] ?? "";
    this.#clock = options.clock ?? systemClock;
    this.#calls = new Calls(server, token, options.timeoutMs ?? defaultTimeoutMs, this.#clock);
    this.#leases = new Leases(this, this.#calls, this.#clock);
    this.#workflows = new Workflows(this, this.#calls);
  }

  /** Closes the connection. Calls that are under way end with an error. */
  close(): void {
    this.#calls.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * The transport, for the generated services of "opledger/v1/…" and what this client has no method for. Such calls bring
   * their own deadline and credential.
   */
  get transport(): Transport {
    return this.#calls.transport;
  }

  /**
   * Proposes, and if the permit is given, acts once and reports. Resolves to how the operation stands.
   *
   * `act` is called at most once, with the permit. It acts on `permit.arguments`, carries the permit's vendor key and
   * client reference, gives its request no more than `permit.timeLeftMs()` (or passes `permit.signal()` on), and switches
   * off the retries of the library that it sends with. What it resolves to is recorded as the result. It throws `NotSent`,
   * `Rejected`, `RateLimited`, `Declined` or `Ambiguous` where it knows so: these become the result. Any other exception
   * is reported as ambiguous, since it may have come after the effect, and passes on unchanged.
   */
  async run(tool: string, args: Arguments, act: Act, options: RunOptions = {}): Promise<Result> {
    const { permit, result } = await this.propose(tool, args, options);
    return permit === undefined ? result : await this.act(permit, act, {}, options.lease);
  }

  /**
   * Acts once under a permit, and reports.
   *
   * @internal
   */
  async act(permit: Permit, act: Act, reporting: CallOptions, lease?: Lease): Promise<Result> {
    try {
      if (permit.beginRequired) {
        await this.begin(permit);
      }
      look(permit);
    } catch (lost) {
      if (lost instanceof LeaseLostError) {
        lease?.lose(lost);
      }
      return await this.#giveBack(permit, lost);
    }
    let returned: unknown;
    try {
      returned = await act(permit);
    } catch (thrown) {
      if (thrown instanceof ThrownOutcome) {
        return await this.#tell(permit, thrown, reporting);
      }
      await this.#tellOfException(permit, thrown, reporting);
      throw thrown;
    }
    return await this.#tell(permit, returned instanceof ReturnedOutcome ? returned : new Succeeded(returned), reporting);
  }

  /**
   * What a worker shares with its client.
   *
   * @internal
   */
  inside(): { calls: Calls; clock: Clock } {
    return { calls: this.#calls, clock: this.#clock };
  }

  /** Asks for one business operation. Always safe, from any process, at any time. Long identifiers are strings. */
  async propose(tool: string, args: Arguments = {}, options: ProposeOptions = {}): Promise<Answer> {
    const { requestId, toolVersion, occurrence, idempotencyKey, intentNote, lease, repeatGrantId } = options;
    const { workflowId = lease?.workflowId, runId = lease?.runId, entityVersion, overrideGrantIds } = options;
    const { correlation, revise, planOnly, waitMs } = options;
    const request = create(ProposeOperationRequestSchema, {
      requestId: requestId ?? randomUUID(),
      tool,
      arguments: { case: "argumentsJson", value: encodeArguments(args) },
      mode: planOnly ? ProposalMode.PLAN_ONLY : ProposalMode.EXECUTE,
      ...stated({ toolVersion, occurrence, idempotencyKey, workflowId, runId, intentNote, correlation }),
      ...stated({ wait: span(waitMs), leaseToken: lease?.proof(), repeatGrantId }),
      ...stated({ entityVersion: entityVersion === undefined ? undefined : BigInt(entityVersion) }),
      ...stated({ overrideGrantIds: overrideGrantIds && [...overrideGrantIds] }),
      ...(revise && {
        revise: { reason: revise.reason, predecessor: { case: "operationId" as const, value: revise.operationId } },
      }),
    });
    const method = OperationService.method.proposeOperation;
    const [response, asked] = await losing({ lease }, this.#calls.call(method, request, options, waitMs));
    return answerOf(response, this.#clock, asked);
  }

  /**
   * Holds entities, such as "order/order_123", for a block: all of them or none. Resolves to what the block resolves to.
   *
   * The lease is renewed at each third of its time until the block ends, however it ends; then it is given back. What the
   * block throws passes on unchanged. Rejects with a LeaseBlockedError where it is not granted within `waitMs`.
   */
  async withLease<T>(
    entities: readonly string[],
    options: LeaseOptions,
    block: (lease: Lease) => T | PromiseLike<T>,
  ): Promise<T> {
    return await this.#leases.hold(entities, options, block);
  }

  /**
   * Starts a task, or learns which one its event, its own id or its correlation key belongs to. Where `acts` of what it
   * resolves to is false, another process acts.
   */
  async workflow(options: WorkflowOptions = {}): Promise<Workflow> {
    return await this.#workflows.start(options);
  }

  /**
   * Takes a workflow up again: this run becomes the current one, and `projection` tells what happened.
   *
   * Rejects with a WorkflowEndedError where it has ended, and with a RunSupersededError where the run was superseded.
   */
  async resume(workflowId: string, options: ResumeOptions = {}): Promise<Workflow> {
    return await this.#workflows.resume(workflowId, options);
  }

  /**
   * Says that the first byte is about to leave. Where it rejects, nothing may be sent.
   *
   * Repeated, it is one begin. A permit that another process has begun is refused.
   */
  async begin(permit: Permit, options: CallOptions = {}): Promise<void> {
    look(permit);
    const request = { ...attemptOf(permit), beginNonce: permit.bornNonce() };
    const method = OperationService.method.beginAttempt;
    const [response, asked] = await losing({ permit }, this.#calls.call(method, request, options));
    permit.accept(required(response.begun, "begun"), asked);
  }

  /** Makes a live permit last that long from now, at most to its greatest age. Absent: the tool's own duration. */
  async extend(permit: Permit, byMs?: number, options: CallOptions = {}): Promise<void> {
    const request = {
      ...attemptOf(permit),
      requestId: randomUUID(),
      ...stated({ extendBy: span(byMs), beginNonce: permit.begun ? permit.nonce() : undefined }),
    };
    const method = OperationService.method.extendAttempt;
    const [response, asked] = await losing({ permit }, this.#calls.call(method, request, options));
    permit.count(response, asked);
  }

  /**
   * Tells what came of an attempt. Its first report stands.
   *
   * Rejects with a StaleAttemptError where the permit had ended: what was told is kept as evidence. Rejects with a
   * TypeError, and tells nothing, where the result cannot be written as JSON.
   */
  async report(
    permit: Permit,
    outcome: Outcome,
    { reportId = randomUUID(), ...options }: CallOptions & { reportId?: string } = {},
  ): Promise<Result> {
    const request = { ...reported(outcome), ...attemptOf(permit), beginNonce: permit.nonce(), reportId };
    const [response] = await this.#calls.call(OperationService.method.reportAttempt, request, options);
    return new Result(required(response.result, "result"));
  }

  /** Reads an operation, after waiting at most `waitMs` for its end. */
  async get(operationId: string, options: CallOptions & { waitMs?: number } = {}): Promise<Operation> {
    const request = { operationId, ...stated({ wait: span(options.waitMs) }) };
    const [response] = await this.#calls.call(OperationService.method.getOperation, request, options, options.waitMs);
    return new Operation(required(response.operation, "operation"));
  }

  /** Settles an operation: by the evidence that a lookup gave (`Answer.lookup`), or by the tool's strategies now. */
  async reconcile(
    operationId: string,
    evidence?: Evidence,
    options: CallOptions & { waitMs?: number } = {},
  ): Promise<Reconciliation> {
    const request = { operationId, requestId: randomUUID(), ...stated({ evidence, wait: span(options.waitMs) }) };
    const [response] = await this.#calls.call(OperationService.method.reconcile, request, options, options.waitMs);
    return reconciliationOf(response);
  }

  /**
   * Wishes that an operation be cancelled. Only the state "failed_permanent" says that it did not happen; until then the
   * outcome is open, and the wish stands.
   */
  async cancel(operationId: string, reason = "", options: CallOptions = {}): Promise<Result> {
    const request = { operationId, requestId: randomUUID(), reason };
    const [response] = await this.#calls.call(OperationService.method.cancelOperation, request, options);
    return new Result(required(response.result, "result"));
  }

  /** Shows how the identity of a call is made, and whether two calls are one operation. Nothing is recorded. */
  async explain(tool: string, a: Arguments, b?: Arguments, options: CallOptions = {}): Promise<ExplainIdentityResponse> {
    const request = {
      contract: { case: "tool" as const, value: tool },
      a: identityInput(a),
      ...stated({ b: b === undefined ? undefined : identityInput(b) }),
    };
    const [response] = await this.#calls.call(OperationService.method.explainIdentity, request, options);
    return response;
  }

  /** Tells that nothing was sent under a permit, and how things stand then. */
  async #giveBack(permit: Permit, lost: unknown): Promise<Result> {
    if (!(lost instanceof OpledgerError)) {
      throw lost;
    }
    const code = (lost.reason || lost.code).toLowerCase();
    return await this.#tell(permit, new NotSent(code), { timeoutMs: giveBackTimeoutMs }).catch(() => {
      throw lost;
    });
  }

  /** Reports, where a late report is no failure: it is kept, and the ledger says how things stand. */
  async #tell(permit: Permit, outcome: Outcome, options: CallOptions = {}): Promise<Result> {
    try {
      return await this.report(permit, outcome, options);
    } catch (error) {
      if (error instanceof StaleAttemptError && error.result !== undefined) {
        return error.result;
      }
      const { result, artifacts, ...answer } = outcome.answer;
      const unwritable = error instanceof InvalidArgumentError || error instanceof TypeError;
      if (unwritable && (result !== undefined || artifacts !== undefined)) {
        // The result cannot be recorded. That the effect happened must be, before anybody hears of the defect.
        await this.#tell(permit, { outcome: outcome.outcome, answer }, options);
      }
      throw error;
    }
  }

  /**
   * Reports that the outcome cannot be told. The exception's own words stay here: they may hold secrets. Nothing says that
   * all has ended that the function started, so the ledger is not told so.
   */
  async #tellOfException(permit: Permit, thrown: unknown, reporting: CallOptions): Promise<void> {
    const message = thrown instanceof Error ? thrown.name : typeof thrown;
    try {
      await this.#tell(permit, new Ambiguous("exception", { message, senderReturned: false }), reporting);
    } catch (unheard) {
      process.emitWarning(`${permit.operationId}: the ledger could not be told that an attempt failed: ${String(unheard)}`, {
        code: "OPLEDGER_UNHEARD",
      });
    }
  }
}

/** Looks at the clocks once more, right before acting. */
function look(permit: Permit): void {
  if (permit.timeLeftMs() <= 0) {
    throw new PermitLostError("the permit's time has passed; nothing was sent. Propose again", {
      code: "FAILED_PRECONDITION",
      reason: "PERMIT_EXPIRED",
      operationId: permit.operationId,
    });
  }
}

/** Waits for a call about a permit or under a lease, and marks it as lost where the ledger says so. */
async function losing<T>(right: { permit: Permit } | { lease: Lease | undefined }, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if ("permit" in right && (error instanceof PermitLostError || error instanceof LeaseLostError)) {
      right.permit.lose(); // the lease under which it was given counts as well
    } else if ("lease" in right && error instanceof LeaseLostError) {
      right.lease?.lose(error);
    }
    throw error;
  }
}

/** What every call about an attempt carries. */
function attemptOf({ message }: Permit): { operationId: string; attemptId: string; attemptToken: string } {
  const { operationId, attemptId, attemptToken } = message;
  return { operationId, attemptId, attemptToken };
}

function identityInput(args: Arguments): { arguments: { case: "argumentsJson"; value: string } } {
  return { arguments: { case: "argumentsJson", value: encodeArguments(args) } };
}

/** A positive time; absent where there is none. */
function span(ms: number | undefined): Duration | undefined {
  return ms ? durationFromMs(ms) : undefined;
}

/** Leaves out what is not stated. */
function stated<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
