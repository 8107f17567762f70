import { fc, test } from '@fast-check/vitest';
import type { ExecutionPlan } from '@nervix/model';
import { describe, expect } from 'vitest';
import { IDS, relayBatch, tenantKey } from '../support/batches.js';
import { virtualGraph } from '../support/graphs.js';
import * as p from '../support/plans.js';

const id = p.input('id', IDS);
const TOTALS = { name: 'totals', fields: [p.field('count', 'I64'), p.field('sum', 'I64')] };

/** events -> junction -> deduplicator -> window of three, all by branch. */
const PLAN: ExecutionPlan = p.plan({
  schemas: [IDS, TOTALS, p.TENANT],
  relays: ['events', 'odd', 'unique', 'totals'].map((name) =>
    p.relay(name, {
      schema: name === 'totals' ? 'totals' : 'ids',
      branch: 'by_tenant',
      capacity: 3,
    }),
  ),
  ingestors: [],
  processors: [
    p.junction(
      'j',
      ['events'],
      [
        p.route('odd', {
          construction: {
            assignments: p.inherit(IDS),
            where: p.binary('gt', p.output('id', IDS), p.int(3)),
          },
        }),
      ],
      { inputSchema: 'ids', branch: 'by_tenant' },
    ),
    {
      ...(p.junction('d', ['odd'], [], { inputSchema: 'ids', branch: 'by_tenant' }) as object),
      kind: 'deduplicator',
      keys: [id],
      maxTimeNanos: 1_000_000_000_000n,
      routes: [p.route('unique', { construction: { assignments: p.inherit(IDS), where: null } })],
    } as unknown as ExecutionPlan['processors'][number],
    {
      ...(p.junction('w', ['unique'], [], { inputSchema: 'ids', branch: 'by_tenant' }) as object),
      kind: 'window_processor',
      width: { messages: 3, durationNanos: null },
      step: { messages: 3, durationNanos: null },
      maxStateBytes: null,
      routes: [
        {
          relay: 'totals',
          aggregates: [
            { function: 'COUNT', arguments: [id], constants: [], type: 'I64', optional: false },
            { function: 'SUM', arguments: [id], constants: [], type: 'I64', optional: false },
          ],
          construction: {
            assignments: TOTALS.fields.map(({ name, type, optional }, index) =>
              p.set(name, { kind: 'aggregate', index, type, optional, sensitive: false }, index),
            ),
            where: null,
          },
          messageError: { kind: 'log' },
        },
      ],
    } as unknown as ExecutionPlan['processors'][number],
  ],
});

interface Row {
  readonly tenant: string;
  readonly id: number;
}

/** Runs the rows in the given batches and returns each branch's outputs. */
async function outputs(batches: readonly (readonly Row[])[]) {
  const { probe, publish, advance } = virtualGraph(PLAN);
  const totals = probe('totals');
  for (const batch of batches) {
    for (const tenant of ['a', 'b']) {
      const ids = batch.filter((row) => row.tenant === tenant).map((row) => row.id);
      if (ids.length > 0) {
        await publish('events', relayBatch(ids, { branchKey: tenantKey(tenant) }));
      }
    }
    await advance(0.05);
  }
  for (let turn = 0; turn < 4; turn += 1) await advance(1);
  const byBranch = new Map<string, unknown[]>();
  for (const { batch, branchKey } of totals.batches) {
    const rows = byBranch.get(branchKey!.text) ?? [];
    byBranch.set(branchKey!.text, rows);
    for (let row = 0; row < batch.rowCount; row += 1) {
      rows.push([batch.value('count', row), batch.value('sum', row)]);
    }
  }
  return byBranch;
}

describe('pipeline', () => {
  test.prop([
    fc.array(fc.record({ tenant: fc.constantFrom('a', 'b'), id: fc.nat(12) }), { maxLength: 40 }),
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
  ])('any split of the same rows into batches gives the same outputs', async (rows, sizes) => {
    const split: Row[][] = [];
    for (let start = 0, turn = 0; start < rows.length; turn += 1) {
      const size = sizes[turn % sizes.length]!;
      split.push(rows.slice(start, start + size));
      start += size;
    }
    expect(await outputs(split)).toEqual(await outputs([rows]));
  });
});
