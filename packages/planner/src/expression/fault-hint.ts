import { type Expression, type FunctionCall, findFunction, functionNames } from '@nervix/model';
import { isAggregate } from './aggregates.js';
import { nearestName } from './nearest-name.js';
import { type ExpressionScope, nearestField } from './scope.js';

/** Advice about a node at fault, if its name is one that nothing has. */
export function faultHint(node: Expression, scope: ExpressionScope): string | undefined {
  const meant = nameMeant(node, scope);
  return meant === undefined ? undefined : `did you mean ${meant}?`;
}

function nameMeant(node: Expression, scope: ExpressionScope): string | undefined {
  switch (node.kind) {
    case 'field':
    case 'relay_state': {
      const name = nearestField(node, scope);
      return name === node.name ? undefined : name;
    }
    case 'call':
      return functionMeant(node, scope);
    default:
      return undefined;
  }
}

function functionMeant({ name }: FunctionCall, { policy }: ExpressionScope): string | undefined {
  if (findFunction(name) !== undefined || isAggregate(name)) return undefined;
  return nearestName(name, [
    ...functionNames('anywhere'),
    ...(policy.headers ? functionNames('header_source') : []),
    ...(policy.lookups ? functionNames('lookup') : []),
    ...(policy.aggregates === 'calls' ? functionNames('aggregate') : []),
  ]);
}
