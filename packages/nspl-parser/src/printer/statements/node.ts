import type { NodeAdministrationStatement, NodeOperation } from '@nervix/model';
import { stringLiteral } from '../lexical.js';
import { printSettings } from '../settings.js';

/** A statement about a node of the cluster, or about the cluster. */
export function printNodeStatement(statement: NodeAdministrationStatement): string {
  switch (statement.kind) {
    case 'cordon_node':
    case 'uncordon_node':
    case 'drain_node':
    case 'drop_node':
      return `${statement.kind.toUpperCase().replace('_', ' ')} ${statement.node};`;
    case 'alter_node':
      return `ALTER NODE ${statement.node} ${statement.operations.map(printOperation).join(', ')};`;
    case 'quarantine_node': {
      const { node, reason } = statement;
      return `QUARANTINE NODE ${node}${reason === null ? '' : ` REASON ${stringLiteral(reason)}`};`;
    }
    case 'release_node': {
      const { node, evidence } = statement;
      const note = evidence === null ? '' : ` EVIDENCE ${stringLiteral(evidence)}`;
      return `RELEASE NODE ${node}${note};`;
    }
    case 'alter_cluster':
      return `ALTER CLUSTER SET FEATURE LEVEL ${statement.featureLevel};`;
  }
}

function printOperation(operation: NodeOperation): string {
  switch (operation.op) {
    case 'set_pool':
      return `SET POOL ${operation.pool}`;
    case 'set_labels':
      return `SET LABELS ${printSettings(operation.settings)}`;
    case 'set_capacity':
      return `SET CAPACITY ${printSettings(operation.settings)}`;
    case 'set_maintenance': {
      const { from, to } = operation;
      return `SET MAINTENANCE FROM ${stringLiteral(from)} TO ${stringLiteral(to)}`;
    }
    default:
      return operation.op.toUpperCase().replace('_', ' ');
  }
}
