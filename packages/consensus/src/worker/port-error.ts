import { RAFT_ERROR_CODES, RaftError, type RaftErrorCode } from '../errors.ts';
import type { NodeEvent } from '../node/raft-node-options.ts';
import type { ReplicaEvent } from '../node/replica-ports.ts';
import type { PortError, PortEvent } from './worker-protocol.ts';

const CODES: ReadonlySet<string> = new Set(RAFT_ERROR_CODES.map(({ code }) => code));

/** Takes an error apart so that it crosses threads with code, details and causes. */
export function toPortError(error: unknown): PortError {
  if (!(error instanceof Error)) {
    const message = String(error);
    return {
      name: 'Error',
      message,
      stack: undefined,
      code: undefined,
      details: undefined,
      cause: undefined,
    };
  }
  const { name, message, stack } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const details = error instanceof RaftError ? error.details : undefined;
  const cause = error.cause === undefined ? undefined : toPortError(error.cause);
  return { name, message, stack, code, details, cause };
}

export function toPortEvent(event: ReplicaEvent | NodeEvent): PortEvent {
  return event.kind === 'membershipFailed' ? { ...event, error: toPortError(event.error) } : event;
}

/** Inverse of {@link toPortEvent}. */
export function fromPortEvent(event: PortEvent): ReplicaEvent | NodeEvent {
  return event.kind === 'membershipFailed'
    ? { ...event, error: fromPortError(event.error) }
    : event;
}

/** The error that {@link toPortError} took apart. */
export function fromPortError(from: PortError): Error {
  const cause = from.cause === undefined ? undefined : fromPortError(from.cause);
  if (from.name === 'RaftError' && from.code !== undefined && CODES.has(from.code)) {
    return new RaftError(from.code as RaftErrorCode, from.details as never, { cause });
  }
  const error = new Error(from.message, { cause });
  error.name = from.name;
  if (from.stack !== undefined) error.stack = from.stack;
  return from.code === undefined ? error : Object.assign(error, { code: from.code });
}
