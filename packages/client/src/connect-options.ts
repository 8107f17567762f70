import { DEFAULT_SERVER } from '@nervix/protocol';
import { InvalidOptionsError } from './errors.js';

/** How to reach a server and as whom. */
export interface ConnectOptions {
  /** A bare `http` or `https` origin; a local node by default. */
  readonly server?: string;
  readonly user: string;
  readonly password: string;
  /** Domain of calls that name none. */
  readonly domain?: string;
  /**
   * How commands and transactions are sent: as HTTP requests, which hold nothing open, or over
   * sessions, which {@link Client.close} ends. HTTP by default.
   */
  readonly transport?: 'http' | 'session';
  /** Origins of other nodes, for sessions whose server is gone. */
  readonly seeds?: readonly string[];
  /**
   * Silence after which a session is probed, 20 000 ms by default; three times as much ends it. 0
   * lets it be silent.
   */
  readonly keepaliveMs?: number;
  /** Time of one call with all its retries; 120 000 by default. */
  readonly requestTimeoutMs?: number;
  /**
   * How long a server that refuses connections is tried again; 10 000 by default, and never more
   * than half of the time of a call.
   */
  readonly connectTimeoutMs?: number;
  /** Stops {@link connect} itself; later calls take their own signal. */
  readonly signal?: AbortSignal;
}

/** Options with their defaults filled in. */
export interface ResolvedOptions {
  readonly origin: string;
  readonly user: string;
  readonly authorization: string;
  readonly requestTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly seeds: readonly string[];
  readonly keepaliveMs: number;
}

/**
 * Reads the address of a server.
 *
 * @throws InvalidOptionsError when it is no bare `http` or `https` origin
 */
export function readOrigin(server: string): string {
  let url: URL;
  try {
    url = new URL(server);
  } catch (cause) {
    throw new InvalidOptionsError(`server address '${server}' is not a URL`, { cause });
  }
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  const isBare =
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  if (!isHttp || !isBare) {
    throw new InvalidOptionsError(`server address '${server}' is not a bare http or https origin`);
  }
  return url.origin;
}

function readMilliseconds(name: string, value: number | undefined, fallback: number): number {
  const milliseconds = value ?? fallback;
  if (!Number.isFinite(milliseconds) || milliseconds <= 0 || milliseconds > 2_147_483_647) {
    throw new InvalidOptionsError(`${name} must be between 1 and 2147483647 milliseconds`);
  }
  return Math.ceil(milliseconds);
}

function basicCredentials(user: string, password: string): string {
  if (user.includes(':')) throw new InvalidOptionsError("a user name cannot contain ':'");
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws InvalidOptionsError when one of them cannot be used
 */
export function resolveOptions(options: ConnectOptions): ResolvedOptions {
  const requestTimeoutMs = readMilliseconds('requestTimeoutMs', options.requestTimeoutMs, 120_000);
  const connectTimeoutMs = readMilliseconds('connectTimeoutMs', options.connectTimeoutMs, 10_000);
  return {
    origin: readOrigin(options.server ?? DEFAULT_SERVER),
    user: options.user,
    authorization: basicCredentials(options.user, options.password),
    requestTimeoutMs,
    seeds: (options.seeds ?? []).map(readOrigin),
    keepaliveMs:
      options.keepaliveMs === 0 ? 0 : readMilliseconds('keepaliveMs', options.keepaliveMs, 20_000),
    // The last attempt keeps half of the time: cut short, it would leave an outcome in doubt.
    connectTimeoutMs: Math.min(connectTimeoutMs, requestTimeoutMs / 2),
  };
}
