import { parseScript } from '@nervix/nspl-parser';
import { describe, expect, test } from 'vitest';
import { completionCatalog } from '../../src/control-plane/reads/completion-catalog.ts';
import { reboundResource } from '../../src/control-plane/reads/suggest.ts';
import { modelRecordKey } from '../../src/replicated-state/record-keys.ts';
import type { StateRecord } from '../../src/replicated-state/records.ts';
import { ReplicatedState } from '../../src/replicated-state/replicated-state.ts';
import { domainRecords, relayRecords } from '../support/activation-cluster.ts';

/** The statements of a text, as a transaction would hold them. */
function queued(text: string) {
  const { statements, errors } = parseScript(text, { grammar: 'server' });
  expect(errors).toEqual([]);
  return statements.map(({ statement }) => statement);
}

const STATEMENTS = queued(`
  CREATE RESOURCE certs;
  CREATE RESOURCE others;
  CREATE VHOST bound a.example WITH TLS certs VERSION 1;
  CREATE VHOST elsewhere b.example WITH TLS others VERSION 1;
  CREATE VHOST plain c.example;
  CREATE VHOST dropped d.example WITH TLS certs VERSION 1;
  DROP VHOST dropped;
`);

describe('CP-50: names as a transaction will leave them', () => {
  test('of each kind the models that will be bound to the resource', () => {
    const state = new ReplicatedState();
    const scope = { domain: null, queued: STATEMENTS };
    const all = completionCatalog(state, { ...scope, rebound: null });
    expect(all.names?.('vhost')).toEqual(['bound', 'elsewhere', 'plain']);
    const bound = completionCatalog(state, { ...scope, rebound: 'certs' });
    expect(bound.names?.('vhost')).toEqual(['bound']);
    expect(bound.names?.('client')).toEqual([]);
    expect(bound.names?.('resource')).toEqual(['certs', 'others']);
    expect(bound.completedVersions?.('certs')).toEqual([]);
  });

  test('of what is committed at each revision, however often it was asked before', () => {
    const state = new ReplicatedState();
    const names = (text: string) => {
      const scope = { domain: 'd', queued: queued(text), rebound: null };
      return completionCatalog(state, scope).names?.('relay');
    };
    const commit = (revision: number, put: readonly StateRecord[], remove: readonly string[]) => {
      state.apply({ fences: [], put, remove, reference: null }, BigInt(revision), revision);
      state.publish(BigInt(revision));
    };
    commit(1, [...domainRecords(), ...relayRecords('a', 'n1')], []);
    expect([names(''), names(''), names('DROP RELAY a;')]).toEqual([['a'], ['a'], []]);
    commit(2, relayRecords('b', 'n1'), []);
    expect([names(''), names('DROP RELAY a;'), names('')]).toEqual([['a', 'b'], ['b'], ['a', 'b']]);
    commit(3, [], [modelRecordKey('d', 'relay', 'a')]);
    expect([names(''), names('')]).toEqual([['b'], ['b']]);
  });

  test.each([
    ['REBIND RESOURCE Certs TO VERSION 4 FOR VHOST ', 'certs'],
    ['START; rebind resource certs to version latest for client a, vhost ', 'certs'],
    ['REBIND RESOURCE certs TO VERSION 4 ', null],
    ['REBIND RESOURCE certs TO VERSION 4 FOR VHOST a; DROP VHOST ', null],
    ['DROP VHOST ', null],
  ])('%s', (input, resource) => {
    expect(reboundResource(input, Buffer.byteLength(input))).toBe(resource);
  });

  test.each([
    ['repeated words', `REBIND RESOURCE certs ${'FOR '.repeat(300_000)};`],
    ['blanks', `${' '.repeat(1_200_000)};`],
    ['blanks behind the verb', `REBIND${' '.repeat(1_200_000)}`],
    ['a long name', `REBIND RESOURCE ${'a'.repeat(1_200_000)}`],
    ['statements', ';REBIND RESOURCE certs '.repeat(60_000)],
  ])('takes a time that grows with the text and no faster: %s', (_, input) => {
    const startedMs = performance.now();
    expect(reboundResource(input, Buffer.byteLength(input))).toBeNull();
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });
});
