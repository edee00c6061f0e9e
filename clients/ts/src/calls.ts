import { isIP } from "node:net";
import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { Moment, type Clock } from "./clock.js";
import { errorOf, UnavailableError, type OpledgerError } from "./errors.js";

/** Milliseconds: the bound of the wait before the second try, and before any. */
const leastBackoffMs = 100;
const greatestBackoffMs = 2000;

/** A list of operations with their results can be longer than gRPC's usual 4 MiB. */
const maxReceivedBytes = 64 << 20;

/** What every call takes. */
export interface CallOptions {
  /** How long the call may take, tries after lost answers included, in milliseconds. Absent: the client's. */
  timeoutMs?: number;
  /** Gives the call up. That changes nothing at the ledger: what it has taken on stays. */
  signal?: AbortSignal;
}

/**
 * Reads "host:port" (TLS unless on loopback), "http://host:port" (plain) or "https://host:port" (TLS). So no credential
 * crosses a network in the clear unless http:// asks for it.
 */
export function baseUrlOf(server: string): string {
  const stated = server.includes("://");
  const text = stated ? server : `http://${server}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const port = /:\d+\/?$/.test(server); // URL leaves out a scheme's usual port
  if (!url || !["http:", "https:"].includes(url.protocol) || !port || url.pathname !== "/" || url.search !== "") {
    throw new TypeError(`the server is given as host:port, http://host:port or https://host:port, not as "${server}"`);
  }
  if (!stated && !isLoopback(url.hostname)) {
    return `https://${server}`;
  }
  return url.origin;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || (isIP(host) === 4 && host.startsWith("127."));
}

/** Makes unary calls. Every request carries its own identity, so that making it again is safe. */
export class Calls {
  readonly #sessions: Http2SessionManager;
  readonly #transport: Transport;
  readonly #headers: Record<string, string>;
  readonly #timeoutMs: number;
  readonly #clock: Clock;

  constructor(server: string, token: string, timeoutMs: number, clock: Clock) {
    const baseUrl = baseUrlOf(server);
    this.#sessions = new Http2SessionManager(baseUrl);
    this.#transport = createGrpcTransport({ baseUrl, sessionManager: this.#sessions, readMaxBytes: maxReceivedBytes });
    this.#headers = token === "" ? {} : { authorization: `Bearer ${token}` };
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
  }

  get transport(): Transport {
    return this.#transport;
  }

  close(): void {
    this.#sessions.abort();
  }

  /**
   * Makes one call, and again with the very same request while the server cannot answer and there is time.
   *
   * Returns the response and the moment right before the try that brought it: durations in it count from there.
   */
  async call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    { timeoutMs = this.#timeoutMs, signal }: CallOptions,
    waitMs = 0,
  ): Promise<[MessageShape<O>, Moment]> {
    const deadline = this.#clock.monotonic() + timeoutMs + waitMs;
    for (let tries = 0; ; tries++) {
      const asked = Moment.now(this.#clock);
      const leftMs = Math.max(1, Math.floor(deadline - asked.monotonic)); // zero would mean "no bound"
      try {
        const { message } = await this.#transport.unary(method, signal, leftMs, this.#headers, request);
        return [message, asked];
      } catch (failed) {
        signal?.throwIfAborted();
        const error = errorOf(failed);
        const pauseMs = pauseBefore(error, tries);
        if (pauseMs === undefined || this.#clock.monotonic() + pauseMs >= deadline) {
          throw error;
        }
        await this.#clock.sleep(pauseMs, signal);
      }
    }
  }
}

/**
 * How long to wait before the same call again. Undefined: it makes no sense. The ledger's word counts; without one the
 * delay is drawn between zero and a bound that doubles. A defect of the server is given one more try.
 */
function pauseBefore(error: OpledgerError, tries: number): number | undefined {
  const passing = error instanceof UnavailableError && error.code !== "DEADLINE_EXCEEDED";
  if (!passing && !(error.code === "INTERNAL" && tries === 0)) {
    return undefined;
  }
  return error.retryAfterMs ?? Math.random() * Math.min(greatestBackoffMs, leastBackoffMs * 2 ** tries);
}
