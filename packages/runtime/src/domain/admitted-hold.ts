import type { ExecutionDelta, PauseLevel } from './execution-delta.js';

/** What a change was admitted to hold of a running domain, whatever its plan turns out to replace. */
export interface AdmittedHold {
  readonly level: PauseLevel;
  /** Nodes that count as replaced, as `KIND name`: what lies downstream is held with them. */
  readonly nodes: readonly string[];
  /** Relays that are closed for publishers in any case, by name. */
  readonly gates: readonly string[];
}

/** Of a plan that holds no more than it has to. */
export const NOTHING_ADMITTED: AdmittedHold = { level: 'DYNAMIC', nodes: [], gates: [] };

const WIDTHS: readonly PauseLevel[] = ['DYNAMIC', 'ENTITY_PAUSE', 'DOMAIN_PAUSE'];

/** What is to be held for a plan: what it needs, and what was admitted if that is more. */
export function heldLevel(needed: PauseLevel, { level }: AdmittedHold): PauseLevel {
  return WIDTHS.indexOf(needed) >= WIDTHS.indexOf(level) ? needed : level;
}

/** The nodes that a plan replaces, and those that were admitted as such. */
export function heldNodes(delta: ExecutionDelta, { nodes }: AdmittedHold): ReadonlySet<string> {
  return new Set([...(delta.kind === 'swap' ? delta.swapped : []), ...nodes]);
}
