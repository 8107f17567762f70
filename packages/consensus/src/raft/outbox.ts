import type { ConfigurationRecord, Entry } from './entry.ts';
import type { MemberId } from './member-id.ts';
import type { SentMessage, SnapshotMeta } from './message.ts';
import type {
  CoreEvent,
  EntriesRequest,
  OutgoingMessage,
  Output,
  ProposalOutcome,
  ReadState,
} from './output.ts';

/** Everything that one step wants done, while it is being collected. */
export class Outbox {
  readonly messagesNow: OutgoingMessage[] = [];
  messagesAfter: OutgoingMessage[] = [];
  readonly snapshotsTo: { readonly to: MemberId; readonly snapshot: SnapshotMeta }[] = [];
  readonly entriesRequests: EntriesRequest[] = [];
  readonly readStates: ReadState[] = [];
  readonly readsRejected: bigint[] = [];
  readonly proposals: ProposalOutcome[] = [];
  readonly events: CoreEvent[] = [];
  configurations: ConfigurationRecord[] = [];
  entries: Entry[] = [];
  truncateFrom: bigint | undefined;
  installSnapshot: SnapshotMeta | undefined;

  /** Sends a message that may leave at once. */
  send(to: MemberId, message: SentMessage): void {
    this.messagesNow.push({ to, message });
  }

  /** Sends a message that leaves when everything queued so far, this step included, is durable. */
  sendAfter(to: MemberId, message: SentMessage): void {
    this.messagesAfter.push({ to, message });
  }

  /** Notes that the log was cut; what this step appended behind the cut is gone too. */
  truncated(from: bigint): void {
    this.entries = this.entries.filter(({ index }) => index < from);
    this.configurations = this.configurations.filter(({ index }) => index < from);
    if (this.truncateFrom === undefined || from < this.truncateFrom) this.truncateFrom = from;
    this.events.push({ kind: 'truncated', from });
  }

  /** Gives up everything that is to be stored or asserts what is. */
  dropDurable(): void {
    this.messagesAfter = [];
    this.entries = [];
    this.configurations = [];
    this.truncateFrom = undefined;
    this.installSnapshot = undefined;
  }

  /** Whether this step has durable work apart from the hard state. */
  get hasStoreWork(): boolean {
    return (
      this.entries.length > 0 ||
      this.truncateFrom !== undefined ||
      this.installSnapshot !== undefined
    );
  }

  /** Whether there is nothing to be done but, perhaps, to store the hard state. */
  get isEmpty(): boolean {
    return (
      this.messagesNow.length === 0 &&
      this.messagesAfter.length === 0 &&
      this.events.length === 0 &&
      this.proposals.length === 0 &&
      this.readStates.length === 0 &&
      this.readsRejected.length === 0 &&
      this.snapshotsTo.length === 0 &&
      this.entriesRequests.length === 0 &&
      !this.hasStoreWork
    );
  }

  finish(
    rest: Pick<Output, 'storeJob' | 'commit' | 'softState'> & { readonly seq: bigint },
  ): Output {
    const { seq, storeJob, commit, softState } = rest;
    return {
      storeJob,
      messagesNow: this.messagesNow,
      messagesAfter: this.messagesAfter.map(({ to, message }) => ({ to, message, seq })),
      snapshotsTo: this.snapshotsTo,
      entriesRequests: this.entriesRequests,
      commit,
      readStates: this.readStates,
      readsRejected: this.readsRejected,
      proposals: this.proposals,
      softState,
      events: this.events,
    };
  }
}
