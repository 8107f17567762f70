import {
  DESCRIBABLE_KINDS,
  type LiteralBinding,
  type LiteralValue,
  MODEL_KINDS,
  PLACEMENT_POLICIES,
  REBINDABLE_KINDS,
  type RebindMember,
  type Statement,
  statementWords,
} from '@nervix/model';
import fc from 'fast-check';
import { name, positive, relayName, text, u64 } from './names.ts';

export const format = fc.constantFrom('TEXT' as const, 'JSON' as const);
const number = fc.oneof(u64, fc.constantFrom('0', '1.50', '2e-7', '1E+3'));

function literal(numbers: fc.Arbitrary<string>): fc.Arbitrary<LiteralValue> {
  return fc.oneof(
    fc.record({ kind: fc.constant('string' as const), value: text }),
    fc.record({ kind: fc.constant('number' as const), text: numbers }),
    fc.record({ kind: fc.constant('boolean' as const), value: fc.boolean() }),
  );
}

/** `WHERE (…)` over certain fields; null without the clause. */
export function literalBindingsOf(
  field: fc.Arbitrary<string>,
): fc.Arbitrary<LiteralBinding[] | null> {
  return fc.option(
    fc.array(fc.record({ field, value: literal(number) }), { minLength: 1, maxLength: 3 }),
  );
}

/** `WHERE (…)` of reads; null without the clause. */
export const literalBindings: fc.Arbitrary<LiteralBinding[] | null> = literalBindingsOf(name);

const memberOrder = ({ kind, name: member }: RebindMember) => `${statementWords(kind)} ${member}`;
const rebindMembers = fc
  .uniqueArray(fc.record({ kind: fc.constantFrom(...REBINDABLE_KINDS), name }), {
    minLength: 1,
    maxLength: 4,
    selector: memberOrder,
  })
  .map((members) =>
    members.toSorted((left, right) => {
      const [a, b] = [memberOrder(left), memberOrder(right)];
      return a < b ? -1 : a > b ? 1 : 0;
    }),
  );

const branchValues = fc.uniqueArray(
  fc.record({
    field: name,
    value: literal(
      fc.oneof(
        number,
        number.map((digits) => `-${digits}`),
      ),
    ),
  }),
  { minLength: 1, maxLength: 3, selector: ({ field }) => field },
);

/** Reads, and statements about resources and what runs. */
export const readStatement: fc.Arbitrary<Statement> = fc.oneof(
  fc.constantFrom(
    { kind: 'show_udfs' as const },
    { kind: 'show_ingestors' as const },
    { kind: 'show_placements' as const },
    { kind: 'show_transactions' as const },
    { kind: 'show_cluster_status' as const },
  ),
  fc.record({
    kind: fc.constant('show_create' as const),
    modelKind: fc.constantFrom(...MODEL_KINDS),
    name: relayName,
    withSecrets: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('show_materialized_state' as const), relay: relayName }),
  fc.record({
    kind: fc.constant('describe_model' as const),
    modelKind: fc.constantFrom(...DESCRIBABLE_KINDS),
    name,
  }),
  fc.record({ kind: fc.constant('describe_wasm_processor' as const), name, format }),
  fc.record({
    kind: fc.constant('describe_relay' as const),
    relay: relayName,
    bindings: literalBindings,
  }),
  fc.record({
    kind: fc.constant('describe_transaction' as const),
    transaction: fc.option(text.filter((id) => id !== '')),
    operation: fc.option(positive),
    format,
  }),
  fc.record({ kind: fc.constant('lookup' as const), hashMap: name, key: literal(number) }),
  fc.record({ kind: fc.constant('create_resource' as const), ifNotExists: fc.boolean(), name }),
  fc.record({ kind: fc.constant('describe_resource' as const), name, version: fc.option(u64) }),
  fc.record({
    kind: fc.constant('rebind_resource' as const),
    resource: name,
    version: fc.oneof(u64, fc.constant('LATEST')),
    members: fc.option(rebindMembers),
  }),
  fc.record({
    kind: fc.constant('reset_wasm_processor' as const),
    name,
    domain: name,
    target: fc.oneof(
      fc.constantFrom({ kind: 'unbranched' as const }, { kind: 'all_branches' as const }),
      fc.record({ kind: fc.constant('branch' as const), values: branchValues }),
    ),
  }),
  fc.record({
    kind: fc.constant('alter_domain' as const),
    setting: fc.oneof(
      fc.record({
        kind: fc.constant('placement' as const),
        policy: fc.constantFrom(...PLACEMENT_POLICIES),
      }),
      fc.record({ kind: fc.constant('class' as const), name }),
      fc.record({
        kind: fc.constant('owner_loss' as const),
        reaction: fc.constantFrom('RECOVER' as const, 'HOLD' as const),
      }),
    ),
  }),
  fc.record({
    kind: fc.constant('drop_model' as const),
    modelKind: fc.constantFrom(...MODEL_KINDS),
    name: relayName,
  }),
);
