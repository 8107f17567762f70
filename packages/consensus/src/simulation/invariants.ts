import type { ApplyContext } from '../node/state-machine.ts';
import type { Configuration, Member } from '../raft/configuration.ts';
import type { ConfigurationRecord, Entry } from '../raft/entry.ts';
import { type FeatureLevels, supportsLevel } from '../raft/feature-levels.ts';
import type { HardState } from '../raft/hard-state.ts';
import { memberKey } from '../raft/member-id.ts';
import type { PeerMessage } from '../raft/message.ts';
import type { Raft } from '../raft/raft.ts';
import type { AppliedPosition } from '../storage/log-storage.ts';
import { chainNumber } from './chain.ts';
import type { StoreContent } from './simulated-store.ts';
import type { ViolatedRule, Violation } from './violation.ts';

const TERMS = 1_048_576;

/** A committed entry as its first observer saw it. */
interface CommittedEntry {
  readonly term: bigint;
  readonly chain: number;
  /** Term of the member that was the first to know. */
  readonly knownIn: bigint;
}

/** What is checked of one process. */
export interface WatchedProcess {
  readonly name: string;
  /** Feature levels that its release supports. */
  readonly levels: FeatureLevels;
  readonly core: Raft;
  readonly content: StoreContent;
  /** Index of the newest configuration in its log. */
  readonly configurationIndex: bigint;
  /** Newest commit index that was checked. */
  commitSeen: bigint;
  /** Index of the newest configuration while it leads. */
  configurationSeen: bigint;
}

/**
 * The invariants of consensus over a whole run, looked at where something has just changed. What
 * it finds is kept, not thrown: the code under test may catch what is thrown through it.
 */
export class InvariantWatch {
  #violation: Violation | undefined;
  readonly #contents = new Map<string, StoreContent>();
  readonly #leaders = new Map<bigint, string>();
  readonly #chains = new Map<number, number>();
  readonly #committed: (CommittedEntry | undefined)[] = [];
  readonly #votes = new Map<string, string>();
  readonly #registers: (string | undefined)[] = [];
  readonly #revisions: (bigint | undefined)[] = [];
  readonly #levels: (number | undefined)[] = [];
  readonly #refused = new Set<number>();
  /** Index of the entry of every command that took effect. */
  readonly #applied = new Map<number, number>();

  get violation(): Violation | undefined {
    return this.#violation;
  }

  /** Newest index known to be committed by anybody. */
  get committedIndex(): number {
    return this.#committed.length - 1;
  }

  /** Index of the command's entry if anybody applied it. */
  indexOf(operation: number): number | undefined {
    return this.#applied.get(operation);
  }

  violate(rule: ViolatedRule, text: string): void {
    this.#violation ??= { rule, text };
  }

  /** A store that exists from now on; those of replaced disks stay as they ended. */
  storeAdded(content: StoreContent): void {
    this.#contents.set(content.storeId, content);
  }

