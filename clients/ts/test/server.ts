/** A real server process for tests, and a proxy that loses answers. */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Server as Listener, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The top of the repository, seen from dist/test. */
const repository = fileURLToPath(new URL("../../../../", import.meta.url));

/** This process's environment without any setting of a server or client. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("OPLEDGER_")));

/** A server on an SQLite file of its own and a port that the system chose, with the example tools and one of the tests' own. */
export class Server {
  private constructor(
    readonly address: string,
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(): Promise<Server> {
    const folder = await mkdtemp(join(tmpdir(), "opledger-test-"));
    const binary = await build(folder);
    const settings = ["--listen", "127.0.0.1:0", "--admin-listen", "off", "--log-format", "json"];
    const child = spawn(binary, ["serve", ...settings, "--database-url", join(folder, "ledger.db")], {
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const server = new Server(await addressOf(child), child, folder);
    const files = [...(await tools("examples", "tools")), ...(await tools("clients", "testdata"))];
    await run(binary, ["tools", "apply", "--server", server.address, ...files], { env: environment });
    return server;
  }

  async stop(): Promise<void> {
    this.process.kill();
    await once(this.process, "exit");
    await rm(this.folder, { recursive: true });
  }
}

/** The tool definitions in a folder of the repository. */
async function tools(...folder: string[]): Promise<string[]> {
  const path = join(repository, ...folder);
  return (await readdir(path)).filter((name) => name.endsWith(".yaml")).map((name) => join(path, name));
}

/** Finds the binary: OPLEDGER_BIN, else compiled here. */
async function build(folder: string): Promise<string> {
  const stated = process.env["OPLEDGER_BIN"];
  if (stated) {
    return stated;
  }
  const binary = join(folder, "opledger");
  await run("go", ["build", "-o", binary, "./cmd/opledger"], { cwd: repository });
  return binary;
}

/**
 * Reads the log up to the line that names the address, and lets the rest run off, so that a full pipe never holds the
 * server up. A server that ends before has no address.
 */
async function addressOf(child: ChildProcess): Promise<string> {
  const seen: string[] = [];
  return await new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stderr! });
    lines.on("line", (line) => {
      seen.push(line);
      if (line.includes('"msg":"serving"')) {
        resolve((JSON.parse(line) as { address: string }).address);
      }
    });
    lines.on("close", () => reject(new Error(`the server did not start:\n${seen.join("\n")}`)));
  });
}

/** Passes bytes on to a server. Told so, it lets one request through and breaks the connection at its answer. */
export class LossyProxy {
  lost = 0;
  #loseNext = false;
  readonly #listener: Listener;
  readonly #sockets = new Set<Socket>();

  private constructor(server: string) {
    const [host, port] = server.split(":") as [string, string];
    this.#listener = createServer((client) => {
      this.#pass(client, connect(Number(port), host));
    });
  }

  static async start(server: string): Promise<LossyProxy> {
    const proxy = new LossyProxy(server);
    proxy.#listener.listen(0, "127.0.0.1");
    await once(proxy.#listener, "listening");
    return proxy;
  }

  get address(): string {
    return `127.0.0.1:${(this.#listener.address() as AddressInfo).port}`;
  }

  loseNextAnswer(): void {
    this.#loseNext = true;
  }

  async stop(): Promise<void> {
    this.#listener.close();
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    await once(this.#listener, "close");
  }

  #pass(client: Socket, upstream: Socket): void {
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.on("data", (chunk) => upstream.write(chunk));
    upstream.on("data", (chunk) => {
      if (this.#loseNext && holdsHeaders(chunk)) {
        this.#loseNext = false;
        this.lost++;
        end();
        return;
      }
      client.write(chunk);
    });
  }
}

/** Whether one of the HTTP/2 frames in a chunk carries headers: an answer begins so, and nothing else does. */
function holdsHeaders(chunk: Buffer): boolean {
  for (let at = 0; at + 9 <= chunk.length; at += 9 + chunk.readUIntBE(at, 3)) {
    if (chunk[at + 3] === 1) {
      return true;
    }
  }
  return false;
}
