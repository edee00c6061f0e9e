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
