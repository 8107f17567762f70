import type { SchemaPlan } from '@nervix/model';
import type { BranchLimits } from '../branch/branch-registry.js';
import type { RouteOutput } from '../flush/route-output.js';
import type { NodeIdentity } from './node-context.js';

/** A branch declaration as a node applies it. */
export interface BranchSettings {
  readonly name: string;
  readonly schema: SchemaPlan;
  readonly limits: BranchLimits;
}

/** A node of the running graph, as its domain runs it. */
export interface DomainNode {
  readonly kind: NodeIdentity['kind'];
  readonly name: string;
  /** Whether it holds no row that still has to move. */
  readonly isIdle: boolean;
  /** Admitted rows that it holds. */
  readonly heldRows: number;
  /** Live concrete branches. */
  readonly branchCount: number;
  /** Works until the node is closed; fails only when the node's own invariants broke. */
  run(): Promise<void>;
  /** Moves everything held back by time or size, whatever its policy says. */
  flush(): void;
  /** Expires branches that were idle long enough. */
  scanBranches(nowNanos: bigint): void;
  /** Tells the sources of everything held that it is held on purpose. */
  keepAlive(): void;
  /** Brings levels up to date before a scrape. */
  refreshMetrics(): void;
  /** Ends the node; whatever it still holds is refused. */
  close(reason: string): void;
}

/**
 * Puts a prepared change in force. It cannot fail and does not wait, so that no batch sees half of
 * it.
 */
export type Cutover = () => void;

/** Waits until no publication of the outputs waits for room. */
export async function untilUnblocked(outputs: readonly RouteOutput[]): Promise<void> {
  for (;;) {
    const blocked = outputs.find((output) => output.blocked !== undefined)?.blocked;
    if (blocked === undefined) return;
    await blocked;
  }
}
