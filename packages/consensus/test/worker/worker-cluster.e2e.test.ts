import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { TestAuthority } from '@nervix/testkit';
import { expect, onTestFinished, test } from 'vitest';
import type {
  CredentialBundle,
  RaftWorkerNode,
  RaftWorkerNodeOptions,
  WorkerClusterOptions,
} from '../../src/index.ts';
import { encodeCommand } from '../support/ledger-machine.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { until } from '../support/transport-fixture.ts';

// A worker runs built files.
const built = pathToFileURL(path.join(import.meta.dirname, '..', '..', 'dist', 'index.js')).href;
const { RaftWorkerNode: Built } = (await import(built)) as typeof import('../../src/index.ts');

const machines = new URL('../support/worker-machine.ts', import.meta.url).href;
const timing = { heartbeatMs: 60, electionMinMs: 400, electionMaxMs: 800 };
const put = (key: string) => encodeCommand({ op: 'put', key, value: 'v' });

async function open(
  nodeId: string,
  cluster: Omit<WorkerClusterOptions, 'bootstrap'>,
  options: Partial<RaftWorkerNodeOptions> = {},
): Promise<RaftWorkerNode> {
  const node = await Built.open({
    directory: path.join(temporaryDirectory(), 'consensus'),
    clusterId: 'c1',
    nodeId,
    stateMachine: { url: machines, name: 'ledger' },
    timing,
    cluster: { ...cluster, bootstrap: cluster.contacts === undefined },
    ...options,
  });
  onTestFinished(() => node.close());
  return node;
}

const membersOf = (node: RaftWorkerNode): readonly string[] => {
  const { voters, learners } = node.status().configuration!.configuration;
  return [...voters, ...learners].map((it) => it.nodeId).sort();
};
const votersOf = (node: RaftWorkerNode) => node.status().configuration?.configuration.voters ?? [];

test('CS-1 CS-146 CS-148 a node in a thread resolves by a given file, and lives on with new credentials', {
  timeout: 30_000,
}, async () => {
  const hostsFile = path.join(temporaryDirectory(), 'hosts');
  writeFileSync(hostsFile, '127.0.0.1 member.test\n');
  const authority = new TestAuthority();
  const credentials = (nodeId: string, validToMs?: number): CredentialBundle => {
    const names = [`nervix://cluster/c1/node/${nodeId}`, 'member.test'];
    return authority.leaf({ names, ...(validToMs === undefined ? {} : { validToMs }) });
  };
  const place = {
    listen: '127.0.0.1:0',
    advertise: 'member.test:0',
    resolver: { hostsFile, servers: [] },
  };
  const validToMs = Date.now() + 6_000;
  const founder = await open('n1', { transport: { ...place, tls: credentials('n1', validToMs) } });
  const [own] = votersOf(founder);
  expect(own?.endpoint).toMatch(/^member\.test:\d+$/);
  const transport = { ...place, tls: credentials('n2', validToMs) };
  const joiner = await open('n2', { transport, contacts: [own!.endpoint] });
  await until(() => votersOf(founder).length === 2 && votersOf(joiner).length === 2, 'two votes');
  expect(Date.now()).toBeLessThan(validToMs);
  const foreign = new TestAuthority('another').node('n1', 'c1');
  await expectRaftError(founder.reloadCredentials(foreign), 'RAFT_CREDENTIALS_INVALID');
  await founder.reloadCredentials(credentials('n1'));
  await joiner.reloadCredentials(credentials('n2'));
  await until(() => Date.now() > validToMs + 1_500, 'the end of the first certificates', 12_000);
  // Both votes are needed.
  expect(await founder.propose(put('after'))).toMatchObject({ revision: 1n });
  await joiner.read();
  const { counters, queues } = await founder.transportStatus();
  expect(counters.get('malformed') ?? 0).toBe(0);
  expect([...queues.keys()].map((it) => it.split('/').at(-1)).sort()).toEqual([
    'management',
    'replication',
  ]);
});

const plain = { listen: '127.0.0.1:0', tls: 'plaintext' } as const;

test.each([
  ['a list', ['n2']],
  ['a module', { url: machines, name: 'admission', argument: 'n2' }],
])('CS-1 CS-125 %s decides who becomes a member of a node in a thread', async (_, admits) => {
  const founder = await open('n1', { transport: plain, admits });
  const contacts = [votersOf(founder)[0]!.endpoint];
  const connected = new Set<string>();
  const observe: RaftWorkerNodeOptions['observe'] = (event) => {
    if (event.kind === 'connected') connected.add(event.peer.nodeId);
  };
  const stranger = await open('n3', { transport: plain, contacts }, { observe });
  await until(() => connected.has('n1'), 'the introduction of the stranger');
  await open('n2', { transport: plain, contacts });
  await until(() => votersOf(founder).length === 2, 'the vote of the other');
  expect(membersOf(founder)).toEqual(['n1', 'n2']);
  expect(stranger.status().configuration).toBeUndefined();
});

test('CS-1 a node alone has no credentials and an idle transport', async () => {
  const node = await open('n1', { transport: plain }, { cluster: undefined });
  const bundle = new TestAuthority().node('n1', 'c1');
  await expect(node.reloadCredentials(bundle)).rejects.toThrow('the node is one of several');
  expect(await node.transportStatus()).toEqual({ counters: new Map(), queues: new Map() });
});

test('CS-1 a module that admits nobody by itself is refused', async () => {
  const admits = { url: machines, name: 'ledger' };
  const opened = open('n1', { transport: plain, admits });
  await expect(opened).rejects.toThrow('makes a function that admits');
});
