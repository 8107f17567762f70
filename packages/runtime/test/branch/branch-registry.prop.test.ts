import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { BranchKeys } from '../../src/branch/branch-key.js';
import { BranchPresence } from '../../src/branch/branch-presence.js';
import { BranchRegistry } from '../../src/branch/branch-registry.js';
import { tenantKey } from '../support/batches.js';
import { field } from '../support/plans.js';

describe('branch instances', () => {
  test.prop([
    fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
    fc.integer({ min: 1, max: 40 }),
    fc.array(
      fc.record({
        action: fc.constantFrom('input', 'input', 'input', 'scan'),
        key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
        wait: fc.nat(15),
      }),
      { maxLength: 80 },
    ),
  ])(
    'expire by idleness and go least recently used first (RT-19, RT-20, RT-21, RT-24)',
    (maxInstances, ttl, actions) => {
      const evicted: string[] = [];
      let incarnations = 0;
      const registry = new BranchRegistry<number>({
        limits: { ttlNanos: BigInt(ttl), maxInstances },
        create: () => ++incarnations,
        evicted: (key, _state, reason) => {
          expect(registry.has(key.text)).toBe(false);
          evicted.push(`${key.text} ${reason}`);
        },
      });
      /** Oldest last input first. */
      let model: { text: string; at: bigint }[] = [];
      const expected: string[] = [];
      let now = 0n;
      for (const { action, key: name, wait } of actions) {
        now += BigInt(wait);
        if (action === 'input') {
          const key = tenantKey(name);
          registry.touch(key, now);
          model = [...model.filter(({ text }) => text !== key.text), { text: key.text, at: now }];
          while (maxInstances !== null && model.length > maxInstances) {
            expected.push(`${model.shift()!.text} lru`);
          }
        } else {
          registry.scan(now);
          const boundary = now - BigInt(ttl);
          for (const { text } of model.filter(({ at }) => at <= boundary)) {
            expected.push(`${text} ttl`);
          }
          model = model.filter(({ at }) => at > boundary);
        }
        expect([...registry.entries()].map(([key]) => key.text)).toEqual(
          model.map(({ text }) => text),
        );
        expect(evicted).toEqual(expected);
      }
    },
  );

  test('a key is canonical text with sorted fields and has a short digest (RT-15)', () => {
    const schema = {
      name: 'k',
      fields: [field('zone', 'STRING'), field('account', 'U64', { sensitive: true })],
    };
    const keys = new BranchKeys('by_zone', schema);
    const builder = new BatchBuilder(schema);
    const largest = 18_446_744_073_709_551_615n;
    for (const zone of ['eu "1"', 'us', 'eu "1"']) builder.appendRow([zone, largest]);
    const [first, second] = keys.group(builder.finish());
    expect(first!.key.text).toBe('{"account":18446744073709551615,"zone":"eu \\"1\\""}');
    expect(first!.key.shownText).toBe('{"zone":"eu \\"1\\"","account":"<masked>"}');
    expect([...first!.rows]).toEqual([0, 2]);
    expect(first!.key.fingerprint).toMatch(/^[0-9a-f]{32}$/);
    expect(second!.key.fingerprint).not.toBe(first!.key.fingerprint);
  });

  test('a key on several relays is counted once and evicted with the last (CL-99)', () => {
    const presence = new BranchPresence();
    presence.appeared('k');
    presence.appeared('k');
    presence.evicted('k', 'lru');
    expect(presence.size).toBe(1);
    presence.evicted('k', 'ttl');
    expect(presence.size).toBe(0);
    expect(presence.evictions).toEqual({ ttl: 1, lru: 0 });
  });
});
