import { describe, expect, test } from 'vitest';
import { failoverAllowance } from '../../src/publication/failover-allowance.js';
import { maySchedule } from '../../src/publication/observation-grace.js';
import { judgeCandidate } from '../../src/publication/schedule-candidate.js';
import { scheduleLines } from '../../src/publication/schedule-lines.js';
import { entries } from '../support/domain-fixture.js';

describe('PS-30 judgeCandidate', () => {
  const basis = { leader: 'n1', term: 3n, revision: 40n, schedule: entries({ a: 'n1 n2' }) };
  const candidate = { domain: 'd', basis, entries: entries({ a: 'n2' }) };

  test.each([
    [{}, { kind: 'accepted' }],
    [{ leader: 'n2' }, { kind: 'stale', reason: 'tenure' }],
    [{ term: 4n }, { kind: 'stale', reason: 'tenure' }],
    [{ revision: 41n }, { kind: 'stale', reason: 'revision' }],
    [{ schedule: entries({ a: 'n1' }) }, { kind: 'stale', reason: 'schedule' }],
    [{ schedule: entries({}) }, { kind: 'stale', reason: 'schedule' }],
  ])('%o', (change, verdict) => {
    expect(judgeCandidate(candidate, { ...basis, ...change })).toEqual(verdict);
  });
});

test.each([
  [{ graphNodes: 40, failedOver: 0 }, 4],
  [{ graphNodes: 40, failedOver: 3 }, 1],
  [{ graphNodes: 40, failedOver: 9 }, 0],
  [{ graphNodes: 3, failedOver: 0 }, 1],
  [{ graphNodes: 3, failedOver: 1 }, 0],
])('OP-44 with %o, %i graph nodes may still fail over', (history, expected) => {
  expect(failoverAllowance(history)).toBe(expected);
});

describe('PS-31 maySchedule', () => {
  test.each([
    [0, ['n1', 'n2'], true],
    [9_999, ['n1'], false],
    [10_000, ['n1'], true],
    [0, ['n1', 'n2', 'former'], true],
  ])('after %i ms having seen %o', (elapsedMs, seen, expected) => {
    const history = { elapsedMs, voters: ['n1', 'n2'], seenLive: new Set(seen) };
    expect(maySchedule(history)).toBe(expected);
  });
});

test('PS-61 schedule lines of SHOW CLUSTER STATUS', () => {
  expect(scheduleLines([])).toEqual(['- none']);
  const schedules = [
    { domain: 'z', entries: [] },
    { domain: 'a', entries: entries({ 'relay:r': '', 'lookup:geo': 'n1 n2 n3', j: 'n2' }) },
  ];
  expect(scheduleLines(schedules)).toEqual([
    '- domain=a kind=junction name=j owner=n2 replicas=-',
    '- domain=a kind=lookup name=geo owner=n1 replicas=n2,n3',
    '- domain=a kind=relay name=r owner=- replicas=-',
    '- domain=z nodes=none',
  ]);
});
