/** How much more a worker can take: its flow control. */

/** A kind of work of a tool. */
export type Kind = "dispatch" | "lookup";

interface Slot {
  readonly kind: Kind;
  readonly tool: string;
  free: number;
  /** Whether a poll asks for it. */
  asked: boolean;
}

/** What one poll asks for. */
export interface Wish {
  readonly kind: Kind;
  readonly tool: string;
  readonly room: number;
}

/**
 * The room of each slot. Each is asked for by one poll at a time, so that nothing is asked for twice; what comes free while a
 * poll for other work waits is asked for by a poll of its own.
 *
 * @internal
 */
export class Room {
  readonly #slots = new Map<string, Slot>();
  readonly #waiting = new Set<() => void>();
  #running = 0;
  #closed = false;

  /** Gives a slot its room. */
  open(kind: Kind, tool: string, room: number): void {
    this.#slots.set(`${kind} ${tool}`, { kind, tool, free: room, asked: false });
  }

  get empty(): boolean {
    return this.#slots.size === 0;
  }

  /** Asks for nothing any more. */
  close(): void {
    this.#closed = true;
    this.#changed();
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Waits for room that no poll asks for, and answers all of it, as asked for. Undefined: it is closed. */
  async unasked(): Promise<Wish[] | undefined> {
    for (;;) {
      if (this.#closed) {
        return undefined;
      }
      const free = [...this.#slots.values()].filter((slot) => slot.free > 0 && !slot.asked);
      if (free.length > 0) {
        return free.map((slot) => {
          slot.asked = true;
          return { kind: slot.kind, tool: slot.tool, room: slot.free };
        });
      }
      await this.#change();
    }
  }

  /** A poll was answered, and what it brought is taken. */
  answered(wishes: readonly Wish[]): void {
    for (const { kind, tool } of wishes) {
      this.#slot(kind, tool)!.asked = false;
    }
    this.#changed();
  }

  /** Uses room. False: nothing here serves the slot. */
  take(kind: Kind, tool: string): boolean {
    const slot = this.#slot(kind, tool);
    if (slot === undefined) {
      return false;
    }
    slot.free--;
    this.#running++;
    return true;
  }

  /** Room has come free. */
  giveBack(kind: Kind, tool: string): void {
    this.#slot(kind, tool)!.free++;
    this.#running--;
    this.#changed();
  }

  /** Whether no poll is under way. */
  get quiet(): boolean {
    return [...this.#slots.values()].every((slot) => !slot.asked);
  }

  /** Whether nothing runs. */
  get idle(): boolean {
    return this.#running === 0;
  }

  /** Waits until a condition on this room holds, or the signal aborts. Says whether it holds. */
  async until(holds: (room: Room) => boolean, signal: AbortSignal): Promise<boolean> {
    while (!holds(this) && !signal.aborted) {
      await this.#change(signal);
    }
    return holds(this);
  }

  #slot(kind: Kind, tool: string): Slot | undefined {
    return this.#slots.get(`${kind} ${tool}`);
  }

  #changed(): void {
    for (const wake of [...this.#waiting]) {
      wake();
    }
  }

  #change(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal?.addEventListener("abort", wake);
    });
  }
}
