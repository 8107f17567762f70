import { describe, expect, test } from 'vitest';
import type { ScopePolicy } from '../../src/expression/scope-policy.js';
import * as policies from '../../src/expression/scope-policy.js';
import { call, field } from '../support/expressions.js';
import { scopeOf, typing } from '../support/typing.js';

function policyOf(name: string): ScopePolicy {
  const found = Object.entries(policies).find(([key]) => key === name);
  if (found === undefined) throw new Error(`no policy ${name}`);
  return found[1];
}

/** The row a reference reads, `refused`, or `uninitialized`. */
function reads(policy: ScopePolicy, written: string, assigned: readonly string[] = []): string {
  const value = typing(field(written), scopeOf(policy, { assigned: new Set(assigned) }));
  if (value === null) return 'NULL';
  if (typeof value !== 'string') {
    return value.expression.kind === 'column' ? value.expression.row : value.expression.kind;
  }
  return value.includes('initialized') ? 'uninitialized' : 'refused';
}

/** Columns: bare, message, input, output (i64 assigned), branch, error. */
const TABLE: readonly [keyof typeof policies, ...string[]][] = [
  ['INGESTOR_FILTER', 'input', 'input', 'input', 'refused', 'refused', 'refused'],
  ['PROCESSOR_CONDITION', 'input', 'input', 'input', 'refused', 'branch', 'refused'],
  ['EMITTER_CONDITION', 'input', 'input', 'input', 'refused', 'refused', 'refused'],
  ['DEDUPLICATE_ON', 'input', 'input', 'input', 'refused', 'branch', 'refused'],
  ['EMITTER_SOURCE', 'input', 'input', 'input', 'refused', 'refused', 'refused'],
  ['SUBSCRIPTION_WHERE', 'input', 'input', 'input', 'refused', 'refused', 'refused'],
  ['INGESTOR_SET', 'output', 'output', 'input', 'output', 'refused', 'refused'],
  ['PROCESSOR_SET', 'output', 'output', 'input', 'output', 'branch', 'refused'],
  ['EMITTER_SET', 'output', 'output', 'input', 'output', 'refused', 'refused'],
  ['INGESTOR_ROUTE_WHERE', 'output', 'output', 'input', 'output', 'refused', 'refused'],
  ['PROCESSOR_ROUTE_WHERE', 'output', 'output', 'input', 'output', 'branch', 'refused'],
  ['EMITTER_FINISHED', 'output', 'output', 'input', 'output', 'refused', 'refused'],
  ['BRANCH_SET', 'refused', 'output', 'input', 'output', 'uninitialized', 'refused'],
  ['WINDOW_SET', 'output', 'refused', 'refused', 'output', 'branch', 'refused'],
  ['AGGREGATE_ARGUMENT', 'refused', 'refused', 'input', 'refused', 'refused', 'refused'],
  ['WINDOW_ROUTE_WHERE', 'output', 'refused', 'refused', 'output', 'branch', 'refused'],
  ['ERROR_SET', 'output', 'refused', 'input', 'refused', 'branch', 'error'],
  ['INGESTOR_ERROR_SET', 'output', 'refused', 'input', 'refused', 'refused', 'error'],
  ['DECODE_ERROR_SET', 'output', 'refused', 'refused', 'refused', 'refused', 'error'],
];

describe('TYPE 5 what each place may read', () => {
  test.each(TABLE)('%s', (name, ...expected) => {
    const policy = policyOf(name);
    const found = [
      'i64',
      'message.i64',
      'input.i64',
      'output.i64',
      'branch.tenant',
      'error.i64',
    ].map((written) => reads(policy, written, ['i64']));
    expect(found).toEqual(expected);
  });

  test('the table covers every policy', () => {
    expect(TABLE.map(([name]) => name).sort()).toEqual(Object.keys(policies).sort());
  });

  test.each(Object.keys(policies))('%s has no metadata, left or right', (name) => {
    const policy = policyOf(name);
    for (const written of ['metadata.i64', 'left.i64', 'right.i64']) {
      expect(reads(policy, written)).toBe('refused');
    }
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
