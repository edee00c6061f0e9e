import type { Clock } from "../src/clock.js";

/** Clocks whose hands are moved by the test. */
export class Hands implements Clock {
  steady = 1_000;
  onWall = 1_700_000_000_000;
  readonly slept: number[] = [];

  monotonic(): number {
    return this.steady;
  }

  wall(): number {
    return this.onWall;
  }

  sleep(ms: number): Promise<void> {
    this.slept.push(ms);
    this.steady += ms;
    this.onWall += ms;
    return Promise.resolve();
  }
}

/** Clocks that stand still unless the test moves them. Who sleeps by them goes on when they have moved far enough. */
export class Still implements Clock {
  #now = 1_000;
  readonly #sleepers = new Set<{ until: number; wake: () => void }>();

  monotonic(): number {
    return this.#now;
  }

  wall(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const sleeper = { until: this.#now + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason as Error);
      });
    });
  }

  move(ms: number): void {
    this.#now += ms;
    for (const sleeper of this.#sleepers) {
      if (sleeper.until <= this.#now) {
        this.#sleepers.delete(sleeper);
        sleeper.wake();
      }
    }
  }

  /** How many sleep by these clocks. */
  get sleeping(): number {
    return this.#sleepers.size;
  }
}
