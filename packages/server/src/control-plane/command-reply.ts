import type {
  ErrorBody,
  Inspection,
  StatementOutcome,
  TransactionStatus,
  WireDiagnostic,
} from '@nervix/protocol';
import type { CommandReply } from './control-plane.js';
import { dispositionOf, failed, type Outcome, toStatementOutcome } from './outcome.js';

/** What a request came to besides the outcomes of its statements. */
export interface RequestEnd {
  readonly reference: string;
  readonly isRecovered: boolean;
  /** The report that the request read. */
  readonly inspection: Inspection | undefined;
  /** The transaction that the request worked on. */
  readonly status: TransactionStatus | undefined;
}

/** A refusal of a request. */
export type ReplyError = Pick<
  ErrorBody['error'],
  'code' | 'message' | 'diagnostics' | 'expected' | 'current' | 'conflict'
>;

/** What a command is told that only fits into a transaction. */
export const NOT_ATTACHED: ReplyError = {
  code: 'NO_ATTACHED_TRANSACTION',
  message: 'no transaction is attached to this session',
  diagnostics: [{ message: 'no transaction is attached to this session' }],
};

/** The refusal of a request as a whole. */
export function shapeRefusal(message: string): ReplyError {
  return { code: 'REQUEST_SHAPE', message, diagnostics: [{ message }] };
}

/** The answer to a request whose statements ran, as far as they did. */
export function commandReply(
  end: RequestEnd,
  outcomes: readonly Outcome[],
  isMulti: boolean,
): CommandReply {
  const { reference, inspection, status: transaction } = end;
  const statements = isMulti ? outcomes.map(toStatementOutcome) : undefined;
  const last = outcomes.at(-1) ?? failed('INTERNAL', 'the request had no statements');
  const isUndecided = last.kind === 'failed' && last.code === 'OUTCOME_UNKNOWN';
  if (last.kind === 'failed' && !isUndecided) {
    const { code, message, diagnostics, stale, conflict } = last;
    const difference = conflict === undefined ? {} : { conflict };
    const error = { code, message, diagnostics, ...difference, ...stale };
    return reject(error, reference, { statements, transaction });
  }
  const admission = outcomes
    .flatMap((each) => (each.kind === 'completed' ? [each.admission] : []))
    .findLast((each) => each !== undefined);
  return {
    kind: 'completed',
    outcome: {
      execution_reference: reference,
      origin: end.isRecovered ? 'Recovered' : 'Executed',
      disposition: dispositionOf(last),
      message: outcomes
        .map(({ message }) => message)
        .filter((message) => message !== '')
        .join('\n'),
      diagnostics: isUndecided ? last.diagnostics : outcomes.flatMap(remarksOf),
      ...(statements === undefined ? {} : { statements }),
      ...(transaction === undefined ? {} : { transaction }),
      ...(admission === undefined ? {} : { transaction_admission: admission }),
      ...(inspection === undefined ? {} : { inspection }),
    },
  };
}

function remarksOf(outcome: Outcome): readonly WireDiagnostic[] {
  return outcome.kind === 'completed' ? (outcome.remarks ?? []) : [];
}

/** The answer to a request that was refused. */
export function reject(
  error: ReplyError,
  reference: string,
  rest: {
    readonly statements?: readonly StatementOutcome[] | undefined;
    readonly transaction?: TransactionStatus | undefined;
  } = {},
): CommandReply {
  return {
    kind: 'failed',
    error: {
      ...error,
      execution_reference: reference,
      ...(rest.statements === undefined ? {} : { statements: rest.statements }),
      ...(rest.transaction === undefined ? {} : { transaction: rest.transaction }),
    },
  };
}
