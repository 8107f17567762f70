import { ByteSlab } from '../node/byte-slab.ts';
import type { ApplyContext, ApplyOutcome, StateMachine } from '../node/state-machine.ts';
import type { Entry } from '../raft/entry.ts';
import type { AppliedPosition, StateRecord, StateWrite } from '../storage/log-storage.ts';
import type { OwnerFeed } from './owner-feed.ts';

/** How many bytes of records are sent at once when a view is filled. */
const CHUNK_BYTES = 1_024 * 1_024;

/**
 * A state machine whose records, and every change of them once it is durable, are also sent to the
 * thread that owns the node.
 */
export class MirroredStateMachine implements StateMachine {
  readonly #stateMachine: StateMachine;
  readonly #feed: Pick<OwnerFeed, 'restored' | 'written'>;
  readonly #slab = new ByteSlab();
  #writes: StateWrite[] = [];

  constructor(stateMachine: StateMachine, feed: Pick<OwnerFeed, 'restored' | 'written'>) {
    this.#stateMachine = stateMachine;
    this.#feed = feed;
  }

  async restore(records: AsyncIterable<StateRecord>, applied: AppliedPosition): Promise<void> {
    this.#writes = [];
    await this.#stateMachine.restore(this.#copying(records, applied), applied);
  }

  apply(entry: Entry, context: ApplyContext): ApplyOutcome {
    const outcome = this.#stateMachine.apply(entry, context);
    for (const { key, value } of outcome.writes) {
      // What is published is what was said now, whatever the machine does with its buffers next.
      const own = { key: this.#slab.copy(key), value: value && this.#slab.copy(value) };
      this.#writes.push(own);
    }
    return outcome;
  }

  publish(applied: AppliedPosition): void {
    this.#stateMachine.publish?.(applied);
    this.#feed.written(this.#writes, applied);
    this.#writes = [];
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
      await this.#feed.restored(chunk, isFirst, undefined);
      chunk = [];
      bytes = 0;
      isFirst = false;
    }
    await this.#feed.restored(chunk, isFirst, applied);
  }
}
