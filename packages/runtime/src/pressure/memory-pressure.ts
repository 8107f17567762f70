import { assert } from '@nervix/model';
import type { Clock, Timer } from '../clock/clock.js';
import type { RuntimeLog } from '../log.js';

/** When a data plane takes no more in for want of memory. */
export interface MemoryPressureLimits {
  /** From so many allocated bytes on, all ingestors are held. */
  readonly highBytes: number;
  /** Down to so many they are resumed; below `highBytes`. */
  readonly lowBytes: number;
  /** How often memory is looked at. Default 500 ms. */
  readonly intervalMs?: number;
  /** Each ingestor is resumed after a random wait up to this long. Default 1 s. */
  readonly resumeJitterMs?: number;
}

/** An ingestor, as memory pressure sees it. */
export interface PressedIngestor {
  hold(cause: 'memory pressure'): void;
  resume(cause: 'memory pressure'): void;
}

const INTERVAL_MS = 500;
const RESUME_JITTER_MS = 1000;

/** Bytes that the calling thread has allocated: its heap, and buffers beside the heap. */
export function allocatedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * Holds the intake of all domains while memory is short. Held ingestors are resumed one by one, each
 * after a look at memory of its own, so that they do not fill it again together.
 */
export class MemoryPressure {
  readonly #limits: Required<MemoryPressureLimits>;
  readonly #clock: Clock;
  readonly #log: RuntimeLog;
  readonly #sample: () => number;
  readonly #random: () => number;
  readonly #ingestorsOf = new Map<string, readonly PressedIngestor[]>();
  readonly #held = new Set<PressedIngestor>();
  #isActive = false;
  #timer: Timer | undefined;
  #resuming: Timer | undefined;

  constructor(options: {
    readonly limits: MemoryPressureLimits;
    readonly clock: Clock;
    readonly log: RuntimeLog;
    /** Allocated bytes. */
    readonly sample: () => number;
    /** From 0 to below 1. */
    readonly random: () => number;
  }) {
    const { limits } = options;
    this.#limits = {
      ...limits,
      intervalMs: limits.intervalMs ?? INTERVAL_MS,
      resumeJitterMs: limits.resumeJitterMs ?? RESUME_JITTER_MS,
    };
    assert(limits.lowBytes < limits.highBytes, 'the low watermark lies below the high one');
    assert(this.#limits.intervalMs > 0, 'memory is looked at again and again, not all the time');
    this.#clock = options.clock;
    this.#log = options.log;
    this.#sample = options.sample;
    this.#random = options.random;
    this.#arm();
  }

  /** Whether some ingestor is, or a new one would be, held for want of memory. */
  get isActive(): boolean {
    return this.#isActive;
  }

  /**
   * Takes the ingestors of a domain in place of those it had; none once it ended. Call it before they
   * are started: short of memory, they are held at once.
   */
  apply(domain: string, ingestors: readonly PressedIngestor[]): void {
    for (const ingestor of this.#ingestorsOf.get(domain) ?? []) this.#held.delete(ingestor);
    if (ingestors.length === 0) this.#ingestorsOf.delete(domain);
    else this.#ingestorsOf.set(domain, ingestors);
    if (this.#isActive) this.#hold(ingestors);
  }

  /** Looks no more; what is held stays so. */
  close(): void {
    this.#timer?.cancel();
    this.#stopResuming();
  }

  #arm(): void {
    this.#timer = this.#clock.after(this.#limits.intervalMs, () => {
      this.#arm();
      this.#look();
    });
  }

  #look(): void {
    const bytes = this.#sample();
    if (bytes >= this.#limits.highBytes) this.#press(bytes);
    else if (this.#isActive && bytes <= this.#limits.lowBytes) this.#resumeNext();
  }

  #press(bytes: number): void {
    this.#stopResuming();
    if (!this.#isActive) {
      this.#log.warn('memory is short: intake is held', { allocatedBytes: bytes });
    }
    this.#isActive = true;
    this.#hold([...this.#ingestorsOf.values()].flat());
  }

  #hold(ingestors: readonly PressedIngestor[]): void {
    for (const ingestor of ingestors) {
      if (this.#held.has(ingestor)) continue;
      this.#held.add(ingestor);
      ingestor.hold('memory pressure');
    }
  }

  /** Arms the resumption of one ingestor; the pressure is over when none is left. */
  #resumeNext(): void {
    if (this.#resuming !== undefined) return;
    if (this.#held.size === 0) {
      this.#isActive = false;
      this.#log.info('memory is free again: intake goes on');
      return;
    }
    this.#resuming = this.#clock.after(this.#random() * this.#limits.resumeJitterMs, () => {
      this.#resuming = undefined;
      const bytes = this.#sample();
      if (bytes >= this.#limits.highBytes) this.#press(bytes);
      else if (bytes <= this.#limits.lowBytes) this.#resumeOne();
    });
  }

  #resumeOne(): void {
    const [ingestor] = this.#held;
    if (ingestor !== undefined) {
      this.#held.delete(ingestor);
      ingestor.resume('memory pressure');
    }
    this.#resumeNext();
  }

  #stopResuming(): void {
    this.#resuming?.cancel();
    this.#resuming = undefined;
  }
}
