import { isIP } from 'node:net';
import { RaftError } from '../errors.ts';
import {
  endpoint,
  invalidOption,
  isFunction,
  isText,
  type OptionCheck,
  type OptionChecks,
  oneOf,
  optional,
  optionsOf,
  TIMER_MS_MAX,
  wholeNumber,
  withDefaults,
} from '../options/option-check.ts';
import type { CredentialBundle } from './credentials.ts';
import { isLoopback, parseEndpoint } from './endpoint.ts';
import type { ResolveName } from './name-resolver.ts';

/** Deadlines of the transport. All values are milliseconds. */
export interface TransportTiming {
  /** From the first packet of a connection until both ends know each other. */
  readonly setupMs: number;
  /** Without progress of what is outstanding, after which a connection is closed. */
  readonly stallMs: number;
  /** Silence of a connection after which its opener asks for a sign of life. */
  readonly pingMs: number;
  /** First and longest pause before another attempt to connect. */
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** Without progress of a snapshot section, after which the transfer fails. */
  readonly sectionMs: number;
  /** For a whole snapshot, and then for its installation before appends must be answered again. */
  readonly snapshotMs: number;
}

/** Bounds of the transport. */
export interface TransportLimits {
  readonly peersMax: number;
  /** Processes that are no peers and keep connections all the same. */
  readonly candidatesMax: number;
  /** Accepted connections whose other end is not known yet. */
  readonly handshakesMax: number;
  /** Queue of a management connection; what does not fit is dropped. */
  readonly managementBytesMax: number;
  readonly managementMessagesMax: number;
  /** Queue of a replication connection; what does not fit ends the connection. */
  readonly replicationBytesMax: number;
  readonly replicationMessagesMax: number;
  /** Bytes sent on one connection that the other end has not read. */
  readonly windowBytesMax: number;
  /** Appends of one connection that are decoded and not answered. */
  readonly residentAppendsMax: number;
  /** Snapshots that are received at the same time. */
  readonly receiptsMax: number;
}

/** How to build a `TcpTransport`. */
export interface TcpTransportOptions {
  /** `host:port` to listen on; port 0 takes any free one. */
  readonly listen: string;
  /** `host:port` that others dial when it differs; port 0 stands for the one listened on. */
  readonly advertise?: string | undefined;
  /** Credentials, or no TLS at all, which is possible between loopback addresses only. */
  readonly tls: CredentialBundle | 'plaintext';
  /** Resolves names; by default the hosts file and then the name servers of the system. */
  readonly resolve?: ResolveName | undefined;
  /** Jitter of the pauses between attempts: numbers from 0 on and below 1. */
  readonly random?: (() => number) | undefined;
  /** UTC clock for the validity of certificates, in milliseconds since 1970. */
  readonly nowMs?: (() => number) | undefined;
  readonly timing?: Partial<TransportTiming> | undefined;
  readonly limits?: Partial<TransportLimits> | undefined;
}

const MEBIBYTE = 1_024 * 1_024;

/** Deadlines that hold when the caller sets none. */
export const DEFAULT_TRANSPORT_TIMING: TransportTiming = {
  setupMs: 5_000,
  stallMs: 5_000,
  pingMs: 1_000,
  backoffMinMs: 200,
  backoffMaxMs: 5_000,
  sectionMs: 30_000,
  snapshotMs: 600_000,
};

/** Bounds that hold when the caller sets none. */
export const DEFAULT_TRANSPORT_LIMITS: TransportLimits = {
  peersMax: 64,
  candidatesMax: 64,
  handshakesMax: 32,
  managementBytesMax: MEBIBYTE,
  managementMessagesMax: 4_096,
  replicationBytesMax: 24 * MEBIBYTE,
  replicationMessagesMax: 16_384,
  windowBytesMax: 4 * MEBIBYTE,
  residentAppendsMax: 4,
  receiptsMax: 3,
};

/** Fills in deadlines. Throws `RAFT_INVALID_OPTION` for those that do not go together. */
export function resolveTiming(timing: Partial<TransportTiming> | undefined): TransportTiming {
  const resolved = withDefaults(DEFAULT_TRANSPORT_TIMING, timing);
  const { pingMs, stallMs, backoffMinMs, backoffMaxMs } = resolved;
  if (pingMs >= stallMs) {
    throw invalidOption('timing.pingMs', `is ${pingMs}; it must be below stallMs, ${stallMs}`);
  }
  if (backoffMinMs > backoffMaxMs) {
    const problem = `is ${backoffMinMs}; it must be at most backoffMaxMs, ${backoffMaxMs}`;
    throw invalidOption('timing.backoffMinMs', problem);
  }
  return resolved;
}

/** Fills in bounds. */
export function resolveTransportLimits(
  limits: Partial<TransportLimits> | undefined,
): TransportLimits {
  return withDefaults(DEFAULT_TRANSPORT_LIMITS, limits);
}

const positive = optional(wholeNumber(1));
const milliseconds = optional(wholeNumber(1, TIMER_MS_MAX));

const isTiming = optionsOf<TransportTiming>({
  setupMs: milliseconds,
  stallMs: milliseconds,
  pingMs: milliseconds,
  backoffMinMs: milliseconds,
  backoffMaxMs: milliseconds,
  sectionMs: milliseconds,
  snapshotMs: milliseconds,
});

const areLimits = optionsOf<TransportLimits>({
  peersMax: positive,
  candidatesMax: positive,
  handshakesMax: positive,
  managementBytesMax: positive,
  managementMessagesMax: positive,
  replicationBytesMax: positive,
  replicationMessagesMax: positive,
  windowBytesMax: positive,
  residentAppendsMax: positive,
  receiptsMax: positive,
});

const areCredentials = optionsOf<CredentialBundle>({ ca: isText, cert: isText, key: isText });

const isTls: OptionCheck = (value, option) => {
  if (typeof value === 'string') oneOf('plaintext')(value, option);
  else areCredentials(value, option);
};

/** What transports have in common, in whatever thread they are made. */
export const TRANSPORT_CHECKS: OptionChecks<
  Omit<TcpTransportOptions, 'resolve' | 'random' | 'nowMs'>
> = {
  listen: endpoint(true),
  advertise: optional(endpoint(true)),
  tls: isTls,
  timing: optional(isTiming),
  limits: optional(areLimits),
};

const isTransport = optionsOf<TcpTransportOptions>({
  ...TRANSPORT_CHECKS,
  resolve: optional(isFunction),
  random: optional(isFunction),
  nowMs: optional(isFunction),
});

/**
 * Looks at all options of a transport. Throws `RAFT_INVALID_OPTION` for the first that cannot be
 * used, and `RAFT_PLAINTEXT_REFUSED` when others could only reach it with TLS.
 */
export function checkTransportOptions(options: TcpTransportOptions): void {
  isTransport(options, '');
  const { listen, advertise, tls } = options;
  if (tls !== 'plaintext') return;
  const { host } = parseEndpoint(listen) ?? { host: listen };
  if (!isLoopback(host)) throw new RaftError('RAFT_PLAINTEXT_REFUSED', { host });
  const advertised = parseEndpoint(advertise ?? listen)?.host ?? host;
  // Names are judged by their addresses, when they are dialled.
  if (isIP(advertised) !== 0 && !isLoopback(advertised)) {
    throw new RaftError('RAFT_PLAINTEXT_REFUSED', { host: advertised });
  }
}
