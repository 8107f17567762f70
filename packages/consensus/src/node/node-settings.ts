import { invalidOption } from '../options/option-check.ts';
import { type FeatureLevels, FIRST_LEVEL, levelsOfRelease } from '../raft/feature-levels.ts';
import type { Transport } from '../transport/transport.ts';
import { checkNodeOptions } from './node-option-checks.ts';
import {
  type RaftNodeLimits,
  type RaftNodeOptions,
  type RaftTiming,
  type RetentionPolicy,
  resolveLimits,
  resolveRetention,
  resolveTiming,
} from './raft-node-options.ts';

/** Options with their defaults filled in. */
export interface NodeSettings {
  readonly limits: RaftNodeLimits;
  readonly timing: RaftTiming;
  readonly retention: RetentionPolicy;
  /** Feature levels that this release supports. */
  readonly levels: FeatureLevels;
}

const usedTransports = new WeakSet<Transport>();

/**
 * Judges all options of a node that is to be opened, and takes its transport for it: another node
 * with the same one would end the connections of the first. Throws `RAFT_INVALID_OPTION`, and then
 * nothing has happened.
 */
export function settingsOf(options: RaftNodeOptions): NodeSettings {
  checkNodeOptions(options);
  const settings = {
    limits: resolveLimits(options.limits),
    timing: resolveTiming(options.timing),
    retention: resolveRetention(options.retention),
    levels: levelsOfRelease(options.featureLevel ?? FIRST_LEVEL),
  };
  const transport = options.cluster?.transport;
  if (transport !== undefined) {
    if (usedTransports.has(transport)) {
      throw invalidOption('cluster.transport', 'belongs to another node; make one for each node');
    }
    usedTransports.add(transport);
  }
  return settings;
}

/** Gives the transport back that {@link settingsOf} took, as long as it has not begun to listen. */
export function releaseTransport({ cluster }: RaftNodeOptions): void {
  if (cluster !== undefined) usedTransports.delete(cluster.transport);
}
