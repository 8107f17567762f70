import type { Construction, Model, TensorDimension } from '@nervix/model';
import fc from 'fast-check';
import {
  assignments,
  binding,
  branching,
  entryRoutes,
  flush,
  flushedRoutes,
  generalError,
  inputs,
  messageError,
  processor,
} from './clauses.ts';
import { expression } from './expressions.ts';
import { duration, name, nanos, positive, relayName, text } from './names.ts';

function constructionOf(minAssignments: number): fc.Arbitrary<Construction> {
  return fc.record({
    inherit: fc.constant(null),
    set: assignments([null, 'message', 'output', 'branch'], minAssignments),
    where: fc.option(expression),
    invoke: fc.constant([]),
  });
}
const setOnly = constructionOf(1);

/** A route that constructs by SET and WHERE and flushes what it emits. */
export const setOnlyRoute = fc.record({
  relay: relayName,
  construction: setOnly,
  flush,
  messageError,
});
const setOnlyRoutes = routesOf(setOnlyRoute);

function routesOf<T>(route: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(route, { minLength: 1, maxLength: 2 });
}

const window: fc.Arbitrary<Model> = fc
  .record({
    kind: fc.constant('window_processor' as const),
    ...processor,
    bounds: fc.constantFrom(
      { width: { messages: '10', duration: null }, step: { messages: '10', duration: null } },
      { width: { messages: null, duration: '1m' }, step: { messages: null, duration: '60s' } },
      { width: { messages: '9', duration: '1m' }, step: { messages: null, duration: '5s' } },
      { width: { messages: '9', duration: '1m' }, step: { messages: '1', duration: '5s' } },
    ),
    maxStateSize: fc.option(positive),
    routes: routesOf(fc.record({ relay: relayName, construction: setOnly, messageError })),
  })
  .map(({ bounds, ...rest }) => ({ ...rest, ...bounds }));

const keys = fc.array(expression, { minLength: 1, maxLength: 3 });
const consumer = {
  name: processor.name,
  acknowledgement: processor.acknowledgement,
  dependencies: processor.dependencies,
};
const unmatched = fc.oneof(
  fc.constant({ kind: 'drop' as const }),
  fc.record({ kind: fc.constant('send_to' as const), relay: relayName }),
);
const tensorType = fc.record({
  element: fc.constant('F32' as const),
  dimensions: fc.array(
    fc.oneof<fc.Arbitrary<TensorDimension>[]>(
      fc.constantFrom({ kind: 'batch' }, { kind: 'dynamic' }),
      fc.record({ kind: fc.constant('fixed' as const), size: positive }),
    ),
    { maxLength: 3 },
  ),
});
const outputTensor = { name: text, type: tensorType };

/** Every kind between ingestors and emitters. */
export const processorModel: fc.Arbitrary<Model> = fc.oneof(
  fc.record({ kind: fc.constant('junction' as const), ...processor, routes: flushedRoutes }),
  fc.record({
    kind: fc.constant('deduplicator' as const),
    ...processor,
    deduplicateOn: keys,
    maxTime: duration,
    routes: flushedRoutes,
  }),
  fc.record({
    kind: fc.constant('reorderer' as const),
    ...processor,
    by: keys,
    maxTime: duration,
    routes: flushedRoutes,
  }),
  fc.record({
    kind: fc.constant('correlator' as const),
    ...consumer,
    left: inputs,
    right: inputs,
    correlateWhere: expression,
    match: fc.constantFrom('EARLIEST' as const, 'LATEST' as const),
    maxTime: duration,
    onTimeout: fc.record({ left: unmatched, right: unmatched }),
    branching,
    routes: setOnlyRoutes,
  }),
  window,
  fc.record({
    kind: fc.constant('inferencer' as const),
    ...processor,
    resource: binding,
    file: text,
    inputTensors: fc.array(fc.record({ ...outputTensor, value: expression }), {
      minLength: 1,
      maxLength: 3,
    }),
    outputSchema: fc.array(fc.record(outputTensor), { minLength: 1, maxLength: 3 }),
    routes: flushedRoutes,
  }),
  fc.record({
    kind: fc.constant('wasm_processor' as const),
    ...processor,
    resource: binding,
    file: text,
    maxFuel: positive,
    maxMemory: fc.oneof(
      positive,
      fc.nat(4096).map((pages) => String((pages + 1) * 65536)),
    ),
    routes: routesOf(
      fc.record({ relay: relayName, construction: constructionOf(0), messageError }),
    ),
    onRejectedState: fc.constantFrom('PRESERVE' as const, 'RESET' as const),
    globalError: generalError,
  }),
  fc.record({
    kind: fc.constant('generator' as const),
    name,
    state: relayName,
    eachNanos: nanos,
    branching,
    routes: setOnlyRoutes,
  }),
  fc.record({
    kind: fc.constant('reingestor' as const),
    ...consumer,
    inputs,
    filter: processor.filter,
    routes: entryRoutes,
  }),
);
