import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RaftNode, type RaftNodeOptions, TcpTransport } from '../../src/index.ts';
import { FIRST_LEVELS } from '../../src/raft/feature-levels.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import { checkWorkerOptions } from '../../src/worker/worker-option-checks.ts';
import { LedgerMachine } from '../support/ledger-machine.ts';
import { SilentTransport } from '../support/silent-transport.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

type Changes = Readonly<Record<string, unknown>>;

const cluster = { transport: new SilentTransport(), bootstrap: true };

/** Changes of options that work, the option that is refused for each, and what is said of it. */
const inEveryThread: readonly (readonly [Changes, string, RegExp])[] = [
  [{ directory: '' }, 'directory', /is ""; it must be a text that is not empty/],
  [{ directory: undefined }, 'directory', /is undefined/],
  [{ directory: 'a\0b' }, 'directory', /not empty/],
  [{ clusterId: '' }, 'clusterId', /1 to 128 printable characters/],
  [{ clusterId: 5 }, 'clusterId', /is 5;/],
  [{ nodeId: ' ' }, 'nodeId', /printable/],
  [{ nodeId: 'a\nb' }, 'nodeId', /printable/],
  [{ nodeId: '\ud800' }, 'nodeId', /printable/],
  [{ nodeId: 'n'.repeat(129) }, 'nodeId', /is a long text;/],
  [{ nodeId: null }, 'nodeId', /is null;/],
  [{ nodeId: {} }, 'nodeId', /is an object;/],
  [{ storeId: 'abc' }, 'storeId', /32 lower-case hexadecimal digits/],
  [{ limits: 5 }, 'limits', /is 5; it must be an object/],
  [{ limits: { queuedBytesMax: 0 } }, 'limits.queuedBytesMax', /a whole number from 1/],
  [{ limits: { payloadBytesMax: 2 ** 40 } }, 'limits.payloadBytesMax', /a whole number from 1 to/],
  [{ limits: { queuedReadMax: 5 } }, 'limits.queuedReadMax', /did you mean 'queuedReadsMax'\?$/],
  [{ timing: { foo: 1 } }, 'timing.foo', /is unknown$/],
  [{ timing: { heartbeatMs: 0.0001 } }, 'timing.heartbeatMs', /a number from 10 to 3600000/],
  [{ timing: { electionMaxMs: 1e12 } }, 'timing.electionMaxMs', /a number from 10/],
  [{ timing: { heartbeatMs: Number.NaN } }, 'timing.heartbeatMs', /is NaN;/],
  [{ retention: { retainedBytesMax: 0 } }, 'retention.retainedBytesMax', /number from 4096/],
  [{ retention: { entriesKept: -1 } }, 'retention.entriesKept', /number from 0/],
  [{ diskSpace: 'x' }, 'diskSpace', /is "x"; it must be 'unwatched'/],
  [{ diskSpace: true }, 'diskSpace', /is true; it must be an object/],
  [{ diskSpace: {} }, 'diskSpace.lowBytes', /is undefined/],
  [{ diskSpace: { freeBytesMin: -1 } }, 'diskSpace.freeBytesMin', /is unknown/],
  [{ diskSpace: { lowBytes: 2, enoughBytes: 1 } }, 'diskSpace.enoughBytes', /at least lowBytes/],
  [{ readMode: 'x' }, 'readMode', /'round' or 'lease'/],
  [{ observe: 'x' }, 'observe', /a function/],
  [{ clusterID: 'c' }, 'clusterID', /did you mean 'clusterId'\?$/],
  [{ cluster: 5 }, 'cluster', /is 5;/],
  [{ stateMachine: undefined }, 'stateMachine', /is undefined; it must be an object/],
];

