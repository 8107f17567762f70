import { greater, lesser } from './big-order.ts';
import type { Configuration } from './configuration.ts';
import { decodeConfiguration } from './configuration-codec.ts';
import type { ConfigurationLog } from './configuration-log.ts';
import type { ConfigurationRecord, Entry, EntryBody, EntryKind } from './entry.ts';
import type { Message } from './message.ts';
import type { Outbox } from './outbox.ts';
import type { RaftLog } from './raft-log.ts';
import type { RaftOptions } from './raft-options.ts';

/** What a log writer shares with its member. */
export interface LogWriterContext {
  readonly options: RaftOptions;
  readonly log: RaftLog;
  readonly configurations: ConfigurationLog;
  readonly commit: bigint;
  readonly outbox: Outbox;
}

/** How an append of the leader fits the log. */
export type AppendOutcome =
  | { readonly kind: 'accepted'; readonly match: bigint }
  | {
      readonly kind: 'rejected';
      readonly rejectIndex: bigint;
      readonly hintIndex: bigint;
      readonly hintTerm: bigint;
    }
  /** No leader sends such an append. */
  | { readonly kind: 'malformed' }
  /** The append contradicts what is committed: one of the two members has lost its log. */
  | { readonly kind: 'violated'; readonly text: string };

/** Changes the log and the configurations in it together, and notes what is to be stored. */
export class LogWriter {
  readonly #context: LogWriterContext;

  constructor(context: LogWriterContext) {
    this.#context = context;
  }

  /** Appends a new entry of the leader. */
  append(term: bigint, kind: EntryKind, payload: Uint8Array): Entry {
    const { log, options, outbox } = this.#context;
    const index = log.lastIndex + 1n;
    const chain = options.chainOf(log.lastChain, { index, term, kind, payload });
    const entry: Entry = { index, term, kind, payload, chain };
    log.append(entry);
    outbox.entries.push(entry);
    return entry;
  }

  /** Puts a configuration in force whose entry has just been appended. */
  configure(record: ConfigurationRecord): void {
    const { configurations, outbox } = this.#context;
    configurations.append(record);
    outbox.configurations.push(record);
    outbox.events.push({ kind: 'configuration', record });
  }

  /** Takes an append of the leader as far as it fits. */
  take(message: Message & { readonly kind: 'append' }): AppendOutcome {
    const { log, commit } = this.#context;
    const { prevIndex, prevTerm, prevChain, entries } = message;
    // What is purged is committed and cannot be compared; rejecting it would never end.
    if (prevIndex < log.purged.index) return { kind: 'accepted', match: commit };
    if (!isWellFormed(message)) return { kind: 'malformed' };
    const present = log.termAt(prevIndex);
    if (present !== prevTerm) {
      if (prevIndex > commit) return this.#reject(prevIndex, prevTerm);
      return violated(`committed entry ${prevIndex} is of term ${present}, not ${prevTerm}`);
    }
    if (!isSameBytes(log.chainAt(prevIndex), prevChain)) {
      return violated(`entry ${prevIndex} of term ${prevTerm} is not the same on both`);
    }
    let index = prevIndex;
    for (const body of entries) {
      index += 1n;
      const problem = this.#takeEntry(index, body);
      if (problem !== undefined) return violated(problem);
    }
    return { kind: 'accepted', match: index };
  }

  /**
   * The greatest index at which the logs may agree as far as terms tell, so that leader and
   * follower skip whole terms. Nothing committed is in question.
   */
  #reject(prevIndex: bigint, prevTerm: bigint): AppendOutcome {
    const { log, commit } = this.#context;
    const most = lesser(prevIndex, log.lastIndex);
    const hintIndex = greater(log.lastIndexAtMost(most, prevTerm), commit);
    const hintTerm = log.termAt(hintIndex) ?? 0n;
    return { kind: 'rejected', rejectIndex: prevIndex, hintIndex, hintTerm };
  }

  /** Cuts the log only where an entry of another term stands. Returns what is contradicted. */
  #takeEntry(index: bigint, body: EntryBody): string | undefined {
    const { log, commit } = this.#context;
    const present = index <= log.lastIndex ? log.termAt(index) : undefined;
    if (present === body.term) return undefined;
    if (present !== undefined) {
      if (index <= commit) {
        return `committed entry ${index} of term ${present} would be replaced by term ${body.term}`;
      }
      this.#truncate(index);
    }
    let configuration: Configuration | undefined;
    try {
      if (body.kind === 'configuration') configuration = decodeConfiguration(body.payload);
    } catch {
      return `entry ${index} holds no configuration`;
    }
    this.append(body.term, body.kind, body.payload);
    if (configuration !== undefined) this.configure({ index, configuration });
    return undefined;
  }

  #truncate(from: bigint): void {
    const { log, configurations, outbox } = this.#context;
    log.truncate(from);
    configurations.truncate(from);
    outbox.truncated(from);
  }
}

/** Whether the terms of the entries are those of a log. */
function isWellFormed(message: Message & { readonly kind: 'append' }): boolean {
  let term = message.prevTerm;
  for (const entry of message.entries) {
    if (entry.term < term) return false;
    term = entry.term;
  }
  return term <= message.term;
}

function violated(text: string): AppendOutcome {
  return { kind: 'violated', text };
}

function isSameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i += 1) if (left[i] !== right[i]) return false;
  return true;
}
