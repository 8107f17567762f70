import { NervixError } from '@nervix/model';
import { type DrainTimeout, drainTimeoutText } from './domain/pending-work.js';

/** What each error code carries beside its message. */
export interface RuntimeErrorDetails {
  /** The plan names something it does not contain, or holds a value the runtime cannot run. */
  readonly RUNTIME_INVALID_PLAN: { readonly domain: string; readonly problem: string };
  /** An older or equal plan of the same generation was offered. */
  readonly RUNTIME_STALE_PLAN: {
    readonly domain: string;
    readonly revision: number;
    readonly installed: number;
  };
  readonly RUNTIME_DOMAIN_NOT_RUNNING: { readonly domain: string };
  readonly RUNTIME_UNKNOWN_RELAY: { readonly domain: string; readonly relay: string };
  /** Two endpoints of running domains claim the same host and path. */
  readonly RUNTIME_ROUTE_CONFLICT: {
    readonly host: string;
    readonly path: string;
    readonly domain: string;
  };
  /** What a virtual host is to be served with over TLS cannot be used; nothing of its key is told. */
  readonly RUNTIME_SECURE_HOST_REFUSED: { readonly vhost: string; readonly problem: string };
  readonly RUNTIME_LISTEN_FAILED: {
    readonly host: string;
    readonly port: number;
    readonly reason: string;
  };
  /** The data plane is closing or closed. */
  readonly RUNTIME_CLOSED: Record<never, never>;
  /** The worker thread of the data plane ended by itself. */
  readonly RUNTIME_WORKER_FAILED: { readonly exitCode: number | null };
  /** The time of a paced domain left the range of instants. */
  readonly RUNTIME_CLOCK_OVERFLOW: { readonly domain: string };
  /** Work could not finish before its deadline; the details name and count what was left. */
  readonly RUNTIME_DRAIN_TIMEOUT: DrainTimeout;
  /** A typed expression was made for another engine, or is none. */
  readonly RUNTIME_INVALID_PROGRAM: { readonly field: string; readonly problem: string };
  /** A caller of the library gave what the function does not take. */
  readonly RUNTIME_INVALID_ARGUMENT: { readonly argument: string; readonly problem: string };
  /** A row that a caller appends does not fit its schema; `problem` tells no value of it. */
  readonly RUNTIME_INVALID_ROW: {
    readonly schema: string;
    /** Position that the row would have in the batch. */
    readonly row: number;
    /** Null when the row as a whole does not fit. */
    readonly field: string | null;
    readonly problem: string;
  };
  /** The memory of a batch that is read was given back. */
  readonly RUNTIME_BATCH_RECYCLED: Record<never, never>;
  /** A codec's program is none, or a direction that is used has none. */
  readonly RUNTIME_INVALID_CODEC: { readonly codec: string; readonly problem: string };
  /** A call of a UDF failed for all rows of a batch. */
  readonly RUNTIME_UDF_FAILED: {
    readonly udf: string;
    readonly operation: 'load' | 'call';
    /** Tells no value of a record. */
    readonly detail: string;
  };
  /** A call failed inside the data plane for a reason that has no code of its own. */
  readonly RUNTIME_INTERNAL: { readonly operation: string };
}

/** Every error code of this package. Codes are public API and are only ever added to. */
export type RuntimeErrorCode = keyof RuntimeErrorDetails;

interface ErrorTemplate<C extends RuntimeErrorCode> {
  readonly retryable: boolean;
  readonly message: (details: RuntimeErrorDetails[C]) => string;
}

const TEMPLATES: { readonly [C in RuntimeErrorCode]: ErrorTemplate<C> } = {
  RUNTIME_INVALID_PLAN: {
    retryable: false,
    message: ({ domain, problem }) => `plan of domain '${domain}' cannot be installed: ${problem}`,
  },
  RUNTIME_STALE_PLAN: {
    retryable: false,
    message: ({ domain, revision, installed }) =>
      `plan revision ${revision} of domain '${domain}' is not newer than ${installed}`,
  },
  RUNTIME_DOMAIN_NOT_RUNNING: {
    retryable: true,
    message: ({ domain }) => `domain '${domain}' is not running here`,
  },
  RUNTIME_UNKNOWN_RELAY: {
    retryable: false,
    message: ({ domain, relay }) => `relay '${relay}' does not exist in domain '${domain}'`,
  },
  RUNTIME_ROUTE_CONFLICT: {
    retryable: false,
    message: ({ host, path, domain }) =>
      `host '${host}' with path '${path}' already belongs to domain '${domain}'`,
  },
  RUNTIME_SECURE_HOST_REFUSED: {
    retryable: false,
    message: ({ vhost, problem }) => `vhost '${vhost}' cannot be served over TLS: ${problem}`,
  },
  RUNTIME_LISTEN_FAILED: {
    retryable: true,
    message: ({ host, port, reason }) =>
      `data listener cannot be opened at ${host}:${port}: ${reason}`,
  },
  RUNTIME_CLOSED: { retryable: false, message: () => 'the data plane is closed' },
  RUNTIME_WORKER_FAILED: {
    retryable: true,
    message: ({ exitCode }) =>
      `the data plane worker ended by itself (exit code ${exitCode ?? 'unknown'})`,
  },
  RUNTIME_DRAIN_TIMEOUT: {
    retryable: true,
    message: (details) => drainTimeoutText(details),
  },
  RUNTIME_CLOCK_OVERFLOW: {
    retryable: false,
    message: ({ domain }) => `the time of domain '${domain}' left the range of instants`,
  },
  RUNTIME_INVALID_PROGRAM: {
    retryable: false,
    message: ({ field, problem }) => `program of '${field}' cannot be compiled: ${problem}`,
  },
  RUNTIME_INVALID_ARGUMENT: {
    retryable: false,
    message: ({ argument, problem }) => `argument '${argument}' ${problem}`,
  },
  RUNTIME_INVALID_ROW: {
    retryable: false,
    message: ({ schema, row, field, problem }) =>
      `row ${row} does not fit schema '${schema}': ${field === null ? '' : `field '${field}' `}${problem}`,
  },
  RUNTIME_BATCH_RECYCLED: {
    retryable: false,
    message: () => 'a batch is read whose memory was given back',
  },
  RUNTIME_INVALID_CODEC: {
    retryable: false,
    message: ({ codec, problem }) => `codec '${codec}' ${problem}`,
  },
  RUNTIME_UDF_FAILED: {
    retryable: false,
    message: ({ udf, operation, detail }) => `UDF '${udf}': ${operation} failed: ${detail}`,
  },
  RUNTIME_INTERNAL: {
    retryable: false,
    message: ({ operation }) => `${operation} failed inside the data plane`,
  },
};

/** An operating failure of the data plane. */
export class RuntimeError extends NervixError<RuntimeErrorCode> {
  override readonly name = 'RuntimeError';
}

/**
 * Builds the error of a code.
 *
 * @param code one of the codes of this package
 * @param details facts named by the message
 * @param cause what led to it, if anything did
 */
export function runtimeError<C extends RuntimeErrorCode>(
  code: C,
  details: RuntimeErrorDetails[C],
  cause?: unknown,
): RuntimeError {
  const template = TEMPLATES[code] as ErrorTemplate<C>;
  return new RuntimeError(code, template.message(details), {
    details: { ...details },
    retryable: template.retryable,
    ...(cause === undefined ? {} : { cause }),
  });
}
