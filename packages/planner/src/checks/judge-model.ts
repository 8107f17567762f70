import { type ExecutionPlan, type Model, modelKey, unreachable } from '@nervix/model';
import { missingReference } from '../errors.js';
import { referencesOf } from '../model-references.js';
import { planBranch } from './branch.js';
import { planClient } from './client.js';
import { planCodec } from './codec/plan-codec.js';
import { planDeduplicator } from './deduplicator.js';
import { planEmitter } from './emitter.js';
import { checkVhost, planEndpoint } from './http-entry.js';
import { planIngestor } from './ingestor.js';
import { planJunction } from './junction.js';
import type { PlanningContext, Verdict } from './planning-context.js';
import { planRelay } from './relay.js';
import { isRunnable, type RunnableModel } from './runnable-model.js';
import { planSchema } from './schema.js';
import { planUdf } from './udf.js';
import { planWindowProcessor } from './window-processor.js';
import { checkWireSchema } from './wire-schema.js';

/** The lists of a plan, in dependency order of kinds, then by name. */
export type PlanParts = {
  [Part in keyof Omit<
    ExecutionPlan,
    'domain' | 'programVersion' | 'revision' | 'generation'
  >]: ExecutionPlan[Part][number][];
};

/** Lists of a plan without anything. */
export function emptyParts(): PlanParts {
  return {
    schemas: [],
    codecs: [],
    branches: [],
    udfs: [],
    relays: [],
    endpoints: [],
    clients: [],
    ingestors: [],
    processors: [],
    emitters: [],
  };
}

/**
 * Judges a model, after those that it names, and adds what it runs as to the lists of a plan. A
 * model that names an absent or an unsound one is not judged further: what it would be told follows
 * from the other refusal.
 */
export function judgeModel(context: PlanningContext, model: Model, parts: PlanParts): Verdict {
  return context.verdictOf(() => {
    if (hasSoundReferences(context, model) && isRunnable(context, model)) {
      planModel(context, model, parts);
    }
  });
}

function hasSoundReferences(context: PlanningContext, model: Model): boolean {
  const reported = new Set<string>();
  let isSound = true;
  for (const reference of referencesOf(model)) {
    const { kind, name } = reference;
    if (context.isUnsound(reference, model)) isSound = false;
    if (context.find(kind, name) !== undefined) continue;
    isSound = false;
    const key = modelKey(kind, name);
    if (reported.has(key)) continue;
    reported.add(key);
    context.refuse(missingReference(context.domain, model, reference));
  }
  if (!isSound) context.markUnsound();
  return isSound;
}

function planModel(context: PlanningContext, model: RunnableModel, parts: PlanParts): void {
  switch (model.kind) {
    case 'schema':
      add(parts.schemas, planSchema(context, model));
      break;
    case 'wire_json_schema':
    case 'wire_cbor_schema':
    case 'wire_avro_schema':
      checkWireSchema(context, model);
      break;
    case 'codec':
      add(parts.codecs, planCodec(context, model));
      break;
    case 'branch':
      add(parts.branches, planBranch(context, model));
      break;
    case 'relay':
      add(parts.relays, planRelay(context, model));
      break;
    case 'vhost':
      checkVhost(context, model);
      break;
    case 'endpoint':
      add(parts.endpoints, planEndpoint(context, model));
      break;
    case 'client':
      add(parts.clients, planClient(context, model));
      break;
    case 'ingestor':
      add(parts.ingestors, planIngestor(context, model));
      break;
    case 'junction':
      add(parts.processors, planJunction(context, model));
      break;
    case 'deduplicator':
      add(parts.processors, planDeduplicator(context, model));
      break;
    case 'window_processor':
      add(parts.processors, planWindowProcessor(context, model));
      break;
    case 'emitter':
      add(parts.emitters, planEmitter(context, model));
      break;
    case 'udf':
      add(parts.udfs, planUdf(context, model));
      break;
    // Rules are judged in the sound graph, all of them together.
    case 'placement':
      break;
    default:
      unreachable(model);
  }
}

function add<Part>(list: Part[], part: Part | undefined): void {
  if (part !== undefined) list.push(part);
}
