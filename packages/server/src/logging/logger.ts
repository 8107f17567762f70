import { randomUUID } from 'node:crypto';
import { type DestinationStream, destination, type Logger as PinoLogger, pino } from 'pino';
import type { LogLevelName } from '../options/server-options.js';
import { causeFields } from './cause-fields.js';
import { redactFields, redactText } from './redaction.js';
import { printTextRecord } from './text-record.js';

/**
 * Facts of a record: identifiers, counts and texts. Never payloads, branch keys or credentials. A
 * field named like a member of every record, such as `level`, is logged with `_` behind its name.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | bigint | undefined>>;

/** The log of a node. A cause is logged with class, code, message, stack and its own causes. */
export interface Logger {
  trace(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields, cause?: unknown): void;
  error(message: string, fields?: LogFields, cause?: unknown): void;
  /** A logger that adds the fields to each of its records. */
  child(fields: LogFields): Logger;
}

/** What a {@link Logger} writes, and where. */
export interface LoggerOptions {
  readonly level: LogLevelName;
  readonly format: 'json' | 'text';
  /** Name of the node that each record carries. */
  readonly node: string;
  /** Names this run of the process in each record; random by default. */
  readonly incarnation?: string;
  /** Receives each line; standard error by default. */
  readonly write?: (line: string) => void;
}

/** Makes the logger of a node: one line a record, written before the call returns. */
export function createLogger(options: LoggerOptions): Logger {
  const base = pino(
    {
      level: options.level === 'off' ? 'silent' : options.level,
      base: { node: options.node, incarnation: options.incarnation ?? randomUUID() },
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    lineStream(options),
  );
  return wrap(base, {});
}

function lineStream(options: LoggerOptions): DestinationStream {
  if (options.format === 'json' && options.write === undefined) {
    return destination({ fd: 2, sync: true });
  }
  const stderr = options.write === undefined ? destination({ fd: 2, sync: true }) : undefined;
  const write = options.write ?? ((line: string): void => void stderr?.write(line));
  return {
    write: (line) => write(options.format === 'text' ? printTextRecord(line) : line),
  };
}

/** @param bound fields of every record, redacted; those of a record win over them */
function wrap(target: PinoLogger, bound: Readonly<Record<string, unknown>>): Logger {
  const log =
    (level: 'trace' | 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}, cause?: unknown): void => {
      if (!target.isLevelEnabled(level)) return;
      target[level](
        { ...bound, ...redactFields(fields), ...causeFields(cause) },
        redactText(message),
      );
    };
  return {
    trace: log('trace'),
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    child: (fields) => wrap(target, { ...bound, ...redactFields(fields) }),
  };
}
