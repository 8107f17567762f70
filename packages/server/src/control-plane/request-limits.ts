import {
  isNestedDeeper,
  type Model,
  NESTING_MAX,
  SCHEMA_FIELDS_MAX,
  type SourceSpan,
  type Statement,
} from '@nervix/model';
import type { ParsedStatement } from '@nervix/nspl-parser';
import { isQueueable } from '@nervix/planner';
import type { ErrorCode } from '@nervix/protocol';
import type { ReplyError } from './command-reply.js';
import type { CommandLimits } from './control-context.js';
import { MODELS_BYTES_MAX } from './transactions/step-size.js';

type Limits = Pick<CommandLimits, 'transactionMaxStatements' | 'transactionMaxSourceBytes'>;

/**
 * Why a request is larger than it could ever be carried out, told before anything of it is planned, so
 * that nothing begins that would be left half done; undefined for any other request.
 *
 * @param isTransactional whether its statements are queued in a transaction
 */
export function requestLimitRefusal(
  statements: readonly ParsedStatement[],
  limits: Limits,
  isTransactional: boolean,
): ReplyError | undefined {
  for (const parsed of statements) {
    const refusal = statementLimitRefusal(parsed);
    if (refusal !== undefined) return refusal;
  }
  // A statement that is sent alone is told by the transaction that it is meant for.
  const isQueue = isTransactional && statements.length > 1;
  return isQueue ? queueLimitRefusal(statements, limits) : undefined;
}

function statementLimitRefusal({
  statement,
  text,
  span,
  spans,
}: ParsedStatement): ReplyError | undefined {
  if (isNestedDeeper(statement)) {
    return refused('INVALID_MODEL', `statement nesting exceeds ${NESTING_MAX} levels`, span);
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > MODELS_BYTES_MAX) {
    const message = `the statement holds ${bytes} bytes, above ${MODELS_BYTES_MAX}`;
    return refused('LIMIT_REACHED', message, span);
  }
  const schema = createdSchema(statement);
  const excess = schema?.fields[SCHEMA_FIELDS_MAX];
  if (schema === undefined || excess === undefined) return undefined;
  const count = `${schema.fields.length} fields, above ${SCHEMA_FIELDS_MAX}`;
  return refused(
    'LIMIT_REACHED',
    `schema '${schema.name}' holds ${count}`,
    spans.spanOf(excess) ?? span,
  );
}

function createdSchema(
  statement: Statement,
): Extract<Model, { readonly fields: readonly object[] }> | undefined {
  if (statement.kind !== 'create_model') return undefined;
  switch (statement.model.kind) {
    case 'schema':
    case 'wire_json_schema':
    case 'wire_cbor_schema':
    case 'wire_avro_schema':
      return statement.model;
    default:
      return undefined;
  }
}

/** All statements of a request belong to one transaction, which does not take more than this. */
function queueLimitRefusal(
  statements: readonly ParsedStatement[],
  { transactionMaxStatements: countMax, transactionMaxSourceBytes: bytesMax }: Limits,
): ReplyError | undefined {
  const queued = statements.filter(({ statement }) => isQueueable(statement));
  const excess = queued[countMax];
  if (excess !== undefined) {
    const limit = `queued statement limit ${countMax} reached`;
    const message = `${limit}: the request holds ${queued.length} statements for one transaction`;
    return refused('LIMIT_REACHED', message, excess.span);
  }
  let bytes = 0;
  for (const { text, span } of queued) {
    bytes += Buffer.byteLength(text);
    if (bytes <= bytesMax) continue;
    const limit = `queued source byte limit ${bytesMax} exceeded`;
    const message = `${limit} by the statements that the request holds for one transaction`;
    return refused('LIMIT_REACHED', message, span);
  }
  return undefined;
}

function refused(code: ErrorCode, message: string, { start, end }: SourceSpan): ReplyError {
  return { code, message, diagnostics: [{ message, span: { start, end } }] };
}
