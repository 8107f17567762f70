import { expect, test } from 'vitest';
import { nearestName } from '../../src/options/spelling.ts';

const known = ['heartbeatMs', 'electionMinMs', 'electionMaxMs', 'writeStallMs'];

test.each([
  ['heartbeatMS', 'heartbeatMs'],
  ['hearbeatMs', 'heartbeatMs'],
  ['electionmaxms', 'electionMaxMs'],
  ['electionMixMs', 'electionMinMs'],
  ['writeStalMss', 'writeStallMs'],
  ['timeout', undefined],
  ['', undefined],
  ['x', undefined],
])('%s is taken for %s', (unknown, meant) => {
  expect(nearestName(unknown, known)).toBe(meant);
});

test('a short name is not taken for any other short one', () => {
  expect(nearestName('ab', ['xy'])).toBeUndefined();
  expect(nearestName('tsl', ['tls'])).toBeUndefined();
  expect(nearestName('tlss', ['tls'])).toBe('tls');
});
