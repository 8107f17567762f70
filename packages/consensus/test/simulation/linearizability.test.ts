import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkLinearizability, type RegisterOperation } from '../../src/simulation.ts';
import { propRuns } from '../support/prop-runs.ts';

/** `[kind, called, returned, value or answer, expected]` of one operation on register 0. */
type Brief = readonly [RegisterOperation['kind'], number, number | undefined, number, number?];

function history(...briefs: readonly Brief[]): RegisterOperation[] {
  return briefs.map(([kind, called, returned, number, expected = 0]) => {
    const isWrite = kind === 'put';
    const isCas = kind === 'compareAndSet';
    const answer = isWrite ? undefined : isCas ? 1 : number;
    return {
      key: 0,
      kind,
      called,
      returned,
      value: isWrite || isCas ? number : 0,
      expected,
      answer: returned === undefined ? undefined : answer,
    };
  });
}

function verdict(...briefs: readonly Brief[]): string {
  return checkLinearizability(history(...briefs)).kind;
}

describe('CS-306: histories that have an order', () => {
  it('takes an empty one', () => {
    expect(verdict()).toBe('linearizable');
  });

  it('takes a read that overlaps the write which it does or does not see', () => {
    expect(verdict(['put', 1, 4, 7], ['read', 2, 3, 7])).toBe('linearizable');
    expect(verdict(['put', 1, 4, 7], ['read', 2, 3, 0])).toBe('linearizable');
  });

  it('lets a write of unknown outcome happen late, or never', () => {
    expect(verdict(['put', 1, undefined, 7], ['read', 2, 3, 0], ['read', 4, 5, 7])).toBe(
      'linearizable',
    );
    expect(verdict(['put', 1, undefined, 7], ['read', 2, 3, 0])).toBe('linearizable');
  });

  it('finds the one order of increments and a compare-and-set', () => {
    expect(
      verdict(
        ['increment', 1, 8, 1],
        ['increment', 2, 7, 9],
        ['compareAndSet', 3, 6, 8, 1],
        ['read', 9, 10, 9],
      ),
    ).toBe('linearizable');
  });
});

describe('CS-306: histories that have none', () => {
  it('refuses a read of what was overwritten before it began', () => {
    expect(verdict(['put', 1, 2, 7], ['put', 3, 4, 8], ['read', 5, 6, 7])).toBe('violated');
  });

  it('refuses two reads that see a write appear and vanish', () => {
    expect(verdict(['put', 1, 8, 7], ['read', 2, 3, 7], ['read', 4, 5, 0])).toBe('violated');
  });

  it('refuses a value that nobody wrote', () => {
    expect(verdict(['put', 1, 2, 7], ['read', 3, 4, 9])).toBe('violated');
  });

  it('refuses a lost increment and a compare-and-set that succeeded twice', () => {
    expect(verdict(['increment', 1, 2, 1], ['increment', 3, 4, 1])).toBe('violated');
    expect(verdict(['compareAndSet', 1, 4, 7, 0], ['compareAndSet', 2, 3, 8, 0])).toBe('violated');
  });

  it('refuses a write of unknown outcome seen before it was called', () => {
    expect(verdict(['read', 1, 2, 7], ['put', 3, undefined, 7])).toBe('violated');
  });

  it('looks at every register alone and names the one', () => {
    const bad = history(['put', 1, 2, 7], ['read', 3, 4, 9]).map((it) => ({ ...it, key: 3 }));
    expect(checkLinearizability([...history(['put', 1, 2, 7]), ...bad])).toEqual({
      kind: 'violated',
      key: 3,
    });
  });
});

describe('CS-306: the check itself', () => {
  it('lets a put that would change nothing now come later, when it does', () => {
    const once: Brief = ['put', 1, 2, 1];
    expect(verdict(once, ['put', 3, 20, 1], ['put', 4, 6, 2], ['read', 8, 10, 1])).toBe(
      'linearizable',
    );
  });

  it('says so when its budget ends, and proves nothing', () => {
    const puts = Array.from({ length: 12 }, (_, i): Brief => ['put', i + 1, 100 + i, i + 1]);
    const operations = history(...puts, ['read', 200, 201, 99]);
    expect(checkLinearizability(operations, 1_000).kind).toBe('exceeded');
  });

  it('does not believe a place in the log that contradicts the clients', () => {
    const stale = history(['put', 1, 2, 7], ['put', 3, 4, 8], ['read', 5, 6, 7]);
    const places = stale.map((it, i) => ({ ...it, place: [1, 2, 1][i] ?? 0 }));
    expect(checkLinearizability(places).kind).toBe('violated');
  });

  it('takes every history that was made from an order, with or without places', () => {
    const step = fc.record({
      kind: fc.constantFrom('read', 'put', 'increment', 'compareAndSet'),
      value: fc.integer({ min: 1, max: 5 }),
      expected: fc.integer({ min: 0, max: 5 }),
      early: fc.integer({ min: 0, max: 40 }),
      late: fc.integer({ min: 0, max: 40 }),
      isLost: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 24 }), (steps) => {
        let state = 0;
        const operations = steps.map((it, i): RegisterOperation => {
          const kind = it.kind as RegisterOperation['kind'];
          let answer: number | undefined = state;
          if (kind === 'put') [state, answer] = [it.value, undefined];
          if (kind === 'increment') [state, answer] = [state + 1, state + 1];
          if (kind === 'compareAndSet') {
            answer = state === it.expected ? 1 : 0;
            if (answer === 1) state = it.value;
          }
          // It takes effect at 100 i, and is called before and returns after that.
          const called = 100 * i - it.early * 10 - (i + 1) / 100;
          const returned = it.isLost ? undefined : 100 * i + it.late * 10 + (i + 1) / 100;
          const { value, expected } = it;
          const seen = { key: 0, kind, value, expected, called, returned };
          return { ...seen, answer: it.isLost ? undefined : answer, place: i };
        });
        expect(checkLinearizability(operations).kind).toBe('linearizable');
        const unplaced = operations.map((it) => ({ ...it, place: undefined }));
        expect(checkLinearizability(unplaced).kind).toBe('linearizable');
      }),
      { numRuns: propRuns(300) },
    );
  });
});
