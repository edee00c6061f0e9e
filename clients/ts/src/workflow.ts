import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Answer } from "./answer.js";
import type { Calls, CallOptions } from "./calls.js";
import type { Client, ProposeOptions, RunOptions } from "./client.js";
import { RunSupersededError } from "./errors.js";
import {
  ClaimKind,
  Workflow_StateSchema,
  type Projection as ProjectionMessage,
  type Workflow as WorkflowMessage,
} from "./gen/opledger/v1/workflow_pb.js";
import { StartWorkflowRequestSchema, WorkflowService } from "./gen/opledger/v1/workflow_service_pb.js";
import type { Arguments } from "./json.js";
import type { Lease } from "./lease.js";
import type { LeaseOptions } from "./leases.js";
import type { Permit } from "./permit.js";
import { required, type Result } from "./result.js";
import { word } from "./words.js";

/** The event that brought a request. (source, event id) is unique: the same again is the same workflow. */
export interface Event {
  /** The channel or system, such as "slack". */
  source: string;
  /** The event's id there. */
  eventId: string;
  /** When the source sent it. Absent: not known. */
  time?: Date;
}

/** What a workflow is started with. */
export interface WorkflowOptions extends CallOptions {
  /** What brought the request; the same again is the same workflow. */
  event?: Event;
  /** Unites one intent across channels. */
  correlationKey?: string;
  /** For how long after the last event that was united, in milliseconds; always while it is open. Absent: 10 minutes. */
  correlationWindowMs?: number;
  /** The intent, normalized by your code, so that one request through two channels reads the same. */
  intent?: string;
  /** What the user asked for, in the user's words. */
  userRequest?: string;
  /** The person who asks, who can approve nothing in it. */
  requester?: string;
  /** Your own id. Absent: the ledger makes one. */
  workflowId?: string;
  /** Your own id of the first run. Absent: the ledger makes one. */
  runId?: string;
  /** Your own marks. */
  labels?: Readonly<Record<string, string>>;
}

/** How a workflow is taken up again. */
export interface ResumeOptions extends CallOptions {
  /** Your own id of the run that becomes the current one. Absent: the ledger makes one. */
  runId?: string;
  /** The greatest size of the projection in bytes, each form by itself. Absent: 16 KiB. */
  maxProjectionBytes?: number;
  /** How long to wait for what workers and the server have under way, in milliseconds. Absent: not at all. */
  waitMs?: number;
}

/** What a user can be told of an operation. Of one that has not ended only "open" can be said. */
export type Claim = "done" | "not_done" | "open" | "undone";

const claimKinds: Readonly<Record<Claim, ClaimKind>> = {
  done: ClaimKind.DONE,
  not_done: ClaimKind.NOT_DONE,
  open: ClaimKind.OPEN,
  undone: ClaimKind.UNDONE,
};

/** How a workflow is ended. */
export interface CompleteOptions extends CallOptions {
  /** What the user was told. */
  message?: string;
  /** What that says of operations, by their ids. One that is left out was claimed open. */
  claims?: Readonly<Record<string, Claim>>;
  /** It ends unfinished. */
  cancelled?: boolean;
  /** Why. */
  reason?: string;
}

/** How a workflow ended. */
export interface Ended {
  /** What was undispatched and was cancelled with it. */
  cancelledOperationIds: readonly string[];
  /** What may have been sent; it is found out all the same. */
  openOperationIds: readonly string[];
  /** The workflow. */
  message: WorkflowMessage;
}

/** What happened in a workflow, for a model's context. It says nothing that is not known. */
export interface Projection {
  /** As JSON text of the schema "opledger.projection/1". */
  json: string;
  /** The same in prose. */
  prose: string;
  /** Whether ended operations were summed up. Open ones never are. */
  summarized: boolean;
  /** The whole message, with the operations that it tells of. */
  message: ProjectionMessage;
}

/** What a run is made of. */
interface Facts {
  message: WorkflowMessage;
  runId: string;
  unitedBy?: string;
  projection?: Projection;
}

/**
 * One run of a workflow. It carries the workflow and the run into what is proposed by it.
 *
 * Once it was completed, or disposed of, nothing more is proposed by it. Without completion the workflow itself stays
 * open, so that another run can take it up.
 */
export class Workflow {
  readonly #workflows: Workflows;
  readonly #client: Client;
  #left = false;
  /** The workflow as it was when it was started or resumed. */
  readonly message: WorkflowMessage;
  /** The run that this process acts as. Empty: the request was united with another's, whose run acts. */
  readonly runId: string;
  /** By what it was united: "sourceEvent", "correlationKey" or "workflowId". Empty: it was not. */
  readonly unitedBy: string;
  /** What happened so far, where it was resumed. */
  readonly projection: Projection | undefined;

  /** @internal */
  constructor(workflows: Workflows, client: Client, facts: Facts) {
    this.#workflows = workflows;
    this.#client = client;
    this.message = facts.message;
    this.runId = facts.runId;
    this.unitedBy = facts.unitedBy ?? "";
    this.projection = facts.projection;
  }

  [Symbol.dispose](): void {
    this.#left = true;
  }

  /** The workflow. */
  get workflowId(): string {
    return this.message.workflowId;
  }

