import { type ParsedStatement, parseScript } from '@nervix/nspl-parser';
import { type ReplyError, shapeRefusal } from './command-reply.js';
import { CLIENT_LOCAL } from './not-executed.js';

const SEPARATE_READS =
  'DESCRIBE TRANSACTION and SHOW TRANSACTIONS must be executed separately; ' +
  'send them in a request of their own';

/** The statements of a request, at least one, or why there are none. */
export type StatementsReading =
  | {
      readonly kind: 'statements';
      readonly statements: readonly ParsedStatement[];
      readonly first: ParsedStatement;
    }
  | { readonly kind: 'refused'; readonly error: ReplyError };

/** Takes the text of a request apart. */
export function readStatements(query: string): StatementsReading {
  const { statements, errors } = parseScript(query, { grammar: 'server' });
  if (errors.length > 0) {
    if (isClientForm(query)) return refused(shapeRefusal(CLIENT_LOCAL));
    const diagnostics = errors.map(({ message, span }) => ({ message, span }));
    const message = diagnostics[0]?.message ?? 'parse error';
    return refused({ code: 'PARSE_FAILED', message, diagnostics });
  }
  const [first] = statements;
  if (first === undefined) return refused(shapeRefusal('empty command'));
  return { kind: 'statements', statements, first };
}

/** Why statements cannot stand together in one request, or undefined. */
export function groupingRefusal(
  statements: readonly ParsedStatement[],
  isTransactional: boolean,
): ReplyError | undefined {
  if (statements.length === 1) return undefined;
  if (!isTransactional) return shapeRefusal('multiple commands require BEGIN');
  return statements.some(isTransactionRead) ? shapeRefusal(SEPARATE_READS) : undefined;
}

/** Reads that are answered beside an open transaction, alone in their request. */
export function isTransactionRead({ statement }: ParsedStatement): boolean {
  return statement.kind === 'show_transactions' || statement.kind === 'describe_transaction';
}

/** Whether a text that is none for a node is one for a client, such as BACKUP with a path. */
function isClientForm(text: string): boolean {
  return parseScript(text, { grammar: 'client' }).errors.length === 0;
}

function refused(error: ReplyError): StatementsReading {
  return { kind: 'refused', error };
}
