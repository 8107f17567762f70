import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { assert } from '../assert.ts';
import { RaftNode, type RaftNodeStatus } from '../node/raft-node.ts';
import type { StateMachine } from '../node/state-machine.ts';
import { TcpTransport } from '../transport/tcp-transport.ts';
import { MirroredStateMachine } from './mirrored-state-machine.ts';
import { type NumberedResult, packResults, unpackBytes } from './packing.ts';
import { toPortError, toPortEvent } from './port-error.ts';
import type {
  StateMachineModule,
  WorkerNodeOptions,
  WorkerReport,
  WorkerRequest,
  WorkerStatus,
} from './worker-protocol.ts';

/** Serves one node to the thread that owns it. */
class WorkerHost {
  readonly #port: MessagePort;
  readonly #node: RaftNode;
  #results: NumberedResult[] = [];
  #isSending = false;

  constructor(port: MessagePort, node: RaftNode) {
    this.#port = port;
    this.#node = node;
    port.on('message', (request: WorkerRequest) => this.#serve(request));
    node.subscribe((change) => {
      this.#flush();
      report(port, { kind: 'changed', change, status: portStatus(node.status()) });
    });
  }

  #serve(request: WorkerRequest): void {
    switch (request.kind) {
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
      case 'close':
        this.#answer(request.id, this.#close());
    }
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
          report(this.#port, { kind: 'rejected', ids: [id], error: toPortError(error) });
        },
      );
    });
  }

  #answer(id: number, promise: Promise<unknown>): void {
    promise.then(
      (value) => report(this.#port, { kind: 'answer', id, value }),
      (error: unknown) => report(this.#port, { kind: 'refusal', id, error: toPortError(error) }),
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
    report(this.#port, { kind: 'results', packed }, packed);
  }
}

function report(port: MessagePort, message: WorkerReport, transferred?: Uint8Array): void {
  port.postMessage(message, transferred === undefined ? [] : [transferred.buffer as ArrayBuffer]);
}

function portStatus(status: RaftNodeStatus): WorkerStatus {
  const { failure } = status;
  return { ...status, failure: failure === undefined ? undefined : toPortError(failure) };
}

async function loadStateMachine(module: StateMachineModule): Promise<StateMachine> {
  const exports = (await import(module.url)) as Record<string, unknown>;
  const name = module.name ?? 'default';
  const create = exports[name];
  assert(typeof create === 'function', `${module.url} exports a function named ${name}`);
  return create(module.argument) as StateMachine;
}

async function open(port: MessagePort, options: WorkerNodeOptions): Promise<void> {
  try {
    const loaded = await loadStateMachine(options.stateMachine);
    const send = (message: WorkerReport, transferred?: Uint8Array) => {
      report(port, message, transferred);
    };
    const stateMachine = options.mirrored ? new MirroredStateMachine(loaded, send) : loaded;
    const { cluster, observed } = options;
    const node = await RaftNode.open({
      ...options,
      stateMachine,
      observe: observed ? (event) => send({ kind: 'event', event: toPortEvent(event) }) : undefined,
      cluster:
        cluster === undefined
          ? undefined
          : { ...cluster, transport: new TcpTransport(cluster.transport) },
    });
    new WorkerHost(port, node);
    report(port, { kind: 'opened', status: portStatus(node.status()) });
  } catch (error) {
    report(port, { kind: 'openFailed', error: toPortError(error) });
    port.close();
  }
}

const port = parentPort;
assert(port !== null, 'this module runs in a worker');
await open(port, workerData as WorkerNodeOptions);
