import type { SchemaPlan } from '@nervix/model';
import { AckSet } from '../../src/ack/ack-set.js';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import type { RecordBatch } from '../../src/batch/record-batch.js';
import { type BranchKey, BranchKeys } from '../../src/branch/branch-key.js';
import type { Relay } from '../../src/relay/relay.js';
import type { RelayBatch } from '../../src/relay/relay-batch.js';
import { RelayInput } from '../../src/relay/relay-input.js';
import { field, TENANT } from './plans.js';

/** One I64 field named `id`. */
export const IDS: SchemaPlan = { name: 'ids', fields: [field('id', 'I64')] };

export function idBatch(ids: readonly number[]): RecordBatch {
  const builder = new BatchBuilder(IDS);
  for (const id of ids) builder.appendRow([BigInt(id)]);
  return builder.finish();
}

export function idsOf(batch: RecordBatch): number[] {
  return Array.from({ length: batch.rowCount }, (_, row) => Number(batch.value('id', row)));
}

/** A batch of ids, with one watermark for all rows. */
export function relayBatch(
  ids: readonly number[],
  rest: { acks?: AckSet; branchKey?: BranchKey | null; atNanos?: bigint } = {},
): RelayBatch {
  const batch = idBatch(ids);
  const instants = new BigInt64Array(batch.rowCount).fill(rest.atNanos ?? 0n);
  return {
    batch,
    branchKey: rest.branchKey ?? null,
    low: instants,
    high: instants,
    acks: rest.acks ?? AckSet.NONE,
  };
}

const keys = new BranchKeys('by_tenant', TENANT);

/** The concrete branch of a tenant. */
export function tenantKey(tenant: string): BranchKey {
  const builder = new BatchBuilder(TENANT);
  builder.appendRow([tenant]);
  return keys.group(builder.finish())[0]!.key;
}

/** A consumer's queue that has joined its relay. */
export function openInput(relay: Relay, isAttached: boolean, available: () => void): RelayInput {
  const input = new RelayInput(relay, isAttached, available);
  input.open();
  return input;
}
