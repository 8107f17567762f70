import { onTestFinished } from 'vitest';
import {
  type ClusterOptions,
  type LogStorage,
  MemoryDisk,
  MemoryLogStorage,
  RaftNode,
  type RaftNodeOptions,
  TcpTransport,
  type WriteInterceptor,
} from '../../src/index.ts';
import { LedgerMachine } from './ledger-machine.ts';
import { CLUSTER_TIMING, type NodeRun } from './node-cluster.ts';

/** How a member differs from the founder of a cluster with the usual timing. */
export interface MemoryMemberOptions {
  readonly nodeId?: string;
  /** Others that it joins; without any it founds. */
  readonly contacts?: readonly string[];
  readonly retention?: RaftNodeOptions['retention'];
  readonly admits?: ClusterOptions['admits'];
  readonly intercept?: WriteInterceptor;
  /** Puts something in front of its store. */
  readonly wrap?: (storage: LogStorage) => LogStorage;
}

/** A store with some of its calls replaced. */
export function withCalls(storage: LogStorage, calls: Partial<LogStorage>): LogStorage {
  return new Proxy(storage, {
    get(target, name) {
      if (name in calls) return Reflect.get(calls, name, calls);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** Opens a member with a store in memory on loopback; it is closed when the test ends. */
export async function openMemoryMember(options: MemoryMemberOptions = {}): Promise<NodeRun> {
  const { nodeId = 'n1', contacts = [], retention, admits, intercept, wrap } = options;
  const disk = new MemoryDisk();
  const storage = await MemoryLogStorage.open({ disk, clusterId: 'c1', nodeId, intercept });
  const transport = new TcpTransport({ listen: '127.0.0.1:0', tls: 'plaintext' });
  const machine = new LedgerMachine();
  const events: NodeRun['events'] = [];
  const node = await RaftNode.open({
    storage: wrap === undefined ? storage : wrap(storage),
    stateMachine: machine,
    retention,
    timing: CLUSTER_TIMING,
    cluster: { transport, bootstrap: contacts.length === 0, contacts, admits },
    observe: (event) => events.push(event),
  });
  onTestFinished(() => node.close());
  const stalled = () => transport.counters.get('stalled') ?? 0;
  return { node, machine, events, endpoint: transport.endpoint, stalled };
}
