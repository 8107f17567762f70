import type { ApplyContext, ApplyOutcome, StateMachine } from '../node/state-machine.ts';
import type { Entry } from '../raft/entry.ts';
import type { AppliedPosition, StateRecord, StateWrite } from '../storage/log-storage.ts';
import { packWrites } from './packing.ts';
import type { WorkerReport } from './worker-protocol.ts';

/** How many bytes of records are sent at once when a view is filled. */
const CHUNK_BYTES = 1_024 * 1_024;

/**
 * A state machine whose records, and every change of them once it is durable, are also sent to the
 * thread that owns the node.
 */
export class MirroredStateMachine implements StateMachine {
  readonly #stateMachine: StateMachine;
  readonly #send: (report: WorkerReport, transferred?: Uint8Array) => void;
  #writes: StateWrite[] = [];

  constructor(
    stateMachine: StateMachine,
    send: (report: WorkerReport, transferred?: Uint8Array) => void,
  ) {
    this.#stateMachine = stateMachine;
    this.#send = send;
  }

  async restore(records: AsyncIterable<StateRecord>, applied: AppliedPosition): Promise<void> {
    this.#writes = [];
    await this.#stateMachine.restore(this.#copying(records, applied), applied);
  }

  apply(entry: Entry, context: ApplyContext): ApplyOutcome {
    const outcome = this.#stateMachine.apply(entry, context);
    for (const write of outcome.writes) this.#writes.push(write);
    return outcome;
  }

  publish(applied: AppliedPosition): void {
    this.#stateMachine.publish?.(applied);
    const packed = packWrites(this.#writes);
    this.#writes = [];
    this.#send({ kind: 'writes', packed, applied }, packed);
  }

  async *#copying(
    records: AsyncIterable<StateRecord>,
    applied: AppliedPosition,
  ): AsyncGenerator<StateRecord, void, void> {
    let chunk: StateRecord[] = [];
    let bytes = 0;
    let isFirst = true;
    for await (const record of records) {
      chunk.push(record);
      bytes += record.key.length + record.value.length;
      yield record;
      if (bytes < CHUNK_BYTES) continue;
      this.#sendRecords(chunk, isFirst, undefined);
      chunk = [];
      bytes = 0;
      isFirst = false;
    }
    this.#sendRecords(chunk, isFirst, applied);
  }

  #sendRecords(
    records: readonly StateRecord[],
    isFirst: boolean,
    applied: AppliedPosition | undefined,
  ): void {
    const packed = packWrites(records);
    this.#send({ kind: 'records', packed, isFirst, applied }, packed);
  }
}
