import type {
  Assignment,
  Construction,
  Flush,
  InputRelay,
  MaterializedDependency,
  MessageErrorPolicy,
} from '@nervix/model';
import fc from 'fast-check';
import { expression } from './expressions.ts';
import { byteSize, duration, fieldName, name, relayName, u64 } from './names.ts';

type TargetScope = Assignment['target']['scope'];
export function assignments(
  scopes: readonly TargetScope[],
  minLength: number,
): fc.Arbitrary<Assignment[]> {
  const target = fc.record({ scope: fc.constantFrom(...scopes), field: fieldName });
  return fc.array(fc.record({ target, value: expression }), { minLength, maxLength: 3 });
}

export const fieldNames = fc.uniqueArray(fieldName, { maxLength: 3 });
export const construction: fc.Arbitrary<Construction> = fc.record({
  inherit: fc.option(
    fc.oneof(
      fc.record({ kind: fc.constant('all' as const), except: fieldNames }),
      fc.record({
        kind: fc.constant('fields' as const),
        fields: fc.uniqueArray(fc.record({ name: fieldName, leakSensitive: fc.boolean() }), {
          minLength: 1,
          maxLength: 3,
          selector: (field) => field.name,
        }),
      }),
    ),
  ),
  set: assignments([null, 'message', 'output', 'branch'], 0),
  where: fc.option(expression),
  invoke: fc.array(
    fc.record({ function: fieldName, arguments: fc.array(expression, { maxLength: 2 }) }),
    { maxLength: 2 },
  ),
});

export const flush: fc.Arbitrary<Flush> = fc.oneof(
  fc.record({
    kind: fc.constant('each' as const),
    interval: duration,
    maxBatchSize: byteSize,
  }),
  fc.constant({ kind: 'immediate' as const }),
);
export const sendTo = fc.record({
  kind: fc.constant('send_to' as const),
  relay: relayName,
  set: assignments([null], 1),
});
export const messageError: fc.Arbitrary<MessageErrorPolicy> = fc.oneof(
  fc.constantFrom({ kind: 'ignore' as const }, { kind: 'log' as const }),
  sendTo,
);
export const generalError = fc.constantFrom('IGNORE' as const, 'LOG' as const);
export const branching = fc.oneof(
  fc.constant({ kind: 'unbranched' as const }),
  fc.record({ kind: fc.constant('branched_by' as const), branch: name }),
);
export const inputRelay: fc.Arbitrary<InputRelay> = fc.record({
  relay: relayName,
  where: fc.option(expression),
});
export const collect = fc.record({ interval: duration, maxBatchSize: fc.option(byteSize) });
export const inputs = fc.record({
  relays: fc.array(inputRelay, { minLength: 1, maxLength: 3 }),
  collect: fc.option(collect),
});
export const dependency: fc.Arbitrary<MaterializedDependency> = fc.record({
  relay: relayName,
  policy: fc.oneof(
    fc.constantFrom({ kind: 'required_skip' as const }, { kind: 'required_wait' as const }),
    fc.record({ kind: fc.constant('default' as const), values: assignments([null], 1) }),
  ),
});
export const flushedRoute = { relay: relayName, construction, flush, messageError };
export const flushedRoutes = fc.array(fc.record(flushedRoute), { minLength: 1, maxLength: 2 });
export const processor = {
  name,
  acknowledgement: fc.constantFrom('ATTACHED' as const, 'DETACHED' as const),
  inputs,
  filter: fc.option(expression),
  branching,
  dependencies: fc.array(dependency, { maxLength: 2 }),
};
export const binding = fc.record({
  resource: name,
  version: fc.oneof(u64, fc.constant('LATEST')),
});
export const entryRoute = {
  ...flushedRoute,
  branch: fc.oneof(
    fc.constant({ kind: 'unbranched' as const }),
    fc.record({
      kind: fc.constant('branched_by' as const),
      branch: name,
      set: assignments([null, 'branch'], 0),
    }),
  ),
};
export const entryRoutes = fc.array(fc.record(entryRoute), { minLength: 1, maxLength: 2 });
