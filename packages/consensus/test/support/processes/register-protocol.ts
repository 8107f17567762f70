import type { RaftNodeOptions } from '../../../src/index.ts';
import type { CredentialBundle } from '../../../src/transport/credentials.ts';
import type { RegisterCommand } from './register-machine.ts';

/** How a process is told what to be: one JSON text as its only argument. */
export interface RegisterServerOptions {
  readonly clusterId: string;
  readonly nodeId: string;
  readonly directory: string;
  /** Where the other members reach this process. */
  readonly listen: string;
  readonly advertise: string;
  /** Addresses of the other members as this process is to see them. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly bootstrap: boolean;
  readonly contacts: readonly string[];
  readonly timing: NonNullable<RaftNodeOptions['timing']>;
  readonly retention: NonNullable<RaftNodeOptions['retention']>;
  readonly tls: CredentialBundle | 'plaintext';
  readonly diskSpace: NonNullable<RaftNodeOptions['diskSpace']>;
  /** Newest feature level of the release that the process stands for. */
  readonly featureLevel: number;
}

/** What a client or an operator may ask for. */
export type RegisterCall =
  | { readonly op: 'change'; readonly command: RegisterCommand }
  | { readonly op: 'read'; readonly key: number }
  | { readonly op: 'status' }
  /** Collects garbage before it measures. */
  | { readonly op: 'memory' }
  /** Why connections were refused since the start. */
  | { readonly op: 'refusals' }
  /** How the connections to the others are, for the report of a failure. */
  | { readonly op: 'network' }
  /** Delays each write of the store by a time between the two bounds. */
  | { readonly op: 'slowDisk'; readonly minMs: number; readonly maxMs: number }
  | { readonly op: 'credentials'; readonly tls: CredentialBundle }
  /** Removes a stopped node for good; only of the leader. */
  | { readonly op: 'drop'; readonly nodeId: string }
  /** Activates a feature level; only of the leader. */
  | { readonly op: 'activate'; readonly level: number };

/** One request, as a line of JSON. */
export type RegisterRequest = RegisterCall & { readonly id: number };

/** Its answer. A refusal has no effect; `unknown` may have one. */
export interface RegisterAnswer {
  readonly id: number;
  readonly answer?: unknown;
  /** Index of the log at which a change was made, or up to which a read has seen it. */
  readonly place?: number;
  readonly refused?: string;
  readonly unknown?: string;
}

/** What a process says of itself. */
export interface ProcessStatus {
  readonly role: string;
  readonly term: string;
  readonly leader: string | undefined;
  readonly applied: string;
  readonly first: string;
  readonly snapshot: string;
  readonly storeId: string;
  readonly voters: readonly string[];
  readonly learners: readonly string[];
  readonly isJoint: boolean;
  /** Whether this very store has a vote; its name alone may be that of a former one. */
  readonly isVoter: boolean;
  readonly failure: string | undefined;
  /** The activated feature level. */
  readonly level: number;
}

/** Memory of a process in bytes. */
export interface ProcessMemory {
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
}
