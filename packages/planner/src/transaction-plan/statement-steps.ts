import type { AlterDomainStatement } from '@nervix/model';
import {
  type CreateResourceStatement,
  type ModelChangeStatement,
  type RebindResourceStatement,
  type ResetWasmProcessorStatement,
  type StartStatement,
  type Statement,
  type StopStatement,
  statementLabel,
} from '@nervix/model';

/** `ALTER DOMAIN SET PLACEMENT`. */
export type SetPlacementStatement = AlterDomainStatement & {
  readonly setting: Extract<AlterDomainStatement['setting'], { kind: 'placement' }>;
};
/** A statement that belongs to a run of model changes. */
export type RunStatement = ModelChangeStatement | RebindResourceStatement;
/** A statement that is a step of its own. */
export type SingleStatement =
  | SetPlacementStatement
  | StartStatement
  | StopStatement
  | CreateResourceStatement
  | ResetWasmProcessorStatement;
/** What a transaction may hold. */
export type QueueableStatement = RunStatement | SingleStatement;

/** Consecutive operations that are applied together; numbers count from 1. */
export type StatementStep =
  | {
      readonly kind: 'models';
      readonly first: number;
      readonly last: number;
      readonly statements: readonly RunStatement[];
    }
  | {
      readonly kind: 'single';
      readonly first: number;
      readonly last: number;
      readonly statement: SingleStatement;
    };

/** Whether a transaction may hold a statement. */
export function isQueueable(statement: Statement): statement is QueueableStatement {
  switch (statement.kind) {
    case 'create_model':
    case 'alter_model':
    case 'drop_model':
    case 'rebind_resource':
    case 'start':
    case 'stop':
    case 'create_resource':
    case 'reset_wasm_processor':
      return true;
    case 'alter_domain':
      return statement.setting.kind === 'placement';
    default:
      return false;
  }
}

/** Why a statement does not belong into a transaction. */
export function notQueueable(statement: Statement): string {
  return (
    `${statementLabel(statement)} cannot be queued in a transaction; a transaction applies to ` +
    `one existing domain and queues only that domain's configuration statements`
  );
}

/** Longest runs of model changes, and every other statement alone, in order. */
export function statementSteps(
  statements: readonly QueueableStatement[],
): readonly StatementStep[] {
  const steps: StatementStep[] = [];
  let run: RunStatement[] = [];
  const endRun = (last: number) => {
    const first = last - run.length + 1;
    if (run.length > 0) steps.push({ kind: 'models', first, last, statements: run });
    run = [];
  };
  for (const [index, statement] of statements.entries()) {
    if (isRunStatement(statement)) {
      run.push(statement);
      continue;
    }
    endRun(index);
    steps.push({ kind: 'single', first: index + 1, last: index + 1, statement });
  }
  endRun(statements.length);
  return steps;
}

function isRunStatement(statement: QueueableStatement): statement is RunStatement {
  switch (statement.kind) {
    case 'create_model':
    case 'alter_model':
    case 'drop_model':
    case 'rebind_resource':
      return true;
    default:
      return false;
  }
}
