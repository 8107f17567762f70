import type { PlacementModel } from '@nervix/model';

export function printPlacement(model: PlacementModel, create: string): string {
  const { name, from, to, policy, rank } = model;
  const sets = `FROM ${from.join(', ')} TO ${to.join(', ')}`;
  return `${create} PLACEMENT ${name} ${sets} ${policy}${rank === null ? '' : ` RANK ${rank}`};`;
}
