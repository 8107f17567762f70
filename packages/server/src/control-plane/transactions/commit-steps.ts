import type {
  CommitStep,
  ModelStatement,
  QueuedStatement,
  TransactionOperation,
  TransactionRecord,
} from '../../replicated-state/records.js';

/**
 * Partitions operations into steps, in order: a longest run of model changes is one step, and every
 * other statement is a step of its own.
 */
export function commitSteps(operations: readonly TransactionOperation[]): readonly CommitStep[] {
  const steps: CommitStep[] = [];
  for (const [index, { statement }] of operations.entries()) {
    const number = index + 1;
    const previous = steps.at(-1);
    if (!isModelStatement(statement)) {
      const kind = statement.kind === 'alter_domain' ? 'placement' : statement.kind;
      steps.push({ kind, first: number, last: number });
    } else if (previous?.kind === 'models') {
      steps[steps.length - 1] = { ...previous, last: number };
    } else {
      steps.push({ kind: 'models', first: number, last: number });
    }
  }
  return steps;
}

/** Whether a statement changes models, and so is made together with its neighbours. */
export function isModelStatement(statement: QueuedStatement): statement is ModelStatement {
  switch (statement.kind) {
    case 'create_model':
    case 'drop_model':
    case 'alter_model':
      return true;
    default:
      return false;
  }
}

/** Statements of a step that is still to come. */
export function statementsOf(
  { accepted, operations }: TransactionRecord,
  { first, last }: CommitStep,
): readonly QueuedStatement[] {
  const applied = accepted - operations.length;
  return operations.slice(first - 1 - applied, last - applied).map(({ statement }) => statement);
}
