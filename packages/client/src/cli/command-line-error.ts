import { NervixError } from '@nervix/model';
import type { ErrorCode } from '@nervix/protocol';

/** Codes of failures that the command line finds without the server. */
export type LocalCode = 'INVALID_ARGUMENTS' | 'CLIENT_CONFIGURATION' | 'WRITE_FAILED';

/** Exit codes of the `nervix` command. */
export const EXIT: {
  readonly success: 0;
  readonly failed: 1;
  readonly usage: 2;
  readonly connection: 3;
  readonly uncertain: 4;
  readonly localIo: 5;
  readonly permission: 6;
  readonly interrupted: 130;
} = {
  success: 0,
  failed: 1,
  usage: 2,
  connection: 3,
  uncertain: 4,
  localIo: 5,
  permission: 6,
  interrupted: 130,
};

/** Exit codes of `nervix format`, which tells the faults of files apart. */
export const FORMAT_EXIT: {
  readonly unformatted: 1;
  readonly parse: 3;
  readonly io: 4;
  readonly defect: 5;
} = { unformatted: 1, parse: 3, io: 4, defect: 5 };

/** Exit codes of `nervix plan` and `nervix diff`, which need no server. */
export const PLAN_EXIT: {
  readonly refused: 1;
  readonly different: 1;
  readonly unreadable: 3;
} = { refused: 1, different: 1, unreadable: 3 };

/** Any exit code of the `nervix` command. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure of the command line itself, with the exit code it leads to. */
export class CommandLineError extends NervixError<LocalCode | ErrorCode> {
  override readonly name = 'CommandLineError';
  readonly exitCode: ExitCode;

  constructor(
    code: LocalCode | ErrorCode,
    message: string,
    options: { readonly exitCode: ExitCode; readonly cause?: unknown },
  ) {
    super(code, message, { cause: options.cause });
    this.exitCode = options.exitCode;
  }
}

/** Arguments that cannot be used. */
export function usageError(message: string): CommandLineError {
  return new CommandLineError('INVALID_ARGUMENTS', message, { exitCode: EXIT.usage });
}

/** A statement that the command line refuses without asking the server. */
export function localRefusal(code: ErrorCode, message: string): CommandLineError {
  return new CommandLineError(code, message, { exitCode: EXIT.failed });
}

/** A local file that cannot be read or written. */
export function localFileError(action: string, path: string, cause: unknown): CommandLineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CommandLineError(
    action === 'read' ? 'CLIENT_CONFIGURATION' : 'WRITE_FAILED',
    `cannot ${action} ${path}: ${reason}`,
    { exitCode: EXIT.localIo, cause },
  );
}
