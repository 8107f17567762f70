import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { assert } from '../assert.ts';
import { RaftNode, type RaftNodeStatus } from '../node/raft-node.ts';
import type { ClusterOptions } from '../node/raft-node-options.ts';
import type { StateMachine } from '../node/state-machine.ts';
import type { CredentialBundle } from '../transport/credentials.ts';
import { createNameResolver } from '../transport/name-resolver.ts';
import { TcpTransport } from '../transport/tcp-transport.ts';
import { MirroredStateMachine } from './mirrored-state-machine.ts';
import { OwnerFeed } from './owner-feed.ts';
import { type NumberedResult, packResults, unpackBytes } from './packing.ts';
import { toPortError, toPortEvent } from './port-error.ts';
import type {
  TransportStatus,
  WorkerClusterOptions,
  WorkerModule,
  WorkerNodeOptions,
  WorkerRequest,
  WorkerStatus,
} from './worker-protocol.ts';

/** Serves one node to the thread that owns it. */
class WorkerHost {
  readonly #port: MessagePort;
  readonly #feed: OwnerFeed;
  readonly #node: RaftNode;
  readonly #transport: TcpTransport | undefined;
  #results: NumberedResult[] = [];
  #isSending = false;

  constructor(
    port: MessagePort,
    feed: OwnerFeed,
    node: RaftNode,
    transport: TcpTransport | undefined,
  ) {
    this.#port = port;
    this.#feed = feed;
    this.#node = node;
    this.#transport = transport;
    port.on('message', (request: WorkerRequest) => this.#serve(request));
    node.subscribe((change) => {
      this.#flush();
      feed.changed(change, () => portStatus(node.status()));
    });
  }

  #serve(request: WorkerRequest): void {
    switch (request.kind) {
      case 'taken':
        // The feed was told by then; it also listens while the node opens.
        return;
      case 'propose':
        this.#propose(request.first, unpackBytes(request.packed));
        return;
      case 'read':
        this.#answer(request.id, this.#node.read());
        return;
      case 'changeMembers':
        this.#answer(request.id, this.#node.changeMembers(request.changes));
        return;
      case 'transferLeader':
        this.#answer(request.id, this.#node.transferLeader(request.target));
        return;
      case 'reloadCredentials':
        this.#answer(request.id, this.#reloadCredentials(request.bundle));
        return;
      case 'transportStatus':
        this.#answer(request.id, this.#transportStatus());
        return;
      case 'close':
        this.#answer(request.id, this.#close());
    }
  }

  async #reloadCredentials(bundle: CredentialBundle): Promise<void> {
    assert(this.#transport !== undefined, 'the node is one of several');
    this.#transport.reloadCredentials(bundle);
  }

  async #transportStatus(): Promise<TransportStatus> {
    const counters = new Map(this.#transport?.counters);
    return { counters, queues: new Map(this.#transport?.queues()) };
  }

  async #close(): Promise<void> {
    try {
      await this.#node.close();
      this.#flush();
    } finally {
      // The answer is still delivered; nothing else keeps the thread alive afterwards.
      setImmediate(() => this.#port.close());
    }
  }

  #propose(first: number, payloads: readonly Uint8Array[]): void {
    payloads.forEach((payload, i) => {
      const id = first + i;
      this.#node.propose(payload).then(
        (result) => {
          this.#results.push({ id, result });
          this.#scheduleFlush();
        },
        (error: unknown) => {
          this.#feed.answer({ kind: 'rejected', ids: [id], error: toPortError(error) });
        },
      );
    });
  }

  #answer(id: number, promise: Promise<unknown>): void {
    promise.then(
      (value) => this.#feed.answer({ kind: 'answer', id, value }),
      (error: unknown) => this.#feed.answer({ kind: 'refusal', id, error: toPortError(error) }),
    );
  }

  /** Results of one write settle in one turn and cross together. */
  #scheduleFlush(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isSending = false;
    if (this.#results.length === 0) return;
    const packed = packResults(this.#results);
    this.#results = [];
    this.#feed.answer({ kind: 'results', packed }, packed);
  }
}

function portStatus(status: RaftNodeStatus): WorkerStatus {
  const { failure } = status;
  return { ...status, failure: failure === undefined ? undefined : toPortError(failure) };
}

async function load(module: WorkerModule): Promise<unknown> {
  const exports = (await import(String(module.url))) as Record<string, unknown>;
  const name = module.name ?? 'default';
  const create = exports[name];
  assert(typeof create === 'function', `${module.url} exports a function named ${name}`);
  return create(module.argument);
}

async function loadAdmission(
  admits: WorkerClusterOptions['admits'],
): Promise<ClusterOptions['admits']> {
  if (admits === undefined) return undefined;
  if ('url' in admits) {
    const decide = await load(admits);
    assert(typeof decide === 'function', `${admits.url} makes a function that admits`);
    return (candidate) => decide(candidate) === true;
  }
  const names = new Set(admits);
  return ({ nodeId }) => names.has(nodeId);
}

async function joinCluster(
  options: WorkerClusterOptions,
): Promise<ClusterOptions & { readonly transport: TcpTransport }> {
  const { resolver, ...rest } = options.transport;
  const admits = await loadAdmission(options.admits);
  const resolve = createNameResolver(resolver);
  return { ...options, admits, transport: new TcpTransport({ ...rest, resolve }) };
}

async function open(port: MessagePort, options: WorkerNodeOptions): Promise<void> {
  const feed = new OwnerFeed((message, transferred) => {
    port.postMessage(message, transferred === undefined ? [] : [transferred.buffer as ArrayBuffer]);
  });
  port.on('message', (request: WorkerRequest) => {
    if (request.kind === 'taken') feed.taken(request.bytes);
  });
  try {
    const loaded = (await load(options.stateMachine)) as StateMachine;
    const cluster = options.cluster === undefined ? undefined : await joinCluster(options.cluster);
    const stateMachine = options.mirrored ? new MirroredStateMachine(loaded, feed) : loaded;
    const { mirrored: _, observed, ...rest } = options;
    const node = await RaftNode.open({
      ...rest,
      stateMachine,
      observe: observed ? (event) => feed.event(toPortEvent(event)) : undefined,
      cluster,
    });
    new WorkerHost(port, feed, node, cluster?.transport);
    feed.answer({ kind: 'opened', status: portStatus(node.status()) });
  } catch (error) {
    feed.answer({ kind: 'openFailed', error: toPortError(error) });
    port.close();
  }
}

const port = parentPort;
assert(port !== null, 'this module runs in a worker');
await open(port, workerData as WorkerNodeOptions);
