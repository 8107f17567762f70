import { expect, test } from 'vitest';
import { domainModels, planSubscriptionFilter, unsupportedDomain } from '../src/index.js';
import { binary, field, int, text } from './support/expressions.js';
import { DOMAIN, SAMPLE } from './support/models.js';

const filter = (relay: string, where: Parameters<typeof binary>[0]) =>
  planSubscriptionFilter({ domain: DOMAIN, models: domainModels(SAMPLE), relay, where });

test('a condition may read every field of the relay, sensitive ones too', () => {
  expect(filter('events', binary(field('message.secret'), 'eq', text('x')))).toMatchObject({
    kind: 'accepted',
    filter: { kind: 'binary', type: 'BOOL', left: { kind: 'column', row: 'input' } },
  });
});

test('an absent relay', () => {
  expect(filter('nope', int(1))).toMatchObject({
    refusals: [{ message: "stream 'nope' does not exist in domain 'taxi'", missingName: 'nope' }],
  });
});

test('a condition that is not BOOL names the node at fault', () => {
  const where = int(1);
  const outcome = filter('events', where);
  expect(outcome).toMatchObject({
    refusals: [
      {
        code: 'PLAN_INVALID_EXPRESSION',
        message: 'subscription WHERE compile failed: WHERE expression must evaluate to Boolean',
      },
    ],
  });
  expect(outcome.kind === 'rejected' && outcome.refusals[0]?.subject).toBe(where);
});

test.each([
  [{ kind: 'unpaced' } as const, undefined],
  [
    { kind: 'paced', periodNanos: '1', skewNanos: '1' } as const,
    'PACED domains are not supported by this release',
  ],
])('domains this release cannot run %#', (pace, reason) => {
  expect(unsupportedDomain({ pace })).toBe(reason);
});