  /** Whether this process is the one that acts. Otherwise the task is another's, and nothing is to be done. */
  get acts(): boolean {
    return this.runId !== "" && !this.#left;
  }

  /** Where it stood: "open", "completed" or "cancelled". */
  get state(): string {
    return word(Workflow_StateSchema, this.message.state).toLowerCase();
  }

  /** `Client.propose` in this run. */
  async propose(tool: string, args: Arguments = {}, options: ProposeOptions = {}): Promise<Answer> {
    return await this.#client.propose(tool, args, { ...options, ...this.#acting() });
  }

  /** `Client.run` in this run. */
  async run(tool: string, args: Arguments, act: (permit: Permit) => unknown, options: RunOptions = {}): Promise<Result> {
    return await this.#client.run(tool, args, act, { ...options, ...this.#acting() });
  }

  /** `Client.withLease` for this workflow, in the hands of this run. The workflow's end gives it back. */
  async withLease<T>(
    entities: readonly string[],
    options: Omit<LeaseOptions, "workflowId" | "runId">,
    block: (lease: Lease) => T | PromiseLike<T>,
  ): Promise<T> {
    return await this.#client.withLease(entities, { ...options, ...this.#acting() }, block);
  }

  /**
   * Ends the workflow: what is undispatched is cancelled, leases are given back, and what the user was told is kept.
   *
   * Rejects with a ClaimContradictedError, and ends nothing, where the ledger knows otherwise.
   */
  async complete(options: CompleteOptions = {}): Promise<Ended> {
    const ended = await this.#workflows.complete(this.#acting(), options);
    this.#left = true;
    return ended;
  }

  /** The ids of a proposal, where this process is the one that acts. */
  #acting(): { workflowId: string; runId: string } {
    if (!this.acts) {
      const why = this.#left ? "it was left" : `it was united by its ${this.unitedBy}, and another run acts`;
      throw new RunSupersededError(`workflow ${this.workflowId} is not this process's to act in: ${why}`, {
        code: "FAILED_PRECONDITION",
        reason: "RUN_SUPERSEDED",
      });
    }
    return { workflowId: this.workflowId, runId: this.runId };
  }
}

/** The workflows that one client works in. */
export class Workflows {
  readonly #client: Client;
  readonly #calls: Calls;

  constructor(client: Client, calls: Calls) {
    this.#client = client;
    this.#calls = calls;
  }

  /** Starts a workflow, or learns which one the request belongs to. */
  async start(options: WorkflowOptions): Promise<Workflow> {
    const { event, correlationKey, correlationWindowMs, intent, userRequest, requester, labels } = options;
    const { workflowId, runId } = options;
    const request = create(StartWorkflowRequestSchema, {
      requestId: randomUUID(),
      workflowId: workflowId ?? "",
      runId: runId ?? "",
      userRequest: userRequest ?? "",
      normalizedIntent: intent ?? "",
      requester: requester ?? "",
      correlationKey: correlationKey ?? "",
      labels: { ...labels },
      ...(event && {
        sourceEvent: {
          source: event.source,
          eventId: event.eventId,
          ...(event.time && { time: timestampFromDate(event.time) }),
        },
      }),
      ...(correlationWindowMs !== undefined && { correlationWindow: durationFromMs(correlationWindowMs) }),
    });
    const [response] = await this.#calls.call(WorkflowService.method.startWorkflow, request, options);
    return new Workflow(this, this.#client, {
      message: required(response.workflow, "workflow"),
      runId: response.runId,
      unitedBy: response.unitedWith?.by.case ?? "",
    });
  }

  /** Takes a workflow up as its current run. */
  async resume(workflowId: string, options: ResumeOptions): Promise<Workflow> {
    const { runId, maxProjectionBytes, waitMs } = options;
    const request = {
      requestId: randomUUID(),
      workflowId,
      runId: runId ?? "",
      ...(maxProjectionBytes !== undefined && { maxProjectionBytes }),
      ...(waitMs !== undefined && { wait: durationFromMs(waitMs) }),
    };
    const [response] = await this.#calls.call(WorkflowService.method.resumeWorkflow, request, options, waitMs);
    const message = required(response.projection, "projection");
    const { json, prose, summarized } = message;
    return new Workflow(this, this.#client, {
      message: required(response.workflow, "workflow"),
      runId: response.runId,
      projection: { json, prose, summarized, message },
    });
  }

  /** Ends a workflow as its current run. */
  async complete(run: { workflowId: string; runId: string }, options: CompleteOptions): Promise<Ended> {
    const { message = "", claims = {}, cancelled = false, reason = "" } = options;
    const told = Object.entries(claims).map(([operationId, claim]) => ({ operationId, kind: claimKinds[claim] }));
    const request = {
      requestId: randomUUID(),
      ...run,
      cancelled,
      reason,
      ...((message !== "" || told.length > 0) && { conclusion: { userMessage: message, claims: told } }),
    };
    const [response] = await this.#calls.call(WorkflowService.method.completeWorkflow, request, options);
    const { cancelledOperationIds, openOperationIds } = response;
    return { cancelledOperationIds, openOperationIds, message: required(response.workflow, "workflow") };
  }
}
