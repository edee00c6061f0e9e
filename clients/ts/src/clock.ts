import { setTimeout as sleep } from "node:timers/promises";

/** What this package asks of time, in milliseconds. Tests bring their own. */
export interface Clock {
  /** A clock that nobody can set. It may stand still while the machine is suspended. */
  monotonic(): number;
  /** The clock of the wall, which somebody may set. */
  wall(): number;
  /** Waits for that long, or until the signal aborts, which rejects. With `ref` false it keeps no process alive. */
  sleep(ms: number, signal?: AbortSignal, ref?: boolean): Promise<void>;
}

/** The clocks of this machine. */
export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  sleep: (ms, signal, ref = true) => sleep(ms, undefined, { signal, ref }),
};

/** One moment, read from both clocks of a machine. Comparable with later moments of that machine only. */
export class Moment {
  private constructor(
    readonly monotonic: number,
    readonly wall: number,
  ) {}

  static now(clock: Clock): Moment {
    return new Moment(clock.monotonic(), clock.wall());
  }

  /** The moment so many milliseconds after this one. */
  later(ms: number): Moment {
    return new Moment(this.monotonic + ms, this.wall + ms);
  }

  /**
   * Milliseconds since this moment, on whichever clock has run further.
   *
   * A suspended machine stops its monotonic clock, and a wall clock can be set back: each alone can make a permit look
   * alive after it has ended. Together they can only end it too early, which is safe.
   */
  elapsedMs(clock: Clock): number {
    return Math.max(clock.monotonic() - this.monotonic, clock.wall() - this.wall);
  }
}
