import path from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type MemberChange,
  RaftNode,
  type RaftNodeOptions,
  TcpTransport,
  type TcpTransportOptions,
  type WriteInterceptor,
  type WritePoint,
} from '../../src/index.ts';
import { encodeCommand, LedgerMachine } from './ledger-machine.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { until } from './transport-fixture.ts';

/** What a node tells its observer. */
export type NodeObservation = Parameters<NonNullable<RaftNodeOptions['observe']>>[0];

/** Elections soon, but not so soon that a busy machine makes them by itself. */
export const CLUSTER_TIMING = { heartbeatMs: 60, electionMinMs: 400, electionMaxMs: 800 } as const;

export const put = (key: string, value = 'v'): Uint8Array =>
  encodeCommand({ op: 'put', key, value });

/** One process of a node as far as a test in one process can have it. */
export interface NodeRun {
  readonly node: RaftNode;
  readonly machine: LedgerMachine;
  readonly events: NodeObservation[];
  readonly endpoint: string;
  /** How many streams of appends of its were given up because nobody answered or read. */
  readonly stalled: () => number;
}

/** Nodes on loopback with stores on disk, in one process. */
export class NodeCluster {
  readonly runs = new Map<string, NodeRun>();
  readonly #directory = temporaryDirectory();
  /** Whether processes that introduce themselves become members. */
  isAdmitting = true;
  /** Deadlines of the transports that are made from now on. */
  transportTiming: NonNullable<TcpTransportOptions['timing']> = {
    backoffMinMs: 20,
    backoffMaxMs: 200,
  };
  /** Nodes of which a write hangs now. */
  readonly waiting = new Set<string>();
  /** Nodes whose writes hang, with what lets them go. */
  readonly #hanging = new Map<string, PromiseWithResolvers<void> & { readonly at?: WritePoint }>();

  constructor() {
    onTestFinished(async () => {
      for (const nodeId of this.#hanging.keys()) this.release(nodeId);
      await Promise.all([...this.runs.values()].map(({ node }) => node.close()));
    });
  }

  /**
   * Opens a node: the founder alone, all others with those before as their contacts. Its store and
   * its place here go by `name`, which differs from its id when two nodes have the same.
   */
  async open(name: string, nodeId = name): Promise<NodeRun> {
    const transport = new TcpTransport({
      listen: this.runs.get(name)?.endpoint ?? '127.0.0.1:0',
      tls: 'plaintext',
      timing: this.transportTiming,
    });
    const contacts = [...this.runs.values()].map(({ endpoint }) => endpoint);
    const machine = new LedgerMachine();
    const events: NodeObservation[] = [];
    const node = await RaftNode.open({
      directory: path.join(this.#directory, name),
      clusterId: 'ledgers',
      nodeId,
      stateMachine: machine,
      timing: CLUSTER_TIMING,
      retention: { entriesThreshold: 50, entriesKept: 5 },
      diskSpace: 'unwatched',
      intercept: this.#interceptor(name),
      cluster: {
        transport,
        bootstrap: this.runs.size === 0,
        contacts,
        admits: () => this.isAdmitting,
      },
      observe: (event) => events.push(event),
    });
    const stalled = () => transport.counters.get('stalled') ?? 0;
    const run = { node, machine, events, endpoint: transport.endpoint, stalled };
    this.runs.set(name, run);
    return run;
  }

  /** Three voters, made such by one change of members. */
  static async ofThree(): Promise<NodeCluster> {
    const cluster = new NodeCluster();
    cluster.isAdmitting = false;
    const { node } = await cluster.open('n1');
    const changes: MemberChange[] = [];
    for (const nodeId of ['n2', 'n3']) {
      await cluster.open(nodeId);
      const member = cluster.memberOf(nodeId);
      changes.push({ kind: 'addLearner', member }, { kind: 'promote', member });
    }
    await node.changeMembers(changes);
    await cluster.voting('n1', 'n2', 'n3');
    return cluster;
  }

  /** Waits until every one of these votes and knows that this is committed. */
  async voting(...nodeIds: readonly string[]): Promise<void> {
    const names = nodeIds.join();
    await until(
      () =>
        nodeIds.every((nodeId) => {
          const { configuration, commitIndex } = this.of(nodeId).node.status();
          const isJoint = configuration?.configuration.outgoing.length !== 0;
          const isCommitted = commitIndex >= (configuration?.index ?? 0n);
          return !isJoint && isCommitted && this.voters(nodeId).join() === names;
        }),
      `the votes of ${names}`,
      20_000,
    );
  }

  of(nodeId: string): NodeRun {
    const run = this.runs.get(nodeId);
    if (run === undefined) throw new Error(`node ${nodeId} was not opened`);
    return run;
  }

  /** Who votes in the newest configuration that the node has, by name. */
  voters(nodeId: string): readonly string[] {
    const { configuration } = this.of(nodeId).node.status();
    return (configuration?.configuration.voters ?? []).map((it) => it.nodeId).sort();
  }

  /** The member that the node is, as its leader knows it. */
  memberOf(nodeId: string) {
    const { node, endpoint } = this.of(nodeId);
    const { identity, levels } = node.status();
    return { nodeId, storeId: identity.storeId, incarnation: 1n, endpoint, levels };
  }

  /** The name of the leader whom all of the given nodes follow. */
  async leader(...among: readonly string[]): Promise<string> {
    const nodes = among.length > 0 ? among : [...this.runs.keys()];
    let leader: string | undefined;
    await until(() => {
      const named = new Set(nodes.map((it) => this.of(it).node.status().leader?.nodeId));
      [leader] = named;
      if (named.size !== 1 || leader === undefined) return false;
      return this.of(leader).node.status().role === 'leader';
    }, 'a leader that all follow');
    return leader ?? '';
  }

  others(nodeId: string): readonly string[] {
    return [...this.runs.keys()].filter((it) => it !== nodeId);
  }

  async restart(nodeId: string): Promise<NodeRun> {
    await this.of(nodeId).node.close();
    return this.open(nodeId);
  }

  /** From now on no write of the node returns, or none of one kind. */
  hang(nodeId: string, at?: WritePoint): void {
    this.#hanging.set(nodeId, { ...Promise.withResolvers<void>(), ...(at && { at }) });
  }

  release(nodeId: string): void {
    this.#hanging.get(nodeId)?.resolve();
    this.#hanging.delete(nodeId);
  }

  #interceptor(nodeId: string): WriteInterceptor {
    return async (points, commit) => {
      const hanging = this.#hanging.get(nodeId);
      if (hanging !== undefined && (hanging.at === undefined || points.includes(hanging.at))) {
        this.waiting.add(nodeId);
        await hanging.promise;
        this.waiting.delete(nodeId);
      }
      await commit();
    };
  }
}
