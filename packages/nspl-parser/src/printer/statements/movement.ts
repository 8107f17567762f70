import type {
  MovementStatement,
  RebalanceStatement,
  RelocationSelection,
  RelocationStatement,
  RuntimeMember,
} from '@nervix/model';
import { printMember } from '../member.js';

/** A statement that moves work between nodes, or tells what would be moved. */
export function printMovement(statement: MovementStatement): string {
  switch (statement.kind) {
    case 'relocate':
      return printRelocation('RELOCATE', statement);
    case 'describe_relocation':
      return printRelocation('DESCRIBE RELOCATION', statement);
    case 'rebalance':
      return printRebalance('REBALANCE', statement);
    case 'describe_rebalance':
      return printRebalance('DESCRIBE REBALANCE', statement);
  }
}

function printRelocation(head: string, statement: RelocationStatement): string {
  const { selection, node, strategy, overrides } = statement;
  const exceptions = overrides.map(
    (override) => `FOR ${printMember(override.member)} ${override.strategy}`,
  );
  return [
    `${head} ${printSelection(selection)} ONTO NODE ${node} ${strategy}`,
    exceptions.length === 0 ? '' : ` ${exceptions.join(', ')}`,
    ';',
  ].join('');
}

function printSelection(selection: RelocationSelection): string {
  if (selection.kind === 'members') return printMembers(selection.members);
  return `FROM ${printMembers(selection.from)} TO ${printMembers(selection.to)}`;
}

function printMembers(members: readonly RuntimeMember[]): string {
  return members.map(printMember).join(', ');
}

function printRebalance(head: string, { domain, maxMoves }: RebalanceStatement): string {
  const where = domain === null ? '' : ` DOMAIN ${domain}`;
  return `${head}${where}${maxMoves === null ? '' : ` MAX MOVES ${maxMoves}`};`;
}
