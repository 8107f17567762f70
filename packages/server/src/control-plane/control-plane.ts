import type {
  CommandOutcome,
  CommandRequest,
  DomainEntry,
  EntityList,
  ErrorBody,
  GraphDocument,
} from '@nervix/protocol';
import type { UploadReply, UploadRequest } from '../resources/resource-uploads.js';

/** The authenticated user a request acts for. */
export interface Principal {
  readonly user: string;
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

/** What a check of readiness asks for besides a leader. */
export interface ReadinessNeeds {
  /** Recovery is over: what ran before the node stopped runs again, and requests are taken. */
  readonly isAdmitted?: boolean;
  /** The node has not begun to stop. */
  readonly isStaying?: boolean;
}

/** All that the listeners may ask of the node: the one door to replicated state and data plane. */
export interface ControlPlane {
  /** Runs NSPL; never throws for a refusal. */
  execute(request: CommandRequest, principal: Principal): Promise<CommandReply>;
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
  /** Takes an archive as the next version of a resource; never rejects for a refusal. */
  upload(request: UploadRequest): Promise<UploadReply>;
  /** Argon2id hash of a user's password, or undefined for an unknown user. */
  passwordHash(user: string): string | undefined;
  /**
   * Whether a leader is known and its log works, which a stop does not change, and what else is
   * asked for; null when ready, else the reason it is not.
   */
  unreadyReason(needs?: ReadinessNeeds): string | null;
  /** Prometheus text of the data plane and control plane series. */
  metricsText(): Promise<string>;
}
