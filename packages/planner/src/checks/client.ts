import type { HttpClientPlan } from '@nervix/model';
import { clientFiles, configValue, TLS_KEYS } from './client-files.js';
import type { PlanningContext } from './planning-context.js';
import type { HttpClientModel } from './runnable-model.js';

const KNOWN_KEYS: ReadonlySet<string> = new Set(['endpoint', 'timeout_ms', 'method', ...TLS_KEYS]);

/**
 * Checks an HTTP client's configuration. A client that no emitter uses needs no time limit and is
 * left out of the plan without one.
 */
export function planClient(
  context: PlanningContext,
  model: HttpClientModel,
): HttpClientPlan | undefined {
  const report = context.reporter(model);
  const secret = model.config.find(({ value }) => value.kind === 'secret');
  if (secret !== undefined) {
    report.unsupported(`a SECRET value of '${secret.key}' is`, secret);
    return undefined;
  }
  for (const entry of model.config) {
    if (KNOWN_KEYS.has(entry.key.toLowerCase())) continue;
    context.warn(model, `client config key '${entry.key}' has no meaning for HTTP clients`);
  }
  const endpoint = configValue(model, 'endpoint');
  if (endpoint === undefined) {
    report.invalid("missing HTTP client config key 'endpoint'");
    return undefined;
  }
  const origin = readOrigin(endpoint);
  if (origin === undefined) {
    report.invalid(`invalid HTTP client endpoint: an origin such as http://host:port is expected`);
    return undefined;
  }
  const timeout = configValue(model, 'timeout_ms');
  if (timeout === undefined) {
    if (context.isSender(model.name)) {
      report.invalid("missing HTTP client config key 'timeout_ms'");
    }
    return undefined;
  }
  const timeoutMs = /^[0-9]+$/.test(timeout) ? Number(timeout) : 0;
  if (timeoutMs === 0 || timeoutMs > TIMEOUT_MS_MAX) {
    report.invalid(`invalid HTTP timeout_ms '${timeout}'`);
    return undefined;
  }
  const files = clientFiles(model);
  if (files.kind === 'refused') {
    report.invalid(files.reason);
    return undefined;
  }
  return { name: model.name, type: 'HTTP', endpoint: origin, timeoutMs, ...files.plan };
}

/** Longest delay that timers of the platform take. */
const TIMEOUT_MS_MAX = 2_147_483_647;

const ORIGIN = /^(https?):\/\/([A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?\/?$/i;

/**
 * The origin without a trailing slash; undefined for credentials, a path, a query or a fragment.
 */
function readOrigin(text: string): string | undefined {
  const match = ORIGIN.exec(text);
  if (match === null) return undefined;
  const [, scheme = '', host = '', port] = match;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined;
  const authority = port === undefined ? host : `${host}:${Number(port)}`;
  return `${scheme.toLowerCase()}://${authority.toLowerCase()}`;
}
