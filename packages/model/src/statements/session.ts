export interface UseStatement {
  readonly kind: 'use';
  readonly domain: string;
}
export interface ListDomainsStatement {
  readonly kind: 'list_domains';
}
export interface AttachDomainClockStatement {
  readonly kind: 'attach_domain_clock';
}
export interface DetachDomainClockStatement {
  readonly kind: 'detach_domain_clock';
}
export interface BeginStatement {
  readonly kind: 'begin';
}
export interface CommitStatement {
  readonly kind: 'commit';
  /** The preview that must still hold, or null without EXPECT. */
  readonly expect: ExpectedPreview | null;
}
export interface ExpectedPreview {
  readonly id: string;
  /** Decimal text. */
  readonly position: string;
  /** 64 lower-case hexadecimal digits. */
  readonly basis: string;
}
export interface RevertStatement {
  readonly kind: 'revert';
}
export interface AttachTransactionStatement {
  readonly kind: 'attach_transaction';
  readonly transaction: string;
}
export interface UploadResourceStatement {
  readonly kind: 'upload_resource';
  readonly resource: string;
  /** A folder of the client's machine. */
  readonly directory: string;
}

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
