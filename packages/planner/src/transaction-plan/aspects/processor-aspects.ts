import {
  type CorrelatorModel,
  type DeduplicatorModel,
  type Expression,
  findAggregate,
  type InferencerModel,
  type Inputs,
  type ProcessorClauses,
  type ReordererModel,
  type WasmProcessorModel,
  type WindowProcessorModel,
} from '@nervix/model';
import { type Aspect, type AspectRow, alteredRows, row } from './aspect.js';
import { routeAspects } from './route-aspects.js';

type Routes = Parameters<typeof routeAspects>[0];

/** A processor of any kind, its input relays listed per side. */
interface Processor
  extends Pick<ProcessorClauses, 'acknowledgement' | 'branching' | 'dependencies'> {
  readonly routes: Routes;
}

const SHARED_ROWS: readonly AspectRow<Processor>[] = [
  row('PROCESSOR_MODE', 'ENTITY_PAUSE', ({ acknowledgement }) => acknowledgement),
  row('PROCESSOR_BRANCHING', 'ENTITY_PAUSE', ({ branching }) => branching),
  row('PROCESSOR_MATERIALIZED_STATE', 'ENTITY_PAUSE', ({ dependencies }) => dependencies),
];

function inputAspects(before: readonly Inputs[], after: readonly Inputs[]): readonly Aspect[] {
  return alteredRows(
    [
      row('PROCESSOR_INPUTS', 'ENTITY_PAUSE', relayLists),
      row('PROCESSOR_COLLECT_POLICY', 'DYNAMIC', collections),
      row('PROCESSOR_INPUT_WHERE', 'DYNAMIC', conditions),
    ],
    before,
    after,
  ).filter(
    ({ aspect }, _, all) =>
      aspect !== 'PROCESSOR_INPUT_WHERE' ||
      !all.some((other) => other.aspect === 'PROCESSOR_INPUTS'),
  );
}

function collections(sides: readonly Inputs[]): unknown {
  return sides.map(({ collect }) => collect);
}

function relayLists(sides: readonly Inputs[]): unknown {
  return sides.map(({ relays }) => relays.map(({ relay }) => relay));
}

function conditions(sides: readonly Inputs[]): unknown {
  return sides.map(({ relays }) => relays.map(({ relay, where }) => [relay, where]));
}

/** Aspects of what every processor with one kind of inputs has; the filter comes first. */
export function processorAspects(
  before: ProcessorClauses & { readonly routes: Routes },
  after: ProcessorClauses & { readonly routes: Routes },
): readonly Aspect[] {
  const filter = row<ProcessorClauses>('PROCESSOR_FILTER', 'DYNAMIC', (model) => model.filter);
  return [
    ...alteredRows([filter], before, after),
    ...inputAspects([before.inputs], [after.inputs]),
    ...routeAspects(before.routes, after.routes),
    ...alteredRows(SHARED_ROWS, before, after),
  ];
}

const CORRELATOR_ROWS: readonly AspectRow<CorrelatorModel>[] = [
  row('CORRELATOR_CORRELATION', 'ENTITY_PAUSE', (m) => m.correlateWhere, 'CORRELATION_BUFFER'),
  row('CORRELATOR_MATCH_POLICY', 'ENTITY_PAUSE', ({ match }) => match, 'CORRELATION_BUFFER'),
  row('CORRELATOR_MAX_TIME', 'ENTITY_PAUSE', ({ maxTime }) => maxTime),
  row('CORRELATOR_TIMEOUT_POLICY', 'ENTITY_PAUSE', ({ onTimeout }) => onTimeout),
];

/** Aspects of a correlator, whose two sides count alike. */
export function correlatorAspects(
  before: CorrelatorModel,
  after: CorrelatorModel,
): readonly Aspect[] {
  return [
    ...inputAspects([before.left, before.right], [after.left, after.right]),
    ...routeAspects(before.routes, after.routes),
    ...alteredRows(SHARED_ROWS, before, after),
    ...alteredRows(CORRELATOR_ROWS, before, after),
  ];
}

/** What only deduplicators have. */
export const DEDUPLICATOR_ROWS: readonly AspectRow<DeduplicatorModel>[] = [
  row('DEDUPLICATOR_KEYSPACE', 'ENTITY_PAUSE', (m) => m.deduplicateOn, 'DEDUPLICATOR_KEYSPACE'),
  row('DEDUPLICATOR_MAX_TIME', 'DYNAMIC', ({ maxTime }) => maxTime),
];

/** What only reorderers have. */
export const REORDERER_ROWS: readonly AspectRow<ReordererModel>[] = [
  row('REORDERER_ORDERING', 'ENTITY_PAUSE', ({ by }) => by, 'REORDERER_BUFFER'),
  row('REORDERER_MAX_TIME', 'DYNAMIC', ({ maxTime }) => maxTime),
];

/** What only window processors have. */
export const WINDOW_ROWS: readonly AspectRow<WindowProcessorModel>[] = [
  row('WINDOW_BOUNDS', 'ENTITY_PAUSE', ({ width, step }) => [width, step], 'WINDOW_ACCUMULATOR'),
  row('WINDOW_AGGREGATES', 'ENTITY_PAUSE', aggregateCalls, 'WINDOW_ACCUMULATOR'),
  row('WINDOW_STATE_SIZE', 'ENTITY_PAUSE', ({ maxStateSize }) => maxStateSize),
];

/** What only inferencers have. */
export const INFERENCER_ROWS: readonly AspectRow<InferencerModel>[] = [
  row('INFERENCER_BINDING', 'ENTITY_PAUSE', (m) => [m.resource, m.file], 'INFERENCER_WARM_STATE'),
  row(
    'INFERENCER_TENSORS',
    'ENTITY_PAUSE',
    ({ inputTensors, outputSchema }) => [inputTensors, outputSchema],
    'INFERENCER_WARM_STATE',
  ),
];

/** What only WASM processors have. */
export const WASM_ROWS: readonly AspectRow<WasmProcessorModel>[] = [
  row('WASM_BINDING', 'ENTITY_PAUSE', (m) => [m.resource, m.file], 'WASM_GUEST_STATE'),
  row('WASM_LIMITS', 'ENTITY_PAUSE', ({ maxFuel, maxMemory }) => [maxFuel, maxMemory]),
  row('WASM_GLOBAL_ERROR', 'ENTITY_PAUSE', ({ globalError }) => globalError),
  row('WASM_REJECTED_STATE', 'ENTITY_PAUSE', ({ onRejectedState }) => onRejectedState),
];

/** The aggregate calls in the routes of a window, as a sorted set of their canonical forms. */
export function aggregateCalls({ routes }: WindowProcessorModel): readonly string[] {
  const found = new Set<string>();
  const pending: unknown[] = routes.map(({ construction }) => construction);
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    if (isAggregate(part)) found.add(JSON.stringify([part.name.toLowerCase(), part.arguments]));
    pending.push(...Object.values(part).filter((inner) => inner !== null));
  }
  return [...found].sort();
}

function isAggregate(part: object): part is Extract<Expression, { kind: 'call' }> {
  return (
    'kind' in part &&
    part.kind === 'call' &&
    'name' in part &&
    typeof part.name === 'string' &&
    findAggregate(part.name) !== undefined
  );
}