const inThisThread: readonly (readonly [Changes, string, RegExp])[] = [
  [{ timing: { electionMinMs: 3_000, electionMaxMs: 3_000 } }, 'timing.electionMaxMs', /more than/],
  [
    { timing: { heartbeatMs: 1_500 } },
    'timing.electionMinMs',
    /must be more than heartbeatMs, 1500/,
  ],
  [{ stateMachine: {} }, 'stateMachine.restore', /is undefined; it must be a function/],
  [{ stateMachine: { restore() {}, apply() {}, publish: 1 } }, 'stateMachine.publish', /is 1/],
  [{ intercept: 1 }, 'intercept', /a function/],
  [{ cluster: {} }, 'cluster.bootstrap', /true or false/],
  [{ cluster: { bootstrap: true } }, 'cluster.transport', /is undefined/],
  [{ cluster: { ...cluster, transport: {} } }, 'cluster.transport.listen', /a function/],
  [{ cluster: { ...cluster, contacts: 'x' } }, 'cluster.contacts', /an array/],
  [{ cluster: { ...cluster, contacts: ['a:1', 'abc'] } }, 'cluster.contacts[1]', /host:port/],
  [{ cluster: { ...cluster, contacts: ['a:0'] } }, 'cluster.contacts[0]', /host:port/],
  [{ cluster: { ...cluster, incarnation: -1n } }, 'cluster.incarnation', /is -1n; .* 64 bits/],
  [{ cluster: { ...cluster, admits: [] } }, 'cluster.admits', /is an array; .* a function/],
];

describe('every option is judged before anything is created', () => {
  test.each([...inEveryThread, ...inThisThread])('%o: %s', async (changes, option, problem) => {
    const folder = temporaryDirectory();
    const usable = { clusterId: 'c', nodeId: 'n', stateMachine: new LedgerMachine() };
    const directory = path.join(folder, 'store');
    const options = { directory, ...usable, ...changes } as unknown as RaftNodeOptions;
    await expect(RaftNode.open(options)).rejects.toMatchObject({
      name: 'RaftError',
      code: 'RAFT_INVALID_OPTION',
      details: { option, problem: expect.stringMatching(problem) },
      message: expect.stringMatching(/^the option /),
    });
    expect(readdirSync(folder)).toEqual([]);
    expect(cluster.transport.isClosed).toBe(false);
  });

  test('no options at all', async () => {
    await expect(RaftNode.open(undefined as never)).rejects.toMatchObject({
      details: { option: 'options', problem: 'is undefined; it must be an object' },
    });
  });

  test('an explicit undefined is as good as nothing', async () => {
    const nothing = { heartbeatMs: undefined } as unknown as Partial<{ heartbeatMs: number }>;
    const node = await RaftNode.open({
      directory: path.join(temporaryDirectory(), 'store'),
      clusterId: 'c',
      nodeId: 'n',
      stateMachine: new LedgerMachine(),
      timing: nothing,
      storeId: undefined,
    });
    await node.close();
  });
});

describe('the same options of a node in a worker', () => {
  const usable = {
    directory: 'd',
    clusterId: 'c',
    nodeId: 'n',
    stateMachine: { url: './machine.js' },
    cluster: { transport: { listen: '127.0.0.1:0', tls: 'plaintext' }, bootstrap: true },
  };
  const refusalOf = (changes: Changes) =>
    expect(() => checkWorkerOptions({ ...usable, ...changes }));

  test.each(inEveryThread)('%o: %s', (changes, option, problem) => {
    const details = { option, problem: expect.stringMatching(problem) };
    refusalOf(changes).toThrow(expect.objectContaining({ details }));
  });

  test.each<readonly [Changes, string]>([
    [{ storage: {} }, 'storage'],
    [{ mirror: {} }, 'mirror.reset'],
    [{ stateMachine: new LedgerMachine() }, 'stateMachine.working'],
    [{ stateMachine: { url: 5 } }, 'stateMachine.url'],
    [{ cluster: { ...usable.cluster, transport: {} } }, 'cluster.transport.listen'],
    [{ cluster: { ...usable.cluster, admits: ['n2', ''] } }, 'cluster.admits[1]'],
    [{ cluster: { ...usable.cluster, admits: {} } }, 'cluster.admits.url'],
  ])('%o: %s', (changes, option) => {
    refusalOf(changes).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ option }) }),
    );
  });

  test('what works is let through', () => {
    refusalOf({ stateMachine: { url: new URL('file:///machine.js'), argument: 1n } }).not.toThrow();
    refusalOf({ cluster: { ...usable.cluster, admits: ['n2'] } }).not.toThrow();
  });
});

