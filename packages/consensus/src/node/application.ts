import { lesser } from '../raft/big-order.ts';
import type { Entry } from '../raft/entry.ts';
import type { AppliedPosition, StateWrite } from '../storage/log-storage.ts';
import { type AppliedLevel, Applier } from './applier.ts';
import { CommittedLog } from './committed-log.ts';
import type { RaftNodeLimits } from './raft-node-options.ts';
import type { ReplicaPorts } from './replica-ports.ts';
import { StateComparison } from './state-comparison.ts';
import type { StateMachine } from './state-machine.ts';
import type { Waiters } from './waiters.ts';

/** What else is in the write that the effects go into. */
export interface WriteUse {
  readonly operations: number;
  readonly bytes: number;
}

/** What the application of entries needs of its replica. */
export interface ApplicationParts {
  readonly stateMachine: StateMachine;
  readonly limits: RaftNodeLimits;
  readonly waiters: Waiters;
  readonly ports: ReplicaPorts;
}

/** Runs committed entries through the state machine, in order, ahead of their durable effects. */
export class Application {
  readonly #parts: ApplicationParts;
  readonly #committed = new CommittedLog();
  #applier: Applier;
  #reading: bigint | undefined;

  constructor(parts: ApplicationParts, applied: AppliedPosition, at: AppliedLevel) {
    this.#parts = parts;
    this.#applier = new Applier(parts.stateMachine, applied, at);
  }

  /** Position after the newest applied entry, durable or not. */
  get position(): AppliedPosition {
    return this.#applier.position;
  }

  /** Takes note of entries that were appended, after those from `truncateFrom` on were cut. */
  appended(truncateFrom: bigint | undefined, entries: readonly Entry[]): void {
    this.#committed.append(truncateFrom, entries);
  }

  /** Entries arrived that were appended by a former process, unless those asked for are gone. */
  read(from: bigint, entries: readonly Entry[]): void {
    // What was asked for before a snapshot took the place of all records says nothing any more.
    if (from !== this.#reading) return;
    this.#reading = undefined;
    if (entries[0]?.index === this.position.index + 1n) this.#committed.prepend(entries);
  }

  /**
   * Applies entries up to `through`, as many as share one write with what is in it already. A range
   * ends at every index at which members compare their records.
   */
  applyTo(through: bigint, use: WriteUse): AppliedPosition {
    const applier = this.#applier;
    while (applier.position.index < through) {
      const index = applier.position.index + 1n;
      const entry = this.#committed.take(index);
      if (entry === undefined) {
        this.#request(index, through);
        break;
      }
      const { result, revision } = applier.apply(entry);
      this.#parts.waiters.applied({ index, term: entry.term, revision, result });
      if (StateComparison.isDue(index) || this.#isFull(use)) break;
    }
    return applier.position;
  }

  /** Takes the changes of records that are not being written yet. */
  takeWrites(): readonly StateWrite[] {
    return this.#applier.take();
  }

  /** A snapshot, made at this feature level, took the place of all records. */
  reset(applied: AppliedPosition, level: number): void {
    const at = { ...this.#applier.at, level };
    this.#applier = new Applier(this.#parts.stateMachine, applied, at);
    this.#committed.clear();
    this.#reading = undefined;
  }

  #isFull({ operations, bytes }: WriteUse): boolean {
    const { groupOperationsMax, groupBytesMax } = this.#parts.limits;
    return (
      operations + this.#applier.operations >= groupOperationsMax ||
      bytes + this.#applier.bytes > groupBytesMax
    );
  }

  #request(from: bigint, through: bigint): void {
    if (this.#reading !== undefined) return;
    const { ports } = this.#parts;
    const { last } = ports.store.bounds;
    if (from > last.index) return;
    const next = this.#committed.firstIndex;
    const end = next === undefined ? last.index : next - 1n;
    this.#reading = from;
    ports.readCommitted(from, lesser(end, through));
  }
}