  /** Election safety and leader completeness. */
  elected(process: WatchedProcess): void {
    const { core, name } = process;
    const { term, log } = core;
    const other = this.#leaders.get(term);
    if (other !== undefined) this.violate('I1', `${name} leads term ${term} after ${other}`);
    this.#leaders.set(term, name);
    process.configurationSeen = process.configurationIndex;
    let at = this.#committed.length - 1;
    while (at > 0 && (this.#committed[at]?.knownIn ?? 0n) >= term) at -= 1;
    const entry = this.#committed[at];
    if (entry === undefined || BigInt(at) <= log.purged.index) return;
    if (log.termAt(BigInt(at)) !== entry.term) {
      this.violate('I4', `${name} leads term ${term} without entry ${at} of term ${entry.term}`);
    }
  }

  /** A leader never cuts its own log. */
  truncated(process: WatchedProcess, from: bigint): void {
    if (process.core.role === 'leader') {
      this.violate('I2', `${process.name} cut its log at ${from} while it led`);
    }
  }

  /** A leader adds a configuration only on one that is committed and shares quorums with it. */
  configured(process: WatchedProcess, record: ConfigurationRecord): void {
    const { core, name } = process;
    if (core.role !== 'leader') return;
    if (process.configurationSeen > core.commit) {
      this.violate('I10', `${name} has two uncommitted configurations, newest ${record.index}`);
    }
    process.configurationSeen = record.index;
  }

  /** Looks at entries that a store is about to hold, after those it holds already. */
  stored(content: StoreContent, entries: readonly Entry[]): void {
    for (const { index, term, chain } of entries) {
      const place = Number(index) * TERMS + Number(term);
      const known = this.#chains.get(place);
      const value = chainNumber(chain);
      if (known === undefined) this.#chains.set(place, value);
      else if (known !== value) {
        const { storeId } = content;
        this.violate('I3', `store ${storeId} has another entry ${index} of term ${term}`);
      }
    }
  }

  /** Consecutive configurations must not be able to decide without one another. */
  reconfigured(before: Configuration | undefined, after: Configuration): void {
    if (before === undefined) return;
    const isJoining = after.outgoing.length > 0;
    const isLeaving = before.outgoing.length > 0;
    const difference = isJoining
      ? differenceOf(before.voters, after.outgoing)
      : differenceOf(before.voters, after.voters);
    if (difference > (isJoining || isLeaving ? 0 : 1)) {
      this.violate('I10', `configurations follow each other with ${difference} other voters`);
    }
  }

  /** One vote a term for ever, and terms that never go back. */
  voted(content: StoreContent, before: HardState, after: HardState): void {
    if (after.term < before.term) {
      this.violate('I7', `store ${content.storeId} went back from term ${before.term}`);
    }
    if (after.votedFor === undefined) {
      if (before.term === after.term && before.votedFor !== undefined) {
        this.violate('I6', `store ${content.storeId} took back its vote in term ${after.term}`);
      }
      return;
    }
    const key = `${content.storeId}/${after.term}`;
    const candidate = memberKey(after.votedFor);
    const other = this.#votes.get(key);
    if (other === undefined) this.#votes.set(key, candidate);
    else if (other !== candidate) {
      this.violate('I6', `store ${content.storeId} voted twice in term ${after.term}`);
    }
  }

  /** Purged only what a snapshot and the applied records hold. */
  purged(content: StoreContent, isAlone: boolean): void {
    const { purged, applied, snapshot, storeId } = content;
    if (purged.index > applied.index) {
      this.violate('I7', `store ${storeId} purged more than is applied`);
    }
    if (!isAlone && purged.index > (snapshot?.manifest.index ?? 0n)) {
      this.violate('I7', `store ${storeId} purged more than its snapshot holds`);
    }
  }

  /** What a message asserts must be durable at its sender. */
  sent(process: WatchedProcess, to: string, message: PeerMessage): void {
    const { content, name } = process;
    const { hardState } = content;
    if (message.kind === 'appendAccepted') {
      // A write may hold both an entry and, of a newer term, its removal: then nobody needs it.
      if (message.term < hardState.term) return;
      if (content.last.index < message.match && content.applied.index < message.match) {
        this.violate('I9', `${name} confirmed entry ${message.match} before it was durable`);
      }
    } else if (message.kind === 'voteResponse' && message.granted) {
      const isDurable =
        hardState.term > message.term ||
        (hardState.term === message.term && hardState.votedFor?.storeId === to);
      if (!isDurable) this.violate('I9', `${name} granted a vote before it was durable`);
    } else if (message.kind === 'vote') {
      const isDurable =
        hardState.term > message.term ||
        (hardState.term === message.term && hardState.votedFor?.storeId === content.storeId);
      if (!isDurable) this.violate('I9', `${name} asked for votes before its own was durable`);
    }
  }

  /** Looks at what a process has come to know as committed since it was looked at last. */
  commitAdvanced(process: WatchedProcess): void {
    const { core, name } = process;
    const { commit, log } = core;
    if (commit <= process.commitSeen) return;
    let index = process.commitSeen;
    process.commitSeen = commit;
    if (index < log.purged.index) index = log.purged.index - 1n;
    let isNew = false;
    while (index < commit) {
      index += 1n;
      if (index <= 0n) continue;
      const term = log.termAt(index);
      if (term === undefined) {
        this.violate('I7', `${name} knows ${index} as committed and does not have it`);
        return;
      }
      const chain = chainNumber(log.chainAt(index));
      const known = this.#committed[Number(index)];
      if (known === undefined) {
        this.#committed[Number(index)] = { term, chain, knownIn: core.term };
        isNew = true;
      } else if (known.term !== term || known.chain !== chain) {
        const terms = `${known.term} and ${term}`;
        this.violate('I5', `${name} has committed another entry ${index}: terms ${terms}`);
        return;
      }
    }
    if (isNew && core.role === 'leader') this.#checkQuorum(process, commit);
  }

  /** State-machine safety: entries, revisions and results are the same everywhere. */
  applied(
    process: Pick<WatchedProcess, 'name' | 'levels'>,
    entry: Entry,
    context: ApplyContext,
  ): void {
    const { name, levels } = process;
    const index = Number(entry.index);
    const known = this.#committed[index];
    const chain = chainNumber(entry.chain);
    if (known === undefined) {
      // The only voter of a cluster applies in the same write that commits.
      this.#committed[index] = { term: entry.term, chain, knownIn: entry.term };
    } else if (known.chain !== chain || known.term !== entry.term) {
      this.violate('I5', `${name} applies another entry ${entry.index} than was committed`);
    }
    const revision = this.#revisions[index];
    if (revision === undefined) this.#revisions[index] = context.revision;
    else if (revision !== context.revision) {
      this.violate('I13', `${name} makes revision ${context.revision} of entry ${entry.index}`);
    }
    const { level } = context;
    const agreed = this.#levels[index] ?? level;
    this.#levels[index] = agreed;
    if (level !== agreed || !supportsLevel(levels, level)) {
      const text = `${name} applies entry ${entry.index} at level ${level}, not ${agreed}`;
      this.violate('level', text);
    }
  }

  /** A command took effect; nobody may have been told that it has none. */
  tookEffect(operation: number, index: bigint): void {
    this.#applied.set(operation, Number(index));
    if (this.#refused.has(operation)) {
      this.violate('refusal', `command ${operation} was refused and took effect`);
    }
  }

  /** A client was told that its command has no effect. */
  refused(operation: number): void {
    this.#refused.add(operation);
    if (this.#applied.has(operation)) {
      this.violate('refusal', `command ${operation} took effect and was refused`);
    }
  }

  /** A client was told that its command is in the log at this place. */
  acknowledged(index: bigint, term: bigint): void {
    if (this.#committed[Number(index)]?.term !== term) {
      this.violate('I8', `entry ${index} of term ${term} was acknowledged and is not committed`);
    }
  }

  /** What is shown is durable here, and the same everywhere. */
  published(
    process: WatchedProcess,
    position: AppliedPosition,
    registers: readonly number[],
  ): void {
    const { name } = process;
    const index = Number(position.index);
    if (process.content.applied.index < position.index) {
      this.violate('I9', `${name} published entry ${index} before its effects were durable`);
    }
    const content = registers.join();
    const known = this.#registers[index];
    if (known === undefined) this.#registers[index] = content;
    else if (known !== content) {
      this.violate('I5', `${name} has other records after entry ${position.index}`);
    }
  }

  /** Windows stay within their bounds. */
  bounded(process: WatchedProcess, batchesMax: number): void {
    for (const progress of process.core.progress.values()) {
      const { inflightBatches, inflightBytes, key } = progress;
      if (inflightBatches > batchesMax || inflightBatches < 0 || inflightBytes < 0) {
        this.violate(
          'I12',
          `${process.name} has ${inflightBatches} batches on their way to ${key}`,
        );
      }
    }
  }

  /** Whether the leader was the only voter when it wrote the entry, whoever votes since. */
  #isDecidedAlone({ core, content }: WatchedProcess, commit: bigint): boolean {
    const before = content.configurations.findLast(({ index }) => index <= commit)?.configuration;
    const [voter] = before?.voters ?? [];
    const isAlone = before?.voters.length === 1 && before.outgoing.length === 0;
    return (
      isAlone &&
      voter?.storeId === content.storeId &&
      content.termAt(commit) === core.log.termAt(commit)
    );
  }

  /** What a leader takes as committed must be on the disks of a quorum. */
  #checkQuorum(process: WatchedProcess, commit: bigint): void {
    const { core, name } = process;
    const term = core.log.termAt(commit);
    const configuration = core.configuration;
    if (configuration === undefined || this.#isDecidedAlone(process, commit)) return;
    for (const half of [configuration.voters, configuration.outgoing]) {
      if (half.length === 0) continue;
      let count = 0;
      for (const { storeId } of half) {
        const content = this.#contents.get(storeId);
        if (content === undefined) continue;
        const isStored = content.termAt(commit) === term || content.purged.index >= commit;
        if (isStored) count += 1;
      }
      if (count * 2 <= half.length) {
        this.violate('I7', `${name} committed ${commit} with ${count} of ${half.length} disks`);
      }
    }
  }
}

/** How many voters one of the sets has and the other has not, counted in the larger direction. */
function differenceOf(before: readonly Member[], after: readonly Member[]): number {
  const keys = new Set(before.map(memberKey));
  let added = 0;
  for (const member of after) if (!keys.delete(memberKey(member))) added += 1;
  return added + keys.size;
}
