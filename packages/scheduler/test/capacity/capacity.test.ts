import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { availableCapacity } from '../../src/capacity/available-capacity.js';
import { reserveCapacity } from '../../src/capacity/reservation.js';
import type { Capacity } from '../../src/feasibility/node-facts.js';

const amounts = (cpuCores: number, memoryBytes = 0): Capacity => ({
  cpuCores,
  memoryBytes,
  diskBytes: 0,
  fileHandles: 0,
});

describe('OP-37 availableCapacity', () => {
  const account = {
    measured: amounts(8, 100),
    systemHeadroom: amounts(1, 10),
    reservations: [amounts(2, 20), amounts(1, 10)],
    usage: amounts(4, 50),
    attributedUsage: amounts(2.5, 30),
  };

  test('takes managed work off by its reservation and other work by its usage', () => {
    expect(availableCapacity(account)).toEqual(amounts(2.5, 40));
  });

  test('managed work that uses more than it reserved is not taken off twice', () => {
    const busy = { ...account, usage: amounts(9, 50), attributedUsage: amounts(9.5, 50) };
    expect(availableCapacity(busy)).toEqual(amounts(4, 60));
  });

  test('is never negative', () => {
    expect(availableCapacity({ ...account, measured: amounts(1) })).toEqual(amounts(0));
  });
});

describe('OP-38 reserveCapacity', () => {
  const current = {
    node: 'n1',
    revision: 7n,
    sampleGeneration: 3n,
    available: amounts(4),
  };
  const request = { node: 'n1', revision: 7n, sampleGeneration: 3n, wanted: amounts(3) };

  test.each([
    [{ node: 'n2' }, 'node'],
    [{ revision: 6n }, 'revision'],
    [{ sampleGeneration: 4n }, 'sample_generation'],
    [{ wanted: amounts(5) }, 'capacity'],
    [{ wanted: amounts(-1) }, 'capacity'],
    [{ wanted: amounts(Number.NaN) }, 'capacity'],
  ])('refuses %o', (change, reason) => {
    expect(reserveCapacity(current, { ...request, ...change })).toEqual({
      kind: 'refused',
      reason,
    });
  });

  test('two plans built on one moment never both succeed', () => {
    const first = reserveCapacity(current, { ...request, wanted: amounts(1) });
    expect(first).toEqual({
      kind: 'reserved',
      snapshot: { ...current, revision: 8n, available: amounts(3) },
    });
    const after = first.kind === 'reserved' ? first.snapshot : current;
    expect(reserveCapacity(after, { ...request, wanted: amounts(1) })).toMatchObject({
      reason: 'revision',
    });
  });
});

property.prop([fc.array(fc.nat(5), { maxLength: 8 })])(
  'OP-38 whatever is granted in turn fits into what there was',
  (wishes) => {
    let current = { node: 'n1', revision: 0n, sampleGeneration: 0n, available: amounts(10) };
    let granted = 0;
    for (const wish of wishes) {
      const wanted = amounts(wish);
      const outcome = reserveCapacity(current, { ...current, wanted });
      if (outcome.kind === 'refused') {
        expect(granted + wish).toBeGreaterThan(10);
        continue;
      }
      granted += wish;
      current = outcome.snapshot;
      expect(current.available.cpuCores).toBe(10 - granted);
    }
    expect(granted).toBeLessThanOrEqual(10);
  },
);
