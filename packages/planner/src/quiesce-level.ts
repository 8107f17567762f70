import type { ModelKind } from '@nervix/model';

/** How much of a running domain a change holds while it is applied. */
export type QuiesceLevel = 'DYNAMIC' | 'ENTITY_PAUSE' | 'DOMAIN_PAUSE';

const WEIGHT: Readonly<Record<QuiesceLevel, number>> = {
  DYNAMIC: 0,
  ENTITY_PAUSE: 1,
  DOMAIN_PAUSE: 2,
};

/** The wider of two levels. */
export function widerLevel(left: QuiesceLevel, right: QuiesceLevel): QuiesceLevel {
  return WEIGHT[left] >= WEIGHT[right] ? left : right;
}

/** Kinds that execute: creating or dropping one rebuilds the running graph. */
const EXECUTABLE: ReadonlySet<ModelKind> = new Set([
  'relay',
  'ingestor',
  'reingestor',
  'generator',
  'junction',
  'deduplicator',
  'reorderer',
  'correlator',
  'window_processor',
  'inferencer',
  'wasm_processor',
  'emitter',
]);

/** True for kinds that have an owner and run; the others only configure. */
export function isExecutable(kind: ModelKind): boolean {
  return EXECUTABLE.has(kind);
}
