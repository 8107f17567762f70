import type { Client } from '../client.js';
import { EXIT, type ExitCode, localRefusal, usageError } from './command-line-error.js';
import type { Output } from './output.js';
import { type ParsedScript, readScript, type ScriptStatement } from './parsed-script.js';
import { Session } from './session.js';
import type { SourceText } from './source-report.js';

/** What a script runs with. */
export interface ScriptContext {
  readonly client: Client;
  readonly output: Output;
  readonly domain: string;
  readonly executionReference?: string;
  readonly signal: AbortSignal;
}

const clientStatements: ReadonlySet<string> = new Set(['use', 'list_domains']);

/** Finds what cannot run in a script, before any of it is sent. */
function findUnsuited({ statements }: ParsedScript): ScriptStatement | undefined {
  return statements.find(
    ({ statement: { kind } }) => kind === 'create_subscription' || kind === 'delete_subscription',
  );
}

function checkReference(script: ParsedScript, executionReference: string | undefined): void {
  if (executionReference === undefined) return;
  const [only, ...more] = script.statements;
  if (only === undefined || more.length > 0 || clientStatements.has(only.statement.kind)) {
    throw usageError('--execution-reference goes with exactly one statement for the server');
  }
}

async function runStatements(
  script: ParsedScript,
  source: SourceText,
  session: Session,
  context: ScriptContext,
): Promise<ExitCode> {
  const { output, signal, executionReference } = context;
  for (const statement of script.statements) {
    try {
      await session.run(statement, {
        source,
        signal,
        ...(executionReference === undefined ? {} : { executionReference }),
      });
    } catch (error) {
      return output.failure(error, session.placeOf(statement, source));
    }
  }
  return EXIT.success;
}

/**
 * Runs a script: reports every syntax error before anything is sent, then runs the statements in
 * order up to the first failure. A transaction that is then still open is reverted.
 */
export async function runScript(source: SourceText, context: ScriptContext): Promise<ExitCode> {
  const { output } = context;
  const script = readScript(source);
  if (script.errors.length > 0) {
    await output.syntaxErrors(source, script.errors);
    return EXIT.failed;
  }
  checkReference(script, context.executionReference);
  const unsuited = findUnsuited(script);
  if (unsuited !== undefined) {
    const message = 'subscriptions need a lasting session: use the subscribe command';
    const place = { source, span: unsuited.span };
    return output.failure(localRefusal('INVALID_REQUEST', message), place);
  }
  const session = new Session(context.client, output, context.domain);
  const exitCode = await runStatements(script, source, session, context);
  const wasOpen = await session.revertOpenTransaction();
  if (exitCode !== EXIT.success || !wasOpen) return exitCode;
  return output.failure(
    localRefusal('TRANSACTION_STATE', `${source.label} ends within a transaction`),
  );
}