describe('a transport', () => {
  test.each<readonly [Changes, string, RegExp]>([
    [{ listen: 'abc' }, 'listen', /an endpoint of the form host:port/],
    [{ advertise: 'abc' }, 'advertise', /host:port/],
    [{ tls: undefined }, 'tls', /is undefined; it must be an object/],
    [{ tls: 'plain' }, 'tls', /is "plain"; it must be 'plaintext'/],
    [{ tls: {} }, 'tls.ca', /not empty/],
    [{ timing: { pingMs: 0 } }, 'timing.pingMs', /a whole number from 1/],
    [{ timing: { pingMs: 5_000 } }, 'timing.pingMs', /must be below stallMs, 5000/],
    [{ timing: { backoffMinMs: 6_000 } }, 'timing.backoffMinMs', /at most backoffMaxMs, 5000/],
    [{ limits: { peerMax: 3 } }, 'limits.peerMax', /did you mean 'peersMax'/],
    [{ random: 5 }, 'random', /a function/],
  ])('is not made with %o', (changes, option, problem) => {
    const options = { listen: '127.0.0.1:0', tls: 'plaintext', ...changes } as never;
    const details = { option, problem: expect.stringMatching(problem) };
    expect(() => new TcpTransport(options)).toThrow(expect.objectContaining({ details }));
  });

  test('CS-140 without TLS it advertises no address beyond loopback', () => {
    const options = { listen: '127.0.0.1:0', advertise: '10.0.0.1:5', tls: 'plaintext' } as const;
    expect(() => new TcpTransport(options)).toThrow(
      expect.objectContaining({ code: 'RAFT_PLAINTEXT_REFUSED' }),
    );
  });

  test('of a node is refused to another one, which leaves the first whole', async () => {
    const folder = temporaryDirectory();
    const transport = new TcpTransport({ listen: '127.0.0.1:0', tls: 'plaintext' });
    const open = (name: string) =>
      RaftNode.open({
        directory: path.join(folder, name),
        clusterId: 'c',
        nodeId: name,
        stateMachine: new LedgerMachine(),
        diskSpace: 'unwatched',
        cluster: { transport, bootstrap: true },
      });
    const node = await open('n1');
    onTestFinished(() => node.close());
    await expect(open('n2')).rejects.toMatchObject({
      message: 'the option cluster.transport belongs to another node; make one for each node',
    });
    expect(readdirSync(folder).sort()).toEqual(['n1', 'n1.anchor']);
    const asking = new TcpTransport({ listen: '127.0.0.1:0', tls: 'plaintext' });
    onTestFinished(() => asking.close());
    await asking.listen();
    const own = { clusterId: 'c', clusterUid: undefined, nodeId: 'n3', incarnation: 1n };
    const leveled = { levels: FIRST_LEVELS, level: undefined };
    const ids = { storeId: 'a'.repeat(32), epoch: 'b'.repeat(32), endpoint: asking.endpoint };
    const answer = await asking.ask(transport.endpoint, { ...own, ...ids, ...leveled });
    expect(answer).toMatchObject({ kind: 'introduced', peer: { nodeId: 'n1' } });
  });

  test('can be used again when the store could not be opened', async () => {
    const directory = path.join(temporaryDirectory(), 'n1');
    const held = await LevelLogStorage.open({ directory, clusterId: 'c', nodeId: 'n1' });
    const transport = new TcpTransport({ listen: '127.0.0.1:0', tls: 'plaintext' });
    const open = () =>
      RaftNode.open({
        directory,
        clusterId: 'c',
        nodeId: 'n1',
        stateMachine: new LedgerMachine(),
        diskSpace: 'unwatched',
        cluster: { transport, bootstrap: true },
      });
    for (const _ of [1, 2])
      await expect(open()).rejects.toMatchObject({ code: 'RAFT_STORAGE_LOCKED' });
    await held.close();
    const node = await open();
    await node.close();
  });
});
