import type { OutputFormat } from './output-format.js';

/** What an archive holds; a domain without name is the session's. */
export type BackupSubject =
  | { readonly kind: 'cluster' }
  | { readonly kind: 'domain'; readonly domain: string | null };

/** How runtime state gets into an archive: under a pause of at most `nanos`, or not so. */
export type BackupState =
  | { readonly kind: 'without_state' }
  | { readonly kind: 'without_pause' }
  /** Clock duration in decimal nanoseconds. */
  | { readonly kind: 'timeout'; readonly nanos: string };

/** `BACKUP`. */
export interface BackupStatement {
  readonly kind: 'backup';
  readonly subject: BackupSubject;
  /** A file of the client's machine; null in the form that a client sends to a node. */
  readonly path: string | null;
  readonly withoutResources: boolean;
  /** null without a clause. */
  readonly state: BackupState | null;
}

/** What an archive is restored to. */
export type RestoreSubject =
  | { readonly kind: 'cluster'; readonly onExistingUser: 'FAIL' | 'SKIP' | 'REPLACE' }
  | {
      readonly kind: 'domain';
      readonly domain: string;
      /** The restored domain's new name, or null to keep it. */
      readonly as: string | null;
    };

/** `RESTORE`. */
export interface RestoreStatement {
  readonly kind: 'restore';
  readonly subject: RestoreSubject;
  /** A file of the client's machine; null in the form that a client sends to a node. */
  readonly path: string | null;
  readonly resume: boolean;
  readonly dryRun: boolean;
  readonly without: 'STATE' | 'SOURCE OFFSETS' | null;
}

/** `DESCRIBE BACKUP`. */
export interface DescribeBackupStatement {
  readonly kind: 'describe_backup';
  readonly path: string;
  readonly format: OutputFormat;
}
