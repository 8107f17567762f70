import {
  type Assignment,
  ERROR_ROW_FIELDS,
  type MessageErrorPlan,
  type MessageErrorPolicy,
  type RowSource,
  type TypedAssignment,
} from '@nervix/model';
import { allOptional, type FieldTable, fieldTable } from '../expression/field-table.js';
import { RecordConstruction } from '../expression/record-construction.js';
import { readingScope } from '../expression/scope.js';
import type { ScopePolicy } from '../expression/scope-policy.js';
import { reportFailure } from './construction.js';
import type { ModelReporter } from './planning-context.js';

const ERROR_ROW = fieldTable(ERROR_ROW_FIELDS);

/** What is known where an operation fails. */
export interface MessageErrorRules {
  readonly policy: ScopePolicy;
  readonly input: FieldTable;
  /** Fields of the failing route's record; undefined where none is built. */
  readonly output: FieldTable | undefined;
  /** Branch declarations of the operations that may fail; null stands for unbranched work. */
  readonly branches: readonly (string | null)[];
}

/** Types an ON MESSAGE ERROR policy and checks the branch of its relay. */
export function planMessageError(
  report: ModelReporter,
  policy: MessageErrorPolicy,
  rules: MessageErrorRules,
): MessageErrorPlan | undefined {
  if (policy.kind !== 'send_to') return { kind: policy.kind };
  const { context } = report;
  const found = context.branchOfRelay(policy.relay);
  const other = rules.branches.find((branch) => branch !== found);
  if (other !== undefined) {
    const names = `${found ?? 'UNBRANCHED'}, expected ${other ?? 'UNBRANCHED'}`;
    report.schemaRelation(`message-error relay '${policy.relay}' uses branch ${names}`, policy);
    return undefined;
  }
  const branch = context.branchFields(found);
  const rows = {
    input: rules.input,
    error: ERROR_ROW,
    ...(rules.output === undefined ? {} : { partial_output: allOptional(rules.output) }),
    ...(branch === undefined ? {} : { branch }),
  };
  const assignments = planErrorRecord(report, policy, {
    policy: rules.policy,
    rows,
    clause: 'message-error SET',
  });
  return assignments === undefined
    ? undefined
    : { kind: 'send_to', relay: policy.relay, assignments };
}

export interface ErrorRecordRules {
  readonly policy: ScopePolicy;
  readonly rows: Readonly<Partial<Record<RowSource, FieldTable>>>;
  /** The clause, as failures name it. */
  readonly clause: string;
}

/** Types the assignments of an error record, which must give every required field a value. */
export function planErrorRecord(
  report: ModelReporter,
  target: { readonly relay: string; readonly set: readonly Assignment[] },
  rules: ErrorRecordRules,
): readonly TypedAssignment[] | undefined {
  const { context } = report;
  const fields = context.fieldsOf(context.find('relay', target.relay)?.schema ?? '');
  const record = new RecordConstruction(
    { row: 'output', fields, operation: 'set', targetScopes: [] },
    readingScope(rules.policy, { ...rules.rows, output: fields }, context.surroundings),
  );
  const failure = record.set(target.set) ?? record.finish(target);
  if (failure === undefined) return record.assignments;
  const wording = {
    invalid: `${rules.clause} is invalid`,
    compile: `${rules.clause} compile failed`,
  };
  reportFailure(report, wording, failure);
  return undefined;
}
