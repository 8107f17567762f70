import { onTestFinished } from 'vitest';
import {
  MemoryDisk,
  MemoryLogStorage,
  RaftNode,
  type RaftNodeLimits,
  type RaftNodeOptions,
  type RetentionPolicy,
  type WriteInterceptor,
  type WritePoint,
} from '../../src/index.ts';
import { LedgerMachine } from './ledger-machine.ts';

/** A node on a memory disk with its state machine. */
export interface NodeFixture {
  readonly disk: MemoryDisk;
  readonly machine: LedgerMachine;
  readonly node: RaftNode;
}

export interface NodeFixtureOptions {
  readonly disk?: MemoryDisk;
  readonly limits?: Partial<RaftNodeLimits>;
  readonly retention?: Partial<RetentionPolicy>;
  readonly intercept?: WriteInterceptor;
  readonly observe?: NonNullable<RaftNodeOptions['observe']>;
}

/** Opens a node on a memory disk; it is closed when the test ends. */
export async function openMemoryNode(options: NodeFixtureOptions = {}): Promise<NodeFixture> {
  const { disk = new MemoryDisk(), intercept, limits, retention, observe } = options;
  const storage = await MemoryLogStorage.open({
    disk,
    clusterId: 'c1',
    nodeId: 'n1',
    intercept,
  });
  const machine = new LedgerMachine();
  const node = await RaftNode.open({ storage, stateMachine: machine, limits, retention, observe });
  onTestFinished(() => node.close());
  return { disk, machine, node };
}

/** Holds every write that carries entries back until the test lets it go. */
export class WriteGate {
  readonly writes: (readonly WritePoint[])[] = [];
  #isShut = false;
  #opened = Promise.withResolvers<void>();
  #arrived = Promise.withResolvers<void>();

  readonly intercept: WriteInterceptor = async (points, commit) => {
    this.writes.push(points);
    if (this.#isShut) {
      this.#arrived.resolve();
      await this.#opened.promise;
    }
    await commit();
  };

  /** Holds back writes from now on. */
  shut(): void {
    this.#isShut = true;
    this.#opened = Promise.withResolvers<void>();
    this.#arrived = Promise.withResolvers<void>();
  }

  /** Resolves when a write waits at the shut gate. */
  arrival(): Promise<void> {
    return this.#arrived.promise;
  }

  /** Lets all writes go. */
  open(): void {
    this.#isShut = false;
    this.#opened.resolve();
  }
}
