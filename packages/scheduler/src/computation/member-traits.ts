import type { Requirements } from '../feasibility/requirements.js';
import type { GraphKey } from '../placement/graph-key.js';

/**
 * What replicas of a graph node are for: `none` where it cannot have any, as ordinary relays;
 * `role` where they carry nothing; `state` where they hold a copy of its state.
 */
export type Replication = 'none' | 'role' | 'state';

/** What a schedule has to know about one graph node besides its place in the graph. */
export interface MemberTraits extends GraphKey {
  /** `every_node` for ingestors that listen on a socket, `once` for all others. */
  readonly runs: 'once' | 'every_node';
  readonly replication: Replication;
  /** Constraints that its node has to meet besides the general ones. */
  readonly requirements?: Requirements;
}

/** Kinds whose replicas always hold state. */
const STATEFUL_KINDS: ReadonlySet<string> = new Set([
  'deduplicator',
  'window_processor',
  'wasm_processor',
]);

/** What the traits of a graph node depend on beyond its kind; absent means false. */
export interface MemberForm {
  /** An endpoint or Syslog ingestor. */
  readonly isListener?: boolean;
  /** A relay with materialized state. */
  readonly isMaterialized?: boolean;
  /** A Kafka ingestor with `OFFSET BY DOMAIN`. */
  readonly isOffsetByDomain?: boolean;
}

/** Derives the traits of a graph node from its kind and form. */
export function memberTraits({ kind, name }: GraphKey, form: MemberForm = {}): MemberTraits {
  const runs = form.isListener === true ? 'every_node' : 'once';
  return { kind, name, runs, replication: replicationOf(kind, form) };
}

function replicationOf(kind: string, form: MemberForm): Replication {
  if (kind === 'relay') return form.isMaterialized === true ? 'state' : 'none';
  return STATEFUL_KINDS.has(kind) || form.isOffsetByDomain === true ? 'state' : 'role';
}
