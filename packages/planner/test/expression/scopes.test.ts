import type { Expression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import type { ScopePolicy } from '../../src/expression/scope-policy.js';
import * as policies from '../../src/expression/scope-policy.js';
import { EXPRESSION_CONTEXTS } from '../../src/index.js';
import { call, field, int, text } from '../support/expressions.js';
import { scopeOf, typing } from '../support/typing.js';

function policyOf(name: string): ScopePolicy {
  const found = Object.entries(policies).find(([key]) => key === name);
  if (found === undefined) throw new Error(`no policy ${name}`);
  return found[1];
}

/** The row a reference reads, `refused`, or `uninitialized`. */
function reads(policy: ScopePolicy, written: string, assigned: readonly string[] = []): string {
  const value = typing(field(written), scopeOf(policy, { assigned: new Set(assigned) }));
  if (typeof value !== 'string') return value.kind === 'column' ? value.row : value.kind;
  return value.includes('initialized') ? 'uninitialized' : 'refused';
}

const READ = [
  'i64',
  'message.i64',
  'input.i64',
  'output.i64',
  'branch.tenant',
  'left.i64',
  'right.i64',
  'relay_state.rates.i64',
  'metadata.i64',
  'error.i64',
];

/**
 * What every place reads by the references of READ, where output.i64 has a value: the first letter of
 * the row (i o b l r s m e g), - for refused, ? for not initialized.
 */
const TABLE: Readonly<Record<keyof typeof policies, string>> = {
  INGESTOR_FILTER: 'i i i - - - - - m -',
  PROCESSOR_CONDITION: 'i i i - b - - s - -',
  EMITTER_CONDITION: 'i i i - - - - s - -',
  DEDUPLICATE_ON: 'i i i - b - - - - -',
  REORDER_BY: 'i i i - b - - - - -',
  INFERENCER_INPUTS: 'i i i - b - - - - -',
  EMITTER_SOURCE: 'i i i - - - - s - -',
  EMITTER_VALUES: 'i i i - - - - s - -',
  SUBSCRIPTION_WHERE: 'i i i - - - - - - -',
  INGESTOR_SET: 'o o i o - - - - m -',
  PROCESSOR_SET: 'o o i o b - - s - -',
  EMITTER_SET: 'o o i o - - - s - -',
  INGESTOR_ROUTE_WHERE: 'o o i o - - - - m -',
  PROCESSOR_ROUTE_WHERE: 'o o i o b - - s - -',
  EMITTER_FINISHED: 'o o i o - - - s - -',
  BRANCH_SET: '- o i o ? - - - m -',
  REINGESTOR_BRANCH_SET: '- o i o ? - - s - -',
  GENERATOR_SET: 'g - - o b - - s - -',
  GENERATOR_ROUTE_WHERE: 'o - - o b - - s - -',
  GUEST_SET: 'o - - o b - - s - -',
  GUEST_ROUTE_WHERE: 'o - - o b - - s - -',
  CORRELATOR_LEFT_WHERE: 'i i i - b l - - - -',
  CORRELATOR_RIGHT_WHERE: 'i i i - b - r - - -',
  CORRELATE_WHERE: '- - - - b l r s - -',
  CORRELATOR_SET: '- - - o b l r s - -',
  CORRELATOR_ROUTE_WHERE: 'o - - o b - - s - -',
  CORRELATOR_ERROR_SET: 'o - - - b l r s - e',
  WINDOW_SET: 'o - - o b - - s - -',
  AGGREGATE_ARGUMENT: '- - i - - - - - - -',
  WINDOW_ROUTE_WHERE: 'o - - o b - - s - -',
  ERROR_SET: 'o - i - b - - s - e',
  INGESTOR_ERROR_SET: 'o - i - - - - - - e',
  DECODE_ERROR_SET: 'o - - - - - - - m e',
  MATERIALIZED_DEFAULT: '- - - - - - - - - -',
};

describe('TYPE 5 what each place may read', () => {
  test.each(Object.entries(TABLE))('%s', (name, expected) => {
    const letters = READ.map((written) => reads(policyOf(name), written, ['i64'])).map((row) =>
      row === 'refused' ? '-' : row === 'uninitialized' ? '?' : row.charAt(0),
    );
    expect(letters.join(' ')).toBe(expected);
  });

  test('what a guest made is read until the output field of the name is set', () => {
    expect(reads(policies.GUEST_SET, 'i64')).toBe('generated');
  });

  test('every place has its name in the public table', () => {
    expect(Object.keys(EXPRESSION_CONTEXTS)).toEqual(
      Object.keys(policies).map((name) => name.toLowerCase()),
    );
  });

  /** Places where LOOKUP_HASH_MAP, read_header and read_headers may be called. */
  test.each(Object.keys(TABLE))('TYPE 6.5 functions of the surroundings in %s', (name) => {
    const scope = scopeOf(policyOf(name), { assigned: new Set(['i64']) });
    const isTyped = (expression: Expression): boolean =>
      typeof typing(expression, scope) !== 'string';
    const forbidsLookups =
      /^(WINDOW_SET|AGGREGATE_|GENERATOR_|CORRELAT|DEDUP|REORDER|INFERENCER|EMITTER_VALUES)/u.test(
        name,
      ) || /(ERROR_SET|DEFAULT|SUBSCRIPTION_WHERE)$/u.test(name);
    expect(isTyped(call('LOOKUP_HASH_MAP', text('cities'), int(1), text('f64')))).toBe(
      !forbidsLookups,
    );
    const hasHeaders = /^(INGESTOR_|DECODE_ERROR|BRANCH_SET)/u.test(name);
    expect(isTyped(call('read_header', text('x')))).toBe(hasHeaders);
    expect(isTyped(call('read_headers', text('x')))).toBe(hasHeaders);
  });
});

test.each([
  [
    policies.PROCESSOR_CONDITION,
    'output.i64',
    "reference 'output.i64' is not available in FROM WHERE or FILTER WHERE",
  ],
  [policies.PROCESSOR_CONDITION, 'nope', "unknown input field 'nope'"],
  [policies.PROCESSOR_CONDITION, 'branch.nope', "unknown branch field 'nope'"],
  [policies.PROCESSOR_SET, 'output.i64', "output field 'i64' is not initialized"],
  [policies.PROCESSOR_SET, 'output.nope', "unknown output field 'nope'"],
  [
    policies.WINDOW_SET,
    'input.i64',
    'input.i64 is available only inside a window aggregate argument',
  ],
  [
    policies.AGGREGATE_ARGUMENT,
    'output.i64',
    "window aggregate arguments may read only input fields, found 'output.i64'",
  ],
  [
    policies.AGGREGATE_ARGUMENT,
    'i64',
    "window aggregate arguments may read only input fields, found 'i64'",
  ],
  [policies.ERROR_SET, 'nope', "unknown error field 'nope'"],
])('TX-48 reason %#', (policy, written, reason) => {
  expect(typing(field(written), scopeOf(policy))).toBe(reason);
});

test('RT-17 branch is not available on an unbranched node', () => {
  const scope = scopeOf(policies.PROCESSOR_SET, { rows: {} });
  expect(typing(field('branch.tenant'), scope)).toBe(
    "reference 'branch.tenant' is not available because the node is unbranched",
  );
});

test('an error record reads its own fields first, then those of the error', () => {
  expect(reads(policies.ERROR_SET, 'i64')).toBe('error');
  expect(reads(policies.ERROR_SET, 'i64', ['i64'])).toBe('output');
  expect(reads(policies.ERROR_SET, 'partial_output.i64')).toBe('partial_output');
});

test('a nested aggregate is refused', () => {
  const nested = call('sum', call('count', field('input.i64')));
  expect(typing(nested, scopeOf(policies.WINDOW_SET))).toBe(
    'aggregate functions must not be nested inside aggregate arguments',
  );
});
