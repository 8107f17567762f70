import { expect, test } from 'vitest';
import { domainSnapshot } from '../src/cli/domain-snapshot.ts';

const CLUSTER = [
  '[chitchat]',
  '- none',
  '',
  '[raft]',
  'raft.cordoned_nodes: n2,n4',
  'raft.membership:',
  '- n1 [voter] 127.0.0.1:1',
  '- n2 [voter] -',
  '- n4 [learner] -',
  '',
  '[schedule]',
  '- domain=shop kind=relay name=r owner=n1 replicas=n2,n4',
  '- domain=shop kind=emitter name=e owner=- replicas=-',
  '- domain=other kind=relay name=r owner=n2 replicas=-',
  '',
  '[warnings]',
  "- raft member 'n4' is marked unavailable by application health",
].join('\n');

const TEXTS = {
  domain: 'shop',
  models: ['CREATE SCHEMA s (id I64);'],
  resources: new Map([
    ['certs', 'resource: certs\nversions: 1,3\nlatest: 3'],
    ['empty', 'resource: empty\nversions: (none)\nlatest: (none)'],
  ]),
  description: 'domain: shop\nstatus: paused\nplacement:\n  default policy: PREFER COLOCATION',
  cluster: CLUSTER,
};

test('a snapshot holds what the reads of a node tell', () => {
  const node = { isLive: true, isCordoned: false, isTerminating: false, isVoter: true };
  expect(domainSnapshot(TEXTS)).toMatchObject({
    version: 1,
    domain: 'shop',
    status: 'running',
    placement: 'PREFER COLOCATION',
    models: [{ kind: 'schema', name: 's' }],
    resources: [
      { name: 'certs', versions: [1, 3] },
      { name: 'empty', versions: [] },
    ],
    nodes: [
      { ...node, name: 'n1' },
      { ...node, name: 'n2', isCordoned: true },
      { ...node, name: 'n4', isCordoned: true, isLive: false, isVoter: false },
    ],
    schedule: [
      { kind: 'relay', name: 'r', nodes: ['n1', 'n2', 'n4'] },
      { kind: 'emitter', name: 'e', nodes: [] },
    ],
  });
});

test('a model that the client cannot read is an error, not a smaller snapshot', () => {
  const models = ['CREATE SOMETHING new;'];
  expect(() => domainSnapshot({ ...TEXTS, models })).toThrow(
    'the node described a model that this client cannot read: CREATE SOMETHING new;',
  );
});
