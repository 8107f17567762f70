import {
  type EmitterModel,
  equalData,
  type FlushedRoute,
  type Model,
  type ModelKind,
  type ProcessorClauses,
  type UnflushedRoute,
} from '@nervix/model';
import type { ModelDifference } from './candidate-state.js';
import { type DomainModels, findModel } from './domain-models.js';

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

/**
 * Level of one difference in a running domain.
 *
 * @param base models before the batch
 * @param next models after it
 */
export function differenceLevel(
  difference: ModelDifference,
  base: DomainModels,
  next: DomainModels,
): QuiesceLevel {
  const { kind, name, change } = difference;
  if (change !== 'changed') return isExecutable(kind) ? 'DOMAIN_PAUSE' : 'DYNAMIC';
  const before = findModel(base, kind, name);
  const after = findModel(next, kind, name);
  return before === undefined || after === undefined ? 'DOMAIN_PAUSE' : changeLevel(before, after);
}

function changeLevel(before: Model, after: Model): QuiesceLevel {
  switch (after.kind) {
    case 'relay':
      return partsLevel(before, after, RELAY_PARTS);
    case 'junction':
    case 'deduplicator':
    case 'window_processor':
      return before.kind === after.kind
        ? widerLevel(partsLevel(before, after, PROCESSOR_PARTS), processorLevel(before, after))
        : 'DOMAIN_PAUSE';
    case 'emitter':
      return before.kind === 'emitter' ? emitterLevel(before, after) : 'DOMAIN_PAUSE';
    case 'ingestor':
      return 'ENTITY_PAUSE';
    // Rules place work; what moves because of them is judged by the schedule.
    case 'placement':
      return 'DYNAMIC';
    // What configures others, and kinds that this release does not run, hold the whole domain.
    default:
      return 'DOMAIN_PAUSE';
  }
}

type PartLevels = Readonly<Record<string, QuiesceLevel>>;

const RELAY_PARTS: PartLevels = {
  capacity: 'DYNAMIC',
  schema: 'DOMAIN_PAUSE',
  branching: 'DOMAIN_PAUSE',
  materialized: 'ENTITY_PAUSE',
};

/** Inputs and routes are finer than a whole part and judged apart. */
const PROCESSOR_PARTS: PartLevels = {
  kind: 'DYNAMIC',
  name: 'DYNAMIC',
  inputs: 'DYNAMIC',
  routes: 'DYNAMIC',
  filter: 'DYNAMIC',
  acknowledgement: 'ENTITY_PAUSE',
  branching: 'DOMAIN_PAUSE',
  dependencies: 'ENTITY_PAUSE',
  deduplicateOn: 'ENTITY_PAUSE',
  maxTime: 'DYNAMIC',
  width: 'ENTITY_PAUSE',
  step: 'ENTITY_PAUSE',
  maxStateSize: 'ENTITY_PAUSE',
};

const EMITTER_PARTS: PartLevels = { inputs: 'ENTITY_PAUSE', flush: 'DYNAMIC' };

/** Widest level among the top-level parts that differ; a part without a row holds its entity. */
function partsLevel(before: Model, after: Model, parts: PartLevels): QuiesceLevel {
  const old: Readonly<Record<string, unknown>> = { ...before };
  let level: QuiesceLevel = 'DYNAMIC';
  for (const [part, value] of Object.entries(after)) {
    if (equalData(old[part], value)) continue;
    level = widerLevel(level, parts[part] ?? 'ENTITY_PAUSE');
  }
  return level;
}

interface RoutedProcessor extends ProcessorClauses {
  readonly kind: ModelKind;
  readonly routes: readonly (FlushedRoute | UnflushedRoute)[];
}

function processorLevel(before: RoutedProcessor, after: RoutedProcessor): QuiesceLevel {
  const isSameShape =
    equalData(relayNames(before.inputs.relays), relayNames(after.inputs.relays)) &&
    equalData(relayNames(before.routes), relayNames(after.routes)) &&
    equalData(errorRelays(before.routes), errorRelays(after.routes));
  if (!isSameShape) return 'ENTITY_PAUSE';
  const isWindow = after.kind === 'window_processor';
  return isWindow && !equalData(before.routes, after.routes) ? 'ENTITY_PAUSE' : 'DYNAMIC';
}

function emitterLevel(before: EmitterModel, after: EmitterModel): QuiesceLevel {
  const isSameSourceSet = equalData(
    [...relayNames(before.inputs.relays)].sort(),
    [...relayNames(after.inputs.relays)].sort(),
  );
  return isSameSourceSet ? partsLevel(before, after, EMITTER_PARTS) : 'DOMAIN_PAUSE';
}

function relayNames(parts: readonly { readonly relay: string }[]): readonly string[] {
  return parts.map((part) => part.relay);
}

/** The set of error relays, sorted. */
function errorRelays(routes: RoutedProcessor['routes']): readonly string[] {
  const names = routes.flatMap(({ messageError }) =>
    messageError.kind === 'send_to' ? [messageError.relay] : [],
  );
  return [...new Set(names)].sort();
}
