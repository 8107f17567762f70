import type { CreateSubscriptionStatement } from '@nervix/model';
import type { ParsedStatement } from '@nervix/nspl-parser';
import type {
  CommandOutcome,
  CommandRequest,
  DomainEntry,
  EntityList,
  ErrorBody,
  GraphDocument,
  SecretList,
  TransactionEntry,
} from '@nervix/protocol';
import type { RowSchema } from '@nervix/protocol/session';
import type { SubscriptionReader } from '@nervix/runtime/data-plane';
import type { TransactionRecord, UserRecord } from '../replicated-state/records.js';
import type { UserIdentity } from '../replicated-state/user-identity.js';
import type { UploadReply, UploadRequest } from '../resources/resource-uploads.js';
import type { CommandAdmission } from './command-admission.js';
import type { SecretRequest, SecretWriteRequest } from './commands/secrets/secret-requests.js';
import type { InspectReply, InspectRequest } from './reads/inspect-transaction.js';
import type { OpenedView } from './reads/open-view.js';
import type { SuggestionReply, SuggestionRequest } from './reads/suggest.js';
import type { AttachReply, AttachRequest } from './transactions/attach.js';
import type { SessionEnd } from './transactions/leave.js';
import type { TransactionHolder } from './transactions/transaction-bindings.js';

/** The authenticated user a request acts for. */
export type Principal = UserIdentity;

/** The session that a command comes through. */
export interface CommandSession {
  readonly holder: TransactionHolder;
  /** The transaction that the session takes for its own, or null. */
  readonly attached: string | null;
  readonly admission: CommandAdmission;
}

/** Who leads the control plane, as this node knows. */
export interface LeadershipView {
  readonly kind: 'serving' | 'remote' | 'unknown';
  /** Name of the leader, or of this node while none is known. */
  readonly node: string;
  /** Identity of the cluster: another one is another history. */
  readonly cluster: string;
}

export type CommandReply =
  | { readonly kind: 'completed'; readonly outcome: CommandOutcome }
  | { readonly kind: 'failed'; readonly error: ErrorBody['error'] };

export type ReadReply<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'refused'; readonly error: ErrorBody['error'] };

/** What a reader of a relay's rows asks for. */
export interface RowsRequest {
  readonly domain: string;
  readonly relay: string;
  /** NSPL predicate text, or null. */
  readonly where: string | null;
  /** 0.0 to 1.0. */
  readonly sampleRate: number;
  readonly delivery: 'BLOCKING' | 'DROPPING';
}

/** Receives a row stream. Every call passes complete NDJSON lines as UTF-8 bytes. */
export interface RowsSink {
  /**
   * Takes the next bytes. The returned promise resolves when the reader has room again; a BLOCKING
   * stream waits for it, a DROPPING one discards rows meanwhile and counts them.
   */
  write(lines: Uint8Array): Promise<void>;
  /** No more lines follow; the last one may be an `ended` record. */
  end(): void;
}

export interface RowsStream {
  close(): Promise<void>;
}

/** A `CREATE SUBSCRIPTION` of a session. */
export interface SubscribeRequest {
  readonly domain: string;
  readonly parsed: ParsedStatement;
  readonly statement: CreateSubscriptionStatement;
  /** Bytes of rows that one event may hold. */
  readonly cellBytes: number;
}

/** A view of a relay whose events wait for {@link OpenedView.begin}. */
export interface OpenedSubscription extends OpenedView {
  readonly domain: string;
  readonly relay: string;
  readonly schema: RowSchema;
}

/** What a check of readiness asks for besides a leader. */
export interface ReadinessNeeds {
  /** Recovery is over: what ran before the node stopped runs again, and requests are taken. */
  readonly isAdmitted?: boolean;
  /** The node has not begun to stop. */
  readonly isStaying?: boolean;
}

/** All that the listeners may ask of the node: the one door to replicated state and data plane. */
export interface ControlPlane {
  /**
   * Runs NSPL; never throws for a refusal.
   *
   * @throws WithdrawnError when the session withdrew the command before it had any effect
   */
  execute(
    request: CommandRequest,
    principal: Principal,
    session?: CommandSession,
  ): Promise<CommandReply>;
  /** Binds a transaction to a session. */
  attach(request: AttachRequest): Promise<AttachReply>;
  /** Whether a transaction is the session's, and nobody took it over. */
  isAttached(transaction: string, holder: TransactionHolder): boolean;
  /** Lets go of the transaction of a session that ended. */
  leave(transaction: string, holder: TransactionHolder, end: SessionEnd): Promise<void>;
  /** Reads the report of a transaction for its owner. */
  inspect(request: InspectRequest): Promise<InspectReply>;
  /** Every transaction that is known, finished ones too. */
  transactions(): readonly TransactionEntry[];
  /** Where a transaction stands; undefined for an unknown one. */
  transaction(id: string): TransactionRecord | undefined;
  /** Offers how a text may go on. */
  suggest(request: SuggestionRequest): SuggestionReply;
  leadership(): LeadershipView;
  /** Calls back when a user is removed. */
  onUserRemoved(listener: (user: string) => void): void;
  domains(): readonly DomainEntry[];
  domain(name: string): ReadReply<DomainEntry>;
  entities(domain: string): ReadReply<EntityList>;
  graph(domain: string): Promise<ReadReply<GraphDocument>>;
  /** Opens a row stream; the `opened` record is the first line that the sink gets. */
  openRows(
    request: RowsRequest,
    sink: RowsSink,
    principal: Principal,
  ): Promise<ReadReply<RowsStream>>;
  /** Opens a view of a relay for a session. */
  subscribe(
    request: SubscribeRequest,
    reader: SubscriptionReader,
  ): Promise<ReadReply<OpenedSubscription>>;
  /** Takes an archive as the next version of a resource; never rejects for a refusal. */
  upload(request: UploadRequest): Promise<UploadReply>;
  /** The secrets of a domain, without their values. */
  secrets(domain: string): ReadReply<SecretList>;
  /** Makes a value the next version of a secret; never rejects for a refusal. */
  writeSecret(request: SecretWriteRequest): Promise<CommandReply>;
  /** Removes a secret, or one value of it; never rejects for a refusal. */
  removeSecret(request: SecretRequest): Promise<CommandReply>;
  /** The user of a name as it is stored, or undefined where there is none. */
  user(name: string): UserRecord | undefined;
  /**
   * Whether a leader is known and its log works, which a stop does not change, and what else is
   * asked for; null when ready, else the reason it is not.
   */
  unreadyReason(needs?: ReadinessNeeds): string | null;
  /** Prometheus text of the data plane and control plane series. */
  metricsText(): Promise<string>;
}
