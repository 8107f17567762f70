import type { UserIdentity } from './user-identity.js';

/** A declared resource of a domain. */
export interface ResourceRecord {
  readonly kind: 'resource';
  readonly domain: string;
  readonly name: string;
  /** Number of the next version that is admitted; numbers are never given twice. */
  readonly nextVersion: number;
}

/** How far a version has come on one node. */
export interface ReplicaRecord {
  readonly node: string;
  readonly state: 'pending' | 'ready' | 'failed';
  /** Root checksum that the node found; null before it compared. */
  readonly checksum: string | null;
  /** Unix milliseconds; null before it compared. */
  readonly verifiedAtMs: number | null;
  /** Node that the bytes came from; null before they did. */
  readonly source: string | null;
  readonly error: string | null;
}

/** An uploaded version of a resource. Its content lies in the nodes' stores under its digest. */
export interface ResourceVersionRecord {
  readonly kind: 'resource_version';
  readonly domain: string;
  readonly resource: string;
  readonly version: number;
  /** Published: on the node that took it. The two others are final. */
  readonly state: 'published' | 'completed' | 'failed';
  /** SHA-256 of the archive as it was sent. */
  readonly archiveDigest: string;
  readonly archiveBytes: number;
  readonly rootChecksum: string;
  readonly manifestChecksum: string;
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly createdByNode: string;
  /** Unix milliseconds. */
  readonly createdAtMs: number;
  /** By node. */
  readonly replicas: readonly ReplicaRecord[];
}

/** What an upload identity was used for; it is never forgotten. */
export interface ResourceUploadRecord {
  readonly kind: 'resource_upload';
  readonly domain: string;
  readonly resource: string;
  readonly owner: UserIdentity;
  readonly identity: string;
  /** SHA-256 of the archive. */
  readonly digest: string;
  readonly version: number;
}

/** Written with every change of a domain's resources that plans depend on; fences compare it. */
export interface ResourceCatalogRecord {
  readonly kind: 'resource_catalog';
  readonly domain: string;
}

/** Every record about resources. */
export type ResourceStateRecord =
  | ResourceRecord
  | ResourceVersionRecord
  | ResourceUploadRecord
  | ResourceCatalogRecord;
