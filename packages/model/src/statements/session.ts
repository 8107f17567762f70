/** `USE`. */
export interface UseStatement {
  readonly kind: 'use';
  readonly domain: string;
}
/** `LIST DOMAINS`. */
export interface ListDomainsStatement {
  readonly kind: 'list_domains';
}
/** `ATTACH DOMAIN CLOCK`. */
export interface AttachDomainClockStatement {
  readonly kind: 'attach_domain_clock';
}
/** `DETACH DOMAIN CLOCK`. */
export interface DetachDomainClockStatement {
  readonly kind: 'detach_domain_clock';
}
/** `BEGIN`. */
export interface BeginStatement {
  readonly kind: 'begin';
}
/** `COMMIT`. */
export interface CommitStatement {
  readonly kind: 'commit';
  /** The preview that must still hold, or null without EXPECT. */
  readonly expect: ExpectedPreview | null;
}
/** The preview that a commit is to carry out. */
export interface ExpectedPreview {
  readonly id: string;
  /** Decimal text. */
  readonly position: string;
  /** 64 lower-case hexadecimal digits. */
  readonly basis: string;
}
/** `REVERT`. */
export interface RevertStatement {
  readonly kind: 'revert';
}
/** `ATTACH TRANSACTION`. */
export interface AttachTransactionStatement {
  readonly kind: 'attach_transaction';
  readonly transaction: string;
}
/** `UPLOAD RESOURCE`. */
export interface UploadResourceStatement {
  readonly kind: 'upload_resource';
  readonly resource: string;
  /** A folder of the client's machine. */
  readonly directory: string;
}

/** Statements about the session and its transaction. */
export type SessionStatement =
  | UseStatement
  | ListDomainsStatement
  | AttachDomainClockStatement
  | DetachDomainClockStatement
  | BeginStatement
  | CommitStatement
  | RevertStatement
  | AttachTransactionStatement
  | UploadResourceStatement;
