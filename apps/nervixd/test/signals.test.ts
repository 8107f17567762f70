import { fc, test as propertyTest } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { StopControl, type StopEffects, type StopSignal } from '../src/signals.ts';

class FakeProcess implements StopEffects {
  readonly exits: number[] = [];
  readonly lines: string[] = [];
  ms = 0;
  readonly #listeners = new Map<StopSignal, () => void>();
  readonly #timers: { readonly at: number; readonly act: () => void }[] = [];

  onSignal(signal: StopSignal, listener: () => void): void {
    this.#listeners.set(signal, listener);
  }

  exit(code: number): void {
    this.exits.push(code);
  }

  now(): number {
    return this.ms;
  }

  after(ms: number, act: () => void): void {
    this.#timers.push({ at: this.ms + ms, act });
  }

  signal(signal: StopSignal): void {
    this.#listeners.get(signal)?.();
  }

  pass(ms: number): void {
    this.ms += ms;
    const due = this.#timers.filter((timer) => timer.at <= this.ms);
    for (const timer of due) {
      this.#timers.splice(this.#timers.indexOf(timer), 1);
      timer.act();
    }
  }

  readonly log = {
    info: (message: string, fields?: { signal: StopSignal }): void => {
      this.lines.push(`info ${message} signal=${fields?.signal}`);
    },
    warn: (message: string, fields?: { signal: StopSignal }): void => {
      this.lines.push(`warn ${message} signal=${fields?.signal}`);
    },
  };
}

test('SB-2: both signals have their handler before anything else happens', async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const target = new FakeProcess();
    const stop = new StopControl(target);
    target.signal(signal);
    expect(await stop.requested).toBe(signal);
    expect(target.exits).toEqual([]);
  }
});

test.each([
  ['SIGINT', 'SIGINT', 130],
  ['SIGINT', 'SIGTERM', 143],
  ['SIGTERM', 'SIGINT', 130],
  ['SIGTERM', 'SIGTERM', 143],
] as const)('CL-104, SB-4: %s and then %s ends at once with %i', (first, second, code) => {
  const target = new FakeProcess();
  new StopControl(target).configure(target.log, 50_000);
  target.signal(first);
  target.signal(second);
  expect(target.exits).toEqual([code]);
  expect(target.lines).toEqual([
    `info termination signal received; requesting graceful shutdown signal=${first}`,
    `warn repeated termination signal received; abandoning graceful shutdown signal=${second}`,
  ]);
});

test('SB-5: the deadline ends the process with 1', () => {
  const target = new FakeProcess();
  new StopControl(target).configure(target.log, 50_000);
  target.pass(100_000);
  target.signal('SIGTERM');
  target.pass(49_999);
  expect(target.exits).toEqual([]);
  target.pass(1);
  expect(target.exits).toEqual([1]);
  expect(target.lines.at(-1)).toBe(
    'warn shutdown deadline expired; abandoning graceful shutdown signal=SIGTERM',
  );
});

test('SB-2: the deadline of a signal during startup runs from its arrival', () => {
  const target = new FakeProcess();
  const stop = new StopControl(target);
  target.signal('SIGINT');
  target.pass(20_000);
  stop.configure(target.log, 50_000);
  expect(target.lines).toEqual([
    'info termination signal received; requesting graceful shutdown signal=SIGINT',
  ]);
  target.pass(29_999);
  expect(target.exits).toEqual([]);
  target.pass(1);
  expect(target.exits).toEqual([1]);
});

test('SB-4: a repeated signal before the log is there still ends the process', () => {
  const target = new FakeProcess();
  new StopControl(target);
  target.signal('SIGTERM');
  target.signal('SIGTERM');
  expect(target.exits).toEqual([143]);
});

type Step = { readonly signal: StopSignal } | { readonly ms: number };

const steps = fc.array(
  fc.oneof(
    fc.record({ signal: fc.constantFrom<StopSignal>('SIGINT', 'SIGTERM') }),
    fc.record({ ms: fc.integer({ min: 0, max: 30 }) }),
  ),
  { maxLength: 12 },
);

/** The exit that SB-8 asks for: deadline or repeated signal, whichever comes first. */
function expectedExit(sequence: readonly Step[], timeoutMs: number): number | undefined {
  let now = 0;
  let firstAt: number | undefined;
  for (const step of sequence) {
    if ('ms' in step) {
      now += step.ms;
      if (firstAt !== undefined && now - firstAt >= timeoutMs) return 1;
    } else if (firstAt === undefined) firstAt = now;
    else return step.signal === 'SIGINT' ? 130 : 143;
  }
  return undefined;
}

propertyTest.prop([steps, fc.integer({ min: 1, max: 60 })])(
  'SB-8, SB-110: the first of deadline and repeated signal decides, for every interleaving',
  (sequence, timeoutMs) => {
    const target = new FakeProcess();
    new StopControl(target).configure(target.log, timeoutMs);
    for (const step of sequence) {
      if ('ms' in step) target.pass(step.ms);
      else target.signal(step.signal);
    }
    expect(target.exits[0]).toBe(expectedExit(sequence, timeoutMs));
  },
);
