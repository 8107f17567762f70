/** Longest delay that timers of the platform take. */
const TIMEOUT_MS_MAX = 2_147_483_647;

const ORIGIN = /^(https?):\/\/([A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?\/?$/i;

/**
 * The origin in lower case without a trailing slash; undefined for credentials, a path, a query or a
 * fragment.
 */
export function readHttpOrigin(text: string): string | undefined {
  const match = ORIGIN.exec(text);
  if (match === null) return undefined;
  const [, scheme = '', host = '', port] = match;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined;
  const authority = port === undefined ? host : `${host}:${Number(port)}`;
  return `${scheme.toLowerCase()}://${authority.toLowerCase()}`;
}

/** A time limit in whole milliseconds above zero; undefined for anything that is none. */
export function readTimeoutMs(text: string): number | undefined {
  const timeoutMs = /^[0-9]+$/.test(text) ? Number(text) : 0;
  return timeoutMs === 0 || timeoutMs > TIMEOUT_MS_MAX ? undefined : timeoutMs;
}
