import type { PlacementModel, PlacementOperation } from '@nervix/model';

/** A rule after operations in written order; the given one is left as it is. */
export function alteredRule(
  rule: PlacementModel,
  operations: readonly PlacementOperation[],
): PlacementModel {
  return operations.reduce(applied, rule);
}

function applied(rule: PlacementModel, operation: PlacementOperation): PlacementModel {
  switch (operation.op) {
    case 'set_policy':
      return { ...rule, policy: operation.policy };
    case 'set_rank':
      return { ...rule, rank: operation.rank };
    case 'drop_rank':
      return { ...rule, rank: null };
    case 'set_ends':
      return { ...rule, from: operation.from, to: operation.to };
    case 'rename':
      return { ...rule, name: operation.name };
  }
}
