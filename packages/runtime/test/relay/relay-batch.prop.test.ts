import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { concatBatches, type RelayBatch } from '../../src/relay/relay-batch.js';
import { IDS, idBatch, relayBatch, tenantKey } from '../support/batches.js';
import { virtualGraph } from '../support/graphs.js';
import * as p from '../support/plans.js';
import { propertyRuns } from '../support/property-runs.js';

const TIMED = {
  name: 'timed',
  fields: [p.field('id', 'I64'), p.field('tenant', 'STRING'), p.field('at', 'DATETIME')],
} as const;
const assignments = p.inherit(TIMED);
const branch = 'by_tenant';

/** Rows with instants of their own, by tenant and as they come, collected in between. */
const plan = p.plan({
  schemas: [TIMED, p.TENANT, p.EVENT, p.FAILURE],
  codecs: [p.jsonCodec(TIMED)],
  relays: [
    p.relay('keyed', { schema: 'timed', branch }),
    p.relay('plain', { schema: 'timed' }),
    p.relay('collected', { schema: 'timed', branch }),
  ],
  ingestors: [
    p.ingestor('in', {
      codec: 'timed_json',
      schema: 'timed',
      timestamp: { kind: 'at', field: 'at' },
      routes: [
        {
          ...p.route('keyed', { construction: { assignments, where: null } }),
          branch: {
            branch,
            assignments: [
              { ...p.set('tenant', p.input('tenant', TIMED), 0), operation: 'branch_set' },
            ],
          },
        },
        { ...p.route('plain', { construction: { assignments, where: null } }), branch: null },
      ],
    }),
  ],
  processors: [
    p.junction(
      'j',
      ['keyed'],
      [p.route('collected', { construction: { assignments, where: null } })],
      {
        inputSchema: 'timed',
        branch,
        collect: { intervalNanos: 30_000_000n, maxBatchBytes: null },
      } as object,
    ),
  ],
});

/** Instants that no double holds, on both sides of 1970. */
const instant = fc.bigInt({ min: -(2n ** 61n), max: 2n ** 61n });
const row = fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), at: instant });

function text(nanos: bigint): string {
  const seconds = nanos / 1_000_000_000n - (nanos % 1_000_000_000n < 0n ? 1n : 0n);
  const fraction = String(nanos - seconds * 1_000_000_000n).padStart(9, '0');
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', `.${fraction}Z`);
}

describe('batches on relays', () => {
  test.prop([fc.array(fc.array(row, { minLength: 1, maxLength: 6 }), { maxLength: 8 })], {
    numRuns: propertyRuns(40),
  })(
    'are never empty, of one branch or none, and carry exact watermarks of each row (RT-2, RT-3)',
    async (posts) => {
      const graph = virtualGraph(plan);
      const probes = ['keyed', 'plain', 'collected'].map((relay) => graph.probe(relay));
      const expected = new Map<number, { tenant: string; at: bigint }>();
      for (const rows of posts) {
        const lines = rows.map(({ tenant, at }) => {
          const id = expected.size;
          expected.set(id, { tenant, at });
          return JSON.stringify({ id, tenant, at: text(at) });
        });
        graph.offer(lines.join('\n'));
        await graph.advance(4);
      }
      for (let turn = 0; turn < 60; turn += 1) await graph.advance(1);
      for (const [at, { batches }] of probes.entries()) {
        const seen = batches.flatMap((batch) => rowsOf(batch, at !== 1));
        const byId = [...seen].sort((left, right) => left.id - right.id);
        expect(byId).toEqual(
          Array.from(expected, ([id, { tenant, at: nanos }]) => ({
            id,
            tenant,
            low: nanos,
            high: nanos,
          })),
        );
      }
    },
  );

  test('are joined within one concrete branch and schema only (RT-2)', () => {
    const keyed = relayBatch([1], { branchKey: tenantKey('a') });
    const joined = concatBatches([keyed, relayBatch([2], { branchKey: tenantKey('a') })]);
    expect(joined.branchKey?.text).toBe('{"tenant":"a"}');
    const oneBranch = 'joined batches are of one concrete branch, or of none';
    expect(() => concatBatches([keyed, relayBatch([2], { branchKey: tenantKey('b') })])).toThrow(
      oneBranch,
    );
    expect(() => concatBatches([keyed, relayBatch([2])])).toThrow(oneBranch);
    const other = { ...relayBatch([2]), batch: idBatch([2]).withSchema({ ...IDS, name: 'other' }) };
    expect(() => concatBatches([relayBatch([1]), other])).toThrow('have the same schema');
  });
});

function rowsOf(source: RelayBatch, isKeyed: boolean) {
  const { batch, branchKey, low, high } = source;
  expect(batch.rowCount).toBeGreaterThan(0);
  expect([low, high].map((values) => values.length)).toEqual([batch.rowCount, batch.rowCount]);
  expect(low).toBeInstanceOf(BigInt64Array);
  expect(branchKey === null).toBe(!isKeyed);
  return Array.from({ length: batch.rowCount }, (_, at) => {
    const tenant = String(batch.value('tenant', at));
    if (branchKey !== null) expect(branchKey.text).toBe(JSON.stringify({ tenant }));
    return { id: Number(batch.value('id', at)), tenant, low: low[at]!, high: high[at]! };
  });
}
