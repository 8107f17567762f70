import type { ErrorCode, WireDiagnostic } from '@nervix/protocol';
import {
  AuthenticationError,
  CancelledError,
  ConnectError,
  DeadlineError,
  InvalidOptionsError,
  ProtocolViolationError,
  RejectedError,
  StreamInterruptedError,
  UncertainError,
} from '../errors.js';
import { CommandLineError, EXIT, type ExitCode } from './command-line-error.js';

/** An error as the command line reports it. */
export interface Failure {
  readonly exitCode: ExitCode;
  /** Code in the JSON report. */
  readonly code: string;
  readonly message: string;
  readonly executionReference?: string;
  readonly diagnostics: readonly WireDiagnostic[];
}

function plain(exitCode: ExitCode, code: string, error: Error): Failure {
  return { exitCode, code, message: error.message, diagnostics: [] };
}

function withReference(failure: Failure, executionReference: string | undefined): Failure {
  return executionReference === undefined ? failure : { ...failure, executionReference };
}

/** Why an inspection of a transaction reads nothing; the message says which of these it is. */
const INSPECTION_REFUSALS: ReadonlySet<string> = new Set<ErrorCode>([
  'NO_ATTACHED_TRANSACTION',
  'TRANSACTION_NOT_FOUND',
  'NOT_OWNER',
  'REPORT_UNAVAILABLE',
  'OPERATION_NOT_FOUND',
]);

/**
 * What to report of an error and which exit code it leads to.
 *
 * @throws the error itself when it is none of the client's: then the program is at fault
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommandLineError) return plain(error.exitCode, error.code, error);
  if (error instanceof RejectedError) {
    const isDenied = error.code === 'PERMISSION_DENIED';
    const failure: Failure = {
      exitCode: isDenied ? EXIT.permission : EXIT.failed,
      code: INSPECTION_REFUSALS.has(error.code) ? 'INSPECTION_REFUSED' : error.code,
      message: error.message,
      diagnostics: error.diagnostics,
    };
    return withReference(failure, error.executionReference);
  }
  if (error instanceof UncertainError) {
    const failure = plain(EXIT.uncertain, 'OUTCOME_UNKNOWN', error);
    return withReference(failure, error.executionReference);
  }
  if (error instanceof CancelledError) {
    const failure = plain(EXIT.interrupted, 'CANCELLED', error);
    return withReference(failure, error.executionReference);
  }
  if (error instanceof AuthenticationError) return plain(EXIT.connection, 'UNAUTHENTICATED', error);
  if (error instanceof InvalidOptionsError) return plain(EXIT.usage, 'CLIENT_CONFIGURATION', error);
  if (
    error instanceof ConnectError ||
    error instanceof DeadlineError ||
    error instanceof ProtocolViolationError ||
    error instanceof StreamInterruptedError
  ) {
    return plain(EXIT.connection, 'CONNECTION_FAILED', error);
  }
  throw error;
}
