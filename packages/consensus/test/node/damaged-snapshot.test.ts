import { expect, onTestFinished, test } from 'vitest';
import {
  type LogStorage,
  MemoryDisk,
  MemoryLogStorage,
  RaftError,
  RaftNode,
  type RaftNodeOptions,
  TcpTransport,
} from '../../src/index.ts';
import { encodeCommand, LedgerMachine } from '../support/ledger-machine.ts';
import { until } from '../support/transport-fixture.ts';

type Observed = Parameters<NonNullable<RaftNodeOptions['observe']>>[0];

const retention = { entriesThreshold: 5, entriesKept: 2 };
const timing = { heartbeatMs: 50, electionMinMs: 300, electionMaxMs: 600 };

/** A store whose first snapshot cannot be read any more. */
function withDamage(storage: LogStorage, reads: bigint[]): LogStorage {
  const snapshotSection = async (generation: bigint, section: number): Promise<Uint8Array> => {
    reads.push(generation);
    if (generation === 1n) {
      const details = { directory: 'memory', location: 'section', problem: 'checksum differs' };
      throw new RaftError('RAFT_STORAGE_CORRUPT', details);
    }
    return storage.snapshotSection(generation, section);
  };
  return new Proxy(storage, {
    get(target, name) {
      if (name === 'snapshotSection') return snapshotSection;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

async function openMember(
  nodeId: string,
  contacts: readonly string[],
  wrap: (storage: LogStorage) => LogStorage = (it) => it,
): Promise<{ node: RaftNode; machine: LedgerMachine; events: Observed[]; endpoint: string }> {
  const disk = new MemoryDisk();
  const storage = await MemoryLogStorage.open({ disk, clusterId: 'c1', nodeId });
  const transport = new TcpTransport({ listen: '127.0.0.1:0', tls: 'plaintext' });
  const machine = new LedgerMachine();
  const events: Observed[] = [];
  const node = await RaftNode.open({
    storage: wrap(storage),
    stateMachine: machine,
    retention,
    timing,
    cluster: { transport, bootstrap: contacts.length === 0, contacts },
    observe: (event) => events.push(event),
  });
  onTestFinished(() => node.close());
  return { node, machine, events, endpoint: transport.endpoint };
}

const phases = (events: readonly Observed[]): readonly string[] =>
  events.flatMap((event) => (event.kind === 'snapshot' ? [event.phase] : []));

test('CS-110 a snapshot that turns out to be damaged is made anew and sent', async () => {
  const reads: bigint[] = [];
  const leader = await openMember('n1', [], (storage) => withDamage(storage, reads));
  for (let number = 0; number < 40; number += 1) {
    const command = { op: 'put', key: `k${number}`, value: `${number}` } as const;
    await leader.node.propose(encodeCommand(command));
  }
  // The member alone has cut its log, so whoever joins needs a snapshot.
  expect(leader.node.status().firstIndex).toBeGreaterThan(1n);
  const joined = await openMember('n2', [leader.endpoint]);
  await until(
    () => joined.machine.published.size === 40,
    'the records of the joined member',
    15_000,
  );
  expect(joined.machine.published).toEqual(leader.machine.published);
  expect(phases(joined.events)).toContain('installed');
  expect(phases(leader.events).slice(0, 5)).toEqual([
    'begun',
    'complete',
    'damaged',
    'begun',
    'complete',
  ]);
  // Once known to be damaged it is not read again.
  expect(reads).toEqual([1n, 2n]);
  await leader.node.propose(encodeCommand({ op: 'put', key: 'last', value: '1' }));
  await until(() => joined.machine.published.has('last'), 'the last record', 5_000);
});
