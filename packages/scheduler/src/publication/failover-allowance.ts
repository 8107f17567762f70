/** Share of a domain's graph nodes that may fail over by themselves in one window. */
export const FAILOVER_SHARE = 0.1;

/** Length of that window, in milliseconds. */
export const FAILOVER_WINDOW_MS = 300_000;

/** What failed over in a domain since the window began. */
export interface FailoverHistory {
  /** Graph nodes of the domain, listeners not counted. */
  readonly graphNodes: number;
  /** Graph nodes that failed over in the last {@link FAILOVER_WINDOW_MS}. */
  readonly failedOver: number;
}

/** Graph nodes that may still fail over by themselves: a tenth, at least one a window. */
export function failoverAllowance({ graphNodes, failedOver }: FailoverHistory): number {
  return Math.max(0, Math.max(1, Math.floor(graphNodes * FAILOVER_SHARE)) - failedOver);
}
