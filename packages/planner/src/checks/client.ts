import { type HttpClientPlan, readHttpOrigin, readTimeoutMs } from '@nervix/model';
import { clientFiles, secretOf, settingOf, TLS_KEYS } from './client-files.js';
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
  for (const entry of model.config) {
    if (KNOWN_KEYS.has(entry.key.toLowerCase())) continue;
    context.warn(model, `client config key '${entry.key}' has no meaning for HTTP clients`);
  }
  const endpoint = settingOf(model, 'endpoint');
  if (endpoint === undefined) {
    report.invalid("missing HTTP client config key 'endpoint'");
    return undefined;
  }
  const origin = endpoint.kind === 'secret' ? secretOf(endpoint) : readHttpOrigin(endpoint.text);
  if (origin === undefined) {
    report.invalid(`invalid HTTP client endpoint: an origin such as http://host:port is expected`);
    return undefined;
  }
  const timeout = settingOf(model, 'timeout_ms');
  if (timeout === undefined) {
    if (context.isSender(model.name)) {
      report.invalid("missing HTTP client config key 'timeout_ms'");
    }
    return undefined;
  }
  const timeoutMs = timeout.kind === 'secret' ? secretOf(timeout) : readTimeoutMs(timeout.text);
  if (timeoutMs === undefined) {
    const written = timeout.kind === 'text' ? timeout.text : '';
    report.invalid(`invalid HTTP timeout_ms '${written}'`);
    return undefined;
  }
  const files = clientFiles(model);
  if (files.kind === 'refused') {
    report.invalid(files.reason);
    return undefined;
  }
  return { name: model.name, type: 'HTTP', endpoint: origin, timeoutMs, ...files.plan };
}
