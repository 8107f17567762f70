import {
  type ClientFile,
  type ClientTlsPlan,
  type HttpClientPlan,
  readHttpOrigin,
  readTimeoutMs,
  type SecretReference,
} from '@nervix/model';
import { isSecret, type SecretReader, secretOfFile } from '../client-secrets.js';

/** What one attempt to connect works with. */
export interface HttpClientSettings {
  readonly endpoint: string;
  readonly timeoutMs: number;
  readonly tls: ClientTlsPlan | undefined;
}

/** The settings of an attempt, or why there are none. A reason holds no value of a secret. */
export type SettingsReading =
  | { readonly kind: 'ready'; readonly settings: HttpClientSettings }
  | { readonly kind: 'unavailable'; readonly reason: string };

/**
 * The settings of a client as each attempt finds them: what is a secret is read anew each time, so
 * that a new version takes effect with the next connection.
 */
export class HttpClientSettingsReader {
  readonly #plan: HttpClientPlan;
  readonly #readSecrets: SecretReader;
  readonly #references: readonly SecretReference[];
  readonly #fixed: SettingsReading | undefined;

  constructor(plan: HttpClientPlan, readSecrets: SecretReader) {
    this.#plan = plan;
    this.#readSecrets = readSecrets;
    this.#references = referencesOf(plan);
    this.#fixed = this.#references.length === 0 ? withValues(plan, []) : undefined;
  }

  async read(): Promise<SettingsReading> {
    if (this.#fixed !== undefined) return this.#fixed;
    const reading = await this.#readSecrets(this.#references);
    return reading.kind === 'read' ? withValues(this.#plan, reading.values) : reading;
  }
}

/** In the order in which {@link withValues} takes their values. */
function referencesOf({ endpoint, timeoutMs, tls }: HttpClientPlan): readonly SecretReference[] {
  const files = [tls?.ca, tls?.identity?.certificate, tls?.identity?.key].map(secretOfFile);
  return [endpoint, timeoutMs, ...files].filter(
    (each): each is SecretReference => each !== undefined && isSecret(each),
  );
}

function withValues(plan: HttpClientPlan, values: readonly string[]): SettingsReading {
  const left = [...values];
  const next = (): string => left.shift() ?? '';
  const endpoint = isSecret(plan.endpoint) ? readHttpOrigin(next().trim()) : plan.endpoint;
  if (endpoint === undefined) return unusable(plan, 'endpoint', plan.endpoint);
  const timeoutMs = isSecret(plan.timeoutMs) ? readTimeoutMs(next().trim()) : plan.timeoutMs;
  if (timeoutMs === undefined) return unusable(plan, 'timeout_ms', plan.timeoutMs);
  const content = (file: ClientFile): ClientFile =>
    file.kind === 'secret' ? { kind: 'content', text: next() } : file;
  const { tls } = plan;
  const ca = tls?.ca === undefined ? {} : { ca: content(tls.ca) };
  const identity =
    tls?.identity === undefined
      ? {}
      : {
          identity: {
            certificate: content(tls.identity.certificate),
            key: content(tls.identity.key),
          },
        };
  const loaded = tls === undefined ? undefined : { ...ca, ...identity };
  return { kind: 'ready', settings: { endpoint, timeoutMs, tls: loaded } };
}

function unusable(
  { name }: HttpClientPlan,
  key: string,
  setting: string | number | SecretReference,
): SettingsReading {
  const secret = isSecret(setting) ? ` in secret '${setting.name}'` : '';
  return { kind: 'unavailable', reason: `client '${name}' has no usable '${key}'${secret}` };
}
