import type { NodeLoad, RebalancePlan } from './rebalance-plan.js';

/** The block that describes a rebalance. */
export function rebalanceBlock(plan: RebalancePlan): string {
  return blockOf(plan, new Map());
}

/** The result of an executed rebalance. */
export interface RebalanceReport {
  /** False when any move failed; the command fails then. */
  readonly isComplete: boolean;
  readonly text: string;
}

/**
 * Prints an executed rebalance.
 *
 * @param failures reasons by place of the move in the plan
 */
export function rebalanceReport(
  plan: RebalancePlan,
  failures: ReadonlyMap<number, string>,
): RebalanceReport {
  const planned = plan.moves.length;
  const made = planned - failures.size;
  return {
    isComplete: failures.size === 0,
    text: `rebalanced ${made} of ${planned} planned move(s)\n${blockOf(plan, failures)}`,
  };
}

function blockOf(plan: RebalancePlan, failures: ReadonlyMap<number, string>): string {
  const scope = plan.domain === null ? 'the cluster' : `domain '${plan.domain}'`;
  const moves = plan.moves.flatMap(({ domain, members, from, to }, place) => {
    const failure = failures.get(place);
    const tail = failure === undefined ? '' : ` failed: ${failure}`;
    const move = `from=${from} to=${to} group=${place + 1}${tail}`;
    return members.map(({ kind, name }) => `- domain=${domain} kind=${kind} name=${name} ${move}`);
  });
  return [
    `rebalance of ${scope}`,
    `quiesce level: ${plan.level}`,
    `load: ${loadText(plan.load)}`,
    `target: ${loadText(plan.target)}`,
    ...(moves.length === 0 ? ['no moves'] : moves),
    `stopped: ${plan.stopped}`,
  ].join('\n');
}

function loadText(loads: readonly NodeLoad[]): string {
  return loads.map(({ node, owned }) => `${node}=${owned}`).join(' ');
}
