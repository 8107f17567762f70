import type { PlacementModel } from '@nervix/model';

export function printPlacement(model: PlacementModel, create: string): string {
  const { name, policy, rank } = model;
  return `${create} PLACEMENT ${name} ${printPlacementSets(model)} ${policy}${rank === null ? '' : ` RANK ${rank}`};`;
}

/** `FROM a, b TO c`. */
export function printPlacementSets({ from, to }: Pick<PlacementModel, 'from' | 'to'>): string {
  return `FROM ${from.join(', ')} TO ${to.join(', ')}`;
}
